/* a cycle through three threads
   omen: deadlock */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t locks[3]
    = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
        PTHREAD_MUTEX_INITIALIZER };

static void *
eat (void *arg)
{
  int i = *(int *)arg;
  pthread_mutex_lock (&locks[i]);
  pthread_mutex_lock (&locks[(i + 1) % 3]);
  pthread_mutex_unlock (&locks[(i + 1) % 3]);
  pthread_mutex_unlock (&locks[i]);
  return NULL;
}

int
main (void)
{
  static int seats[3] = { 0, 1, 2 };
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create (&t[i], NULL, eat, &seats[i]);
  for (int i = 0; i < 3; i++)
    pthread_join (t[i], NULL);
  return 0;
}
