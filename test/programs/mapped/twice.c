/* a lock made of an atomic, in a file that is mapped twice: each thread uses an
   address of its own
   omen: none in what is not mapped */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TURNS = 20 };

static int fd, total;

static void *
user (void *arg)
{
  atomic_int *held
      = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  for (int i = 0; i < TURNS; i++) {
    int none = 0;
    while (!atomic_compare_exchange_weak (held, &none, 1)) {
      none = 0;
      sched_yield ();
    }
    total++;
    atomic_store (held, 0);
    sched_yield ();
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  fd = memfd_create ("lock", 0);
  if (fd < 0 || ftruncate (fd, 4096))
    return 1;
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return total != 2 * TURNS;
}
