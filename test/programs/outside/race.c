/* the queue of the library does not order what comes after it
   omen: race */
#include <pthread.h>
#include <stdlib.h>

void library_push (void *message);
void *library_pop (void);

static volatile int data;

static void *
worker (void *arg)
{
  library_pop ();
  data++;
  return arg;
}

int
main (void)
{
  static int message;
  pthread_t a;
  pthread_create (&a, NULL, worker, NULL);
  library_push (&message);
  data++;
  pthread_join (a, NULL);
  return 0;
}
