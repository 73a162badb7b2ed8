/* omen check: record, predict, verify, confirm, report. */
#include "cmd/check_folder.h"
#include "cmd/check_options.h"
#include "cmd/check_progress.h"
#include "cmd/checked.h"
#include "cmd/fold.h"
#include "cmd/recorded.h"
#include "cmd/recording.h"
#include "cmd/replaying.h"
#include "cmd/woven_specs.h"
#include "report/story.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct check {
  const omen_check_request *request;
  omen_check_job job;
  OMEN_VEC (omen_checked) traces;
  omen_report_run *runs; /* of traces, once all are there */
  omen_report report;
  char *witness_dir;
  omen_progress progress;
  size_t found;
  int status; /* of the last run of the program */
  uint64_t confirm_ms; /* how long a replay may take */
  off_t input; /* where standard input began, if it is a file; else -1 */
} check;

/* ---- progress ---- */

static void
show_progress (void *context, const char *what, uint64_t done, uint64_t all)
{
  check *c = context;
  omen_progress_count (&c->progress, what, done, all);
}

static void
show_loaded (void *context, const char *path, const omen_trace *trace)
{
  check *c = context;
  omen_progress_trace (&c->progress, path, trace);
}

/* ---- recording ---- */

static char *
trace_path (const check *c, unsigned number)
{
  size_t room = strlen (c->request->folder) + 40;
  char *path = omen_alloc (room);
  if (number)
    snprintf (path, room, "%s/run-%u.omen", c->request->folder, number + 1);
  else
    snprintf (path, room, "%s/run.omen", c->request->folder);
  return path;
}

static bool
starts_others (const omen_recording *recording)
{
  return recording->program.kind == OMEN_PROGRAM_OTHER;
}

/* A replay may take a while longer than the run that it is about. */
enum { CONFIRM_LEAST_MS = 20000, CONFIRM_TIMES = 3 };

static void
give_time (check *c, double seconds)
{
  uint64_t ms = CONFIRM_LEAST_MS + CONFIRM_TIMES * (uint64_t)(seconds * 1000);
  if (c->confirm_ms < ms)
    c->confirm_ms = ms;
}

/* Every run of the program reads the same. */
static void
rewind_input (const check *c)
{
  if (c->input >= 0)
    lseek (STDIN_FILENO, c->input, SEEK_SET);
}

/* The first run as the user wants it, the others by chance. */
static bool
record (check *c, omen_recording *recording, unsigned number, int *code)
{
  omen_record_request request = c->request->record;
  char *path = trace_path (c, number), schedule[32];
  double before;
  bool ok;
  request.output = path;
  if (number) {
    snprintf (schedule, sizeof schedule, "random:%u", number);
    request.schedule = schedule;
  }
  omen_progress_phase (&c->progress, "recording %s%s%s", request.program[0],
                       number ? " under " : "", number ? schedule : "");
  before = omen_progress_elapsed (&c->progress);
  rewind_input (c);
  ok = omen_recording_run (recording, &request, code);
  give_time (c, omen_progress_elapsed (&c->progress) - before);
  c->status = recording->run.status;
  omen_free (path);
  return ok;
}

/* ---- looking at traces ---- */

static bool
look_at (check *c, const char *path, int *code)
{
  omen_checked checked;
  omen_err err = { 0 };
  if (omen_checked_make (&checked, path, &c->job, &err)) {
    for (size_t i = 0; i < checked.trace->warnings.count; i++)
      omen_cmd_warn ("%s: %s", path,
                     omen_names_text (&checked.trace->strings,
                                      checked.trace->warnings.data[i]));
    OMEN_VEC_PUSH (c->traces, checked);
    return true;
  }
  omen_progress_clear (&c->progress);
  *code = omen_cmd_fail (*err.where ? OMEN_EXIT_INPUT : OMEN_EXIT_BUG, &err);
  return false;
}

static bool
look_at_run (check *c, unsigned number, int *code)
{
  omen_recorded_files files = { 0 };
  char *path = trace_path (c, number);
  bool ok = true;
  omen_recorded_find (&files, path);
  if (!files.count)
    omen_cmd_warn ("%s: nothing was recorded", path);
  for (size_t i = 0; ok && i < files.count; i++)
    ok = look_at (c, files.data[i], code);
  omen_recorded_files_fini (&files);
  omen_free (path);
  omen_progress_clear (&c->progress);
  return ok;
}

