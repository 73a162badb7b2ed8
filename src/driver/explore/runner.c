#include "driver/explore/runner.h"
#include "driver/explore/remote.h"
#include "driver/run.h"
#include "wire/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  SOCKET = 3, /* descriptor in the program */
  ANSWER_SECONDS = 20,
  POLL_MS = 100,
  RUN_SECONDS = 20, /* time limit of a run */
  REMOTE_SECONDS = 3 * RUN_SECONDS,
  MOST_RECORDED = 16 << 20,   /* size limit of a running recording */
  MOST_OF_ENDLESS = 256 << 10 /* … of one that was ended, to be analysed */
};

/* ---- the server ---- */

typedef struct environment {
  OMEN_VEC (char *) all;
  char *options, *preload, *sanitizer;
} environment;

static bool
is_of (const char *entry, const char *name)
{
  size_t length = strlen (name);
  return !strncmp (entry, name, length) && entry[length] == '=';
}

/* The output path in these options is unique, so the guard recognises the
   processes of the run by them. */
static char *
make_server_options (const omen_runner *r)
{
  char *text = omen_alloc (2 * strlen (r->trace) + 64);
  char *to = omen_run_word (stpcpy (text, "OMEN_OPTIONS=--output "), r->trace);
  sprintf (to, " --serve=%d", SOCKET);
  return text;
}

/* To find leaks, AddressSanitizer stops all threads like a debugger, which
   often fails here, and leaks are not related to schedules. */
static char *
sanitizer_options (void)
{
  static const char ours[] = "ASAN_OPTIONS=detect_leaks=0";
  const char *own = secure_getenv ("ASAN_OPTIONS");
  char *text = omen_alloc (sizeof ours + 1 + (own ? strlen (own) : 0));
  strcpy (text, ours);
  if (own && *own)
    strcat (strcat (text, ":"), own);
  return text;
}

static void
make_environment (environment *e, const omen_runner *r, const char *preload)
{
  const char *before = secure_getenv ("LD_PRELOAD");
  *e = (environment){ .options = make_server_options (r) };
  if (preload) {
    size_t room = strlen (preload) + (before ? strlen (before) : 0) + 20;
    e->preload = omen_alloc (room);
    snprintf (e->preload, room, "LD_PRELOAD=%s%s%s", preload, before ? ":" : "",
              before ? before : "");
  }
  e->sanitizer = sanitizer_options ();
  for (char **entry = environ; *entry; entry++)
    if (!is_of (*entry, "OMEN_OPTIONS") && !is_of (*entry, "ASAN_OPTIONS")
        && !(preload && is_of (*entry, "LD_PRELOAD")))
      OMEN_VEC_PUSH (e->all, *entry);
  OMEN_VEC_PUSH (e->all, e->options);
  OMEN_VEC_PUSH (e->all, e->sanitizer);
  if (e->preload)
    OMEN_VEC_PUSH (e->all, e->preload);
  for (unsigned i = 0; omen_run_setting (i); i++)
    OMEN_VEC_PUSH (e->all, omen_run_setting (i));
  OMEN_VEC_PUSH (e->all, (char *)NULL);
}

/* Truncated, for each run. */
static int
open_printed (const char *path)
{
  return open (path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
}

static _Noreturn void
exec_runner (const omen_runner *r, const char *path, char **program,
             char **values, int socket, pid_t omen)
{
  struct stat info;
  int null = open ("/dev/null", O_RDWR);
  bool again = !fstat (STDIN_FILENO, &info) && S_ISREG (info.st_mode);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != omen)
    _exit (OMEN_RUN_CANNOT);
  personality (ADDR_NO_RANDOMIZE);
  setpgid (0, 0);
  if (!again)
    dup2 (null, STDIN_FILENO);
  dup2 (r->prints ? open_printed (r->output) : null, STDOUT_FILENO);
  dup2 (open_printed (r->errors), STDERR_FILENO);
  if (socket != SOCKET)
    dup2 (socket, SOCKET);
  else
    fcntl (socket, F_SETFD, 0);
  omen_run_give_signals ();
  execve (path, program, values);
  _exit (OMEN_RUN_CANNOT);
}

/* The options of every run. */
static char *
make_options (const omen_runner *r, const omen_recording *recording)
{
  size_t room = 2 * (strlen (r->trace) + strlen (r->plan)) + 128;
  char *text = omen_alloc (room);
  char *to = omen_run_word (stpcpy (text, "--output "), r->trace);
  to = omen_run_word (stpcpy (to, " --schedule replay:"), r->plan);
  to = stpcpy (to, " --exit-grace 1000000s --end-stuck");
  if (recording->specs && recording->specs->paths.count)
    to = stpcpy (to, " --exact-loops"); /* as omen_recording_run */
  if (r->prints)
    stpcpy (to, " --note-output");
  return text;
}

bool
omen_runner_open_scratch (omen_runner *r, omen_err *err)
{
  const char *shm = access ("/dev/shm", W_OK | X_OK) ? NULL : "/dev/shm";
  if (!omen_scratch_open (&r->scratch, shm, err))
    return false;
  omen_scratch_file (&r->scratch, "plan", r->plan, sizeof r->plan);
  omen_scratch_file (&r->scratch, "run.omen", r->trace, sizeof r->trace);
  omen_scratch_file (&r->scratch, "errors", r->errors, sizeof r->errors);
  omen_scratch_file (&r->scratch, "output", r->output, sizeof r->output);
  return true;
}

