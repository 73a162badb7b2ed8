/* lifetime: use-after-free
   A driver's timer against its teardown: the timer is cancelled, but a handler that
   has begun is not waited for. */
#include "two.h"

typedef struct device {
  pthread_mutex_t lock;
  int armed, ticks;
} device;

static pthread_mutex_t timers = PTHREAD_MUTEX_INITIALIZER;
static device *registered;
#ifdef FIXED
static int running;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
#endif

static void *
timer (void *arg)
{
  device *d;
  pthread_mutex_lock (&timers);
  d = registered;
#ifdef FIXED
  running = 1;
#endif
  pthread_mutex_unlock (&timers);
  if (d) {
    pthread_mutex_lock (&d->lock);
    d->ticks++;
    pthread_mutex_unlock (&d->lock);
  }
#ifdef FIXED
  pthread_mutex_lock (&timers);
  running = 0;
  pthread_cond_broadcast (&idle);
  pthread_mutex_unlock (&timers);
#endif
  return arg;
}

static void *
teardown (void *arg)
{
  device *d;
  later ();
  pthread_mutex_lock (&timers);
  d = registered;
  registered = NULL;
#ifdef FIXED
  while (running)
    pthread_cond_wait (&idle, &timers);
#endif
  pthread_mutex_unlock (&timers);
  pthread_mutex_lock (&d->lock);
  d->armed = 0;
  pthread_mutex_unlock (&d->lock);
  free (d);
  return arg;
}

int
main (void)
{
  registered = calloc (1, sizeof *registered);
  pthread_mutex_init (&registered->lock, NULL);
  run_two (timer, teardown);
  return 0;
}
