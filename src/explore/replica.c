#include "explore/replica.h"

#include <string.h>

/* Writes of one value of one atom have one representative, the first of them
   (OMEN_NONE: the initial one). */
static void
find_same (omen_replica *c)
{
  const omen_model *m = c->steps->model;
  omen_map first;
  omen_map_init (&first);
  for (uint32_t a = 0; a < m->atom_count; a++) {
    uint32_t initial = m->atoms[a].initial;
    if (!c->steps->shared[a])
      continue;
    for (uint32_t i = m->atoms[a].first; i < m->atoms[a + 1].first; i++) {
      omen_eid e = m->accesses[i];
      if (!omen_kind_writes (omen_model_event (m, e)->kind))
        continue;
      uint32_t slot = omen_model_write_slot (m, e, a), value = m->value[slot];
      c->same[slot] = e;
      if (value == OMEN_NONE)
        continue;
      uint32_t *known = omen_map_at (&first, OMEN_PAIR (a, value));
      if (value == initial)
        c->same[slot] = OMEN_NONE;
      else if (*known == OMEN_NONE)
        *known = e;
      else
        c->same[slot] = *known;
    }
  }
  omen_map_fini (&first);
}

/* What a step uses; steps that use one thing conflict, if not both read. */
typedef struct usage {
  omen_replica *replica;
  uint32_t things;
  uint32_t *last, *last_write; /* by thing and thread: its last such step + 1 */
} usage;

static void
use_thing (usage *u, uint32_t thing, omen_tid t, uint32_t index, bool writes)
{
  size_t at = (size_t)thing * u->replica->threads + t;
  OMEN_ASSERT (thing < u->things);
  u->last[at] = index + 1;
  if (writes)
    u->last_write[at] = index + 1;
}

static void
settle_usage (usage *u, uint32_t thing, omen_tid t, uint32_t step, bool writes)
{
  uint32_t threads = u->replica->threads;
  const uint32_t *last
      = (writes ? u->last : u->last_write) + (size_t)thing * threads;
  uint32_t *settled = u->replica->settled + (size_t)step * threads;
  for (omen_tid other = 0; other < threads; other++)
    if (other != t && last[other] > settled[other])
      settled[other] = last[other];
}

/* Calls `does` for all that the step uses. */
static void
each_use (usage *u, omen_tid t, uint32_t index,
          void (*does) (usage *, uint32_t, omen_tid, uint32_t, bool))
{
  const omen_steps *s = u->replica->steps;
  const omen_model *m = s->model;
  uint32_t number = s->threads[t].first + index;
  const omen_run_step *step = &s->steps.data[number];
  uint32_t at = does == use_thing ? index : number;
  uint32_t locks = m->atom_count, others = locks + m->lock_count;
  const omen_names *names = m->trace->names;
  uint32_t semaphores = others + names[OMEN_OPERAND_CONDITION].count;
  uint32_t barriers = semaphores + names[OMEN_OPERAND_SEMAPHORE].count;
  uint32_t objects = barriers + names[OMEN_OPERAND_BARRIER].count;
  if (omen_kind_class (step->kind) == OMEN_CLASS_ACCESS) {
    omen_span span = omen_model_atoms (m, step->event);
    for (uint32_t a = span.first; a < span.first + span.count; a++)
      does (u, a, t, at, omen_kind_writes (step->kind));
    return;
  }
  switch (omen_kind_operand (step->kind)) {
  case OMEN_OPERAND_LOCK:
    does (u, locks + step->object, t, at, true);
    break;
  case OMEN_OPERAND_CONDITION:
    does (u, others + step->object, t, at, true);
    if (step->kind == OMEN_WAIT || step->kind == OMEN_WAKE) {
      uint64_t lock = omen_model_event (m, step->event)->value;
      if (lock < m->lock_count)
        does (u, locks + (uint32_t)lock, t, at, true);
    }
    break;
  case OMEN_OPERAND_SEMAPHORE:
    does (u, semaphores + step->object, t, at, true);
    break;
  case OMEN_OPERAND_BARRIER:
    does (u, barriers + step->object, t, at, true);
    break;
  case OMEN_OPERAND_OBJECT:
    does (u, objects + step->object, t, at, true);
    break;
  default:
    break;
  }
}

static void
find_conflicts (omen_replica *c)
{
  const omen_steps *s = c->steps;
  const omen_names *names = s->model->trace->names;
  usage u = { .replica = c };
  u.things = s->model->atom_count + s->model->lock_count
             + names[OMEN_OPERAND_CONDITION].count
             + names[OMEN_OPERAND_SEMAPHORE].count
             + names[OMEN_OPERAND_BARRIER].count
             + names[OMEN_OPERAND_OBJECT].count;
  u.last = omen_zalloc ((size_t)u.things * c->threads + 1, sizeof *u.last);
  u.last_write
      = omen_zalloc ((size_t)u.things * c->threads + 1, sizeof *u.last_write);
  for (omen_tid t = 0; t < c->threads; t++)
    for (uint32_t i = 0; i < s->threads[t].count; i++)
      each_use (&u, t, i, use_thing);
  for (omen_tid t = 0; t < c->threads; t++)
    for (uint32_t i = 0; i < s->threads[t].count; i++)
      each_use (&u, t, i, settle_usage);
  omen_free (u.last);
  omen_free (u.last_write);
}

static void
lay_out (omen_replica *c)
{
  const omen_model *m = c->steps->model;
  uint32_t at = 0, widest = 1;
  c->threads = m->thread_count;
  at = c->asleep = c->threads;
  at = c->memory = at + c->threads;
  for (uint32_t a = 0; a < m->atom_count; a++)
    c->cell[a] = c->steps->shared[a] ? at++ : OMEN_NONE;
  c->locks = at;
  at += 2 * m->lock_count;
  c->semaphores = at;
  at += m->trace->names[OMEN_OPERAND_SEMAPHORE].count;
  c->barriers = at;
  at += m->trace->names[OMEN_OPERAND_BARRIER].count;
  c->words = at;
  for (omen_pid p = 0; p < m->trace->places.count; p++)
    if (m->place_atoms[p].count > widest)
      widest = m->place_atoms[p].count;
  c->seen = omen_alloc (widest * sizeof *c->seen);
}

omen_replica *
omen_replica_new (const omen_steps *steps, bool spurious)
{
  omen_replica *c = omen_zalloc (1, sizeof *c);
  const omen_model *m = steps->model;
  c->steps = steps;
  c->spurious = spurious;
  c->cell = omen_alloc ((m->atom_count + 1) * sizeof *c->cell);
  c->same = omen_alloc ((m->slot_count + 1) * sizeof *c->same);
  lay_out (c);
  c->settled
      = omen_zalloc (steps->steps.count * c->threads + 1, sizeof *c->settled);
  find_same (c);
  find_conflicts (c);
  return c;
}

void
omen_replica_free (omen_replica *c)
{
  if (!c)
    return;
  omen_free (c->cell);
  omen_free (c->same);
  omen_free (c->settled);
  omen_free (c->seen);
  omen_free (c);
}

void
omen_replica_start (const omen_replica *c, uint32_t *words)
{
  const omen_model *m = c->steps->model;
  memset (words, 0, c->words * sizeof *words);
  for (uint32_t at = c->memory; at < c->locks; at++)
    words[at] = OMEN_NONE;
  for (uint32_t s = 0; s < m->trace->names[OMEN_OPERAND_SEMAPHORE].count; s++)
    if (m->semaphore_first[s] < m->semaphore_first[s + 1])
      words[c->semaphores + s] = m->semaphores[m->semaphore_first[s]].start;
}
