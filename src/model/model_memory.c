/* The model's memory: slots, accesses of each atom, reads-from, values. */
#include "model/model_build.h"
#include "model/values.h"

typedef struct memory {
  omen_build *build;
  const omen_trace *trace;
  const omen_atoms *atoms;
  omen_atom *out; /* by atom; first is the fill position while walking */
  omen_eid *last; /* by atom: the last write, or OMEN_NONE */
  uint32_t *tags; /* by access: thread << 2 | writes << 1 | reads */
  omen_eid *accesses, *from;
  uint32_t *value, *rank;
  uint32_t slot;
  omen_values values;
} memory;

/* ---- sizes ---- */

/* Count the accesses of each atom, by place first: that is one addition an
   event, however many atoms its place has. */
static void
count_accesses (memory *m, uint64_t *slots, uint64_t *accesses)
{
  size_t places = m->trace->places.count;
  uint64_t *count = omen_zalloc (places, sizeof *count);
  uint64_t *rmws = omen_zalloc (places, sizeof *rmws);
  for (size_t e = 0; e < m->trace->events.count; e++) {
    const omen_event *event = &m->trace->events.data[e];
    if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
      continue;
    count[event->object]++;
    rmws[event->object] += event->kind == OMEN_ATOMIC_RMW;
  }
  *slots = *accesses = 0;
  for (size_t p = 0; p < places; p++) {
    omen_span span = m->atoms->place[p];
    *accesses += count[p] * span.count;
    *slots += (count[p] + rmws[p]) * span.count;
    for (uint32_t a = span.first; a < span.first + span.count; a++)
      m->out[a + 1].first += (uint32_t)count[p];
  }
  omen_free (count);
  omen_free (rmws);
}

static void
start_atoms (memory *m)
{
  for (uint32_t a = 0; a < m->atoms->count; a++) {
    m->out[a + 1].first += m->out[a].first;
    m->out[a].variable = m->atoms->atoms[a].variable;
    m->out[a].initial = OMEN_NONE;
    m->last[a] = OMEN_NONE;
  }
}

static void
give_initial (memory *m)
{
  const omen_trace *trace = m->trace;
  for (size_t i = 0; i < trace->inits.count; i++) {
    const omen_init *init = &trace->inits.data[i];
    omen_span span = m->atoms->place[init->place];
    for (uint32_t a = span.first; a < span.first + span.count; a++) {
      omen_atom_value value = omen_atom_value_of (
          &trace->places.data[init->place], &m->atoms->atoms[a],
          init->value_kind, init->value);
      m->out[a].initial = omen_values_id (&m->values, &value);
    }
  }
}

/* ---- the walk ---- */

static uint32_t
value_id (memory *m, omen_pid p, uint32_t atom, unsigned kind, uint64_t value)
{
  omen_atom_value v = omen_atom_value_of (&m->trace->places.data[p],
                                          &m->atoms->atoms[atom], kind, value);
  return omen_values_id (&m->values, &v);
}

static void
read_atom (memory *m, uint32_t slot, uint32_t atom, uint32_t value)
{
  m->from[slot] = m->last[atom];
  m->value[slot] = value;
  m->rank[slot] = m->out[atom].first;
  if (m->last[atom] == OMEN_NONE && m->out[atom].initial == OMEN_NONE)
    m->out[atom].initial = value;
}

static void
write_atom (memory *m, omen_eid e, uint32_t slot, uint32_t atom, uint32_t value)
{
  m->from[slot] = OMEN_NONE;
  m->value[slot] = value;
  m->rank[slot] = m->out[atom].first;
  m->last[atom] = e;
}

static void
walk_rmw (memory *m, omen_eid e, omen_span span)
{
  const omen_event *event = &m->trace->events.data[e];
  const omen_rmw *rmw = &m->trace->rmws.data[event->value];
  for (uint32_t i = 0; i < span.count; i++) {
    uint32_t atom = span.first + i, slot = m->slot + i;
    read_atom (
        m, slot, atom,
        value_id (m, event->object, atom, rmw->value_kind[0], rmw->value[0]));
    write_atom (
        m, e, slot + span.count, atom,
        value_id (m, event->object, atom, rmw->value_kind[1], rmw->value[1]));
  }
  m->slot += 2 * span.count;
}

