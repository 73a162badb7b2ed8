#include "driver/explore/session.h"
#include "driver/explore/session_state.h"
#include "base/print.h"
#include "driver/explore/remote.h"
#include "driver/message.h"
#include "load/load.h"
#include "wire/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

enum { POLL_MS = 100, MOST_POINTS = 400 };

/* ---- one run ---- */

static bool
may_begin (omen_session *s)
{
  const omen_explore_options *o = s->options;
  uint64_t begun = omen_explore_count (s->x).runs + s->busy - s->before;
  if ((o->runs && begun >= o->runs)
      || (o->seconds > 0 && omen_now () - s->start >= o->seconds)
      || (o->until_failure && s->result->failures))
    s->enough = true;
  if (*s->check->stop)
    s->enough = true;
  return !s->enough;
}

static bool
begin_runs (omen_session *s, omen_err *err)
{
  for (unsigned i = 0; i < s->jobs && may_begin (s); i++) {
    if (s->runners[i].busy || s->runners[i].gone)
      continue;
    if (!omen_explore_next (s->x, &s->plans[i]))
      return true;
    if (!omen_runner_begin (&s->runners[i], s->plans[i].text,
                            s->plans[i].length, err))
      return false;
    s->busy++;
  }
  return true;
}

/* Copy to a new file; an incomplete copy is removed. */
static bool
copy_file (const char *from, const char *to, omen_err *err)
{
  int in = open (from, O_RDONLY | O_CLOEXEC);
  int out = open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  ssize_t got = in < 0 || out < 0 ? -1 : 1;
  while (got > 0)
    got = sendfile (out, in, NULL, 1 << 30);
  if (got < 0)
    omen_err_io (err, to, "a recording cannot be copied: %s", strerror (errno));
  if (in >= 0)
    close (in);
  if (out >= 0)
    close (out);
  if (out >= 0 && got < 0)
    unlink (to);
  return got >= 0;
}

bool
omen_session_look (omen_session *s, unsigned number, int *code)
{
  omen_check *c = s->check;
  const omen_kept_run *run = &s->kept.data[number];
  c->status = run->status;
  c->made = number + 1;
  c->job.ending = omen_ending_failed (&run->ending) ? &run->ending : NULL;
  bool ok = omen_check_look (c, number, code);
  c->job.ending = NULL;
  c->job.again = true;
  return ok;
}

/* Drop the last recording, which had nothing new. */
static void
drop_last (omen_session *s, size_t traces, const char *path)
{
  omen_check *c = s->check;
  while (c->traces.count > traces)
    omen_checked_fini (&c->traces.data[--c->traces.count]);
  unlink (path);
  c->made--;
  omen_ending_fini (&OMEN_VEC_POP (s->kept).ending);
}

/* Analyse a run as omen check does; its recording is kept in the folder. */
static bool
analyse_run (omen_session *s, const char *recording, int status,
             omen_ending *ending, int *code)
{
  omen_check *c = s->check;
  size_t before = c->traces.count;
  char *path = omen_check_trace (c, c->made);
  omen_err err = { 0 };
  bool ok = copy_file (recording, path, &err);
  if (ok) {
    omen_kept_run run = { status, *ending };
    *ending = (omen_ending){ 0 }; /* now owned by the list */
    OMEN_VEC_PUSH (s->kept, run);
    omen_recording_add_names (path, s->recording->specs);
    ok = omen_session_look (s, c->made, code);
    bool new = c->made == 1;
    for (size_t i = before; i < c->traces.count; i++)
      new = new || c->traces.data[i].findings.count;
    if (!new)
      drop_last (s, before, path);
  } else
    *code = omen_fail (OMEN_EXIT_USAGE, &err);
  omen_free (path);
  return ok;
}

/* Analyse a run that fails in a new way: first its shrunk form (shrink.h), then
   the run itself, in which other things may be found. */
static bool
look_at_failure (omen_session *s, omen_runner *r, const omen_trace *trace,
                 bool itself, omen_ending *ending, int *code)
{
  omen_shrink shrink
      = { .runner = r, .failing = &s->failing, .stop = s->check->stop };
  int status = r->timed_out ? 0 : r->status;
  unsigned made = s->check->made;
  char path[PATH_MAX];
  omen_scratch_file (&r->scratch, "failed.omen", path, sizeof path);
  if (rename (r->trace, path))
    return true; /* it is removed with the folder */
  bool ok
      = s->options->no_shrink
        || !omen_shrink_run (&shrink, trace, status, ending)
        || analyse_run (s, shrink.path, shrink.status, &shrink.ending, code);
  if (ok && (itself || !shrink.better))
    ok = analyse_run (s, path, status, ending, code);
  if (s->check->made > made)
    OMEN_VEC_LAST (s->failures).kept = made;
  omen_ending_fini (&shrink.ending);
  unlink (path);
  return ok;
}