/* ---- folding ---- */

/* A finding stands for all of its kind and place, in all runs. */
static void
count_instances (check *c)
{
  for (size_t k = 0; k < c->traces.count; k++) {
    omen_reporter *reporter = omen_reporter_new (c->traces.data[k].trace);
    for (size_t i = 0; i < c->traces.data[k].findings.count; i++) {
      omen_finding *finding = &c->traces.data[k].findings.data[i];
      char *print = omen_report_fingerprint (reporter, finding);
      uint32_t id = omen_names_find (&c->job.seen, print, strlen (print));
      OMEN_REQUIRE (id != OMEN_NONE);
      finding->count = c->job.counts.data[id];
      omen_free (print);
    }
    omen_reporter_free (reporter);
  }
}

/* Once all runs have been looked at. */
static void
fold (check *c)
{
  omen_fold fold;
  count_instances (c);
  if (!c->job.by_block)
    return;
  omen_fold_init (&fold);
  for (size_t k = 0; k < c->traces.count; k++)
    omen_fold_run (&fold, c->traces.data[k].trace,
                   &c->traces.data[k].findings);
  omen_fold_fini (&fold);
}

/* ---- confirming ---- */

static void
try_one (check *c, omen_recording *recording, const omen_checked *checked,
         const omen_origin *origin, omen_finding *finding)
{
  omen_err err = { 0 };
  omen_replay replay = { .trace = checked->trace,
                         .witness = &finding->witness,
                         .origin = origin,
                         .specs = &c->request->specs,
                         .starts_others = starts_others (recording),
                         .then = "exit", /* all was seen by then */
                         .folder = c->request->folder,
                         .program = c->request->record.program,
                         .limit_ms = c->confirm_ms,
                         .silent = true };
  bool tried;
  OMEN_REQUIRE (finding->status == OMEN_STATUS_VERIFIED && !finding->trace);
  rewind_input (c);
  tried = omen_replay_run (&replay, recording, &err);
  if (tried)
    finding->status = replay.judgement.confirmed ? OMEN_STATUS_CONFIRMED
                                                 : OMEN_STATUS_DIVERGED;
  omen_free (finding->outcome);
  finding->outcome
      = omen_strdup (tried ? replay.judgement.text : err.what);
}

/* Of a block, so many pairs are tried until one is seen to happen. */
enum { PAIRS_TRIED = 4 };

/* The pair that is confirmed leads; if none is, the first goes on doing so. */
static void
confirm_one (check *c, omen_recording *recording, const omen_checked *checked,
             const omen_origin *origin, omen_finding *finding)
{
  unsigned tried = 1;
  try_one (c, recording, checked, origin, finding);
  for (size_t k = 0; k < finding->more.count && tried < PAIRS_TRIED
                     && finding->status == OMEN_STATUS_DIVERGED;
       k++) {
    omen_finding *pair = &finding->more.data[k];
    if (pair->trace)
      continue; /* another run's */
    try_one (c, recording, checked, origin, pair);
    tried++;
    if (pair->status == OMEN_STATUS_CONFIRMED)
      omen_fold_lead (finding, k + 1);
  }
}

static void
confirm (check *c, omen_recording *recording)
{
  int status = c->status;
  size_t done = 0, all = 0;
  if (c->request->no_confirm)
    return;
  for (size_t k = 0; k < c->traces.count; k++)
    all += c->traces.data[k].findings.count;
  if (all)
    omen_progress_phase (&c->progress, "confirming %zu finding%s", all,
                         omen_s (all));
  c->progress.large = false;
  for (size_t k = 0; k < c->traces.count; k++) {
    const omen_checked *checked = &c->traces.data[k];
    omen_origin origin;
    omen_origin_find (&origin, checked->path);
    for (size_t i = 0; i < checked->findings.count; i++) {
      show_progress (c, "confirming", done++, all);
      confirm_one (c, recording, checked, &origin, &checked->findings.data[i]);
    }
  }
  omen_progress_clear (&c->progress);
  c->status = status;
}

