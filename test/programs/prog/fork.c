/* a child of its own
   omen: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void *
work (void *arg)
{
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  pthread_t t;
  int status = 1;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  pid_t child = fork ();
  if (!child)
    _exit (x == 1 ? 0 : 2);
  waitpid (child, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 3;
}
