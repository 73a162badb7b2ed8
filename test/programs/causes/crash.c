/* Ends in the way that it is told. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int *nowhere, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
write_it (int *to)
{
  pthread_mutex_lock (&lock);
  *to = 5;
  pthread_mutex_unlock (&lock);
}

static int
deep (int n)
{
  volatile char room[4096];
  room[n % 4096] = (char)n;
  return n < 0 ? 0 : deep (n + 1) + room[3];
}

static void *
run (void *how)
{
  pthread_mutex_lock (&lock);
  total++;
  pthread_mutex_unlock (&lock);
  if (!strcmp (how, "fault"))
    write_it (nowhere);
  else if (!strcmp (how, "abort"))
    abort ();
  else if (!strcmp (how, "deep"))
    total = deep (1);
  else if (!strcmp (how, "ended"))
    kill (getpid (), SIGTERM);
  return how;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  pthread_create (&thread, NULL, run, argc > 1 ? argv[1] : "well");
  pthread_join (thread, NULL);
  return argc > 2 ? 9 : 0;
}