/* ---- telling ---- */

static bool
in_colour (const omen_check_request *r)
{
  const char *no = getenv ("NO_COLOR");
  if (r->colour && strcmp (r->colour, "auto"))
    return !strcmp (r->colour, "always");
  return isatty (STDERR_FILENO) && !(no && *no);
}

static void
make_report (check *c)
{
  unsigned first = 1;
  c->runs = omen_zalloc (c->traces.count + 1, sizeof *c->runs);
  for (size_t i = 0; i < c->traces.count; i++) {
    const omen_checked *checked = &c->traces.data[i];
    c->runs[i]
        = (omen_report_run){ checked->trace, &checked->findings, first };
    first += (unsigned)checked->findings.count;
  }
  OMEN_ASSERT (first); /* numbers did not run out */
  c->found = first - 1;
  c->report = (omen_report){ c->runs, c->traces.count, c->witness_dir };
}

static void
tell_stories (const check *c)
{
  omen_story_style style
      = { in_colour (c->request), c->witness_dir };
  for (size_t k = 0; k < c->report.count; k++) {
    const omen_report_run *run = &c->report.runs[k];
    omen_reporter *reporter = omen_reporter_new (run->trace);
    for (size_t i = 0; i < run->findings->count; i++)
      omen_report_story (reporter, &run->findings->data[i],
                         run->first + (unsigned)i, &style, stderr);
    omen_reporter_free (reporter);
  }
}

static void
tell_end (const check *c)
{
  if (WIFSIGNALED (c->status))
    fprintf (stderr, "omen: the program died of signal %d (%s)\n",
             WTERMSIG (c->status), strsignal (WTERMSIG (c->status)));
  else if (WEXITSTATUS (c->status))
    fprintf (stderr, "omen: the program ended with exit code %d\n",
             WEXITSTATUS (c->status));
}

/* The replay went another way: time or input may differ, or something that omen
   does not see keeps the events apart. What weak memory does is not to be had by
   a schedule. */
static bool
is_doubtful (const omen_finding *finding)
{
  return finding->status == OMEN_STATUS_DIVERGED
         && finding->witness.claim.kind != OMEN_CLAIM_RACE_ORDER;
}

/* How many findings are sure, or doubtful, of the kinds in a mask. */
static size_t
count_findings (const check *c, bool doubtful, unsigned kinds)
{
  size_t count = 0;
  for (size_t k = 0; k < c->report.count; k++)
    for (size_t i = 0; i < c->report.runs[k].findings->count; i++) {
      const omen_finding *finding = &c->report.runs[k].findings->data[i];
      count += is_doubtful (finding) == doubtful && kinds >> finding->kind & 1;
    }
  return count;
}

/* The most common reason for replays that go another way. */
static void
tell_input (size_t doubtful)
{
  struct stat info;
  if (doubtful && !fstat (STDIN_FILENO, &info)
      && (S_ISFIFO (info.st_mode) || S_ISSOCK (info.st_mode)))
    fputs ("omen: standard input is a pipe, which a replay cannot read again; "
           "input from a file (< FILE) it can\n",
           stderr);
}

static void
tell_summary (const check *c)
{
  const omen_check_job *job = &c->job;
  size_t doubtful = count_findings (c, true, ~0u);
  tell_input (doubtful);
  fprintf (stderr, "omen: %zu finding%s", c->found, omen_s (c->found));
  if (doubtful)
    fprintf (stderr, ", %zu not confirmed", doubtful);
  if (job->suppressed.count)
    fprintf (stderr, ", %u suppressed", job->suppressed.count);
  if (job->known.count)
    fprintf (stderr, ", %u known from the baseline", job->known.count);
  if (job->undecided)
    fprintf (stderr, ", %" PRIu64 " candidate%s undecided", job->undecided,
             omen_s (job->undecided));
  fprintf (stderr, "; %.1f s; see %s/report.html\n", omen_progress_elapsed (&c->progress),
           c->request->folder);
}

