#include "cmd/checked.h"
#include "cmd/shorten.h"
#include "cmd/values.h"
#include "cmd/verifying.h"
#include "trace/load.h"

#include <string.h>

/* One trace being looked at. */
typedef struct looking {
  omen_checked *checked;
  omen_check_job *job;
  omen_verifying *verifying;
  omen_verifier *verifier; /* for what is kept, which is little */
  omen_reporter *reporter;
  omen_err *err;
} looking;

static uint32_t
print_id (looking *l, omen_names *prints, const omen_finding *finding)
{
  char *print = omen_report_fingerprint (l->reporter, finding);
  uint32_t id = omen_names_id (prints, print, strlen (print));
  omen_free (print);
  return id;
}

/* A baseline may know the pair, or its whole block. */
static bool
is_known (looking *l, const omen_finding *finding, const omen_finding *whole)
{
  return omen_baseline_has (l->job->baseline, l->reporter, finding)
         || omen_baseline_has (l->job->baseline, l->reporter, whole);
}

/* Is it new? Counts it where it belongs. */
static bool
is_new (looking *l, const omen_finding *finding)
{
  omen_check_job *job = l->job;
  uint32_t before = job->seen.count;
  uint32_t id = print_id (l, &job->seen, finding);
  omen_finding whole = *finding; /* what it will be a part of */
  whole.by_block
      = job->by_block && finding->kind == OMEN_FINDING_ATOMICITY;
  OMEN_ASSERT (job->counts.count == before && id <= before);
  if (job->seen.count == before) {
    job->counts.data[id] += finding->count;
    return false;
  }
  OMEN_VEC_PUSH (job->counts, finding->count);
  if (omen_suppressed (job->suppressions, l->reporter, finding))
    print_id (l, &job->suppressed, &whole);
  else if (is_known (l, finding, &whole))
    print_id (l, &job->known, &whole);
  else
    return true;
  return false;
}

/* A witness that does not verify is our bug: nothing more is to be trusted. */
static bool
keep (void *context, omen_finding *finding, const omen_err *why)
{
  looking *l = context;
  if (why->set)
    return omen_err_set (l->err, "",
                         "internal error: a %s witness does not verify: %s",
                         omen_finding_kind_text (finding->kind), why->what);
  if (!is_new (l, finding))
    return true;
  finding->status = OMEN_STATUS_VERIFIED;
  omen_shorten (l->verifier, l->checked->trace, &finding->witness);
  OMEN_VEC_PUSH (l->checked->findings, *finding);
  *finding = (omen_finding){ 0 }; /* ours now */
  return true;
}

static bool
take (void *context, omen_finding *finding)
{
  looking *l = context;
  return omen_verifying_take (l->verifying, finding);
}

static void
progress (void *context, const char *what, uint64_t done, uint64_t all)
{
  const looking *l = context;
  l->job->progress (l->job->context, what, done, all);
}

/* Not all functions were written to be atomic: one question for each and the
   variables is enough, and none for those that wait for others. */
static bool
detect_atomicity (const omen_model *model, const omen_predict_options *given,
                  const omen_sink *sink, omen_predict_stats *stats)
{
  omen_predict_options options = *given;
  omen_atomic steady;
  omen_atomic_init (&steady, OMEN_ATOMIC_STEADY);
  options.group = OMEN_GROUP_VARIABLE;
  options.atomic = &steady;
  bool go_on = omen_predict_atomicity (model, &options, sink, stats);
  omen_atomic_fini (&steady);
  return go_on;
}

static bool
detect_properties (looking *l, const omen_model *model,
                   const omen_predict_options *given, const omen_sink *sink,
                   omen_predict_stats *stats)
{
  const omen_spec_list *specs = l->job->specs;
  omen_predict_options options = *given;
  bool go_on = true;
  for (size_t i = 0; go_on && i < specs->predict.count; i++) {
    options.spec = &specs->predict.data[i];
    go_on = omen_predict_property (model, &options, sink, stats);
    omen_sights_walk (&l->job->sights[i], l->checked->trace);
  }
  return go_on;
}

static void
detect (looking *l, const omen_model *model)
{
  omen_sink sink = { take, progress, l };
  omen_predict_options options = l->job->options;
  omen_predict_stats stats = { 0 };
  if (!l->job->model_given)
    options.model = omen_has_values (l->checked->trace) ? OMEN_MODEL_VALUE
                                                        : OMEN_MODEL_RF;
  options.identity = omen_trace_identity (l->checked->trace);
  options.brief = true;
  bool go_on = omen_predict_race (model, &options, &sink, &stats)
               && omen_predict_deadlock (model, &options, &sink, &stats)
               && detect_atomicity (model, &options, &sink, &stats)
               && omen_predict_misuse (model, &options, &sink, &stats)
               && omen_predict_nondet (model, &options, &sink, &stats)
               && detect_properties (l, model, &options, &sink, &stats);
  go_on = omen_verifying_finish (l->verifying) && go_on;
  OMEN_CHECK (go_on || l->err->set);
  l->job->undecided += stats.undecided;
}

static bool
look (looking *l)
{
  const omen_trace *trace = l->checked->trace;
  omen_model *model = omen_model_new (trace, l->err);
  if (model)
    l->verifier = omen_verifier_new (trace, l->err);
  if (l->verifier)
    l->verifying = omen_verifying_new (trace, l->job->options.jobs, keep, l,
                                       l->err);
  if (l->verifying) {
    omen_spec_list_tell (l->job->specs, l->verifier);
    omen_verifying_specs (l->verifying, l->job->specs);
    l->reporter = omen_reporter_new (trace);
    detect (l, model);
  }
  omen_reporter_free (l->reporter);
  if (l->verifying)
    omen_verifying_free (l->verifying);
  omen_verifier_free (l->verifier);
  omen_model_free (model);
  return !l->err->set;
}

void
omen_check_job_init (omen_check_job *job)
{
  *job = (omen_check_job){ 0 };
  omen_names_init (&job->seen);
  omen_names_init (&job->suppressed);
  omen_names_init (&job->known);
}

void
omen_check_job_fini (omen_check_job *job)
{
  omen_suppressions_free (job->suppressions);
  omen_baseline_free (job->baseline);
  omen_names_fini (&job->seen);
  omen_names_fini (&job->suppressed);
  omen_names_fini (&job->known);
  OMEN_VEC_FINI (job->counts);
}

bool
omen_checked_make (omen_checked *checked, const char *path,
                   omen_check_job *job, omen_err *err)
{
  looking l = { .checked = checked, .job = job, .err = err };
  *checked = (omen_checked){ .path = omen_strdup (path) };
  checked->trace = omen_trace_load (path, err);
  if (checked->trace)
    job->loaded (job->context, path, checked->trace);
  if (checked->trace && look (&l))
    return true;
  omen_checked_fini (checked);
  return false;
}

void
omen_checked_fini (omen_checked *checked)
{
  for (size_t i = 0; i < checked->findings.count; i++)
    omen_finding_fini (&checked->findings.data[i]);
  OMEN_VEC_FINI (checked->findings);
  omen_trace_free (checked->trace);
  omen_free (checked->path);
  *checked = (omen_checked){ 0 };
}
