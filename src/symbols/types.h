/* Variables of a module by their debug information: what they are called in the
   source, and what they are made of.

     omen_elf_shape (elf, address, &layouts, &strings)

   Layouts and names are added once for each type. What cannot be told is left
   out: bases that are virtual, sizes that are not constant. */
#ifndef OMEN_SYMBOLS_TYPES_H
#define OMEN_SYMBOLS_TYPES_H

#include "base/names.h"
#include "symbols/module.h"
#include "trace/layout.h"

/* Where layouts go, the same for all questions about a module; ids of names are
   those of `strings`. */
typedef struct omen_types {
  omen_layouts layouts;
  omen_names *strings;
} omen_types;

/* The variable, or the piece of one, that begins at an address. */
omen_variable_shape omen_elf_shape (omen_elf *elf, uint64_t address,
                                    omen_types *types);

#endif
