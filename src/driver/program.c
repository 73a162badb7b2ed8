#include "driver/program.h"
#include "wire/abi.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNTIME_NAME "libomen-rt.so"
#define WOVEN_SECTION OMEN_ABI_SECTION

/* ---- a file's bytes ---- */
typedef struct image {
  const uint8_t *bytes;
  size_t size;
} image;

static image
map_file (const char *path)
{
  image file = { NULL, 0 };
  struct stat info;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return file;
  if (!fstat (fd, &info) && S_ISREG (info.st_mode) && info.st_size > 0) {
    void *at = mmap (NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at != MAP_FAILED)
      file = (image){ at, (size_t)info.st_size };
  }
  close (fd);
  return file;
}

static void
unmap_file (image file)
{
  if (file.bytes)
    munmap ((void *)file.bytes, file.size);
}

/* `size` bytes at `offset`, or NULL if the file is shorter. */
static const void *
at (image file, uint64_t offset, uint64_t size)
{
  return offset <= file.size && size <= file.size - offset ? file.bytes + offset
                                                           : NULL;
}

/* A NUL-terminated string within the file, or NULL. */
static const char *
text_at (image file, uint64_t offset)
{
  const char *text = at (file, offset, 1);
  return text && memchr (text, 0, file.size - offset) ? text : NULL;
}

/* ---- ELF ---- */
static const Elf64_Ehdr *
elf_header (image file)
{
  const Elf64_Ehdr *h = at (file, 0, sizeof *h);
  bool fits = h && !memcmp (h->e_ident, ELFMAG, SELFMAG)
              && h->e_ident[EI_CLASS] == ELFCLASS64
              && h->e_ident[EI_DATA] == ELFDATA2LSB && h->e_machine == EM_X86_64
              && h->e_phentsize == sizeof (Elf64_Phdr);
  return fits ? h : NULL;
}

static const Elf64_Phdr *
segment (image file, uint32_t type)
{
  const Elf64_Ehdr *h = elf_header (file);
  for (unsigned i = 0; h && i < h->e_phnum; i++) {
    const Elf64_Phdr *p = at (file, h->e_phoff + i * sizeof *p, sizeof *p);
    if (p && p->p_type == type)
      return p;
  }
  return NULL;
}

/* The offset in the file of an address of the loaded program. */
static uint64_t
file_offset (image file, uint64_t address)
{
  const Elf64_Ehdr *h = elf_header (file);
  for (unsigned i = 0; h && i < h->e_phnum; i++) {
    const Elf64_Phdr *p = at (file, h->e_phoff + i * sizeof *p, sizeof *p);
    if (p && p->p_type == PT_LOAD && address >= p->p_vaddr
        && address - p->p_vaddr < p->p_filesz)
      return address - p->p_vaddr + p->p_offset;
  }
  return UINT64_MAX;
}

/* Entry `i` of the dynamic section; NULL after the last one. */
static const Elf64_Dyn *
dynamic (image file, size_t i)
{
  const Elf64_Phdr *p = segment (file, PT_DYNAMIC);
  const Elf64_Dyn *d;
  if (!p || i >= p->p_filesz / sizeof *d)
    return NULL;
  d = at (file, p->p_offset + i * sizeof *d, sizeof *d);
  return d && d->d_tag != DT_NULL ? d : NULL;
}

static bool
needs_runtime (image file)
{
  const Elf64_Dyn *d;
  uint64_t strings = UINT64_MAX;
  for (size_t i = 0; (d = dynamic (file, i)); i++)
    if (d->d_tag == DT_STRTAB)
      strings = file_offset (file, d->d_un.d_ptr);
  for (size_t i = 0; (d = dynamic (file, i)); i++) {
    const char *name = d->d_tag == DT_NEEDED && strings != UINT64_MAX
                           ? text_at (file, strings + d->d_un.d_val)
                           : NULL;
    if (name && !strncmp (name, RUNTIME_NAME, strlen (RUNTIME_NAME)))
      return true;
  }
  return false;
}

static const Elf64_Shdr *
section (image file, const char *wanted)
{
  const Elf64_Ehdr *h = elf_header (file);
  const Elf64_Shdr *names
      = h && h->e_shentsize == sizeof *names && h->e_shstrndx < h->e_shnum
            ? at (file, h->e_shoff + h->e_shstrndx * sizeof *names,
                  sizeof *names)
            : NULL;
  for (unsigned i = 0; names && i < h->e_shnum; i++) {
    const Elf64_Shdr *s = at (file, h->e_shoff + i * sizeof *s, sizeof *s);
    const char *name = s ? text_at (file, names->sh_offset + s->sh_name) : NULL;
    if (name && !strcmp (name, wanted))
      return s;
  }
  return NULL;
}

