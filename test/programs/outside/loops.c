/* many flags are set by the library; a loop that could be noted whole sees it
   omen: none */
#include <pthread.h>
#include <sched.h>

enum { FLAGS = 400 };

void library_fill (int *flags, int count);

static int flags[FLAGS];
static volatile int data;

__attribute__ ((noinline)) static int
sum (const int *at)
{
  int all = 0;
  for (int i = 0; i < FLAGS; i++)
    all += at[i];
  return all;
}

static void *
waiter (void *arg)
{
  while (sum (flags) < FLAGS)
    sched_yield ();
  data++;
  return arg;
}

int
main (void)
{
  pthread_t a;
  pthread_create (&a, NULL, waiter, NULL);
  data = 5;
  library_fill (flags, FLAGS);
  pthread_join (a, NULL);
  return 0;
}
