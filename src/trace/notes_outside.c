#include "trace/notes_outside.h"
#include "trace/recording.h"

#include <string.h>

static bool
is_one_of (const char *path, const char *const *names)
{
  const char *slash = strrchr (path, '/'), *name = slash ? slash + 1 : path;
  for (; *names; names++)
    if (!strncmp (name, *names, strlen (*names)))
      return true;
  return false;
}

/* What the runtime and libc do they do for their caller. */
static bool
is_servant (const char *path)
{
  static const char *const names[]
      = { "libomen-rt.so", "libc.so", "libm.so", NULL };
  return is_one_of (path, names);
}

static bool
is_standard (const char *path)
{
  static const char *const names[]
      = { "libstdc++.so", "libc++.so",    "libc++abi.so",
          "libgcc_s.so",  "libatomic.so", "ld-linux", NULL };
  return is_one_of (path, names);
}

static bool
has_woven (const omen_trace *trace)
{
  for (size_t i = 0; i < trace->modules.count; i++)
    if (trace->modules.data[i].flags & OMEN_MODULE_WOVEN)
      return true;
  return false;
}

omen_outside_code
omen_notes_outside (const omen_notes_file *file, uint64_t pc)
{
  const omen_trace *trace = file->reader->trace;
  for (size_t i = 0; i < trace->modules.count; i++) {
    const omen_module *module = &trace->modules.data[i];
    const char *path;
    if (pc - module->base >= module->size)
      continue;
    path = omen_names_text (&trace->strings, module->path);
    if (module->flags & OMEN_MODULE_WOVEN
        || !(module->flags & OMEN_MODULE_TOLD) || is_servant (path)
        || !has_woven (trace))
      return OMEN_OUTSIDE_NOT;
    return is_standard (path) ? OMEN_OUTSIDE_STANDARD : OMEN_OUTSIDE_LIBRARY;
  }
  return OMEN_OUTSIDE_NOT;
}