static omen_program_kind
kind_of (image file)
{
  const Elf64_Ehdr *h = elf_header (file);
  if (!h || (h->e_type != ET_EXEC && h->e_type != ET_DYN))
    return OMEN_PROGRAM_OTHER;
  if (!segment (file, PT_INTERP))
    return OMEN_PROGRAM_STATIC;
  return needs_runtime (file) ? OMEN_PROGRAM_WOVEN : OMEN_PROGRAM_PLAIN;
}

bool
omen_program_is_woven (const char *path)
{
  image file = map_file (path);
  bool woven = section (file, WOVEN_SECTION);
  unmap_file (file);
  return woven;
}

bool
omen_program_only_events (const char *path)
{
  image file = map_file (path);
  const Elf64_Shdr *s = section (file, WOVEN_SECTION);
  const void *bytes = s && s->sh_type != SHT_NOBITS
                          ? at (file, s->sh_offset, s->sh_size)
                          : NULL;
  bool found = bytes
               && memmem (bytes, s->sh_size, OMEN_ABI_ONLY_EVENTS,
                          strlen (OMEN_ABI_ONLY_EVENTS));
  unmap_file (file);
  return found;
}

bool
omen_program_section (const char *path, const char *name,
                      omen_section_reader read, void *self)
{
  image file = map_file (path);
  const Elf64_Shdr *s = section (file, name);
  const void *bytes = s && s->sh_type != SHT_NOBITS
                          ? at (file, s->sh_offset, s->sh_size)
                          : NULL;
  bool runs = segment (file, PT_INTERP);
  if (bytes)
    read (self, bytes, s->sh_size);
  unmap_file (file);
  return runs;
}

void
omen_program_imports (const char *path, omen_program_names *names)
{
  image file = map_file (path);
  const Elf64_Shdr *symbols = section (file, ".dynsym");
  const Elf64_Shdr *texts = section (file, ".dynstr");
  uint64_t count = symbols && texts ? symbols->sh_size / sizeof (Elf64_Sym) : 0;
  for (uint64_t i = 1; i < count; i++) {
    const Elf64_Sym *s
        = at (file, symbols->sh_offset + i * sizeof *s, sizeof *s);
    const char *name = s && s->st_shndx == SHN_UNDEF
                           ? text_at (file, texts->sh_offset + s->st_name)
                           : NULL;
    if (name && *name && ELF64_ST_TYPE (s->st_info) != STT_OBJECT)
      OMEN_VEC_PUSH (*names, omen_strdup (name));
  }
  unmap_file (file);
}

/* ---- where it is ---- */
static bool
is_program (const char *path)
{
  struct stat info;
  return !stat (path, &info) && S_ISREG (info.st_mode) && !access (path, X_OK);
}

static bool
search (omen_program *program, const char *name)
{
  const char *from = secure_getenv ("PATH");
  from = from ? from : "/bin:/usr/bin";
  while (true) {
    size_t length = strcspn (from, ":");
    int size = length ? snprintf (program->path, PATH_MAX, "%.*s/%s",
                                  (int)length, from, name)
                      : snprintf (program->path, PATH_MAX, "./%s", name);
    if (size < PATH_MAX && is_program (program->path))
      return true;
    if (!from[length])
      return false;
    from += length + 1;
  }
}

bool
omen_program_find (omen_program *program, const char *name, omen_err *err)
{
  program->missing = true;
  if (strchr (name, '/')) {
    struct stat info;
    if (strlen (name) >= PATH_MAX || stat (name, &info))
      return omen_err_io (err, name, "%s", strerror (errno));
    program->missing = false;
    if (S_ISDIR (info.st_mode))
      return omen_err_io (err, name, "is a folder");
    if (!is_program (name))
      return omen_err_io (err, name, "cannot be executed");
    strcpy (program->path, name);
  } else if (!*name || !search (program, name))
    return omen_err_io (err, name, "no such program in PATH");
  program->missing = false;
  image file = map_file (program->path);
  program->kind = kind_of (file);
  unmap_file (file);
  return true;
}
