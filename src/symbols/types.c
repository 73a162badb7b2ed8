/* Converts types of the debug information to layouts (trace/layout.h). */
#include "symbols/module_state.h"
#include "symbols/types.h"

#include <string.h>

#define DEPTH_MAX 32u
#define MEMBERS_MAX ((size_t)1 << 20) /* of all types: limits the file */

typedef OMEN_VEC (omen_layout_member) members;

static uint32_t layout_of (omen_elf *elf, Dwarf_Die *die, omen_types *types,
                           unsigned depth);

/* ---- attributes ---- */

static bool
number_at (Dwarf_Die *die, unsigned name, uint64_t *number)
{
  Dwarf_Attribute attribute;
  Dwarf_Word word;
  if (!dwarf_attr_integrate (die, name, &attribute)
      || dwarf_formudata (&attribute, &word))
    return false;
  *number = word;
  return true;
}

static bool
type_of (Dwarf_Die *die, Dwarf_Die *type)
{
  Dwarf_Attribute attribute;
  Dwarf_Die named;
  return dwarf_formref_die (dwarf_attr_integrate (die, DW_AT_type, &attribute),
                            &named)
         && !dwarf_peel_type (&named, type);
}

static uint64_t
bits_of (Dwarf_Die *type)
{
  Dwarf_Word size;
  return dwarf_aggregate_size (type, &size) || size > OMEN_LAYOUT_BITS / 8
             ? 0
             : 8 * size;
}

