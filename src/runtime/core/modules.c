/* The parts of the program: command line, modules, initial memory. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "runtime/core/process.h"
#include "wire/format.h"
#include "wire/modules.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>

/* The trace of a child begins in the middle of the program. */
static uint32_t
program_flags (bool child)
{
  const omen_options *o = &omen_rt_options;
  return (child ? OMEN_RECORDING_PARTIAL : 0)
         | (*o->schedule ? OMEN_RECORDING_EXACT : 0)
         | (o->no_values ? OMEN_RECORDING_NO_VALUES : 0)
         | (o->sync_only ? OMEN_RECORDING_SYNC_ONLY : 0)
         | (o->ring ? OMEN_RECORDING_RING : 0);
}

static uint32_t command = OMEN_NONE; /* string id */

/* Can the word be given to a shell without quotes? */
static bool
is_plain (const char *word)
{
  const char *at = word;
  for (; *at; at++)
    if (!(*at >= 'a' && *at <= 'z') && !(*at >= '+' && *at <= ':')
        && !(*at >= '@' && *at <= 'Z') && *at != '_' && *at != '='
        && *at != '%')
      return false;
  return at > word;
}

enum { LINE_MAX = 4096 };
typedef struct line {
  char text[LINE_MAX];
  size_t length;
} line;

static void
add_to_line (line *l, const char *text, size_t length)
{
  if (l->length + length <= LINE_MAX)
    omen_bytes_copy (l->text + l->length, text, length);
  l->length += length; /* beyond the end: it was too long */
}

static void
put_word (line *l, const char *word)
{
  if (is_plain (word)) {
    add_to_line (l, word, omen_bytes_length (word));
    return;
  }
  add_to_line (l, "'", 1);
  for (; *word && l->length <= LINE_MAX; word++)
    if (*word == '\'')
      add_to_line (l, "'\\''", 4);
    else
      add_to_line (l, word, 1);
  add_to_line (l, "'", 1);
}

/* The words of the command line, separated by blanks and quoted for a shell; as
   many as there is room for. */
void
omen_program_is (char **argv)
{
  line l = { .length = 0 };
  size_t length = 0;
  for (char **word = argv; word && *word; word++) {
    if (word != argv)
      add_to_line (&l, " ", 1);
    put_word (&l, *word);
    if (l.length > LINE_MAX)
      break;
    length = l.length;
  }
  omen_latch_take (&omen_tables_latch);
  command = omen_string_id_of (l.text, length);
  omen_latch_give (&omen_tables_latch);
}

void
omen_program_write (bool child)
{
  const omen_process *mine = &omen_process_mine;
  omen_file_process entry
      = { command, program_flags (child), mine->exact, mine->loose };
  omen_tables_write ();
  omen_file_chunk (OMEN_CHUNK_PROGRAM, OMEN_NONE, 0, 1, &entry, sizeof entry);
}

bool omen_modules_stale;
omen_code_range omen_unwinder, omen_openmp;

/* -- modules ------------------------------------------------------------- */

typedef struct extent {
  uintptr_t start, end;
} extent;

static extent
extent_of (const struct dl_phdr_info *info)
{
  extent e = { UINTPTR_MAX, 0 };
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD)
      continue;
    uintptr_t at = info->dlpi_addr + p->p_vaddr;
    if ((at & -(uintptr_t)4096) < e.start)
      e.start = at & -(uintptr_t)4096;
    if (at + p->p_memsz > e.end)
      e.end = at + p->p_memsz;
  }
  return e;
}

static uint32_t
hex_of (const uint8_t *bytes, size_t count)
{
  static const char digits[] = "0123456789abcdef";
  char text[128];
  if (count > sizeof text / 2)
    count = sizeof text / 2;
  for (size_t i = 0; i < count; i++) {
    text[2 * i] = digits[bytes[i] >> 4];
    text[2 * i + 1] = digits[bytes[i] & 15];
  }
  return omen_string_id_of (text, 2 * count);
}

static uint32_t
build_id_in (const char *at, const char *end)
{
  while (end - at > (ptrdiff_t)sizeof (ElfW (Nhdr))) {
    const ElfW (Nhdr) *note = (const void *)at;
    size_t name = (note->n_namesz + 3) & ~3u;
    const char *text = at + sizeof *note;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4
        && omen_bytes_equal (text, "GNU", 4))
      return hex_of ((const uint8_t *)text + name, note->n_descsz);
    at = text + name + ((note->n_descsz + 3) & ~3u);
  }
  return OMEN_NONE;
}

static uint32_t
build_id_of (const struct dl_phdr_info *info)
{
  uint32_t id = OMEN_NONE;
  for (unsigned i = 0; i < info->dlpi_phnum && id == OMEN_NONE; i++) {
    const ElfW (Phdr) *p = &info->dlpi_phdr[i];
    const char *at = (const char *)(info->dlpi_addr + p->p_vaddr);
    if (p->p_type == PT_NOTE)
      id = build_id_in (at, at + p->p_memsz);
  }
  return id;
}

/* The path of the program itself, which dl_iterate_phdr does not name. Asked
   once: /proc/self is empty after the first thread has ended. */
static uint32_t
path_of_program (void)
{
  static uint32_t path = OMEN_NONE;
  char text[OMEN_PATH_MAX];
  if (path == OMEN_NONE) {
    long length = omen_call (SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe",
                             (long)text, sizeof text, 0, 0);
    path = omen_string_id_of (text, length > 0 ? (size_t)length : 0);
  }
  return path;
}

