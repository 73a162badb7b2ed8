#include "driver/check/checked.h"
#include "driver/certainty.h"
#include "driver/interrupt.h"
#include "driver/shorten.h"
#include "driver/values.h"
#include "driver/verifying.h"
#include "load/load.h"

#include <string.h>

/* State while a trace is analysed. */
typedef struct analysis {
  omen_checked *checked;
  omen_check_job *job;
  omen_verifying *verifying;
  omen_verifier *verifier; /* for findings that are kept, which are few */
  omen_reporter *reporter;
  omen_certainty certainty;
  double start; /* time (omen_now) before the trace was loaded */
  bool loosely; /* second analysis, whose findings are unverified */
  omen_err *err;
} analysis;

static uint32_t
print_id (analysis *l, omen_names *prints, const omen_finding *finding)
{
  char *print = omen_report_fingerprint (l->reporter, finding);
  uint32_t id = omen_names_id (prints, print, strlen (print));
  omen_free (print);
  return id;
}

/* Does the baseline have the instance, or its cause? The pairs of a block are
   compared separately only if findings are not grouped by cause. */
static bool
is_known (analysis *l, const omen_finding *finding)
{
  omen_finding whole = *finding;
  whole.by_cause = l->job->by_cause || finding->kind != OMEN_FINDING_ATOMICITY;
  return omen_baseline_has (l->job->baseline, l->reporter, finding)
         || omen_baseline_has (l->job->baseline, l->reporter, &whole);
}

/* Is the finding suppressed or in the baseline? If so, it is counted there. */
static bool
is_unwanted (analysis *l, const omen_finding *finding)
{
  omen_check_job *job = l->job;
  omen_finding whole = *finding; /* as part of its cause */
  whole.by_cause = job->by_cause;
  if (omen_suppressed (job->suppressions, l->reporter, finding))
    print_id (l, &job->suppressed, &whole);
  else if (is_known (l, finding))
    print_id (l, &job->known, &whole);
  else
    return false;
  return true;
}

/* A finding that is unverified in one run may be certain in another, and counts
   as new then. */
static bool
is_at_new_place (analysis *l, const omen_finding *finding)
{
  omen_names *places = finding->status == OMEN_STATUS_UNVERIFIED
                           ? &l->job->unverified
                           : &l->job->places;
  char *place = omen_report_place (l->reporter, finding);
  bool known
      = omen_names_find (&l->job->places, place, strlen (place)) != OMEN_NONE;
  uint32_t before = places->count;
  omen_names_id (places, place, strlen (place));
  omen_free (place);
  return !known && places->count > before;
}

/* How many findings of one fingerprint are kept. At different places they are
   instances of one cause: several are shown, and tried if replays of others
   diverge. Those of a block are its pairs of variables, each once. */
static uint32_t
most_kept (const omen_check_job *job, const omen_finding *finding)
{
  return job->by_cause && finding->kind != OMEN_FINDING_ATOMICITY ? 8 : 1;
}

/* Is the finding new? If not, it is counted. */
static bool
is_new (analysis *l, const omen_finding *finding)
{
  omen_check_job *job = l->job;
  uint32_t before = job->seen.count;
  uint32_t id = print_id (l, &job->seen, finding);
  OMEN_ASSERT (job->counts.count == before && id <= before);
  if (id == before) {
    OMEN_VEC_PUSH (job->counts, 0);
    OMEN_VEC_PUSH (job->kept, is_unwanted (l, finding) ? OMEN_NONE : 0);
  }
  if (job->kept.data[id] < most_kept (job, finding)
      && is_at_new_place (l, finding)) {
    job->kept.data[id] += finding->status != OMEN_STATUS_UNVERIFIED;
    return true;
  }
  if (!job->again)
    job->counts.data[id] += finding->count;
  return false;
}

/* limit of events in the schedules of spares */
#define SPARE_EVENTS ((size_t)16 << 20)

static void
keep_spare (omen_checked *checked, omen_finding *finding)
{
  checked->spare_events += finding->witness.sequence.count;
  if (checked->spare_events > SPARE_EVENTS)
    return;
  finding->status = OMEN_STATUS_VERIFIED;
  OMEN_VEC_PUSH (checked->spares, *finding);
  *finding = (omen_finding){ 0 }; /* now owned by the list */
}

/* A thread's observations up to its failure do not depend on all that others
   did; the exit code, output and verdicts of properties may. */
static bool
may_shorten (const analysis *l, const omen_finding *finding)
{
  return finding->kind == OMEN_FINDING_FAILURE
         && (finding->signal || finding->said)
         && !(l->job->ending && l->job->ending->violated);
}

