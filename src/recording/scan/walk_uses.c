#include "recording/scan/outside.h"
#include "recording/scan/walk.h"
#include "wire/abi.h"

#include <string.h>

/* ---- what uses memory ---- */

/* Is the access emitted although its order with others is fixed? Accesses in a
   marked atomic block are, since another block may run between them; and the
   first write after an access to an atomic, since a thread that writes between
   two loads of an atomic is not spinning on it (predict/atomic_waits.c). */
static bool
must_emit (omen_scan_walk *w, unsigned done)
{
  bool emits = omen_walk_me (w)->blocks
               || (omen_walk_me (w)->on_atomic && done == OMEN_DONE_WRITE);
  if (emits && done == OMEN_DONE_WRITE)
    omen_walk_me (w)->on_atomic = false;
  return emits;
}

static void
see_use (omen_scan_walk *w, uint64_t address, uint64_t length, unsigned done)
{
  if (OMEN_UNLIKELY (must_emit (w, done)))
    omen_shadow_open (&w->shadow, address, length);
  else
    omen_shadow_do (&w->shadow, address, length, done);
}

/* A block that is not zeroed may be read before it is initialized, whatever
   locks are held. */
static void
see_alloc (omen_scan_walk *w, const omen_item *item)
{
  bool raw = !(omen_item_arg (item) >> 56 & OMEN_ALLOC_ZERO);
  uint64_t size = omen_item_arg (item) & OMEN_ALLOC_SIZE;
  uint32_t *entry = omen_map_at (&w->sizes, item->a);
  if (*entry == OMEN_NONE) {
    *entry = (uint32_t)w->size_list.count;
    OMEN_VEC_PUSH (w->size_list, 0);
  }
  w->size_list.data[*entry] = size;
  omen_shadow_do (&w->shadow, item->a, size,
                  raw ? OMEN_DONE_RAW : OMEN_DONE_MAKE);
}

static void
see_free (omen_scan_walk *w, const omen_item *item)
{
  uint32_t entry = omen_map_get (&w->sizes, item->a);
  const omen_holder *holder = &omen_walk_me (w)->holder;
  if (entry == OMEN_NONE)
    return;
  for (size_t i = 0; i < holder->held.count; i++)
    if (holder->held.data[i].address - item->a < w->size_list.data[entry])
      w->candidates |= OMEN_MAY_MISUSE;
  omen_shadow_do (&w->shadow, item->a, w->size_list.data[entry], OMEN_DONE_END);
  w->size_list.data[entry] = 0;
}

/* A range passed to a library counts as written (events/memory.c). */
static bool
is_of_library (omen_scan_walk *w, const omen_item *item)
{
  uint64_t pc = omen_item_pc (item);
  uint32_t *known;
  if (!pc || pc == OMEN_MAP_NO_KEY || omen_item_arg (item) >> 63)
    return false;
  known = omen_map_at (&w->outside, pc);
  if (*known == OMEN_NONE)
    *known = omen_notes_outside (w->file, pc);
  return *known == OMEN_OUTSIDE_LIBRARY;
}

static void
see_range (omen_scan_walk *w, const omen_item *item)
{
  bool writes = item->kind == OMEN_ITEM_RANGE_WRITE || is_of_library (w, item);
  see_use (w, item->a, omen_item_length (item),
           writes ? OMEN_DONE_WRITE : OMEN_DONE_READ);
}

static void
see_atomic (omen_scan_walk *w, const omen_item *item)
{
  const omen_file_site *site
      = omen_notes_site (w->file, (uint32_t)omen_item_arg (item));
  bool reads = omen_item_atomic_reads (w->file, item);
  omen_walk_me (w)->on_atomic = site->kind != OMEN_SITE_ATOMIC_STORE;
  w->candidates |= omen_holder_atomic (&omen_walk_me (w)->holder);
  if (omen_walk_me (w)->blocks)
    omen_shadow_open (&w->shadow, item->a, site->size);
  else
    omen_shadow_do (&w->shadow, item->a, site->size,
                    OMEN_DONE_ATOMIC
                        | (reads ? OMEN_DONE_READ : OMEN_DONE_WRITE));
}

/* A thread's start renews its thread-local variables; their end is not
   logged. */
static void
see_begin (omen_scan_walk *w, const omen_item *item)
{
  omen_own_memory own = omen_item_own_memory (item);
  if (own.locals)
    omen_shadow_do (&w->shadow, own.locals, own.locals_end - own.locals,
                    OMEN_DONE_END);
}

/* A file descriptor is modelled as a block at an address that no memory has;
   closing it ends the block. */
static void
see_descriptor (omen_scan_walk *w, const omen_item *item)
{
  static const unsigned done[] = { [OMEN_DESCRIPTOR_MADE] = OMEN_DONE_MAKE,
                                   [OMEN_DESCRIPTOR_USED] = OMEN_DONE_READ,
                                   [OMEN_DESCRIPTOR_CLOSED] = OMEN_DONE_END };
  uint64_t use = omen_item_arg (item);
  if (use < OMEN_COUNT (done))
    omen_shadow_do (&w->shadow, (UINT64_C (1) << 60) + 8 * (uint32_t)item->a, 1,
                    done[use]);
}

