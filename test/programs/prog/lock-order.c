/* the classic
   omen: deadlock */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t a_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b_lock = PTHREAD_MUTEX_INITIALIZER;

static void *
first (void *arg)
{
  pthread_mutex_lock (&a_lock);
  pthread_mutex_lock (&b_lock);
  pthread_mutex_unlock (&b_lock);
  pthread_mutex_unlock (&a_lock);
  return arg;
}

static void *
second (void *arg)
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
  run_two (first, second);
  return 0;
}
