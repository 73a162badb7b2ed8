/* From the model to gates: one function a rule. */
#include "model/lattice_build.h"

#include <string.h>

static uint32_t
step_of (const omen_builder *b, omen_eid e)
{
  OMEN_ASSERT (b->plan->role[e] & OMEN_ROLE_STEP);
  return b->plan->first_step[omen_model_thread (b->model, e)]
         + omen_builder_count (b, e) - 1;
}

static void
put_gate (omen_builder *b, omen_eid e, uint32_t part, omen_gate_kind kind,
          uint32_t a, uint32_t other)
{
  omen_piece p = { { kind, a, other }, step_of (b, e), part };
  OMEN_VEC_PUSH (b->pieces, p);
}

void
omen_builder_add (omen_builder *b, omen_eid e, uint32_t part,
                  omen_gate_kind kind, uint32_t a, uint32_t other)
{
  uint8_t role = b->plan->role[e];
  if (role == OMEN_ROLE_STEP
      && omen_model_event (b->model, e)->kind != OMEN_ALLOC) {
    put_gate (b, e, part, kind, a, other);
    return;
  }
  OMEN_ASSERT (omen_builder_outside (b, e)
               || omen_model_event (b->model, e)->kind == OMEN_ALLOC);
  if (part == REST && !(role & OMEN_ROLE_AFTER))
    OMEN_VEC_PUSH (b->effects, ((omen_gate){ kind, a, other }));
}

static uint32_t
new_counter (omen_builder *b, uint32_t count)
{
  OMEN_VEC_PUSH (b->counts, count);
  return b->plan->counters++;
}

/* ---- what must come before ---- */

/* Only what the thread's previous step did not need: its own gates cover
   that. */
static void
add_needs (omen_builder *b, uint32_t step, omen_tid own)
{
  const omen_model *m = b->model;
  const omen_lattice *plan = b->plan;
  omen_eid e = plan->steps[step].event;
  omen_eid previous
      = step == plan->first_step[own] ? OMEN_NONE : plan->steps[step - 1].event;
  if (previous != OMEN_NONE && m->clock[previous] == m->clock[e])
    return;
  for (omen_tid t = 0; t < m->thread_count; t++) {
    uint32_t now = t == own ? 0 : omen_model_before (m, e, t);
    uint32_t before = previous == OMEN_NONE || t == own
                          ? 0
                          : omen_model_before (m, previous, t);
    now = omen_lattice_among (plan, t, now);
    if (now > omen_lattice_among (plan, t, before))
      put_gate (b, e, NEEDS, OMEN_GATE_NEED, t, now);
  }
}

/* ---- locks ---- */

static void
number_locks (omen_builder *b)
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
add_section (omen_builder *b, const omen_section *section)
{
  uint32_t bit = b->lock_bit[section->lock];
  uint32_t readers = b->lock_readers[section->lock];
  bool shared = section->mode == OMEN_LOCK_READ;
  if (bit == OMEN_NONE)
    return;
  omen_builder_add (b, section->acquire, NEEDS, OMEN_GATE_CLEAR, bit, 0);
  if (readers != OMEN_NONE && !shared)
    omen_builder_add (b, section->acquire, NEEDS, OMEN_GATE_ZERO, readers, 0);
  omen_builder_add (b, section->acquire, REST,
                    shared ? OMEN_GATE_MORE : OMEN_GATE_SET,
                    shared ? readers : bit, 0);
  if (section->release != OMEN_NONE)
    omen_builder_add (b, section->release, REST,
                      shared ? OMEN_GATE_LESS : OMEN_GATE_UNSET,
                      shared ? readers : bit, 0);
}

static void
add_locks (omen_builder *b)
{
  const omen_model *m = b->model;
  number_locks (b);
  for (uint32_t s = 0; s < m->section_count; s++)
    add_section (b, &m->sections[s]);
  for (omen_lid l = 0; l < m->lock_count; l++)
    for (uint32_t i = m->lock_tries[l]; i < m->lock_tries[l + 1]; i++) {
      bool any = omen_model_event (m, m->tries[i])->kind == OMEN_TRY_FAIL;
      OMEN_ASSERT (b->lock_bit[l] != OMEN_NONE);
      if (!m->irregular[l])
        omen_builder_add (b, m->tries[i], NEEDS, OMEN_GATE_HELD, b->lock_bit[l],
                          any ? b->lock_readers[l] : OMEN_NONE);
    }
}

/* ---- semaphores and conditions ---- */

static void
add_semaphores (omen_builder *b)
{
  const omen_model *m = b->model;
  for (uint32_t s = 0; s < m->semaphore_count; s++) {
    uint32_t counter = new_counter (b, m->semaphores[s].start);
    for (uint32_t i = m->semaphores[s].first; i < m->semaphores[s + 1].first;
         i++) {
      omen_eid e = m->sem_ops[i];
      unsigned kind = omen_model_event (m, e)->kind;
      if (kind == OMEN_SEM_UP)
        omen_builder_add (b, e, REST, OMEN_GATE_MORE, counter, 0);
      else
        omen_builder_add (b, e, NEEDS,
                          kind == OMEN_SEM_DOWN ? OMEN_GATE_POSITIVE
                                                : OMEN_GATE_ZERO,
                          counter, 0);
      if (kind == OMEN_SEM_DOWN)
        omen_builder_add (b, e, REST, OMEN_GATE_LESS, counter, 0);
    }
  }
}

