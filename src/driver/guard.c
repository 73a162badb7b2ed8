#include "driver/guard.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- in the guard: no memory is allocated, no lock is taken ---- */

typedef struct entry { /* a directory entry of getdents64 */
  uint64_t number;
  int64_t next;
  unsigned short size;
  unsigned char type;
  char name[];
} entry;

static char environment[1 << 20];

static bool
has_variable (pid_t pid, const char *assignment)
{
  char path[40];
  size_t size = 0, length = strlen (assignment) + 1; /* with the final NUL */
  ssize_t got;
  snprintf (path, sizeof path, "/proc/%d/environ", (int)pid);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  while (size < sizeof environment
         && (got = read (fd, environment + size, sizeof environment - size))
                > 0)
    size += (size_t)got;
  close (fd);
  return memmem (environment, size, assignment, length);
}

static pid_t
process_of_name (const char *name)
{
  pid_t number = 0;
  for (; *name >= '0' && *name <= '9'; name++)
    number = number * 10 + (*name - '0');
  return *name ? 0 : number;
}

static bool
kill_all (const char *assignment)
{
  static _Alignas (entry) char entries[32768];
  bool any = false;
  long size;
  int proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while (proc >= 0
         && (size = syscall (SYS_getdents64, proc, entries, sizeof entries))
                > 0)
    for (long at = 0; at < size; at += ((entry *)(entries + at))->size) {
      pid_t pid = process_of_name (((entry *)(entries + at))->name);
      if (pid > 0 && pid != getpid () && has_variable (pid, assignment))
        any |= !kill (pid, SIGKILL);
    }
  if (proc >= 0)
    close (proc);
  return any;
}

static void
remove_files (const char *path)
{
  static _Alignas (entry) char entries[32768];
  long size;
  int folder = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  while (folder >= 0
         && (size = syscall (SYS_getdents64, folder, entries, sizeof entries))
                > 0)
    for (long at = 0; at < size; at += ((entry *)(entries + at))->size)
      unlinkat (folder, ((entry *)(entries + at))->name, 0); /* not . or .. */
  if (folder >= 0)
    close (folder);
}

static const struct timespec moment = { 0, 10000000 };

/* Repeated, since processes may fork during the search. */
static void
end_run (pid_t child, const char *assignment)
{
  enum { TIMES = 100 };
  if (child > 0)
    kill (-child, SIGKILL);
  for (unsigned i = 0; i < TIMES && kill_all (assignment); i++)
    nanosleep (&moment, NULL);
}

/* Repeated, since a run may be writing there until its own guard ends it. */
static void
remove_folder (const char *path)
{
  enum { TIMES = 1000 };
  remove_files (path);
  for (unsigned i = 0; i < TIMES && rmdir (path) && errno == ENOTEMPTY; i++) {
    nanosleep (&moment, NULL);
    remove_files (path);
  }
}

static bool
read_number (int fd, pid_t *number)
{
  ssize_t got;
  do
    got = read (fd, number, sizeof *number);
  while (got < 0 && errno == EINTR);
  return got == (ssize_t)sizeof *number;
}

enum { FROM_OMEN = 3 };

/* The guard process: reads the child's number, then 0 at the end of the run.
   End of file means that omen has ended without that. */
static _Noreturn void
stand (int from_omen, const char *assignment, const char *folder)
{
  pid_t child = 0, done;
  sigset_t all;
  sigfillset (&all);
  sigprocmask (SIG_BLOCK, &all, NULL);
  setsid ();
  prctl (PR_SET_NAME, "run-guard"); /* not who is killed by the name omen */
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; null >= 0 && fd < FROM_OMEN; fd++)
    dup2 (null, fd);
  if (from_omen != FROM_OMEN)
    dup2 (from_omen, FROM_OMEN);
  closefrom (FROM_OMEN + 1); /* other pipes must not be kept open */
  /* a guard of a folder gets only the last number */
  bool over = read_number (FROM_OMEN, &child)
              && (!child || read_number (FROM_OMEN, &done));
  if (!over && assignment)
    end_run (child, assignment);
  if (!over && folder)
    remove_folder (folder);
  _exit (0);
}

/* ---- in omen ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static OMEN_VEC (pid_t) guards;

static size_t
find_guard (pid_t pid)
{
  size_t i = 0;
  while (i < guards.count && guards.data[i] != pid)
    i++;
  return i;
}

static void
list_guard (pid_t pid)
{
  pthread_mutex_lock (&lock);
  OMEN_VEC_PUSH (guards, pid);
  pthread_mutex_unlock (&lock);
}

static void
unlist_guard (pid_t pid)
{
  pthread_mutex_lock (&lock);
  guards.data[find_guard (pid)] = OMEN_VEC_LAST (guards);
  if (!--guards.count)
    OMEN_VEC_FINI (guards);
  pthread_mutex_unlock (&lock);
}

bool
omen_guard_is (pid_t pid)
{
  pthread_mutex_lock (&lock);
  bool found = find_guard (pid) < guards.count;
  pthread_mutex_unlock (&lock);
  return found;
}

omen_guard
omen_guard_start (const char *assignment, const char *folder)
{
  omen_guard guard = OMEN_NO_GUARD;
  int ends[2];
  if (pipe2 (ends, O_CLOEXEC))
    return guard;
  guard.pid = fork ();
  if (!guard.pid) {
    close (ends[1]);
    stand (ends[0], assignment, folder);
  }
  close (ends[0]);
  guard.to_it = ends[1];
  if (guard.pid > 0)
    list_guard (guard.pid);
  else
    omen_guard_end (&guard);
  return guard;
}

/* The guard may have ended already. */
static void
send_number (const omen_guard *guard, pid_t number)
{
  void (*before) (int) = signal (SIGPIPE, SIG_IGN);
  if (guard->to_it >= 0)
    (void)!write (guard->to_it, &number, sizeof number);
  signal (SIGPIPE, before);
}

void
omen_guard_watch (omen_guard *guard, pid_t child)
{
  send_number (guard, child);
}

void
omen_guard_end (omen_guard *guard)
{
  send_number (guard, 0);
  omen_guard_end_run (guard);
}

void
omen_guard_end_run (omen_guard *guard)
{
  if (guard->to_it >= 0)
    close (guard->to_it);
  if (guard->pid > 0) {
    waitpid (guard->pid, NULL, 0);
    unlist_guard (guard->pid);
  }
  *guard = OMEN_NO_GUARD;
}
