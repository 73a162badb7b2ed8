#include "runtime/sched/replay.h"
#include "runtime/core/bytes.h"
#include "runtime/core/core.h"
#include "runtime/core/proc.h"
#include "runtime/core/stuck.h"
#include "runtime/sched/replay_plan.h"
#include "runtime/sched/replay_signal.h"
#include "wire/format.h"

bool omen_rt_replay, omen_rt_explore, omen_rt_keeps;

#define STALL_NS UINT64_C (10000000000)
#define SPIN_NS UINT64_C (100000000)

static const omen_forced_plan *const plan = &omen_replay_plan;
static struct {
  size_t next;     /* turn */
  omen_task *task; /* the thread of the next turn, once it exists */
  bool due;        /* that turn is over */
} at;

bool
omen_replay_start (const char *path)
{
  omen_rt_replay = omen_plan_read (path);
  omen_rt_explore = omen_rt_replay && plan->end == OMEN_END_EXPLORE;
  omen_rt_keeps = omen_rt_replay && plan->keeps;
  return omen_rt_replay;
}

/* ---- whose turn ---- */

bool
omen_replay_is_named (const omen_task *task, const char *path, size_t size)
{
  const uint8_t *entry = omen_table_at (
      OMEN_TABLE_THREAD, (task->id - 1) * sizeof (omen_file_thread));
  omen_file_thread thread;
  size_t length;
  omen_bytes_copy (&thread, entry, sizeof thread);
  if (thread.path == OMEN_NONE)
    return false;
  const char *its = omen_string_text (thread.path, &length);
  return length == size && omen_bytes_equal (its, path, length);
}

static omen_task *
find_task (const omen_turn *turn)
{
  omen_task *task = omen_scheduler.first;
  while (task && !omen_replay_is_named (task, turn->path, turn->length))
    task = task->next;
  return task;
}

static bool
turn_is_over (const omen_turn *turn, const omen_task *task)
{
  if (!task)
    return turn->until == OMEN_TURN_ENDED;
  return turn->until == OMEN_TURN_BLOCKED
             ? task->state == OMEN_TASK_WAITING
             : __atomic_load_n (&task->items, __ATOMIC_RELAXED) >= turn->until;
}

bool
omen_replay_due (void)
{
  return at.due || at.next == plan->count;
}

/* ---- the end ---- */

/* A debugger that knows the name stops here, with all threads in place. */
__attribute__ ((noinline, visibility ("default"))) void
omen_replay_reached (void)
{
  __asm__ volatile ("");
}

static omen_task *
finish_plan (void)
{
  omen_log_flush_all ();
  omen_rt_replay = false;
  if (plan->end != OMEN_END_EXIT)
    omen_replay_resend ();
  switch (plan->end) {
  case OMEN_END_EXIT:
    omen_stuck_record ();
    omen_file_finish ();
    omen_call (SYS_exit_group, 0, 0, 0, 0, 0, 0);
    break;
  case OMEN_END_SERIAL:
  case OMEN_END_EXPLORE:
    omen_sched_policy ("serial");
    return omen_sched_choose (NULL);
  case OMEN_END_STOP:
    omen_replay_reached ();
    break;
  case OMEN_END_FREE:
    break;
  }
  omen_sched_abandon ();
  return omen_scheduler.running;
}

/* The thread that the task waits to join, if any: what that thread does before
   it ends blocks no other thread and is in no plan. */
static omen_task *
joined_by (const omen_task *task)
{
  const volatile void *object
      = task->depth ? task->waits[task->depth - 1].object : NULL;
  for (omen_task *t = omen_scheduler.first; object && t; t = t->next)
    if (t == object)
      return t;
  return NULL;
}

bool
omen_replay_expires (omen_task *task)
{
  size_t *i = &task->expiry;
  if (!omen_rt_replay)
    return false;
  for (; *i < plan->expiry_count; ++*i) {
    const omen_expiry *expiry = &plan->expiries[*i];
    if (expiry->item >= task->items
        && omen_replay_is_named (task, expiry->path, expiry->length))
      return expiry->item == task->items;
  }
  return false;
}

