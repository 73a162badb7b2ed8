/* TRUSTED. Rule 5 of section 3: what reads see, under each model. */
#include "witness/verify_state.h"

/* Does e, reading atom a now, see what the model requires? `pair` is e's pair
   of the atom. */
static bool
atom_preserved (omen_verifier *v, omen_eid e, uint32_t a, size_t pair)
{
  const omen_atom_state *s = omen_state_atom (v, a);
  omen_model_name model = v->witness->model;
  bool same = s->writer == v->facts.seen[pair];
  omen_fact_value read, written;
  OMEN_ASSERT (pair < v->facts.pairs);
  OMEN_ASSERT (!s->tainted
               || omen_trace_event (v->trace, s->writer)->kind
                      == OMEN_ATOMIC_RMW);
  if (s->tainted)
    return false;
  if (model == OMEN_MODEL_RF || model == OMEN_MODEL_LATTICE
      || omen_lifetime_wants_write (v, e))
    return same;
  read = omen_facts_datum (&v->facts, e, a, false);
  written = omen_facts_written (&v->facts, s->writer, a);
  if (!omen_datum_comparable (read, written))
    return same;
  return omen_datum_equal (read, written);
}

/* Is the read preserved? If not, *seen is a write it should not see. */
static bool
preserved (omen_verifier *v, omen_eid e, omen_eid *seen)
{
  uint32_t place = omen_trace_event (v->trace, e)->object;
  size_t pair = v->facts.pair[e];
  uint32_t end = v->facts.place_end[place];
  OMEN_ASSERT (omen_kind_reads (omen_trace_event (v->trace, e)->kind));
  for (uint32_t a = v->facts.place_first[place]; a < end; a++, pair++)
    if (!atom_preserved (v, e, a, pair)) {
      *seen = omen_state_atom (v, a)->writer;
      return false;
    }
  return true;
}

static bool
refuse_read (omen_verifier *v, omen_eid read, omen_eid seen, omen_err *err)
{
  char write[OMEN_WITNESS_EVENT_MAX] = "the initial value";
  if (seen != OMEN_NONE)
    omen_witness_event (v->trace, seen, write);
  if (v->judging_trace)
    return omen_verify_refuse (v, read, err,
                               "its value is not that of %s, "
                               "which it sees",
                               write);
  return omen_verify_refuse (v, read, err,
                             "sees %s, which is not what it saw "
                             "in the trace",
                             write);
}

bool
omen_read_goes_on (omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  const omen_thread_state *s = omen_state_thread (v, event->thread);
  return s->bad == OMEN_NONE || refuse_read (v, s->bad, s->seen, err);
}

/* ---- lattice: atomic sets ---- */
/* How many reads saw each write, for every atom of it, and the initial one. */
static void
count_readers (omen_verifier *v)
{
  const omen_facts *facts = &v->facts;
  v->readers = omen_zalloc (facts->pairs + 1, sizeof *v->readers);
  v->initial_readers
      = omen_zalloc (facts->atoms.count + 1, sizeof *v->initial_readers);
  for (omen_eid e = 0; e < v->trace->events.count; e++) {
    const omen_event *event = omen_trace_event (v->trace, e);
    size_t pair = facts->pair[e];
    if (!omen_kind_reads (event->kind))
      continue;
    for (uint32_t a = facts->place_first[event->object];
         a < facts->place_end[event->object]; a++, pair++) {
      omen_eid w = facts->seen[pair];
      if (w == OMEN_NONE)
        v->initial_readers[a]++;
      else
        v->readers
            [facts->pair[w] + a
             - facts->place_first[omen_trace_event (v->trace, w)->object]]++;
    }
  }
}

/* Number of reads in the trace that saw this last write of the atom. */
static uint32_t
set_reads (const omen_verifier *v, uint32_t a, omen_eid writer)
{
  uint32_t place;
  if (writer == OMEN_NONE)
    return v->initial_readers[a];
  place = omen_trace_event (v->trace, writer)->object;
  OMEN_ASSERT (a >= v->facts.place_first[place]
               && a < v->facts.place_end[place]);
  return v->readers[v->facts.pair[writer] + a - v->facts.place_first[place]];
}

/* Every read sees the write it saw, and a write finds the atomic set of the
   last write complete; so all older sets are complete too, which a read
   requires. */
static bool
lattice_access (omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  bool reads = omen_kind_reads (event->kind);
  omen_eid seen;
  if (!v->readers)
    count_readers (v);
  if (reads && !preserved (v, e, &seen))
    return refuse_read (v, e, seen, err);
  for (uint32_t a = v->facts.place_first[event->object];
       a < v->facts.place_end[event->object]; a++) {
    omen_atom_state *s = omen_state_atom (v, a);
    s->reads += reads;
    OMEN_ASSERT (s->reads <= set_reads (v, a, s->writer));
    if (omen_kind_writes (event->kind)
        && s->reads != set_reads (v, a, s->writer))
      return omen_verify_refuse (v, e, err,
                                 "a read of the write before it is "
                                 "missing, which keeps its atomic set open");
  }
  return true;
}

/* ---- all models ---- */
static void
write_atoms (omen_verifier *v, omen_eid e, bool tainted)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  for (uint32_t a = v->facts.place_first[event->object];
       a < v->facts.place_end[event->object]; a++) {
    omen_atom_state *s = omen_state_atom (v, a);
    OMEN_ASSERT (s->exts <= s->accesses);
    s->accesses++;
    s->exts += event->kind == OMEN_EXTERNAL;
    if (!omen_kind_writes (event->kind))
      continue;
    s->writer = e;
    s->tainted = tainted;
    s->reads = 0;
  }
}

bool
omen_read_access (omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_thread_state *s = omen_state_thread (v, event->thread);
  omen_eid seen = OMEN_NONE;
  bool kept = true;
  OMEN_ASSERT (v->witness && v->witness->model < OMEN_MODELS);
  s->bad = OMEN_NONE;
  if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
    return true;
  if (v->witness->model == OMEN_MODEL_LATTICE && !lattice_access (v, e, err))
    return false;
  if (omen_kind_reads (event->kind))
    kept = preserved (v, e, &seen);
  if (!kept && s->lost == OMEN_NONE)
    s->lost = e;
  OMEN_ASSERT (kept || v->witness->model != OMEN_MODEL_LATTICE);
  if (!kept && omen_slice_relevant (v, e)) {
    s->bad = e;
    s->seen = seen;
  }
  write_atoms (v, e, !kept);
  return true;
}

bool
omen_read_writes (omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_eid seen;
  if (!omen_event_is_cas (event))
    return omen_kind_writes (event->kind);
  if (omen_state_has (v, e))
    return omen_state_thread (v, event->thread)->bad != e;
  return preserved (v, e, &seen);
}
