/* TRUSTED. Memory: atoms, values, initial values, the write that each read saw,
   the turns of ext events. */
#include "witness/verify_facts.h"

#include <stdlib.h>
#include <string.h>

/* ---- atoms ---- */

/* All places where atoms begin, as variable << 32 | byte, sorted, each once:
   byte 0 of every variable and both ends of every range. */
static uint64_t *
find_bounds (const omen_trace *trace, size_t *count)
{
  size_t variables = trace->names[OMEN_OPERAND_VARIABLE].count, n = 0, kept = 0;
  uint64_t *bounds
      = omen_alloc ((variables + 2 * trace->places.count + 1) * sizeof *bounds);
  for (size_t v = 0; v < variables; v++)
    bounds[n++] = (uint64_t)v << 32;
  for (size_t p = 0; p < trace->places.count; p++) {
    const omen_place *place = &trace->places.data[p];
    uint64_t variable = (uint64_t)place->variable << 32;
    if (place->size == OMEN_WHOLE)
      continue;
    bounds[n++] = variable | place->offset;
    bounds[n++] = variable | (place->offset + place->size);
  }
  OMEN_ASSERT (n <= variables + 2 * trace->places.count);
  qsort (bounds, n, sizeof *bounds, omen_compare_u64);
  for (size_t i = 0; i < n; i++)
    if (!i || bounds[i] != bounds[i - 1])
      bounds[kept++] = bounds[i];
  *count = kept;
  return bounds;
}

static void
make_atoms (omen_facts *facts, const uint64_t *bounds, size_t count)
{
  OMEN_VEC_RESERVE (facts->atoms, count + 1);
  for (size_t i = 0; i < count; i++) {
    bool last = i + 1 == count || bounds[i] >> 32 != bounds[i + 1] >> 32;
    omen_fact_atom atom = { (uint32_t)bounds[i],
                            last ? OMEN_WHOLE : (uint32_t)bounds[i + 1],
                            { .form = OMEN_FORM_NOTHING } };
    OMEN_ASSERT (atom.low < atom.high);
    OMEN_VEC_PUSH (facts->atoms, atom);
  }
  OMEN_ASSERT (facts->atoms.count == count);
}

static uint32_t
bound_index (const uint64_t *bounds, size_t count, uint64_t bound)
{
  size_t low = OMEN_FIRST_NOT (i, 0, count, bounds[i] < bound);
  return (uint32_t)low;
}

/* The atoms of a place are consecutive, and so are those of a variable. */
static void
cut_places (omen_facts *facts, const uint64_t *bounds, size_t count)
{
  const omen_trace *trace = facts->trace;
  for (size_t p = 0; p < trace->places.count; p++) {
    const omen_place *place = &trace->places.data[p];
    uint64_t variable = (uint64_t)place->variable << 32;
    uint64_t end = place->size == OMEN_WHOLE
                       ? variable + ((uint64_t)1 << 32)
                       : variable + place->offset + place->size;
    facts->place_first[p]
        = bound_index (bounds, count, variable | place->offset);
    facts->place_end[p] = bound_index (bounds, count, end);
    OMEN_ASSERT (facts->place_first[p] < facts->place_end[p]);
    OMEN_ASSERT (facts->place_end[p] <= count);
    OMEN_ASSERT (facts->atoms.data[facts->place_first[p]].low == place->offset);
  }
}

/* ---- values ---- */
static omen_fact_value
datum_of (const omen_place *place, const omen_fact_atom *atom, unsigned kind,
          uint64_t value)
{
  omen_fact_value datum = { .form = OMEN_FORM_NOTHING };
  bool integer = kind == OMEN_VALUE_INT || kind == OMEN_VALUE_BIG;
  uint32_t position = atom->low - place->offset;
  if (kind == OMEN_VALUE_NONE)
    return datum;
  if (place->size == OMEN_WHOLE)
    return (omen_fact_value){ OMEN_FORM_WHOLE,
                              integer ? OMEN_VALUE_INT : (uint8_t)kind, 0,
                              value };
  OMEN_ASSERT (atom->low >= place->offset);
  OMEN_ASSERT (atom->high <= place->offset + place->size);
  if (!integer)
    return (omen_fact_value){ OMEN_FORM_TOKEN, (uint8_t)kind, position, value };
  if (place->size > 8)
    return datum;
  OMEN_ASSERT (position < 8);
  value >>= 8 * position;
  if (atom->high - atom->low < 8)
    value &= ((uint64_t)1 << 8 * (atom->high - atom->low)) - 1;
  return (omen_fact_value){ OMEN_FORM_BYTES, OMEN_VALUE_INT, 0, value };
}

