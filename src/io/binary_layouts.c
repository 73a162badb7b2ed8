/* Reads the types of variables from a binary trace. */
#include "io/binary_layouts.h"

static const char short_entry[] = "it is cut short";
static const char bad_id[] = "it has an id or value out of range";

/* A lost layout is no error in a lossy file: only names of fields are missing
   then. */
static bool
take_layout (const omen_binary_reader *reader, uint32_t *layout, uint64_t limit)
{
  if (*layout != OMEN_NONE && *layout >= limit && reader->lossy)
    *layout = OMEN_NONE;
  return *layout == OMEN_NONE || *layout < limit;
}

static const char *
read_member (omen_binary_reader *reader, uint64_t layouts, omen_bytes *bytes)
{
  omen_file_part part;
  if (!omen_bytes_copy (bytes, &part, sizeof part))
    return short_entry;
  if (!omen_binary_string (reader, &part.name)
      || !take_layout (reader, &part.layout, layouts)
      || part.bit > OMEN_LAYOUT_BITS || part.bits > OMEN_LAYOUT_BITS)
    return bad_id;
  OMEN_VEC_PUSH (
      reader->trace->layouts.members,
      ((omen_layout_member){ part.name, part.layout, part.bit, part.bits,
                             part.flags & OMEN_PART_SIGNED }));
  return NULL;
}

static const char *
read_layout (omen_binary_reader *reader, uint32_t stream, uint64_t id,
             omen_bytes *bytes)
{
  omen_layouts *layouts = &reader->trace->layouts;
  omen_file_layout layout;
  bool is_array;
  if (!omen_bytes_copy (bytes, &layout, sizeof layout))
    return short_entry;
  is_array = layout.flags & OMEN_LAYOUT_ARRAY;
  if (layout.count > (size_t)(bytes->end - bytes->at) / sizeof (omen_file_part)
      || layouts->members.count + layout.count >= OMEN_NONE)
    return short_entry;
  if (id != layouts->list.count || (is_array && layout.count != 1))
    return bad_id;
  for (uint32_t i = 0; i < layout.count; i++) {
    const char *wrong = read_member (reader, id, bytes);
    if (wrong)
      return wrong;
  }
  omen_layouts_add (layouts, layout.count, layout.flags);
  return NULL;
}

bool
omen_binary_shape (const omen_binary_reader *reader, const omen_file_shape *in,
                   omen_variable_shape *shape)
{
  *shape = (omen_variable_shape){ in->layout, in->source, in->from };
  return omen_binary_string (reader, &shape->source)
         && take_layout (reader, &shape->layout,
                         reader->trace->layouts.list.count)
         && shape->from <= OMEN_LAYOUT_BITS / 8;
}

static const char *
read_shape (omen_binary_reader *reader, uint32_t stream, uint64_t id,
            omen_bytes *bytes)
{
  omen_file_shape in;
  omen_variable_shape shape;
  if (!omen_bytes_copy (bytes, &in, sizeof in))
    return short_entry;
  if (id >= reader->trace->names[OMEN_OPERAND_VARIABLE].count
      || !omen_binary_shape (reader, &in, &shape))
    return bad_id;
  omen_layouts_shape (&reader->trace->layouts, (omen_vid)id, shape);
  return NULL;
}

bool
omen_binary_next_layouts (omen_binary_reader *reader, const omen_chunk *chunk)
{
  return omen_binary_next (reader, chunk, reader->trace->layouts.list.count, 0,
                           read_layout);
}

bool
omen_binary_layouts (omen_binary_reader *reader)
{
  return omen_binary_each (reader, OMEN_CHUNK_LAYOUTS, 0, read_layout)
         && omen_binary_each (reader, OMEN_CHUNK_SHAPES,
                              sizeof (omen_file_shape), read_shape);
}
