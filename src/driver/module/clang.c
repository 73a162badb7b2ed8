#include "driver/module/clang.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
on_path (const char *program)
{
  char *path
      = omen_strdup (secure_getenv ("PATH") ? secure_getenv ("PATH") : ""),
      *rest;
  bool found = false;
  for (char *at = strtok_r (path, ":", &rest); at && !found;
       at = strtok_r (NULL, ":", &rest)) {
    char file[4096];
    snprintf (file, sizeof file, "%s/%s", at, program);
    found = !access (file, X_OK);
  }
  omen_free (path);
  return found;
}

const char *
omen_clang_find (bool cxx)
{
  const char *chosen = secure_getenv (cxx ? "OMEN_CLANGXX" : "OMEN_CLANG");
  const char *versioned = cxx ? "clang++-19" : "clang-19";
  if (chosen && *chosen)
    return chosen;
  return on_path (versioned) ? versioned : cxx ? "clang++" : "clang";
}

void
omen_args_add (omen_cc_args *args, const char *format, const char *value)
{
  size_t room = strlen (format) + strlen (value) + 1;
  char *text = omen_alloc (room);
  snprintf (text, room, format, value);
  OMEN_VEC_PUSH (*args, text);
}

void
omen_args_fini (omen_cc_args *args)
{
  for (size_t i = 0; i < args->count; i++)
    omen_free (args->data[i]);
  OMEN_VEC_FINI (*args);
}

/* Ours, with another TMPDIR unless that is NULL. Free what is in it. */
static omen_cc_args
environment (const char *temporary)
{
  static const char name[] = "TMPDIR=";
  omen_cc_args all = { 0 };
  for (char **entry = environ; *entry; entry++)
    if (!temporary || strncmp (*entry, name, sizeof name - 1))
      omen_args_add (&all, "%s", *entry);
  if (temporary)
    omen_args_add (&all, "TMPDIR=%s", temporary);
  OMEN_VEC_PUSH (all, NULL);
  return all;
}

static int
start_clang (omen_cc_args *args, const char *folder, pid_t *child)
{
  posix_spawn_file_actions_t files;
  omen_cc_args all = environment (folder);
  char errors[PATH_MAX];
  int error;
  posix_spawn_file_actions_init (&files);
  if (folder && snprintf (errors, sizeof errors, "%s/errors", folder) > 0)
    posix_spawn_file_actions_addopen (&files, STDERR_FILENO, errors,
                                      O_WRONLY | O_CREAT | O_TRUNC, 0600);
  OMEN_VEC_PUSH (*args, NULL);
  error
      = posix_spawnp (child, args->data[0], &files, NULL, args->data, all.data);
  args->count--;
  posix_spawn_file_actions_destroy (&files);
  omen_args_fini (&all);
  return error;
}

int
omen_clang_run (omen_cc_args *args, const char *folder, omen_err *err)
{
  pid_t child;
  int status = 0, error;
  fflush (NULL);
  error = start_clang (args, folder, &child);
  if (error) {
    omen_err_set (err, args->data[0], "cannot run: %s", strerror (error));
    return -1;
  }
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}
