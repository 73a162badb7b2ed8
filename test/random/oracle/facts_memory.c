/* Atoms, who saw whom, and which writes would have looked the same. */
#include "facts.h"

/* The value of an access on one atom. */
typedef struct cell {
  enum { CELL_NOTHING, CELL_BYTES, CELL_TOKEN, CELL_WHOLE } form;
  unsigned kind; /* omen_value_kind, integers as one */
  uint64_t bits;
  uint64_t position; /* tokens: of the atom inside the access */
} cell;

static const omen_place *
place_of (const facts *f, unsigned e)
{
  return &f->trace->places.data[facts_event (f, e)->object];
}

/* ---- atoms ---- */
static void
add_boundary (uint64_t *boundaries, unsigned *count, uint64_t at)
{
  unsigned i = *count;
  for (unsigned k = 0; k < *count; k++)
    if (boundaries[k] == at)
      return;
  for (; i && boundaries[i - 1] > at; i--)
    boundaries[i] = boundaries[i - 1];
  boundaries[i] = at;
  ++*count;
}

static void
add_place (uint64_t *boundaries, unsigned *count, const omen_place *place,
           omen_vid variable)
{
  if (place->variable != variable || place->size == OMEN_WHOLE
      || *count > 2 * MOST_ATOMS)
    return;
  add_boundary (boundaries, count, place->offset);
  add_boundary (boundaries, count, (uint64_t)place->offset + place->size);
}

/* Cut the variable at the ends of all its ranges. */
static bool
cut_variable (facts *f, omen_vid v, omen_err *err)
{
  uint64_t boundaries[2 * MOST_ATOMS + 4] = { 0, UINT64_MAX };
  unsigned count = 2;
  for (unsigned e = 0; e < f->count; e++)
    if (HAS (f->accesses, e))
      add_place (boundaries, &count, place_of (f, e), v);
  for (size_t i = 0; i < f->trace->inits.count; i++)
    add_place (boundaries, &count,
               &f->trace->places.data[f->trace->inits.data[i].place], v);
  for (unsigned k = 0; k + 1 < count; k++) {
    if (f->atom_count == MOST_ATOMS)
      return facts_too_much (f, err, "atoms");
    f->atom[f->atom_count++]
        = (atom){ v, boundaries[k], boundaries[k + 1], false };
  }
  return true;
}

static bool
covers (const omen_place *place, const atom *a)
{
  if (place->variable != a->variable)
    return false;
  return place->size == OMEN_WHOLE
         || (place->offset <= a->from
             && a->to <= (uint64_t)place->offset + place->size);
}

static void
spread (facts *f, unsigned e)
{
  const omen_place *place = place_of (f, e);
  unsigned a = 0;
  while (!covers (place, &f->atom[a]))
    a++;
  f->first_atom[e] = (uint8_t)a;
  for (; a < f->atom_count && covers (place, &f->atom[a]); a++) {
    f->atoms[e]++;
    if (HAS (f->readers, e))
      f->atom[a].read = true;
  }
}

static bool
share_an_atom (const facts *f, unsigned a, unsigned b)
{
  return f->first_atom[a] < f->first_atom[b] + f->atoms[b]
         && f->first_atom[b] < f->first_atom[a] + f->atoms[a];
}

static bool
covers_atom (const facts *f, unsigned e, unsigned a)
{
  return HAS (f->accesses, e) && f->first_atom[e] <= a
         && a < f->first_atom[e] + f->atoms[e];
}

/* ---- values ---- */
static cell
cell_of (const omen_place *place, unsigned kind, uint64_t value, const atom *a)
{
  bool whole = place->size == OMEN_WHOLE;
  bool integer = kind == OMEN_VALUE_INT || kind == OMEN_VALUE_BIG;
  uint64_t at = a->from - (whole ? 0 : place->offset), size = a->to - a->from;
  cell c = { CELL_NOTHING, integer ? OMEN_VALUE_INT : kind, value, 0 };
  if (kind == OMEN_VALUE_NONE || !covers (place, a))
    return c;
  if (whole)
    c.form = CELL_WHOLE;
  else if (!integer) {
    c.form = CELL_TOKEN;
    c.position = at;
  } else if (place->size <= 8) {
    c.form = CELL_BYTES;
    c.bits = value >> 8 * at;
    if (size < 8)
      c.bits &= ONE (8 * size) - 1;
  }
  return c;
}

static cell
cell_read (const facts *f, unsigned e, unsigned a)
{
  const omen_event *event = facts_event (f, e);
  if (f->kind[e] == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &f->trace->rmws.data[event->value];
    return cell_of (place_of (f, e), rmw->value_kind[0], rmw->value[0],
                    &f->atom[a]);
  }
  return cell_of (place_of (f, e), event->value_kind, event->value,
                  &f->atom[a]);
}

