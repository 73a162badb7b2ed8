/* who ends with a robust mutex gives it up; the next one is told
   omen: none */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m;
static volatile int x;

static void *
leaves (void *arg)
{
  if (pthread_mutex_lock (&m) == EOWNERDEAD)
    pthread_mutex_consistent (&m);
  x = x + 1;
  return arg;
}

static void *
takes (void *arg)
{
  if (pthread_mutex_lock (&m) == EOWNERDEAD)
    pthread_mutex_consistent (&m);
  x = x + 1;
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  pthread_mutexattr_t robust;
  pthread_t a, b, c;
  pthread_mutexattr_init (&robust);
  pthread_mutexattr_setrobust (&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init (&m, &robust);
  pthread_create (&a, NULL, leaves, NULL);
  pthread_create (&b, NULL, takes, NULL);
  pthread_create (&c, NULL, leaves, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  pthread_join (c, NULL);
  return x == 3 ? 0 : 1;
}
