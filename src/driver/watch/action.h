/* Runs the command of --on-finding for each report, one after the other, while
   the program runs.

     omen_watch_action action;
     omen_action_init (&action, "kill -USR1 $OMEN_PID");
     omen_action_add (&action, variables);          at a report
     omen_action_look (&action);                    now and then
     omen_action_finish (&action);                  those that are left

   If `command` is NULL, nothing is run. */
#ifndef OMEN_DRIVER_WATCH_ACTION_H
#define OMEN_DRIVER_WATCH_ACTION_H

#include "base/vec.h"

#include <sys/types.h>

enum { OMEN_ACTION_VARIABLES = 9 };

/* "NAME=value" strings, owned by the action once it was added. */
typedef struct omen_action_call {
  char *variables[OMEN_ACTION_VARIABLES];
} omen_action_call;

typedef struct omen_watch_action {
  const char *command;
  OMEN_VEC (omen_action_call) calls;
  size_t next;   /* first that has not been started */
  pid_t running; /* 0: none */
  unsigned failed;
} omen_watch_action;

/* Of the process whose recording is `path`: "run.omen.123" is that of 123,
   `output` itself that of `pid`. */
int omen_action_pid (const char *output, const char *path, int pid);

/* Starts the variables of a call with those that all calls have; _set adds
   one. */
omen_action_call omen_action_begin (pid_t pid, const char *finding,
                                    const char *kind);
void omen_action_set (omen_action_call *call, const char *name,
                      const char *value);

void omen_action_init (omen_watch_action *action, const char *command);
void omen_action_add (omen_watch_action *action, omen_action_call *call);
/* Starts the next call if none is running. Returns true if one is running. */
bool omen_action_look (omen_watch_action *action);
void omen_action_finish (omen_watch_action *action);

#endif
