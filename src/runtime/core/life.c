/* Start and end of the runtime: from before main to the last moment. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "runtime/monitor/monitor.h"
#include "runtime/core/grace.h"
#include "runtime/core/process.h"
#include "runtime/core/stuck.h"
#include "runtime/sched/replay.h"
#include "runtime/core/serve.h"
#include "runtime/core/signals.h"
#include "runtime/core/timer.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

omen_mode omen_rt_mode = OMEN_MODE_START;
uint32_t __omen_disabled;
uint32_t __omen_loops;
static const char options_name[] = "OMEN_OPTIONS=";
static pid_t process;
static bool waiting; /* for the child process that the replay is about */

/* Registers a handler that belongs to no module, so that it is called after
   those of all modules. libc declares it in no header. */
int __cxa_atexit (void (*function) (void *), void *argument, void *module);

/* A page that the kernel zeroes in a forked child, by whatever call it was
   forked. */
static uint32_t *mark;

static void
mark_process (void)
{
  if (!mark && (mark = omen_pages (4096))
      && omen_call (SYS_madvise, (long)mark, 4096, MADV_WIPEONFORK, 0, 0, 0)
             < 0) {
    omen_pages_free (mark, 4096);
    mark = NULL;
  }
  if (mark)
    *mark = 1;
}

bool
omen_life_is_first (void)
{
  return !mark || *mark;
}

bool
omen_life_here (void)
{
  return omen_rt_mode == OMEN_MODE_RECORD
         && omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0) == process;
}

void
omen_life_end (void)
{
  if (!omen_life_here ())
    return;
  omen_busy_begin ();
  omen_log_flush_all ();
  if (omen_rt_explore)
    omen_stuck_pending ();
  omen_file_finish ();
  omen_busy_end ();
}

/* Names of files and options are printed escaped, so that they cannot send
   control sequences to a terminal. */
static void
put_words (const char *const *words, size_t count)
{
  char line[OMEN_PATH_MAX + 512];
  size_t length = 0;
  for (size_t i = 0; i < count; i++)
    for (const char *p = words[i]; *p && length < sizeof line - 1; p++)
      line[length++] = *p >= ' ' && *p < 0x7f ? *p : '?';
  line[length++] = '\n';
  omen_call (SYS_write, STDERR_FILENO, (long)line, (long)length, 0, 0, 0);
}

void
omen_say (const char *what, const char *why)
{
  const char *words[] = { "omen: ", what, why };
  put_words (words, OMEN_COUNT (words));
}

/* OMEN_OPTIONS in the environment; the terminating NULL if it is not there. */
static char **
find_options (char **environment)
{
  for (; environment && *environment; environment++)
    if (omen_bytes_length (*environment) >= sizeof options_name
        && omen_bytes_equal (*environment, options_name,
                             sizeof options_name - 1))
      return environment;
  return NULL;
}

/* A program with more rights than its caller (set-user-ID, say) ignores the
   environment and runs unrecorded. So do the programs it starts, which may not
   notice those rights: the variable is removed. */
static void
forget_options (char **environment)
{
  for (char **at = environment; (at = find_options (at));)
    for (char **next = at; (*next = next[1]); next++)
      ;
}

static const char *
options_in (char **environment)
{
  char **found;
  if (getauxval (AT_SECURE))
    forget_options (environment);
  found = find_options (environment);
  return found ? *found + sizeof options_name - 1 : NULL;
}

const char *
omen_life_begin_file (bool child)
{
  const char *wrong = omen_file_open (child);
  if (wrong)
    return wrong;
  process = (pid_t)omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0);
  mark_process ();
  omen_program_write (child);
  omen_modules_find ();
  omen_data_write ();
  return NULL;
}

void
omen_life_refuse (const char *why)
{
  const char *words[]
      = { "omen: cannot record to ", omen_rt_options.output, ": ", why };
  put_words (words, OMEN_COUNT (words));
}

/* What the options say; false: they are wrong. */
static bool
read_options (const char *text)
{
  const char *wrong = omen_options_read (text);
  if (wrong) {
    omen_say ("OMEN_OPTIONS: ", wrong);
    return false;
  }
  if (*omen_rt_options.schedule
      && !omen_sched_start (omen_rt_options.schedule)) {
    omen_say ("OMEN_OPTIONS: no such schedule: ", omen_rt_options.schedule);
    return false;
  }
  return true;
}

/* At a regular exit there is time to look for libraries that were loaded
   meanwhile. */
static void
last_call (void *unused)
{
  omen_monitor_end ();
  if (omen_life_here ())
    omen_modules_find ();
  omen_life_end ();
}

static void
quick_last_call (void)
{
  last_call (NULL);
}

