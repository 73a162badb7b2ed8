/* Symbolizes code addresses. libdw's function for the scopes of an address does
   not look into namespaces, and scans a whole unit each time; here the
   functions of a unit are listed once, when it is first needed. */
#include "symbols/module_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- units ---- */

static int
compare_spans (const void *left, const void *right)
{
  const omen_elf_span *a = left, *b = right;
  return a->start < b->start ? -1 : a->start > b->start;
}

void
omen_elf_list_units (omen_elf *elf)
{
  Dwarf_Die *die = NULL;
  if (!dwfl_module_getdwarf (elf->module, &elf->bias))
    return;
  while ((die = dwfl_module_nextcu (elf->module, die, &elf->bias))) {
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    uint32_t unit = (uint32_t)elf->units.count;
    OMEN_VEC_PUSH (elf->units, ((omen_elf_unit){ .die = die }));
    while ((at = dwarf_ranges (die, at, &base, &start, &end)) > 0)
      OMEN_VEC_PUSH (elf->spans, ((omen_elf_span){ start, end, unit }));
    OMEN_ASSERT (elf->units.count == unit + 1);
  }
  OMEN_VEC_SORT (elf->spans, compare_spans);
}

void
omen_elf_drop_units (omen_elf *elf)
{
  for (size_t i = 0; i < elf->units.count; i++)
    OMEN_VEC_FINI (elf->units.data[i].functions);
  OMEN_VEC_FINI (elf->units);
  OMEN_VEC_FINI (elf->spans);
}

/* The unit with `pc`, an address of the debug information. */
static omen_elf_unit *
unit_at (const omen_elf *elf, uint64_t pc)
{
  size_t low
      = OMEN_FIRST_NOT (i, 0, elf->spans.count, elf->spans.data[i].start <= pc);
  return low && pc < elf->spans.data[low - 1].end
             ? &elf->units.data[elf->spans.data[low - 1].unit]
             : NULL;
}

Dwarf_Die *
omen_elf_unit_die (const omen_elf *elf, uint64_t pc)
{
  omen_elf_unit *unit = unit_at (elf, pc);
  return unit ? unit->die : NULL;
}

/* ---- functions ---- */