static void
walk_simple (memory *m, omen_eid e, omen_span span, bool reads)
{
  const omen_event *event = &m->trace->events.data[e];
  bool valued = event->kind <= OMEN_ATOMIC_WRITE;
  for (uint32_t i = 0; i < span.count; i++) {
    uint32_t atom = span.first + i;
    uint32_t value = valued ? value_id (m, event->object, atom,
                                        event->value_kind, event->value)
                            : OMEN_NONE;
    if (reads)
      read_atom (m, m->slot + i, atom, value);
    else
      write_atom (m, e, m->slot + i, atom, value);
  }
  m->slot += span.count;
}

static void
walk_access (memory *m, omen_eid e)
{
  const omen_event *event = &m->trace->events.data[e];
  omen_span span = m->atoms->place[event->object];
  bool reads = omen_kind_reads (event->kind);
  bool writes = omen_kind_writes (event->kind);
  OMEN_ASSERT (span.count && (reads || writes));
  m->build->at[e] = m->slot;
  if (reads && writes)
    walk_rmw (m, e, span);
  else
    walk_simple (m, e, span, reads);
  for (uint32_t a = span.first; a < span.first + span.count; a++) {
    uint32_t rank = m->out[a].first++;
    m->accesses[rank] = e;
    m->tags[rank] = event->thread << 2 | (uint32_t)writes << 1 | reads;
  }
}

static void
walk_accesses (memory *m, omen_eid *alloc_of)
{
  for (size_t i = 0; i < m->trace->events.count; i++) {
    omen_eid e = omen_build_nth (m->build, i);
    const omen_event *event = &m->trace->events.data[e];
    if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
      continue;
    walk_access (m, e);
    if (event->kind != OMEN_ALLOC)
      continue;
    OMEN_ASSERT (alloc_of[m->trace->places.data[event->object].variable]
                 == OMEN_NONE);
    alloc_of[m->trace->places.data[event->object].variable] = e;
  }
  for (uint32_t a = m->atoms->count; a > 0; a--)
    m->out[a].first = m->out[a - 1].first;
  if (m->atoms->count)
    m->out[0].first = 0;
}

static void
publish (memory *m, omen_eid *alloc_of)
{
  omen_model *model = m->build->model;
  model->place_atoms = m->atoms->place;
  model->atoms = m->out;
  model->accesses = m->accesses;
  model->from = m->from;
  model->value = m->value;
  model->rank = m->rank;
  model->alloc_of = alloc_of;
  model->atom_count = m->atoms->count;
  model->slot_count = m->slot;
}

bool
omen_build_memory (omen_build *build, omen_err *err)
{
  const omen_trace *trace = build->trace;
  const omen_atoms *atoms = &build->model->store->atoms;
  uint32_t variables = build->model->variable_count;
  omen_eid *alloc_of = omen_build_array (build, variables, sizeof *alloc_of);
  uint64_t slots, accesses;
  memory m = { .build = build, .trace = trace, .atoms = atoms };
  OMEN_REQUIRE (trace->threads.count < OMEN_NONE >> 2);
  m.out = omen_build_array (build, (size_t)atoms->count + 1, sizeof *m.out);
  count_accesses (&m, &slots, &accesses);
  if (slots >= OMEN_NONE)
    return omen_err_set (err, omen_names_text (&trace->strings, trace->path),
                         "the accesses cover %llu parts of variables, more "
                         "than 2^32",
                         (unsigned long long)slots);
  m.accesses = omen_build_array (build, accesses, sizeof *m.accesses);
  m.from = omen_build_array (build, slots, sizeof *m.from);
  m.value = omen_build_array (build, slots, sizeof *m.value);
  m.rank = omen_build_array (build, slots, sizeof *m.rank);
  m.last = omen_alloc (atoms->count * sizeof *m.last);
  m.tags = omen_alloc (accesses * sizeof *m.tags);
  omen_values_init (&m.values);
  for (uint32_t v = 0; v < variables; v++)
    alloc_of[v] = OMEN_NONE;
  start_atoms (&m);
  give_initial (&m);
  walk_accesses (&m, alloc_of);
  OMEN_ASSERT (m.slot == slots);
  publish (&m, alloc_of);
  omen_build_cells (build, m.tags);
  omen_values_fini (&m.values);
  omen_free (m.last);
  omen_free (m.tags);
  return true;
}
