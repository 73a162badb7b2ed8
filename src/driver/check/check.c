#include "driver/check/folder.h"
#include "driver/check/spec_copy.h"
#include "base/print.h"
#include "driver/check/state.h"
#include "driver/explore/session.h"
#include "driver/fold.h"
#include "driver/interrupt.h"
#include "driver/memory.h"
#include "driver/message.h"
#include "driver/module/woven_specs.h"
#include "driver/recorded.h"
#include "report/story.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- progress ---- */

static void
show_progress (void *context, const char *what, uint64_t done, uint64_t all)
{
  omen_check *c = context;
  omen_progress_count (&c->progress, what, done, all);
}

static void
show_loaded (void *context, const char *path, const omen_trace *trace)
{
  omen_check *c = context;
  if (!c->replaying)
    omen_progress_trace (&c->progress, path, trace);
}

/* ---- saving ---- */

/* Make a report of all that is known so far. */
static void
make_report (omen_check *c)
{
  size_t count = c->traces.count;
  unsigned first = 1;
  omen_free (c->runs);
  c->runs = omen_zalloc (count + 1, sizeof *c->runs);
  for (size_t i = 0; i < count + !!c->analysed; i++) {
    const omen_checked *checked = i < count ? &c->traces.data[i] : c->analysed;
    c->runs[i] = (omen_report_run){ checked->trace, &checked->findings, first };
    first += (unsigned)checked->findings.count;
  }
  OMEN_ASSERT (first); /* numbers did not run out */
  c->found = first - 1;
  c->report = (omen_report){ .runs = c->runs,
                             .count = count + !!c->analysed,
                             .witness_dir = c->witness_dir,
                             .explored = c->explored.shown,
                             .source_paths = &c->request->source_paths };
}

static bool
save_files (omen_check *c, bool last, omen_err *err)
{
  const char *folder = c->request->folder;
  bool saved = omen_check_folder_witnesses (folder, &c->report, err);
  c->report.unfinished = !last || *c->stop || !saved;
  return omen_check_folder_reports (folder, &c->report, c->job.undecided, err)
         && saved;
}

/* Save at intervals, so that at most two seconds' work is lost if omen is
   killed, and at most a tenth of the time is spent on it. */
bool
omen_check_save (omen_check *c, bool last)
{
  double start = omen_now ();
  omen_err err = { 0 };
  if (!last && start < c->save_at)
    return true;
  make_report (c);
  bool saved = save_files (c, last, &err);
  if (!saved && c->reserve > 0) {
    close (c->reserve);
    c->reserve = -1;
    err = (omen_err){ 0 };
    saved = save_files (c, last, &err);
  }
  if (!saved && !c->unsaved)
    omen_fail (0, &err);
  c->unsaved = !saved;
  double took = omen_now () - start;
  c->save_at = omen_now () + (took > 0.2 ? 10 * took : 2);
  return saved;
}

static void
save_found (void *context)
{
  omen_check_save (context, false);
}

/* ---- analysing traces ---- */

static bool
analyse_file (omen_check *c, const char *path, unsigned signal, int *code)
{
  omen_checked checked;
  omen_err err = { 0 };
  c->analysed = &checked;
  bool made = omen_checked_make (&checked, path, signal, &c->job, &err);
  c->analysed = NULL;
  if (made) {
    for (size_t i = 0; !c->replaying && i < checked.trace->warnings.count; i++)
      omen_warn ("%s: %s", path,
                 omen_names_text (&checked.trace->strings,
                                  checked.trace->warnings.data[i]));
    OMEN_VEC_PUSH (c->traces, checked);
    return true;
  }
  omen_progress_clear (&c->progress);
  if (c->made > 1 && *err.where) { /* other runs are sufficient */
    if (!c->replaying)
      omen_warn ("%s: %s", err.where, err.what);
    return true;
  }
  *code = omen_fail (*err.where ? OMEN_EXIT_INPUT : OMEN_EXIT_BUG, &err);
  return false;
}

bool
omen_check_look (omen_check *c, unsigned number, int *code)
{
  omen_recorded_files files = { 0 };
  char *path = omen_check_trace (c, number);
  unsigned signal
      = WIFSIGNALED (c->status) ? (unsigned)WTERMSIG (c->status) : 0;
  bool ok = true;
  omen_recorded_find (&files, path);
  if (!files.count && !c->replaying)
    omen_warn ("%s: nothing was recorded", path);
  for (size_t i = 0; ok && !*c->stop && i < files.count; i++)
    ok = analyse_file (c, files.data[i],
                       strcmp (files.data[i], path) ? 0 : signal, code);
  omen_recorded_files_fini (&files);
  omen_free (path);
  omen_progress_clear (&c->progress);
  return ok;
}

