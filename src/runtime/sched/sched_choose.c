/* The policies that choose the next thread.

   random  after a random number of points, any of the threads that can run.
           The mean differs from seed to seed (2 to 32 plain accesses), because
           some errors need many switches and some need few.
   pct     the thread of the highest priority, which is random; at D - 1 points
           the priority of the running thread drops below all others
           (Burckhardt et al., ASPLOS 2010). The length of the run is not known
           beforehand, so the points are spread evenly over its logarithm. A
           thread that runs alone for long, or yields, gives way: it may be
           waiting for the others in a loop.
   rr      in the order of the threads, a fixed number of points each.
   replay  as a plan says (replay.h); serial, after it, is pct without changes.
 */
#include "runtime/sched/replay.h"
#include "runtime/sched/sched_task.h"

enum {
  SYNC_WEIGHT = 8, /* a point at a lock counts as that many plain ones */
  RR_SHARE = 32,   /* points */
  PCT_SHARE = 1000,
  PCT_MOST_SHARES = 10, /* shares without a break: this may be a spin loop */
  PCT_REREADS = 100,    /* reads of the same one or two objects: surely one */
  EXPLORE_REREADS = 5,  /* the same for omen explore */
  PCT_LOG = 20          /* change points lie below 2^20 */
};

/* ---- numbers ---- */
static uint64_t
draw_random (void)
{
  uint64_t x = omen_scheduler.random += UINT64_C (0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

static uint64_t
draw_below (uint64_t limit)
{
  return draw_random () % limit;
}

/* ---- the text of --schedule ---- */
static bool
read_word (const char **at, const char *word)
{
  const char *from = *at;
  while (*word && *from == *word)
    from++, word++;
  if (*word)
    return false;
  *at = from;
  return true;
}

static bool
read_number (const char **at, uint64_t *number)
{
  if (**at < '0' || **at > '9')
    return false;
  for (*number = 0; **at >= '0' && **at <= '9'; ++*at)
    *number = *number * 10 + (uint64_t)(**at - '0');
  return true;
}

static bool
read_schedule (const char *at, omen_policy *policy, uint64_t *seed,
               uint64_t *depth)
{
  bool random = read_word (&at, "random:"), pct = false;
  if (random || (pct = read_word (&at, "pct:"))) {
    *policy = random ? OMEN_POLICY_RANDOM : OMEN_POLICY_PCT;
    return read_number (&at, seed)
           && (random || !read_word (&at, ",") || read_number (&at, depth))
           && !*at;
  }
  if (read_word (&at, "serial")) { /* pct without changes */
    *policy = OMEN_POLICY_PCT;
    *depth = 1;
    return !*at;
  }
  if (read_word (&at, "replay:")) {
    *policy = OMEN_POLICY_REPLAY;
    return omen_replay_start (at);
  }
  *policy = OMEN_POLICY_RR;
  return read_word (&at, "rr") && !*at;
}

/* In order, as they are met. */
static void
place_changes (uint64_t depth)
{
  uint64_t *changes = omen_scheduler.changes;
  for (unsigned n = 0; n + 1 < depth && n < OMEN_PCT_MAX; n++) {
    uint64_t octave = UINT64_C (1) << draw_below (PCT_LOG);
    uint64_t step = octave + draw_below (octave);
    unsigned i = n;
    for (; i && changes[i - 1] > step; i--)
      changes[i] = changes[i - 1];
    changes[i] = step;
    omen_scheduler.changes_count = n + 1;
  }
}

bool
omen_sched_policy (const char *schedule)
{
  uint64_t seed = 0, depth = 3;
  if (!read_schedule (schedule, &omen_scheduler.policy, &seed, &depth))
    return false;
  omen_scheduler.random = seed * UINT64_C (0x2545f4914f6cdd1d) + 1;
  omen_scheduler.grain = UINT64_C (4) << draw_below (5);
  place_changes (depth);
  omen_sched_renew ();
  return true;
}

/* ---- how long ---- */

/* A thread of higher priority may have become ready: decide at the next
   point. */
static void
hurry (void)
{
  if (omen_scheduler.policy != OMEN_POLICY_PCT || omen_scheduler.left <= 1)
    return;
  omen_scheduler.budget -= omen_scheduler.left - 1;
  omen_scheduler.left = 1;
}

static unsigned
most_rereads (void)
{
  return omen_rt_explore ? EXPLORE_REREADS : PCT_REREADS;
}

/* A thread that reads the same one or two places again and again, and does
   nothing else, waits for another thread. */
static void
detect_spin_loop (enum omen_item_kind kind, const volatile void *object)
{
  const volatile void **last = omen_scheduler.last_read;
  bool reads = (int)kind == OMEN_SITE_LOAD || kind == OMEN_ITEM_ATOMIC
               || kind == OMEN_ITEM_TRY_FAIL;
  if (!reads || (object != last[0] && object != last[1])) {
    last[1] = last[0];
    last[0] = reads ? object : NULL;
    omen_scheduler.rereads = 0;
  } else if (++omen_scheduler.rereads >= most_rereads ())
    hurry ();
}

int64_t
omen_sched_weight (enum omen_item_kind kind, const volatile void *object)
{
  if (omen_scheduler.policy == OMEN_POLICY_REPLAY)
    return omen_replay_due () ? omen_scheduler.left : 0;
  switch ((int)kind) {
  case OMEN_SITE_ENTER:
  case OMEN_SITE_EXIT:
  case OMEN_SITE_LANDED:
  case OMEN_SITE_CALLED:
  case OMEN_SITE_STACK_ALLOC:
  case OMEN_SITE_STACK_FREE:
    return 0; /* no other thread can observe these */
  }
  if (omen_scheduler.policy == OMEN_POLICY_PCT) {
    detect_spin_loop (kind, object);
    return 1;
  }
  return (int)kind < OMEN_ITEM_FIRST ? 1 : SYNC_WEIGHT;
}

static int64_t
pct_share (void)
{
  if (omen_scheduler.change == omen_scheduler.changes_count)
    return PCT_SHARE;
  uint64_t next = omen_scheduler.changes[omen_scheduler.change];
  uint64_t until
      = next > omen_scheduler.steps ? next - omen_scheduler.steps : 1;
  return until < PCT_SHARE ? (int64_t)until : PCT_SHARE;
}

void
omen_sched_renew (void)
{
  omen_scheduler.budget = omen_scheduler.policy == OMEN_POLICY_RR ? RR_SHARE
                          : omen_scheduler.policy == OMEN_POLICY_PCT
                              ? pct_share ()
                              : (int64_t)draw_below (omen_scheduler.grain) + 1;
  omen_scheduler.left = omen_scheduler.budget;
}

static void
drop_priority (omen_task *me)
{
  me->priority = --omen_scheduler.lowest;
  omen_scheduler.repeats = omen_scheduler.rereads = 0;
}

static void
pct_spent (omen_task *me)
{
  unsigned *change = &omen_scheduler.change;
  if (omen_scheduler.repeated != me)
    omen_scheduler.repeats = 0;
  omen_scheduler.repeated = me;
  if (*change < omen_scheduler.changes_count
      && omen_scheduler.changes[*change] <= omen_scheduler.steps) {
    ++*change;
    drop_priority (me);
  } else if (++omen_scheduler.repeats >= PCT_MOST_SHARES
             || omen_scheduler.rereads >= most_rereads ())
    drop_priority (me);
}

void
omen_sched_spent (omen_task *me)
{
  uint64_t used = (uint64_t)(omen_scheduler.budget - omen_scheduler.left);
  omen_scheduler.steps += used;
  omen_scheduler.work += used;
  omen_scheduler.clock += used ? used : 1;
  if (omen_scheduler.policy == OMEN_POLICY_PCT)
    pct_spent (me);
}

/* ---- which thread ---- */
void
omen_sched_welcome (omen_task *task)
{
  task->priority = (int64_t)(draw_random () >> 2);
  hurry ();
}

static bool
can_run (const omen_task *task)
{
  return task->state == OMEN_TASK_READY && !task->yielded;
}

static unsigned
count_ready (void)
{
  unsigned count = 0;
  for (omen_task *t = omen_scheduler.first; t; t = t->next)
    count += can_run (t);
  return count;
}

static omen_task *
choose_random (unsigned count)
{
  uint64_t skip = draw_below (count);
  omen_task *task = omen_scheduler.first;
  for (;; task = task->next)
    if (can_run (task) && !skip--)
      return task;
}

static omen_task *
choose_highest (void)
{
  omen_task *best = NULL;
  for (omen_task *t = omen_scheduler.first; t; t = t->next)
    if (can_run (t) && (!best || t->priority > best->priority))
      best = t;
  return best;
}

static omen_task *
choose_next (uint32_t after)
{
  omen_task *lowest = NULL;
  for (omen_task *t = omen_scheduler.first; t; t = t->next)
    if (can_run (t)) {
      if (t->id > after)
        return t;
      lowest = lowest ? lowest : t;
    }
  return lowest;
}

static void
forget_yields (const omen_task *but)
{
  for (omen_task *t = omen_scheduler.first; t; t = t->next)
    if (t != but)
      t->yielded = false;
}

/* While one thread after the other yields, those that have not yielded yet go
   first. */
static unsigned
candidates (omen_task *me)
{
  if (!me || !me->yielded)
    forget_yields (NULL);
  unsigned count = count_ready ();
  if (!count)
    forget_yields (me);
  count = count ? count : count_ready ();
  if (!count && me)
    me->yielded = false;
  return count ? count : count_ready ();
}

omen_task *
omen_sched_choose (omen_task *me)
{
  static uint32_t last;
  if (omen_scheduler.policy == OMEN_POLICY_REPLAY) {
    omen_sched_renew ();
    return omen_replay_choose ();
  }
  if (me && me->yielded && omen_scheduler.policy == OMEN_POLICY_PCT)
    drop_priority (me);
  unsigned count = candidates (me);
  omen_task *next
      = !count                                        ? NULL
        : omen_scheduler.policy == OMEN_POLICY_RANDOM ? choose_random (count)
        : omen_scheduler.policy == OMEN_POLICY_PCT    ? choose_highest ()
                                                      : choose_next (last);
  last = next ? next->id : last;
  omen_sched_renew ();
  return next;
}

/* In a library whose threads share work, which thread takes what depends on who
   comes first, so a random schedule lets threads keep the token there for a
   random number of calls, then give it away for as many. If one sleeps or
   computes there, the watcher takes the token, which costs time; after a number
   of times it is not kept any more. */
bool
omen_sched_keeps (void)
{
  enum { MOST_LOST = 16, MOST_CALLS = 8 };
  static uint64_t left;
  static bool keeps;
  if (omen_scheduler.policy != OMEN_POLICY_RANDOM
      || omen_scheduler.lost >= MOST_LOST)
    return false;
  if (!left) {
    keeps = !keeps;
    left = draw_below (MOST_CALLS) + 1;
  }
  left--;
  return keeps;
}

/* ---- which waiter ---- */
omen_task_wait *
omen_sched_wait_of (omen_task *task, const volatile void *object, uint32_t bits)
{
  for (unsigned i = 0; i < task->depth; i++)
    if (task->waits[i].object == object && task->waits[i].bits & bits
        && !(task->waits[i].deadline && omen_replay_expires (task)))
      return &task->waits[i];
  return NULL;
}

static bool
goes_first (omen_task *a, omen_task *b, const volatile void *object,
            uint32_t bits)
{
  return omen_scheduler.policy == OMEN_POLICY_PCT
             ? a->priority > b->priority
             : omen_sched_wait_of (a, object, bits)->arrival
                   < omen_sched_wait_of (b, object, bits)->arrival;
}

omen_task *
omen_sched_choose_waiter (const volatile void *object, uint32_t bits)
{
  omen_task *best = NULL;
  unsigned count = 0;
  if (omen_scheduler.policy == OMEN_POLICY_REPLAY
      && (best = omen_replay_waiter (object, bits)))
    return best;
  for (omen_task *t = omen_scheduler.first; t; t = t->next)
    if (omen_sched_wait_of (t, object, bits)) {
      count++;
      if (omen_scheduler.policy == OMEN_POLICY_RANDOM
              ? !draw_below (count) /* each with the same probability */
              : !best || goes_first (t, best, object, bits))
        best = t;
    }
  hurry ();
  return best;
}
