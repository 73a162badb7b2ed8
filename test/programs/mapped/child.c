/* memory that is shared with a child: what it writes there nobody sees, but for
   who reads it
   omen: none */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 300 };

static volatile uint64_t *box;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static uint64_t most; /* under m */

static void *
watcher (void *arg)
{
  uint64_t seen = 0, n = 0;
  while (box[0] < TURNS) {
    uint64_t now = box[1];
    if (now < seen)
      return NULL;
    seen = now;
    pthread_mutex_lock (&m);
    most = most < seen ? seen : most;
    pthread_mutex_unlock (&m);
    if (++n % 16 == 0)
      usleep (50);
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  void *ends[2];
  box = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
              -1, 0);
  pid_t child = fork ();
  if (!child) {
    for (uint64_t i = 1; i <= TURNS; i++) {
      box[1] = 3 * i;
      box[0] = i;
      usleep (20);
    }
    _exit (0);
  }
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, watcher, (void *)box);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], &ends[i]);
  waitpid (child, NULL, 0);
  return !(ends[0] && ends[1] && most <= 3 * TURNS);
}