omen_fact_value
omen_facts_datum (const omen_facts *facts, omen_eid e, uint32_t a, bool writer)
{
  const omen_event *event = omen_trace_event (facts->trace, e);
  const omen_place *place = &facts->trace->places.data[event->object];
  const omen_fact_atom *atom = &facts->atoms.data[a];
  OMEN_ASSERT (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS);
  OMEN_ASSERT (a >= facts->place_first[event->object]
               && a < facts->place_end[event->object]);
  switch (event->kind) {
  case OMEN_ATOMIC_RMW: {
    const omen_rmw *rmw = &facts->trace->rmws.data[event->value];
    return datum_of (place, atom, rmw->value_kind[writer], rmw->value[writer]);
  }
  case OMEN_ALLOC:
  case OMEN_FREE:
  case OMEN_EXTERNAL:
    return (omen_fact_value){ .form = OMEN_FORM_NOTHING };
  default:
    return datum_of (place, atom, event->value_kind, event->value);
  }
}

omen_fact_value
omen_facts_written (const omen_facts *facts, omen_eid w, uint32_t a)
{
  OMEN_ASSERT (w == OMEN_NONE
               || omen_kind_writes (omen_trace_event (facts->trace, w)->kind));
  return w == OMEN_NONE ? facts->atoms.data[a].initial
                        : omen_facts_datum (facts, w, a, true);
}

bool
omen_datum_comparable (omen_fact_value a, omen_fact_value b)
{
  return a.form == b.form && a.form != OMEN_FORM_NOTHING;
}

bool
omen_datum_equal (omen_fact_value a, omen_fact_value b)
{
  return omen_datum_comparable (a, b) && a.kind == b.kind && a.bits == b.bits
         && a.position == b.position;
}

/* ---- which write each read saw ---- */
static void
count_pairs (omen_facts *facts)
{
  const omen_trace *trace = facts->trace;
  facts->pair = omen_alloc ((trace->events.count + 1) * sizeof *facts->pair);
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = omen_trace_event (trace, e);
    facts->pair[e] = facts->pairs;
    if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS)
      facts->pairs += facts->place_end[event->object]
                      - facts->place_first[event->object];
  }
}

/* Fills seen[] for the given order of events: in file order, or base order. */
static void
find_seen (const omen_facts *facts, bool file_order, omen_eid *seen)
{
  const omen_trace *trace = facts->trace;
  omen_eid *last = omen_alloc ((facts->atoms.count + 1) * sizeof *last);
  memset (last, 0xff, facts->atoms.count * sizeof *last);
  for (uint32_t i = 0; i < trace->events.count; i++) {
    omen_eid e = file_order ? i : omen_facts_nth (facts, i);
    const omen_event *event = omen_trace_event (trace, e);
    size_t pair = facts->pair[e];
    if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
      continue;
    for (uint32_t a = facts->place_first[event->object];
         a < facts->place_end[event->object]; a++, pair++) {
      seen[pair] = omen_kind_reads (event->kind) ? last[a] : OMEN_NONE;
      if (omen_kind_writes (event->kind))
        last[a] = e;
    }
  }
  omen_free (last);
}

/* Delaying an acquire may not change what a read saw. */
static bool
check_same_seen (const omen_facts *facts, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  omen_eid *seen = omen_alloc ((facts->pairs + 1) * sizeof *seen);
  bool ok = true;
  find_seen (facts, true, seen);
  for (omen_eid e = 0; ok && e < trace->events.count; e++) {
    size_t end
        = e + 1 < trace->events.count ? facts->pair[e + 1] : facts->pairs;
    for (size_t pair = facts->pair[e]; ok && pair < end; pair++)
      if (seen[pair] != facts->seen[pair])
        ok = omen_facts_refuse (
            trace, e, err,
            "a lock is acquired while it is held, and waiting "
            "for it would change what this read sees");
  }
  omen_free (seen);
  return ok;
}

