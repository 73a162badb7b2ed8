// Recursive, errorcheck, robust: what the calls return stays as it is.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t recursive, checked, robust;

static void
make (pthread_mutex_t *lock, int type, int keep)
{
  pthread_mutexattr_t how;
  pthread_mutexattr_init (&how);
  pthread_mutexattr_settype (&how, type);
  pthread_mutexattr_setrobust (&how, keep);
  pthread_mutex_init (lock, &how);
  pthread_mutexattr_destroy (&how);
}

static void *
steal (void *arg)
{
  printf ("%d\n", pthread_mutex_unlock (&checked) == EPERM);
  printf ("%d\n", pthread_mutex_trylock (&recursive) == EBUSY);
  return arg;
}

static void *
die (void *arg)
{
  pthread_mutex_lock (&robust);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  make (&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  make (&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  make (&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_lock (&recursive);
  pthread_mutex_lock (&recursive);
  pthread_mutex_lock (&checked);
  printf ("%d\n", pthread_mutex_lock (&checked) == EDEADLK);
  pthread_create (&thread, NULL, steal, NULL);
  pthread_join (thread, NULL);
  pthread_mutex_unlock (&checked);
  pthread_mutex_unlock (&recursive);
  pthread_mutex_unlock (&recursive);
  printf ("%d\n", pthread_mutex_destroy (&recursive));
  pthread_create (&thread, NULL, die, NULL);
  pthread_join (thread, NULL);
  printf ("%d\n", pthread_mutex_lock (&robust) == EOWNERDEAD);
  printf ("%d\n", pthread_mutex_consistent (&robust));
  printf ("%d\n", pthread_mutex_unlock (&robust));
  return 0;
}
