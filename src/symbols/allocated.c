/* The types of blocks by the calls that allocate them: the weaver lists the
   calls (wire/abi.h), the debug information has the types. */
#include "symbols/module_state.h"
#include "wire/abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

/* "FUNCTION\nFILE\nLINE\nCOLUMN\n…": the length of the first four. */
static size_t
place_length (const char *text)
{
  const char *at = text;
  for (unsigned i = 0; i < 4 && *at; i++)
    at += strcspn (at, "\n") + (at[strcspn (at, "\n")] == '\n');
  return (size_t)(at - text);
}

/* Two calls may be at one place, as by a macro; if the types differ nothing is
   known. */
static void
add_call (omen_elf *elf, const char *text)
{
  size_t length = place_length (text);
  uint32_t id = omen_names_id (&elf->allocated_at, text, length);
  if (id == elf->allocated.count)
    OMEN_VEC_PUSH (elf->allocated, text + length);
  else if (elf->allocated.data[id]
           && strcmp (elf->allocated.data[id], text + length))
    elf->allocated.data[id] = NULL;
}

static void
list_calls (omen_elf *elf)
{
  GElf_Addr bias;
  Elf_Scn *section = omen_elf_section (dwfl_module_getelf (elf->module, &bias),
                                       OMEN_ALLOCATED_SECTION);
  Elf_Data *texts = section ? elf_getdata (section, NULL) : NULL;
  const char *text = texts ? texts->d_buf : NULL;
  size_t size = text ? texts->d_size : 0;
  elf->allocated_listed = true;
  while (size) {
    size_t length = strnlen (text, size);
    if (length == size)
      return; /* no final zero */
    if (length)
      add_call (elf, text);
    text += length + 1;
    size -= length + 1;
  }
}

/* "SIZE\nTYPE", or NULL. */
static const char *
allocated_by (omen_elf *elf, uint64_t pc, Dwarf_Line *line)
{
  const char *path = dwarf_linesrc (line, NULL, NULL), *name;
  const char *function = omen_elf_function_at (elf, pc);
  int number, column, length;
  char *place;
  uint32_t id;
  if (!elf->allocated_listed)
    list_calls (elf);
  if (!function || !path || dwarf_lineno (line, &number)
      || dwarf_linecol (line, &column))
    return NULL;
  name = strrchr (path, '/');
  length = asprintf (&place, "%s\n%s\n%d\n%d\n", function,
                     name ? name + 1 : path, number, column);
  OMEN_REQUIRE (length >= 0);
  id = omen_names_find (&elf->allocated_at, place, (size_t)length);
  free (place);
  return id == OMEN_NONE ? NULL : elf->allocated.data[id];
}

/* ---- the type ---- */

static bool
is_record (int tag)
{
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type
         || tag == DW_TAG_union_type;
}

/* Is it a complete type of that size? Then *bare is the type itself. */
static bool
is_wanted_type (Dwarf_Die *die, uint64_t size, Dwarf_Die *bare)
{
  Dwarf_Word its;
  return !dwarf_peel_type (die, bare) && is_record (dwarf_tag (bare))
         && !dwarf_hasattr (bare, DW_AT_declaration)
         && !dwarf_aggregate_size (bare, &its) && its == size;
}

/* Find the type with that name in a scope: `shop::item`, whose scopes are
   `shop` and so on. A name may have `::` in template arguments, too. */
static bool
find_type (Dwarf_Die *in, const char *name, uint64_t size, Dwarf_Die *bare)
{
  Dwarf_Die die;
  if (dwarf_child (in, &die))
    return false;
  do {
    const char *its = dwarf_diename (&die);
    size_t length = its ? strlen (its) : 0;
    int tag = dwarf_tag (&die);
    bool is_type = is_record (tag) || tag == DW_TAG_typedef;
    if (!length || strncmp (its, name, length)
        || (!is_type && tag != DW_TAG_namespace))
      continue;
    if (!name[length] && is_type && is_wanted_type (&die, size, bare))
      return true;
    if (!strncmp (name + length, "::", 2)
        && find_type (&die, name + length + 2, size, bare))
      return true;
  } while (!dwarf_siblingof (&die, &die));
  return false;
}

bool
omen_elf_allocated (omen_elf *elf, uint64_t address, omen_types *types,
                    omen_elf_made *made)
{
  uint64_t pc = address - 1 - elf->bias;
  Dwarf_Die *unit = omen_elf_unit_die (elf, pc), bare;
  Dwarf_Line *line = unit ? dwarf_getsrc_die (unit, pc) : NULL;
  const char *text = line ? allocated_by (elf, pc, line) : NULL, *name;
  uint64_t size;
  if (!text)
    return false;
  size = strtoull (text, NULL, 10);
  name = text + strcspn (text, "\n");
  if (!*name || !size || size > UINT32_MAX
      || !find_type (unit, name + 1, size, &bare))
    return false;
  *made = (omen_elf_made){ .size = (uint32_t)size,
                           .layout = omen_elf_layout (elf, &bare, types) };
  if (made->layout == OMEN_NONE)
    return false;
  made->elements = omen_elf_array_layout (types, made->layout, 8 * size);
  snprintf (made->type, sizeof made->type, "%s%.200s",
            dwarf_tag (&bare) == DW_TAG_class_type   ? "class "
            : dwarf_tag (&bare) == DW_TAG_union_type ? "union "
                                                     : "struct ",
            name + 1);
  if (!dwarf_diename (&bare)) /* only its typedef has a name */
    snprintf (made->type, sizeof made->type, "%.200s", name + 1);
  return true;
}
