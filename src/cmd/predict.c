/* omen predict [KIND] TRACE */
#include "cmd/atomic_list.h"
#include "cmd/fold.h"
#include "cmd/lattice_stats.h"
#include "cmd/output.h"
#include "cmd/predict_options.h"
#include "cmd/sidetrack_run.h"
#include "cmd/sidetrack_table.h"
#include "cmd/sights.h"
#include "cmd/values.h"
#include "cmd/verifying.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One run of the command. */
typedef struct job {
  const omen_predict_request *request;
  const omen_trace *trace;
  omen_verifying *verifying;
  omen_reporter *reporter;
  unsigned found;       /* verified */
  unsigned told;        /* the number of the last one */
  unsigned unverified;
  omen_findings blocks; /* with by_block: not yet told */
  json_t *refuted;
  omen_sidetrack_run sidetrack;
  int code; /* 0, or why it stopped */
} job;

static bool
on_terminal (void)
{
  return isatty (STDERR_FILENO);
}

static void
clear_progress (void)
{
  if (on_terminal ())
    fputs ("\r\033[K", stderr);
}

static void
show_progress (void *context, const char *what, uint64_t done, uint64_t all)
{
  (void)context;
  if (on_terminal ())
    fprintf (stderr, "\r\033[Komen: %s: %" PRIu64 " of %" PRIu64, what, done,
             all);
}

static bool
save_witness (job *j, const omen_finding *finding, size_t k)
{
  char path[4096], name[32];
  omen_output output;
  omen_err err = { 0 };
  omen_report_witness_name (j->told, k, name);
  snprintf (path, sizeof path, "%s/%s", j->request->witness_dir, name);
  if (omen_output_open (&output, path, false, &err)
      && (omen_witness_write (&finding->witness, j->trace, output.file, &err)
              ? omen_output_commit (&output, &err)
              : omen_output_abandon (&output, &err)))
    return true;
  j->code = omen_cmd_fail (OMEN_EXIT_USAGE, &err);
  return false;
}

#define JSON_STYLE (JSON_COMPACT | JSON_REAL_PRECISION (6))

/* One finding a line, at once: thousands of long schedules would fill memory. */
static void
print_json (const job *j, const omen_finding *finding)
{
  json_t *object = omen_report_json (j->reporter, finding, j->told);
  if (j->request->witness_dir && omen_finding_has_witness (finding))
    omen_report_json_witness (object, j->request->witness_dir, j->told);
  fputs (j->told > 1 ? ",\n" : "\n", stdout);
  json_dumpf (object, stdout, JSON_STYLE);
  json_decref (object);
}

/* omen report finds the trace by this. */
static void
print_json_head (const job *j)
{
  json_t *path = json_string (j->request->trace);
  fputs ("{\"trace\":", stdout);
  if (path)
    json_dumpf (path, stdout, JSON_ENCODE_ANY);
  else
    fputs ("null", stdout);
  json_decref (path);
  fputs (",\n\"findings\":[", stdout);
}

/* Refuted ones are no findings: they come after them. */
static void
tell_refuted (job *j, const omen_finding *finding)
{
  if (j->request->json)
    json_array_append_new (j->refuted,
                           omen_report_json (j->reporter, finding, 0));
  else
    omen_report_text (j->reporter, finding, 0, stdout);
}

static bool
tell (job *j, const omen_finding *finding)
{
  j->told++;
  j->found += finding->status == OMEN_STATUS_VERIFIED;
  j->unverified += finding->status == OMEN_STATUS_UNVERIFIED;
  if (j->request->json)
    print_json (j, finding);
  else
    omen_report_text (j->reporter, finding, j->told, stdout);
  if (!j->request->witness_dir || !omen_finding_has_witness (finding))
    return true;
  for (size_t k = 0; k < omen_finding_pairs (finding); k++)
    if (!save_witness (j, omen_finding_pair (finding, k), k))
      return false;
  return true;
}

/* Blocks are told once all their pairs are there: when another kind of finding
   comes, or nothing more. */
static bool
tell_blocks (job *j)
{
  bool ok = !j->code;
  omen_fold fold;
  omen_fold_init (&fold);
  omen_fold_run (&fold, j->trace, &j->blocks);
  omen_fold_fini (&fold);
  for (size_t i = 0; i < j->blocks.count; i++) {
    ok = ok && tell (j, &j->blocks.data[i]);
    omen_finding_fini (&j->blocks.data[i]);
  }
  OMEN_VEC_FINI (j->blocks);
  return ok;
}

