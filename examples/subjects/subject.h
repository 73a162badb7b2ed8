/* What the subjects have in common: two threads that work for a while under a
   lock of that work before they do what this is about.

     buffer [ROUNDS]   so much of the work is done before, 1 by default */
#ifndef OMEN_EXAMPLES_SUBJECT_H
#define OMEN_EXAMPLES_SUBJECT_H

#include "object.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;
static long work_done;
static int rounds;

static inline void
work (void)
{
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock (&work_lock);
    work_done++;
    pthread_mutex_unlock (&work_lock);
  }
}

static inline void
run_both (int argc, char **argv, void *(*first) (void *),
          void *(*second) (void *))
{
  pthread_t threads[2];
  rounds = argc > 1 ? atoi (argv[1]) : 1;
  pthread_create (&threads[0], NULL, first, NULL);
  pthread_create (&threads[1], NULL, second, NULL);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
}

#endif
