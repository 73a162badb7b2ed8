#include "recording/scan/outside.h"
#include "wire/modules.h"
#include "wire/recording.h"

#include <string.h>

bool
omen_notes_has_woven (const omen_notes_file *file)
{
  const omen_trace *trace = file->reader->trace;
  for (size_t i = 0; i < trace->modules.count; i++)
    if (trace->modules.data[i].flags & OMEN_MODULE_WOVEN)
      return true;
  return false;
}

/* Is it a function of a sanitizer's runtime, which is linked into the program?
   Its memory is its own, and guarded by locks of its own. */
static bool
is_sanitizer (const omen_notes_file *file, uint64_t pc)
{
  static const char *const spaces[]
      = { "__asan::", "__sanitizer::", "__lsan::" };
  uint32_t code = omen_notes_code (file, pc), function;
  if (code == OMEN_NONE)
    return false;
  function = file->code.data[code].function;
  for (size_t i = 0; function != OMEN_NONE && i < OMEN_COUNT (spaces); i++)
    if (!strncmp (omen_names_text (&file->reader->trace->strings, function),
                  spaces[i], strlen (spaces[i])))
      return true;
  return false;
}

omen_outside_code
omen_notes_outside (const omen_notes_file *file, uint64_t pc)
{
  const omen_trace *trace = file->reader->trace;
  if (is_sanitizer (file, pc))
    return OMEN_OUTSIDE_LIBRARY;
  for (size_t i = 0; i < trace->modules.count; i++) {
    const omen_module *module = &trace->modules.data[i];
    omen_standing standing;
    if (pc - module->base >= module->size)
      continue;
    standing = omen_module_standing (
        omen_names_text (&trace->strings, module->path));
    if (module->flags & OMEN_MODULE_WOVEN || !(module->flags & OMEN_MODULE_TOLD)
        || standing == OMEN_MODULE_SERVANT || !omen_notes_has_woven (file))
      return OMEN_OUTSIDE_NOT;
    return standing == OMEN_MODULE_STANDARD ? OMEN_OUTSIDE_STANDARD
                                            : OMEN_OUTSIDE_LIBRARY;
  }
  return OMEN_OUTSIDE_NOT;
}
