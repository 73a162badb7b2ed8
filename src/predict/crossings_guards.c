/* Find the lock that guards each place. */
#include "predict/crossings_build.h"

static omen_alone
find_alone (const omen_model *m)
{
  const omen_trace *trace = m->trace;
  omen_alone result = { 0, OMEN_NONE };
  bool forked = false;
  for (uint32_t i = 0; m->thread_count && i < trace->threads.data[0].count;
       i++) {
    omen_eid e = omen_trace_nth (trace, 0, i);
    unsigned kind = omen_model_event (m, e)->kind;
    forked |= kind == OMEN_FORK;
    if (!forked)
      result.before = e + 1;
    if (kind == OMEN_JOIN)
      result.after = e;
  }
  for (omen_tid t = 1; t < m->thread_count; t++) {
    uint32_t count = trace->threads.data[t].count;
    if (count && result.after != OMEN_NONE
        && !omen_model_must_before (m, omen_trace_nth (trace, t, count - 1),
                                    result.after))
      result.after = OMEN_NONE;
    if (count
        && !(result.before
             && omen_model_must_before (m, result.before - 1,
                                        omen_trace_nth (trace, t, 0))))
      result.before = 0;
  }
  return result;
}

static bool
is_alone (const omen_alone *alone, const omen_event *event, omen_eid e)
{
  return event->thread == 0 && (e < alone->before || e >= alone->after);
}

/* The entry for the lock among the locks held at e, or NULL. */
static const omen_held *
held_at (const omen_model *m, omen_eid e, omen_lid lock)
{
  uint32_t set = m->set_of[e];
  for (uint32_t i = m->sets[set].first; i < m->sets[set + 1].first; i++)
    if (m->held[i].lock == lock)
      return &m->held[i];
  return NULL;
}

static bool
guards (const omen_model *m, const omen_alone *alone, uint32_t atom,
        omen_lid lock)
{
  for (uint32_t i = m->atoms[atom].first; i < m->atoms[atom + 1].first; i++) {
    omen_eid e = m->accesses[i];
    const omen_event *event = omen_model_event (m, e);
    const omen_held *held;
    if (!omen_takes_part (event) || is_alone (alone, event, e))
      continue;
    held = held_at (m, e, lock);
    if (!held
        || (omen_kind_writes (event->kind) && held->mode != OMEN_LOCK_WRITE))
      return false;
  }
  return true;
}

/* The guard of an atom: the first suitable one of those that its first access
   holds. */
static omen_lid
guard_of (const omen_model *m, const omen_alone *alone, uint32_t atom)
{
  for (uint32_t i = m->atoms[atom].first; i < m->atoms[atom + 1].first; i++) {
    omen_eid e = m->accesses[i];
    const omen_event *event = omen_model_event (m, e);
    uint32_t set = m->set_of[e];
    if (!omen_takes_part (event) || is_alone (alone, event, e))
      continue;
    for (uint32_t k = m->sets[set].first; k < m->sets[set + 1].first; k++)
      if (guards (m, alone, atom, m->held[k].lock))
        return m->held[k].lock;
    return OMEN_NONE;
  }
  return OMEN_NONE;
}

void
omen_crossings_guards (omen_crossings *c)
{
  const omen_model *m = c->model;
  size_t places = m->trace->places.count;
  omen_lid *of_atom = omen_alloc ((m->atom_count + 1) * sizeof *of_atom);
  c->alone = find_alone (m);
  c->guard = omen_alloc ((places + 1) * sizeof *c->guard);
  for (uint32_t a = 0; a < m->atom_count; a++)
    of_atom[a] = c->shared[a] ? guard_of (m, &c->alone, a) : OMEN_NONE;
  for (size_t p = 0; p < places; p++) {
    omen_span atoms = m->place_atoms[p];
    bool first = true;
    c->guard[p] = OMEN_NONE;
    for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
      if (!c->shared[a])
        continue;
      if (first)
        c->guard[p] = of_atom[a];
      else if (c->guard[p] != of_atom[a])
        c->guard[p] = OMEN_NONE;
      first = false;
    }
  }
  omen_free (of_atom);
}

uint32_t
omen_crossings_section (const omen_crossings *c, omen_eid e)
{
  omen_lid lock = c->guard[omen_model_event (c->model, e)->object];
  const omen_held *held
      = lock == OMEN_NONE ? NULL : held_at (c->model, e, lock);
  return held ? held->section : OMEN_NONE;
}
