/* Private to symbols/: what a module is. module.c opens it and knows its data,
   code.c its code, variables.c and types.c what variables are. */
#ifndef OMEN_SYMBOLS_MODULE_STATE_H
#define OMEN_SYMBOLS_MODULE_STATE_H

#include "base/map.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/vec.h"
#include "symbols/module.h"
#include "symbols/types.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* Code that a function has, [start, end). */
typedef struct omen_elf_function {
  uint64_t start, end;
  Dwarf_Die die;
} omen_elf_function;

typedef struct omen_elf_unit {
  Dwarf_Die *die;
  bool listed;                            /* its functions are */
  OMEN_VEC (omen_elf_function) functions; /* by start */
} omen_elf_unit;

/* Code that a unit has; libdw would look it up by a table that clang leaves
   out. */
typedef struct omen_elf_span {
  uint64_t start, end;
  uint32_t unit;
} omen_elf_span;

/* A variable, or a piece of one: what is in the debug information from byte
   `from` of it on. */
typedef struct omen_elf_variable {
  uint64_t address, from;
  Dwarf_Die die;
} omen_elf_variable;

struct omen_elf {
  Dwfl *dwfl;
  Dwfl_Module *module;
  Dwarf_Addr bias;  /* of debug information */
  omen_names texts; /* names that had to be made */
  OMEN_VEC (omen_elf_unit) units;
  OMEN_VEC (omen_elf_span) spans; /* by start */
  bool variables_listed;
  OMEN_VEC (omen_elf_variable) variables; /* by address */
  omen_map layouts; /* offset of a type -> its layout + 1 */
};

/* A text that lives as long as the module; a name as people write it. */
const char *omen_elf_keep (omen_elf *elf, const char *text);
const char *omen_elf_readable (omen_elf *elf, const char *name);

/* files.c; the name of a file that the unit is made of. */
const char *omen_elf_file_name (omen_elf *elf, Dwarf_Die *unit,
                                const char *path);

/* types.c; OMEN_NONE: it has no parts. */
uint32_t omen_elf_layout (omen_elf *elf, Dwarf_Die *type, omen_types *types);

void omen_elf_list_units (omen_elf *elf);
void omen_elf_drop_units (omen_elf *elf);

#endif
