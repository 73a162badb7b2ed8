#include "trace/layout.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME_ROOM 1024
#define DEPTH_MAX 16u

void
omen_layouts_fini (omen_layouts *layouts)
{
  OMEN_VEC_FINI (layouts->list);
  OMEN_VEC_FINI (layouts->members);
  OMEN_VEC_FINI (layouts->shapes);
  OMEN_VEC_FINI (layouts->types);
}

uint32_t
omen_layouts_add (omen_layouts *layouts, uint32_t count, uint32_t flags)
{
  omen_layout layout
      = { (uint32_t)layouts->members.count - count, count,
          flags & OMEN_LAYOUT_ARRAY, flags & OMEN_LAYOUT_UNSIGNED };
  OMEN_REQUIRE (count <= layouts->members.count
                && (!layout.is_array || count == 1));
  for (uint32_t i = 0; i < count; i++) {
    const omen_layout_member *m = &layouts->members.data[layout.first + i];
    OMEN_ASSERT (m->layout == OMEN_NONE || m->layout < layouts->list.count);
    OMEN_ASSERT (m->bit <= OMEN_LAYOUT_BITS && m->bits <= OMEN_LAYOUT_BITS);
  }
  OMEN_VEC_PUSH (layouts->list, layout);
  return (uint32_t)layouts->list.count - 1;
}

uint32_t
omen_layout_flags (const omen_layout *layout)
{
  return (layout->is_array ? OMEN_LAYOUT_ARRAY : 0)
         | (layout->is_unsigned ? OMEN_LAYOUT_UNSIGNED : 0);
}

void
omen_layouts_shape (omen_layouts *layouts, omen_vid variable,
                    omen_variable_shape shape)
{
  OMEN_REQUIRE (shape.layout == OMEN_NONE
                || shape.layout < layouts->list.count);
  while (layouts->shapes.count <= variable)
    OMEN_VEC_PUSH (layouts->shapes, OMEN_NO_SHAPE);
  layouts->shapes.data[variable] = shape;
}

void
omen_layouts_type (omen_layouts *layouts, omen_vid variable, uint32_t type)
{
  while (layouts->types.count <= variable)
    OMEN_VEC_PUSH (layouts->types, OMEN_NONE);
  layouts->types.data[variable] = type;
}

uint32_t
omen_layouts_type_of (const omen_layouts *layouts, omen_vid variable)
{
  return variable < layouts->types.count ? layouts->types.data[variable]
                                         : OMEN_NONE;
}

omen_variable_shape
omen_layouts_of (const omen_layouts *layouts, omen_vid variable)
{
  return variable < layouts->shapes.count ? layouts->shapes.data[variable]
                                          : OMEN_NO_SHAPE;
}

bool
omen_layout_is_real (const omen_layouts *layouts, uint32_t layout)
{
  return layout != OMEN_NONE && !layouts->list.data[layout].count
         && !layouts->list.data[layout].is_unsigned;
}

bool
omen_layout_is_unsigned (const omen_layouts *layouts, uint32_t layout)
{
  return layout != OMEN_NONE && !layouts->list.data[layout].count
         && layouts->list.data[layout].is_unsigned;
}

/* ---- the names of a place ---- */

typedef struct walk {
  const omen_trace *trace;
  int64_t bits; /* size of the place, which is bits [0, bits) */
  omen_part_visit visit;
  void *data;
  uint32_t left, depth;
  int64_t owner; /* of what is visited */
  char name[NAME_ROOM];
} walk;

static void walk_layout (walk *w, uint32_t layout, size_t length,
                         const omen_bit_range *whole);

static bool
overlaps (const walk *w, const omen_bit_range *part)
{
  return part->bit < w->bits && part->bit + (int64_t)part->bits > 0;
}

/* Visit the parts of `owner`; they have it as their owner. */
static void
walk_owned (walk *w, uint32_t layout, size_t length,
            const omen_bit_range *owner)
{
  int64_t before = w->owner;
  w->owner = owner->bit;
  walk_layout (w, layout, length, owner);
  w->owner = before;
}

/* Visit the part by this name, then its own parts. */
static void
walk_named (walk *w, uint32_t layout, size_t length, const omen_bit_range *part)
{
  omen_bit_range named = *part;
  if (!w->left)
    return;
  w->left--;
  named.owner = w->owner;
  named.is_real = omen_layout_is_real (&w->trace->layouts, layout);
  named.is_unsigned = omen_layout_is_unsigned (&w->trace->layouts, layout);
  if (w->visit (w->data, w->name, &named))
    walk_owned (w, layout, length, part);
}

