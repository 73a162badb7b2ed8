/* the heap gives memory again, as part of a larger block, after another thread has
   freed it: only a lock within the heap orders the two
   omen: none */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 20000 };

static char *volatile before; /* so that it is not optimised away */

static void *
user (void *block)
{
  char *bytes = block;
  for (int i = 0; i < SIZE; i += 8)
    bytes[i] = 1;
  free (block);
  return NULL;
}

int
main (void)
{
  char *block, *after;
  pthread_t thread;
  before = malloc (SIZE);
  block = malloc (SIZE);
  free (before);
  if (pthread_create (&thread, NULL, user, block))
    return 1;
  usleep (200000);
  after = malloc (2 * SIZE); /* both */
  for (int i = 0; i < 2 * SIZE; i += 8)
    after[i] = 2;
  pthread_join (thread, NULL);
  return 0;
}
