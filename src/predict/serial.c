#include "predict/serial.h"
#include "base/vec.h"

#include <string.h>

/* A holder is something through which transactions are ordered: a variable's
   last write or reads, a lock, a thread. `open` are the open transactions that
   touched it, `roots` the open transactions that reach it through an ended
   transaction, or an event outside of any. A thread's holder has only roots:
   those that reach its last event. */
typedef struct pass {
  const omen_model *m;
  const omen_serial_options *o;
  uint32_t threads, words; /* words: size of a set */
  uint32_t lock_base, thread_base;
  uint64_t *sets;   /* holder x (roots, open) */
  uint64_t *reach;  /* by thread: the open transactions that reach its own one,
                       which is included; empty if it has none open */
  uint64_t *found;  /* scratch: one set */
  omen_ids *marked; /* by thread: holders with its bit in a set */
  uint32_t *opener; /* by thread: block of its open transaction, or OMEN_NONE */
  uint8_t *reported; /* by thread: its transaction's cycle was reported */
  OMEN_VEC (uint32_t) * blocks; /* by thread: open atomic blocks */
  bool stopped;
} pass;

enum { ROOTS, OPEN };

static uint64_t *
set_of (const pass *p, uint32_t holder, int which)
{
  OMEN_CHECK (holder < p->thread_base + p->threads);
  return p->sets + ((size_t)holder * 2 + (size_t)which) * p->words;
}

static uint64_t *
reach_of (const pass *p, omen_tid t)
{
  return p->reach + (size_t)t * p->words;
}

static bool
has_thread (const uint64_t *set, omen_tid t)
{
  return set[t / 64] >> t % 64 & 1;
}

static bool
is_empty (const pass *p, const uint64_t *set)
{
  uint64_t any = 0;
  for (uint32_t i = 0; i < p->words; i++)
    any |= set[i];
  return !any;
}

static bool
is_open (const pass *p, omen_tid t)
{
  return p->opener[t] != OMEN_NONE;
}

/* ---- marking ---- */

static void
mark_holder (pass *p, uint32_t holder, int which, omen_tid t)
{
  uint64_t *set = set_of (p, holder, which);
  if (has_thread (set, t))
    return;
  set[t / 64] |= (uint64_t)1 << t % 64;
  OMEN_VEC_PUSH (p->marked[t], holder);
}

static void
mark_all (pass *p, uint32_t holder, const uint64_t *more)
{
  for (uint32_t i = 0; i < p->words; i++)
    for (uint64_t left = more[i]; left; left &= left - 1)
      mark_holder (p, holder, ROOTS, i * 64 + (omen_tid)__builtin_ctzll (left));
}

static void
clear (pass *p, uint32_t holder)
{
  memset (set_of (p, holder, ROOTS), 0, 2 * p->words * sizeof (uint64_t));
}

/* ---- edges ---- */

/* Add to `found` the open transactions that reach one in `set` (without
   `but`). */
static void
add_reach (pass *p, const uint64_t *set, omen_tid but)
{
  for (uint32_t i = 0; i < p->words; i++)
    for (uint64_t left = set[i]; left; left &= left - 1) {
      omen_tid t = i * 64 + (omen_tid)__builtin_ctzll (left);
      const uint64_t *reach = reach_of (p, t);
      if (t == but)
        continue;
      OMEN_ASSERT (is_open (p, t));
      for (uint32_t k = 0; k < p->words; k++)
        p->found[k] |= reach[k];
    }
}

/* All of `found` reach the open transaction of t, and what that reaches. */
static void
take_in (pass *p, omen_tid t)
{
  uint64_t *own = reach_of (p, t), new = 0;
  for (uint32_t k = 0; k < p->words; k++)
    new |= p->found[k] & ~own[k];
  if (!new)
    return;
  for (omen_tid u = 0; u < p->threads; u++) {
    uint64_t *reach = reach_of (p, u);
    if (!has_thread (reach, t))
      continue;
    for (uint32_t k = 0; k < p->words; k++)
      reach[k] |= p->found[k];
  }
}

/* Follow the edges from a holder to event e of thread t; report a cycle. */
static void
follow_event (pass *p, uint32_t holder, omen_tid t, omen_eid e)
{
  const uint64_t *roots = set_of (p, holder, ROOTS);
  const uint64_t *open = set_of (p, holder, OPEN);
  if (is_empty (p, roots) && is_empty (p, open))
    return;
  memset (p->found, 0, p->words * sizeof *p->found);
  add_reach (p, roots, OMEN_NONE);
  add_reach (p, open, t);
  if (!is_open (p, t))
    mark_all (p, p->thread_base + t, p->found);
  else if (!has_thread (p->found, t))
    take_in (p, t);
  else if (!p->reported[t]) {
    p->reported[t] = 1;
    p->stopped = !p->o->found (p->o->context, p->opener[t], e);
  }
}

