/* Any trace, looked at by omen explore: no crash, and the plans that come of a
   recording can be read by the runtime's reader. Inputs are those of
   fuzz_recording, and texts. */
#include "fuzz.h"

#include "base/mem.h"
#include "driver/explore/explore.h"
#include "load/load.h"
#include "mend.h"
#include "repaired.h"
#include "runtime/core/core.h"
#include "runtime/core/process.h"
#include "runtime/sched/replay_plan.h"

#include <string.h>

omen_process omen_process_mine;

static bool
can_be_read (const omen_explore_plan *plan)
{
  size_t room = plan->length / OMEN_PLAN_LEAST_LINE + 1;
  omen_replay_plan = (omen_forced_plan){ 0 };
  bool good = omen_plan_parse (plan->text, plan->length);
  omen_pages_free (omen_replay_plan.turns,
                   room * sizeof *omen_replay_plan.turns);
  omen_pages_free (omen_replay_plan.signals,
                   room * sizeof *omen_replay_plan.signals);
  return good;
}

/* The plans are of the first, and the second is as if it came of the last. */
static void
explore (const omen_trace *trace)
{
  const omen_cuts_options options = { .most_states = 500 };
  omen_explore *x = omen_explore_new (&options, NULL);
  omen_explore_plan plan = { 0 };
  omen_explored run;
  omen_err err = { 0 };
  OMEN_ASSERT (omen_explore_next (x, &plan));
  if (!omen_explore_take (x, &plan, trace, true, &run, &err))
    OMEN_ASSERT (err.what[0]);
  omen_explore_plan_fini (&plan);
  for (unsigned i = 0; i < 20 && omen_explore_next (x, &plan); i++) {
    OMEN_ASSERT (can_be_read (&plan)
                 || omen_explore_limits (x) & OMEN_LIMITED_UNREAD);
    if (i == 19)
      omen_explore_take (x, &plan, trace, true, &run, &err);
    omen_explore_plan_fini (&plan);
  }
  omen_explore_free (x);
}

static bool
is_small (const omen_trace *trace)
{
  return trace->events.count <= 100 && trace->threads.count <= 8;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_load_options options = { .rebuild.all = true, .without_names = true };
  omen_trace *trace = omen_load_memory ("fuzz", data, size, &options, &err);
  if (trace && is_small (trace))
    trace = repaired (trace);
  if (trace && is_small (trace))
    explore (trace);
  omen_trace_free (trace);
  OMEN_ASSERT (!omen_mem_live ());
  return 0;
}
