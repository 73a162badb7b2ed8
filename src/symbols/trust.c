/* Which source files may be shown? A trace may name any file, and any program
   that lists it. */
#include "symbols/module.h"
#include "symbols/symbols.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
note_path (void *data, const char *name, const char *path)
{
  omen_names_id (data, path, strlen (path));
}

static bool
is_honest (const char *path)
{
  struct stat info;
  return !stat (path, &info) && S_ISREG (info.st_mode)
         && (!info.st_uid || info.st_uid == geteuid ());
}

static void
list_files (const omen_trace *trace, const omen_module *module,
            omen_names *listed)
{
  const char *path = omen_names_text (&trace->strings, module->path);
  const char *id = module->build_id == OMEN_NONE
                       ? NULL
                       : omen_names_text (&trace->strings, module->build_id);
  omen_elf *elf
      = id && is_honest (path) ? omen_elf_open (path, id, module->base) : NULL;
  if (elf)
    omen_elf_sources (elf, note_path, listed);
  omen_elf_close (elf);
}

void
omen_symbols_trust (omen_trace *trace)
{
  omen_names listed;
  if (!trace->sources.count)
    return;
  omen_names_init (&listed);
  for (size_t i = 0; i < trace->modules.count; i++)
    list_files (trace, &trace->modules.data[i], &listed);
  for (size_t i = 0; i < trace->sources.count; i++) {
    omen_source_file *source = &trace->sources.data[i];
    const char *path = omen_names_text (&trace->strings, source->path);
    source->trusted
        = omen_names_find (&listed, path, strlen (path)) != OMEN_NONE;
  }
  omen_names_fini (&listed);
}
