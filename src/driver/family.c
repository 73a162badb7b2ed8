#include "driver/family.h"
#include "base/vec.h"
#include "driver/guard.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct process {
  pid_t pid, parent;
  uint64_t start;
  bool in; /* belongs to the family */
} process;

typedef OMEN_VEC (process) processes;

/* Field numbers in "17 (its name) S 1 …", from 1. */
enum { PARENT = 4, START = 22 };

static bool
read_process (pid_t pid, process *p)
{
  char path[40], text[1024];
  snprintf (path, sizeof path, "/proc/%d/stat", (int)pid);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t size = fd < 0 ? -1 : read (fd, text, sizeof text - 1);
  if (fd >= 0)
    close (fd);
  if (size <= 0)
    return false;
  text[size] = 0;
  char *word = strrchr (text, ')'), *more; /* names may contain any character */
  *p = (process){ .pid = pid };
  word = word ? strtok_r (word, " ", &more) : NULL;
  for (unsigned i = 2; word && i <= START; i++) {
    if (i == PARENT)
      p->parent = (pid_t)strtol (word, NULL, 10);
    else if (i == START)
      p->start = strtoull (word, NULL, 10);
    word = strtok_r (NULL, " ", &more);
  }
  return word;
}

uint64_t
omen_family_start (pid_t child)
{
  process p;
  return read_process (child, &p) ? p.start : UINT64_MAX;
}

void
omen_family_adopt (void)
{
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static void
find_all (processes *all)
{
  DIR *proc = opendir ("/proc");
  struct dirent *entry;
  process p;
  while (proc && (entry = readdir (proc)))
    if (isdigit ((unsigned char)entry->d_name[0])
        && read_process ((pid_t)strtol (entry->d_name, NULL, 10), &p))
      OMEN_VEC_PUSH (*all, p);
  if (proc)
    closedir (proc);
}

static bool
is_listed_process (const processes *all, pid_t pid)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->data[i].pid == pid)
      return all->data[i].in;
  return false;
}

static void
find_family (processes *all, uint64_t first)
{
  bool more = true;
  find_all (all);
  for (size_t i = 0; i < all->count; i++)
    all->data[i].in
        = all->data[i].parent == getpid () && all->data[i].start >= first
          && !omen_guard_is (all->data[i].pid); /* as old, perhaps */
  while (more) {
    more = false;
    for (size_t i = 0; i < all->count; i++)
      if (!all->data[i].in && is_listed_process (all, all->data[i].parent))
        more = all->data[i].in = true;
  }
}

bool
omen_family_signal (uint64_t first, int number)
{
  processes all = { 0 };
  bool any = false;
  find_family (&all, first);
  for (size_t i = 0; i < all.count; i++)
    if (all.data[i].in) {
      any = true;
      kill (all.data[i].pid, number);
    }
  OMEN_VEC_FINI (all);
  return any;
}

/* Waits only for children of the family, since others may be waited for
   elsewhere. */
static void
reap (uint64_t first)
{
  processes all = { 0 };
  find_all (&all);
  for (size_t i = 0; i < all.count; i++)
    if (all.data[i].parent == getpid () && all.data[i].start >= first
        && !omen_guard_is (all.data[i].pid))
      waitpid (all.data[i].pid, NULL, WNOHANG);
  OMEN_VEC_FINI (all);
}

void
omen_family_end (uint64_t first)
{
  const struct timespec moment = { 0, 2000000 };
  for (unsigned i = 0; i < 2000 && omen_family_signal (first, SIGKILL); i++) {
    nanosleep (&moment, NULL);
    reap (first);
  }
}
