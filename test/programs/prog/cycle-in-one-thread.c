/* both orders, but one after the other
   omen: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t a_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b_lock = PTHREAD_MUTEX_INITIALIZER;

static void *
both (void *arg)
{
  pthread_mutex_lock (&a_lock);
  pthread_mutex_lock (&b_lock);
  pthread_mutex_unlock (&b_lock);
  pthread_mutex_unlock (&a_lock);
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
  pthread_create (&t, NULL, both, NULL);
  pthread_join (t, NULL);
  return 0;
}
