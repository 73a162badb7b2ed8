/* Any bytes as what the runtime reads inside the program: the plan of a replay,
   and the text of OMEN_OPTIONS. Every path of a plan that is read lies in its
   text. */
#include "fuzz.h"

#include "runtime/core/core.h"
#include "runtime/core/process.h"
#include "runtime/sched/replay_plan.h"

#include <stdlib.h>
#include <string.h>

omen_process omen_process_mine;

static void
read_plan (const char *text, size_t size)
{
  const omen_forced_plan *plan = &omen_replay_plan;
  size_t room = size / OMEN_PLAN_LEAST_LINE + 1;
  omen_replay_plan = (omen_forced_plan){ 0 };
  if (omen_plan_parse (text, size)) {
    OMEN_ASSERT (plan->count <= room && plan->signal_count <= room);
    for (size_t i = 0; i < plan->count; i++)
      OMEN_ASSERT (plan->turns[i].length && plan->turns[i].path > text
                   && plan->turns[i].path + plan->turns[i].length
                          < text + size);
  }
  omen_pages_free (plan->turns, room * sizeof *plan->turns);
  omen_pages_free (plan->signals, room * sizeof *plan->signals);
}

static void
read_options (const char *text)
{
  omen_rt_options = (omen_options){ 0 };
  const char *wrong = omen_options_read (text);
  OMEN_ASSERT (!wrong || *wrong);
  OMEN_ASSERT (
      memchr (omen_rt_options.output, 0, OMEN_PATH_MAX)
      && memchr (omen_rt_options.schedule, 0, sizeof omen_rt_options.schedule));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char *text = malloc (size + 1); /* no byte more: whoever reads it is seen */
  if (size)
    memcpy (text, data, size);
  if (size)
    read_plan (text, size);
  text[size] = 0;
  read_options (text);
  free (text);
  return 0;
}
