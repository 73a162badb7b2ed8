/* Constants, addresses, reads and writes of the C export. */
#include "c_writer.h"

#define LARGEST_ACCESS ((uint32_t)1 << 16)

static const char *const orders[]
    = { "memory_order_seq_cst", "memory_order_relaxed", "memory_order_acquire",
        "memory_order_release", "memory_order_acq_rel" };

/* A size that a C type has. */
static bool
has_type (uint32_t size)
{
  return size == 1 || size == 2 || size == 4 || size == 8;
}

/* ---- constants ---- */

/* As a read of `size` bytes into 64 bits gives it. */
static int64_t
as_read (uint64_t value, uint32_t size)
{
  unsigned unused = size < 8 ? 64 - 8 * size : 0;
  if (!has_type (size))
    return (int64_t)(value << unused >> unused);
  return (int64_t)(value << unused) >> unused;
}

static void
number (omen_line *line, int64_t n)
{
  if (n == INT64_MIN)
    omen_c_say (line, "INT64_MIN");
  else if (n > -2147483648 && n <= 2147483647)
    omen_c_say (line, "%d", (int)n);
  else
    omen_c_say (line, "INT64_C (%lld)", (long long)n);
}

/* The address of a byte of a variable, as a number. */
static void
address (const omen_c *c, omen_line *line, omen_vid variable, uint32_t offset)
{
  const omen_c_variable *v = &c->variables[variable];
  const char *name = omen_c_text (c, OMEN_OPERAND_VARIABLE, variable);
  omen_c_say (line, "((uintptr_t)%s%s%s + %u)",
              v->storage != OMEN_C_STATIC ? "omen_peek (&"
              : v->scalar                 ? "&"
                                          : "",
              name, v->storage != OMEN_C_STATIC ? ")" : "", offset);
}

void
omen_c_constant (const omen_c *c, omen_line *line, unsigned kind,
                 uint64_t value, uint32_t size)
{
  bool cut = size < 8;
  if (kind == OMEN_VALUE_INT || kind == OMEN_VALUE_BIG
      || kind == OMEN_VALUE_NONE) {
    number (line, as_read (kind ? value : 0, size));
    return;
  }
  if (kind == OMEN_VALUE_SYMBOL && cut) {
    number (line, as_read ((uint64_t)omen_c_symbol (value), size));
    return;
  }
  if (kind == OMEN_VALUE_SYMBOL) {
    omen_c_say (line, "%s",
                omen_names_text (&c->names.taken, c->names.symbol[value]));
    return;
  }
  OMEN_ASSERT (kind == OMEN_VALUE_POINTER);
  if (!cut)
    omen_c_say (line, "(int64_t)");
  else if (has_type (size))
    omen_c_say (line, "(int%u_t)", 8 * size);
  else
    omen_c_say (line, "(int64_t)(0x%llx & ", (1ull << 8 * size) - 1);
  address (c, line, (omen_vid)(value >> 32), (uint32_t)value);
  if (cut && !has_type (size))
    omen_c_say (line, ")");
}

/* ---- places ---- */

/* The bytes that an access of the place has. */
static uint32_t
size_of (const omen_c *c, const omen_place *place)
{
  uint32_t size = place->size;
  if (size == OMEN_WHOLE)
    size = c->variables[place->variable].extent;
  return size < LARGEST_ACCESS ? size : LARGEST_ACCESS;
}

/* Where it starts, a char *. */
static void
start_of (const omen_c *c, omen_line *line, omen_vid variable, uint32_t offset)
{
  const omen_c_variable *v = &c->variables[variable];
  const char *name = omen_c_text (c, OMEN_OPERAND_VARIABLE, variable);
  if (v->storage != OMEN_C_STATIC)
    omen_c_say (line, "omen_block (&%s)", name);
  else
    omen_c_say (line, v->scalar ? "(char *)&%s" : "%s", name);
  if (offset)
    omen_c_say (line, " + %u", offset);
}

/* What stands left of =. */
static void
lvalue (const omen_c *c, omen_line *line, const omen_place *place)
{
  if (c->variables[place->variable].scalar) {
    omen_c_say (line, "%s",
                omen_c_text (c, OMEN_OPERAND_VARIABLE, place->variable));
    return;
  }
  OMEN_ASSERT (has_type (size_of (c, place)));
  omen_c_say (line, "*(omen_i%u *)(", size_of (c, place));
  start_of (c, line, place->variable, place->offset);
  omen_c_say (line, ")");
}

