/* Which places overlap the variable, or the part of one, that a name
   denotes. */
#include "witness/observe_state.h"

#include <string.h>

typedef struct search {
  const char *pattern;
  bool found;
  omen_bit_range part;
} search;

static bool
look_at_part (void *data, const char *name, const omen_bit_range *part)
{
  search *s = data;
  if (!s->found && omen_pattern_fits (s->pattern, name)) {
    s->found = true;
    s->part = *part;
  }
  return !s->found && omen_pattern_may_begin (s->pattern, name);
}

/* The variable's names: in the trace, and in the source or NULL. */
static void
names_of (const omen_trace *trace, omen_vid v, const char *names[2])
{
  omen_variable_shape shape = omen_layouts_of (&trace->layouts, v);
  names[0] = omen_trace_variable_name (trace, v);
  names[1] = shape.source == OMEN_NONE
                 ? NULL
                 : omen_names_text (&trace->strings, shape.source);
}

static uint32_t
find_part (omen_observer *o, const omen_place *place, const char *pattern)
{
  const char *names[2];
  search s = { .pattern = pattern };
  names_of (o->trace, place->variable, names);
  for (unsigned i = 0; i < 2 && !s.found; i++)
    if (names[i] && omen_pattern_may_begin (pattern, names[i]))
      omen_parts_visit (o->trace, place, names[i], look_at_part, &s);
  if (!s.found)
    return OMEN_FITS_NOT;
  OMEN_VEC_PUSH (o->parts, s.part);
  return OMEN_FITS_PART + (uint32_t)o->parts.count - 1;
}

static bool
is_variable (const omen_trace *trace, omen_vid v, const char *pattern)
{
  const char *names[2];
  names_of (trace, v, names);
  return omen_pattern_fits (pattern, names[0])
         || (names[1] && omen_pattern_fits (pattern, names[1]));
}

/* A heap block or a local: the point in `malloc@a.c:5` selects no field. */
static bool
is_block (const omen_trace *trace, omen_vid v)
{
  return strchr (omen_trace_variable_name (trace, v), '@');
}

uint32_t *
omen_places_fitting (omen_observer *o, const char *pattern)
{
  const omen_trace *trace = o->trace;
  bool typed = omen_pattern_is_typed (pattern);
  uint32_t variables = trace->names[OMEN_OPERAND_VARIABLE].count;
  uint8_t *whole = omen_zalloc (variables + 1, 1);
  uint32_t *fits = omen_zalloc (trace->places.count + 1, sizeof *fits);
  for (omen_vid v = 0; v < variables; v++)
    whole[v]
        = !(typed && is_block (trace, v)) && is_variable (trace, v, pattern);
  for (omen_pid p = 0; p < trace->places.count; p++) {
    const omen_place *place = &trace->places.data[p];
    OMEN_ASSERT (place->variable < variables);
    fits[p] = whole[place->variable] ? OMEN_FITS_WHOLE
                                     : find_part (o, place, pattern);
  }
  omen_free (whole);
  return fits;
}

/* ---- values ---- */

static const omen_bit_range *
part_of (const omen_observer *o, uint32_t fit)
{
  OMEN_ASSERT (fit >= OMEN_FITS_PART && fit - OMEN_FITS_PART < o->parts.count);
  return &o->parts.data[fit - OMEN_FITS_PART];
}

static uint64_t
bits_of (const omen_place *place)
{
  return place->size == OMEN_WHOLE ? OMEN_LAYOUT_BITS
                                   : 8 * (uint64_t)place->size;
}

static bool
is_inside (const omen_bit_range *part, const omen_place *place)
{
  return part->bit >= 0 && (uint64_t)part->bit + part->bits <= bits_of (place);
}

/* A part of a wider access, as bits of its value. */
static void
take_bits (const omen_bit_range *part, uint64_t bits, uint8_t *kind,
           uint64_t *value)
{
  unsigned rest = (unsigned)(64 - part->bits);
  bool bytes = part->bits == 8 || part->bits == 16 || part->bits == 32;
  OMEN_ASSERT (part->bits && part->bits <= 64 && part->bits <= bits);
  if (*kind != OMEN_VALUE_INT && *kind != OMEN_VALUE_BIG) {
    if (part->bits != bits) /* part of a pointer has no value */
      *kind = OMEN_VALUE_NONE;
    return;
  }
  *value = *value >> part->bit << rest;
  *value = part->is_signed || bytes ? (uint64_t)((int64_t)*value >> rest)
                                    : *value >> rest;
  *kind = OMEN_VALUE_INT;
}

static bool
is_real (const omen_observer *o, uint32_t fit, const omen_place *place)
{
  const omen_layouts *layouts = &o->trace->layouts;
  return fit == OMEN_FITS_WHOLE
             ? omen_layout_is_real (
                   layouts, omen_layouts_of (layouts, place->variable).layout)
             : part_of (o, fit)->is_real;
}

/* The value of a float or a double, if the access has all of it. */
static void
take_real (const omen_bit_range *part, const omen_place *place, uint8_t *kind,
           uint64_t *value)
{
  bool whole = !part || (part->bit == 0 && part->bits == bits_of (place));
  double real;
  float small;
  if ((*kind != OMEN_VALUE_INT && *kind != OMEN_VALUE_BIG) || !whole
      || (place->size != sizeof small && place->size != sizeof real)) {
    *kind = OMEN_VALUE_NONE;
    return;
  }
  memcpy (&small, value, sizeof small);
  memcpy (&real, value, sizeof real);
  real = place->size == sizeof small ? (double)small : real;
  memcpy (value, &real, sizeof real);
  *kind = OMEN_VALUE_REAL;
}

void
omen_part_value (const omen_observer *o, uint32_t fit, const omen_place *place,
                 uint8_t *kind, uint64_t *value)
{
  const omen_bit_range *part = fit == OMEN_FITS_WHOLE ? NULL : part_of (o, fit);
  int64_t bits = (int64_t)bits_of (place);
  if (is_real (o, fit, place)) {
    take_real (part, place, kind, value);
    return;
  }
  if (!part || (part->bit <= 0 && part->bit + (int64_t)part->bits >= bits))
    omen_signed_value (place, kind, value);
  else if (*kind == OMEN_VALUE_NONE || bits > 64 || !is_inside (part, place))
    *kind = OMEN_VALUE_NONE;
  else
    take_bits (part, (uint64_t)bits, kind, value);
}

uint64_t
omen_part_unsigned (const omen_observer *o, uint32_t fit,
                    const omen_place *place)
{
  const omen_layouts *layouts = &o->trace->layouts;
  const omen_bit_range *part = fit == OMEN_FITS_WHOLE ? NULL : part_of (o, fit);
  bool known
      = part ? part->is_unsigned
             : omen_layout_is_unsigned (
                   layouts, omen_layouts_of (layouts, place->variable).layout);
  uint64_t bits = part ? part->bits : bits_of (place);
  return known && bits < 64 ? (UINT64_C (1) << bits) - 1 : UINT64_MAX;
}

uint32_t
omen_part_owner (const omen_observer *o, uint32_t fit, const omen_place *place)
{
  int64_t owner = fit == OMEN_FITS_WHOLE
                      ? 0
                      : (int64_t)place->offset + part_of (o, fit)->owner / 8;
  return owner < 0 ? 0 : (uint32_t)owner;
}

bool
omen_part_is_there (const omen_observer *o, uint32_t fit,
                    const omen_place *place)
{
  return fit == OMEN_FITS_WHOLE ? !place->offset
                                : is_inside (part_of (o, fit), place);
}