/* A witness that does not verify is our bug: nothing more is to be trusted. */
static bool
tell_broken (job *j, const omen_finding *finding, const omen_err *err)
{
  omen_err told = { 0 };
  omen_err_set (&told, "", "internal error: a %s witness does not verify: %s",
                omen_finding_kind_text (finding->kind), err->what);
  j->code = omen_cmd_fail (OMEN_EXIT_BUG, &told);
  return false;
}

static bool
tell_verified (void *context, omen_finding *finding, const omen_err *err)
{
  job *j = context;
  if (err->set)
    return tell_broken (j, finding, err);
  if (finding->status == OMEN_STATUS_PREDICTED)
    finding->status = OMEN_STATUS_VERIFIED;
  clear_progress ();
  if (j->request->by_block && finding->kind == OMEN_FINDING_ATOMICITY) {
    OMEN_VEC_PUSH (j->blocks, *finding);
    *finding = (omen_finding){ 0 }; /* ours now */
    return true;
  }
  if (!tell_blocks (j))
    return false;
  if (finding->status != OMEN_STATUS_REFUTED)
    return tell (j, finding);
  tell_refuted (j, finding);
  return true;
}

static bool
take_finding (void *context, omen_finding *finding)
{
  job *j = context;
  return omen_verifying_take (j->verifying, finding);
}

static bool
detect_atomicity (job *j, const omen_model *model,
                  const omen_predict_options *given, const omen_sink *sink,
                  omen_predict_stats *stats)
{
  omen_predict_options own = *given, *options = &own;
  if (j->request->by_block)
    own.group = OMEN_GROUP_VARIABLE;
  if (j->request->engine == OMEN_ENGINE_SIDETRACK)
    return omen_cmd_sidetrack (&j->sidetrack, model, options, sink, stats);
  if (j->request->engine == OMEN_ENGINE_OBSERVED)
    return omen_predict_observed (model, options, sink, stats);
  return omen_predict_atomicity (model, options, sink, stats);
}

/* Each file, and a word about pointcuts that are nothing in this trace. */
static bool
detect_properties (job *j, const omen_model *model,
                   const omen_predict_options *given, const omen_sink *sink,
                   omen_predict_stats *stats)
{
  const omen_spec_list *specs = &j->request->specs;
  omen_predict_options options = *given;
  bool go_on = true;
  for (size_t i = 0; go_on && i < specs->predict.count; i++) {
    omen_sights sights;
    options.spec = &specs->predict.data[i];
    go_on = omen_predict_property (model, &options, sink, stats);
    omen_sights_init (&sights, &specs->files.data[i]);
    omen_sights_walk (&sights, j->trace);
    clear_progress ();
    omen_sights_warn (&sights);
    omen_sights_fini (&sights);
  }
  return go_on;
}

static void
detect (job *j, const omen_model *model, const omen_predict_options *options,
        omen_predict_stats *stats)
{
  omen_sink sink = { take_finding, show_progress, j };
  unsigned detectors = j->request->detectors ? j->request->detectors
                                             : OMEN_DETECT_ERRORS;
  bool go_on = true;
  j->sidetrack.deadlocks = j->request->detectors & OMEN_DETECT_DEADLOCK;
  if (detectors & OMEN_DETECT_RACE)
    go_on = omen_predict_race (model, options, &sink, stats);
  if (go_on && detectors & OMEN_DETECT_DEADLOCK)
    go_on = omen_predict_deadlock (model, options, &sink, stats);
  if (go_on && detectors & OMEN_DETECT_ATOMICITY)
    go_on = detect_atomicity (j, model, options, &sink, stats);
  if (go_on && detectors & OMEN_DETECT_NONDET)
    go_on = omen_predict_nondet (model, options, &sink, stats);
  if (go_on)
    go_on = detect_properties (j, model, options, &sink, stats);
  if (go_on && j->request->final)
    go_on = omen_predict_final (model, options, &sink, stats);
  if (go_on)
    omen_predict_misuse (model, options, &sink, stats);
  omen_verifying_finish (j->verifying);
  clear_progress ();
  tell_blocks (j);
}

