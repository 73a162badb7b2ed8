/* Two threads, from their start to their end; the second one comes later. */
#ifndef OMEN_TEST_LIFETIMES_TWO_H
#define OMEN_TEST_LIFETIMES_TWO_H

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static inline void
later (void)
{
  usleep (100000);
}

static inline void
run_two (void *(*first) (void *), void *(*second) (void *))
{
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
}

#endif
