/* fork: parent and child go on recording, each to a file of its own. */
#include "runtime/hooks/atomic.h"
#include "runtime/hooks/channel.h"
#include "runtime/core/core.h"
#include "runtime/log/safepoint.h"
#include "runtime/core/process.h"
#include "runtime/core/serve.h"
#include "runtime/core/signals.h"
#include "runtime/core/stuck.h"
#include "runtime/core/timer.h"

/* Handlers of every fork of libc. They are registered before all others, so
   they run last before the fork and first after it. Latches are held across it,
   so that what they guard is consistent in the child. */
static void
before_fork (void)
{
  omen_process_fork ();
  omen_serve_depends (OMEN_SERVED_PROCESSES);
  if (omen_rt_mode != OMEN_MODE_RECORD)
    return;
  omen_channel_share ();
  omen_outside_before (0);
  if (omen_rt_scheduled)
    omen_sched_fork_begin ();
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  omen_latch_take (&omen_tables_latch);
  omen_thread_logs_fork (true);
}

static void
in_parent (void)
{
  if (omen_rt_mode != OMEN_MODE_RECORD)
    return;
  omen_thread_logs_fork (false);
  omen_latch_give (&omen_tables_latch);
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
  if (omen_rt_scheduled)
    omen_sched_fork_end (false);
  if (omen_rt_explore)
    omen_stuck_helped ();
}

/* A child that cannot record, or whose parent had stopped recording, runs
   unrecorded. */
static void
begin_again (void)
{
  const char *wrong;
  omen_file_closed = true;
  if (omen_rt_self && omen_common_log)
    omen_thread_log_restart (omen_common_log, OMEN_NONE);
  wrong = omen_life_begin_file (true);
  if (wrong)
    omen_life_refuse (wrong);
}

static void
in_child (void)
{
  bool was_closed = omen_file_closed;
  omen_process_forked ();
  if (omen_rt_mode != OMEN_MODE_RECORD) {
    omen_life_born ();
    return;
  }
  omen_thread_logs_fork (false);
  omen_tables_after_fork ();
  omen_shards_after_fork ();
  omen_atomics_after_fork ();
  omen_signals_after_fork ();
  omen_stuck_after_fork ();
  omen_safepoint_after_fork ();
  if (!was_closed)
    begin_again ();
  omen_threads_after_fork ();
  if (!omen_file_closed)
    omen_timer_start ();
  omen_busy_end ();
  if (omen_rt_scheduled)
    omen_sched_fork_end (true);
}

void
omen_fork_start (void)
{
  pthread_atfork (before_fork, in_parent, in_child);
}