/* ---- items ---- */

static void
see_lock (omen_scan_walk *w, const omen_item *item)
{
  bool wait = omen_item_is_wait (item->kind);
  uint64_t address = wait ? item->parts[1].a : item->a;
  bool made = item->kind == OMEN_ITEM_LOCK_INIT
              || item->kind == OMEN_ITEM_LOCK_DESTROY;
  omen_shadow_do (&w->shadow, address, 1,
                  made ? OMEN_DONE_WRITE | OMEN_DONE_LIFE : OMEN_DONE_READ);
  w->candidates |= omen_locks_see (&w->locks, &w->shadow.histories,
                                   &omen_walk_me (w)->holder, item);
  omen_walk_resume (w);
}

/* Findings that only the passes after the scan can judge. */
static unsigned
candidates_of (const omen_item *item)
{
  switch (item->kind) {
  case OMEN_ITEM_WAIT:
  case OMEN_ITEM_SEM_INIT:
  case OMEN_ITEM_SEM_UP:
  case OMEN_ITEM_SEM_DOWN:
  case OMEN_ITEM_SEM_FAIL:
  case OMEN_ITEM_NOTIFY:
  case OMEN_ITEM_NOTIFY_ALL:
    return OMEN_MAY_DEADLOCK;
  case OMEN_ITEM_BLOCK_BEGIN:
    return OMEN_MAY_VIOLATE;
  case OMEN_ITEM_EMIT:
  case OMEN_ITEM_DEAD:
  case OMEN_ITEM_IGNORE_BEGIN:
  case OMEN_ITEM_SIGNAL_BEGIN:
  case OMEN_ITEM_EXTERNAL:
    return OMEN_MAY_MISUSE;
  default:
    return 0;
  }
}

/* Is it an operation on an object other than a lock that may be destroyed too
   early? */
static bool
may_be_destroyed (unsigned kind)
{
  return kind == OMEN_ITEM_ARRIVE || kind == OMEN_ITEM_WAIT
         || kind == OMEN_ITEM_NOTIFY || kind == OMEN_ITEM_NOTIFY_ALL
         || kind == OMEN_ITEM_SEM_UP || kind == OMEN_ITEM_SEM_DOWN
         || kind == OMEN_ITEM_SEM_FAIL;
}

/* Such an object is used, or a semaphore is initialised; that of others counts
   as a lock's. */
static void
see_object (omen_scan_walk *w, const omen_item *item)
{
  bool made = item->kind == OMEN_ITEM_SEM_INIT;
  omen_shadow_do (&w->shadow, item->a, 1,
                  made ? OMEN_DONE_WRITE | OMEN_DONE_LIFE : OMEN_DONE_READ);
}

static void
see_memory (omen_scan_walk *w, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_ITEM_ALLOC:
    see_alloc (w, item);
    return;
  case OMEN_ITEM_FREE:
    see_free (w, item);
    return;
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    see_range (w, item);
    return;
  case OMEN_ITEM_EXTERNAL:
    see_use (w, item->a, omen_item_arg (item), OMEN_DONE_WRITE);
    return;
  case OMEN_ITEM_ATOMIC:
    see_atomic (w, item);
    return;
  case OMEN_ITEM_DESCRIPTOR:
    see_descriptor (w, item);
    return;
  case OMEN_ITEM_THREAD_BEGIN:
    see_begin (w, item);
    return;
  default:
    return;
  }
}

void
omen_walk_use (omen_scan_walk *w, const omen_item *item)
{
  w->candidates |= candidates_of (item);
  w->uses |= may_be_destroyed (item->kind);
  w->destroys |= item->kind == OMEN_ITEM_LOCK_DESTROY;
  if (may_be_destroyed (item->kind) || item->kind == OMEN_ITEM_SEM_INIT)
    see_object (w, item);
  if (omen_locks_concern (item->kind))
    see_lock (w, item);
  else if (item->kind == OMEN_ITEM_BLOCK_BEGIN)
    omen_walk_me (w)->blocks++;
  else if (item->kind == OMEN_ITEM_BLOCK_END)
    omen_walk_me (w)->blocks -= omen_walk_me (w)->blocks > 0;
  else
    see_memory (w, item);
}

/* ---- what is woven ---- */

/* The same exemptions as in predict/atomic.h: main and functions that threads
   start in. */
static bool
is_exempt (omen_scan_walk *w, uint32_t site)
{
  const omen_trace *trace = w->file->reader->trace;
  uint32_t function = omen_notes_site (w->file, site)->function;
  const char *name = function == OMEN_NONE
                         ? ""
                         : omen_names_text (&trace->strings, function);
  return !strncmp (name, "main\n", 5)
         || (!omen_walk_me (w)->holder.entered && omen_walk_me (w)->forked);
}