static bool
has_failed (const omen_runner *r, const omen_explored *run,
            const omen_ending *ending)
{
  return omen_ending_failed (ending) || run->stuck
         || (WIFSIGNALED (r->status) && !r->timed_out);
}

/* What the run depended on, as reasons for incompleteness. */
static void
add_limits (omen_session *s, const omen_runner *r)
{
  static const unsigned limits[][2]
      = { { OMEN_SERVED_CLOCK, OMEN_LIMITED_CLOCK },
          { OMEN_SERVED_RANDOM, OMEN_LIMITED_RANDOM },
          { OMEN_SERVED_IDS, OMEN_LIMITED_IDS },
          { OMEN_SERVED_PROCESSES, OMEN_LIMITED_HELPED } };
  for (size_t i = 0; i < OMEN_COUNT (limits); i++)
    if (r->depends & limits[i][0])
      omen_explore_limit (s->x, limits[i][1]);
  if (r->timed_out)
    omen_explore_limit (s->x, OMEN_LIMITED_ENDED);
}

/* Count the failing behaviour, once. Returns true if no run of it has failed
   before, or none with these verdicts: what is called in which order may differ
   where nothing else does. */
static bool
is_new_failure (omen_session *s, uint64_t behaviour, const omen_ending *ending)
{
  uint64_t verdicts = 17;
  for (const char *c = ending->violated; c && *c; c++)
    verdicts = omen_hash_mix (verdicts, (uint8_t)*c);
  uint32_t *failed = omen_map_at (&s->failed, behaviour >> 1);
  s->result->failures += *failed == OMEN_NONE;
  *failed = 1;
  uint64_t both = omen_hash_mix (behaviour, verdicts) >> 1;
  bool new = omen_map_get (&s->failed, both) == OMEN_NONE;
  *omen_map_at (&s->failed, both) = 1;
  return new;
}

/* Count the failure. Returns true if it is the first of its sort. */
static bool
note_failure (omen_session *s, const omen_runner *r, const omen_trace *trace,
              const omen_ending *ending)
{
  omen_explore_counts counts = omen_explore_count (s->x);
  uint64_t sort = omen_failure_sort (trace, r->status, ending);
  for (size_t i = 0; i < s->failures.count; i++)
    if (s->failures.data[i].sort == sort) {
      s->failures.data[i].count++;
      return false;
    }
  omen_failed failed = { .sort = sort,
                         .first = counts.runs,
                         .count = 1,
                         .kept = OMEN_NONE,
                         .how = omen_failing_text (r->status, ending) };
  OMEN_VEC_PUSH (s->failures, failed);
  return true;
}

static void
print_run (const omen_session *s, unsigned i, const omen_explored *run,
           bool failed)
{
  omen_print (stderr, "run %" PRIu64 ": %s%s%s%s, %zu plans\n",
              omen_explore_count (s->x).runs,
              run->followed ? "followed" : "DIVERGED",
              run->new_behaviour ? ", new" : "", run->stuck ? ", stuck" : "",
              failed ? ", failed" : "", run->forks);
  if (!run->followed)
    omen_print (stderr, "%.*s", (int)s->plans[i].length, s->plans[i].text);
}

static bool
take_trace (omen_session *s, unsigned i, omen_trace *trace, omen_ending *ending,
            int *code)
{
  omen_runner *r = &s->runners[i];
  omen_err err = { 0 };
  omen_explored run;
  omen_failing_look_inside (&s->failing, trace, ending);
  if (!(r->depends & OMEN_SERVED_WHOLE) && trace->death.thread == OMEN_NONE)
    omen_explore_limit (s->x, OMEN_LIMITED_CUT);
  for (size_t n = 0; n < s->failing.verdicts.count; n++)
    omen_explore_show (s->x, s->failing.verdicts.data[n].key);
  if (!omen_explore_take (s->x, &s->plans[i], trace,
                          r->depends & OMEN_SERVED_WHOLE, &run, &err)) {
    omen_warn ("a run cannot be analysed: %s", err.what);
    return true;
  }
  bool failed = has_failed (r, &run, ending);
  bool fails_anew = failed && is_new_failure (s, run.behaviour, ending);
  uint64_t number = omen_explore_count (s->x).runs;
  if (failed && !s->result->first_failure)
    s->result->first_failure = number;
  if (number == 1)
    s->first = run.behaviour;
  if (s->options->trace_runs)
    print_run (s, i, &run, failed);
  bool itself = run.new_pairs && !s->options->no_check;
  if (fails_anew && note_failure (s, r, trace, ending))
    return look_at_failure (s, r, trace, itself, ending, code);
  return !(itself || fails_anew)
         || analyse_run (s, r->trace, r->timed_out ? 0 : r->status, ending,
                         code);
}

