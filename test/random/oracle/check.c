#include "check.h"

const omen_event *
check_event (const check *c, omen_eid e)
{
  return omen_trace_event (c->trace, e);
}

bool
check_append (check_sequence *s, omen_eid e)
{
  if (s->step[e] != NOWHERE || s->count > CHECK_EVENTS)
    return false;
  s->step[e] = (int)s->count;
  s->event[s->count++] = e;
  return true;
}

unsigned
check_done (const check *c, const check_sequence *s, unsigned steps, omen_tid t)
{
  unsigned done = 0;
  for (unsigned i = 0; i < steps; i++)
    done += check_event (c, s->event[i])->thread == t;
  return done;
}

static void
clear (check_sequence *s)
{
  s->count = 0;
  for (unsigned e = 0; e <= CHECK_EVENTS; e++)
    s->step[e] = NOWHERE;
}

bool
oracle_check (const omen_trace *trace, const omen_witness *witness)
{
  check c = { .trace = trace,
              .witness = witness,
              .events = (unsigned)trace->events.count };
  OMEN_REQUIRE (c.events <= CHECK_EVENTS);
  clear (&c.base);
  clear (&c.sigma);
  check_base_order (&c);
  for (size_t i = 0; i < witness->sequence.count; i++)
    if (!check_append (&c.sigma, witness->sequence.data[i]))
      return false;
  for (unsigned i = 0; i < c.sigma.count; i++)
    if (!check_lock_rule (&c, &c.sigma, i, c.sigma.event[i]))
      return false;
  return check_rules (&c, &c.sigma) && check_reads (&c)
         && (witness->model != OMEN_MODEL_LATTICE || check_atomic_sets (&c))
         && check_claim (&c);
}
