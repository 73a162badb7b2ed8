#include "trace/ids.h"

#include <string.h>

static void
note_use (void *data, unsigned table, uint32_t id)
{
  omen_first_use *use = data;
  OMEN_ASSERT (table < OMEN_IDS_TABLES);
  use->broken |= id > use->seen[table];
  use->seen[table] += id == use->seen[table];
}

void
omen_first_use_init (omen_first_use *use, const omen_trace *trace)
{
  memset (use, 0, sizeof *use);
  for (size_t i = 0; i < trace->inits.count; i++)
    omen_ids_in_init (trace, &trace->inits.data[i], note_use, use);
}

/* Each rmw and each emit has an entry of its own, so its id must be new. */
void
omen_first_use_event (omen_first_use *use, const omen_trace *trace,
                      const omen_event *event)
{
  use->broken |= event->kind == OMEN_ATOMIC_RMW
                 && event->value != use->seen[OMEN_IDS_RMW];
  use->broken
      |= event->kind == OMEN_EMIT && event->value != use->seen[OMEN_IDS_EMIT];
  omen_ids_in_event (trace, event, omen_ids_of_object (event->kind), note_use,
                     use);
}
