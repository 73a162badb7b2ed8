// Barriers, conditions and locks that two processes share.
//: ha >=3
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct shared {
  pthread_barrier_t barrier;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  int told, sum;
} shared;

static shared *s;

static void
make (void)
{
  pthread_barrierattr_t barrier;
  pthread_mutexattr_t mutex;
  pthread_condattr_t condition;
  pthread_rwlockattr_t rwlock;
  s = mmap (NULL, sizeof *s, PROT_READ | PROT_WRITE,
            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrierattr_init (&barrier);
  pthread_mutexattr_init (&mutex);
  pthread_condattr_init (&condition);
  pthread_rwlockattr_init (&rwlock);
  pthread_barrierattr_setpshared (&barrier, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setpshared (&mutex, PTHREAD_PROCESS_SHARED);
  pthread_condattr_setpshared (&condition, PTHREAD_PROCESS_SHARED);
  pthread_rwlockattr_setpshared (&rwlock, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init (&s->barrier, &barrier, 2);
  pthread_mutex_init (&s->mutex, &mutex);
  pthread_cond_init (&s->condition, &condition);
  pthread_rwlock_init (&s->rwlock, &rwlock);
}

static void
be_child (void)
{
  pthread_barrier_wait (&s->barrier);
  usleep (20000);
  pthread_rwlock_wrlock (&s->rwlock);
  s->sum++;
  pthread_rwlock_unlock (&s->rwlock);
  pthread_mutex_lock (&s->mutex);
  s->told = 1;
  pthread_cond_signal (&s->condition);
  pthread_mutex_unlock (&s->mutex);
  _exit (0);
}

static void *
waiter (void *arg)
{
  pthread_mutex_lock (&s->mutex);
  while (!s->told)
    pthread_cond_wait (&s->condition, &s->mutex);
  pthread_mutex_unlock (&s->mutex);
  pthread_rwlock_wrlock (&s->rwlock);
  s->sum++;
  pthread_rwlock_unlock (&s->rwlock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  make ();
  pid_t child = fork ();
  if (!child)
    be_child ();
  pthread_create (&thread, NULL, waiter, NULL);
  pthread_barrier_wait (&s->barrier);
  pthread_join (thread, NULL);
  waitpid (child, NULL, 0);
  printf ("%d %d\n", s->told, s->sum);
  return 0;
}
