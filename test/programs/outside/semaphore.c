/* two send, one receives: whose message it is the semaphore does not tell
   omen: none */
#include <pthread.h>
#include <stdlib.h>

void library_start (void);
void library_send (void *message);
void *library_receive (void);

static void *
sender (void *arg)
{
  int *message = malloc (sizeof *message);
  *message = 7;
  library_send (message);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  library_start ();
  pthread_create (&a, NULL, sender, NULL);
  pthread_create (&b, NULL, sender, NULL);
  for (int i = 0; i < 2; i++)
    if (*(int *)library_receive () != 7)
      __builtin_trap ();
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
