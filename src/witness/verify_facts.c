/* TRUSTED. The facts of a trace, put together. */
#include "witness/verify_facts.h"

#include "witness/witness.h"

bool
omen_facts_refuse (const omen_trace *trace, omen_eid e, omen_err *err,
                   const char *format, ...)
{
  char event[OMEN_WITNESS_EVENT_MAX], reason[256];
  va_list args;
  va_start (args, format);
  vsnprintf (reason, sizeof reason, format, args);
  va_end (args);
  return omen_err_set (err, omen_names_text (&trace->strings, trace->path),
                       "%s: %s", omen_witness_event (trace, e, event), reason);
}

static void
make_room (omen_facts *facts)
{
  const omen_trace *trace = facts->trace;
  const omen_names *names = trace->names;
  size_t events = trace->events.count + 1, threads = trace->threads.count + 1;
  facts->flags = omen_zalloc (events, sizeof *facts->flags);
  facts->number = omen_zalloc (events, sizeof *facts->number);
  facts->fork = omen_zalloc (threads, sizeof *facts->fork);
  facts->ends_held = omen_zalloc (threads, sizeof *facts->ends_held);
  facts->irregular = omen_zalloc (names[OMEN_OPERAND_LOCK].count + 1,
                                  sizeof *facts->irregular);
  facts->count = omen_zalloc (names[OMEN_OPERAND_SEMAPHORE].count + 1,
                              sizeof *facts->count);
  facts->hb_first = omen_zalloc (names[OMEN_OPERAND_OBJECT].count + 2,
                                 sizeof *facts->hb_first);
  facts->alloc = omen_zalloc (names[OMEN_OPERAND_VARIABLE].count + 1,
                              sizeof *facts->alloc);
  facts->place_first = omen_zalloc (trace->places.count + 1,
                                    sizeof *facts->place_first);
  facts->place_end = omen_zalloc (trace->places.count + 1,
                                  sizeof *facts->place_end);
}

bool
omen_facts_init (omen_facts *facts, const omen_trace *trace, omen_err *err)
{
  OMEN_REQUIRE (trace->index || !trace->events.count); /* sealed */
  *facts = (omen_facts){ .trace = trace };
  make_room (facts);
  return omen_facts_threads (facts, err) && omen_facts_base (facts, err)
         && omen_facts_sync (facts, err) && omen_facts_atoms (facts, err);
}

void
omen_facts_fini (omen_facts *facts)
{
  omen_free (facts->flags);
  omen_free (facts->number);
  omen_free (facts->base);
  omen_free (facts->rank);
  omen_free (facts->fork);
  omen_free (facts->ends_held);
  omen_free (facts->irregular);
  omen_free (facts->count);
  OMEN_VEC_FINI (facts->rounds);
  omen_free (facts->hb_first);
  omen_free (facts->hbs);
  omen_free (facts->alloc);
  OMEN_VEC_FINI (facts->atoms);
  omen_free (facts->place_first);
  omen_free (facts->place_end);
  omen_free (facts->pair);
  omen_free (facts->seen);
  omen_free (facts->ext_turn);
}