/* A witness that does not verify is an internal error, and stops the check. */
static bool
keep_finding (void *context, omen_finding *finding, const omen_err *why)
{
  analysis *l = context;
  if (why->set)
    return omen_err_set (l->err, "",
                         "internal error: a %s witness does not verify: %s",
                         omen_finding_kind_text (finding->kind), why->what);
  if (finding->spare) {
    keep_spare (l->checked, finding);
    return true;
  }
  if (finding->status == OMEN_STATUS_PREDICTED)
    omen_finding_verified (finding);
  if (!omen_certainty_judge (&l->certainty, l->reporter, finding)
      || !is_new (l, finding))
    return true;
  if (finding->status == OMEN_STATUS_VERIFIED || may_shorten (l, finding))
    omen_shorten (l->verifier, l->checked->trace, &finding->witness);
  OMEN_VEC_PUSH (l->checked->findings, *finding);
  *finding = (omen_finding){ 0 }; /* now owned by the list */
  l->job->found (l->job->context);
  return true;
}

/* Values differ from machine to machine: they are no part of what is compared.
 */
static char *
bound_note (const omen_ending *ending)
{
  char *text = NULL;
  if (!ending->bound)
    return NULL;
  OMEN_REQUIRE (asprintf (&text, "The properties bind %s", ending->bound) >= 0);
  char *own = omen_strdup (text);
  free (text);
  return own;
}

/* Did the recorded run itself reach the verdict? */
static bool
shows_verdict (const analysis *l, const omen_finding *finding)
{
  const omen_claim *claim = &finding->witness.claim;
  const omen_ending *ending = l->job->ending;
  bool shown = false;
  char *text;
  if (finding->kind != OMEN_FINDING_PROPERTY || !ending || !ending->violated)
    return false;
  text = omen_violated_text (
      claim->about->property, claim->about->category,
      omen_trace_location (l->checked->trace, OMEN_VEC_LAST (claim->events)));
  size_t length = strlen (text);
  for (const char *at = strstr (ending->violated, text); at && !shown;
       at = strstr (at + 1, text))
    shown = !at[length] || at[length] == ';'; /* no longer place */
  omen_free (text);
  return shown;
}

static bool
take_finding (void *context, omen_finding *finding)
{
  analysis *l = context;
  const omen_ending *ending = l->job->ending;
  if (finding->kind == OMEN_FINDING_FAILURE && ending
      && (!finding->signal || ending->violated)) {
    finding->ending = omen_ending_text (ending);
    finding->said = ending->said ? omen_strdup (ending->said) : NULL;
    finding->note = bound_note (ending);
  }
  finding->seen = finding->seen || shows_verdict (l, finding);
  return omen_verifying_take (l->verifying, finding)
         && !omen_interrupt_is_late ();
}

static void
progress (void *context, const char *what, uint64_t done, uint64_t all)
{
  const analysis *l = context;
  l->job->progress (l->job->context, what, done, all);
}

/* Collect replays for SideTrack's reports about critical sections that read and
   write the same data, one for each place. */
#define TRIALS 16u
#define TRIALS_SECONDS 5.0

static bool
take_trial (void *context, omen_finding *finding)
{
  analysis *l = context;
  omen_findings *trials = &l->checked->trials;
  char *place = omen_report_place (l->reporter, finding);
  bool wanted = finding->trial && trials->count < TRIALS
                && omen_names_find (&l->job->unverified, place, strlen (place))
                       == OMEN_NONE
                && !is_unwanted (l, finding);
  if (wanted) {
    omen_names_id (&l->job->unverified, place, strlen (place));
    OMEN_VEC_PUSH (*trials, *finding);
  } else
    omen_finding_fini (finding);
  omen_free (place);
  return trials->count < TRIALS && !omen_interrupt_is_late ();
}

/* Only for the first run. Undecided candidates are not counted. */
static bool
wants_trials (const analysis *l)
{
  return !l->loosely && !l->job->again && l->job->spares;
}

static void
find_trials (analysis *l, const omen_model *model,
             const omen_predict_options *options)
{
  omen_sink sink = { take_trial, NULL, l };
  omen_predict_stats stats = { 0 };
  omen_sidetrack_table table;
  if (!wants_trials (l))
    return;
  omen_predict_sidetrack (model, options, &sink, &stats, &table);
  omen_predict_stats_fini (&stats);
}

/* A cycle of locks that is impossible with what was read may be possible with
   other values, by which the threads need not do anything else. */
