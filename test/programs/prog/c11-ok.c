/* C11 threads and mutexes
   omen: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t m;
static volatile int x;

static int
work (void *arg)
{
  (void)arg;
  mtx_lock (&m);
  x++;
  mtx_unlock (&m);
  return 0;
}

int
main (void)
{
  thrd_t a, b;
  mtx_init (&m, mtx_plain);
  thrd_create (&a, work, NULL);
  thrd_create (&b, work, NULL);
  thrd_join (a, NULL);
  thrd_join (b, NULL);
  mtx_destroy (&m);
  return x == 2 ? 0 : 1;
}
