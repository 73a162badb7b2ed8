/* a mutex of several processes, at two addresses of one
   omen: none */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct shared {
  pthread_mutex_t lock;
  int count;
} shared;

static int fd, total;

static shared *
attach (void)
{
  return mmap (NULL, sizeof (shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
               0);
}

static void *
user (void *arg)
{
  shared *s = attach ();
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock (&s->lock);
    s->count++;
    total++;
    pthread_mutex_unlock (&s->lock);
    usleep (10);
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  pthread_mutexattr_t kind;
  shared *s;
  fd = memfd_create ("lock", 0);
  if (fd < 0 || ftruncate (fd, sizeof *s))
    return 1;
  s = attach ();
  pthread_mutexattr_init (&kind);
  pthread_mutexattr_setpshared (&kind, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init (&s->lock, &kind);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return total != 20 || s->count != 20;
}
