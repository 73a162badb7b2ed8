#include "recording/scan/outside.h"
#include "wire/modules.h"
#include "wire/recording.h"

bool
omen_notes_has_woven (const omen_notes_file *file)
{
  const omen_trace *trace = file->reader->trace;
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
