/* A race of which the first meetings are not to be had again: what was written
   there in the run that left a mark is written elsewhere in later ones. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int shared, other, again;

static int *
target (int i)
{
  return again && i < 3 ? &other : &shared;
}

static void *
run (void *arg)
{
  for (int i = 0; i < 12; i++)
    *target (i) = i;
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t one, two;
  again = argc > 1 && access (argv[1], F_OK) == 0;
  if (argc > 1)
    close (open (argv[1], O_CREAT | O_WRONLY, 0600));
  pthread_create (&one, NULL, run, NULL);
  pthread_create (&two, NULL, run, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
