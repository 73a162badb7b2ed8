/* How the variables of the program are laid out, and which bytes they hold at
   each step of its run. Where the trace does not tell what is written, it is
   chosen here so that the reads that see it see what they saw in the trace. */
#include "c_writer.h"

#include <stdlib.h>

#define LARGEST_STATIC ((uint32_t)1 << 20)
#define LARGEST_BLOCK ((uint32_t)1 << 26)
#define LARGEST_FOLLOWED                                                       \
  ((uint32_t)1 << 16) /* larger ones are not simulated                         \
                       */
#define NO_CELLS OMEN_NONE
#define UNKNOWN UINT64_MAX

/* One byte of the simulated memory: a number below 256, a piece of a pointer
   (high bit), or UNKNOWN as `writer` left it. */
typedef struct cell {
  uint64_t token;
  omen_eid writer; /* OMEN_NONE: nobody yet */
} cell;

typedef struct memory {
  omen_c *c;
  OMEN_VEC (cell) cells;
  uint32_t now; /* position of the event at hand */
} memory;

int64_t
omen_c_symbol (uint64_t symbol)
{
  return 1000000000 + (int64_t)symbol;
}

/* ---- layout ---- */

static omen_vid
variable_of (const omen_c *c, const omen_event *event)
{
  return c->trace->places.data[event->object].variable;
}

static bool
is_access (const omen_event *event)
{
  omen_operand operand = omen_kind_operand (event->kind);
  return operand == OMEN_OPERAND_PLACE || operand == OMEN_OPERAND_VARIABLE;
}

/* In the order of the run: first and last use, kinds of accesses. */
static void
look_at_events (omen_c *c)
{
  for (uint32_t p = 0; p < c->trace->events.count; p++) {
    omen_eid e = omen_c_at (c, p);
    const omen_event *event = omen_trace_event (c->trace, e);
    omen_c_variable *v;
    if (!is_access (event))
      continue;
    v = &c->variables[variable_of (c, event)];
    if (event->kind == OMEN_ALLOC && v->last == OMEN_NONE)
      v->alloc = e;
    else if (event->kind == OMEN_ALLOC)
      c->steps[e].act = OMEN_C_EARLY;
    v->last = e;
    if (!omen_kind_atomic (event->kind))
      v->plain = true;
  }
}

static uint32_t
block_size (const omen_c *c, const omen_c_variable *v)
{
  uint64_t size = c->trace->events.data[v->alloc].value;
  return size < LARGEST_BLOCK ? (uint32_t)size : LARGEST_BLOCK;
}

static void
look_at_places (omen_c *c)
{
  for (size_t i = 0; i < c->trace->places.count; i++) {
    const omen_place *place = &c->trace->places.data[i];
    omen_c_variable *v = &c->variables[place->variable];
    if (place->size != OMEN_WHOLE && place->offset + place->size > v->extent)
      v->extent = place->offset + place->size;
  }
}

static void
choose_storage (omen_c *c, omen_c_variable *v)
{
  OMEN_ASSERT (v->alloc == OMEN_NONE || v->last != OMEN_NONE);
  v->storage = OMEN_C_STATIC;
  if (v->alloc != OMEN_NONE) {
    v->storage = OMEN_C_HEAP;
    if (block_size (c, v) > v->extent)
      v->extent = block_size (c, v);
  } else if (v->extent > LARGEST_STATIC)
    v->storage = OMEN_C_MAPPED;
  if (!v->extent)
    v->extent = 8;
  v->scalar = v->storage == OMEN_C_STATIC
              && (v->extent == 1 || v->extent == 2 || v->extent == 4
                  || v->extent == 8);
}

static void
lay_out (omen_c *c)
{
  uint32_t count = c->trace->names[OMEN_OPERAND_VARIABLE].count;
  c->variables = omen_zalloc (count, sizeof *c->variables);
  for (omen_vid v = 0; v < count; v++) {
    c->variables[v].alloc = c->variables[v].last = OMEN_NONE;
    c->variables[v].first_cell = NO_CELLS;
  }
  look_at_events (c);
  look_at_places (c);
  for (omen_vid v = 0; v < count; v++)
    choose_storage (c, &c->variables[v]);
  for (size_t i = 0; i < c->trace->places.count; i++) {
    const omen_place *place = &c->trace->places.data[i];
    omen_c_variable *v = &c->variables[place->variable];
    if (place->size != OMEN_WHOLE && place->size != v->extent)
      v->scalar = false;
  }
  for (omen_vid v = 0; v < count; v++)
    c->variables[v].atomic = c->variables[v].scalar && !c->variables[v].plain
                             && c->variables[v].last != OMEN_NONE;
}

/* ---- bytes ---- */

