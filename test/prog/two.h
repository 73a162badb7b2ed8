/* Two threads, from their start to their end. */
#ifndef TWO_H
#define TWO_H

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
