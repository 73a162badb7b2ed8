/* another process orders: it passes on what it reads, posts when it was posted,
   ends when it is told to
   omen: none */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int to[2], from[2];
static pid_t child;
static sem_t *sems, posted;
static volatile int x, y, z;

static void
be_child (void)
{
  char sign;
  if (read (to[0], &sign, 1) == 1 && write (from[1], &sign, 1) == 1
      && !sem_wait (&sems[0]))
    sem_post (&sems[1]);
  for (;;)
    pause ();
}

static void *
receiver (void *arg)
{
  char sign;
  if (read (from[0], &sign, 1) != 1 || x != 1)
    abort ();
  x = 2;
  if (sem_wait (&sems[1]) || y != 1)
    abort ();
  y = 2;
  sem_post (&posted);
  if (waitpid (child, NULL, 0) != child || z != 1)
    abort ();
  z = 2;
  return arg;
}

int
main (void)
{
  pthread_t t;
  sems = mmap (NULL, 2 * sizeof *sems, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (sems == MAP_FAILED || sem_init (&sems[0], 1, 0)
      || sem_init (&sems[1], 1, 0) || sem_init (&posted, 0, 0) || pipe (to) || pipe (from))
    return 1;
  child = fork ();
  if (!child)
    be_child ();
  pthread_create (&t, NULL, receiver, NULL);
  x = 1;
  if (write (to[1], "!", 1) != 1)
    return 1;
  y = 1;
  sem_post (&sems[0]);
  sem_wait (&posted);
  z = 1;
  kill (child, SIGKILL);
  pthread_join (t, NULL);
  return 0;
}
