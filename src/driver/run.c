#include "driver/run.h"
#include "base/vec.h"
#include "driver/family.h"
#include "driver/guard.h"
#include "driver/interrupt.h"
#include "driver/message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds between SIGTERM and SIGKILL: for the user's program, and for
   silent runs or runs that end with omen. */
enum { TERM_WAIT_MS = 10000, TERM_WAIT_SILENT_MS = 2000 };

static const int forwarded[]
    = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
static const int of_terminal[] = { SIGTSTP, SIGTTIN, SIGTTOU };

/* ---- signals of failing writes ---- */

static const int of_writes[] = { SIGPIPE, SIGXFSZ };
static struct sigaction writes_given[OMEN_COUNT (of_writes)];

void
omen_run_take_signals (void)
{
  for (size_t i = 0; i < OMEN_COUNT (of_writes); i++) {
    sigaction (of_writes[i], NULL, &writes_given[i]);
    signal (of_writes[i], SIG_IGN);
  }
}

void
omen_run_give_signals (void)
{
  for (size_t i = 0; i < OMEN_COUNT (of_writes); i++)
    sigaction (of_writes[i], &writes_given[i], NULL); /* zeros: the default */
}

/* ---- time ---- */

static uint64_t
now_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- the child ----

   Its environment is made before the fork: omen may have threads, and then the
   child may do little until it becomes another program, not even allocate. */

typedef struct environment {
  OMEN_VEC (char *) all;             /* NULL-terminated */
  char *options, *preload, *reports; /* our own entries, or NULL */
} environment;

static char *
assignment (const char *name, const char *value, const char *rest)
{
  const char *colon = rest && *rest ? ":" : "";
  size_t room = strlen (name) + strlen (value) + (rest ? strlen (rest) : 0) + 3;
  char *text = omen_alloc (room);
  snprintf (text, room, "%s=%s%s%s", name, value, colon, rest ? rest : "");
  return text;
}

char *
omen_run_word (char *to, const char *word)
{
  for (; *word; word++) {
    if (strchr (" \t\n\\", *word))
      *to++ = '\\';
    *to++ = *word;
  }
  *to = 0;
  return to;
}

static bool
is_of (const char *entry, const char *name)
{
  size_t length = strlen (name);
  return !strncmp (entry, name, length) && entry[length] == '=';
}

/* By default OpenMP threads busy-wait for each other, for 200 ms; under a
   schedule they would hold the token as if they were computing. So make them
   block, unless the user has chosen a setting. */
char *
omen_run_setting (unsigned i)
{
  static char passive[] = "OMP_WAIT_POLICY=passive",
              sleep[] = "KMP_BLOCKTIME=0";
  bool given = getenv ("OMP_WAIT_POLICY") || getenv ("KMP_BLOCKTIME");
  return given || i > 1 ? NULL : i ? sleep : passive;
}

/* Value of ASAN_OPTIONS. Leak detection is off, since it stops all threads as a
   debugger does, unless the user's options, which follow, enable it. */
static char *
report_setting (const char *reports)
{
  static const char first[] = "detect_leaks=0";
  const char *own = secure_getenv ("ASAN_OPTIONS");
  size_t room = sizeof first + strlen (reports) + 20 + (own ? strlen (own) : 0);
  char *value = omen_alloc (room), *text;
  snprintf (value, room, "%s%s%s:log_path=\"%s\"", first,
            own && *own ? ":" : "", own ? own : "", reports);
  text = assignment ("ASAN_OPTIONS", value, NULL);
  omen_free (value);
  return text;
}

static environment
make_environment (const omen_run *run)
{
  environment e = { .all = { 0 } };
  if (run->options)
    e.options = assignment ("OMEN_OPTIONS", run->options, NULL);
  if (run->preload)
    e.preload
        = assignment ("LD_PRELOAD", run->preload, secure_getenv ("LD_PRELOAD"));
  if (run->reports)
    e.reports = report_setting (run->reports);
  for (char **entry = environ; *entry; entry++)
    if (!(e.options && is_of (*entry, "OMEN_OPTIONS"))
        && !(e.reports && is_of (*entry, "ASAN_OPTIONS"))
        && !(e.preload && is_of (*entry, "LD_PRELOAD")))
      OMEN_VEC_PUSH (e.all, *entry);
  if (e.options)
    OMEN_VEC_PUSH (e.all, e.options);
  if (e.preload)
    OMEN_VEC_PUSH (e.all, e.preload);
  if (e.reports)
    OMEN_VEC_PUSH (e.all, e.reports);
  for (unsigned i = 0; omen_run_setting (i); i++)
    OMEN_VEC_PUSH (e.all, omen_run_setting (i));
  OMEN_VEC_PUSH (e.all, (char *)NULL);
  return e;
}