/* The part of the variable that a place covers; false if it is not followed. */
static bool
range_of (memory *m, omen_pid place, uint32_t *offset, uint32_t *size,
          cell **cells)
{
  const omen_place *at = &m->c->trace->places.data[place];
  omen_c_variable *v = &m->c->variables[at->variable];
  *offset = at->offset;
  *size = at->size;
  if (at->size == OMEN_WHOLE)
    *size = v->extent;
  OMEN_ASSERT (*size && *offset <= v->extent && *size <= v->extent - *offset);
  if (v->extent > LARGEST_FOLLOWED)
    return false;
  if (v->first_cell == NO_CELLS) {
    if (m->cells.count + v->extent >= NO_CELLS)
      return false;
    v->first_cell = (uint32_t)m->cells.count;
    for (uint32_t i = 0; i < v->extent; i++)
      OMEN_VEC_PUSH (m->cells, ((cell){ UNKNOWN, OMEN_NONE }));
  }
  *cells = &m->cells.data[v->first_cell + *offset];
  return true;
}

/* Is there a block at the target of the pointer, before position `when`? */
static bool
points_somewhere (const omen_c *c, uint64_t pointer, uint32_t when)
{
  const omen_c_variable *v = &c->variables[pointer >> 32];
  OMEN_ASSERT (v->storage != OMEN_C_HEAP || v->alloc != OMEN_NONE);
  return v->storage != OMEN_C_HEAP || c->steps[v->alloc].position < when;
}

/* Byte i of a value; what a larger access has beyond 8 bytes is unknown. */
static uint64_t
token_of (const memory *m, unsigned kind, uint64_t value, uint32_t i)
{
  if (i >= 8)
    return UNKNOWN;
  if (kind == OMEN_VALUE_SYMBOL)
    value = (uint64_t)omen_c_symbol (value);
  else if (kind == OMEN_VALUE_POINTER
           && points_somewhere (m->c, value, m->now)) {
    uint64_t mixed = (value ^ value >> 31) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 29) * 0xc2b2ae3d27d4eb4fu + i;
    return (mixed & (((uint64_t)1 << 62) - 1)) | (uint64_t)1 << 63;
  } else if (kind == OMEN_VALUE_POINTER)
    value = (uint32_t)value; /* of a block that is not there: NULL + offset */
  return value >> 8 * i & 255;
}

/* More than 8 bytes of an integer mean nothing. */
static bool
means_something (const memory *m, omen_pid place, unsigned kind)
{
  const omen_place *at = &m->c->trace->places.data[place];
  return kind != OMEN_VALUE_NONE
         && (at->size == OMEN_WHOLE || at->size <= 8
             || (kind != OMEN_VALUE_INT && kind != OMEN_VALUE_BIG));
}

static void
put (memory *m, omen_eid e, omen_pid place, unsigned kind, uint64_t value)
{
  uint32_t offset, size;
  cell *cells;
  bool known = means_something (m, place, kind);
  if (!range_of (m, place, &offset, &size, &cells))
    return;
  for (uint32_t i = 0; i < size; i++)
    cells[i] = (cell){ known ? token_of (m, kind, value, i) : UNKNOWN, e };
}

/* ---- what is chosen ---- */

static bool
one_unknown_writer (const cell *cells, uint32_t size)
{
  for (uint32_t i = 0; i < size; i++)
    if (cells[i].token != UNKNOWN || cells[i].writer != cells[0].writer)
      return false;
  return true;
}

/* Could the writer have had this pointer? */
static bool
had_pointer (const memory *m, omen_eid writer, uint64_t pointer)
{
  uint32_t when = writer == OMEN_NONE ? 0 : m->c->steps[writer].position;
  return points_somewhere (m->c, pointer, when);
}

static void
choose (memory *m, omen_vid variable, omen_c_fill fill, cell *cells,
        uint32_t size)
{
  fill.writer = cells[0].writer;
  fill.variable = variable;
  if (fill.kind == OMEN_VALUE_POINTER
      && !had_pointer (m, fill.writer, fill.value))
    return;
  OMEN_ASSERT (cells[0].token == UNKNOWN && size <= 8);
  OMEN_VEC_PUSH (m->c->fills, fill);
  for (uint32_t i = 0; i < size; i++)
    cells[i].token = token_of (m, fill.kind, fill.value, i);
}

static void
choose_bytes (memory *m, omen_vid variable, const omen_c_fill *fill,
              cell *cells, uint32_t size)
{
  for (uint32_t i = 0; i < size; i++) {
    uint64_t token = token_of (m, fill->kind, fill->value, i);
    if (cells[i].token == UNKNOWN && token < 256)
      choose (m, variable,
              (omen_c_fill){ .offset = fill->offset + i,
                             .size = 1,
                             .kind = OMEN_VALUE_INT,
                             .value = token },
              &cells[i], 1);
  }
}

