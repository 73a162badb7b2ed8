// Robust mutexes are given up by who ends, as often as they were taken; one whose
// memory is gone is nobody's business.
//: acq 3
//: rel 2
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

static pthread_mutex_t *lasts, *goes;

static pthread_mutex_t *
make (int type)
{
  pthread_mutexattr_t attributes;
  pthread_mutex_t *mutex = mmap (NULL, 4096, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_init (&attributes);
  pthread_mutexattr_settype (&attributes, type);
  pthread_mutexattr_setrobust (&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init (mutex, &attributes);
  return mutex;
}

static void *
leave (void *arg)
{
  pthread_mutex_lock (lasts);
  pthread_mutex_lock (lasts);
  return arg;
}

static void *
unmap (void *arg)
{
  pthread_mutex_lock (goes);
  munmap (goes, 4096);
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  lasts = make (PTHREAD_MUTEX_RECURSIVE);
  pthread_create (&thread, NULL, leave, NULL);
  pthread_join (thread, NULL);
  printf ("owner died: %d\n", pthread_mutex_lock (lasts) == EOWNERDEAD);
  pthread_mutex_consistent (lasts);
  pthread_mutex_unlock (lasts);
  goes = make (PTHREAD_MUTEX_NORMAL);
  pthread_create (&thread, NULL, unmap, NULL);
  pthread_join (thread, NULL);
  printf ("still here\n");
  return 0;
}
