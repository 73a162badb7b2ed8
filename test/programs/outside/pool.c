/* memory of the library is used by one thread after the other
   omen: none */
#include <pthread.h>
#include <sched.h>

void *library_take (void);
void library_give (void *block);

static void *
worker (void *arg)
{
  for (int i = 0; i < 3; i++) {
    int *block;
    while (!(block = library_take ()))
      sched_yield ();
    *block = i;
    library_give (block);
  }
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, worker, NULL);
  pthread_create (&b, NULL, worker, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
