#include "driver/explore/shrink.h"
#include "driver/replay/plan.h"
#include "load/load.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* limits for one failure */
enum { TRIALS = 300, POLL_MS = 100 };
#define SHRINK_SECONDS 2.0

/* Consecutive events of one thread. */
typedef struct stretch {
  omen_eid first;
  uint32_t count;
} stretch;

typedef OMEN_VEC (stretch) stretches;

typedef struct trying {
  omen_shrink *shrink;
  omen_trace *best; /* NULL: the given one */
  const omen_trace *trace;
  uint64_t sort;
  omen_deadline end;
  unsigned left;
} trying;

/* ---- failures ---- */

static uint64_t
text_hash (uint64_t hash, const char *text)
{
  for (; text && *text; text++)
    hash = (hash ^ (uint8_t)*text) * 1099511628211u;
  return hash;
}

uint64_t
omen_failure_sort (const omen_trace *trace, int status,
                   const omen_ending *ending)
{
  uint64_t sort = text_hash ((uint64_t)status + 1, ending->how), stuck = 0;
  sort = text_hash (sort, ending->violated);
  for (omen_tid t = 0; t < trace->threads.count; t++) {
    uint32_t count = trace->threads.data[t].count;
    if (!count)
      continue;
    omen_eid last = omen_trace_nth (trace, t, count - 1);
    bool is_stuck = omen_trace_event (trace, last)->mode & OMEN_MODE_STUCK;
    if (is_stuck || t == trace->death.thread) /* in any order of threads */
      stuck += text_hash (7, omen_trace_location (trace, last));
  }
  return sort ^ stuck;
}

/* Number of events up to the failure. */
static size_t
failed_at (const omen_trace *trace)
{
  omen_tid dead = trace->death.thread;
  if (dead == OMEN_NONE || !trace->threads.data[dead].count)
    return trace->events.count;
  return omen_trace_nth (trace, dead, trace->threads.data[dead].count - 1) + 1;
}

size_t
omen_failure_switches (const omen_trace *trace)
{
  size_t switches = 0;
  for (size_t i = 1; i < failed_at (trace); i++)
    switches
        += trace->events.data[i].thread != trace->events.data[i - 1].thread;
  return switches;
}

static void
find_stretches (const omen_trace *trace, stretches *all)
{
  OMEN_VEC_CLEAR (*all);
  for (omen_eid e = 0; e < failed_at (trace); e++)
    if (all->count
        && trace->events.data[e - 1].thread == trace->events.data[e].thread)
      OMEN_VEC_LAST (*all).count++;
    else
      OMEN_VEC_PUSH (*all, ((stretch){ e, 1 }));
}

/* ---- one run ---- */

static char *
plan_of (const omen_trace *trace, const stretches *all, size_t count,
         size_t *length)
{
  omen_ids events = { 0 };
  omen_err err = { 0 };
  char *text = NULL;
  FILE *out = open_memstream (&text, length);
  OMEN_REQUIRE (out);
  for (size_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < all->data[i].count; j++)
      OMEN_VEC_PUSH (events, all->data[i].first + j);
  bool ok = omen_plan_write_beginning (trace, &events, OMEN_NONE, 0, false,
                                       "explore", out, &err);
  fclose (out);
  OMEN_VEC_FINI (events);
  if (ok)
    return text;
  free (text);
  return NULL;
}

static bool
run_plan_again (const omen_shrink *s, const char *plan, size_t length)
{
  omen_runner *r = s->runner;
  omen_err err = { 0 };
  if (!omen_runner_begin (r, plan, length, &err))
    return false;
  for (;;) {
    struct pollfd fd = { r->socket, POLLIN, 0 };
    if (*s->stop)
      omen_runner_kill (r);
    omen_runner_limit (r);
    if (poll (&fd, 1, POLL_MS) > 0 && omen_runner_ended (r))
      return !r->gone && !r->timed_out && !*s->stop;
  }
}

