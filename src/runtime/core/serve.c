#include "runtime/core/serve.h"
#include "runtime/core/core.h"
#include "runtime/core/proc.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[2 * OMEN_PATH_MAX + 512];

/* ---- what a run reports to its server ---- */

/* Shared with all processes of the run; NULL: it has no server. */
static struct {
  uint32_t depends;
  uint32_t clocks; /* readings that were not used as deadlines */
} *answer;

static __thread const void *clock_at; /* the last one that was read */

void
omen_serve_depends (unsigned what)
{
  if (answer)
    __atomic_fetch_or (&answer->depends, what, __ATOMIC_RELAXED);
}

void
omen_serve_clock (const void *to)
{
  if (answer)
    __atomic_fetch_add (&answer->clocks, 1, __ATOMIC_RELAXED);
  clock_at = to;
}

void
omen_serve_deadline (const void *at)
{
  if (answer && at && at == clock_at)
    __atomic_fetch_sub (&answer->clocks, 1, __ATOMIC_RELAXED);
  clock_at = NULL;
}

static bool
map_answer (void)
{
  long at = omen_call (SYS_mmap, 0, sizeof *answer, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at <= 0)
    return false;
  answer = (void *)at;
  return true;
}

/* ---- requests ---- */

static bool
receive_all (int fd, void *to, size_t size)
{
  for (size_t got = 0; got < size;) {
    long n = omen_call (SYS_read, fd, (long)((char *)to + got),
                        (long)(size - got), 0, 0, 0);
    if (n <= 0 && n != -EINTR)
      return false;
    got += n > 0 ? (size_t)n : 0;
  }
  return true;
}

static void
reply (int fd, const void *data, size_t size)
{
  omen_call (SYS_write, fd, (long)data, (long)size, 0, 0, 0);
}

static bool
get_request (int fd)
{
  uint32_t length;
  if (!receive_all (fd, &length, sizeof length) || length >= sizeof text
      || !receive_all (fd, text, length))
    return false;
  text[length] = 0;
  return true;
}

/* Each run reads an input file from its start. */
static void
rewind_input (void)
{
  struct stat info;
  if (!omen_call (SYS_fstat, 0, (long)&info, 0, 0, 0, 0)
      && S_ISREG (info.st_mode))
    omen_call (SYS_lseek, 0, 0, SEEK_SET, 0, 0, 0);
}

/* Orphans of the run have become children of this process. */
static void
end_orphans (pid_t child)
{
  long ended = 1;
  omen_call (SYS_kill, -child, SIGKILL, 0, 0, 0, 0);
  while (ended >= 0 || ended == -EINTR) {
    ended = omen_call (SYS_wait4, -1, 0, WNOHANG, 0, 0, 0);
    if (ended)
      continue;
    if (!omen_proc_kill_children ())
      return;
    ended = omen_call (SYS_wait4, -1, 0, 0, 0, 0, 0);
  }
}

const char *
omen_serve (int fd)
{
  struct stat info;
  if (omen_call (SYS_fstat, fd, (long)&info, 0, 0, 0, 0)
      || !S_ISSOCK (info.st_mode) || !map_answer ())
    return NULL;
  omen_call (SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0);
  while (get_request (fd)) {
    int status = 0;
    rewind_input ();
    answer->depends = answer->clocks = 0;
    pid_t child = fork ();
    if (!child) {
      omen_call (SYS_close, fd, 0, 0, 0, 0, 0);
      omen_call (SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
      omen_call (SYS_setpgid, 0, 0, 0, 0, 0, 0);
      return text;
    }
    reply (fd, &child, sizeof child);
    if (child > 0)
      omen_call (SYS_wait4, child, (long)&status, 0, 0, 0, 0);
    if (child > 0)
      end_orphans (child);
    const omen_served served
        = { status,
            answer->depends | (answer->clocks ? OMEN_SERVED_CLOCK : 0) };
    reply (fd, &served, sizeof served);
  }
  omen_call (SYS_exit_group, 0, 0, 0, 0, 0, 0);
  return NULL;
}
