#include "trace/maybe.h"

#include <string.h>

bool
omen_trace_has_maybe (const omen_trace *trace)
{
  for (size_t e = 0; e < trace->events.count; e++)
    if (trace->events.data[e].mode & OMEN_MODE_MAYBE)
      return true;
  return false;
}

void
omen_trace_loosen (omen_trace *loose, const omen_trace *trace)
{
  size_t count = trace->events.count;
  OMEN_REQUIRE (trace->index || !count); /* sealed */
  *loose = *trace;
  memset (&loose->events, 0, sizeof loose->events);
  loose->events.data = omen_alloc ((count + 1) * sizeof *loose->events.data);
  loose->events.count = count;
  for (size_t e = 0; e < count; e++) {
    omen_event *event = &loose->events.data[e];
    *event = trace->events.data[e];
    if (event->mode & OMEN_MODE_MAYBE) {
      event->kind = OMEN_BRANCH;
      event->object = OMEN_NONE;
      event->mode &= (uint8_t)~OMEN_MODE_MAYBE;
    }
  }
}

void
omen_trace_loosen_end (omen_trace *loose)
{
  omen_free (loose->events.data);
  memset (&loose->events, 0, sizeof loose->events);
}