/* Thread t writes the holder: earlier accesses are overwritten. */
static void
touch_alone (pass *p, uint32_t holder, omen_tid t)
{
  const uint64_t *roots = set_of (p, holder, ROOTS);
  const uint64_t *open = set_of (p, holder, OPEN);
  if (p->words == 1 && is_open (p, t) && !roots[0]
      && open[0] == (uint64_t)1 << t)
    return; /* already so */
  clear (p, holder);
  if (is_open (p, t))
    mark_holder (p, holder, OPEN, t);
  else
    mark_all (p, holder, set_of (p, p->thread_base + t, ROOTS));
}

static void
touch (pass *p, uint32_t holder, omen_tid t)
{
  if (is_open (p, t))
    mark_holder (p, holder, OPEN, t);
  else
    mark_all (p, holder, set_of (p, p->thread_base + t, ROOTS));
}

/* ---- transactions ---- */

static void
begin_transaction (pass *p, omen_tid t, uint32_t block)
{
  uint64_t *reach = reach_of (p, t);
  uint32_t own = p->thread_base + t;
  OMEN_ASSERT (!is_open (p, t) && is_empty (p, reach));
  memset (p->found, 0, p->words * sizeof *p->found);
  add_reach (p, set_of (p, own, ROOTS), OMEN_NONE);
  memcpy (reach, p->found, p->words * sizeof *reach);
  reach[t / 64] |= (uint64_t)1 << t % 64;
  p->opener[t] = block;
  p->reported[t] = 0;
}

/* Where the transaction of t is in a set, it is replaced by the open ones that
   reach it. */
static void
end_transaction (pass *p, omen_tid t)
{
  uint64_t *reach = reach_of (p, t), bit = (uint64_t)1 << t % 64;
  uint64_t *found = p->found;
  omen_ids marked = p->marked[t];
  OMEN_ASSERT (is_open (p, t) && has_thread (reach, t));
  p->opener[t] = OMEN_NONE;
  reach[t / 64] &= ~bit;
  memcpy (found, reach, p->words * sizeof *found);
  memset (reach, 0, p->words * sizeof *reach);
  for (omen_tid u = 0; u < p->threads; u++)
    reach_of (p, u)[t / 64] &= ~bit;
  for (size_t i = 0; i < marked.count; i++) {
    uint64_t *roots = set_of (p, marked.data[i], ROOTS);
    uint64_t *open = set_of (p, marked.data[i], OPEN);
    if (!has_thread (roots, t) && !has_thread (open, t))
      continue; /* overwritten since */
    roots[t / 64] &= ~bit;
    open[t / 64] &= ~bit;
    mark_all (p, marked.data[i], found);
  }
  p->marked[t].count = 0;
  clear (p, p->thread_base + t);
  mark_all (p, p->thread_base + t, found);
}

static void
open_block (pass *p, omen_tid t, uint32_t block)
{
  OMEN_ASSERT (block < p->m->block_count);
  if (!p->o->chosen[block])
    return;
  OMEN_VEC_PUSH (p->blocks[t], block);
  if (!is_open (p, t))
    begin_transaction (p, t, block);
}

/* If blocks are not closed in order, the remaining outermost one becomes a
   transaction. */
static void
close_block (pass *p, omen_tid t, uint32_t block)
{
  size_t i = p->blocks[t].count;
  while (i && p->blocks[t].data[i - 1] != block)
    i--;
  if (!i)
    return;
  memmove (p->blocks[t].data + i - 1, p->blocks[t].data + i,
           (p->blocks[t].count - i) * sizeof (uint32_t));
  p->blocks[t].count--;
  if (p->opener[t] != block)
    return;
  end_transaction (p, t);
  if (p->blocks[t].count)
    begin_transaction (p, t, p->blocks[t].data[0]);
}

/* ---- events ---- */

/* Do several threads access the atom? */
static bool
atom_is_shared (const omen_model *m, uint32_t atom)
{
  return m->atoms[atom + 1].first_cell - m->atoms[atom].first_cell > 1;
}

/* All edges into the event first, for all its atoms, since it then passes all
   of them on through each atom. */
static void
access (pass *p, const omen_event *event, omen_eid e)
{
  const omen_model *m = p->m;
  omen_span atoms = omen_model_atoms (m, e);
  bool writes = omen_kind_writes (event->kind);
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
    if (atom_is_shared (m, a)) {
      follow_event (p, 2 * a, event->thread, e);
      if (writes)
        follow_event (p, 2 * a + 1, event->thread, e);
    }
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
    if (!atom_is_shared (m, a))
      continue;
    else if (writes) {
      touch_alone (p, 2 * a, event->thread);
      clear (p, 2 * a + 1);
    } else
      touch (p, 2 * a + 1, event->thread);
}

