/* Threads with names of every kind: the function that they begin in, which calls
   nothing; given by themselves, in two ways; given by another thread. Each writes
   a number of its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
int x;

static void
set (int to)
{
  pthread_mutex_lock (&lock);
  x = to;
  pthread_mutex_unlock (&lock);
}

static void *
teller (void *unused)
{
  x = 1;
  return unused;
}

static void *
second (void *unused)
{
  pthread_setname_np (pthread_self (), "cashier");
  set (2);
  return unused;
}

static void *
third (void *unused)
{
  prctl (PR_SET_NAME, "IO worker");
  set (3);
  return unused;
}

static void *
fourth (void *unused)
{
  pthread_mutex_lock (&gate);
  set (4);
  pthread_mutex_unlock (&gate);
  return unused;
}

int
main (void)
{
  void *(*const begin[]) (void *) = { second, third };
  pthread_t thread;
  pthread_create (&thread, 0, teller, 0);
  pthread_join (thread, 0);
  for (int i = 0; i < 2; i++) {
    pthread_create (&thread, 0, begin[i], 0);
    pthread_join (thread, 0);
  }
  pthread_mutex_lock (&gate);
  pthread_create (&thread, 0, fourth, 0);
  pthread_setname_np (thread, "guest");
  pthread_mutex_unlock (&gate);
  pthread_join (thread, 0);
  set (5);
  printf ("%d\n", x);
  return 0;
}
