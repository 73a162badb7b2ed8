#include "driver/watch/action.h"
#include "base/print.h"
#include "driver/message.h"
#include "driver/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
free_call (omen_action_call *call)
{
  for (int i = 0; i < OMEN_ACTION_VARIABLES; i++)
    free (call->variables[i]);
}

void
omen_action_set (omen_action_call *call, const char *name, const char *value)
{
  char *text;
  size_t size, i = 0;
  FILE *out = open_memstream (&text, &size);
  OMEN_REQUIRE (out);
  omen_print (out, "%s=%s", name, value); /* the command may show it */
  fclose (out);
  while (i < OMEN_ACTION_VARIABLES && call->variables[i])
    i++;
  OMEN_ASSERT (i < OMEN_ACTION_VARIABLES);
  call->variables[i] = text;
}

int
omen_action_pid (const char *output, const char *path, int pid)
{
  size_t length = strlen (output);
  return path[length] == '.' ? (int)strtol (path + length + 1, NULL, 10) : pid;
}

omen_action_call
omen_action_begin (pid_t pid, const char *finding, const char *kind)
{
  omen_action_call call = { { NULL } };
  char number[16];
  snprintf (number, sizeof number, "%d", (int)pid);
  omen_action_set (&call, "OMEN_PID", number);
  omen_action_set (&call, "OMEN_FINDING", finding);
  omen_action_set (&call, "OMEN_KIND", kind);
  return call;
}

void
omen_action_init (omen_watch_action *action, const char *command)
{
  *action = (omen_watch_action){ .command = command };
}

void
omen_action_add (omen_watch_action *action, omen_action_call *call)
{
  if (action->command)
    OMEN_VEC_PUSH (action->calls, *call);
  else
    free_call (call);
}

/* The program that is watched keeps stdin and stdout. */
static _Noreturn void
exec_action (const omen_watch_action *action, const omen_action_call *call)
{
  sigset_t none;
  int null = open ("/dev/null", O_RDONLY);
  if (null >= 0)
    dup2 (null, STDIN_FILENO);
  dup2 (STDERR_FILENO, STDOUT_FILENO);
  for (int i = 0; i < OMEN_ACTION_VARIABLES; i++)
    if (call->variables[i])
      putenv (call->variables[i]);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  omen_run_give_signals ();
  signal (SIGTSTP, SIG_DFL);
  signal (SIGTTIN, SIG_DFL);
  signal (SIGTTOU, SIG_DFL);
  execl ("/bin/sh", "sh", "-c", action->command, (char *)NULL);
  _exit (127);
}

static void
start_action (omen_watch_action *action)
{
  omen_action_call *call = &action->calls.data[action->next++];
  fflush (NULL);
  action->running = fork ();
  if (!action->running)
    exec_action (action, call);
  if (action->running < 0) {
    omen_warn ("--on-finding: cannot run: %s", strerror (errno));
    action->running = 0;
  }
  free_call (call);
}

static void
count_failure (omen_watch_action *action, int status)
{
  if (WIFEXITED (status) && !WEXITSTATUS (status))
    return;
  action->failed++;
  if (WIFEXITED (status))
    omen_warn ("--on-finding: the command ended with status %d",
               WEXITSTATUS (status));
  else
    omen_warn ("--on-finding: the command died of signal %d",
               WTERMSIG (status));
}

static void
wait_for_it (omen_watch_action *action, int flags)
{
  int status = 0;
  pid_t seen;
  do
    seen = waitpid (action->running, &status, flags);
  while (seen < 0 && errno == EINTR);
  if (!seen)
    return;
  if (seen == action->running)
    count_failure (action, status);
  action->running = 0;
}

bool
omen_action_look (omen_watch_action *action)
{
  if (action->running)
    wait_for_it (action, WNOHANG);
  if (!action->running && action->next < action->calls.count)
    start_action (action);
  if (action->next == action->calls.count)
    action->calls.count = action->next = 0;
  return action->running;
}

void
omen_action_finish (omen_watch_action *action)
{
  while (omen_action_look (action))
    wait_for_it (action, 0);
  OMEN_VEC_FINI (action->calls);
}
