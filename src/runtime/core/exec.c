/* exec replaces the program, so its log is written first. If exec fails,
   recording goes on. In the child of a vfork, which shares its parent's memory,
   nothing is done. */
#include "runtime/hooks/channel.h"
#include "runtime/core/core.h"
#include "runtime/core/serve.h"
#include "runtime/monitor/monitor.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static bool
before_exec (void)
{
  if (omen_life_is_first ())
    omen_monitor_end ();
  omen_serve_depends (OMEN_SERVED_PROCESSES);
  omen_channel_share (); /* in the child of a vfork: with its parent */
  if (!omen_life_here ())
    return false;
  omen_busy_begin ();
  omen_log_flush_all ();
  if (omen_file_seal ())
    return true;
  omen_busy_end ();
  return false;
}

static int
exec_failed (bool sealed, int result)
{
  if (sealed) {
    omen_file_unseal ();
    omen_busy_end ();
  }
  return result;
}

#pragma GCC visibility push(default)

#define EXEC(name, parameters, arguments)                                      \
  int name parameters                                                          \
  {                                                                            \
    static int (*real) parameters;                                             \
    omen_real (&real, #name);                                                  \
    bool sealed = before_exec ();                                              \
    return exec_failed (sealed, real arguments);                               \
  }

EXEC (execve, (const char *path, char *const words[], char *const values[]),
      (path, words, values))
EXEC (execv, (const char *path, char *const words[]), (path, words))
EXEC (execvp, (const char *name, char *const words[]), (name, words))
EXEC (execvpe, (const char *name, char *const words[], char *const values[]),
      (name, words, values))
EXEC (fexecve, (int fd, char *const words[], char *const values[]),
      (fd, words, values))
EXEC (execveat,
      (int fd, const char *path, char *const words[], char *const values[],
       int flags),
      (fd, path, words, values, flags))

/* Collects the arguments of execl and its kin, up to the NULL, in an array
   `words`. */
#define GATHER(first)                                                          \
  size_t count = 1;                                                            \
  va_list list;                                                                \
  va_start (list, first);                                                      \
  while (va_arg (list, char *))                                                \
    count++;                                                                   \
  va_end (list);                                                               \
  char *words[count + 1];                                                      \
  va_start (list, first);                                                      \
  words[0] = (char *)first;                                                    \
  for (size_t i = 1; i <= count; i++)                                          \
  words[i] = va_arg (list, char *)

int
execl (const char *path, const char *first, ...)
{
  GATHER (first);
  va_end (list);
  return execve (path, words, environ);
}

int
execlp (const char *name, const char *first, ...)
{
  GATHER (first);
  va_end (list);
  return execvp (name, words);
}

int
execle (const char *path, const char *first, ...)
{
  GATHER (first);
  char *const *values = va_arg (list, char *const *);
  va_end (list);
  return execve (path, words, values);
}

#pragma GCC visibility pop