/* Add a point to the curve. Their number is limited to some hundreds, so the
   stride grows with the number of runs. */
static void
note_point (omen_session *s)
{
  omen_explore_counts counts = omen_explore_count (s->x);
  size_t kept = 0;
  if (counts.runs % (s->stride ? s->stride : 1))
    return;
  omen_curve_point point
      = { counts.runs, counts.behaviours, counts.pairs, s->result->failures };
  OMEN_VEC_PUSH (s->curve, point);
  if (s->curve.count <= MOST_POINTS)
    return;
  for (size_t i = 1; i < s->curve.count; i += 2)
    s->curve.data[kept++] = s->curve.data[i];
  s->curve.count = kept;
  s->stride = 2 * (s->stride ? s->stride : 1);
}

static bool
take_run (omen_session *s, unsigned i, int *code)
{
  omen_runner *r = &s->runners[i];
  const omen_load_options options
      = { .rebuild.all = true,
          .without_names = !s->failing.specs->predict.count };
  omen_err err = { 0 };
  omen_ending ending;
  bool ok = true;
  add_limits (s, r);
  omen_failing_look (&s->failing, r, &ending);
  omen_trace *trace = r->overrun ? NULL : omen_load (r->trace, &options, &err);
  if (trace)
    ok = take_trace (s, i, trace, &ending, code);
  else if (r->overrun)
    omen_explore_miss (s->x);
  else {
    omen_explore_limit (s->x, OMEN_LIMITED_UNREAD);
    omen_warn ("a run cannot be analysed: %s", err.what);
  }
  note_point (s);
  omen_trace_free (trace);
  omen_ending_fini (&ending);
  omen_explore_plan_fini (&s->plans[i]);
  return ok;
}

/* ---- the first one again ---- */

/* When all behaviours seem to be covered, the first run is repeated: if it
   differs, the program depends on something that changes. Returns false if this
   is not needed, or not possible. */
static bool
begin_again (omen_session *s, omen_err *err)
{
  if (s->again || s->enough || *s->check->stop || omen_explore_limits (s->x)
      || !omen_explore_count (s->x).runs)
    return false;
  s->again = true;
  s->plans[0] = omen_explore_first_plan ();
  s->busy = omen_runner_begin (&s->runners[0], s->plans[0].text,
                               s->plans[0].length, err);
  return s->busy;
}

static void
compare_again (omen_session *s, unsigned i)
{
  omen_runner *r = &s->runners[i];
  const omen_load_options options
      = { .rebuild.all = true,
          .without_names = !s->failing.specs->predict.count };
  omen_err err = { 0 };
  omen_ending ending;
  omen_trace *trace = omen_load (r->trace, &options, &err);
  omen_failing_look (&s->failing, r, &ending);
  omen_failing_look_inside (&s->failing, trace, &ending);
  if (!trace || omen_explore_behaviour (trace) != s->first
      || (ending.how && !ending.said))
    omen_explore_limit (s->x, OMEN_LIMITED_OUTSIDE);
  omen_trace_free (trace);
  omen_ending_fini (&ending);
  omen_explore_plan_fini (&s->plans[i]);
}

/* ---- all of them ---- */

static void
wait_for_one (omen_session *s)
{
  nfds_t count = 0;
  for (unsigned i = 0; i < s->jobs; i++) {
    omen_runner *r = &s->runners[i];
    if (!r->busy)
      continue;
    if (*s->check->stop)
      omen_runner_kill (r);
    omen_runner_limit (r);
    s->fds[count++] = (struct pollfd){ r->socket, POLLIN, 0 };
  }
  if (count)
    poll (s->fds, count, POLL_MS);
}

static bool
is_ready (const omen_runner *r)
{
  struct pollfd fd = { r->socket, POLLIN, 0 };
  return r->busy && poll (&fd, 1, 0) > 0;
}

/* A run that is not analysed; its plan is put back. */
static void
give_back (omen_session *s, unsigned i)
{
  if (!s->again)
    omen_explore_return (s->x, &s->plans[i]);
  omen_explore_plan_fini (&s->plans[i]);
  if (s->runners[i].gone && !*s->check->stop)
    omen_warn ("rank %u is gone; the other ranks do its work",
               s->runners[i].rank);
}