static bool
detect_deadlocks (analysis *l, const omen_model *model,
                  const omen_predict_options *given, const omen_sink *sink,
                  omen_predict_stats *stats)
{
  omen_predict_options options = *given;
  omen_sink trials = { take_trial, NULL, l };
  omen_predict_stats none = { 0 };
  bool go_on = omen_predict_deadlock (model, &options, sink, stats);
  options.tries = true;
  if (options.timeout <= 0 || options.timeout > TRIALS_SECONDS)
    options.timeout = TRIALS_SECONDS;
  if (go_on && wants_trials (l) && omen_predict_begin (&options)) {
    omen_predict_deadlock (model, &options, &trials, &none);
    omen_predict_stats_fini (&none);
  }
  return go_on;
}

/* Functions are not necessarily meant to be atomic: one question for each
   function and pair of variables suffices, and none for functions that wait for
   other threads. */
static bool
detect_atomicity (analysis *l, const omen_model *model,
                  const omen_predict_options *given, const omen_sink *sink,
                  omen_predict_stats *stats)
{
  omen_predict_options options = *given;
  omen_atomic steady;
  omen_atomic_init (&steady, OMEN_ATOMIC_STEADY);
  options.group = OMEN_GROUP_VARIABLE;
  options.atomic = &steady;
  bool go_on = omen_predict_atomicity (model, &options, sink, stats);
  if (go_on)
    find_trials (l, model, &options);
  omen_atomic_fini (&steady);
  return go_on;
}

static bool
detect_properties (analysis *l, const omen_model *model,
                   const omen_predict_options *given, const omen_sink *sink,
                   omen_predict_stats *stats)
{
  const omen_spec_list *specs = l->job->specs;
  omen_predict_options options = *given;
  bool go_on = true;
  for (size_t i = 0; go_on && i < specs->predict.count; i++) {
    options.spec = &specs->predict.data[i];
    go_on = omen_predict_begin (&options)
            && omen_predict_property (model, &options, sink, stats);
    if (!l->loosely)
      omen_spec_coverage_walk (&l->job->coverage[i], l->checked->trace);
  }
  return go_on;
}

/* Findings that would be unverified get a quarter of the time. */
static double
time_for_kind (const analysis *l)
{
  double whole = l->job->options.timeout;
  double left
      = l->loosely ? whole : omen_progress_left (whole, omen_now () - l->start);
  return l->loosely                           ? left / 4
         : omen_certainty_any (&l->certainty) ? left * 3 / 4
                                              : left;
}

static void
detect (analysis *l, const omen_model *model)
{
  omen_sink sink = { take_finding, progress, l };
  omen_predict_options options = l->job->options;
  omen_predict_stats stats = { 0 };
  options.timeout = time_for_kind (l);
  if (!l->job->model_given)
    options.model = omen_has_values (l->checked->trace) ? OMEN_MODEL_VALUE
                                                        : OMEN_MODEL_RF;
  options.identity = omen_trace_identity (l->checked->trace);
  options.brief = true;
  options.lifetimes_apart = true;
  options.spares = l->loosely ? 0 : l->job->spares;
  unsigned no = l->checked->trace->rebuilt.excluded;
  bool go_on
      = (no & OMEN_NO_RACES
         || (omen_predict_begin (&options)
             && omen_predict_race (model, &options, &sink, &stats)
             && omen_predict_begin (&options)
             && omen_predict_lifetime (model, &options, &sink, &stats)))
        && (no & OMEN_NO_DEADLOCKS
            || (omen_predict_begin (&options)
                && detect_deadlocks (l, model, &options, &sink, &stats)))
        && omen_predict_begin (&options)
        && detect_atomicity (l, model, &options, &sink, &stats)
        && (l->loosely || omen_predict_misuse (model, &options, &sink, &stats))
        && (l->loosely || omen_predict_failure (model, &options, &sink, &stats))
        && (!l->job->nondet
            || (omen_predict_begin (&options)
                && omen_predict_nondet (model, &options, &sink, &stats)))
        && detect_properties (l, model, &options, &sink, &stats);
  go_on = omen_verifying_finish (l->verifying) && go_on;
  OMEN_CHECK (go_on || l->err->set || omen_predict_stopped (&options));
  /* counts only certain findings of the first run */
  if (l->loosely || l->job->again)
    return;
  l->job->undecided += stats.undecided;
  if (l->job->part > omen_trace_part (l->checked->trace))
    l->job->part = omen_trace_part (l->checked->trace);
}

/* Analyse the trace, or the loose one. */
static void
analyse (analysis *l, const omen_trace *trace)
{
  omen_model *model = omen_model_new (trace, l->err);
  if (model)
    l->verifier = omen_verifier_new (trace, l->err);
  if (l->verifier)
    l->verifying = omen_verifying_new (trace, l->job->options.jobs,
                                       keep_finding, l, l->err);
  if (l->verifying) {
    omen_spec_list_give (l->job->specs, l->verifier);
    omen_verifying_specs (l->verifying, l->job->specs);
    detect (l, model);
  }
  omen_verifying_free (l->verifying);
  l->verifying = NULL;
  omen_verifier_free (l->verifier);
  l->verifier = NULL;
  omen_model_free (model);
}

