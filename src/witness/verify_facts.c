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
  facts->place_first
      = omen_zalloc (trace->places.count + 1, sizeof *facts->place_first);
  facts->place_end
      = omen_zalloc (trace->places.count + 1, sizeof *facts->place_end);
}

/* ---- what the header promises, for builds that check ---- */
static bool
order_valid (const omen_facts *facts)
{
  for (uint32_t i = 0; i < facts->trace->events.count; i++)
    if (omen_facts_rank (facts, omen_facts_nth (facts, i)) != i)
      return false;
  return true;
}

/* What a read saw is a write of that atom, earlier in the trace. */
static bool
seen_valid (const omen_facts *facts, omen_eid e, uint32_t a)
{
  const omen_event *event = omen_trace_event (facts->trace, e);
  omen_eid w
      = facts->seen[facts->pair[e] + a - facts->place_first[event->object]];
  uint32_t place;
  if (w == OMEN_NONE)
    return true;
  place = omen_trace_event (facts->trace, w)->object;
  return omen_kind_reads (event->kind)
         && omen_kind_writes (omen_trace_event (facts->trace, w)->kind)
         && omen_facts_rank (facts, w) < omen_facts_rank (facts, e)
         && a >= facts->place_first[place] && a < facts->place_end[place];
}

static bool
event_valid (const omen_facts *facts, omen_eid e)
{
  const omen_event *event = omen_trace_event (facts->trace, e);
  omen_lid lock = omen_facts_lock (facts->trace, e);
  if (lock == OMEN_NONE && (facts->flags[e] & ~OMEN_FACT_RETURN))
    return false;
  if (omen_kind_operand (event->kind) == OMEN_OPERAND_BARRIER
      && facts->number[e] >= facts->rounds.count)
    return false;
  if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
    return true;
  for (uint32_t a = facts->place_first[event->object];
       a < facts->place_end[event->object]; a++)
    if (!seen_valid (facts, e, a))
      return false;
  return true;
}

static bool
facts_valid (const omen_facts *facts)
{
  for (omen_eid e = 0; e < facts->trace->events.count; e++)
    if (!event_valid (facts, e))
      return false;
  return order_valid (facts);
}

bool
omen_facts_init (omen_facts *facts, const omen_trace *trace, omen_err *err)
{
  *facts = (omen_facts){ .trace = trace };
  make_room (facts);
  if (!omen_facts_threads (facts, err) || !omen_facts_base (facts, err)
      || !omen_facts_sync (facts, err) || !omen_facts_atoms (facts, err))
    return false;
  OMEN_CHECK (facts_valid (facts));
  return true;
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
