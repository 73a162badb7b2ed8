#include "monitor/machine.h"

#include <string.h>

static const omen_machine_engine *const engines[] = {
#define OMEN_ENGINE(name) &omen_engine_##name,
#include "monitor/engines.def"
};

const omen_machine_engine *
omen_engine_find (const char *name)
{
  for (size_t i = 0; i < OMEN_COUNT (engines); i++)
    if (!strcmp (engines[i]->name, name))
      return engines[i];
  return NULL;
}