/* A read of a value: true if the program's read will see it. */
static bool
see (memory *m, omen_pid place, unsigned kind, uint64_t value)
{
  omen_vid variable = m->c->trace->places.data[place].variable;
  omen_c_fill fill = { .kind = (uint8_t)kind, .value = value };
  cell *cells;
  if (!means_something (m, place, kind)
      || !range_of (m, place, &fill.offset, &fill.size, &cells))
    return false;
  if (fill.size > 8) /* the others say nothing */
    fill.size = 8;
  if (one_unknown_writer (cells, fill.size))
    choose (m, variable, fill, cells, fill.size);
  else
    choose_bytes (m, variable, &fill, cells, fill.size);
  for (uint32_t i = 0; i < fill.size; i++)
    if (cells[i].token != token_of (m, kind, value, i))
      return false;
  return true;
}

/* ---- the run ---- */

static void
begin_run (memory *m)
{
  const omen_trace *trace = m->c->trace;
  for (size_t i = trace->inits.count; i-- > 0;) { /* the last one counts */
    const omen_init *init = &trace->inits.data[i];
    see (m, init->place, init->value_kind, init->value);
  }
}

static void
run_event (memory *m, omen_eid e)
{
  omen_c_step *step = &m->c->steps[e];
  const omen_event *event = omen_trace_event (m->c->trace, e);
  const omen_rmw *rmw;
  switch (event->kind) {
  case OMEN_READ:
  case OMEN_ATOMIC_READ:
    step->check = see (m, event->object, event->value_kind, event->value);
    break;
  case OMEN_WRITE:
  case OMEN_ATOMIC_WRITE:
    put (m, e, event->object, event->value_kind, event->value);
    break;
  case OMEN_ATOMIC_RMW:
    rmw = &m->c->trace->rmws.data[event->value];
    step->check = see (m, event->object, rmw->value_kind[0], rmw->value[0]);
    put (m, e, event->object, rmw->value_kind[1], rmw->value[1]);
    break;
  case OMEN_ALLOC:
  case OMEN_EXTERNAL:
    put (m, e, event->object, OMEN_VALUE_NONE, 0);
    break;
  case OMEN_FREE:
    if (m->c->variables[variable_of (m->c, event)].last != e)
      step->act = OMEN_C_USED;
    break;
  default:
    break;
  }
}

static int
by_writer (const void *a, const void *b)
{
  const omen_c_fill *x = a, *y = b;
  if (x->writer != y->writer)
    return x->writer < y->writer ? -1 : 1;
  if (x->variable != y->variable)
    return x->variable < y->variable ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void
omen_c_fills_of (const omen_c *c, omen_eid writer, omen_vid variable,
                 size_t *first, size_t *end)
{
  omen_c_fill key = { .writer = writer, .variable = variable };
  size_t low = 0, high = c->fills.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (by_writer (&c->fills.data[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  *first = *end = low;
  while (*end < c->fills.count && c->fills.data[*end].writer == writer
         && c->fills.data[*end].variable == variable)
    ++*end;
}

/* What C has no atomic access for. */
static bool
atomics_fit (omen_c *c)
{
  const omen_trace *trace = c->trace;
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = omen_trace_event (trace, e);
    char name[OMEN_EVENT_NAME_MAX], text[200];
    uint32_t size;
    if (!omen_kind_atomic (event->kind))
      continue;
    size = trace->places.data[event->object].size;
    if (size == OMEN_WHOLE)
      size = c->variables[variable_of (c, event)].extent;
    if (size == 1 || size == 2 || size == 4 || size == 8)
      continue;
    omen_text_operation (trace, e, text, sizeof text);
    return omen_err_set (c->err, omen_names_text (&trace->strings, trace->path),
                         "event %u (%s %s): C has no atomic access to %u bytes",
                         e, omen_trace_event_name (trace, e, name), text, size);
  }
  return true;
}

bool
omen_c_memory (omen_c *c)
{
  memory m = { .c = c };
  lay_out (c);
  if (!atomics_fit (c))
    return false;
  begin_run (&m);
  for (; m.now < c->trace->events.count; m.now++)
    run_event (&m, omen_c_at (c, m.now));
  OMEN_VEC_FINI (m.cells);
  if (c->fills.count)
    qsort (c->fills.data, c->fills.count, sizeof *c->fills.data, by_writer);
  return true;
}

void
omen_c_memory_fini (omen_c *c)
{
  omen_free (c->variables);
  OMEN_VEC_FINI (c->fills);
}
