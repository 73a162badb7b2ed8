/* two write the same block
   omen: race */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct box {
  volatile int value;
};

static void *
work (void *arg)
{
  struct box *box = arg;
  box->value++;
  return NULL;
}

int
main (void)
{
  struct box *box = calloc (1, sizeof *box);
  pthread_t a, b;
  pthread_create (&a, NULL, work, box);
  pthread_create (&b, NULL, work, box);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  free (box);
  return 0;
}