static bool
run_all (omen_session *s, int *code)
{
  omen_err err = { 0 };
  for (;;) {
    if (!begin_runs (s, &err)) {
      *code = omen_fail (OMEN_EXIT_USAGE, &err);
      return false;
    }
    if (!s->busy && !begin_again (s, &err))
      return !err.set || !(*code = omen_fail (OMEN_EXIT_USAGE, &err));
    wait_for_one (s);
    for (unsigned i = 0; i < s->jobs; i++) {
      if (!is_ready (&s->runners[i]) || !omen_runner_ended (&s->runners[i]))
        continue;
      s->busy--;
      if (*s->check->stop || s->runners[i].gone) {
        give_back (s, i);
        continue;
      }
      if (s->again)
        compare_again (s, i);
      else if (!take_run (s, i, code))
        return false;
      omen_explore_counts counts = omen_explore_count (s->x);
      omen_progress_count (&s->check->progress, "runs", counts.runs,
                           counts.runs + omen_explore_waiting (s->x));
      omen_session_save (s, false);
    }
  }
}

static bool
start_runners (omen_session *s, unsigned own, int *code)
{
  omen_err err = { 0 };
  for (unsigned i = 0; i < s->jobs; i++)
    s->runners[i].socket = -1;
  for (unsigned i = 0; i < s->jobs; i++)
    if (i < own ? !omen_runner_start (&s->runners[i], s->recording,
                                      s->check->request->record.program,
                                      s->options->output, &err)
                : !omen_remote_start (&s->runners[i],
                                      &s->options->ranks->links.data[i - own],
                                      s->check->stop, &err)) {
      *code = omen_fail (OMEN_EXIT_USAGE, &err);
      return false;
    }
  return true;
}

/* ---- the command ---- */

int
omen_explore_program (const omen_check_request *request)
{
  omen_explore_options options = *request->explore;
  omen_check_request own = *request;
  omen_ranks ranks;
  int code;
  if (!omen_ranks_meet (&ranks, options.jobs ? options.jobs : 1, &code))
    return code;
  options.ranks = &ranks;
  own.explore = &options;
  code = ranks.rank ? omen_remote_serve (&own, &ranks)
                    : omen_check_program (&own);
  omen_ranks_part (&ranks);
  return code;
}

bool
omen_check_explore (omen_check *c, omen_recording *recording, int *code)
{
  const omen_explore_options *options = c->request->explore;
  omen_cuts_options cuts = { options->most_states, options->spurious };
  omen_session s
      = { .check = c,
          .options = options,
          .result = &c->explored,
          .recording = recording,
          .failing = { .output = options->output, .specs = &c->request->specs },
          .start = omen_now () };
  unsigned own = options->jobs ? options->jobs : 1;
  s.jobs = own + (options->ranks ? (unsigned)options->ranks->links.count : 0);
  s.fds = omen_zalloc (s.jobs, sizeof *s.fds);
  s.x = omen_explore_new (&cuts, &c->request->specs);
  omen_map_init (&s.failed);
  s.runners = omen_zalloc (s.jobs, sizeof *s.runners);
  s.plans = omen_zalloc (s.jobs, sizeof *s.plans);
  bool ok = (!options->resume || omen_session_go_on (&s, code))
            && start_runners (&s, own, code) && run_all (&s, code);
  if (omen_explore_count (s.x).runs)
    omen_session_save (&s, true);
  omen_explore_counts counts = omen_explore_count (s.x);
  c->explored.runs = counts.runs;
  c->explored.behaviours = counts.behaviours;
  c->explored.pairs = counts.pairs;
  c->explored.last_new = counts.last_new;
  c->explored.limits = omen_explore_limits (s.x);
  c->explored.stopped
      = !ok || *c->stop || (s.enough && omen_explore_next (s.x, &s.plans[0]));
  c->explored.seconds = omen_now () - s.start;
  c->explored.shown = omen_session_shown (&s);
  for (unsigned i = 0; i < s.jobs; i++) {
    omen_explore_plan_fini (&s.plans[i]);
    omen_runner_stop (&s.runners[i]);
  }
  omen_explore_free (s.x);
  omen_failing_fini (&s.failing);
  omen_map_fini (&s.failed);
  for (size_t i = 0; i < s.kept.count; i++)
    omen_ending_fini (&s.kept.data[i].ending);
  OMEN_VEC_FINI (s.kept);
  for (size_t i = 0; i < s.failures.count; i++)
    omen_free (s.failures.data[i].how);
  OMEN_VEC_FINI (s.failures);
  OMEN_VEC_FINI (s.curve);
  omen_free (s.fds);
  omen_free (s.runners);
  omen_free (s.plans);
  return ok;
}