static void
walk_member (walk *w, const omen_layout_member *m, size_t length,
             const omen_bit_range *owner)
{
  omen_bit_range part = {
    owner->bit + (int64_t)m->bit, m->bits, m->is_signed, false, 0, false
  };
  int more;
  if (!overlaps (w, &part))
    return;
  if (m->name == OMEN_NONE) {
    walk_layout (w, m->layout, length, &part);
    return;
  }
  more = snprintf (w->name + length, NAME_ROOM - length, ".%s",
                   omen_names_text (&w->trace->strings, m->name));
  if (more > 0 && (size_t)more < NAME_ROOM - length)
    walk_named (w, m->layout, length + (size_t)more, &part);
  w->name[length] = 0;
}

static void
walk_element (walk *w, const omen_layout_member *m, size_t length,
              int64_t index, const omen_bit_range *element)
{
  int more
      = snprintf (w->name + length, NAME_ROOM - length, "[%" PRId64 "]", index);
  if (more > 0 && (size_t)more < NAME_ROOM - length)
    walk_named (w, m->layout, length + (size_t)more, element);
  w->name[length] = 0;
}

/* Visit the elements that overlap the place. Names without an index are visited
   for the first two of them and the last only: the first may be cut, the second
   is whole, and the last may have names that the others lack. */
static void
walk_array (walk *w, const omen_layout_member *m, size_t length,
            const omen_bit_range *array)
{
  int64_t size = (int64_t)m->bits;
  int64_t first = array->bit < 0 ? -array->bit / size : 0;
  int64_t last = (w->bits - 1 - array->bit) / size;
  int64_t most = ((int64_t)array->bits - 1) / size;
  if (last > most)
    last = most;
  for (int64_t i = first; i <= last && w->left; i++) {
    omen_bit_range element
        = { array->bit + i * size, m->bits, m->is_signed, false, 0, false };
    if (i <= first + 1 || i == last)
      walk_owned (w, m->layout, length, &element);
    walk_element (w, m, length, i, &element);
  }
}

static void
walk_layout (walk *w, uint32_t id, size_t length, const omen_bit_range *whole)
{
  const omen_layouts *layouts = &w->trace->layouts;
  const omen_layout *layout;
  if (id == OMEN_NONE || w->depth == DEPTH_MAX)
    return;
  OMEN_ASSERT (id < layouts->list.count);
  layout = &layouts->list.data[id];
  w->depth++;
  if (layout->is_array && layouts->members.data[layout->first].bits)
    walk_array (w, &layouts->members.data[layout->first], length, whole);
  else if (!layout->is_array)
    for (uint32_t i = 0; i < layout->count && w->left; i++)
      walk_member (w, &layouts->members.data[layout->first + i], length, whole);
  w->depth--;
}

void
omen_parts_visit (const omen_trace *trace, const omen_place *place,
                  const char *variable, omen_part_visit visit, void *data)
{
  omen_variable_shape shape
      = omen_layouts_of (&trace->layouts, place->variable);
  bool all = place->size == OMEN_WHOLE;
  walk w = { .trace = trace,
             .bits = all ? (int64_t)OMEN_LAYOUT_BITS : 8 * (int64_t)place->size,
             .visit = visit,
             .data = data,
             .left = OMEN_PARTS_MAX };
  size_t length = strlen (variable);
  omen_bit_range whole = { -8 * (int64_t)(place->offset + shape.from),
                           OMEN_LAYOUT_BITS,
                           false,
                           false,
                           0,
                           false };
  OMEN_ASSERT (place->size);
  if (shape.layout == OMEN_NONE || length >= NAME_ROOM)
    return;
  memcpy (w.name, variable, length + 1);
  walk_owned (&w, shape.layout, length, &whole);
}

/* ---- one of them for people ---- */

typedef struct smallest {
  int64_t bits; /* of the place */
  uint64_t best;
  char *name;
} smallest;

/* Of names of parts of equal size, one with an index is preferred. */
static bool
take_smaller (void *data, const char *name, const omen_bit_range *part)
{
  smallest *s = data;
  bool has_all = part->bit <= 0 && part->bit + (int64_t)part->bits >= s->bits;
  if (has_all && strlen (name) < OMEN_PART_NAME_MAX
      && (part->bits < s->best
          || (part->bits == s->best && strchr (name, '['))))
    snprintf (s->name, OMEN_PART_NAME_MAX, "%s", name), s->best = part->bits;
  return has_all;
}

char *
omen_part_name (const omen_trace *trace, const omen_place *place,
                char name[OMEN_PART_NAME_MAX])
{
  const char *variable = omen_trace_variable_name (trace, place->variable);
  smallest s = { 8 * (int64_t)place->size, UINT64_MAX, name };
  snprintf (name, OMEN_PART_NAME_MAX, "%s", variable);
  if (place->size != OMEN_WHOLE)
    omen_parts_visit (trace, place, variable, take_smaller, &s);
  return name;
}
