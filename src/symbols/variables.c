/* An index of variables by address: debug information lists them by scope.
   Built when first needed. A variable may be in several pieces if the optimizer
   splits a struct whose address is not taken. */
#include "symbols/module_state.h"
#include "symbols/types.h"

#include <stdlib.h>
#include <string.h>

/* ---- listing ---- */

/* Static variables may be in functions, but are not repeated in inlined
   instances. */
static bool
holds_variables (int tag)
{
  return tag == DW_TAG_namespace || tag == DW_TAG_subprogram
         || tag == DW_TAG_lexical_block;
}

static bool
address_of (Dwarf_Attribute *location, const Dwarf_Op *op, uint64_t *address)
{
  Dwarf_Attribute indirect;
  *address = op->number;
  return op->atom == DW_OP_addr
         || ((op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index)
             && !dwarf_getlocation_attr (location, op, &indirect)
             && !dwarf_formaddr (&indirect, address));
}

/* A location is an address, or a list of addresses each followed by
   DW_OP_piece; pieces that are optimized out have none. */
static void
add_variable (omen_elf *elf, Dwarf_Die *die)
{
  Dwarf_Attribute location;
  Dwarf_Op *ops;
  size_t count;
  uint64_t from = 0;
  if (!dwarf_attr (die, DW_AT_location, &location)
      || dwarf_getlocation (&location, &ops, &count))
    return;
  for (size_t i = 0; i < count; i++) {
    uint64_t address;
    bool alone = i + 1 == count && !i;
    if (ops[i].atom == DW_OP_piece)
      from += ops[i].number;
    else if (address_of (&location, &ops[i], &address)
             && (alone || (i + 1 < count && ops[i + 1].atom == DW_OP_piece)))
      OMEN_VEC_PUSH (elf->variables,
                     ((omen_elf_variable){ address + elf->bias, from, *die }));
  }
}

static void
list_variables (omen_elf *elf, Dwarf_Die *in)
{
  Dwarf_Die die;
  if (dwarf_child (in, &die))
    return;
  do {
    int tag = dwarf_tag (&die);
    if (tag == DW_TAG_variable)
      add_variable (elf, &die);
    else if (holds_variables (tag))
      list_variables (elf, &die);
  } while (!dwarf_siblingof (&die, &die));
}

/* By address, then in the order of the debug information. */
static int
compare_variables (const void *left, const void *right)
{
  const omen_elf_variable *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return a->die.addr < b->die.addr ? -1 : a->die.addr > b->die.addr;
}

static omen_elf_variable *
variable_at (omen_elf *elf, uint64_t address)
{
  size_t low = 0, high;
  if (!elf->variables_listed) {
    for (size_t i = 0; i < elf->units.count; i++)
      list_variables (elf, elf->units.data[i].die);
    OMEN_VEC_SORT (elf->variables, compare_variables);
    elf->variables_listed = true;
  }
  high = elf->variables.count;
  while (low < high) { /* the first one at or after the address */
    size_t middle = (low + high) / 2;
    if (elf->variables.data[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < elf->variables.count
                 && elf->variables.data[low].address == address
             ? &elf->variables.data[low]
             : NULL;
}

/* ---- shapes ---- */

omen_variable_shape
omen_elf_shape (omen_elf *elf, uint64_t address, omen_types *types)
{
  omen_elf_variable *variable = variable_at (elf, address);
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  omen_variable_shape shape = OMEN_NO_SHAPE;
  const char *name;
  if (!variable)
    return shape;
  shape.from = variable->from;
  if (dwarf_formref_die (
          dwarf_attr_integrate (&variable->die, DW_AT_type, &attribute), &type))
    shape.layout = omen_elf_layout (elf, &type, types);
  name = dwarf_hasattr_integrate (&variable->die, DW_AT_external)
             ? NULL /* its symbol has the full name */
             : dwarf_diename (&variable->die);
  if (name)
    shape.source = omen_names_id (types->strings, name, strlen (name));
  return shape;
}