/* ---- folding ---- */

/* Add the instances that were only counted, of all runs, to the finding with
   their fingerprint. */
static void
count_instances (omen_check *c)
{
  for (size_t k = 0; k < c->traces.count; k++) {
    omen_reporter *reporter = omen_reporter_new (c->traces.data[k].trace);
    for (size_t i = 0; i < c->traces.data[k].findings.count; i++) {
      omen_finding *finding = &c->traces.data[k].findings.data[i];
      if (finding->by_cause)
        continue; /* counted before it was folded */
      char *print = omen_report_fingerprint (reporter, finding);
      uint32_t id = omen_names_find (&c->job.seen, print, strlen (print));
      OMEN_REQUIRE (id != OMEN_NONE);
      finding->count += c->job.counts.data[id];
      c->job.counts.data[id] = 0;
      omen_free (print);
    }
    omen_reporter_free (reporter);
  }
}

/* Called after all runs have been analysed, and again if there are more. */
void
omen_check_fold (omen_check *c)
{
  omen_fold fold;
  count_instances (c);
  if (!c->job.by_cause)
    return;
  omen_fold_init (&fold);
  for (size_t k = 0; k < c->traces.count; k++)
    omen_fold_run (&fold, c->traces.data[k].trace, &c->traces.data[k].findings);
  omen_fold_end (&fold);
}

/* ---- stories ---- */

/* Will its status not change any more? */
static bool
is_final (const omen_finding *finding)
{
  return (finding->status != OMEN_STATUS_VERIFIED
          && finding->status != OMEN_STATUS_UNVERIFIED)
         || finding->outcome;
}

/* Print findings in the order of their numbers, each when it is final; or all
   that are left. */
void
omen_check_print (omen_check *c, bool all)
{
  omen_story_style style
      = { c->request->colour, c->witness_dir, &c->request->source_paths };
  make_report (c);
  for (size_t k = 0; !c->request->quiet && k < c->report.count; k++) {
    const omen_report_run *run = &c->report.runs[k];
    unsigned end = run->first + (unsigned)run->findings->count;
    omen_reporter *reporter
        = c->printed + 1 < end ? omen_reporter_new (run->trace) : NULL;
    for (unsigned n = c->printed + 1; n < end; n++) {
      const omen_finding *finding = &run->findings->data[n - run->first];
      if (!all && !is_final (finding)) {
        omen_reporter_free (reporter);
        return;
      }
      omen_progress_clear (&c->progress);
      omen_report_story (reporter, finding, n, &style, stderr);
      c->printed = n;
    }
    omen_reporter_free (reporter);
  }
}

/* ---- the summary ---- */

/* Did the first run hang? Its recorder then reported that, and sent it
   SIGTERM. */
static bool
was_stuck (const omen_check *c)
{
  const omen_trace *trace = c->traces.count ? c->traces.data[0].trace : NULL;
  for (size_t i = 0; trace && i < trace->events.count; i++)
    if (trace->events.data[i].mode & OMEN_MODE_STUCK)
      return true;
  return false;
}

static void
print_end (const omen_check *c)
{
  if (WIFSIGNALED (c->status) && WTERMSIG (c->status) == SIGTERM
      && was_stuck (c))
    return;
  if (WIFSIGNALED (c->status))
    omen_print (stderr, "omen: the program died of signal %d (%s)\n",
                WTERMSIG (c->status), strsignal (WTERMSIG (c->status)));
  else if (WEXITSTATUS (c->status))
    omen_print (stderr, "omen: the program ended with exit code %d\n",
                WEXITSTATUS (c->status));
}

/* How certain a finding is after its replay. A diverged replay makes it
   unconfirmed: time or input may differ, or something that omen does not see
   orders the events. But not for races by order: effects of weak memory cannot
   be forced by a schedule. */
typedef enum weight {
  SURE,
  UNCONFIRMED,
  UNVERIFIED /* not verifiable, and not shown by a replay */
} weight;

static weight
weight_of (const omen_finding *finding)
{
  if (finding->status == OMEN_STATUS_UNVERIFIED)
    return UNVERIFIED;
  return finding->status == OMEN_STATUS_DIVERGED
                 && finding->witness.claim.kind != OMEN_CLAIM_RACE_ORDER
             ? UNCONFIRMED
             : SURE;
}

/* The figures of the summary. */
typedef struct tally {
  omen_levels levels; /* of all but unverified ones */
  size_t unconfirmed, unverified;
  size_t failing; /* those that make the exit code 1 */
} tally;

