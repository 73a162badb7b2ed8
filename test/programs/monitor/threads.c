/* Events of many threads, of a child, in a signal handler; objects that die;
   a handler that leaves by longjmp; a state predicate. */
#include <omen.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int level;
static jmp_buf out;

static void
step (int *p)
{
  *p += 1;
}

static void *
work (void *unused)
{
  for (int i = 0; i < 500; i++) {
    int *p = calloc (1, sizeof *p);
    step (p);
    step (p);
    OMEN_EVENT (mark, p);
    free (p);
  }
  return unused;
}

void
recover (void)
{
  longjmp (out, 1);
}

static void
on_alarm (int number)
{
  static int own;
  step (&own);
  (void)number;
}

int
main (void)
{
  pthread_t threads[4];
  signal (SIGALRM, on_alarm);
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  if (!fork ()) {
    work (NULL);
    _exit (0);
  }
  wait (NULL);
  level = 1;
  level = 5;
  level = 2;
  if (setjmp (out))
    puts ("recovered");
  else {
    OMEN_EVENT (jump);
    puts ("not here");
  }
  work (NULL);
  raise (SIGALRM);
  return 0;
}
