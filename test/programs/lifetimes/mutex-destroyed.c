/* lifetime: use-after-destroy
   A mutex is destroyed by who ends the service, while a client may still take it. */
#include "two.h"

static pthread_mutex_t lock;
static int calls;

static void *
client (void *arg)
{
  pthread_mutex_lock (&lock);
  calls++;
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_mutex_init (&lock, NULL);
  pthread_create (&thread, NULL, client, NULL);
  later ();
#ifdef FIXED
  pthread_join (thread, NULL);
  pthread_mutex_destroy (&lock);
#else
  pthread_mutex_destroy (&lock);
  pthread_join (thread, NULL);
#endif
  return 0;
}
