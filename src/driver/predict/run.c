#include "driver/spec_speaks.h"
#include "driver/predict/run.h"
#include "base/print.h"
#include "driver/certainty.h"
#include "driver/fold.h"
#include "driver/input.h"
#include "driver/interrupt.h"
#include "driver/memory.h"
#include "driver/output.h"
#include "driver/predict/sidetrack_run.h"
#include "driver/predict/stats.h"
#include "driver/predict/tables.h"
#include "driver/progress.h"
#include "driver/ranks/share.h"
#include "driver/spec_coverage.h"
#include "driver/values.h"
#include "driver/verifying.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One run of the command. */
typedef struct job {
  const omen_predict_request *request;
  const omen_trace *trace;
  omen_verifying *verifying;
  omen_reporter *reporter;
  omen_levels found; /* verified */
  unsigned failing;  /* findings that make the exit code 1 */
  unsigned printed;  /* the number of the last one printed */
  unsigned unverified;
  omen_findings waiting; /* with by_cause: not yet printed */
  json_t *refuted;
  omen_sidetrack_run sidetrack;
  omen_certainty certainty;
  bool loosely; /* second detection, whose findings are unverified */
  bool helps;   /* another rank prints the findings */
  omen_progress progress;
  double took; /* to load it */
  int code;    /* 0, or why it stopped */
} job;

static void
show_progress (void *context, const char *what, uint64_t done, uint64_t all)
{
  job *j = context;
  omen_progress_count (&j->progress, what, done, all);
}

static bool
save_witness (job *j, const omen_finding *finding, size_t k)
{
  char path[4096], name[32];
  omen_output output;
  omen_err err = { 0 };
  omen_report_witness_name (j->printed, k, name);
  snprintf (path, sizeof path, "%s/%s", j->request->witness_dir, name);
  if (omen_output_open (&output, path, false, &err)
      && (omen_witness_write (&finding->witness, j->trace, output.file, &err)
              ? omen_output_commit (&output, &err)
              : omen_output_abandon (&output, &err)))
    return true;
  j->code = omen_fail (OMEN_EXIT_USAGE, &err);
  return false;
}

#define JSON_STYLE (JSON_COMPACT | JSON_REAL_PRECISION (6))

/* Print one finding a line, at once: thousands of long schedules would fill
   memory. */
static void
print_json (const job *j, const omen_finding *finding)
{
  json_t *object = omen_report_json (j->reporter, finding, j->printed);
  if (j->request->witness_dir && omen_finding_has_witness (finding))
    omen_report_json_witness (object, j->request->witness_dir, j->printed);
  fputs (j->printed > 1 ? ",\n" : "\n", stdout);
  json_dumpf (object, stdout, JSON_STYLE | JSON_ENSURE_ASCII);
  json_decref (object);
}

