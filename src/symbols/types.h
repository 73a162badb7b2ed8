/* Source names and types of a module's variables, from debug information.

     omen_elf_shape (elf, address, &layouts, &strings)

   Layouts and names are added once for each type. Virtual bases and parts of
   variable size are left out. */
#ifndef OMEN_SYMBOLS_TYPES_H
#define OMEN_SYMBOLS_TYPES_H

#include "base/names.h"
#include "symbols/module.h"
#include "trace/layout.h"

/* Collects layouts; the same for all variables. Names are ids in `strings`. */
typedef struct omen_types {
  omen_layouts layouts;
  omen_names *strings;
} omen_types;

/* The shape of the variable, or piece of one, that starts at the address. */
omen_variable_shape omen_elf_shape (omen_elf *elf, uint64_t address,
                                    omen_types *types);

/* allocated.c: the type of the blocks that the call allocates which returns to
   the address. False: unknown. */
typedef struct omen_elf_made {
  uint32_t layout, elements; /* of one, and of an array of them */
  uint32_t size;             /* of one, in bytes */
  char type[256];            /* "struct item" */
} omen_elf_made;
bool omen_elf_allocated (omen_elf *elf, uint64_t address, omen_types *types,
                         omen_elf_made *made);

#endif