static _Noreturn void
exec_program (const omen_run *run, const environment *e, const sigset_t *mask,
              int report, pid_t omen)
{
  if (run->stop || run->with_us) {
    /* terminate it when omen is killed */
    prctl (PR_SET_PDEATHSIG, run->silent ? SIGKILL : SIGTERM);
    if (getppid () != omen)
      _exit (OMEN_RUN_CANNOT);
  }
  if (run->silent) {
    setpgid (0, 0);
    /* A regular file can be read again by later runs; a pipe cannot. */
    struct stat info;
    int null = open ("/dev/null", O_RDWR);
    bool again = !fstat (STDIN_FILENO, &info) && S_ISREG (info.st_mode);
    for (int fd = again; null >= 0 && fd < 3; fd++)
      dup2 (null, fd);
  }
  omen_run_give_signals ();
  sigprocmask (SIG_SETMASK, mask, NULL);
  execve (run->path, run->argv, e->all.data);
  int error = errno;
  (void)!write (report, &error, sizeof error);
  _exit (OMEN_RUN_CANNOT);
}

/* Returns the child's id, or -1 with errno set if the program could not be
   executed. */
static pid_t
start_program (const omen_run *run, const sigset_t *mask, omen_guard *guard)
{
  int report[2], error = 0;
  if (pipe2 (report, O_CLOEXEC))
    return -1;
  environment e = make_environment (run);
  fflush (NULL);
  if ((run->silent || run->with_us) && e.options)
    *guard = omen_guard_start (e.options, NULL);
  pid_t omen = getpid (), child = fork ();
  if (!child)
    exec_program (run, &e, mask, report[1], omen);
  omen_guard_watch (guard, child);
  omen_free (e.options);
  omen_free (e.preload);
  omen_free (e.reports);
  OMEN_VEC_FINI (e.all);
  close (report[1]);
  ssize_t got = child < 0 ? 0 : read (report[0], &error, sizeof error);
  close (report[0]);
  if (got == (ssize_t)sizeof error) {
    waitpid (child, NULL, 0);
    errno = error;
    return -1;
  }
  return child;
}

/* ---- looking after it ---- */

/* Returns true when the child has ended. */
static bool
look_at_child (pid_t child, omen_run *run)
{
  pid_t seen;
  while ((seen = waitpid (child, &run->status, WNOHANG | WUNTRACED)) == child) {
    if (!WIFSTOPPED (run->status))
      return true;
    int number = WSTOPSIG (run->status);
    if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU) {
      signal (number, SIG_DFL);
      raise (number);
      signal (number, SIG_IGN);
      kill (child, SIGCONT);
    }
  }
  return seen < 0 && errno == ECHILD;
}

typedef struct limit {
  uint64_t at;     /* in ms; 0: none */
  unsigned passed; /* 1: SIGTERM sent, 2: SIGKILL sent */
} limit;

static void
check_limit (pid_t child, omen_run *run, limit *l)
{
  if (!l->at || now_ms () < l->at)
    return;
  OMEN_ASSERT (l->passed < 2); /* there is no limit after that */
  run->ended_by_us = true;
  kill (child, l->passed ? SIGKILL : SIGTERM);
  if (l->passed && !run->silent)
    omen_warn ("the program did not end when it was asked to; killed");
  l->at = l->passed++
              ? 0
              : now_ms () + (run->silent ? TERM_WAIT_SILENT_MS : TERM_WAIT_MS);
}

/* End the run. SIGKILL suffices for a silent run, whose recording is not needed
   any more. */
