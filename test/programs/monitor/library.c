/* Not woven: what it calls of libraries is all that is known of it. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *
other (void *unused)
{
  sched_yield ();
  return unused;
}

int
main (int argc, char **argv)
{
  FILE *file = fopen (argv[0], "r"), *again;
  char text[100];
  pthread_t thread;
  void *volatile block = malloc (100);
  free (block);
  block = malloc (100); /* the same address, another block */
  snprintf (text, sizeof text, "%d %d %d %d %d %d %.1f %d %s", 1, 2, 3, 4, 5, 6,
            7.5, 8, "nine");
  puts (text);
  fileno (file);
  fclose (file);
  again = fopen (argv[0], "r");
  fclose (again);
  pthread_mutex_lock (&mutex);
  pthread_create (&thread, NULL, other, NULL);
  pthread_join (thread, NULL);
  sched_yield ();
  pthread_mutex_unlock (&mutex);
  if (argc > 1) {
    fileno (again);
    pthread_mutex_lock (&mutex);
    pthread_mutex_trylock (&mutex);
  }
  free (block);
  return argc;
}
