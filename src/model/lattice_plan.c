/* From the model to gates: one function a rule. */
#include "model/lattice_plan.h"
#include "base/seeded.h"

#include <string.h>

/* What building needs beside the plan. Gates are collected by event and part,
   then laid out by thread. */
typedef struct piece {
  omen_gate gate;
  uint32_t step, part; /* 0 needs, 1 sees, 2 keys, 3 rest */
} piece;

enum { NEEDS, SEES, KEYS, REST, PARTS };

typedef struct builder {
  omen_lattice *plan;
  const omen_model *model;
  OMEN_VEC (piece) pieces;
  uint32_t *lock_bit;     /* by lock, or OMEN_NONE */
  uint32_t *lock_readers; /* by lock: counter, or OMEN_NONE */
  uint32_t *atom_bit;     /* by atom, or OMEN_NONE */
  uint32_t *slot_of;      /* by thread, or OMEN_NONE */
  omen_ids started;       /* bits that are set from the start */
  omen_ids counts;        /* counters at the start */
  uint32_t *due;          /* by thread: scratch */
} builder;

static uint32_t
step_of (const builder *b, omen_eid e)
{
  const omen_trace *trace = b->model->trace;
  return b->plan->first_step[trace->events.data[e].thread] + trace->index[e];
}

static void
add (builder *b, omen_eid e, uint32_t part, omen_gate_kind kind, uint32_t a,
     uint32_t other)
{
  piece p = { { kind, a, other }, step_of (b, e), part };
  OMEN_VEC_PUSH (b->pieces, p);
}

static uint32_t
new_counter (builder *b, uint32_t count)
{
  OMEN_VEC_PUSH (b->counts, count);
  return b->plan->counters++;
}

/* ---- what must come before ---- */

/* Only what the thread's previous event did not need already. */
static void
add_needs (builder *b, omen_eid e)
{
  const omen_model *m = b->model;
  omen_eid previous = omen_model_previous (m, e);
  omen_tid own = omen_model_thread (m, e);
  if (previous != OMEN_NONE && m->clock[previous] == m->clock[e])
    return;
  for (omen_tid t = 0; t < m->thread_count; t++) {
    uint32_t now = t == own ? 0 : omen_model_before (m, e, t);
    uint32_t before
        = previous == OMEN_NONE || t == own ? 0
                                            : omen_model_before (m, previous, t);
    if (now > before)
      add (b, e, NEEDS, OMEN_GATE_NEED, t, now);
  }
}

/* ---- locks ---- */

static void
number_locks (builder *b)
{
  const omen_model *m = b->model;
  for (omen_lid l = 0; l < m->lock_count; l++) {
    uint32_t users = m->lock_cells_first[l + 1] - m->lock_cells_first[l];
    bool shared = false;
    b->lock_bit[l] = b->lock_readers[l] = OMEN_NONE;
    if (users < 2 && m->lock_tries[l] == m->lock_tries[l + 1])
      continue;
    for (uint32_t s = m->lock_sections[l]; s < m->lock_sections[l + 1]; s++)
      shared |= m->sections[s].mode == OMEN_LOCK_READ;
    b->lock_bit[l] = b->plan->bits++;
    if (shared)
      b->lock_readers[l] = new_counter (b, 0);
  }
}

static void
add_section (builder *b, const omen_section *section)
{
  uint32_t bit = b->lock_bit[section->lock];
  uint32_t readers = b->lock_readers[section->lock];
  bool shared = section->mode == OMEN_LOCK_READ;
  if (bit == OMEN_NONE)
    return;
  add (b, section->acquire, NEEDS, OMEN_GATE_CLEAR, bit, 0);
  if (readers != OMEN_NONE && !shared)
    add (b, section->acquire, NEEDS, OMEN_GATE_ZERO, readers, 0);
  add (b, section->acquire, REST, shared ? OMEN_GATE_MORE : OMEN_GATE_SET,
       shared ? readers : bit, 0);
  if (section->release != OMEN_NONE)
    add (b, section->release, REST, shared ? OMEN_GATE_LESS : OMEN_GATE_UNSET,
         shared ? readers : bit, 0);
}

