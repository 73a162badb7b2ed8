#include "driver/check/state.h"
#include "driver/recorded.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *
omen_check_trace (const omen_check *c, unsigned number)
{
  size_t room = strlen (c->request->folder) + 40;
  char *path = omen_alloc (room);
  if (number)
    snprintf (path, room, "%s/run-%u.omen", c->request->folder, number + 1);
  else
    snprintf (path, room, "%s/run.omen", c->request->folder);
  return path;
}

void
omen_check_rewind (const omen_check *c)
{
  if (c->input >= 0)
    lseek (STDIN_FILENO, c->input, SEEK_SET);
}

bool
omen_check_input_is_pipe (void)
{
  struct stat info;
  return !fstat (STDIN_FILENO, &info)
         && (S_ISFIFO (info.st_mode) || S_ISSOCK (info.st_mode));
}

/* Time limits of replays are relative to the run, with these minimums. */
enum { CONFIRM_LEAST_MS = 20000, SPIN_LEAST_MS = 1000, CONFIRM_TIMES = 3 };

/* Record one run: the first one unchanged, further ones silently, under a
   random schedule and for at most `limit_ms` (0: no limit). */
static bool
record_check_run (omen_check *c, omen_recording *recording, unsigned number,
                  uint64_t limit_ms, int *code)
{
  omen_record_request request = c->request->record;
  char *path = omen_check_trace (c, number), schedule[32];
  double before;
  bool ok;
  request.output = path;
  recording->silent = number;
  if (number) {
    snprintf (schedule, sizeof schedule, "random:%u", number);
    request.schedule = schedule;
  }
  if (limit_ms && (!request.limit_ms || limit_ms < request.limit_ms))
    request.limit_ms = limit_ms;
  omen_progress_phase (&c->progress, "recording %s%s%s", request.program[0],
                       number ? " under " : "", number ? schedule : "");
  before = omen_progress_elapsed (&c->progress);
  omen_check_rewind (c);
  ok = omen_recording_run (recording, &request, code);
  double took = omen_progress_elapsed (&c->progress) - before;
  uint64_t ms = CONFIRM_TIMES * (uint64_t)(took * 1000);
  if (c->confirm_ms < CONFIRM_LEAST_MS + ms)
    c->confirm_ms = CONFIRM_LEAST_MS + ms;
  if (c->spin_limit_ms < SPIN_LEAST_MS + ms)
    c->spin_limit_ms = SPIN_LEAST_MS + ms;
  if (!number)
    c->took = took;
  c->status = recording->run.ended_by_us ? 0 : recording->run.status;
  c->made = number + 1;
  omen_free (path);
  return ok;
}

/* Further runs unless --runs is given: all together may take three times as
   long as the first run, but at least 5 s and at most 10 s; and no more are
   made when analysing them has taken half a minute. */
enum { RUNS = 4, FURTHER_TIMES = 3, FURTHER_LEAST = 5, FURTHER_MOST = 10 };
enum { FURTHER_ANALYSIS = 30 };

static unsigned
runs_wanted (const omen_check *c)
{
  if (c->request->runs)
    return c->request->runs;
  return c->request->no_confirm || omen_check_input_is_pipe () ? 1 : RUNS;
}

static double
time_for_further (const omen_check *c)
{
  double seconds = FURTHER_TIMES * c->took;
  return seconds < FURTHER_LEAST  ? FURTHER_LEAST
         : seconds > FURTHER_MOST ? FURTHER_MOST
                                  : seconds;
}

bool
omen_check_further (omen_check *c, omen_recording *recording, int *code)
{
  unsigned runs = runs_wanted (c);
  double left = c->request->runs ? 0 : time_for_further (c), analysing = 0;
  bool limited = left > 0;
  for (unsigned i = 1; i < runs && !*c->stop; i++) {
    double before = omen_now ();
    if (limited && (left < 0.01 || analysing > FURTHER_ANALYSIS)) {
      c->left_out = runs - i;
      break;
    }
    if (!record_check_run (c, recording, i, (uint64_t)(left * 1000), code))
      return false;
    left -= limited ? omen_now () - before : 0;
    c->cut += limited && recording->run.ended_by_us && left < 0.01;
    before = omen_now ();
    if (!*c->stop && !omen_check_look (c, i, code))
      return false;
    analysing += omen_now () - before;
  }
  return true;
}

/* Did the program end normally, although its recording has no end? Then there
   was no disk space left. */
static bool
was_cut (const omen_check *c, const omen_run *run)
{
  char *path = omen_check_trace (c, 0);
  bool cut = WIFEXITED (run->status) && !run->ended_by_us
             && omen_recorded_is_cut (path);
  omen_free (path);
  return cut;
}

/* Analysing recordings of replays may take as long as for the first run, but
   not more than a few seconds. */
enum { AGAIN_MOST = 10 };

bool
omen_check_first (omen_check *c, omen_recording *recording, int *code)
{
  if (!record_check_run (c, recording, 0, 0, code))
    return false;
  c->not_whole = was_cut (c, &recording->run);
  double before = omen_now ();
  bool ok = *c->stop || omen_check_look (c, 0, code);
  double took = omen_now () - before;
  c->again_left = took > AGAIN_MOST ? 0 : took < 2 ? 2 : took;
  return ok;
}