static bool
has_sign (Dwarf_Die *type)
{
  uint64_t encoding;
  return dwarf_tag (type) == DW_TAG_base_type
         && number_at (type, DW_AT_encoding, &encoding)
         && (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
}

static bool
is_real (Dwarf_Die *type)
{
  uint64_t encoding;
  return number_at (type, DW_AT_encoding, &encoding)
         && encoding == DW_ATE_float;
}

static bool
is_unsigned (Dwarf_Die *type)
{
  uint64_t encoding;
  return number_at (type, DW_AT_encoding, &encoding)
         && (encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char
             || encoding == DW_ATE_boolean || encoding == DW_ATE_UTF);
}

/* ---- structs, unions and classes ---- */

/* Is it a non-static member or a base? (Static members are variables.) */
static bool
is_inside (Dwarf_Die *die)
{
  int tag = dwarf_tag (die);
  return tag == DW_TAG_inheritance
         || (tag == DW_TAG_member && !dwarf_hasattr (die, DW_AT_external)
             && !dwarf_hasattr (die, DW_AT_declaration));
}

/* The offset in bits; false if it is not constant. Offsets of bit-fields before
   DWARF 4 count from the other end of the unit, and are not supported. */
static bool
bit_of_member (Dwarf_Die *die, uint64_t *bit)
{
  uint64_t byte;
  if (number_at (die, DW_AT_data_bit_offset, bit))
    return *bit <= OMEN_LAYOUT_BITS;
  if (dwarf_hasattr (die, DW_AT_bit_offset))
    return false;
  *bit = 0;
  if (!dwarf_hasattr (die, DW_AT_data_member_location))
    return true; /* of a union: offset 0 */
  if (!number_at (die, DW_AT_data_member_location, &byte)
      || byte > OMEN_LAYOUT_BITS / 8)
    return false;
  *bit = 8 * byte;
  return true;
}

static void
add_member (omen_elf *elf, Dwarf_Die *die, omen_types *types, unsigned depth,
            members *list)
{
  const char *name
      = dwarf_tag (die) == DW_TAG_member ? dwarf_diename (die) : NULL;
  omen_layout_member m = { OMEN_NONE, OMEN_NONE, 0, 0, false };
  Dwarf_Die type;
  if (!type_of (die, &type) || !bit_of_member (die, &m.bit))
    return;
  if (name && *name)
    m.name = omen_names_id (types->strings, name, strlen (name));
  m.layout = layout_of (elf, &type, types, depth);
  m.is_signed = has_sign (&type);
  if (!number_at (die, DW_AT_bit_size, &m.bits))
    m.bits = bits_of (&type);
  if (!m.bits && dwarf_tag (&type) == DW_TAG_array_type)
    m.bits = OMEN_LAYOUT_BITS - m.bit; /* flexible array: size unknown */
  if (m.bits && m.bits <= OMEN_LAYOUT_BITS)
    OMEN_VEC_PUSH (*list, m);
}

static uint32_t
add_layout (omen_types *types, const members *list, bool is_array)
{
  if (!list->count || types->layouts.members.count + list->count > MEMBERS_MAX)
    return OMEN_NONE;
  for (size_t i = 0; i < list->count; i++) {
    OMEN_ASSERT (list->data[i].bits
                 && (list->data[i].name == OMEN_NONE
                     || list->data[i].name < types->strings->count));
    OMEN_VEC_PUSH (types->layouts.members, list->data[i]);
  }
  return omen_layouts_add (&types->layouts, (uint32_t)list->count, is_array);
}

static uint32_t
class_layout (omen_elf *elf, Dwarf_Die *class, omen_types *types,
              unsigned depth)
{
  members list = { 0 };
  Dwarf_Die die;
  uint32_t layout;
  if (dwarf_child (class, &die))
    return OMEN_NONE;
  do
    if (is_inside (&die))
      add_member (elf, &die, types, depth, &list);
  while (!dwarf_siblingof (&die, &die));
  layout = add_layout (types, &list, false);
  OMEN_VEC_FINI (list);
  return layout;
}

/* ---- arrays ---- */

static uint32_t
add_array (omen_types *types, uint32_t element, uint64_t bits, bool is_signed)
{
  members list = { 0 };
  uint32_t layout;
  OMEN_VEC_PUSH (
      list, ((omen_layout_member){ OMEN_NONE, element, 0, bits, is_signed }));
  layout = add_layout (types, &list, true);
  OMEN_VEC_FINI (list);
  return layout;
}

uint32_t
omen_elf_array_layout (omen_types *types, uint32_t element, uint64_t bits)
{
  return add_array (types, element, bits, false);
}

/* The number of elements; 0: unknown. */
static uint64_t
extent_of (Dwarf_Die *range)
{
  uint64_t count;
  if (number_at (range, DW_AT_count, &count))
    return count;
  return number_at (range, DW_AT_upper_bound, &count) && count + 1 ? count + 1
                                                                   : 0;
}

/* a[2][3] is an array of arrays: the last dimension is the innermost one. */
static uint32_t
array_layout (omen_elf *elf, Dwarf_Die *array, omen_types *types,
              unsigned depth)
{
  OMEN_VEC (uint64_t) extents = { 0 };
  Dwarf_Die type, die;
  uint32_t layout;
  uint64_t bits;
  bool is_signed;
  if (!type_of (array, &type) || !(bits = bits_of (&type))
      || dwarf_child (array, &die))
    return OMEN_NONE;
  do
    if (dwarf_tag (&die) == DW_TAG_subrange_type)
      OMEN_VEC_PUSH (extents, extent_of (&die));
  while (!dwarf_siblingof (&die, &die));
  layout = layout_of (elf, &type, types, depth);
  is_signed = has_sign (&type);
  for (size_t i = extents.count; i-- > 0 && bits;) {
    layout = add_array (types, layout, bits, is_signed);
    is_signed = false;
    bits = extents.data[i] <= OMEN_LAYOUT_BITS / bits ? bits * extents.data[i]
                                                      : 0;
  }
  OMEN_VEC_FINI (extents);
  return layout;
}

/* ---- all of them ---- */

/* The layout of a type, computed once. Inside itself, a recursive type has no
   parts. */
static uint32_t
layout_of (omen_elf *elf, Dwarf_Die *die, omen_types *types, unsigned depth)
{
  uint64_t key = dwarf_dieoffset (die);
  uint32_t layout = OMEN_NONE;
  if (depth == DEPTH_MAX || key == OMEN_MAP_NO_KEY)
    return OMEN_NONE;
  if (omen_map_get (&elf->layouts, key) != OMEN_NONE)
    return omen_map_get (&elf->layouts, key) - 1;
  *omen_map_at (&elf->layouts, key) = 0; /* recursion finds no layout */
  switch (dwarf_tag (die)) {
  case DW_TAG_structure_type:
  case DW_TAG_class_type:
  case DW_TAG_union_type:
    layout = class_layout (elf, die, types, depth + 1);
    break;
  case DW_TAG_array_type:
    layout = array_layout (elf, die, types, depth + 1);
    break;
  case DW_TAG_base_type: /* a number: layout without members */
    if (is_real (die) || is_unsigned (die))
      layout = omen_layouts_add (&types->layouts, 0,
                                 is_real (die) ? 0 : OMEN_LAYOUT_UNSIGNED);
    break;
  default:
    break;
  }
  OMEN_ASSERT (layout == OMEN_NONE || layout < types->layouts.list.count);
  *omen_map_at (&elf->layouts, key) = layout + 1;
  return layout;
}

uint32_t
omen_elf_layout (omen_elf *elf, Dwarf_Die *type, omen_types *types)
{
  Dwarf_Die bare;
  return dwarf_peel_type (type, &bare) ? OMEN_NONE
                                       : layout_of (elf, &bare, types, 0);
}