/* Make the run the best one, and keep its recording. */
static void
keep (trying *t, omen_trace *trace, omen_ending *ending, size_t switches)
{
  omen_shrink *s = t->shrink;
  if (rename (s->runner->trace, s->path)) {
    omen_trace_free (trace);
    return;
  }
  omen_ending_fini (&s->ending);
  s->ending = *ending;
  *ending = (omen_ending){ 0 }; /* now owned by the shrink */
  s->status = s->runner->status;
  s->switches = switches;
  omen_trace_free (t->best);
  t->best = trace;
  t->trace = trace;
}

/* Run a plan of the first `count` stretches, after which the threads
   continue one at a time. True: it fails in the same way with fewer switches.
 */
static bool
try_plan (trying *t, const stretches *all, size_t count)
{
  const omen_load_options options
      = { .rebuild.all = true,
          .without_names = !t->shrink->failing->specs->predict.count };
  omen_shrink *s = t->shrink;
  omen_err err = { 0 };
  omen_ending ending = { 0 };
  size_t length;
  if (!t->left || omen_is_past (&t->end))
    return false;
  t->left--;
  char *plan = plan_of (t->trace, all, count, &length);
  omen_trace *trace = plan && run_plan_again (s, plan, length)
                          ? omen_load (s->runner->trace, &options, &err)
                          : NULL;
  free (plan);
  if (!trace)
    return false;
  omen_failing_look (s->failing, s->runner, &ending);
  omen_failing_look_inside (s->failing, trace, &ending);
  size_t switches = omen_failure_switches (trace);
  bool better
      = switches < s->switches
        && omen_failure_sort (trace, s->runner->status, &ending) == t->sort;
  if (better)
    keep (t, trace, &ending, switches);
  else
    omen_trace_free (trace);
  omen_ending_fini (&ending);
  return better;
}

/* ---- many runs ---- */

/* Force only prefixes of the run, from short to long. */
static void
try_beginnings (trying *t, stretches *all)
{
  bool better = true;
  while (better) {
    better = false;
    find_stretches (t->trace, all);
    for (size_t i = 0; i + 1 < all->count && !better; i++)
      better = try_plan (t, all, i);
  }
}

static void
move_stretch (stretches *all, size_t from, size_t to)
{
  stretch its = all->data[from];
  for (; from > to; from--)
    all->data[from] = all->data[from - 1];
  for (; from < to; from++)
    all->data[from] = all->data[from + 1];
  all->data[to] = its;
}

/* Index of the previous stretch of the thread of the i-th; all->count if none.
 */
static size_t
stretch_before (const trying *t, const stretches *all, size_t i)
{
  const omen_event *events = t->trace->events.data;
  for (size_t j = i; j-- > 0;)
    if (events[all->data[j].first].thread == events[all->data[i].first].thread)
      return j;
  return all->count;
}

/* Try to remove a switch: move a stretch to the previous one of its thread, or
   that one to this. */
static bool
try_moves (trying *t, stretches *all)
{
  find_stretches (t->trace, all);
  for (size_t i = 1; i < all->count; i++) {
    size_t before = stretch_before (t, all, i);
    if (before + 1 >= i)
      continue;
    move_stretch (all, i, before + 1);
    if (try_plan (t, all, all->count))
      return true;
    move_stretch (all, before + 1, i);
    move_stretch (all, before, i - 1);
    if (try_plan (t, all, all->count))
      return true;
    move_stretch (all, i - 1, before);
  }
  return false;
}

bool
omen_shrink_run (omen_shrink *s, const omen_trace *trace, int status,
                 const omen_ending *ending)
{
  trying t = { .shrink = s,
               .trace = trace,
               .sort = omen_failure_sort (trace, status, ending),
               .end = omen_deadline_in (SHRINK_SECONDS, s->stop),
               .left = TRIALS };
  stretches all = { 0 };
  omen_scratch_file (&s->runner->scratch, "best.omen", s->path, sizeof s->path);
  s->switches = omen_failure_switches (trace);
  try_beginnings (&t, &all);
  while (try_moves (&t, &all))
    continue;
  OMEN_VEC_FINI (all);
  s->better = t.best;
  omen_trace_free (t.best);
  return s->better;
}
