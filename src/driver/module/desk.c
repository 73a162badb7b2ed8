#include "driver/module/desk.h"
#include "monitor/tally.h"
#include "symbols/lookup.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void
wake (uint32_t *word)
{
  syscall (SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* The text of the question is the program's: it may be anything. */
static void
answer (omen_lookup *lookup, omen_desk *desk)
{
  char path[OMEN_DESK_TEXT], text[OMEN_LOOKUP_MAX];
  _Static_assert ((int)OMEN_LOOKUP_MAX <= (int)OMEN_DESK_TEXT, "it fits");
  memcpy (path, desk->path, sizeof path);
  path[sizeof path - 1] = 0;
  omen_lookup_file (lookup, path, desk->base, desk->pc, text);
  memcpy (desk->answer, text, sizeof text);
  __atomic_store_n (&desk->state, OMEN_DESK_ANSWERED, __ATOMIC_RELEASE);
  wake (&desk->state);
}

static void *
serve (void *self)
{
  omen_clerk *clerk = self;
  omen_desk *desk = &clerk->tally->desk;
  omen_lookup *lookup = omen_lookup_new ();
  while (!__atomic_load_n (&clerk->stop, __ATOMIC_ACQUIRE)) {
    struct timespec time = { 0, 100000000 };
    uint32_t state = __atomic_load_n (&desk->state, __ATOMIC_ACQUIRE);
    if (state == OMEN_DESK_ASKED)
      answer (lookup, desk);
    else
      syscall (SYS_futex, &desk->state, FUTEX_WAIT, state, &time, NULL, 0);
  }
  omen_lookup_free (lookup);
  return NULL;
}

static bool
map (omen_clerk *clerk, const char *path)
{
  int fd = open (path, O_RDWR | O_CLOEXEC);
  struct stat about;
  void *at = MAP_FAILED;
  if (fd >= 0 && !fstat (fd, &about)) {
    clerk->bytes = (size_t)about.st_size;
    at = mmap (NULL, clerk->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (fd >= 0)
    close (fd);
  if (at != MAP_FAILED)
    clerk->tally = at;
  return at != MAP_FAILED;
}

/* Signals are for the thread that waits for the program. */
void
omen_clerk_start (omen_clerk *clerk, const char *path)
{
  sigset_t all, old;
  *clerk = (omen_clerk){ 0 };
  if (!map (clerk, path))
    return;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  __atomic_store_n (&clerk->tally->desk.open, 1, __ATOMIC_RELEASE);
  if (pthread_create (&clerk->thread, NULL, serve, clerk)) {
    clerk->tally->desk.open = 0;
    munmap (clerk->tally, clerk->bytes);
    clerk->tally = NULL;
  }
  pthread_sigmask (SIG_SETMASK, &old, NULL);
}

void
omen_clerk_stop (omen_clerk *clerk)
{
  if (!clerk->tally)
    return;
  __atomic_store_n (&clerk->tally->desk.open, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&clerk->stop, true, __ATOMIC_RELEASE);
  wake (&clerk->tally->desk.state);
  pthread_join (clerk->thread, NULL);
  munmap (clerk->tally, clerk->bytes);
  clerk->tally = NULL;
}
