#include "symbols/module.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/vec.h"
#include "runtime/abi.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A unit of code; libdw would look it up by a table that clang leaves out. */
typedef struct omen_elf_unit {
  uint64_t start, end;
  Dwarf_Die *die;
} omen_elf_unit;

struct omen_elf {
  Dwfl *dwfl;
  Dwfl_Module *module;
  Dwarf_Addr bias;                /* of debug information */
  omen_names texts;               /* names that had to be made */
  OMEN_VEC (omen_elf_unit) units; /* by start */
};

/* Debug information is in the file itself or not at all: nothing is looked for
   elsewhere, let alone on the net. */
static int
no_debuginfo (Dwfl_Module *module, void **data, const char *name,
              Dwarf_Addr base, const char *file, const char *link,
              GElf_Word crc, char **found)
{
  return -1;
}

static const Dwfl_Callbacks callbacks = {
  .find_debuginfo = no_debuginfo,
  .section_address = dwfl_offline_section_address,
};

static bool
id_right (Dwfl_Module *module, const char *wanted)
{
  const unsigned char *bits;
  GElf_Addr address;
  int size = dwfl_module_build_id (module, &bits, &address);
  if (!wanted)
    return true;
  if (size <= 0 || strlen (wanted) != 2 * (size_t)size)
    return false;
  for (int i = 0; i < size; i++) {
    char hex[3];
    snprintf (hex, sizeof hex, "%02x", bits[i]);
    if (memcmp (hex, wanted + 2 * i, 2))
      return false;
  }
  return true;
}

/* ---- units ---- */

static int
compare_units (const void *left, const void *right)
{
  const omen_elf_unit *a = left, *b = right;
  return a->start < b->start ? -1 : a->start > b->start;
}

static void
list_units (omen_elf *elf)
{
  Dwarf_Die *die = NULL;
  if (!dwfl_module_getdwarf (elf->module, &elf->bias))
    return;
  while ((die = dwfl_module_nextcu (elf->module, die, &elf->bias))) {
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    while ((at = dwarf_ranges (die, at, &base, &start, &end)) > 0)
      OMEN_VEC_PUSH (elf->units, ((omen_elf_unit){ start, end, die }));
  }
  if (elf->units.count)
    qsort (elf->units.data, elf->units.count, sizeof *elf->units.data,
           compare_units);
}