bool
omen_runner_start (omen_runner *r, const omen_recording *recording,
                   char **program, bool prints, omen_err *err)
{
  int pair[2];
  environment e;
  *r = (omen_runner){ .socket = -1,
                      .guard = OMEN_NO_GUARD,
                      .prints = prints,
                      .stop = recording->stop };
  if (!omen_runner_open_scratch (r, err))
    return false;
  r->options = make_options (r, recording);
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
    return omen_err_io (err, program[0], "no socket: %s", strerror (errno));
  make_environment (&e, r, recording->preload);
  fflush (NULL);
  r->guard = omen_guard_start (e.options, NULL);
  pid_t omen = getpid ();
  r->server = fork ();
  if (!r->server)
    exec_runner (r, recording->program.path, program, e.all.data, pair[1],
                 omen);
  omen_guard_watch (&r->guard, r->server);
  close (pair[1]);
  OMEN_VEC_FINI (e.all);
  omen_free (e.options);
  omen_free (e.preload);
  omen_free (e.sanitizer);
  r->socket = pair[0];
  return r->server > 0
         || omen_err_io (err, program[0], "cannot run: %s", strerror (errno));
}

void
omen_runner_stop (omen_runner *r)
{
  if (r->busy)
    omen_runner_kill (r);
  if (r->socket >= 0 && !r->rank)
    close (r->socket);
  if (r->server > 0) {
    kill (r->server, SIGKILL);
    waitpid (r->server, NULL, 0);
  }
  omen_guard_end_run (&r->guard);
  omen_free (r->options);
  if (*r->scratch.folder)
    omen_scratch_close (&r->scratch);
  *r = (omen_runner){ .socket = -1, .guard = OMEN_NO_GUARD };
}

/* ---- one run ---- */

static bool
send_bytes (int fd, const void *data, size_t size)
{
  for (size_t done = 0; done < size;) {
    ssize_t n = send (fd, (const char *)data + done, size - done, MSG_NOSIGNAL);
    if (n <= 0 && errno != EINTR)
      return false;
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

/* The program may be blocked before its runtime starts, so there is a time
   limit. */
static bool
has_answer (const omen_runner *r)
{
  omen_deadline end = omen_deadline_in (ANSWER_SECONDS, r->stop);
  struct pollfd fd = { r->socket, POLLIN, 0 };
  while (poll (&fd, 1, POLL_MS) <= 0)
    if (omen_is_past (&end))
      return false;
  return true;
}

static bool
read_answer (const omen_runner *r, void *data, size_t size)
{
  for (size_t done = 0; done < size;) {
    ssize_t n = has_answer (r)
                    ? recv (r->socket, (char *)data + done, size - done, 0)
                    : 0;
    if (!n || (n < 0 && errno != EINTR))
      return false;
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

static bool
empty_files (const omen_runner *r, const char *plan, size_t length)
{
  FILE *file = omen_scratch_write (r->plan);
  bool ok = file && fwrite (plan, 1, length, file) == length;
  if (file && fclose (file))
    ok = false;
  unlink (r->trace);
  return ok && (truncate (r->errors, 0) == 0 || errno == ENOENT)
         && (truncate (r->output, 0) == 0 || errno == ENOENT);
}

bool
omen_runner_begin (omen_runner *r, const char *plan, size_t length,
                   omen_err *err)
{
  int32_t child;
  if (r->rank) {
    omen_remote_begin (r, plan, length);
    return true;
  }
  uint32_t size = (uint32_t)strlen (r->options);
  if (!empty_files (r, plan, length))
    return omen_err_io (err, r->plan, "cannot be written: %s",
                        strerror (errno));
  r->begun = omen_now ();
  if (!send_bytes (r->socket, &size, sizeof size)
      || !send_bytes (r->socket, r->options, size)
      || !read_answer (r, &child, sizeof child) || child <= 0)
    return omen_err_io (err, "",
                        "the program cannot be started again and again");
  r->child = child;
  r->busy = true;
  r->timed_out = r->overrun = false;
  return true;
}

static bool
is_longer (const char *path, off_t size)
{
  struct stat info;
  return !stat (path, &info) && info.st_size > size;
}

bool
omen_runner_ended (omen_runner *r)
{
  omen_served served;
  if (!r->busy)
    return false;
  if (r->rank) {
    omen_remote_ended (r);
    return true;
  }
  if (!read_answer (r, &served, sizeof served)) {
    served = (omen_served){ 0 };
    r->timed_out = true; /* the server has ended; the status is unknown */
  }
  r->timed_out |= (served.depends & OMEN_SERVED_ENDLESS) != 0;
  r->overrun = r->timed_out && is_longer (r->trace, MOST_OF_ENDLESS);
  r->status = served.status;
  r->depends = served.depends;
  r->busy = false;
  return true;
}

static bool
is_too_large (const omen_runner *r)
{
  return is_longer (r->trace, MOST_RECORDED)
         || is_longer (r->errors, MOST_RECORDED)
         || is_longer (r->output, MOST_RECORDED);
}

/* Ranks limit their own runs; one that does not answer is dropped. */
void
omen_runner_limit (omen_runner *r)
{
  double most = r->rank ? REMOTE_SECONDS : RUN_SECONDS;
  if (r->busy
      && (omen_now () - r->begun > most || (!r->rank && is_too_large (r))))
    omen_runner_kill (r);
}

void
omen_runner_kill (omen_runner *r)
{
  r->timed_out = true;
  if (r->rank) {
    shutdown (r->socket, SHUT_RDWR);
    return;
  }
  kill (-r->child, SIGKILL);
  kill (r->child, SIGKILL);
}
