/* waits: condition lock thread
   The inner monitor waits, and gives up its own lock only: who would notify comes
   through the outer one. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void
take (void)
{
  pthread_mutex_lock (&inner);
  while (!items)
    pthread_cond_wait (&filled, &inner);
  items--;
  pthread_mutex_unlock (&inner);
}

static void
put (void)
{
  pthread_mutex_lock (&inner);
  items++;
  pthread_cond_signal (&filled);
  pthread_mutex_unlock (&inner);
}

static void *
consumer (void *arg)
{
  usleep (100000);
#ifndef FIXED
  pthread_mutex_lock (&outer);
#endif
  take ();
#ifndef FIXED
  pthread_mutex_unlock (&outer);
#endif
  return arg;
}

static void *
producer (void *arg)
{
  pthread_mutex_lock (&outer);
  pthread_mutex_unlock (&outer);
  usleep (300000);
  put ();
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, consumer, NULL);
  pthread_create (&b, NULL, producer, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