static Dwarf_Die *
unit_at (const omen_elf *elf, uint64_t address)
{
  size_t low = 0, high = elf->units.count;
  address -= elf->bias;
  while (low < high) { /* the first one that begins after it */
    size_t middle = (low + high) / 2;
    if (elf->units.data[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low && address < elf->units.data[low - 1].end
             ? elf->units.data[low - 1].die
             : NULL;
}

omen_elf *
omen_elf_open (const char *path, const char *build_id, uint64_t base)
{
  omen_elf *elf = omen_zalloc (1, sizeof *elf);
  GElf_Addr bias;
  omen_names_init (&elf->texts);
  elf->dwfl = dwfl_begin (&callbacks);
  if (elf->dwfl) {
    dwfl_report_begin (elf->dwfl);
    elf->module = dwfl_report_elf (elf->dwfl, path, path, -1, base, false);
    dwfl_report_end (elf->dwfl, NULL, NULL);
  }
  if (elf->module && dwfl_module_getelf (elf->module, &bias)
      && id_right (elf->module, build_id)) {
    list_units (elf);
    return elf;
  }
  omen_elf_close (elf);
  return NULL;
}

void
omen_elf_close (omen_elf *elf)
{
  if (!elf)
    return;
  if (elf->dwfl)
    dwfl_end (elf->dwfl);
  omen_names_fini (&elf->texts);
  OMEN_VEC_FINI (elf->units);
  omen_free (elf);
}

static const char *
keep (omen_elf *elf, const char *text)
{
  uint32_t id = omen_names_id (&elf->texts, text, strlen (text));
  return omen_names_text (&elf->texts, id);
}

/* ---- names ---- */

/* C++ names by the C++ library, if the machine has one. */
static const char *
readable (omen_elf *elf, const char *name)
{
  typedef char *demangler (const char *, char *, size_t *, int *);
  static demangler *demangle;
  static bool looked;
  const char *kept;
  char *text;
  int status = 0;
  if (!name || strncmp (name, "_Z", 2))
    return name;
  if (!looked) {
    void *library = dlopen ("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    looked = true;
    if (library)
      *(void **)&demangle = dlsym (library, "__cxa_demangle");
  }
  text = demangle ? demangle (name, NULL, NULL, &status) : NULL;
  if (!text)
    return name;
  kept = keep (elf, text);
  free (text);
  return kept;
}

/* As the compiler was told: below its folder, relative to it. */
static const char *
file_name (omen_elf *elf, Dwarf_Die *unit, const char *path)
{
  Dwarf_Attribute attribute;
  const char *folder
      = unit ? dwarf_formstring (dwarf_attr (unit, DW_AT_comp_dir, &attribute))
             : NULL;
  size_t length = folder ? strlen (folder) : 0;
  if (!path)
    return NULL;
  if (length && !strncmp (path, folder, length) && path[length] == '/')
    path += length + 1;
  return keep (elf, path);
}

static const char *
function_name (omen_elf *elf, Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  const char *linkage = dwarf_formstring (
      dwarf_attr_integrate (die, DW_AT_linkage_name, &attribute));
  return linkage ? readable (elf, linkage) : dwarf_diename (die);
}

/* ---- code ---- */

static unsigned
number_of (Dwarf_Die *die, unsigned name)
{
  Dwarf_Attribute attribute;
  Dwarf_Word word;
  if (!dwarf_attr (die, name, &attribute)
      || dwarf_formudata (&attribute, &word))
    return 0;
  return (unsigned)word;
}

/* Where an inlined function was called. */
static void
call_site (omen_elf *elf, Dwarf_Die *unit, Dwarf_Die *inlined,
           omen_elf_frame *frame)
{
  unsigned file = number_of (inlined, DW_AT_call_file);
  Dwarf_Files *files;
  size_t count;
  frame->line = number_of (inlined, DW_AT_call_line);
  if (!dwarf_getsrcfiles (unit, &files, &count) && file < count)
    frame->file
        = file_name (elf, unit, dwarf_filesrc (files, file, NULL, NULL));
}

/* Scopes from the innermost out: each function closes a frame, and an inlined
   one says where the next frame is. */
static unsigned
walk_scopes (omen_elf *elf, Dwarf_Die *unit, Dwarf_Die *scopes, int count,
             omen_elf_frame frames[OMEN_ELF_FRAMES])
{
  unsigned n = 0;
  for (int i = 0; i < count; i++) {
    int tag = dwarf_tag (&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
      continue;
    frames[n++].function = function_name (elf, &scopes[i]);
    if (tag == DW_TAG_subprogram || n == OMEN_ELF_FRAMES)
      break;
    frames[n] = (omen_elf_frame){ 0 };
    call_site (elf, unit, &scopes[i], &frames[n]);
  }
  return n;
}

unsigned
omen_elf_code (omen_elf *elf, uint64_t address,
               omen_elf_frame frames[OMEN_ELF_FRAMES])
{
  Dwarf_Die *unit, *scopes = NULL;
  Dwarf_Line *line;
  int count, number = 0;
  unsigned n = 0;
  frames[0] = (omen_elf_frame){ 0 };
  address--; /* of the call, not of what follows */
  unit = unit_at (elf, address);
  line = unit ? dwarf_getsrc_die (unit, address - elf->bias) : NULL;
  if (line) {
    frames[0].file = file_name (elf, unit, dwarf_linesrc (line, NULL, NULL));
    dwarf_lineno (line, &number);
  }
  frames[0].line = (unsigned)number;
  count = unit ? dwarf_getscopes (unit, address - elf->bias, &scopes) : 0;
  if (count > 0)
    n = walk_scopes (elf, unit, scopes, count, frames);
  free (scopes);
  if (n)
    return n;
  frames[0].function
      = readable (elf, dwfl_module_addrname (elf->module, address));
  return frames[0].function || frames[0].file;
}

/* ---- data ---- */

static bool
is_writable (Elf *elf, GElf_Word section)
{
  GElf_Shdr header;
  Elf_Scn *scn
      = elf && section < SHN_LORESERVE ? elf_getscn (elf, section) : NULL;
  return scn && gelf_getshdr (scn, &header) && header.sh_flags & SHF_WRITE;
}

bool
omen_elf_is_woven (omen_elf *elf)
{
  GElf_Addr bias;
  Elf *file = dwfl_module_getelf (elf->module, &bias);
  Elf_Scn *section = NULL;
  size_t names;
  if (!file || elf_getshdrstrndx (file, &names))
    return false;
  while ((section = elf_nextscn (file, section))) {
    GElf_Shdr header;
    const char *name = gelf_getshdr (section, &header)
                           ? elf_strptr (file, names, header.sh_name)
                           : NULL;
    if (name && !strcmp (name, OMEN_ABI_SECTION))
      return true;
  }
  return false;
}

void
omen_elf_objects (omen_elf *elf, omen_elf_visit visit, void *data)
{
  int count = dwfl_module_getsymtab (elf->module);
  for (int i = 0; i < count; i++) {
    GElf_Sym symbol;
    GElf_Addr address;
    GElf_Word section;
    Elf *file;
    const char *name = dwfl_module_getsym_info (
        elf->module, i, &symbol, &address, &section, &file, NULL);
    if (name && *name && symbol.st_size
        && GELF_ST_TYPE (symbol.st_info) == STT_OBJECT
        && is_writable (file, section))
      visit (data, readable (elf, name), address, symbol.st_size);
  }
}