static void
add_locks (builder *b)
{
  const omen_model *m = b->model;
  number_locks (b);
  for (uint32_t s = 0; s < m->section_count; s++)
    add_section (b, &m->sections[s]);
  for (omen_lid l = 0; l < m->lock_count; l++)
    for (uint32_t i = m->lock_tries[l]; i < m->lock_tries[l + 1]; i++) {
      bool any = omen_model_event (m, m->tries[i])->kind == OMEN_TRY_FAIL;
      OMEN_ASSERT (b->lock_bit[l] != OMEN_NONE);
      if (!m->irregular[l] && !OMEN_BUG (231))
        add (b, m->tries[i], NEEDS, OMEN_GATE_HELD, b->lock_bit[l],
             any ? b->lock_readers[l] : OMEN_NONE);
    }
}

/* ---- semaphores and conditions ---- */

static void
add_semaphores (builder *b)
{
  const omen_model *m = b->model;
  for (uint32_t s = 0; s < m->semaphore_count; s++) {
    uint32_t counter = new_counter (b, m->semaphores[s].start);
    for (uint32_t i = m->semaphores[s].first; i < m->semaphores[s + 1].first;
         i++) {
      omen_eid e = m->sem_ops[i];
      unsigned kind = omen_model_event (m, e)->kind;
      if (kind == OMEN_SEM_UP)
        add (b, e, REST, OMEN_GATE_MORE, counter, 0);
      else
        add (b, e, NEEDS,
             kind == OMEN_SEM_DOWN ? OMEN_GATE_POSITIVE : OMEN_GATE_ZERO,
             counter, 0);
      if (kind == OMEN_SEM_DOWN)
        add (b, e, REST, OMEN_GATE_LESS, counter, 0);
    }
  }
}

static uint32_t
slot_for (builder *b, omen_tid t)
{
  if (b->slot_of[t] == OMEN_NONE) {
    b->plan->slot_thread[b->plan->slots] = t;
    b->slot_of[t] = b->plan->slots++;
  }
  return b->slot_of[t];
}

static void
add_conditions (builder *b)
{
  const omen_model *m = b->model;
  uint32_t conditions = m->trace->names[OMEN_OPERAND_CONDITION].count;
  for (uint32_t i = 0; i < m->wait_count; i++) {
    const omen_wait *wait = &m->waits[i];
    uint32_t slot;
    if (!wait->needs || wait->back == OMEN_NONE)
      continue;
    slot = slot_for (b, omen_model_thread (m, wait->wait));
    b->plan->waits_for[step_of (b, wait->wait)] = wait->condition;
    add (b, wait->back, NEEDS, OMEN_GATE_NOTIFIED, slot, 0);
    add (b, wait->back, KEYS, OMEN_GATE_TAKE, slot, wait->condition);
  }
  for (uint32_t c = 0; c < conditions; c++)
    for (uint32_t i = m->condition_notifies[c];
         i < m->condition_notifies[c + 1]; i++)
      add (b, m->notifies[i], KEYS,
           omen_model_event (m, m->notifies[i])->kind == OMEN_NOTIFY_ALL
               ? OMEN_GATE_NOTIFY_ALL
               : OMEN_GATE_NOTIFY,
           c, 0);
}

/* ---- memory ---- */

/* Reads that saw one write of an atom lie between it and the next: the set with
   the reads among accesses [from, to). OMEN_NONE if there are none. */
static uint32_t
add_set (builder *b, uint32_t from, uint32_t to)
{
  const omen_model *m = b->model;
  omen_lattice *plan = b->plan;
  uint32_t first = (uint32_t)plan->dues.count;
  for (uint32_t i = from; i < to; i++) {
    omen_eid e = m->accesses[i];
    omen_tid t = omen_model_thread (m, e);
    OMEN_ASSERT (omen_kind_reads (omen_model_event (m, e)->kind));
    if (!b->due[t])
      OMEN_VEC_PUSH (plan->dues, ((omen_due){ t, 0 }));
    b->due[t] = m->trace->index[e] + 1;
  }
  if (first == plan->dues.count)
    return OMEN_NONE;
  for (uint32_t i = first; i < plan->dues.count; i++) {
    omen_due *due = &plan->dues.data[i];
    due->count = b->due[due->thread];
    b->due[due->thread] = 0;
    OMEN_ASSERT (due->count);
  }
  OMEN_VEC_PUSH (plan->set_first, (uint32_t)plan->dues.count);
  return (uint32_t)plan->set_first.count - 2;
}

/* Is e the last of its thread in the set? */
static bool
is_due (const builder *b, uint32_t set, omen_eid e)
{
  const omen_lattice *plan = b->plan;
  for (uint32_t i = plan->set_first.data[set];
       i < plan->set_first.data[set + 1]; i++)
    if (plan->dues.data[i].thread == omen_model_thread (b->model, e))
      return plan->dues.data[i].count == b->model->trace->index[e] + 1;
  return false;
}