/* A relative name is relative to the folder at the time of loading. */
static uint32_t
path_of (const struct dl_phdr_info *info)
{
  char text[2 * OMEN_PATH_MAX];
  size_t more = omen_bytes_length (info->dlpi_name);
  long length;
  if (!more)
    return path_of_program ();
  if (*info->dlpi_name == '/' || more >= OMEN_PATH_MAX)
    return omen_string_id_of (info->dlpi_name, more);
  length = omen_call (SYS_getcwd, (long)text, OMEN_PATH_MAX, 0, 0, 0, 0);
  if (length <= 0)
    length = 1;
  text[length - 1] = '/';
  omen_bytes_copy (text + length, info->dlpi_name, more);
  return omen_string_id_of (text, (size_t)length + more);
}

static bool
has_module (uintptr_t base, uint32_t path)
{
  size_t size = omen_table_size (OMEN_TABLE_MODULE);
  const omen_file_recorded_module *all
      = (const void *)omen_table_at (OMEN_TABLE_MODULE, 0);
  for (size_t i = 0; i < size / sizeof *all; i++)
    if (all[i].base == base && all[i].path == path)
      return true;
  return false;
}

bool
omen_modules_have (uintptr_t address)
{
  size_t size = omen_table_size (OMEN_TABLE_MODULE);
  const omen_file_recorded_module *all
      = (const void *)omen_table_at (OMEN_TABLE_MODULE, 0);
  for (size_t i = size / sizeof *all; i--;)
    if (address - all[i].base < all[i].size)
      return true;
  return false;
}

static bool
is_unwinder (const char *name)
{
  static const char its[] = "/libgcc_s.so";
  for (; *name; name++)
    if (omen_bytes_length (name) >= sizeof its - 1
        && omen_bytes_equal (name, its, sizeof its - 1))
      return true;
  return false;
}

/* Linked with this library? */
bool
omen_module_is_woven (const struct dl_phdr_info *info)
{
  static const char name[] = "libomen-rt.so";
  const ElfW (Dyn) *dynamic = NULL;
  const char *strings = NULL;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (const ElfW (Dyn) *d = dynamic; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB)
      strings = (const char *)d->d_un.d_ptr;
  if (!strings)
    return false;
  if ((uintptr_t)strings < info->dlpi_addr)
    strings += info->dlpi_addr;
  for (const ElfW (Dyn) *d = dynamic; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_NEEDED
        && omen_bytes_length (strings + d->d_un.d_val) >= sizeof name - 1
        && omen_bytes_equal (strings + d->d_un.d_val, name, sizeof name - 1))
      return true;
  return false;
}

/* -- which module has an address: read without a latch -- */

enum { REGIONS = 1024 };
static struct {
  uintptr_t start, end;
  bool library;
} regions[REGIONS];
static uint32_t regions_known;

/* The latch of tables is held. */
static void
add_region (extent e, bool library)
{
  uint32_t n = __atomic_load_n (&regions_known, __ATOMIC_RELAXED);
  if (n == REGIONS)
    return;
  regions[n].start = e.start;
  regions[n].end = e.end;
  regions[n].library = library;
  __atomic_store_n (&regions_known, n + 1, __ATOMIC_RELEASE);
}

/* False: nothing is known. */
static bool
find_library (uintptr_t address, void **library)
{
  uint32_t i = __atomic_load_n (&regions_known, __ATOMIC_ACQUIRE);
  while (i--)
    if (address - regions[i].start < regions[i].end - regions[i].start) {
      *library = regions[i].library ? (void *)regions[i].start : NULL;
      return true;
    }
  return false;
}

/* Code that belongs to no file was generated by the program itself. */
static void
add_page (uintptr_t address)
{
  uintptr_t start = address & -(uintptr_t)4096;
  omen_latch_take (&omen_tables_latch);
  add_region ((extent){ start, start + 4096 }, false);
  omen_latch_give (&omen_tables_latch);
}

void *
omen_library_of (const volatile void *code)
{
  void *library = NULL;
  if (OMEN_LIKELY (find_library ((uintptr_t)code, &library)))
    return library;
  omen_busy_begin ();
  omen_modules_find ();
  if (!find_library ((uintptr_t)code, &library))
    add_page ((uintptr_t)code);
  omen_busy_end ();
  return library;
}

/* Leaves out the vDSO, which is not a file. */
static int
add_module (struct dl_phdr_info *info, size_t size, void *unused)
{
  extent e = extent_of (info);
  if (e.start >= e.end
      || (*info->dlpi_name && *info->dlpi_name != '/'
          && *info->dlpi_name != '.'))
    return 0;
  if (is_unwinder (info->dlpi_name))
    omen_unwinder = (omen_code_range){ e.start, e.end - e.start };
  if (!omen_openmp.size && omen_module_is_openmp (info->dlpi_name)
      && !omen_module_is_woven (info))
    omen_openmp = (omen_code_range){ e.start, e.end - e.start };
  omen_latch_take (&omen_tables_latch);
  uint32_t path = path_of (info);
  if (!has_module (e.start, path)) {
    bool woven = omen_module_is_woven (info);
    omen_file_recorded_module entry
        = { path, build_id_of (info), e.start, e.end - e.start,
            OMEN_MODULE_TOLD | (woven ? OMEN_MODULE_WOVEN : 0) };
    omen_table_add (OMEN_TABLE_MODULE, &entry, sizeof entry);
    add_region (e, !woven
                       && omen_module_standing (info->dlpi_name)
                              == OMEN_MODULE_STRANGER);
  }
  omen_latch_give (&omen_tables_latch);
  return 0;
}

void
omen_modules_find (void)
{
  omen_modules_stale = false;
  omen_quiet_begin ();
  dl_iterate_phdr (add_module, NULL);
  omen_quiet_end ();
  omen_tables_write ();
}