static bool
tell (check *c, int *code)
{
  omen_err err = { 0 };
  make_report (c);
  if (!omen_check_folder_witnesses (c->request->folder, &c->report, &err)
      || !omen_check_folder_reports (c->request->folder, &c->report,
                                     c->job.undecided, &err)) {
    *code = omen_cmd_fail (OMEN_EXIT_USAGE, &err);
    return false;
  }
  if (!c->request->quiet)
    tell_stories (c);
  for (size_t i = 0; i < c->request->specs.files.count; i++)
    omen_sights_warn (&c->job.sights[i]);
  tell_end (c);
  tell_summary (c);
  return true;
}

/* ---- the command ---- */

static int
exit_code (const check *c)
{
  unsigned kinds = c->request->fail_kinds;
  if (count_findings (c, false, kinds)
      || (c->request->strict && count_findings (c, true, kinds)))
    return OMEN_EXIT_FINDINGS;
  return c->job.undecided && !c->found ? OMEN_EXIT_BUDGET : OMEN_EXIT_NOTHING;
}

static int
run_all (check *c, omen_recording *recording)
{
  int code;
  for (unsigned i = 0; i < c->request->runs; i++)
    if (!record (c, recording, i, &code) || !look_at_run (c, i, &code))
      return code;
  fold (c);
  confirm (c, recording);
  return tell (c, &code) ? exit_code (c) : code;
}

static bool
prepare (check *c, int *code)
{
  const omen_check_request *r = c->request;
  omen_err err = { 0 };
  size_t room = strlen (r->folder) + 10;
  c->witness_dir = omen_alloc (room);
  snprintf (c->witness_dir, room, "%s/witness", r->folder);
  omen_check_job_init (&c->job);
  c->job.options = r->options;
  c->job.by_block = r->by_block;
  c->job.model_given = r->model_given;
  c->job.progress = show_progress;
  c->job.loaded = show_loaded;
  c->job.context = c;
  c->job.specs = &r->specs;
  c->job.sights = omen_zalloc (r->specs.files.count + 1, sizeof *c->job.sights);
  for (size_t i = 0; i < r->specs.files.count; i++) {
    omen_sights_init (&c->job.sights[i], &r->specs.files.data[i]);
    c->job.sights[i].recorded_for = true;
  }
  if (r->suppress)
    c->job.suppressions = omen_suppressions_load (r->suppress, &err);
  if (!err.set && r->baseline)
    c->job.baseline = omen_baseline_load (r->baseline, &err);
  if (!err.set && omen_check_folder_make (r->folder, &err)
      && omen_check_folder_specs (r->folder, &r->specs, &err))
    return true;
  *code = omen_cmd_fail (OMEN_EXIT_INPUT, &err);
  return false;
}

static void
fini (check *c)
{
  for (size_t i = 0; i < c->traces.count; i++)
    omen_checked_fini (&c->traces.data[i]);
  OMEN_VEC_FINI (c->traces);
  omen_free (c->runs);
  omen_free (c->witness_dir);
  for (size_t i = 0; c->job.sights && i < c->request->specs.files.count; i++)
    omen_sights_fini (&c->job.sights[i]);
  omen_free (c->job.sights);
  omen_check_job_fini (&c->job);
}

static int
run (int argc, char **argv)
{
  omen_check_request request
      = { .options = { .asks = OMEN_DEFAULT_ASKS,
                       .engine = { .budget = { OMEN_DEFAULT_STEPS, 0 },
                                   .z3_seconds = 2 } } };
  check c = { .request = &request,
              .input = lseek (STDIN_FILENO, 0, SEEK_CUR) };
  omen_recording recording;
  int code;
  if (!omen_cmd_parse_program (&omen_check_argp, argc, argv, &request, &code)
      || !omen_spec_list_load (&request.specs, &code)) {
    omen_spec_list_fini (&request.specs);
    return code;
  }
  omen_progress_start (&c.progress, request.quiet);
  if (omen_recording_prepare (&recording, request.record.program[0],
                              request.quiet, &code)
      && prepare (&c, &code)) {
    recording.specs = &request.specs;
    omen_woven_specs_compare (recording.program.path, &request.specs);
    code = run_all (&c, &recording);
  }
  fini (&c);
  omen_spec_list_fini (&request.specs);
  omen_recording_fini (&recording);
  return code;
}

const omen_cmd omen_cmd_check
    = { "check", "run a program once, foretell what other runs can do", run,
        &omen_check_argp };