/* Can functions be nested in this? */
static bool
holds_functions (int tag)
{
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type
         || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

static void
list_functions (omen_elf_unit *unit, Dwarf_Die *in)
{
  Dwarf_Die die;
  if (dwarf_child (in, &die))
    return;
  do {
    int tag = dwarf_tag (&die);
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    if (holds_functions (tag))
      list_functions (unit, &die);
    while (tag == DW_TAG_subprogram
           && (at = dwarf_ranges (&die, at, &base, &start, &end)) > 0)
      OMEN_VEC_PUSH (unit->functions, ((omen_elf_function){ start, end, die }));
  } while (!dwarf_siblingof (&die, &die));
}

static int
compare_functions (const void *left, const void *right)
{
  const omen_elf_function *a = left, *b = right;
  return a->start < b->start ? -1 : a->start > b->start;
}

static omen_elf_function *
function_at (omen_elf_unit *unit, uint64_t pc)
{
  size_t low = 0, high;
  if (!unit->listed) {
    list_functions (unit, unit->die);
    OMEN_VEC_SORT (unit->functions, compare_functions);
  }
  unit->listed = true;
  high = unit->functions.count;
  while (low < high) { /* the first one that starts after pc */
    size_t middle = (low + high) / 2;
    if (unit->functions.data[middle].start <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low && pc < unit->functions.data[low - 1].end
             ? &unit->functions.data[low - 1]
             : NULL;
}

/* ---- names ---- */

static const char *
linkage_name (Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  return dwarf_formstring (
      dwarf_attr_integrate (die, DW_AT_linkage_name, &attribute));
}

static const char *
function_name (omen_elf *elf, Dwarf_Die *die)
{
  const char *linkage = linkage_name (die);
  return linkage ? omen_elf_readable (elf, linkage) : dwarf_diename (die);
}

/* ---- frames ---- */

static unsigned
attribute_of (Dwarf_Die *die, unsigned name)
{
  Dwarf_Attribute attribute;
  Dwarf_Word word;
  if (!dwarf_attr (die, name, &attribute)
      || dwarf_formudata (&attribute, &word))
    return 0;
  return (unsigned)word;
}

/* Set the location of a frame to the call of an inlined function. */
static void
call_site (omen_elf *elf, Dwarf_Die *unit, Dwarf_Die *inlined,
           omen_elf_frame *frame)
{
  unsigned file = attribute_of (inlined, DW_AT_call_file);
  Dwarf_Files *files;
  size_t count;
  frame->line = attribute_of (inlined, DW_AT_call_line);
  if (!dwarf_getsrcfiles (unit, &files, &count) && file < count)
    frame->file = omen_elf_file_name (elf, unit,
                                      dwarf_filesrc (files, file, NULL, NULL));
}

/* Step from `in` to the block or inlined function directly inside it that
   contains pc. */
static bool
step_inside (Dwarf_Die *in, uint64_t pc)
{
  Dwarf_Die die;
  if (dwarf_child (in, &die))
    return false;
  do {
    int tag = dwarf_tag (&die);
    if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
        && dwarf_haspc (&die, pc) > 0) {
      *in = die;
      return true;
    }
  } while (!dwarf_siblingof (&die, &die));
  return false;
}

/* List the frames, innermost first; each inlined function gives the location of
   the next frame. The innermost ones are left out if there are too many. */
static unsigned
list_frames (omen_elf *elf, Dwarf_Die *unit, Dwarf_Die function, uint64_t pc,
             omen_elf_frame frames[OMEN_ELF_FRAMES])
{
  Dwarf_Die inlined[OMEN_ELF_FRAMES], at = function;
  unsigned n = 0, count = 0;
  while (n < OMEN_ELF_FRAMES - 1 && step_inside (&at, pc))
    if (dwarf_tag (&at) == DW_TAG_inlined_subroutine)
      inlined[n++] = at;
  while (n-- > 0) {
    frames[count++].function = function_name (elf, &inlined[n]);
    frames[count] = (omen_elf_frame){ 0 };
    call_site (elf, unit, &inlined[n], &frames[count]);
  }
  frames[count++].function = function_name (elf, &function);
  OMEN_ASSERT (count <= OMEN_ELF_FRAMES);
  return count;
}

const char *
omen_elf_function_at (omen_elf *elf, uint64_t pc)
{
  omen_elf_unit *unit = unit_at (elf, pc);
  omen_elf_function *function = unit ? function_at (unit, pc) : NULL;
  Dwarf_Die at, innermost;
  const char *linkage;
  if (!function)
    return NULL;
  at = innermost = function->die;
  while (step_inside (&at, pc))
    if (dwarf_tag (&at) == DW_TAG_inlined_subroutine)
      innermost = at;
  linkage = linkage_name (&innermost);
  return linkage ? linkage : dwarf_diename (&innermost);
}

unsigned
omen_elf_code (omen_elf *elf, uint64_t address,
               omen_elf_frame frames[OMEN_ELF_FRAMES])
{
  uint64_t call
      = address - 1,
      pc = call - elf->bias; /* the call itself, not the instruction after it */
  omen_elf_unit *unit = unit_at (elf, pc);
  Dwarf_Line *line = unit ? dwarf_getsrc_die (unit->die, pc) : NULL;
  omen_elf_function *function = unit ? function_at (unit, pc) : NULL;
  int number = 0;
  frames[0] = (omen_elf_frame){ 0 };
  if (line) {
    frames[0].file
        = omen_elf_file_name (elf, unit->die, dwarf_linesrc (line, NULL, NULL));
    dwarf_lineno (line, &number);
  }
  frames[0].line = (unsigned)number;
  if (function)
    return list_frames (elf, unit->die, function->die, pc, frames);
  frames[0].function
      = omen_elf_readable (elf, dwfl_module_addrname (elf->module, call));
  return frames[0].function || frames[0].file;
}