static void
see_frame (omen_scan_walk *w, const omen_plan_member *m, uint64_t depth)
{
  uint32_t site = m->as.as.site;
  omen_holder *holder = &omen_walk_me (w)->holder;
  bool exempt = m->kind == OMEN_SITE_ENTER && !holder->frames.count
                && is_exempt (w, site);
  w->landed |= m->kind == OMEN_SITE_LANDED;
  omen_holder_frame (holder, m->kind, depth,
                     omen_notes_site (w->file, site)->caller, exempt);
}

static unsigned
read_of (const omen_plan_member *m)
{
  return m->followed ? OMEN_DONE_READ | OMEN_DONE_FOLLOWED : OMEN_DONE_READ;
}

static void
see_member (omen_scan_walk *w, const omen_plan_member *m, const uint64_t *words)
{
  uint64_t address = omen_notes_address (&m->as, words);
  switch (m->kind) {
  case OMEN_SITE_LOAD:
    see_use (w, address, m->size, read_of (m));
    return;
  case OMEN_SITE_STORE:
    see_use (w, address, m->size, OMEN_DONE_WRITE);
    return;
  case OMEN_SITE_STACK_ALLOC:
    omen_shadow_do (&w->shadow, address, omen_plan_value (m, words),
                    OMEN_DONE_LOCAL);
    return;
  case OMEN_SITE_STACK_FREE:
    omen_shadow_do (&w->shadow, address, omen_plan_value (m, words),
                    OMEN_DONE_END);
    return;
  case OMEN_SITE_EXTERNAL:
    w->candidates |= OMEN_MAY_MISUSE;
    see_use (w, address, omen_plan_value (m, words), OMEN_DONE_WRITE);
    return;
  case OMEN_SITE_ENTER:
  case OMEN_SITE_EXIT:
  case OMEN_SITE_LANDED:
    see_frame (w, m, address);
    return;
  default:
    return;
  }
}

/* The same member of many notes; the order of these does not matter. */
static void
see_column (omen_scan_walk *w, const omen_note_piece *piece,
            const omen_plan_member *m)
{
  const uint64_t *base = piece->words + m->as.as.base, offset = m->as.as.offset;
  unsigned done = m->kind == OMEN_SITE_STORE, size = m->size;
  uint64_t last = *base + offset + 1;
  for (uint32_t i = 0; i < piece->notes; i++, base += piece->width) {
    uint64_t address = *base + offset;
    if (address == last)
      continue;
    last = address;
    if (OMEN_UNLIKELY (m->followed))
      omen_shadow_do (&w->shadow, address, size, read_of (m));
    else
      omen_shadow_access (&w->shadow, address, size, done);
  }
}

/* Do iterations without gaps use all words from the first to the last? */
static bool
is_dense (uint64_t address, uint64_t step, unsigned size)
{
  return step && step <= 8 && step % size == 0 && address % size == 0
         && !(size & (size - 1));
}

static void
see_turns (omen_scan_walk *w, const omen_plan_member *m, const uint64_t *words,
           uint64_t turns)
{
  const omen_file_member *f = &m->as.as;
  const omen_member as = { .constant = f->constant, .word = f->word };
  uint64_t step = omen_member_stride (&as, words);
  uint64_t address = words[f->base] + (uint64_t)(int64_t)f->offset;
  unsigned done = m->kind == OMEN_SITE_STORE;
  if (step >> 63) {
    address += step * (turns - 1);
    step = -step;
  }
  if (is_dense (address, step, m->size))
    omen_shadow_run (&w->shadow, address, step * (turns - 1) + m->size, done);
  else
    for (; turns; turns--, address += step)
      omen_shadow_access (&w->shadow, address, m->size, done);
}

static void
see_loop (omen_scan_walk *w, const omen_note_piece *piece,
          const omen_plan_member *members)
{
  const uint64_t *words = piece->words;
  for (uint32_t i = 0; i < piece->notes; i++, words += piece->width)
    for (uint32_t k = 0; k < piece->plan->count; k++) {
      if (OMEN_UNLIKELY (must_emit (w, OMEN_DONE_WRITE)))
        w->failed = true; /* not worth it */
      see_turns (w, &members[k], words, words[piece->width - 1]);
    }
}

void
omen_walk_plan (omen_scan_walk *w, const omen_note_piece *piece)
{
  const omen_plan *plan = piece->plan;
  const omen_plan_member *members = &w->plans.members.data[plan->first];
  const uint64_t *words = piece->words;
  if (plan->loop)
    see_loop (w, piece, members);
  else if (plan->accesses && !omen_walk_me (w)->blocks
           && !omen_walk_me (w)->on_atomic)
    for (uint32_t k = 0; k < plan->count; k++)
      see_column (w, piece, &members[k]);
  else
    for (uint32_t i = 0; i < piece->notes; i++, words += piece->width)
      for (uint32_t k = 0; k < plan->count; k++)
        see_member (w, &members[k], words);
}
