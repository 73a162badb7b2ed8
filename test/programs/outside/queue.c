/* messages go through a queue of the library
   omen: none */
#include <pthread.h>
#include <stdlib.h>

void library_push (void *message);
void *library_pop (void);

static void *
worker (void *arg)
{
  for (int i = 0; i < 3; i++) {
    int *message = library_pop ();
    if (*message != i)
      __builtin_trap ();
    free (message);
  }
  return arg;
}

int
main (void)
{
  pthread_t a;
  pthread_create (&a, NULL, worker, NULL);
  for (int i = 0; i < 3; i++) {
    int *message = malloc (sizeof *message);
    *message = i;
    library_push (message);
  }
  pthread_join (a, NULL);
  return 0;
}
