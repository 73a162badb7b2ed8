#include "symbols/lookup.h"
#include "symbols/module.h"
#include "trace/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct module {
  bool opened;
  omen_elf *elf; /* NULL: missing, or replaced by another file */
} module;

/* A file opened by its path. */
typedef struct file {
  char *path;
  uint64_t base;
  omen_elf *elf; /* or NULL */
} file;

struct omen_lookup {
  OMEN_VEC (module) modules; /* indexed like the modules of the trace */
  OMEN_VEC (file) files;
};

omen_lookup *
omen_lookup_new (void)
{
  return omen_zalloc (1, sizeof (omen_lookup));
}

void
omen_lookup_free (omen_lookup *lookup)
{
  if (!lookup)
    return;
  for (size_t i = 0; i < lookup->modules.count; i++)
    if (lookup->modules.data[i].elf)
      omen_elf_close (lookup->modules.data[i].elf);
  for (size_t i = 0; i < lookup->files.count; i++) {
    if (lookup->files.data[i].elf)
      omen_elf_close (lookup->files.data[i].elf);
    omen_free (lookup->files.data[i].path);
  }
  OMEN_VEC_FINI (lookup->modules);
  OMEN_VEC_FINI (lookup->files);
  omen_free (lookup);
}

static const char *
text_of (const omen_trace *trace, uint32_t string)
{
  return string == OMEN_NONE ? NULL : omen_names_text (&trace->strings, string);
}

/* The module that contains the address, or NULL; *elf: its file, if
   available. */
static const omen_module *
find_module (omen_lookup *lookup, const omen_trace *trace, uint64_t address,
             omen_elf **elf)
{
  for (size_t i = 0; i < trace->modules.count; i++) {
    const omen_module *m = &trace->modules.data[i];
    module *mine;
    if (address - m->base >= m->size)
      continue;
    while (lookup->modules.count <= i)
      OMEN_VEC_PUSH (lookup->modules, ((module){ 0 }));
    mine = &lookup->modules.data[i];
    if (!mine->opened)
      mine->elf = omen_elf_open (text_of (trace, m->path),
                                 text_of (trace, m->build_id), m->base);
    mine->opened = true;
    *elf = mine->elf;
    return m;
  }
  return NULL;
}

/* ---- code ---- */

static const omen_elf_frame *
shown (const omen_elf_frame *frames, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    if (!frames[i].file || !omen_place_is_library (frames[i].file))
      return &frames[i];
  return frames;
}

/* "file:line", or "". */
static void
put_code (omen_elf *elf, uint64_t pc, char text[OMEN_LOOKUP_MAX])
{
  omen_elf_frame frames[OMEN_ELF_FRAMES];
  unsigned count = elf ? omen_elf_code (elf, pc, frames) : 0;
  const omen_elf_frame *frame = count ? shown (frames, count) : NULL;
  text[0] = 0;
  if (frame && frame->file && frame->line)
    snprintf (text, OMEN_LOOKUP_MAX, "%.480s:%u", frame->file, frame->line);
}

static omen_elf *
find_file (omen_lookup *lookup, const char *path, uint64_t base)
{
  file new;
  for (size_t i = 0; i < lookup->files.count; i++)
    if (lookup->files.data[i].base == base
        && !strcmp (lookup->files.data[i].path, path))
      return lookup->files.data[i].elf;
  new = (file){ omen_strdup (path), base, omen_elf_open (path, NULL, base) };
  OMEN_VEC_PUSH (lookup->files, new);
  return new.elf;
}

void
omen_lookup_file (omen_lookup *lookup, const char *path, uint64_t base,
                  uint64_t pc, char text[OMEN_LOOKUP_MAX])
{
  put_code (find_file (lookup, path, base), pc, text);
}

void
omen_lookup_code (omen_lookup *lookup, const omen_trace *trace, uint64_t pc,
                  char text[OMEN_LOOKUP_MAX])
{
  omen_elf *elf = NULL;
  const omen_module *m = pc ? find_module (lookup, trace, pc, &elf) : NULL;
  const char *path, *slash;
  put_code (elf, pc, text);
  if (!m || *text)
    return;
  path = text_of (trace, m->path);
  slash = strrchr (path, '/');
  snprintf (text, OMEN_LOOKUP_MAX, "%.400s+%#" PRIx64, slash ? slash + 1 : path,
            pc - m->base);
}

/* ---- objects ---- */

typedef struct wanted {
  uint64_t address, base, size; /* of the best object so far */
  char *text;
} wanted;

/* Of several objects that contain the address, the one that starts first is
   taken. */
static void
take_object (void *data, const char *name, uint64_t address, uint64_t size,
             bool confined)
{
  wanted *w = data;
  if (w->address - address >= size)
    return;
  if (*w->text
      && (address > w->base || (address == w->base && size <= w->size)))
    return;
  w->base = address;
  w->size = size;
  if (w->address == address)
    snprintf (w->text, OMEN_LOOKUP_MAX, "%.460s", name);
  else
    snprintf (w->text, OMEN_LOOKUP_MAX, "%.460s+%" PRIu64, name,
              w->address - address);
}

void
omen_lookup_object (omen_lookup *lookup, const omen_trace *trace,
                    uint64_t address, char text[OMEN_LOOKUP_MAX])
{
  wanted w = { .address = address, .text = text };
  omen_elf *elf = NULL;
  text[0] = 0;
  find_module (lookup, trace, address, &elf);
  if (elf)
    omen_elf_objects (elf, take_object, &w);
  if (!*text)
    snprintf (text, OMEN_LOOKUP_MAX, "%#" PRIx64, address);
}
