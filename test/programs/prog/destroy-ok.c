/* Everything is destroyed as soon as POSIX allows, by who uses it last: a lock by
   who has had it, a condition by who was woken, a semaphore by who got the post,
   a barrier by who leaves it. They lie in a block, on the stack, and are made
   again at the same place. omen: none */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

typedef struct job {
  pthread_mutex_t m;
  pthread_cond_t c;
  int done;
  pthread_barrier_t b;
  sem_t s;
} job;

static void *
work (void *arg)
{
  job *j = arg;
  pthread_mutex_lock (&j->m);
  j->done = 1;
  pthread_cond_signal (&j->c);
  pthread_mutex_unlock (&j->m);
  return NULL;
}

static void *
meet (void *arg)
{
  job *j = arg;
  pthread_barrier_wait (&j->b);
  return NULL;
}

static void *
post (void *arg)
{
  job *j = arg;
  sem_post (&j->s);
  return NULL;
}

static void
start (void *(*what) (void *), job *j)
{
  pthread_t thread;
  pthread_create (&thread, NULL, what, j);
  pthread_detach (thread);
}

static void
run (job *j)
{
  pthread_mutex_init (&j->m, NULL);
  pthread_cond_init (&j->c, NULL);
  pthread_barrier_init (&j->b, NULL, 2);
  sem_init (&j->s, 0, 0);
  j->done = 0;
  start (work, j);
  pthread_mutex_lock (&j->m);
  while (!j->done)
    pthread_cond_wait (&j->c, &j->m);
  pthread_mutex_unlock (&j->m);
  pthread_cond_destroy (&j->c);
  pthread_mutex_destroy (&j->m);
  start (meet, j);
  pthread_barrier_wait (&j->b);
  pthread_barrier_destroy (&j->b);
  start (post, j);
  sem_wait (&j->s);
  sem_destroy (&j->s);
}

int
main (void)
{
  job local, *heap = malloc (sizeof *heap);
  run (heap);
  run (heap);
  free (heap);
  run (&local);
  return 0;
}