/* ---- statistics ---- */

static json_t *
stats_json (const omen_predict_stats *stats)
{
  json_t *root = json_object (), *stages = json_object ();
  const omen_engine_stats *e = &stats->engine;
  for (int i = 0; i < OMEN_STAGES; i++) {
    json_t *stage = json_object ();
    json_object_set_new (stage, "questions",
                         json_integer ((json_int_t)e->stage[i]));
    json_object_set_new (stage, "seconds", json_real (e->seconds[i]));
    json_object_set_new (stages, omen_stage_text (i), stage);
  }
  json_object_set_new (root, "candidates",
                       json_integer ((json_int_t)stats->candidates));
  json_object_set_new (root, "beyond",
                       json_integer ((json_int_t)stats->beyond));
  json_object_set_new (root, "quick",
                       json_pack ("{sIsIsIsf}", "questions",
                                  (json_int_t)stats->quick_asked, "found",
                                  (json_int_t)stats->quick_found, "absent",
                                  (json_int_t)stats->quick_absent, "seconds",
                                  stats->quick_seconds));
  json_object_set_new (root, "engine",
                       json_pack ("{sIsIsIsI}", "questions",
                                  (json_int_t)e->asked, "found",
                                  (json_int_t)e->found, "absent",
                                  (json_int_t)e->absent, "decisions",
                                  (json_int_t)e->decisions));
  json_object_set_new (root, "stages", stages);
  if (stats->pattern_asked + stats->pattern_machine)
    json_object_set_new (root, "patterns",
                         json_pack ("{sIsI}", "questions",
                                    (json_int_t)stats->pattern_asked,
                                    "machines",
                                    (json_int_t)stats->pattern_machine));
  if (stats->lattice.widths.count)
    json_object_set_new (root, "lattice", omen_lattice_json (&stats->lattice));
  return root;
}

static void
print_rate (const char *name, uint64_t count, double time)
{
  fprintf (stderr, "omen:   %-22s %12" PRIu64 "  %8.3f s", name, count, time);
  if (count && time > 0)
    fprintf (stderr, "  %10.0f/s", (double)count / time);
  fputc ('\n', stderr);
}

static void
print_stats (const omen_predict_stats *stats)
{
  const omen_engine_stats *e = &stats->engine;
  fprintf (stderr,
           "omen: %" PRIu64 " candidate%s, %" PRIu64 " undecided, %" PRIu64
           " of them beyond the window\n",
           stats->candidates, omen_s (stats->candidates), stats->undecided, stats->beyond);
  print_rate ("quick answers", stats->quick_asked, stats->quick_seconds);
  fprintf (stderr, "omen:     found %" PRIu64 ", absent %" PRIu64 "\n",
           stats->quick_found, stats->quick_absent);
  for (int i = 0; i < OMEN_STAGES; i++) {
    char name[64];
    snprintf (name, sizeof name, "engine: %s", omen_stage_text (i));
    print_rate (name, e->stage[i], e->seconds[i]);
  }
  fprintf (stderr, "omen:   decisions              %12" PRIu64 "\n",
           e->decisions);
  if (stats->pattern_asked + stats->pattern_machine)
    fprintf (stderr,
             "omen:   bindings of patterns: %" PRIu64
             " as questions to the engine, %" PRIu64 " by the machine search\n",
             stats->pattern_asked, stats->pattern_machine);
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
  json_dumpf (j->refuted, stdout, JSON_STYLE);
  fputs (",\n\"table\":", stdout);
  json_dumpf (object, stdout, JSON_STYLE);
  printf (",\n\"races\":%" PRIu64, j->sidetrack.races);
  json_decref (object);
}

static void
print_text_sidetrack (const job *j)
{
  if (j->unverified)
    printf (", %u unverified", j->unverified);
  if (j->sidetrack.table.refuted)
    printf (", %u refuted", j->sidetrack.table.refuted);
  omen_cmd_sidetrack_races (&j->sidetrack, "\n", stdout);
}

