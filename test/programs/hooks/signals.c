// Handlers that use locks, atomics and memory, in threads that do the same.
//: acq =rel
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int hits, over;
static pthread_mutex_t in_handler = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[32];
static int count;

static void
handle (int signal)
{
  if (!pthread_mutex_trylock (&in_handler)) {
    strcpy (text, "in a handler");
    pthread_mutex_unlock (&in_handler);
  }
  atomic_fetch_add (&hits, 1);
}

static void *
work (void *arg)
{
  for (int i = 0; i < 500 || !atomic_load (&over); i++) {
    pthread_mutex_lock (&lock);
    count++;
    pthread_mutex_unlock (&lock);
    free (malloc (100));
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  struct sigaction how = { .sa_handler = handle, .sa_flags = SA_RESTART };
  sigaction (SIGUSR1, &how, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 20; i++) {
    pthread_kill (threads[i % 2], SIGUSR1);
    usleep (1000);
  }
  atomic_store (&over, 1);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  puts (text);
  return 0;
}
