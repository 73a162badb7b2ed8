#include "driver/predict/sidetrack_run.h"
#include "base/print.h"

#include <inttypes.h>

typedef struct races {
  omen_sidetrack_run *run;
  const omen_sink *sink;
} races;

static bool
count_race (void *context, omen_finding *finding)
{
  races *r = context;
  r->run->races++;
  omen_finding_fini (finding);
  return true;
}

static void
show_progress (void *context, const char *what, uint64_t done, uint64_t all)
{
  races *r = context;
  if (r->sink->progress)
    r->sink->progress (r->sink->context, what, done, all);
}

bool
omen_sidetrack_run_on (omen_sidetrack_run *run, const omen_model *model,
                       const omen_predict_options *options,
                       const omen_sink *sink, omen_predict_stats *stats)
{
  races mine = { run, sink };
  omen_sink counter = { count_race, show_progress, &mine };
  omen_predict_stats apart = { 0 };
  if (!omen_predict_sidetrack (model, options, sink, stats, &run->table))
    return false;
  omen_predict_race (model, options, &counter, &apart);
  if (!run->table.refuted || run->deadlocks)
    return true;
  return omen_predict_deadlock (model, options, sink, stats);
}

void
omen_sidetrack_run_races (const omen_sidetrack_run *run, const char *before,
                          FILE *out)
{
  if (run->races)
    omen_print (out,
                "%s%" PRIu64 " race%s in this trace: SideTrack's rules rely on "
                "there being none (omen predict race)",
                before, run->races, omen_s (run->races));
}