static uint32_t
slot_for (omen_builder *b, omen_tid t)
{
  if (b->slot_of[t] == OMEN_NONE) {
    b->plan->slot_thread[b->plan->slots] = t;
    b->slot_of[t] = b->plan->slots++;
  }
  return b->slot_of[t];
}

static void
add_conditions (omen_builder *b)
{
  const omen_model *m = b->model;
  uint32_t conditions = m->trace->names[OMEN_OPERAND_CONDITION].count;
  for (uint32_t i = 0; i < m->wait_count; i++) {
    const omen_wait *wait = &m->waits[i];
    uint32_t slot;
    if (!wait->needs || wait->back == OMEN_NONE
        || omen_builder_outside (b, wait->wait))
      continue;
    slot = slot_for (b, omen_model_thread (m, wait->wait));
    b->plan->waits_for[step_of (b, wait->wait)] = wait->condition;
    omen_builder_add (b, wait->back, NEEDS, OMEN_GATE_NOTIFIED, slot, 0);
    omen_builder_add (b, wait->back, KEYS, OMEN_GATE_TAKE, slot,
                      wait->condition);
  }
  for (uint32_t c = 0; c < conditions; c++)
    for (uint32_t i = m->condition_notifies[c];
         i < m->condition_notifies[c + 1]; i++)
      omen_builder_add (b, m->notifies[i], KEYS,
                        omen_model_event (m, m->notifies[i])->kind
                                == OMEN_NOTIFY_ALL
                            ? OMEN_GATE_NOTIFY_ALL
                            : OMEN_GATE_NOTIFY,
                        c, 0);
}

/* ---- all of it ---- */

/* Sort the gates by step and part. */
static void
lay_out (omen_builder *b)
{
  omen_lattice *plan = b->plan;
  size_t buckets = (size_t)plan->step_count * PARTS;
  uint32_t *first = omen_zalloc (buckets + 1, sizeof *first);
  for (size_t i = 0; i < b->pieces.count; i++)
    first[b->pieces.data[i].step * PARTS + b->pieces.data[i].part + 1]++;
  for (size_t i = 0; i < buckets; i++)
    first[i + 1] += first[i];
  for (uint32_t s = 0; s <= plan->step_count; s++) {
    omen_lattice_step *step = &plan->steps[s];
    size_t at = (size_t)s * PARTS;
    step->needs = first[at];
    if (s == plan->step_count)
      break;
    step->sees = first[at + SEES];
    step->keys = first[at + KEYS];
    step->rest = first[at + REST];
  }
  OMEN_VEC_RESERVE (plan->gates, b->pieces.count + 1);
  plan->gates.count = b->pieces.count;
  for (size_t i = 0; i < b->pieces.count; i++) {
    const omen_piece *p = &b->pieces.data[i];
    plan->gates.data[first[p->step * PARTS + p->part]++] = p->gate;
  }
  omen_free (first);
}

static void
measure (omen_builder *b)
{
  omen_lattice *plan = b->plan;
  uint32_t numbers = plan->threads + plan->slots;
  plan->wide = plan->step_count >= OMEN_HARD_OR (8, UINT16_MAX);
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
  for (size_t i = 0; i < b->effects.count; i++)
    omen_cut_act (plan, plan->start, &b->effects.data[i]);
}

static void
lay_out_plan (omen_builder *b)
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
  for (omen_tid t = 0; t < m->thread_count; t++)
    for (uint32_t s = b->plan->first_step[t]; s < b->plan->first_step[t + 1];
         s++)
      add_needs (b, s, t);
  add_locks (b);
  add_semaphores (b);
  add_conditions (b);
  omen_builder_memory (b);
  lay_out (b);
  measure (b);
}

omen_lattice *
omen_lattice_new (const omen_model *model, const uint8_t *spoken)
{
  omen_lattice *plan = omen_zalloc (1, sizeof *plan);
  omen_builder b = { .plan = plan, .model = model };
  plan->model = model;
  plan->threads = model->thread_count;
  plan->first_step
      = omen_alloc ((plan->threads + 1) * sizeof *plan->first_step);
  omen_lattice_number (plan, spoken);
  plan->waits_for
      = omen_alloc ((plan->step_count + 1) * sizeof *plan->waits_for);
  memset (plan->waits_for, 0xff,
          (plan->step_count + 1) * sizeof *plan->waits_for);
  plan->slot_thread
      = omen_alloc ((plan->threads + 1) * sizeof *plan->slot_thread);
  lay_out_plan (&b);
  omen_free (b.lock_bit);
  omen_free (b.lock_readers);
  omen_free (b.atom_bit);
  omen_free (b.slot_of);
  omen_free (b.due);
  OMEN_VEC_FINI (b.pieces);
  OMEN_VEC_FINI (b.started);
  OMEN_VEC_FINI (b.counts);
  OMEN_VEC_FINI (b.effects);
  return plan;
}

void
omen_lattice_free (omen_lattice *plan)
{
  if (!plan)
    return;
  omen_free (plan->role);
  omen_free (plan->among);
  omen_free (plan->observed);
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