static tally
count_findings (const omen_check *c)
{
  tally sum = { 0 };
  for (size_t k = 0; k < c->report.count; k++)
    for (size_t i = 0; i < c->report.runs[k].findings->count; i++) {
      const omen_trace *trace = c->report.runs[k].trace;
      const omen_finding *finding = &c->report.runs[k].findings->data[i];
      weight its = weight_of (finding);
      if (its != UNVERIFIED)
        omen_levels_add (&sum.levels, trace, finding);
      sum.unconfirmed += its == UNCONFIRMED;
      sum.unverified += its == UNVERIFIED;
      sum.failing += (its == SURE || (its == UNCONFIRMED && c->request->strict))
                     && omen_fail_on_has (&c->request->fail_on, trace, finding);
    }
  return sum;
}

/* Print what was not done for lack of time, or because of a signal. */
static void
print_time (const omen_check *c)
{
  if (c->cut || c->left_out)
    omen_print (
        stderr,
        "omen: the time for further runs was over: %u cut short, %u not "
        "made (--runs N sets no limit)\n",
        c->cut, c->left_out);
  if (c->untried && !*c->stop)
    omen_print (stderr,
                "omen: %zu finding%s not tried: --confirm-time %g was over\n",
                c->untried, c->untried == 1 ? " was" : "s were",
                c->request->confirm_time);
  if (*c->stop)
    omen_print (
        stderr,
        "omen: interrupted (%s): the report has what was known by then\n",
        strsignal (*c->stop));
}

static void
print_summary (const omen_check *c)
{
  const omen_check_job *job = &c->job;
  tally sum = count_findings (c);
  /* the most common reason for diverged replays */
  if (sum.unconfirmed && omen_check_input_is_pipe ())
    fputs ("omen: standard input is a pipe, which a replay cannot read again; "
           "input from a file (< FILE) it can\n",
           stderr);
  fputs ("omen: ", stderr);
  omen_levels_print (&sum.levels, stderr);
  if (sum.unconfirmed)
    omen_print (stderr, ", %zu not confirmed%s", sum.unconfirmed,
                c->request->strict ? "" : " (--strict counts them)");
  if (sum.unverified)
    omen_print (stderr, ", %zu unverified", sum.unverified);
  if (job->suppressed.count)
    omen_print (stderr, ", %u suppressed", job->suppressed.count);
  if (job->known.count)
    omen_print (stderr, ", %u known from the baseline", job->known.count);
  if (job->undecided)
    omen_print (stderr, ", %" PRIu64 " candidate%s undecided", job->undecided,
                omen_s (job->undecided));
  if (job->part < 1)
    omen_print (stderr, ", only the first %.3g %% of the recording analysed",
                100 * job->part);
  if (c->not_whole)
    fputs (", only the beginning of the run recorded", stderr);
  omen_print (stderr, "; %.1f s; ", omen_progress_elapsed (&c->progress));
  if (c->unsaved)
    fputs ("not all was written\n", stderr);
  else
    omen_print (stderr, "see %s/report.html\n", c->request->folder);
}

/* Print the text first: it does not depend on a disk. */
static bool
print_report (omen_check *c, int *code)
{
  bool saved;
  omen_progress_clear (&c->progress);
  omen_check_print (c, true);
  saved = omen_check_save (c, true);
  *code = OMEN_EXIT_USAGE;
  for (size_t i = 0; i < c->request->specs.files.count; i++)
    omen_spec_coverage_warn (&c->job.coverage[i]);
  if (c->request->explore)
    omen_explore_print (&c->explored, stderr);
  else
    print_end (c);
  print_time (c);
  print_summary (c);
  return saved;
}

/* ---- all of it ---- */

static int
exit_code (const omen_check *c)
{
  if (count_findings (c).failing)
    return OMEN_EXIT_FINDINGS;
  if (c->request->explore && !omen_explore_complete (&c->explored))
    return OMEN_EXIT_BUDGET;
  return c->job.undecided || c->job.part < 1 || c->not_whole
             ? OMEN_EXIT_BUDGET
             : OMEN_EXIT_NOTHING;
}

static bool
record_all (omen_check *c, omen_recording *recording, int *code)
{
  if (c->request->explore)
    return omen_check_explore (c, recording, code);
  if (!omen_check_first (c, recording, code))
    return false;
  c->first_status = c->status;
  c->job.again = true;
  return omen_check_further (c, recording, code);
}

/* If a run fails (because of a full disk, for example), what is known is
   reported. */
