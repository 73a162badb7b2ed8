#include "driver/watch/end.h"
#include "driver/input.h"
#include "driver/predict/sidetrack_run.h"
#include "driver/values.h"
#include "driver/verifying.h"
#include "driver/watch/online.h"
#include "report/report.h"

#include <string.h>
#include <unistd.h>

typedef struct judging {
  omen_watch_end *end;
  const char *path;
  const omen_trace *trace;
  omen_verifying *verifying;
  omen_reporter *reporter;
  omen_err err; /* set if a witness does not verify */
} judging;

void
omen_watch_end_init (omen_watch_end *end, const omen_names *keys,
                     const omen_atomic *atomic, double timeout)
{
  *end = (omen_watch_end){ .atomic = atomic, .timeout = timeout, .keys = keys };
  end->judged = omen_zalloc (keys->count + 1, 1);
}

void
omen_watch_end_fini (omen_watch_end *end)
{
  omen_free (end->judged);
}

unsigned
omen_watch_lost (const omen_watch_end *end)
{
  unsigned lost = 0;
  for (uint32_t i = 0; i < end->keys->count; i++)
    lost += !end->judged[i];
  return lost;
}

static void
mark_judged (judging *j, const omen_finding *f)
{
  const char *at[3];
  char key[OMEN_ONLINE_KEY];
  uint32_t id;
  if (f->kind != OMEN_FINDING_ATOMICITY || !f->blame.count)
    return;
  for (int i = 0; i < 3; i++)
    at[i] = omen_trace_location (j->trace, f->acquires[i]);
  omen_online_key (key, j->path, f->error,
                   omen_atomic_name (j->trace, f->blame.data[0]), at);
  id = omen_names_find (j->end->keys, key, strlen (key));
  if (id != OMEN_NONE)
    j->end->judged[id] = 1;
}

static bool
report_finding (void *context, omen_finding *finding, const omen_err *err)
{
  judging *j = context;
  omen_watch_end *end = j->end;
  unsigned number = 0;
  if (err->set)
    return omen_err_set (&j->err, "",
                         "internal error: a %s witness does not verify: %s",
                         omen_finding_kind_text (finding->kind), err->what);
  if (finding->status == OMEN_STATUS_PREDICTED)
    omen_finding_verified (finding);
  mark_judged (j, finding);
  if (finding->status == OMEN_STATUS_REFUTED)
    end->refuted++;
  else {
    if (finding->status == OMEN_STATUS_VERIFIED
        || finding->status == OMEN_STATUS_CONFIRMED)
      end->verified++;
    else
      end->unverified++;
    number = end->verified + end->unverified;
  }
  omen_report_text (j->reporter, finding, number, stderr);
  return true;
}

static bool
verify_finding (void *context, omen_finding *finding)
{
  judging *j = context;
  return omen_verifying_take (j->verifying, finding);
}

static void
judge_run (judging *j, const omen_model *model)
{
  omen_sink sink = { verify_finding, NULL, j };
  omen_sidetrack_run run = { .deadlocks = false };
  omen_predict_stats stats = { 0 };
  long processors = sysconf (_SC_NPROCESSORS_ONLN);
  omen_predict_options options = {
    .jobs = processors > 1 ? (unsigned)processors : 1,
    .asks = OMEN_DEFAULT_ASKS,
    .timeout = j->end->timeout,
    .atomic = j->end->atomic,
    .identity = omen_trace_identity (j->trace),
    .model = omen_has_values (j->trace) ? OMEN_MODEL_VALUE : OMEN_MODEL_RF,
    .engine = { .budget = { .steps = OMEN_DEFAULT_STEPS }, .z3_seconds = 2 }
  };
  omen_sidetrack_run_on (&run, model, &options, &sink, &stats);
  omen_verifying_finish (j->verifying);
  omen_sidetrack_run_races (&run, "omen: ", stderr);
  if (run.races)
    fputc ('\n', stderr);
  j->end->races += run.races;
}

bool
omen_watch_judge (omen_watch_end *end, const char *path, int *code)
{
  omen_trace *trace = omen_input_load (path, NULL, code);
  judging j = { .end = end, .path = path, .trace = trace };
  omen_err err = { 0 };
  omen_model *model = trace ? omen_model_new (trace, &err) : NULL;
  if (model)
    j.verifying = omen_verifying_new (trace, 1, report_finding, &j, &err);
  if (j.verifying) {
    j.reporter = omen_reporter_new (trace);
    judge_run (&j, model);
    omen_reporter_free (j.reporter);
    omen_verifying_free (j.verifying);
  } else if (trace)
    *code = omen_fail (OMEN_EXIT_INPUT, &err);
  if (j.err.set)
    *code = omen_fail (OMEN_EXIT_BUG, &j.err);
  omen_model_free (model);
  omen_trace_free (trace);
  return j.verifying && !j.err.set;
}