/* Locks are like variables: a release of a writer writes it, one of a reader
   reads it, and acquires see those. Operations on an irregular lock are ordered
   as writes. */
static void
lock_event (pass *p, omen_lid lock, omen_tid t, omen_eid e, bool takes,
            bool reader)
{
  uint32_t holder = p->lock_base + 2 * lock;
  bool irregular = p->m->irregular[lock];
  OMEN_ASSERT (lock < p->m->lock_count);
  if (takes || irregular) {
    follow_event (p, holder, t, e);
    if (!reader || irregular)
      follow_event (p, holder + 1, t, e);
  }
  if (takes && !irregular)
    return;
  if (reader && !irregular)
    touch (p, holder + 1, t);
  else {
    touch_alone (p, holder, t);
    clear (p, holder + 1);
  }
}

static void
fork_or_join (pass *p, const omen_event *event, omen_eid e)
{
  omen_tid child = event->object;
  uint32_t holder = p->thread_base + child;
  if (!p->m->trace->threads.data[child].count)
    return; /* a thread without events orders nothing */
  if (event->kind == OMEN_FORK && is_open (p, event->thread))
    mark_holder (p, holder, ROOTS, event->thread);
  else if (event->kind == OMEN_FORK)
    mark_all (p, holder, set_of (p, p->thread_base + event->thread, ROOTS));
  else {
    if (is_open (p, child))
      end_transaction (p, child); /* cut off; it cannot end later */
    follow_event (p, holder, event->thread, e);
  }
}

/* acq, racq, rel, rrel; wait and wake with a lock. */
static void
lock_step (pass *p, const omen_event *event, omen_eid e)
{
  bool reader
      = event->kind == OMEN_READ_ACQUIRE || event->kind == OMEN_READ_RELEASE;
  bool takes = event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE
               || event->kind == OMEN_WAKE;
  bool waits = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE;
  if (!waits)
    lock_event (p, event->object, event->thread, e, takes, reader);
  else if (event->value != OMEN_NONE)
    lock_event (p, (omen_lid)event->value, event->thread, e, takes, false);
}

static void
step_event (pass *p, omen_eid e)
{
  const omen_event *event = omen_model_event (p->m, e);
  omen_tid t = event->thread;
  switch (event->kind) {
  case OMEN_READ:
  case OMEN_WRITE:
  case OMEN_ATOMIC_READ:
  case OMEN_ATOMIC_WRITE:
  case OMEN_ATOMIC_RMW:
  case OMEN_FREE:
    access (p, event, e);
    break;
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_READ_RELEASE:
  case OMEN_WAIT:
  case OMEN_WAKE:
    lock_step (p, event, e);
    break;
  case OMEN_FORK:
  case OMEN_JOIN:
    fork_or_join (p, event, e);
    break;
  case OMEN_BEGIN:
  case OMEN_ENTER:
    open_block (p, t, p->m->at[e]);
    break;
  case OMEN_END:
  case OMEN_EXIT:
    if (p->m->at[e] != OMEN_NONE)
      close_block (p, t, p->m->at[e]);
    break;
  default:
    break;
  }
}

void
omen_serial_check (const omen_model *m, const omen_serial_options *o)
{
  uint32_t threads = m->thread_count;
  pass p = { .m = m,
             .o = o,
             .threads = threads,
             .words = (threads + 63) / 64,
             .lock_base = 2 * m->atom_count };
  p.thread_base = p.lock_base + 2 * m->lock_count;
  p.sets = omen_zalloc (((size_t)p.thread_base + threads) * 2 * p.words + 1,
                        sizeof *p.sets);
  p.reach = omen_zalloc ((size_t)threads * p.words + 1, sizeof *p.reach);
  p.found = omen_zalloc (p.words + 1, sizeof *p.found);
  p.marked = omen_zalloc (threads + 1, sizeof *p.marked);
  p.blocks = omen_zalloc (threads + 1, sizeof *p.blocks);
  p.reported = omen_zalloc (threads + 1, 1);
  p.opener = omen_alloc ((threads + 1) * sizeof *p.opener);
  memset (p.opener, 0xff, (threads + 1) * sizeof *p.opener);
  OMEN_REQUIRE (o->chosen && o->found);
  for (uint32_t i = 0; i < m->event_count && !p.stopped; i++)
    step_event (&p, omen_model_nth (m, i));
  for (omen_tid t = 0; t < threads; t++) {
    OMEN_VEC_FINI (p.marked[t]);
    OMEN_VEC_FINI (p.blocks[t]);
  }
  omen_free (p.sets);
  omen_free (p.reach);
  omen_free (p.found);
  omen_free (p.marked);
  omen_free (p.blocks);
  omen_free (p.reported);
  omen_free (p.opener);
}
