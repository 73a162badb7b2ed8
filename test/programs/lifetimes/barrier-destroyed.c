/* lifetime: use-after-destroy
   A barrier for one is destroyed by another thread, which only knows that it was
   made. */
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meet;
static int made;

static void *
arrives (void *arg)
{
  pthread_barrier_wait (&meet);
#ifdef FIXED
  pthread_mutex_lock (&lock);
  made = 2;
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

static void *
destroys (void *arg)
{
  int last;
  later ();
  pthread_mutex_lock (&lock);
  last = made;
  pthread_mutex_unlock (&lock);
#ifdef FIXED
  if (last == 2)
#endif
    pthread_barrier_destroy (&meet);
  return arg;
}

int
main (void)
{
  pthread_barrier_init (&meet, NULL, 1);
  made = 1;
  run_two (arrives, destroys);
  return 0;
}
