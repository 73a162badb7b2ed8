#include "rename.h"

#include <stdio.h>
#include <string.h>

/* Names that decide nothing but who is who. */
static bool
is_renamed (unsigned table)
{
  return table >= OMEN_OPERAND_VARIABLE && table <= OMEN_OPERAND_OBJECT;
}

static uint32_t
turned (const omen_trace *trace, unsigned table, uint32_t id)
{
  return is_renamed (table) && id != OMEN_NONE
             ? trace->names[table].count - 1 - id
             : id;
}

static void
copy_names (const omen_names *from, omen_names *to)
{
  for (uint32_t i = 0; i < from->count; i++)
    omen_names_again (to, from->names[i].text, from->names[i].length);
}

static void
new_names (const omen_trace *old, omen_trace *new)
{
  char text[32];
  for (unsigned table = 0; table < OMEN_OPERANDS; table++) {
    if (!is_renamed (table)) {
      copy_names (&old->names[table], &new->names[table]);
      continue;
    }
    for (uint32_t i = 0; i < old->names[table].count; i++) {
      size_t length = (size_t)snprintf (text, sizeof text, "n%u_%u", table, i);
      if (table == OMEN_OPERAND_THREAD)
        omen_trace_thread (new, text, length);
      else
        omen_names_again (&new->names[table], text, length);
    }
  }
  copy_names (&old->locations, &new->locations);
  copy_names (&old->symbols, &new->symbols);
  for (size_t i = 0; i < old->places.count; i++) {
    const omen_place *p = &old->places.data[i];
    omen_trace_place (new, turned (old, OMEN_OPERAND_VARIABLE, p->variable),
                      p->offset, p->size);
  }
}

static uint64_t
new_value (const omen_trace *old, unsigned kind, uint64_t value)
{
  uint32_t variable = (uint32_t)(value >> 32);
  if (kind != OMEN_VALUE_POINTER)
    return value;
  variable = turned (old, OMEN_OPERAND_VARIABLE, variable);
  return (uint64_t)variable << 32 | (uint32_t)value;
}

static void
new_events (const omen_trace *old, omen_trace *new)
{
  for (size_t i = 0; i < old->events.count; i++) {
    omen_event event = old->events.data[i];
    unsigned operand = omen_kind_operand (event.kind);
    if (operand > OMEN_OPERAND_VARIABLE)
      event.object = turned (old, operand, event.object);
    if (event.kind == OMEN_WAIT || event.kind == OMEN_WAKE)
      event.value = turned (old, OMEN_OPERAND_LOCK, (uint32_t)event.value);
    else
      event.value = new_value (old, event.value_kind, event.value);
    event.thread = turned (old, OMEN_OPERAND_THREAD, event.thread);
    omen_trace_add (new, &event);
  }
}

/* Indices in threads stay; stacks are left out. */
static void
new_extras (const omen_trace *old, omen_trace *new)
{
  for (size_t i = 0; i < old->extras.count; i++) {
    omen_extra extra = old->extras.data[i];
    extra.stack = OMEN_NONE;
    OMEN_VEC_PUSH (new->extras, extra);
  }
  for (size_t i = 0; i < old->dependences.count; i++)
    OMEN_VEC_PUSH (new->dependences, old->dependences.data[i]);
}

omen_trace *
renamed_trace (const omen_trace *old)
{
  omen_trace *new = omen_trace_new ("renamed");
  omen_err err = { 0 };
  bool sealed;
  new_names (old, new);
  for (size_t i = 0; i < old->inits.count; i++) {
    omen_init init = old->inits.data[i];
    init.value = new_value (old, init.value_kind, init.value);
    OMEN_VEC_PUSH (new->inits, init);
  }
  for (size_t i = 0; i < old->rmws.count; i++) {
    omen_rmw rmw = old->rmws.data[i];
    for (int j = 0; j < 2; j++)
      rmw.value[j] = new_value (old, rmw.value_kind[j], rmw.value[j]);
    OMEN_VEC_PUSH (new->rmws, rmw);
  }
  for (size_t i = 0; i < old->emits.count; i++)
    OMEN_VEC_PUSH (new->emits, ((omen_emit){ 0, 0 }));
  new_events (old, new);
  new_extras (old, new);
  sealed = omen_trace_seal (new, &err);
  OMEN_REQUIRE (sealed);
  return new;
}
