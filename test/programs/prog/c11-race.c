/* C11 threads without
   omen: race */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static volatile int x;

static int
work (void *arg)
{
  x = *(int *)arg;
  return 0;
}

int
main (void)
{
  static int one = 1, two = 2;
  thrd_t a, b;
  thrd_create (&a, work, &one);
  thrd_create (&b, work, &two);
  thrd_join (a, NULL);
  thrd_join (b, NULL);
  return 0;
}