/* This process records from here on. */
static void
set_out (bool child)
{
  const char *wrong
      = omen_sites_start () ? omen_life_begin_file (child) : "no memory";
  omen_rt_mode = wrong ? OMEN_MODE_OFF : OMEN_MODE_RECORD;
  if (wrong)
    omen_life_refuse (wrong);
  else if (omen_threads_start ()) {
    omen_signals_start ();
    omen_timer_start ();
  } else {
    omen_give_up ("no memory");
    omen_rt_mode = OMEN_MODE_OFF;
  }
}

/* A replay may be about another process of the program; then all is off
   here. */
static bool
is_for_another (void)
{
  if (!omen_rt_replay || omen_replay_is_ours ())
    return false;
  omen_rt_replay = omen_rt_scheduled = false;
  omen_rt_mode = OMEN_MODE_OFF;
  return true;
}

void
omen_life_born (void)
{
  if (!waiting)
    return;
  omen_rt_replay = omen_rt_scheduled = true;
  waiting = is_for_another ();
  if (waiting)
    return;
  omen_rt_disabled = OMEN_DISABLED_NEW;
  __omen_cursor = NULL; /* it was disabled */
  set_out (true);
}

/* Runs the monitors of the program's properties and records nothing. */
static void
begin_monitoring (void)
{
  const char *wrong = omen_monitor_start (omen_rt_options.monitor);
  omen_rt_mode = OMEN_MODE_OFF;
  if (wrong)
    omen_say ("cannot monitor: ", wrong);
}

/* Loops may be recorded as a whole if threads run freely and the file is read
   after the run: only then is it known which accesses race
   (doc/recording.md). */
static bool
may_note_loops (void)
{
  const omen_options *o = &omen_rt_options;
  return omen_rt_mode == OMEN_MODE_RECORD && !*o->schedule && !o->exact_loops
         && !o->sync_only && !o->ring && !o->stream && !o->global_log
         && !o->sampled;
}

/* Sets the flags that woven code tests: whether loops are recorded whole, and
   whether functions run as plain copies, since nothing but atomics is recorded.
   Not the latter while
   a forked child may be the process to be replayed: it would return from fork
   into functions that record nothing. */
static void
set_woven_flags (void)
{
  __omen_loops = may_note_loops ();
  __omen_disabled
      = !waiting
        && (omen_rt_mode != OMEN_MODE_RECORD || omen_rt_options.sync_only);
}

/* The options of this run: the environment's, or those that a fork server
   receives. */
static bool
find_options_of_run (const char *text)
{
  if (!text || !read_options (text))
    return false;
  if (!omen_rt_options.serve)
    return true;
  text = omen_serve ((int)omen_rt_options.serve);
  return text && read_options (text);
}

/* A sanitizer ends the process by itself. */
extern void __sanitizer_set_death_callback (void (*callback) (void))
    __attribute__ ((weak));

static void
begin_recording (char **argv)
{
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback (omen_life_end);
  omen_heap_start ();
  omen_range_start ();
  omen_fork_start ();
  omen_process_begin (argv);
  omen_program_is (argv);
  waiting = is_for_another ();
  if (!waiting)
    set_out (false);
}

/* Priority 101: constructors of woven code run later, since woven objects link
   this library. */
__attribute__ ((constructor (101))) static void
start_runtime (int argc, char **argv, char **environment)
{
  const char *text = options_in (environment);
  omen_real_start ();
  omen_preload_forget (environment);
  if (!find_options_of_run (text))
    omen_rt_mode = OMEN_MODE_OFF;
  else {
    __cxa_atexit (last_call, NULL, NULL);
    at_quick_exit (quick_last_call);
    if (*omen_rt_options.monitor)
      begin_monitoring ();
    else
      begin_recording (argv);
  }
  set_woven_flags ();
}

#pragma GCC visibility push(default)

_Noreturn static void
leave_process (int status)
{
  omen_monitor_end ();
  if (omen_rt_explore)
    omen_grace ();
  omen_life_end ();
  for (;;)
    omen_call (SYS_exit_group, status, 0, 0, 0, 0, 0);
}

void
_exit (int status)
{
  leave_process (status);
}

void
_Exit (int status)
{
  leave_process (status);
}

/* As libc's abort, but the end of the recording is written after the program's
   handler, if any, has returned. */
void
abort (void)
{
  static void (*real) (void);
  omen_monitor_end ();
  if (omen_rt_explore)
    omen_grace ();
  if (omen_life_here ())
    omen_signal_abort ();
  omen_real (&real, "abort") ();
  __builtin_unreachable ();
}

/* Calls abort within libc, where that is not ours. */
void __assert_fail (const char *text, const char *file, unsigned line,
                    const char *function);

void
__assert_fail (const char *text, const char *file, unsigned line,
               const char *function)
{
  static void (*real) (const char *, const char *, unsigned, const char *);
  if (omen_rt_explore)
    omen_grace ();
  omen_real (&real, "__assert_fail") (text, file, line, function);
  __builtin_unreachable ();
}

#pragma GCC visibility pop
