/* Private to symbols/: the state of a module. module.c opens it and lists its
   objects, code.c its code; variables.c and types.c are about variables'
   types. */
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

/* A range [start, end) of a function's code. */
typedef struct omen_elf_function {
  uint64_t start, end;
  Dwarf_Die die;
} omen_elf_function;

typedef struct omen_elf_unit {
  Dwarf_Die *die;
  bool listed;                            /* its functions were listed */
  OMEN_VEC (omen_elf_function) functions; /* by start */
} omen_elf_unit;

/* A range of a unit's code; libdw needs a table for this that clang does not
   write. */
typedef struct omen_elf_span {
  uint64_t start, end;
  uint32_t unit;
} omen_elf_span;

/* A variable, or a piece of one: byte `from` of it is at `address`. */
typedef struct omen_elf_variable {
  uint64_t address, from;
  Dwarf_Die die;
} omen_elf_variable;

struct omen_elf {
  Dwfl *dwfl;
  Dwfl_Module *module;
  Dwarf_Addr bias;  /* of the debug information */
  omen_names texts; /* strings that had to be created */
  OMEN_VEC (omen_elf_unit) units;
  OMEN_VEC (omen_elf_span) spans; /* by start */
  bool variables_listed;
  OMEN_VEC (omen_elf_variable) variables; /* by address */
  omen_map layouts; /* offset of a type -> its layout, + 1 */
  bool allocated_listed;
  omen_names allocated_at; /* "FUNCTION\nFILE\nLINE\nCOLUMN\n" */
  OMEN_VEC (const char *)
  allocated; /* there: "SIZE\nTYPE" in the section, or
                NULL: of several types */
};

/* Interns a string for the lifetime of the module; demangles a name. */
const char *omen_elf_keep (omen_elf *elf, const char *text);
const char *omen_elf_readable (omen_elf *elf, const char *name);

/* files.c: the name of a source file of the unit. */
/* code.c: the innermost function of the source that pc, as the file has it, is
   in, as the linker knows it; or NULL. */
const char *omen_elf_function_at (omen_elf *elf, uint64_t pc);
const char *omen_elf_file_name (omen_elf *elf, Dwarf_Die *unit,
                                const char *path);

/* types.c: the layout of a type; OMEN_NONE if it has no parts. */
uint32_t omen_elf_layout (omen_elf *elf, Dwarf_Die *type, omen_types *types);

/* … and of an array of unknown length of elements with that layout. */
uint32_t omen_elf_array_layout (omen_types *types, uint32_t element,
                                uint64_t bits);

Elf_Scn *omen_elf_section (Elf *file, const char *name);
/* The unit with that address of the debug information; or NULL. */
Dwarf_Die *omen_elf_unit_die (const omen_elf *elf, uint64_t pc);
void omen_elf_list_units (omen_elf *elf);
void omen_elf_drop_units (omen_elf *elf);

#endif