static cell
cell_written (const facts *f, unsigned e, unsigned a)
{
  const omen_event *event = facts_event (f, e);
  switch (f->kind[e]) {
  case OMEN_WRITE:
  case OMEN_ATOMIC_WRITE:
    return cell_of (place_of (f, e), event->value_kind, event->value,
                    &f->atom[a]);
  case OMEN_ATOMIC_RMW: {
    const omen_rmw *rmw = &f->trace->rmws.data[event->value];
    return cell_of (place_of (f, e), rmw->value_kind[1], rmw->value[1],
                    &f->atom[a]);
  }
  default:
    return (cell){ CELL_NOTHING };
  }
}

/* What the initial write of the atom wrote. */
static cell
cell_initial (const facts *f, unsigned a)
{
  const omen_trace *trace = f->trace;
  cell c = { CELL_NOTHING };
  for (size_t i = 0; i < trace->inits.count; i++) {
    const omen_init *init = &trace->inits.data[i];
    if (covers (&trace->places.data[init->place], &f->atom[a]))
      c = cell_of (&trace->places.data[init->place], init->value_kind,
                   init->value, &f->atom[a]);
  }
  for (unsigned k = 0; k < f->count && c.form == CELL_NOTHING; k++) {
    unsigned e = f->order[k];
    if (!covers_atom (f, e, a))
      continue;
    if (HAS (f->readers, e))
      c = cell_read (f, e, a);
    if (HAS (f->writers, e))
      break;
  }
  return c;
}

/* Does a read that asks for `mine` see the same in `other`? If the two cannot
   be compared only the same writer will do. */
static bool
preserves (cell mine, cell other, bool same_writer)
{
  if (mine.form == CELL_NOTHING || mine.form != other.form)
    return same_writer;
  return mine.kind == other.kind && mine.bits == other.bits
         && mine.position == other.position;
}

/* ---- reads ---- */
static unsigned
writer_before (const facts *f, unsigned read, unsigned a)
{
  unsigned writer = NOBODY;
  for (unsigned k = 0; k < f->rank[read]; k++)
    if (HAS (f->writers, f->order[k]) && covers_atom (f, f->order[k], a))
      writer = f->order[k];
  return writer;
}

/* The same in the order of the file, which must agree. */
static unsigned
writer_in_file (const facts *f, unsigned read, unsigned a)
{
  unsigned w = read;
  while (w-- > 0)
    if (HAS (f->writers, w) && covers_atom (f, w, a))
      return w;
  return NOBODY;
}

static bool
read_glimpse (facts *f, unsigned e, unsigned a, omen_err *err)
{
  glimpse *g = &f->glimpse[f->glimpse_count++];
  cell mine = cell_read (f, e, a);
  *g = (glimpse){ (uint8_t)e, (uint8_t)a, (uint8_t)writer_before (f, e, a), 0,
                  false };
  if (g->saw != writer_in_file (f, e, a))
    return omen_err_set (err, "oracle", "event %u: no order explains it", e);
  g->initial_value = preserves (mine, cell_initial (f, a), g->saw == NOBODY);
  for (unsigned w = 0; w < f->count; w++)
    if (HAS (f->writers, w) && covers_atom (f, w, a)
        && preserves (mine, cell_written (f, w, a), g->saw == w))
      g->as_value |= ONE (w);
  if (g->saw == NOBODY ? !g->initial_value : !HAS (g->as_value, g->saw))
    return omen_err_set (err, "oracle", "event %u reads another value", e);
  return true;
}

static bool
read_event (facts *f, unsigned e, omen_err *err)
{
  f->first_glimpse[e] = (uint16_t)f->glimpse_count;
  if (f->glimpse_count + f->atoms[e] > MOST_GLIMPSES)
    return facts_too_much (f, err, "reads");
  for (unsigned k = 0; k < f->atoms[e]; k++)
    if (!read_glimpse (f, e, f->first_atom[e] + k, err))
      return false;
  return true;
}

/* Rule 4 for memory blocks and ext. */
static void
need_neighbours (facts *f, unsigned e)
{
  for (unsigned i = 0; i < f->count; i++) {
    if (i == e || !HAS (f->overlaps[e], i))
      continue;
    if (f->kind[e] == OMEN_ALLOC)
      f->need[i] |= ONE (e);
    if (f->kind[e] == OMEN_EXTERNAL && f->rank[i] < f->rank[e])
      f->need[e] |= ONE (i);
    if (f->kind[e] == OMEN_EXTERNAL && f->rank[i] > f->rank[e])
      f->need[i] |= ONE (e);
  }
}

bool
facts_memory (facts *f, omen_err *err)
{
  uint32_t variables = f->trace->names[OMEN_OPERAND_VARIABLE].count;
  for (omen_vid v = 0; v < variables; v++)
    if (!cut_variable (f, v, err))
      return false;
  for (unsigned e = 0; e < f->count; e++)
    if (HAS (f->accesses, e))
      spread (f, e);
  for (unsigned a = 0; a < f->count; a++)
    for (unsigned b = 0; b < f->count; b++)
      if (HAS (f->accesses, a) && HAS (f->accesses, b)
          && share_an_atom (f, a, b))
        f->overlaps[a] |= ONE (b);
  for (unsigned e = 0; e < f->count; e++) {
    if (HAS (f->readers, e) && !read_event (f, e, err))
      return false;
    if (HAS (f->accesses, e))
      need_neighbours (f, e);
  }
  return true;
}
