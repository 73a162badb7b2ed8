/* the first thread has ended before the second begins
   omen: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t a_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b_lock = PTHREAD_MUTEX_INITIALIZER;

static void *
forth (void *arg)
{
  pthread_mutex_lock (&a_lock);
  pthread_mutex_lock (&b_lock);
  pthread_mutex_unlock (&b_lock);
  pthread_mutex_unlock (&a_lock);
  return arg;
}

static void *
back (void *arg)
{
  pthread_mutex_lock (&b_lock);
  pthread_mutex_lock (&a_lock);
  pthread_mutex_unlock (&a_lock);
  pthread_mutex_unlock (&b_lock);
  return arg;
}

int
main (void)
{
  pthread_t t;
  pthread_create (&t, NULL, forth, NULL);
  pthread_join (t, NULL);
  pthread_create (&t, NULL, back, NULL);
  pthread_join (t, NULL);
  return 0;
}
