/* Two threads, from their start to their end. */
#ifndef OMEN_TEST_PROG_TWO_H
#define OMEN_TEST_PROG_TWO_H

#include <pthread.h>

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