static void
interrupt (omen_run *run, uint64_t first, limit *l)
{
  int number = run->silent ? SIGKILL : SIGTERM;
  omen_family_adopt ();
  if (!omen_family_signal (first, number)) /* /proc may be missing */
    kill (run->pid, number);
  if (l->passed < 2)
    *l = (limit){ now_ms () + TERM_WAIT_SILENT_MS, 1 };
  run->interrupted = true;
}

static bool
is_the_end (const omen_run *run, int number)
{
  return run->stop
         && (number == SIGTERM || number == SIGHUP
             || (run->silent && (number == SIGINT || number == SIGQUIT)));
}

static void
wait_for_signal (const sigset_t *set, const limit *l, pid_t child,
                 const omen_run *run, uint64_t most)
{
  siginfo_t info;
  uint64_t now = now_ms ();
  uint64_t ms = !l->at ? 3600000 : l->at > now ? l->at - now : 0;
  ms = ms < most ? ms : most;
  struct timespec time = { .tv_sec = (time_t)(ms / 1000),
                           .tv_nsec = (long)(ms % 1000) * 1000000 };
  int number = sigtimedwait (set, &info, &time);
  if (number > 0 && is_the_end (run, number))
    omen_interrupt_by (number);
  else if (number > 0 && number != SIGCHLD && info.si_code <= 0)
    kill (child, number);
}

/* Signals that came together with the end of the program were meant for it. */
static void
forget_signals (const sigset_t *set, const omen_run *run)
{
  const struct timespec no_time = { 0, 0 };
  int number;
  while (run->stop && (number = sigtimedwait (set, NULL, &no_time)) > 0)
    if (is_the_end (run, number))
      omen_interrupt_by (number);
}

static void
look_after (pid_t child, const sigset_t *set, omen_run *run)
{
  limit l = { .at = run->limit_ms ? now_ms () + run->limit_ms : 0 };
  uint64_t first = omen_family_start (child);
  while (!look_at_child (child, run)) {
    uint64_t most = run->beside ? run->beside (run->context) : UINT64_MAX;
    if (run->stop && *run->stop && !run->interrupted)
      interrupt (run, first, &l);
    wait_for_signal (set, &l, child, run, most);
    check_limit (child, run, &l);
  }
  forget_signals (set, run);
  if (run->silent || run->interrupted)
    omen_family_end (first);
}

bool
omen_run_program (omen_run *run, int *code, omen_err *err)
{
  sigset_t ours, before;
  OMEN_REQUIRE (run->path && run->argv && run->argv[0]);
  sigemptyset (&ours);
  sigaddset (&ours, SIGCHLD);
  for (size_t i = 0; i < OMEN_COUNT (forwarded); i++)
    sigaddset (&ours, forwarded[i]);
  signal (SIGCHLD, SIG_DFL);
  sigprocmask (SIG_BLOCK, &ours, &before);
  if (run->silent)
    omen_family_adopt ();
  omen_guard guard = OMEN_NO_GUARD;
  pid_t child = start_program (run, &before, &guard);
  if (child < 0) {
    *code = errno == ENOENT ? OMEN_RUN_MISSING : OMEN_RUN_CANNOT;
    omen_err_io (err, run->path, "cannot run: %s", strerror (errno));
  } else {
    run->pid = child;
    for (size_t i = 0; i < OMEN_COUNT (of_terminal); i++)
      signal (of_terminal[i], SIG_IGN);
    look_after (child, &ours, run);
    for (size_t i = 0; i < OMEN_COUNT (of_terminal); i++)
      signal (of_terminal[i], SIG_DFL);
  }
  omen_guard_end (&guard);
  sigprocmask (SIG_SETMASK, &before, NULL);
  return child >= 0;
}

int
omen_run_end (const omen_run *run)
{
  if (WIFEXITED (run->status))
    return WEXITSTATUS (run->status);
  int number = WTERMSIG (run->status);
  struct rlimit none = { 0, 0 };
  sigset_t one;
  if (run->ended_by_us && (number == SIGTERM || number == SIGKILL))
    return 0;
  fflush (NULL);
  setrlimit (RLIMIT_CORE, &none); /* the program has left a core file already */
  signal (number, SIG_DFL);
  sigemptyset (&one);
  sigaddset (&one, number);
  sigprocmask (SIG_UNBLOCK, &one, NULL);
  raise (number);
  return 128 + number;
}
