/* a counter that a spin lock of the library guards */
#include <pthread.h>

void plain_lock (void);
void plain_unlock (void);

static int counter;

static void *
worker (void *arg)
{
  for (int i = 0; i < 3; i++) {
    plain_lock ();
    counter++;
    plain_unlock ();
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
  return counter != 6;
}