/* A timed wait may expire when its thread has its turn. */
static bool
make_ready (omen_task *task)
{
  omen_task_wait *wait = task->depth ? &task->waits[task->depth - 1] : NULL;
  if (task->state == OMEN_TASK_WAITING && wait && wait->deadline)
    omen_sched_run_out (task, wait);
  return task->state == OMEN_TASK_READY;
}

/* The thread whose turn it is, or one that it depends on. *away: a thread that
   has to return from the kernel first. */
static omen_task *
who_can_run (omen_task *task, bool *away)
{
  while (task && !make_ready (task)) {
    *away = task->state == OMEN_TASK_AWAY;
    task = *away ? NULL : joined_by (task);
  }
  return task;
}

omen_task *
omen_replay_choose (void)
{
  for (; at.next < plan->count; at.next++) {
    const omen_turn *turn = &plan->turns[at.next];
    bool away = false;
    at.due = false;
    at.task = find_task (turn);
    if (turn_is_over (turn, at.task))
      continue;
    if (at.task && omen_replay_interrupts (at.task)) {
      omen_replay_interrupt (at.task);
      if (!at.task->handling)
        return NULL; /* until the handler begins */
    } /* signals are blocked: it has to go on first */
    omen_task *task = who_can_run (at.task, &away);
    if (task || away)
      return task;
    break; /* it cannot go on: this is another run than the plan's */
  }
  return finish_plan ();
}

/* Is it in a library, with what it does unseen? */
static bool
is_unseen (const omen_task *task)
{
  return task->library
         || (task->state == OMEN_TASK_AWAY
             && __atomic_load_n (&task->inside, __ATOMIC_RELAXED));
}

/* Does the thread whose turn it is wait in a library, asleep or not, until one
   does something that has no turn? `cpu`: what it has computed so far. */
static bool
waits_in_library (uint64_t cpu)
{
  const omen_task *task = at.task;
  bool waits = task && is_unseen (task) && !omen_scheduler.running;
  for (omen_task *t = omen_scheduler.first; waits && t; t = t->next)
    waits = is_unseen (t)
                ? (t == task && cpu > SPIN_NS) || omen_proc_sleeps_on (t->tid)
                : t->parked || t->state == OMEN_TASK_WAITING;
  return waits;
}

/* Nothing that the plan waits for has happened for a long time. */
void
omen_replay_look (void)
{
  static const omen_task *task;
  static uint64_t items, since, before;
  static bool waits;
  uint64_t now = omen_sched_now ();
  uint64_t cpu = at.task && at.task->tid ? omen_sched_cpu (at.task->tid) : 0;
  bool waited = waits;
  waits = waits_in_library (cpu - before);
  if (task != at.task || !task || items != task->items) {
    since = now;
    before = cpu;
    task = at.task;
    items = task ? task->items : 0;
  } else if (now - since > STALL_NS || (waits && waited)
             || (plan->spin_limit
                 && cpu > before + plan->spin_limit * UINT64_C (1000000))) {
    omen_task *next = finish_plan ();
    if (next && omen_rt_scheduled && !omen_scheduler.running)
      omen_sched_grant (next, NULL);
  }
}

omen_task *
omen_replay_waiter (const volatile void *object, uint32_t bits)
{
  for (size_t i = at.next; i < plan->count; i++) {
    omen_task *task = find_task (&plan->turns[i]);
    if (task && omen_sched_wait_of (task, object, bits))
      return task;
  }
  return NULL;
}

/* ---- items ---- */

void
omen_replay_item (unsigned kind, uint64_t arg)
{
  bool away = omen_rt_disabled & OMEN_DISABLED_AWAY;
  omen_task *me = !omen_item_counts (kind, arg) ? NULL
                  : away                        ? omen_sched_mine
                                                : omen_sched_enter ();
  if (!me)
    return;
  __atomic_store_n (&me->items, me->items + 1, __ATOMIC_RELAXED);
  if (away || me != at.task
      || (!turn_is_over (&plan->turns[at.next], me)
          && !omen_replay_interrupts (me)))
    return;
  at.due = true;
  if (!omen_rt_busy && !omen_item_comes_first (kind))
    omen_sched_point (OMEN_ITEM_PART, NULL);
}