static void
print_summary (const job *j, const omen_predict_stats *stats)
{
  bool sidetrack = j->request->engine == OMEN_ENGINE_SIDETRACK;
  if (j->request->json) {
    json_t *object = stats_json (stats);
    putchar (']');
    if (sidetrack)
      print_json_sidetrack (j);
    printf (",\n\"undecided\":%" PRIu64 ",\n\"stats\":", stats->undecided);
    json_dumpf (object, stdout, JSON_STYLE);
    puts ("}");
    json_decref (object);
  } else {
    printf ("%u finding%s", j->found, omen_s (j->found));
    if (sidetrack)
      print_text_sidetrack (j);
    if (stats->undecided)
      printf (", %" PRIu64 " candidate%s undecided: %s", stats->undecided,
              omen_s (stats->undecided), why_undecided (stats));
    putchar ('\n');
  }
  if (j->request->stats && stats->lattice.widths.count)
    omen_lattice_print (&stats->lattice);
  else if (j->request->stats)
    print_stats (stats);
}

static int
exit_code (const job *j, const omen_predict_stats *stats)
{
  if (j->code)
    return j->code;
  if (j->found)
    return OMEN_EXIT_FINDINGS;
  return stats->undecided ? OMEN_EXIT_BUDGET : OMEN_EXIT_NOTHING;
}

static int
predict (job *j, const omen_model *model)
{
  omen_predict_options options = j->request->options;
  omen_predict_stats stats = { 0 };
  int code;
  options.model = omen_predict_model (j->request, j->trace);
  options.identity = omen_trace_identity (j->trace);
  if (j->request->json)
    print_json_head (j);
  detect (j, model, &options, &stats);
  if (!j->code)
    print_summary (j, &stats);
  code = exit_code (j, &stats);
  omen_predict_stats_fini (&stats);
  return omen_cmd_finish (code);
}

static bool
make_witness_dir (const char *path, int *code)
{
  omen_err err = { 0 };
  if (!path || omen_output_folder (path, &err))
    return true;
  *code = omen_cmd_fail (OMEN_EXIT_USAGE, &err);
  return false;
}

static int
run_on (const omen_predict_request *request, const omen_trace *trace)
{
  omen_err err = { 0 };
  omen_model *model = omen_model_new (trace, &err);
  job j = { .request = request, .trace = trace };
  int code;
  if (model && model->warning)
    omen_cmd_warn ("%s: %s", request->trace, model->warning);
  if (model)
    j.verifying = omen_verifying_new (trace, request->options.jobs,
                                      tell_verified, &j, &err);
  if (!j.verifying) {
    omen_model_free (model);
    return omen_cmd_fail (OMEN_EXIT_INPUT, &err);
  }
  omen_verifying_specs (j.verifying, &request->specs);
  j.reporter = omen_reporter_new (trace);
  j.refuted = json_array ();
  code = predict (&j, model);
  json_decref (j.refuted);
  omen_reporter_free (j.reporter);
  omen_verifying_free (j.verifying);
  omen_model_free (model);
  return code;
}

static int
run (int argc, char **argv)
{
  omen_predict_request request
      = { .options = { .jobs = 1,
                       .asks = OMEN_DEFAULT_ASKS,
                       .engine = { .budget = { OMEN_DEFAULT_STEPS, 0 },
                                   .z3_seconds = 2 } } };
  omen_trace *trace = NULL;
  omen_atomic atomic;
  int code;
  if (!omen_cmd_parse (&omen_predict_argp, argc, argv, &request, &code)
      || !make_witness_dir (request.witness_dir, &code)
      || !omen_spec_list_load (&request.specs, &code)) {
    omen_spec_list_fini (&request.specs);
    return code;
  }
  if (request.table && request.detectors == OMEN_DETECT_NONDET) {
    code = omen_predict_nondet_table (&request);
    OMEN_VEC_FINI (request.more);
    return code;
  }
  request.options.atomic = &atomic;
  if (omen_cmd_atomic (request.atomic, &atomic, &code)) {
    if (request.table)
      code = omen_cmd_sidetrack_table (&request);
    else
      trace = omen_cmd_load (request.trace, &code);
  }
  if (trace
      && (!request.specs.predict.count
          || omen_cmd_has_beginning (trace, &code)))
    code = run_on (&request, trace);
  omen_trace_free (trace);
  OMEN_VEC_FINI (request.more);
  omen_atomic_fini (&atomic);
  omen_spec_list_fini (&request.specs);
  return code;
}

const omen_cmd omen_cmd_predict
    = { "predict", "foretell the errors of other runs", run,
        &omen_predict_argp };