static bool
analyse_both (analysis *l)
{
  omen_certainty_init (&l->certainty, l->checked->trace);
  l->reporter = omen_reporter_new (l->checked->trace);
  analyse (l, l->checked->trace);
  if (!l->err->set && omen_certainty_any (&l->certainty)) {
    l->loosely = true;
    analyse (l, omen_certainty_loosen (&l->certainty));
  }
  omen_reporter_free (l->reporter);
  omen_certainty_fini (&l->certainty);
  return !l->err->set;
}

char *
omen_violated_text (const char *property, const char *category,
                    const char *location)
{
  char *text = NULL;
  OMEN_REQUIRE (asprintf (&text, "property %s: %s%s%s", property, category,
                          location ? ", at " : "", location ? location : "")
                >= 0);
  char *own = omen_strdup (text);
  free (text);
  return own;
}

char *
omen_ending_text (const omen_ending *ending)
{
  char *text = NULL;
  if (!ending->violated || !ending->how)
    return ending->violated ? omen_strdup (ending->violated)
           : ending->how    ? omen_strdup (ending->how)
                            : NULL;
  OMEN_REQUIRE (asprintf (&text, "%s; %s", ending->violated, ending->how) >= 0);
  char *own = omen_strdup (text);
  free (text);
  return own;
}

void
omen_ending_fini (omen_ending *ending)
{
  omen_free (ending->how);
  omen_free (ending->said);
  omen_free (ending->violated);
  omen_free (ending->bound);
  *ending = (omen_ending){ 0 };
}

void
omen_check_job_init (omen_check_job *job)
{
  *job = (omen_check_job){ .part = 1 };
  omen_names_init (&job->seen);
  omen_names_init (&job->suppressed);
  omen_names_init (&job->known);
  omen_names_init (&job->places);
  omen_names_init (&job->unverified);
}

void
omen_check_job_fini (omen_check_job *job)
{
  omen_suppressions_free (job->suppressions);
  omen_baseline_free (job->baseline);
  omen_names_fini (&job->seen);
  omen_names_fini (&job->suppressed);
  omen_names_fini (&job->known);
  omen_names_fini (&job->places);
  omen_names_fini (&job->unverified);
  OMEN_VEC_FINI (job->kept);
  OMEN_VEC_FINI (job->counts);
}

/* If there was no stack left for a signal handler, the recording lacks the
   death; and failures without a signal are never in a recording. */
static void
note_death (omen_trace *trace, unsigned signal, const omen_ending *ending)
{
  size_t count = trace->events.count;
  if ((signal || (ending && omen_ending_failed (ending)))
      && trace->death.thread == OMEN_NONE && count)
    trace->death
        = (omen_interrupt){ trace->events.data[count - 1].thread, signal, 0 };
}

bool
omen_checked_make (omen_checked *checked, const char *path, unsigned signal,
                   omen_check_job *job, omen_err *err)
{
  analysis l = { .checked = checked, .job = job, .err = err };
  *checked = (omen_checked){ .path = omen_strdup (path) };
  omen_limits limits
      = omen_progress_limits (job->shown, job->options.timeout, job->memory,
                              job->options.engine.budget.stop);
  omen_load_options options
      = { .rebuild = { .limits = &limits, .whole = job->all } };
  options.rebuild.mistakes
      = !job->all && !job->nondet && !job->specs->files.count && !job->ending;
  l.start = omen_now ();
  checked->trace = omen_load (path, &options, err);
  omen_progress_clear (job->shown);
  if (checked->trace) {
    for (size_t i = 0; i < checked->trace->sources.count; i++)
      checked->trace->sources.data[i].trusted = true; /* omen recorded it */
    job->loaded (job->context, path, checked->trace);
    note_death (checked->trace, signal, job->ending);
  }
  if (checked->trace && analyse_both (&l))
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
  for (size_t i = 0; i < checked->spares.count; i++)
    omen_finding_fini (&checked->spares.data[i]);
  OMEN_VEC_FINI (checked->spares);
  for (size_t i = 0; i < checked->trials.count; i++)
    omen_finding_fini (&checked->trials.data[i]);
  OMEN_VEC_FINI (checked->trials);
  omen_trace_free (checked->trace);
  omen_free (checked->path);
  *checked = (omen_checked){ 0 };
}
