#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

/* (variable, offset, size) -> place, open addressing; 0 is empty. */
struct omen_place_table {
  uint32_t *slots;
  uint32_t mask;
};

#define FIRST_SLOTS OMEN_HARD_OR (2, 256)

omen_trace *
omen_trace_new (const char *path)
{
  omen_trace *trace = omen_zalloc (1, sizeof *trace);
  for (int i = 0; i < OMEN_OPERANDS; i++)
    omen_names_init (&trace->names[i]);
  omen_names_init (&trace->locations);
  omen_names_init (&trace->symbols);
  omen_names_init (&trace->strings);
  trace->place_table = omen_zalloc (1, sizeof *trace->place_table);
  trace->place_table->slots = omen_zalloc (FIRST_SLOTS, sizeof (uint32_t));
  trace->place_table->mask = FIRST_SLOTS - 1;
  trace->program = OMEN_NONE;
  trace->death.thread = OMEN_NONE;
  trace->path = omen_names_id (&trace->strings, path, strlen (path));
  return trace;
}

void
omen_trace_free (omen_trace *trace)
{
  if (!trace)
    return;
  for (int i = 0; i < OMEN_OPERANDS; i++)
    omen_names_fini (&trace->names[i]);
  omen_names_fini (&trace->locations);
  omen_names_fini (&trace->symbols);
  omen_names_fini (&trace->strings);
  omen_free (trace->place_table->slots);
  omen_free (trace->place_table);
  omen_free (trace->index);
  omen_free (trace->by_thread);
  OMEN_VEC_FINI (trace->events);
  OMEN_VEC_FINI (trace->places);
  OMEN_VEC_FINI (trace->threads);
  OMEN_VEC_FINI (trace->inits);
  OMEN_VEC_FINI (trace->rmws);
  OMEN_VEC_FINI (trace->emits);
  OMEN_VEC_FINI (trace->emit_args);
  OMEN_VEC_FINI (trace->extras);
  OMEN_VEC_FINI (trace->dependences);
  OMEN_VEC_FINI (trace->stacks);
  OMEN_VEC_FINI (trace->modules);
  OMEN_VEC_FINI (trace->sources);
  OMEN_VEC_FINI (trace->homes);
  omen_layouts_fini (&trace->layouts);
  OMEN_VEC_FINI (trace->items);
  OMEN_VEC_FINI (trace->interrupts);
  OMEN_VEC_FINI (trace->warnings);
  omen_free (trace);
}

uint32_t
omen_trace_name (omen_trace *trace, omen_operand table, const char *text,
                 size_t length)
{
  OMEN_REQUIRE (table < OMEN_OPERANDS && table != OMEN_OPERAND_THREAD);
  return omen_names_id (&trace->names[table], text, length);
}

omen_tid
omen_trace_thread (omen_trace *trace, const char *text, size_t length)
{
  omen_tid t = omen_names_id (&trace->names[OMEN_OPERAND_THREAD], text, length);
  while (trace->threads.count <= t)
    OMEN_VEC_PUSH (trace->threads,
                   ((omen_thread){ OMEN_NONE, OMEN_NONE, 0, 0 }));
  return t;
}

/* Offsets are mostly multiples of 8, so the high bits are mixed into the low
   ones. */
static uint32_t
place_hash (const omen_place *p)
{
  uint64_t h = ((uint64_t)p->variable << 32 | p->offset) + p->size;
  h = (h ^ h >> 32) * UINT64_C (0x9e3779b97f4a7c15);
  h = (h ^ h >> 29) * UINT64_C (0xbf58476d1ce4e5b9);
  return (uint32_t)(h >> 32);
}

static uint32_t *
place_slot (const omen_trace *trace, const omen_place *place)
{
  struct omen_place_table *table = trace->place_table;
  uint32_t i = place_hash (place) & table->mask;
  while (table->slots[i]
         && memcmp (&trace->places.data[table->slots[i] - 1], place,
                    sizeof *place))
    i = (i + 1) & table->mask;
  return &table->slots[i];
}

omen_pid
omen_trace_place (omen_trace *trace, omen_vid variable, uint32_t offset,
                  uint32_t size)
{
  omen_place place = { variable, offset, size };
  uint32_t *slot = place_slot (trace, &place);
  if (*slot)
    return *slot - 1;
  OMEN_REQUIRE (trace->places.count < OMEN_NONE - 1);
  OMEN_VEC_PUSH (trace->places, place);
  *slot = (uint32_t)trace->places.count;
  if (trace->places.count > trace->place_table->mask / 2) {
    struct omen_place_table *table = trace->place_table;
    OMEN_REQUIRE (table->mask < UINT32_MAX / 2);
    omen_free (table->slots);
    table->mask = 2 * table->mask + 1;
    table->slots = omen_zalloc ((size_t)table->mask + 1, sizeof (uint32_t));
    for (uint32_t p = 0; p < trace->places.count; p++)
      *place_slot (trace, &trace->places.data[p]) = p + 1;
  }
  return (omen_pid)trace->places.count - 1;
}

omen_eid
omen_trace_add (omen_trace *trace, const omen_event *event)
{
  OMEN_REQUIRE (!trace->index && trace->events.count < OMEN_NONE - 1);
  OMEN_VEC_PUSH (trace->events, *event);
  return (omen_eid)trace->events.count - 1;
}

void
omen_trace_home (omen_trace *trace, omen_lid lock, omen_home home)
{
  while (trace->homes.count <= lock)
    OMEN_VEC_PUSH (trace->homes, ((omen_home){ OMEN_NONE, OMEN_NONE, 0, 0 }));
  trace->homes.data[lock] = home;
}

void
omen_trace_warn (omen_trace *trace, const char *format, ...)
{
  char text[512];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  OMEN_VEC_PUSH (trace->warnings,
                 omen_names_id (&trace->strings, text, strlen (text)));
}
