/* The token: which thread holds it, and how it is passed on. */
#include "runtime/sched/sched_task.h"
#include "runtime/core/bytes.h"
#include "runtime/core/core.h"
#include "runtime/core/proc.h"

#include <linux/futex.h>
#include <signal.h>
#include <time.h>

enum { BLOCK = 1024, BLOCKS = 4096 };
#define MOST_BEGIN_NS UINT64_C (10000000000)

bool omen_rt_scheduled;
omen_sched omen_scheduler;
OMEN_TLS omen_task *omen_sched_mine;

static omen_task *blocks[BLOCKS];
static omen_mask before_fork;

/* ---- small things ---- */
static void
futex_wait (uint32_t *word, uint32_t value, uint64_t ns)
{
  struct timespec time = { .tv_sec = (time_t)(ns / 1000000000),
                           .tv_nsec = (long)(ns % 1000000000) };
  omen_call (SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value,
             ns ? (long)&time : 0, 0, 0);
}

static void
futex_wake (uint32_t *word, int count)
{
  omen_call (SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, count, 0, 0, 0);
}

static void
set_mask (const omen_mask *set, omen_mask *old)
{
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)set, (long)old, sizeof *set,
             0, 0);
}

/* 0: free, 1: taken, 2: taken and contended. */
void
omen_sched_lock (omen_mask *old)
{
  const omen_mask all = ~UINT64_C (0);
  uint32_t *guard = &omen_scheduler.guard, free = 0;
  set_mask (&all, old);
  if (__atomic_compare_exchange_n (guard, &free, 1, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n (guard, 2, __ATOMIC_ACQUIRE))
    futex_wait (guard, 2, 0);
}

void
omen_sched_unlock (const omen_mask *old)
{
  if (__atomic_exchange_n (&omen_scheduler.guard, 0, __ATOMIC_RELEASE) == 2)
    futex_wake (&omen_scheduler.guard, 1);
  set_mask (old, NULL);
}

void
omen_sched_kick (omen_task *task)
{
  __atomic_fetch_add (&task->go, 1, __ATOMIC_RELEASE);
  futex_wake (&task->go, 1);
}

static omen_task *
holder (void)
{
  return __atomic_load_n (&omen_scheduler.running, __ATOMIC_ACQUIRE);
}

static void
set_holder (omen_task *task)
{
  __atomic_store_n (&omen_scheduler.running, task, __ATOMIC_RELEASE);
}

/* ---- tasks ---- */
omen_task *
omen_sched_task (uint32_t id)
{
  omen_task *block = id / BLOCK < BLOCKS ? blocks[id / BLOCK] : NULL;
  return block && block[id % BLOCK].id == id + 1 ? &block[id % BLOCK] : NULL;
}

static omen_task *
make_task (uint32_t id)
{
  if (id / BLOCK >= BLOCKS)
    return NULL;
  if (!blocks[id / BLOCK]) {
    blocks[id / BLOCK] = omen_pages (BLOCK * sizeof (omen_task));
    if (!blocks[id / BLOCK])
      return NULL;
  }
  omen_task *task = &blocks[id / BLOCK][id % BLOCK];
  omen_bytes_zero (task, sizeof *task);
  task->id = id + 1; /* 0 is an empty place */
  return task;
}

static void
link_task (omen_task *task)
{
  omen_task *before = omen_scheduler.last;
  while (before && before->id > task->id)
    before = before->before;
  omen_task *next = before ? before->next : omen_scheduler.first;
  task->before = before;
  task->next = next;
  *(before ? &before->next : &omen_scheduler.first) = task;
  *(next ? &next->before : &omen_scheduler.last) = task;
  omen_scheduler.live++;
}

static void
unlink_task (omen_task *task)
{
  omen_task *before = task->before, *next = task->next;
  *(before ? &before->next : &omen_scheduler.first) = next;
  *(next ? &next->before : &omen_scheduler.last) = before;
  omen_scheduler.live--;
}

void
omen_sched_abandon (void)
{
  omen_rt_scheduled = false;
  omen_sched_time (); /* clocks go on */
  for (omen_task *t = omen_scheduler.first; t; t = t->next)
    omen_sched_kick (t);
}

/* The guard is held. NULL: no memory; then scheduling ends. */
static omen_task *
add_task (uint32_t id, omen_task_state state)
{
  omen_task *task = make_task (id);
  if (!task) {
    omen_sched_abandon ();
    return NULL;
  }
  task->state = state;
  link_task (task);
  omen_sched_welcome (task);
  return task;
}

/* ---- the token ---- */
static omen_task *
any_parked (void)
{
  omen_task *task = omen_scheduler.first;
  while (task && (!task->parked || task == holder ()))
    task = task->next;
  return task;
}

void
omen_sched_grant (omen_task *next, omen_task *giver)
{
  omen_sched_come (&omen_scheduler.idle);
  set_holder (next);
  next->yielded = false;
  omen_scheduler.switches++;
  if (omen_scheduler.firing && omen_scheduler.firing != next)
    omen_sched_kick (omen_scheduler.firing);
  omen_scheduler.firing = NULL;
  if (omen_scheduler.watcher == next) {
    omen_task *other = giver && giver != next ? giver : any_parked ();
    omen_scheduler.watcher = other;
    if (other && other != giver)
      omen_sched_kick (other);
  }
  if (next != giver)
    omen_sched_kick (next);
  else /* a handler may end just before the thread sleeps: make it look again */
    __atomic_fetch_add (&next->go, 1, __ATOMIC_RELEASE);
}

void
omen_sched_pass (omen_task *giver)
{
  omen_sched_expire ();
  omen_task *next = omen_sched_choose (giver);
  if (!next && omen_rt_explore)
    next = omen_sched_hasten ();
  if (next)
    omen_sched_grant (next, giver);
  else {
    set_holder (NULL);
    omen_sched_idle ();
  }
}

/* How long to sleep at most; 0: until woken. */
static uint64_t
longest_sleep (const omen_task *me)
{
  if (__atomic_load_n (&omen_scheduler.firing, __ATOMIC_ACQUIRE) == me) {
    uint64_t now = omen_sched_now (), at = omen_scheduler.firing_at;
    return at > now ? at - now : 1;
  }
  return __atomic_load_n (&omen_scheduler.watcher, __ATOMIC_ACQUIRE) != me ? 0
         : holder () ? OMEN_WATCH_NS
                     : 20 * OMEN_WATCH_NS;
}

void
omen_sched_park (omen_task *me, const omen_mask *old)
{
  me->parked = true;
  if (!omen_scheduler.watcher && holder () != me)
    omen_scheduler.watcher = me;
  omen_sched_unlock (old);
  for (;;) {
    uint32_t seen = __atomic_load_n (&me->go, __ATOMIC_ACQUIRE);
    if (holder () == me || !omen_rt_scheduled)
      break;
    futex_wait (&me->go, seen, longest_sleep (me));
    if (holder () == me || omen_sched_fire (me))
      break;
    if (__atomic_load_n (&omen_scheduler.watcher, __ATOMIC_ACQUIRE) == me)
      omen_sched_watch (me);
  }
  me->parked = false;
}

/* Returns from the kernel, from a long computation, or enters a handler while
   parked. */
static void
come_back (omen_task *me)
{
  omen_mask old;
  omen_sched_lock (&old);
  me->state = OMEN_TASK_READY;
  me->library = me->spins = false;
  if (!holder () && omen_rt_replay)
    omen_sched_pass (me);
  else if (!holder ())
    omen_sched_grant (me, me);
  omen_sched_park (me, &old);
}

omen_task *
omen_sched_enter (void)
{
  omen_task *me = omen_sched_mine;
  if (!omen_rt_scheduled || !me)
    return NULL;
  if (holder () != me)
    come_back (me);
  return me;
}

omen_task *
omen_sched_enter_locked (omen_mask *old, bool *late)
{
  omen_task *me = omen_sched_mine;
  *late = me && holder () != me;
  while ((me = omen_sched_enter ())) {
    omen_sched_lock (old);
    if (holder () == me)
      break;
    *late = true;
    omen_sched_unlock (old);
  }
  return me;
}

static void
decide_and_park (void)
{
  omen_mask old;
  bool late;
  omen_task *me = omen_sched_enter_locked (&old, &late);
  if (!me)
    return;
  omen_sched_spent (me);
  omen_sched_pass (me);
  omen_sched_park (me, &old);
}

void
omen_sched_point (enum omen_item_kind kind, const volatile void *object)
{
  omen_task *me = omen_sched_enter ();
  if (!me || (omen_scheduler.left -= omen_sched_weight (kind, object)) > 0)
    return;
  if (omen_scheduler.live > 1 || omen_rt_replay)
    decide_and_park ();
  else {
    omen_sched_spent (me);
    omen_sched_renew ();
  }
}

/* ---- the kernel ---- */
void
omen_sched_leave (void)
{
  omen_task *me = omen_sched_enter ();
  if (!me)
    return;
  if (!me->leaving)
    omen_sched_go (&me->absence);
  __atomic_store_n (&me->leaving, me->leaving + 1, __ATOMIC_RELEASE);
}

void
omen_sched_away (void)
{
  omen_mask old;
  bool late;
  omen_sched_leave ();
  omen_task *me = omen_sched_enter_locked (&old, &late);
  if (!me)
    return;
  omen_sched_spent (me);
  me->library = true;
  if (!omen_sched_keeps ()) {
    me->state = OMEN_TASK_AWAY;
    omen_sched_pass (NULL);
  }
  omen_sched_unlock (&old);
}

void
omen_sched_inside (bool inside)
{
  omen_task *me = omen_sched_mine;
  if (me)
    __atomic_store_n (&me->inside, inside, __ATOMIC_RELAXED);
}

/* Has every other thread that is in a library come to rest there? If not in
   time, it is not asked again until it has come out. */
static bool
others_rest (omen_task *me, bool late)
{
  omen_mask old;
  bool rest = true;
  omen_sched_lock (&old);
  me->library = false; /* they need not wait for this one, and may choose it */
  me->state = OMEN_TASK_READY;
  for (omen_task *t = omen_scheduler.first; t; t = t->next)
    if (t->library && !t->spins && omen_proc_state (t->tid) == 'R') {
      t->spins = late;
      rest = false;
    }
  omen_sched_unlock (&old);
  return rest;
}

/* The thread leaves such a library. It waits until the threads that it has
   woken there have come to rest: otherwise which of them can run next would
   depend on time. */
static void
wait_for_rest (omen_task *me)
{
  enum { ATTEMPTS = 40 };
  const struct timespec pause = { .tv_nsec = 50000 };
  for (unsigned i = 0; i <= ATTEMPTS && !others_rest (me, i == ATTEMPTS); i++)
    omen_call (SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
}

void
omen_sched_return (void)
{
  omen_task *me = omen_sched_mine;
  if (!me)
    return;
  if (me->library && omen_rt_scheduled && !omen_rt_replay)
    wait_for_rest (me);
  if (me->leaving) {
    __atomic_store_n (&me->leaving, me->leaving - 1, __ATOMIC_RELEASE);
    if (!me->leaving)
      omen_sched_come (&me->absence);
  }
  omen_sched_enter ();
  omen_replay_after ();
}

/* ---- threads ---- */
bool
omen_sched_start (const char *schedule)
{
  omen_rt_scheduled = omen_sched_policy (schedule);
  return omen_rt_scheduled;
}

void
omen_sched_thread_new (uint32_t id)
{
  omen_mask old;
  bool late;
  if (!omen_sched_enter_locked (&old, &late))
    return;
  omen_task *task = add_task (id, OMEN_TASK_READY);
  if (task)
    task->handling = 1; /* begins with signals blocked */
  omen_sched_unlock (&old);
}

static void
set_begins (bool begins)
{
  __atomic_store_n (&omen_scheduler.begins, begins, __ATOMIC_RELAXED);
}

/* The creator may ask about the child as soon as this returns. So it keeps the
   token and waits until the child has begun, however long that takes. */
void
omen_sched_thread_made (uint32_t id)
{
  omen_task *task = omen_sched_enter () ? omen_sched_task (id) : NULL;
  const uint64_t before = omen_sched_now ();
  set_begins (task);
  while (task && omen_rt_scheduled) {
    uint32_t seen = __atomic_load_n (&task->begun, __ATOMIC_ACQUIRE);
    if (seen)
      break;
    futex_wait (&task->begun, seen, 1000000000);
    if (omen_sched_now () - before > MOST_BEGIN_NS)
      omen_sched_abandon ();
  }
  set_begins (false);
}

void
omen_sched_thread_begin (uint32_t id)
{
  omen_mask old;
  if (!omen_rt_scheduled)
    return;
  omen_sched_lock (&old);
  omen_task *me = omen_sched_task (id);
  if (!me) /* no thread of ours created it */
    me = add_task (id, OMEN_TASK_AWAY);
  omen_sched_unlock (&old);
  if (!me)
    return;
  me->tid = (uint32_t)omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0);
  omen_sched_mine = me;
  bool away = omen_rt_disabled & OMEN_DISABLED_AWAY;
  if (away) { /* it does nothing yet that is in a plan */
    omen_sched_lock (&old);
    me->state = OMEN_TASK_AWAY;
    me->library = true;
    omen_sched_unlock (&old);
  }
  __atomic_store_n (&me->begun, 1, __ATOMIC_RELEASE);
  futex_wake (&me->begun, 1);
  if (!away)
    omen_sched_enter ();
}

void
omen_sched_thread_end (uint32_t id)
{
  omen_task *me, *task = omen_sched_task (id);
  omen_mask old;
  bool late;
  if (!task || task->state == OMEN_TASK_GONE)
    return;
  omen_sched_wake (task, true);
  if (!(me = omen_sched_enter_locked (&old, &late)))
    return;
  while (task->depth)
    omen_sched_end_wait (task, &task->waits[--task->depth]);
  task->state = OMEN_TASK_GONE;
  unlink_task (task);
  if (task == me) {
    omen_sched_mine = NULL;
    omen_sched_pass (NULL);
  }
  omen_sched_unlock (&old);
}

void
omen_sched_fork_begin (void)
{
  bool late;
  omen_sched_enter_locked (&before_fork, &late);
}

void
omen_sched_fork_end (bool child)
{
  omen_task *me = omen_sched_mine, *next;
  if (!omen_rt_scheduled || !me)
    return;
  for (omen_task *t = omen_scheduler.first; child && t; t = next) {
    next = t->next;
    if (t != me) {
      t->state = OMEN_TASK_GONE;
      unlink_task (t);
    }
  }
  if (child) {
    me->tid = (uint32_t)omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0);
    omen_scheduler.watcher = omen_scheduler.firing = NULL;
    omen_scheduler.waiting = omen_scheduler.timed = me->depth = 0;
    omen_scheduler.guard = 1;
    if (omen_rt_replay) /* the plan is the parent's */
      omen_rt_scheduled = omen_rt_replay = false;
    omen_sched_time (); /* its clocks go on */
  }
  omen_sched_unlock (&before_fork);
}
