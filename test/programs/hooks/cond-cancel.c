// A cancelled wait has its lock back, and its handler gives it up. What happens
// while it unwinds comes between wait and wake, which are then told as rel and
// acq.
//: acq =rel
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting;

static void
give_up (void *arg)
{
  puts ("cancelled");
  pthread_mutex_unlock (arg);
}

static void *
wait (void *arg)
{
  pthread_mutex_lock (&lock);
  pthread_cleanup_push (give_up, &lock);
  waiting = 1;
  pthread_cond_wait (&never, &lock);
  pthread_cleanup_pop (1);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  void *result;
  int ready = 0;
  pthread_create (&thread, NULL, wait, NULL);
  while (!ready) {
    pthread_mutex_lock (&lock);
    ready = waiting;
    pthread_mutex_unlock (&lock);
    usleep (1000);
  }
  pthread_cancel (thread);
  pthread_join (thread, &result);
  printf ("%d\n", result == PTHREAD_CANCELED);
  printf ("%d\n", pthread_mutex_trylock (&lock));
  pthread_mutex_unlock (&lock);
  return 0;
}