/* An rmw ends the set that it reads from. */
static void
add_ending (builder *b, omen_eid e, uint32_t set)
{
  const omen_lattice *plan = b->plan;
  OMEN_ASSERT (set != OMEN_NONE && is_due (b, set, e));
  for (uint32_t i = plan->set_first.data[set];
       i < plan->set_first.data[set + 1]; i++) {
    const omen_due *due = &plan->dues.data[i];
    if (due->thread != omen_model_thread (b->model, e))
      add (b, e, SEES, OMEN_GATE_NEED, due->thread, due->count);
  }
}

static void
add_reading (builder *b, omen_eid e, uint32_t atom, uint32_t set, bool writes)
{
  const omen_model *m = b->model;
  omen_eid w = m->from[omen_model_read_slot (m, e, atom)];
  if (w != OMEN_NONE && omen_model_thread (m, w) != omen_model_thread (m, e))
    add (b, e, SEES, OMEN_GATE_NEED, omen_model_thread (m, w),
         m->trace->index[w] + 1);
  if (b->atom_bit[atom] == OMEN_NONE)
    return;
  if (writes)
    add_ending (b, e, set);
  else if (is_due (b, set, e))
    add (b, e, REST, OMEN_GATE_CLOSE, b->atom_bit[atom], set);
}

static void
add_writing (builder *b, omen_eid e, uint32_t atom, uint32_t set, bool reads)
{
  uint32_t bit = b->atom_bit[atom];
  if (bit == OMEN_NONE)
    return;
  if (!reads && !OMEN_BUG (232))
    add (b, e, SEES, OMEN_GATE_CLEAR, bit, 0);
  if (reads || set != OMEN_NONE)
    add (b, e, REST, set != OMEN_NONE ? OMEN_GATE_SET : OMEN_GATE_UNSET, bit,
         0);
}

/* The end of the reads that follow the write at i (or the start of the atom):
   one past the rmw that ends them, if one does. */
static uint32_t
set_end (const builder *b, uint32_t i, uint32_t end)
{
  const omen_model *m = b->model;
  for (; i < end; i++) {
    unsigned kind = omen_model_event (m, m->accesses[i])->kind;
    if (omen_kind_writes (kind))
      return omen_kind_reads (kind) ? i + 1 : i;
  }
  return end;
}

static void
add_atom (builder *b, uint32_t atom)
{
  const omen_model *m = b->model;
  uint32_t first = m->atoms[atom].first, end = m->atoms[atom + 1].first;
  bool shared
      = m->atoms[atom + 1].first_cell - m->atoms[atom].first_cell > 1;
  uint32_t set = OMEN_NONE;
  b->atom_bit[atom] = shared ? b->plan->bits++ : OMEN_NONE;
  if (!shared)
    return;
  set = add_set (b, first, set_end (b, first, end));
  if (set != OMEN_NONE && !OMEN_BUG (233))
    OMEN_VEC_PUSH (b->started, b->atom_bit[atom]);
  for (uint32_t i = first; i < end; i++) {
    omen_eid e = m->accesses[i];
    unsigned kind = omen_model_event (m, e)->kind;
    bool reads = omen_kind_reads (kind), writes = omen_kind_writes (kind);
    if (reads)
      add_reading (b, e, atom, set, writes);
    if (!writes)
      continue;
    set = add_set (b, i + 1, set_end (b, i + 1, end));
    add_writing (b, e, atom, set, reads);
  }
}

/* ---- all of it ---- */

/* Pieces, in the order of steps and parts. */
static void
lay_out (builder *b)
{
  omen_lattice *plan = b->plan;
  size_t buckets = (size_t)b->model->event_count * PARTS;
  uint32_t *first = omen_zalloc (buckets + 1, sizeof *first);
  for (size_t i = 0; i < b->pieces.count; i++)
    first[b->pieces.data[i].step * PARTS + b->pieces.data[i].part + 1]++;
  for (size_t i = 0; i < buckets; i++)
    first[i + 1] += first[i];
  for (uint32_t s = 0; s <= b->model->event_count; s++) {
    omen_step *step = &plan->steps[s];
    size_t at = (size_t)s * PARTS;
    step->needs = first[at];
    if (s == b->model->event_count)
      break;
    step->sees = first[at + SEES];
    step->keys = first[at + KEYS];
    step->rest = first[at + REST];
  }
  OMEN_VEC_RESERVE (plan->gates, b->pieces.count + 1);
  plan->gates.count = b->pieces.count;
  for (size_t i = 0; i < b->pieces.count; i++) {
    const piece *p = &b->pieces.data[i];
    plan->gates.data[first[p->step * PARTS + p->part]++] = p->gate;
  }
  omen_free (first);
}