static void
atomic_address (const omen_c *c, omen_line *line, const omen_place *place)
{
  const omen_c_variable *v = &c->variables[place->variable];
  if (v->atomic) {
    omen_c_say (line, "&%s",
                omen_c_text (c, OMEN_OPERAND_VARIABLE, place->variable));
    return;
  }
  OMEN_ASSERT (has_type (size_of (c, place)));
  omen_c_say (line, "(_Atomic int%u_t *)(", 8 * size_of (c, place));
  start_of (c, line, place->variable, place->offset);
  omen_c_say (line, ")");
}

/* ---- what is written ---- */

/* Numbers of the fills in [offset, offset + 8), put together; false if there
   are others. */
static bool
assemble (const omen_c *c, omen_eid writer, omen_vid variable, uint32_t offset,
          uint64_t *value)
{
  size_t i, end;
  bool all = true;
  *value = 0;
  omen_c_fills_of (c, writer, variable, &i, &end);
  for (; i < end; i++) {
    const omen_c_fill *fill = &c->fills.data[i];
    uint64_t part = fill->value;
    if (fill->kind == OMEN_VALUE_SYMBOL)
      part = (uint64_t)omen_c_symbol (part);
    if (fill->kind == OMEN_VALUE_POINTER || fill->offset < offset
        || fill->offset >= offset + 8) {
      all = false;
      continue;
    }
    if (fill->size < 8)
      part &= ((uint64_t)1 << 8 * fill->size) - 1;
    *value |= part << 8 * (fill->offset - offset);
  }
  return all;
}

/* The value that the event writes to the place; false if stores of fills must
   follow to make it complete. */
static bool
written (const omen_c *c, omen_eid e, const omen_place *place, unsigned *kind,
         uint64_t *value)
{
  uint32_t size = size_of (c, place);
  size_t first, end;
  OMEN_ASSERT (*kind < OMEN_VALUE_KINDS);
  omen_c_fills_of (c, e, place->variable, &first, &end);
  if (first == end)
    return true;
  if (*kind != OMEN_VALUE_NONE && (place->size == OMEN_WHOLE || size <= 8))
    return false; /* bytes beyond the value */
  if (end == first + 1 && c->fills.data[first].offset == place->offset
      && c->fills.data[first].size == size) {
    *kind = c->fills.data[first].kind;
    *value = c->fills.data[first].value;
    return true;
  }
  *kind = OMEN_VALUE_INT;
  return assemble (c, e, place->variable, place->offset, value);
}

void
omen_c_store_fills (const omen_c *c, omen_line *line, omen_eid writer,
                    omen_vid variable, bool pointers)
{
  size_t i, end;
  bool some = false;
  omen_c_fills_of (c, writer, variable, &i, &end);
  for (; i < end; i++) {
    const omen_c_fill *fill = &c->fills.data[i];
    if (pointers && fill->kind != OMEN_VALUE_POINTER)
      continue;
    if (!some)
      omen_c_say (line, "OMEN_IGNORE_BEGIN (); ");
    some = true;
    omen_c_say (line, "OMEN_PUT (");
    start_of (c, line, variable, fill->offset);
    omen_c_say (line, ", %u, ", fill->size);
    omen_c_constant (c, line, fill->kind, fill->value, fill->size);
    omen_c_say (line, "); ");
  }
  if (some)
    omen_c_say (line, "OMEN_IGNORE_END (); ");
}

void
omen_c_initial (const omen_c *c, omen_line *line, omen_vid variable)
{
  const omen_c_variable *v = &c->variables[variable];
  size_t i, end;
  uint64_t value;
  const char *before = " = { ";
  omen_c_fills_of (c, OMEN_NONE, variable, &i, &end);
  if (i == end)
    return;
  if (v->scalar) {
    assemble (c, OMEN_NONE, variable, 0, &value);
    omen_c_say (line, " = ");
    number (line, as_read (value, v->extent));
    return;
  }
  for (; i < end; i++) {
    const omen_c_fill *fill = &c->fills.data[i];
    value = fill->kind == OMEN_VALUE_SYMBOL
                ? (uint64_t)omen_c_symbol (fill->value)
                : fill->value;
    if (fill->kind == OMEN_VALUE_POINTER)
      continue;
    for (uint32_t b = 0; b < fill->size && b < 8; b++) {
      omen_c_say (line, "%s[%u] = %d", before, fill->offset + b,
                  (int)(int8_t)(value >> 8 * b));
      before = ", ";
    }
  }
  if (before[0] == ',')
    omen_c_say (line, " }");
}

/* ---- statements ---- */

static void
check (const omen_c *c, omen_line *line, omen_eid e, unsigned kind,
       uint64_t value, uint32_t size)
{
  if (c->free || !c->steps[e].check)
    return;
  omen_c_say (line, "omen_saw (%u, omen_got, ", e);
  omen_c_constant (c, line, kind, value, size);
  omen_c_say (line, "); ");
}

