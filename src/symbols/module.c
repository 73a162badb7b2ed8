#include "symbols/module_state.h"
#include "wire/abi.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Debug information is taken only from the file itself: no separate files, and
   no downloads. */
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

/* Opens regular files only, since a trace may name any file, such as a pipe
   without a writer. -1: not opened. */
static int
open_file (const char *path)
{
  struct stat info;
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0 || (!fstat (fd, &info) && S_ISREG (info.st_mode)))
    return fd;
  close (fd);
  return -1;
}

/* Report the file to libdwfl, which owns it then. */
static void
report_file (omen_elf *elf, const char *path, uint64_t base)
{
  int fd = open_file (path);
  if (fd < 0)
    return;
  dwfl_report_begin (elf->dwfl);
  elf->module = dwfl_report_elf (elf->dwfl, path, path, fd, base, false);
  dwfl_report_end (elf->dwfl, NULL, NULL);
  if (!elf->module)
    close (fd);
}

omen_elf *
omen_elf_open (const char *path, const char *build_id, uint64_t base)
{
  omen_elf *elf = omen_zalloc (1, sizeof *elf);
  GElf_Addr bias;
  omen_names_init (&elf->texts);
  omen_names_init (&elf->allocated_at);
  omen_map_init (&elf->layouts);
  elf->dwfl = dwfl_begin (&callbacks);
  if (elf->dwfl)
    report_file (elf, path, base);
  if (elf->module && dwfl_module_getelf (elf->module, &bias)
      && id_right (elf->module, build_id)) {
    omen_elf_list_units (elf);
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
  omen_elf_drop_units (elf);
  OMEN_VEC_FINI (elf->variables);
  omen_map_fini (&elf->layouts);
  omen_names_fini (&elf->allocated_at);
  OMEN_VEC_FINI (elf->allocated);
  omen_free (elf);
}

const char *
omen_elf_keep (omen_elf *elf, const char *text)
{
  uint32_t id = omen_names_id (&elf->texts, text, strlen (text));
  return omen_names_text (&elf->texts, id);
}

/* ---- names ---- */

/* Demangles C++ names with libstdc++, if it is installed. */
const char *
omen_elf_readable (omen_elf *elf, const char *name)
{
  typedef char *demangler (const char *, char *, size_t *, int *);
  static demangler *demangle;
  static bool tried;
  const char *kept;
  char *text;
  int status = 0;
  if (!name || strncmp (name, "_Z", 2))
    return name;
  if (!tried) {
    void *library = dlopen ("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    tried = true;
    if (library)
      *(void **)&demangle = dlsym (library, "__cxa_demangle");
  }
  text = demangle ? demangle (name, NULL, NULL, &status) : NULL;
  if (!text)
    return name;
  kept = omen_elf_keep (elf, text);
  free (text);
  return kept;
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

Elf_Scn *
omen_elf_section (Elf *file, const char *wanted)
{
  Elf_Scn *section = NULL;
  size_t names;
  if (!file || elf_getshdrstrndx (file, &names))
    return NULL;
  while ((section = elf_nextscn (file, section))) {
    GElf_Shdr header;
    const char *name = gelf_getshdr (section, &header)
                           ? elf_strptr (file, names, header.sh_name)
                           : NULL;
    if (name && !strcmp (name, wanted))
      break;
  }
  return section;
}

bool
omen_elf_is_woven (omen_elf *elf)
{
  GElf_Addr bias;
  return omen_elf_section (dwfl_module_getelf (elf->module, &bias),
                           OMEN_ABI_SECTION);
}

/* ---- variables whose address is handed on ---- */

static void
add_texts (omen_names *names, const char *text, size_t size)
{
  for (size_t length; size; text += length, size -= length) {
    length = strnlen (text, size);
    omen_names_id (names, text, length);
    length += length < size;
  }
}

/* Add the exported names, which libraries can refer to. */
static void
add_exported (omen_names *names, Elf *file, Elf_Scn *section)
{
  GElf_Shdr header;
  Elf_Data *data = elf_getdata (section, NULL);
  GElf_Sym symbol;
  if (!data || !gelf_getshdr (section, &header))
    return;
  for (int i = 0; gelf_getsym (data, i, &symbol); i++) {
    const char *name = elf_strptr (file, header.sh_link, symbol.st_name);
    if (name && symbol.st_shndx != SHN_UNDEF)
      omen_names_id (names, name, strlen (name));
  }
}

/* Collect the names of variables whose address may be known elsewhere; false if
   that information is missing. */
static bool
find_escaping (omen_elf *elf, omen_names *names)
{
  GElf_Addr bias;
  Elf *file = dwfl_module_getelf (elf->module, &bias);
  Elf_Scn *listed = omen_elf_section (file, OMEN_ESCAPING_SECTION);
  Elf_Scn *exported = omen_elf_section (file, ".dynsym");
  Elf_Data *texts = listed ? elf_getdata (listed, NULL) : NULL;
  if (!texts)
    return false;
  add_texts (names, texts->d_buf, texts->d_size);
  if (exported)
    add_exported (names, file, exported);
  return true;
}

static bool
is_confined (const omen_names *escaping, const char *name)
{
  return escaping
         && omen_names_find (escaping, name, strlen (name)) == OMEN_NONE;
}

/* Visit the symbols of a type in writable sections. If `from` is not 0, they
   are thread-local, and their values are offsets from it. */
static void
each_symbol (omen_elf *elf, unsigned type, uint64_t from,
             const omen_names *escaping, omen_elf_visit visit, void *data)
{
  int count = dwfl_module_getsymtab (elf->module);
  for (int i = 0; i < count; i++) {
    GElf_Sym symbol;
    GElf_Addr address;
    GElf_Word section;
    Elf *file;
    const char *name = dwfl_module_getsym_info (
        elf->module, i, &symbol, &address, &section, &file, NULL);
    if (!name || !*name || !symbol.st_size
        || GELF_ST_TYPE (symbol.st_info) != type
        || !is_writable (file, section))
      continue;
    if (!from)
      visit (data, omen_elf_readable (elf, name), address, symbol.st_size,
             is_confined (escaping, name));
    else if (symbol.st_value <= from
             && symbol.st_size <= from - symbol.st_value)
      visit (data, omen_elf_readable (elf, name), from - symbol.st_value,
             symbol.st_size, false);
  }
}

void
omen_elf_objects (omen_elf *elf, omen_elf_visit visit, void *data)
{
  omen_names escaping;
  omen_names_init (&escaping);
  bool known = find_escaping (elf, &escaping);
  each_symbol (elf, STT_OBJECT, 0, known ? &escaping : NULL, visit, data);
  omen_names_fini (&escaping);
}

/* The distance from the start of the program's thread-local block to the thread
   pointer; it is the first block, and its end is aligned like the block
   (x86-64, glibc). 0: there is none. */
static uint64_t
thread_locals_start (Elf *file)
{
  size_t count;
  if (!file || elf_getphdrnum (file, &count))
    return 0;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr header;
    if (gelf_getphdr (file, (int)i, &header) && header.p_type == PT_TLS) {
      uint64_t align = header.p_align ? header.p_align : 1;
      uint64_t first = -(header.p_vaddr & (align - 1)) & (align - 1);
      uint64_t size = header.p_memsz < first ? 0 : header.p_memsz - first;
      return (size + align - 1) / align * align + first;
    }
  }
  return 0;
}

void
omen_elf_thread_locals (omen_elf *elf, omen_elf_visit visit, void *data)
{
  GElf_Addr bias;
  uint64_t start
      = thread_locals_start (dwfl_module_getelf (elf->module, &bias));
  if (start)
    each_symbol (elf, STT_TLS, start, NULL, visit, data);
}
