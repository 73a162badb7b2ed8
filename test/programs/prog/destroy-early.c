/* The other thread says that it is done, gives up the lock, and signals then: by
   that time the condition may be destroyed and freed. omen: lifetime, perhaps race */
#include <pthread.h>
#include <stdlib.h>

typedef struct job {
  pthread_mutex_t m;
  int done;
  pthread_cond_t c;
} job;

static void *
work (void *arg)
{
  job *j = arg;
  pthread_mutex_lock (&j->m);
  j->done = 1;
  pthread_mutex_unlock (&j->m);
  pthread_cond_signal (&j->c);
  return NULL;
}

int
main (void)
{
  job *j = calloc (1, sizeof *j);
  pthread_t thread;
  pthread_mutex_init (&j->m, NULL);
  pthread_cond_init (&j->c, NULL);
  pthread_create (&thread, NULL, work, j);
  pthread_mutex_lock (&j->m);
  while (!j->done)
    pthread_cond_wait (&j->c, &j->m);
  pthread_mutex_unlock (&j->m);
  pthread_cond_destroy (&j->c);
  free (j);
  pthread_join (thread, NULL);
  return 0;
}
