/* an eventfd orders, also by its own functions and under a second number; so the
   locks are never asked for at the same time
   omen: none */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int event, same, other;
static volatile int x;

static void
take (pthread_mutex_t *a, pthread_mutex_t *b)
{
  pthread_mutex_lock (a);
  pthread_mutex_lock (b);
  pthread_mutex_unlock (b);
  pthread_mutex_unlock (a);
}

static void *
receiver (void *arg)
{
  eventfd_t value;
  uint64_t count;
  if (eventfd_read (other, &value))
    abort ();
  take (&second, &first);
  if (read (same, &count, sizeof count) != sizeof count || x != 5)
    abort ();
  x = 6;
  return arg;
}

int
main (void)
{
  pthread_t t;
  uint64_t one = 1;
  other = eventfd (0, 0);
  event = eventfd (0, 0);
  same = dup (event);
  pthread_create (&t, NULL, receiver, NULL);
  take (&first, &second);
  if (eventfd_write (other, 1))
    return 1;
  x = 5;
  if (write (event, &one, sizeof one) != sizeof one)
    return 1;
  pthread_join (t, NULL);
  return 0;
}
