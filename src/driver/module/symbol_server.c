#include "driver/module/symbol_server.h"
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
wake_word (uint32_t *word)
{
  syscall (SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* The question comes from the program, so its text cannot be trusted. */
static void
answer_question (omen_lookup *lookup, omen_symbol_queue *queue)
{
  char path[OMEN_QUEUE_TEXT], text[OMEN_LOOKUP_MAX];
  _Static_assert ((int)OMEN_LOOKUP_MAX <= (int)OMEN_QUEUE_TEXT, "it fits");
  memcpy (path, queue->path, sizeof path);
  path[sizeof path - 1] = 0;
  omen_lookup_file (lookup, path, queue->base, queue->pc, text);
  memcpy (queue->answer, text, sizeof text);
  __atomic_store_n (&queue->state, OMEN_QUEUE_ANSWERED, __ATOMIC_RELEASE);
  wake_word (&queue->state);
}

static void *
serve_symbols (void *self)
{
  omen_symbol_server *server = self;
  omen_symbol_queue *queue = &server->tally->queue;
  omen_lookup *lookup = omen_lookup_new ();
  while (!__atomic_load_n (&server->stop, __ATOMIC_ACQUIRE)) {
    struct timespec time = { 0, 100000000 };
    uint32_t state = __atomic_load_n (&queue->state, __ATOMIC_ACQUIRE);
    if (state == OMEN_QUEUE_ASKED)
      answer_question (lookup, queue);
    else
      syscall (SYS_futex, &queue->state, FUTEX_WAIT, state, &time, NULL, 0);
  }
  omen_lookup_free (lookup);
  return NULL;
}

static bool
map (omen_symbol_server *server, const char *path)
{
  int fd = open (path, O_RDWR | O_CLOEXEC);
  struct stat about;
  void *at = MAP_FAILED;
  if (fd >= 0 && !fstat (fd, &about)) {
    server->bytes = (size_t)about.st_size;
    at = mmap (NULL, server->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (fd >= 0)
    close (fd);
  if (at != MAP_FAILED)
    server->tally = at;
  return at != MAP_FAILED;
}

/* Signals are blocked in the server's thread; the one that waits for the
   program takes them. */
void
omen_symbol_server_start (omen_symbol_server *server, const char *path)
{
  sigset_t all, old;
  *server = (omen_symbol_server){ 0 };
  if (!map (server, path))
    return;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  __atomic_store_n (&server->tally->queue.open, 1, __ATOMIC_RELEASE);
  if (pthread_create (&server->thread, NULL, serve_symbols, server)) {
    server->tally->queue.open = 0;
    munmap (server->tally, server->bytes);
    server->tally = NULL;
  }
  pthread_sigmask (SIG_SETMASK, &old, NULL);
}

void
omen_symbol_server_stop (omen_symbol_server *server)
{
  if (!server->tally)
    return;
  __atomic_store_n (&server->tally->queue.open, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&server->stop, true, __ATOMIC_RELEASE);
  wake_word (&server->tally->queue.state);
  pthread_join (server->thread, NULL);
  munmap (server->tally, server->bytes);
  server->tally = NULL;
}
