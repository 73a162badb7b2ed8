/* libc writes for us
   omen: race */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[64];

static void *
first (void *arg)
{
  strcpy (text, "first");
  return arg;
}

static void *
second (void *arg)
{
  strcpy (text, "second");
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
