#include "runtime/sched/replay_signal.h"
#include "runtime/core/call.h"
#include "runtime/sched/replay.h"
#include "runtime/sched/replay_plan.h"

enum { SIGNALS = 65 };
static uint32_t swallowed[SIGNALS];

/* The task's next signal that was not sent yet; NULL: none. */
static omen_signal_turn *
next_of (omen_task *task)
{
  const omen_forced_plan *plan = &omen_replay_plan;
  size_t *i = &task->interrupt;
  while (*i < plan->signal_count
         && (plan->signals[*i].sent
             || !omen_replay_is_named (task, plan->signals[*i].path,
                                       plan->signals[*i].length)))
    ++*i;
  return *i < plan->signal_count ? &plan->signals[*i] : NULL;
}

bool
omen_replay_interrupts (omen_task *task)
{
  if (OMEN_LIKELY (!omen_replay_plan.signal_count) || !task->tid)
    return false;
  const omen_signal_turn *next = next_of (task);
  return next && next->item == task->items;
}

void
omen_replay_interrupt (omen_task *task)
{
  omen_signal_turn *next = next_of (task);
  next->sent = true;
  if (next->number < SIGNALS && swallowed[next->number])
    swallowed[next->number]--;
  __atomic_store_n (&task->interrupted, (uint32_t)next->number,
                    __ATOMIC_RELEASE);
  omen_call (SYS_tgkill, omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0),
             (long)task->tid, (long)next->number, 0, 0, 0);
}

static bool
is_planned (int number)
{
  for (size_t i = 0; i < omen_replay_plan.signal_count; i++)
    if (omen_replay_plan.signals[i].number == (uint64_t)number)
      return true;
  return false;
}

bool
omen_replay_takes (int number)
{
  omen_task *me = omen_sched_mine;
  if (!omen_rt_replay || !me || !is_planned (number))
    return true;
  if (__atomic_exchange_n (&me->interrupted, 0, __ATOMIC_ACQUIRE)
      == (uint32_t)number)
    return true;
  __atomic_fetch_add (&swallowed[number], 1, __ATOMIC_RELAXED);
  return false;
}

/* A handler left by siglongjmp is counted until its thread ends, which only
   delays the next signal. */
void
omen_replay_handles (bool begins)
{
  omen_task *me = omen_sched_mine;
  if (me && (begins || me->handling))
    me->handling += begins ? 1 : UINT32_MAX;
}

void
omen_replay_resend (void)
{
  long process = omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0);
  for (int number = 1; number < SIGNALS; number++)
    for (; swallowed[number]; swallowed[number]--)
      omen_call (SYS_kill, process, number, 0, 0, 0, 0);
}