static int
run_all (omen_check *c, omen_recording *recording)
{
  int code, unsaved;
  if (!c->request->explore || !c->request->explore->resume)
    omen_check_save (c, false);
  bool good = record_all (c, recording, &code);
  if (!good && (!c->traces.count || code == OMEN_EXIT_BUG))
    return code;
  omen_check_fold (c);
  c->save_at = 0; /* all recordings are analysed now */
  omen_check_save (c, false);
  good = good && omen_check_confirm (c, recording, &code);
  if (!good && code == OMEN_EXIT_BUG)
    return code;
  omen_interrupt_settle ();
  c->status = c->first_status;
  if (!print_report (c, &unsaved))
    return unsaved;
  return good ? exit_code (c) : code;
}

/* For test tools that distinguish exit codes of the program. */
static int
end_as_program (const omen_check *c, int code)
{
  if (!c->request->program_exit || code != OMEN_EXIT_NOTHING)
    return code;
  return WIFSIGNALED (c->first_status) ? 128 + WTERMSIG (c->first_status)
                                       : WEXITSTATUS (c->first_status);
}

static bool
make_folder (omen_check *c, omen_err *err)
{
  const omen_check_request *r = c->request;
  return r->explore && r->explore->resume
             ? omen_check_folder_again (r->folder, &c->folder, err)
             : omen_check_folder_make (r->folder, &c->folder, err);
}

static bool
prepare_check (omen_check *c, int *code)
{
  const omen_check_request *r = c->request;
  omen_err err = { 0 };
  size_t room = strlen (r->folder) + 10;
  c->witness_dir = omen_alloc (room);
  snprintf (c->witness_dir, room, "%s/witness", r->folder);
  omen_check_job_init (&c->job);
  c->job.options = r->options;
  c->job.by_cause = r->by_cause;
  c->job.nondet = r->nondet;
  c->job.all = r->all;
  c->job.spares = !r->no_confirm;
  c->job.model_given = r->model_given;
  c->job.progress = show_progress;
  c->job.loaded = show_loaded;
  c->job.found = save_found;
  c->job.options.engine.budget.stop = c->stop;
  c->job.context = c;
  c->job.shown = &c->progress;
  c->job.memory = r->memory ? r->memory : omen_memory_default ();
  c->job.specs = &r->specs;
  c->job.coverage
      = omen_zalloc (r->specs.files.count + 1, sizeof *c->job.coverage);
  for (size_t i = 0; i < r->specs.files.count; i++) {
    omen_spec_coverage_init (&c->job.coverage[i], &r->specs.files.data[i]);
    c->job.coverage[i].recorded_for = true;
  }
  if (r->suppress)
    c->job.suppressions = omen_suppressions_load (r->suppress, &err);
  if (!err.set && r->baseline)
    c->job.baseline = omen_baseline_load (r->baseline, &err);
  c->folder = -1;
  if (!err.set && make_folder (c, &err)
      && omen_spec_copy_all (r->folder, &r->specs, &err)) {
    c->reserve = omen_check_folder_reserve (r->folder);
    return true;
  }
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}

static void
fini (omen_check *c)
{
  for (size_t i = 0; i < c->traces.count; i++)
    omen_checked_fini (&c->traces.data[i]);
  OMEN_VEC_FINI (c->traces);
  omen_free (c->runs);
  omen_free (c->witness_dir);
  for (size_t i = 0; c->job.coverage && i < c->request->specs.files.count; i++)
    omen_spec_coverage_fini (&c->job.coverage[i]);
  omen_free (c->job.coverage);
  omen_check_job_fini (&c->job);
  json_decref (c->explored.shown);
  if (c->folder > 0)
    close (c->folder);
  if (c->reserve > 0)
    close (c->reserve);
}

int
omen_check_program (const omen_check_request *request)
{
  omen_check c = { .request = request,
                   .stop = omen_interrupt_flag (),
                   .input = lseek (STDIN_FILENO, 0, SEEK_CUR) };
  omen_recording recording;
  int code;
  omen_progress_start (&c.progress, request->quiet);
  if (omen_recording_prepare (&recording, request->record.program[0],
                              request->quiet, &code)
      && prepare_check (&c, &code)) {
    recording.specs = &request->specs;
    recording.stop = c.stop;
    omen_interrupt_begin ();
    omen_woven_specs_compare (recording.program.path, &request->specs);
    code = end_as_program (&c, run_all (&c, &recording));
  }
  fini (&c);
  omen_recording_fini (&recording);
  return omen_interrupt_end (code);
}

int
omen_check_request_run (omen_check_request *request,
                        int (*run) (const omen_check_request *request))
{
  int code;
  if (omen_spec_list_load (&request->specs, &code)) {
    char *folder
        = omen_check_folder_name (request->folder, request->record.program[0]);
    request->folder = folder;
    code = run (request);
    free (folder);
  }
  omen_spec_list_fini (&request->specs);
  OMEN_VEC_FINI (request->source_paths);
  return code;
}
