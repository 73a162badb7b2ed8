#include "trace/atoms.h"

#include <stdlib.h>

/* An edge of byte ranges: where one starts (+1) or ends (-1). */
typedef struct edge {
  uint32_t offset;
  int step;
} edge;

typedef struct cutter {
  const omen_trace *trace;
  omen_atoms *out;
  uint32_t *first; /* by variable: its first in list; one entry more */
  omen_pid *list;
  OMEN_VEC (edge) edges;
  size_t room;
} cutter;

static void
list_places (cutter *c)
{
  uint32_t variables = c->trace->names[OMEN_OPERAND_VARIABLE].count;
  size_t places = c->trace->places.count;
  c->first = omen_zalloc ((size_t)variables + 2, sizeof *c->first);
  c->list = omen_alloc (places * sizeof *c->list);
  for (size_t p = 0; p < places; p++)
    c->first[c->trace->places.data[p].variable + 2]++;
  for (uint32_t v = 0; v < variables; v++)
    c->first[v + 2] += c->first[v + 1];
  for (size_t p = 0; p < places; p++)
    c->list[c->first[c->trace->places.data[p].variable + 1]++] = (omen_pid)p;
  OMEN_ASSERT (c->first[variables] == places);
}

static void
add_atom (cutter *c, omen_vid variable, uint32_t offset, uint32_t size)
{
  omen_atoms *out = c->out;
  OMEN_REQUIRE (out->count < OMEN_NONE - 1);
  OMEN_ASSERT (size > 0);
  OMEN_ASSERT (!out->count || out->atoms[out->count - 1].variable < variable
               || out->atoms[out->count - 1].offset < offset);
  if (out->count == c->room)
    out->atoms
        = omen_vec_grow (out->atoms, sizeof *out->atoms, c->room + 1, &c->room);
  out->atoms[out->count++] = (omen_place){ variable, offset, size };
}

static int
by_offset (const void *a, const void *b)
{
  const edge *x = a, *y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Fill c->edges with the sorted edges of the variable's ranges; return whether
   it has a whole place. */
static bool
sort_edges (cutter *c, omen_vid v)
{
  bool whole = false;
  OMEN_VEC_CLEAR (c->edges);
  for (uint32_t i = c->first[v]; i < c->first[v + 1]; i++) {
    const omen_place *p = &c->trace->places.data[c->list[i]];
    if (p->size == OMEN_WHOLE) {
      whole = true;
      continue;
    }
    OMEN_VEC_PUSH (c->edges, ((edge){ p->offset, 1 }));
    OMEN_VEC_PUSH (c->edges, ((edge){ p->offset + p->size, -1 }));
  }
  if (c->edges.count)
    qsort (c->edges.data, c->edges.count, sizeof (edge), by_offset);
  return whole;
}

/* Add an atom between each two neighbouring edges with a place that covers the
   gap. */
static void
cut_variable (cutter *c, omen_vid v)
{
  bool whole = sort_edges (c, v);
  uint32_t offset = 0;
  int depth = whole;
  for (size_t i = 0; i < c->edges.count; i++) {
    const edge *at = &c->edges.data[i];
    if (at->offset > offset) {
      if (depth)
        add_atom (c, v, offset, at->offset - offset);
      offset = at->offset;
    }
    depth += at->step;
  }
  OMEN_ASSERT (depth == whole);
  if (whole)
    add_atom (c, v, offset, OMEN_WHOLE);
}

/* The atom of v that starts at `offset`; if none does, the next one. */
static uint32_t
atom_at (const omen_atoms *out, omen_vid v, uint32_t offset)
{
  return OMEN_FIRST_NOT (i, out->variable[v], out->count,
                         out->atoms[i].offset < offset);
}

static void
cover_places (cutter *c, omen_vid v)
{
  omen_atoms *out = c->out;
  for (uint32_t i = c->first[v]; i < c->first[v + 1]; i++) {
    const omen_place *p = &c->trace->places.data[c->list[i]];
    omen_span span = { out->variable[v], out->count - out->variable[v] };
    if (p->size != OMEN_WHOLE) {
      span.first = atom_at (out, v, p->offset);
      span.count = atom_at (out, v, p->offset + p->size) - span.first;
    }
    OMEN_ASSERT (span.count);
    out->place[c->list[i]] = span;
  }
}

void
omen_atoms_init (omen_atoms *atoms, const omen_trace *trace)
{
  uint32_t variables = trace->names[OMEN_OPERAND_VARIABLE].count;
  cutter c = { trace, atoms, NULL, NULL, { 0 }, 0 };
  *atoms = (omen_atoms){ 0 };
  atoms->place = omen_alloc (trace->places.count * sizeof *atoms->place);
  atoms->variable
      = omen_alloc (((size_t)variables + 1) * sizeof *atoms->variable);
  list_places (&c);
  for (omen_vid v = 0; v < variables; v++) {
    uint32_t places = c.first[v + 1] - c.first[v];
    atoms->variable[v] = atoms->count;
    if (places == 1) {
      /* A variable with one place: the place is the atom. */
      omen_pid p = c.list[c.first[v]];
      const omen_place *place = &c.trace->places.data[p];
      c.out->place[p] = (omen_span){ c.out->count, 1 };
      add_atom (&c, v, place->offset, place->size);
    } else if (places) {
      cut_variable (&c, v);
      cover_places (&c, v);
    }
  }
  atoms->variable[variables] = atoms->count;
  omen_free (c.first);
  omen_free (c.list);
  OMEN_VEC_FINI (c.edges);
}

void
omen_atoms_fini (omen_atoms *atoms)
{
  omen_free (atoms->atoms);
  omen_free (atoms->place);
  omen_free (atoms->variable);
  *atoms = (omen_atoms){ 0 };
}