/* The trace's path is for omen report. */
static void
print_json_head (const job *j)
{
  json_t *path = json_string (j->request->trace);
  fputs ("{\"trace\":", stdout);
  if (path)
    json_dumpf (path, stdout, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
  else
    fputs ("null", stdout);
  json_decref (path);
  fputs (",\n\"findings\":[", stdout);
  fflush (stdout);
}

/* Refuted candidates are no findings; in JSON they come after the findings. */
static void
report_refuted (job *j, const omen_finding *finding)
{
  if (j->request->json)
    json_array_append_new (j->refuted,
                           omen_report_json (j->reporter, finding, 0));
  else
    omen_report_text (j->reporter, finding, 0, stdout);
}

static bool
print_finding (job *j, const omen_finding *finding)
{
  j->printed++;
  if (finding->status == OMEN_STATUS_VERIFIED
      || finding->status == OMEN_STATUS_CONFIRMED) {
    omen_levels_add (&j->found, j->trace, finding);
    j->failing += omen_fail_on_has (&j->request->fail_on, j->trace, finding);
  }
  j->unverified += finding->status == OMEN_STATUS_UNVERIFIED;
  if (j->request->json)
    print_json (j, finding);
  else
    omen_report_text (j->reporter, finding, j->printed, stdout);
  fflush (stdout); /* a reader of the pipe may be waiting for it */
  if (!j->request->witness_dir || !omen_finding_has_witness (finding))
    return true;
  for (size_t k = 0; k < omen_finding_pairs (finding); k++)
    if (!save_witness (j, omen_finding_pair (finding, k), k))
      return false;
  return true;
}

/* Print the findings of a kind, grouped by cause, once all instances are there:
   when another kind follows, or at the end. */
static bool
report_waiting (job *j)
{
  bool ok = !j->code;
  omen_fold fold;
  omen_fold_init (&fold);
  omen_fold_run (&fold, j->trace, &j->waiting);
  omen_fold_end (&fold);
  for (size_t i = 0; i < j->waiting.count; i++) {
    ok = ok && print_finding (j, &j->waiting.data[i]);
    omen_finding_fini (&j->waiting.data[i]);
  }
  OMEN_VEC_FINI (j->waiting);
  return ok;
}

/* A witness that does not verify is an internal error, and stops the command.
 */
static bool
report_broken (job *j, const omen_finding *finding, const omen_err *err)
{
  omen_err broken = { 0 };
  omen_err_set (&broken, "", "internal error: a %s witness does not verify: %s",
                omen_finding_kind_text (finding->kind), err->what);
  j->code = omen_fail (OMEN_EXIT_BUG, &broken);
  return false;
}

static bool
report_verified (void *context, omen_finding *finding, const omen_err *err)
{
  job *j = context;
  if (err->set)
    return report_broken (j, finding, err);
  if (finding->status == OMEN_STATUS_PREDICTED)
    omen_finding_verified (finding);
  if (finding->status != OMEN_STATUS_REFUTED
      && !omen_certainty_judge (&j->certainty, j->reporter, finding))
    return true;
  omen_progress_clear (&j->progress);
  if (j->request->by_cause
      && (finding->kind != OMEN_FINDING_NONDET
          || j->request->nondet_by_cause)) {
    bool ok = !j->waiting.count || j->waiting.data[0].kind == finding->kind
              || report_waiting (j);
    OMEN_VEC_PUSH (j->waiting, *finding);
    *finding = (omen_finding){ 0 }; /* now owned by the list */
    return ok;
  }
  if (!report_waiting (j))
    return false;
  if (finding->status != OMEN_STATUS_REFUTED)
    return print_finding (j, finding);
  report_refuted (j, finding);
  return true;
}

/* Ranks other than 0 only help to search; rank 0 verifies and prints. */
static bool
report_finding (void *context, omen_finding *finding)
{
  job *j = context;
  if (j->helps) {
    omen_finding_fini (finding);
    return true;
  }
  return omen_verifying_take (j->verifying, finding)
         && !omen_interrupt_is_late ();
}

static bool
detect_atomicity (job *j, const omen_model *model,
                  const omen_predict_options *given, const omen_sink *sink,
                  omen_predict_stats *stats)
{
  omen_predict_options own = *given, *options = &own;
  if (j->request->by_cause)
    own.group = OMEN_GROUP_VARIABLE;
  if (j->request->engine == OMEN_ENGINE_SIDETRACK)
    return omen_sidetrack_run_on (&j->sidetrack, model, options, sink, stats);
  if (j->request->engine == OMEN_ENGINE_OBSERVED)
    return omen_predict_observed (model, options, sink, stats);
  return omen_predict_atomicity (model, options, sink, stats);
}

/* Check each property file, and warn of pointcuts that match nothing in this
   trace. */
static bool
detect_properties (job *j, const omen_model *model,
                   const omen_predict_options *given, const omen_sink *sink,
                   omen_predict_stats *stats)
{
  const omen_spec_list *specs = &j->request->specs;
  omen_predict_options options = *given;
  bool go_on = true;
  for (size_t i = 0; go_on && i < specs->predict.count; i++) {
    omen_spec_coverage coverage;
    options.spec = &specs->predict.data[i];
    go_on = omen_predict_begin (&options)
            && omen_predict_property (model, &options, sink, stats);
    if (j->loosely)
      continue;
    omen_spec_coverage_init (&coverage, &specs->files.data[i]);
    omen_spec_coverage_walk (&coverage, j->trace);
    omen_progress_clear (&j->progress);
    omen_spec_coverage_warn (&coverage);
    omen_spec_coverage_fini (&coverage);
  }
  return go_on;
}

/* Detectors that would find nothing. */
static unsigned
excluded (const omen_trace *trace)
{
  unsigned no = trace->rebuilt.excluded;
  return (no & OMEN_NO_RACES ? OMEN_DETECT_RACE | OMEN_DETECT_LIFETIME : 0)
         | (no & OMEN_NO_DEADLOCKS ? OMEN_DETECT_DEADLOCK : 0);
}

static void
detect (job *j, const omen_model *model, const omen_predict_options *given,
        omen_predict_stats *stats)
{
  omen_sink sink = { report_finding, show_progress, j };
  omen_predict_options own = *given, *options = &own;
  unsigned detectors
      = j->request->detectors ? j->request->detectors : OMEN_DETECT_MISTAKES;
  bool go_on = true;
  detectors &= ~excluded (j->trace);
  own.lifetimes_apart = detectors & OMEN_DETECT_LIFETIME;
  j->sidetrack.deadlocks = j->request->detectors & OMEN_DETECT_DEADLOCK;
  if (detectors & OMEN_DETECT_RACE)
    go_on = omen_predict_begin (&own)
            && omen_predict_race (model, options, &sink, stats);
  if (go_on && detectors & OMEN_DETECT_LIFETIME)
    go_on = omen_predict_begin (&own)
            && omen_predict_lifetime (model, options, &sink, stats);
  if (go_on && detectors & OMEN_DETECT_DEADLOCK)
    go_on = omen_predict_begin (&own)
            && omen_predict_deadlock (model, options, &sink, stats);
  if (go_on && detectors & OMEN_DETECT_ATOMICITY)
    go_on = omen_predict_begin (&own)
            && detect_atomicity (j, model, options, &sink, stats);
  if (go_on && detectors & OMEN_DETECT_NONDET)
    go_on = omen_predict_begin (&own)
            && omen_predict_nondet (model, options, &sink, stats);
  if (go_on)
    go_on = detect_properties (j, model, options, &sink, stats);
  if (go_on && j->request->final)
    go_on = omen_predict_begin (&own)
            && omen_predict_final (model, options, &sink, stats);
  if (go_on && !j->loosely) { /* these are in the trace itself */
    go_on = omen_predict_misuse (model, options, &sink, stats);
    if (go_on && detectors & OMEN_DETECT_FAILURE)
      omen_predict_failure (model, options, &sink, stats);
  }
  omen_interrupt_settle ();
  omen_verifying_finish (j->verifying);
  omen_progress_clear (&j->progress);
  report_waiting (j);
}

/* Detect once more, without the orders that libraries may not guarantee.
   Candidates undecided then are not counted. */
static void
detect_loosely (job *j, const omen_predict_options *options)
{
  omen_verifying *strict = j->verifying;
  omen_predict_stats stats = { 0 };
  omen_err err = { 0 };
  const omen_trace *loose = omen_certainty_loosen (&j->certainty);
  omen_model *model = omen_model_new (loose, &err);
  if (model)
    j->verifying
        = omen_verifying_new (loose, options->jobs, report_verified, j, &err);
  OMEN_ASSERT (!err.set); /* fewer orders than in the valid trace */
  omen_verifying_specs (j->verifying, &j->request->specs);
  j->loosely = true;
  detect (j, model, options, &stats);
  omen_predict_stats_fini (&stats);
  omen_verifying_free (j->verifying);
  omen_model_free (model);
  j->verifying = strict;
}

/* ---- the end ---- */

static const char *
why_undecided (const omen_predict_stats *stats)
{
  if (stats->lattice.unfinished)
    return "too many cuts, or too little time; --breadth N walks fewer";
  if (!stats->beyond)
    return "budget";
  return stats->beyond < stats->undecided ? "budget, window" : "window";
}

static void
print_json_sidetrack (const job *j)
{
  json_t *object = omen_sidetrack_json (&j->sidetrack.table);
  fputs (",\n\"refuted\":", stdout);
  json_dumpf (j->refuted, stdout, JSON_STYLE | JSON_ENSURE_ASCII);
  fputs (",\n\"table\":", stdout);
  json_dumpf (object, stdout, JSON_STYLE | JSON_ENSURE_ASCII);
  omen_print (stdout, ",\n\"races\":%" PRIu64, j->sidetrack.races);
  json_decref (object);
}

static void
print_text_sidetrack (const job *j)
{
  if (j->sidetrack.table.refuted)
    omen_print (stdout, ", %u refuted", j->sidetrack.table.refuted);
  omen_sidetrack_run_races (&j->sidetrack, "\n", stdout);
}

static void
print_summary (const job *j, const omen_predict_stats *stats)
{
  bool sidetrack = j->request->engine == OMEN_ENGINE_SIDETRACK;
  if (j->request->json) {
    json_t *object = omen_predict_stats_json (stats);
    putchar (']');
    if (sidetrack)
      print_json_sidetrack (j);
    omen_print (stdout, ",\n\"undecided\":%" PRIu64, stats->undecided);
    if (j->trace->rebuilt.cut)
      omen_print (stdout, ",\n\"part\":%.4g", omen_trace_part (j->trace));
    fputs (",\n\"stats\":", stdout);
    json_dumpf (object, stdout, JSON_STYLE | JSON_ENSURE_ASCII);
    puts ("}");
    json_decref (object);
  } else {
    omen_levels_print (&j->found, stdout);
    if (j->unverified)
      omen_print (stdout, ", %u unverified", j->unverified);
    if (sidetrack)
      print_text_sidetrack (j);
    if (*omen_interrupt_flag ())
      omen_print (stdout, ", interrupted (%s)",
                  strsignal (*omen_interrupt_flag ()));
    omen_progress_print_part (j->trace, stdout);
    if (stats->undecided)
      omen_print (stdout, ", %" PRIu64 " candidate%s undecided: %s",
                  stats->undecided, omen_s (stats->undecided),
                  why_undecided (stats));
    putchar ('\n');
  }
  if (j->request->stats && stats->lattice.widths.count)
    omen_lattice_print (&stats->lattice);
  else if (j->request->stats)
    omen_predict_stats_print (stats);
}

static int
exit_code (const job *j, const omen_predict_stats *stats)
{
  if (j->code)
    return j->code;
  if (j->failing)
    return OMEN_EXIT_FINDINGS;
  return stats->undecided || j->trace->rebuilt.cut ? OMEN_EXIT_BUDGET
                                                   : OMEN_EXIT_NOTHING;
}

/* part of the time for the first detection, if there are two */
#define STRICT_SHARE 0.75

static int
run_detectors (job *j, const omen_model *model)
{
  omen_predict_options options = j->request->options;
  omen_predict_stats stats = { 0 };
  int code;
  options.model = omen_predict_model (j->request, j->trace);
  options.identity = omen_trace_identity (j->trace);
  options.timeout = omen_progress_left (
      options.timeout, j->took + omen_progress_elapsed (&j->progress));
  if (omen_certainty_any (&j->certainty))
    options.timeout *= STRICT_SHARE;
  options.engine.budget.stop = omen_interrupt_flag ();
  omen_interrupt_begin ();
  if (j->request->json)
    print_json_head (j);
  detect (j, model, &options, &stats);
  if (!j->code && j->request->engine != OMEN_ENGINE_SIDETRACK
      && omen_certainty_any (&j->certainty)) {
    options.timeout *= (1 - STRICT_SHARE) / STRICT_SHARE;
    detect_loosely (j, &options);
  }
  if (!j->code)
    print_summary (j, &stats);
  code = exit_code (j, &stats);
  omen_predict_stats_fini (&stats);
  return omen_interrupt_end (omen_finish (code));
}

static bool
make_witness_dir (const char *path, int *code)
{
  omen_err err = { 0 };
  if (!path || omen_output_folder (path, &err))
    return true;
  return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
}

static int
run_on (const omen_predict_request *request, const omen_trace *trace,
        double took, bool helps)
{
  omen_err err = { 0 };
  omen_model *model = omen_model_new (trace, &err);
  job j = { .request = request, .trace = trace, .took = took, .helps = helps };
  int code;
  if (model && model->warning)
    omen_warn ("%s: %s", request->trace, model->warning);
  if (model)
    j.verifying = omen_verifying_new (trace, request->options.jobs,
                                      report_verified, &j, &err);
  if (!j.verifying) {
    omen_model_free (model);
    return omen_input_refused (&err);
  }
  omen_verifying_specs (j.verifying, &request->specs);
  omen_progress_start (&j.progress, false);
  j.reporter = omen_reporter_new (trace);
  omen_certainty_init (&j.certainty, trace);
  j.refuted = json_array ();
  code = run_detectors (&j, model);
  json_decref (j.refuted);
  omen_certainty_fini (&j.certainty);
  omen_reporter_free (j.reporter);
  omen_verifying_free (j.verifying);
  omen_model_free (model);
  return code;
}

/* ---- all of it ---- */

omen_model_name
omen_predict_model (const omen_predict_request *request,
                    const omen_trace *trace)
{
  if (request->model_given)
    return request->options.model;
  return omen_has_values (trace) ? OMEN_MODEL_VALUE : OMEN_MODEL_RF;
}

/* Does the request need accesses whose order is the same in all runs? Blocks of
   functions that start and join threads contain them, the lattice counts them,
   and properties may use any. */
static bool
wants_settled (const omen_predict_request *request)
{
  const omen_predict_options *options = &request->options;
  omen_atomic_mode mode = options->atomic->mode;
  return request->all || request->specs.files.count
         || options->model == OMEN_MODEL_LATTICE || mode == OMEN_ATOMIC_ALL
         || mode == OMEN_ATOMIC_LISTED;
}

/* Does the request need only findings that the scan of a recording can exclude?
 */
static bool
wants_mistakes (const omen_predict_request *request)
{
  return !wants_settled (request) && !request->final && !request->stats
         && request->engine == OMEN_ENGINE_SEARCH
         && !(request->detectors & ~(unsigned)OMEN_DETECT_MISTAKES);
}

static omen_trace *
load_trace (const omen_predict_request *request, double *took, int *code)
{
  omen_progress progress;
  omen_load_options options = { 0 };
  omen_progress_start (&progress, false);
  omen_limits limits = omen_progress_limits (
      &progress, request->options.timeout,
      request->memory ? request->memory : omen_memory_default (), NULL);
  options.rebuild.limits = &limits;
  options.rebuild.whole = wants_settled (request);
  options.rebuild.mistakes = wants_mistakes (request);
  options.rebuild.watches = omen_spec_list_watches;
  options.rebuild.context = &request->specs;
  omen_trace *trace = omen_input_load (request->trace, &options, code);
  *took = omen_progress_elapsed (&progress);
  return trace;
}

static int
run_alone (const omen_predict_request *request, bool helps)
{
  omen_trace *trace;
  double took;
  int code;
  if (!make_witness_dir (request->witness_dir, &code))
    return code;
  if (request->table)
    return request->detectors == OMEN_DETECT_NONDET
               ? omen_nondet_table_print (request)
               : omen_sidetrack_table_print (request);
  trace = load_trace (request, &took, &code);
  if (trace
      && (!request->specs.predict.count
          || omen_input_has_beginning (trace, &code)))
    code = run_on (request, trace, took, helps);
  omen_trace_free (trace);
  return code;
}

/* Do the same detection as rank 0, so that both ask the same questions, but
   print nothing; the exit code is always 0. */
static int
help (omen_predict_request *request)
{
  if (request->table)
    return OMEN_EXIT_NOTHING;
  request->witness_dir = NULL;
  if (freopen ("/dev/null", "w", stdout) && freopen ("/dev/null", "w", stderr))
    run_alone (request, true);
  return OMEN_EXIT_NOTHING;
}

int
omen_predict_run (const omen_predict_request *request)
{
  omen_predict_request own = *request;
  omen_ranks ranks;
  omen_ranks_share share;
  int code;
  if (!omen_ranks_meet (&ranks, 1, &code))
    return code;
  omen_ranks_share_init (&share, &ranks);
  own.options.share = ranks.links.count ? &share.share : NULL;
  code = ranks.rank ? help (&own) : run_alone (&own, false);
  omen_ranks_part (&ranks);
  return code;
}