/* ---- initial values ---- */
static void
apply_init_lines (omen_facts *facts)
{
  const omen_trace *trace = facts->trace;
  for (size_t i = 0; i < trace->inits.count; i++) {
    const omen_init *init = &trace->inits.data[i];
    for (uint32_t a = facts->place_first[init->place];
         a < facts->place_end[init->place]; a++)
      facts->atoms.data[a].initial
          = datum_of (&trace->places.data[init->place], &facts->atoms.data[a],
                      init->value_kind, init->value);
  }
}

/* Without an init line, the first read of the initial write that has a value
   determines it. */
static void
learn_initial_values (omen_facts *facts)
{
  const omen_trace *trace = facts->trace;
  for (uint32_t i = 0; i < trace->events.count; i++) {
    omen_eid e = omen_facts_nth (facts, i);
    const omen_event *event = omen_trace_event (trace, e);
    size_t pair = facts->pair[e];
    if (!omen_kind_reads (event->kind))
      continue;
    for (uint32_t a = facts->place_first[event->object];
         a < facts->place_end[event->object]; a++, pair++)
      if (facts->seen[pair] == OMEN_NONE
          && facts->atoms.data[a].initial.form == OMEN_FORM_NOTHING)
        facts->atoms.data[a].initial = omen_facts_datum (facts, e, a, false);
  }
}

/* ---- ext and alloc ---- */
static void
find_ext_turns (omen_facts *facts)
{
  const omen_trace *trace = facts->trace;
  uint32_t *accesses = omen_zalloc (facts->atoms.count + 1, sizeof *accesses);
  uint32_t *exts = omen_zalloc (facts->atoms.count + 1, sizeof *exts);
  facts->ext_turn = omen_zalloc (facts->pairs + 1, sizeof *facts->ext_turn);
  for (uint32_t i = 0; i < trace->events.count; i++) {
    omen_eid e = omen_facts_nth (facts, i);
    const omen_event *event = omen_trace_event (trace, e);
    bool ext = event->kind == OMEN_EXTERNAL;
    size_t pair = facts->pair[e];
    if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
      continue;
    for (uint32_t a = facts->place_first[event->object];
         a < facts->place_end[event->object]; a++, pair++) {
      facts->ext_turn[pair] = ext ? accesses[a] : exts[a];
      accesses[a]++;
      exts[a] += ext;
    }
  }
  omen_free (accesses);
  omen_free (exts);
}

static bool
find_allocs (omen_facts *facts, bool *has_ext, omen_err *err)
{
  const omen_trace *trace = facts->trace;
  size_t variables = trace->names[OMEN_OPERAND_VARIABLE].count;
  memset (facts->alloc, 0xff, variables * sizeof *facts->alloc);
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = omen_trace_event (trace, e);
    omen_vid v;
    *has_ext |= event->kind == OMEN_EXTERNAL;
    if (event->kind != OMEN_ALLOC)
      continue;
    v = trace->places.data[event->object].variable;
    if (facts->alloc[v] != OMEN_NONE)
      return omen_facts_refuse (trace, e, err, "allocates a variable twice");
    facts->alloc[v] = e;
  }
  return true;
}

bool
omen_facts_atoms (omen_facts *facts, omen_err *err)
{
  size_t count;
  bool has_ext = false;
  uint64_t *bounds = find_bounds (facts->trace, &count);
  OMEN_REQUIRE (count < OMEN_NONE);
  make_atoms (facts, bounds, count);
  cut_places (facts, bounds, count);
  omen_free (bounds);
  count_pairs (facts);
  facts->seen = omen_alloc ((facts->pairs + 1) * sizeof *facts->seen);
  find_seen (facts, false, facts->seen);
  if (facts->base && !check_same_seen (facts, err))
    return false;
  apply_init_lines (facts);
  learn_initial_values (facts);
  if (!find_allocs (facts, &has_ext, err))
    return false;
  if (has_ext)
    find_ext_turns (facts);
  return true;
}