static void
read_plain (const omen_c *c, omen_line *line, const omen_place *place)
{
  uint32_t size = size_of (c, place);
  if (has_type (size)) {
    omen_c_say (line, "omen_got = ");
    lvalue (c, line, place);
    omen_c_say (line, "; ");
    return;
  }
  omen_c_say (line, "OMEN_GET (");
  start_of (c, line, place->variable, place->offset);
  omen_c_say (line, ", %u, omen_got); ", size);
}

static void
write_plain (const omen_c *c, omen_line *line, const omen_place *place,
             unsigned kind, uint64_t value)
{
  uint32_t size = size_of (c, place);
  if (has_type (size)) {
    lvalue (c, line, place);
    omen_c_say (line, " = ");
    omen_c_constant (c, line, kind, value, size);
    omen_c_say (line, "; ");
    return;
  }
  omen_c_say (line, "OMEN_PUT (");
  start_of (c, line, place->variable, place->offset);
  omen_c_say (line, ", %u, ", size);
  omen_c_constant (c, line, kind, value, size);
  omen_c_say (line, "); ");
}

static void
say_atomic (const omen_c *c, omen_line *line, const omen_event *event,
            unsigned kind, uint64_t value)
{
  const omen_place *place = &c->trace->places.data[event->object];
  omen_c_say (line, event->kind == OMEN_ATOMIC_READ
                        ? "omen_got = atomic_load_explicit ("
                    : event->kind == OMEN_ATOMIC_WRITE
                        ? "atomic_store_explicit ("
                        : "omen_got = atomic_exchange_explicit (");
  atomic_address (c, line, place);
  omen_c_say (line, ", ");
  if (event->kind != OMEN_ATOMIC_READ) {
    omen_c_constant (c, line, kind, value, size_of (c, place));
    omen_c_say (line, ", ");
  }
  omen_c_say (line, "%s); ", orders[event->order]);
}

static void
write_access (const omen_c *c, omen_line *line, omen_eid e, unsigned kind,
              uint64_t value)
{
  const omen_event *event = omen_trace_event (c->trace, e);
  const omen_place *place = &c->trace->places.data[event->object];
  bool complete = written (c, e, place, &kind, &value);
  if (event->kind == OMEN_WRITE)
    write_plain (c, line, place, kind, value);
  else
    say_atomic (c, line, event, kind, value);
  if (!complete)
    omen_c_store_fills (c, line, e, place->variable, false);
}

/* alloc(p,8); the trace may use more of the block than it says. */
static void
allocate (const omen_c *c, omen_line *line, omen_eid e, omen_vid variable)
{
  if (c->steps[e].act == OMEN_C_DO)
    omen_c_say (line, "OMEN_NEW (%s, %u); ",
                omen_c_text (c, OMEN_OPERAND_VARIABLE, variable),
                c->variables[variable].extent);
  omen_c_store_fills (c, line, e, variable, false);
}

/* free(p) of a block, or the end of any other object. */
static void
release (const omen_c *c, omen_line *line, omen_eid e, omen_vid variable)
{
  bool block = c->variables[variable].storage == OMEN_C_HEAP;
  omen_c_say (line,
              block && c->steps[e].act == OMEN_C_DO ? "free (" : "OMEN_DEAD (");
  start_of (c, line, variable, 0);
  omen_c_say (line, "); ");
}

void
omen_c_access (const omen_c *c, omen_line *line, omen_eid e)
{
  const omen_event *event = omen_trace_event (c->trace, e);
  const omen_place *place = &c->trace->places.data[event->object];
  const omen_rmw *rmw;
  switch (event->kind) {
  case OMEN_READ:
    read_plain (c, line, place);
    check (c, line, e, event->value_kind, event->value, size_of (c, place));
    break;
  case OMEN_ATOMIC_READ:
    say_atomic (c, line, event, OMEN_VALUE_NONE, 0);
    check (c, line, e, event->value_kind, event->value, size_of (c, place));
    break;
  case OMEN_WRITE:
  case OMEN_ATOMIC_WRITE:
    write_access (c, line, e, event->value_kind, event->value);
    break;
  case OMEN_ATOMIC_RMW:
    rmw = &c->trace->rmws.data[event->value];
    write_access (c, line, e, rmw->value_kind[1], rmw->value[1]);
    check (c, line, e, rmw->value_kind[0], rmw->value[0], size_of (c, place));
    break;
  case OMEN_ALLOC:
    allocate (c, line, e, place->variable);
    break;
  case OMEN_FREE:
    release (c, line, e, place->variable);
    break;
  default:
    OMEN_ASSERT (event->kind == OMEN_EXTERNAL);
    omen_c_store_fills (c, line, e, place->variable, false);
  }
}
