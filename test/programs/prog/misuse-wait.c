/* A wait with a mutex that its thread never took.
   omen: misuse */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *
waiter (void *none)
{
  struct timespec soon;
  clock_gettime (CLOCK_REALTIME, &soon);
  soon.tv_sec--;
  pthread_cond_timedwait (&ready, &lock, &soon);
  return none;
}

int
main (void)
{
  pthread_t t;
  pthread_create (&t, NULL, waiter, NULL);
  pthread_join (t, NULL);
  return 0;
}