static void
number_steps (omen_lattice *plan)
{
  const omen_trace *trace = plan->model->trace;
  uint32_t at = 0;
  for (omen_tid t = 0; t < plan->threads; t++) {
    plan->first_step[t] = at;
    for (uint32_t i = 0; i < trace->threads.data[t].count; i++)
      plan->steps[at++].event = omen_trace_nth (trace, t, i);
  }
  OMEN_ASSERT (at == plan->model->event_count);
  plan->first_step[plan->threads] = at;
  memset (plan->waits_for, 0xff, (at + 1) * sizeof *plan->waits_for);
}

static void
measure (builder *b)
{
  omen_lattice *plan = b->plan;
  uint32_t numbers = plan->threads + plan->slots;
  plan->wide
      = b->model->event_count >= OMEN_HARD_OR (8, UINT16_MAX);
  plan->key_words = plan->wide ? (numbers + 1) / 2 : (numbers + 3) / 4;
  plan->bits_at = plan->key_words;
  plan->counters_at = plan->bits_at + (plan->bits + 63) / 64;
  plan->words = plan->counters_at + (plan->counters + 1) / 2;
  plan->start = omen_zalloc (plan->words, sizeof *plan->start);
  for (size_t i = 0; i < b->started.count; i++)
    plan->start[plan->bits_at + b->started.data[i] / 64]
        |= (uint64_t)1 << b->started.data[i] % 64;
  if (plan->counters)
    memcpy (plan->start + plan->counters_at, b->counts.data,
            plan->counters * sizeof (uint32_t));
}

static void
build (builder *b)
{
  const omen_model *m = b->model;
  size_t locks = m->lock_count + 1, threads = m->thread_count + 1;
  b->lock_bit = omen_alloc (locks * sizeof *b->lock_bit);
  b->lock_readers = omen_alloc (locks * sizeof *b->lock_readers);
  b->atom_bit = omen_alloc ((m->atom_count + 1) * sizeof *b->atom_bit);
  b->slot_of = omen_alloc (threads * sizeof *b->slot_of);
  b->due = omen_zalloc (threads, sizeof *b->due);
  memset (b->slot_of, 0xff, threads * sizeof *b->slot_of);
  OMEN_VEC_PUSH (b->plan->set_first, 0);
  for (omen_eid e = 0; e < m->event_count; e++)
    add_needs (b, e);
  add_locks (b);
  add_semaphores (b);
  add_conditions (b);
  for (uint32_t a = 0; a < m->atom_count; a++)
    add_atom (b, a);
  lay_out (b);
  measure (b);
}

omen_lattice *
omen_lattice_new (const omen_model *model)
{
  omen_lattice *plan = omen_zalloc (1, sizeof *plan);
  builder b = { .plan = plan, .model = model };
  plan->model = model;
  plan->threads = model->thread_count;
  plan->first_step
      = omen_alloc ((plan->threads + 1) * sizeof *plan->first_step);
  plan->steps = omen_zalloc (model->event_count + 1, sizeof *plan->steps);
  plan->waits_for
      = omen_alloc ((model->event_count + 1) * sizeof *plan->waits_for);
  plan->slot_thread
      = omen_alloc ((plan->threads + 1) * sizeof *plan->slot_thread);
  number_steps (plan);
  build (&b);
  omen_free (b.lock_bit);
  omen_free (b.lock_readers);
  omen_free (b.atom_bit);
  omen_free (b.slot_of);
  omen_free (b.due);
  OMEN_VEC_FINI (b.pieces);
  OMEN_VEC_FINI (b.started);
  OMEN_VEC_FINI (b.counts);
  return plan;
}

void
omen_lattice_free (omen_lattice *plan)
{
  if (!plan)
    return;
  omen_free (plan->first_step);
  omen_free (plan->steps);
  omen_free (plan->waits_for);
  omen_free (plan->slot_thread);
  OMEN_VEC_FINI (plan->gates);
  OMEN_VEC_FINI (plan->set_first);
  OMEN_VEC_FINI (plan->dues);
  omen_free (plan->start);
  omen_free (plan);
}
