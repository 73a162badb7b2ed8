/* Values of a trace as texts, each text once: equal texts are one object. */
#include "witness/observe_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
text_value (omen_observer *o, const char *text)
{
  return omen_names_id (&o->texts, text, strlen (text));
}

/* Variables whose name was used before are distinguished by a number. */
void
omen_ordinals_init (omen_observer *o)
{
  const omen_names *names = &o->trace->names[OMEN_OPERAND_VARIABLE];
  omen_names seen;
  omen_ids counts = { 0 };
  o->ordinals = omen_zalloc (names->count + 1, sizeof *o->ordinals);
  omen_names_init (&seen);
  for (uint32_t v = 0; v < names->count; v++) {
    const omen_name *name = &names->names[v];
    uint32_t id = omen_names_id (&seen, name->text, name->length);
    if (id == counts.count)
      OMEN_VEC_PUSH (counts, 0u);
    o->ordinals[v] = counts.data[id]++;
  }
  OMEN_VEC_FINI (counts);
  omen_names_fini (&seen);
}

uint64_t
omen_text_variable (omen_observer *o, omen_vid v, bool address)
{
  char text[600];
  const char *name = omen_trace_variable_name (o->trace, v);
  if (o->ordinals[v])
    snprintf (text, sizeof text, "%s%.500s~%u", address ? "&" : "", name,
              o->ordinals[v]);
  else
    snprintf (text, sizeof text, "%s%.500s", address ? "&" : "", name);
  return text_value (o, text);
}

uint64_t
omen_text_inside (omen_observer *o, omen_vid v, uint32_t offset)
{
  uint64_t whole = omen_text_variable (o, v, false);
  char text[700];
  if (!offset)
    return whole;
  snprintf (text, sizeof text, "%.600s+%u",
            omen_names_text (&o->texts, (uint32_t)whole), offset);
  return text_value (o, text);
}

uint64_t
omen_text_name (omen_observer *o, omen_operand table, uint32_t id)
{
  return text_value (o, omen_names_text (&o->trace->names[table], id));
}

static uint64_t
pointer_text (omen_observer *o, uint64_t value)
{
  uint64_t block = omen_text_variable (o, (omen_vid)(value >> 32), true);
  char text[700];
  if (!(uint32_t)value)
    return block;
  snprintf (text, sizeof text, "%.600s+%u",
            omen_names_text (&o->texts, (uint32_t)block), (uint32_t)value);
  return text_value (o, text);
}

/* The shortest text that reads back as the same double. */
static uint64_t
real_text (omen_observer *o, uint64_t bits)
{
  char text[40];
  double value, again;
  memcpy (&value, &bits, sizeof value);
  for (int digits = 6; digits <= 17; digits++) {
    snprintf (text, sizeof text, "%.*g", digits, value);
    again = strtod (text, NULL);
    if (again == value)
      break;
  }
  return text_value (o, text);
}

static uint64_t
integer_text (omen_observer *o, uint8_t kind, uint64_t value)
{
  char text[32];
  if (kind == OMEN_VALUE_INT)
    snprintf (text, sizeof text, "%" PRId64, (int64_t)value);
  else
    snprintf (text, sizeof text, "%" PRIu64, value);
  return text_value (o, text);
}

/* An integer and a big one with the same bits are different texts: only the
   former are remembered. */
uint64_t
omen_text_value (omen_observer *o, uint8_t kind, uint64_t value)
{
  omen_map *known = kind == OMEN_VALUE_INT      ? &o->integers
                    : kind == OMEN_VALUE_SYMBOL ? &o->symbols
                                                : NULL;
  uint32_t *slot = NULL, text;
  if (known && value != OMEN_MAP_NO_KEY) {
    slot = omen_map_at (known, value);
    if (*slot != OMEN_NONE)
      return *slot;
  }
  text = (uint32_t)(kind == OMEN_VALUE_SYMBOL
                        ? text_value (o, omen_names_text (&o->trace->symbols,
                                                          (uint32_t)value))
                    : kind == OMEN_VALUE_POINTER ? pointer_text (o, value)
                    : kind == OMEN_VALUE_NONE    ? text_value (o, "?")
                    : kind == OMEN_VALUE_REAL    ? real_text (o, value)
                                              : integer_text (o, kind, value));
  if (slot)
    *slot = text;
  return text;
}

void
omen_signed_value (const omen_place *place, uint8_t *kind, uint64_t *value)
{
  uint32_t size = place->size;
  unsigned rest = 64 - 8 * size;
  if ((*kind != OMEN_VALUE_INT && *kind != OMEN_VALUE_BIG)
      || (size != 1 && size != 2 && size != 4 && size != 8))
    return;
  *value = (uint64_t)((int64_t)(*value << rest) >> rest);
  *kind = OMEN_VALUE_INT;
}

omen_datum
omen_datum_of (omen_observer *o, uint8_t kind, uint64_t value)
{
  if (kind == OMEN_VALUE_NONE)
    return (omen_datum){ OMEN_DATUM_UNKNOWN, 0 };
  if (kind == OMEN_VALUE_INT || kind == OMEN_VALUE_BIG)
    return (omen_datum){ OMEN_DATUM_INTEGER, value };
  if (kind == OMEN_VALUE_REAL)
    return (omen_datum){ OMEN_DATUM_REAL, value };
  return (omen_datum){ OMEN_DATUM_TEXT, omen_text_value (o, kind, value) };
}

const char *
omen_observer_text (const omen_observer *o, uint64_t value)
{
  OMEN_REQUIRE (value < o->texts.count);
  return omen_names_text (&o->texts, (uint32_t)value);
}
