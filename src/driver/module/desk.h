/* Answers what monitored programs ask for (monitor/desk.h), in a thread of its
   own while they run.

     omen_clerk clerk;
     omen_clerk_start (&clerk, path);    of the tally
     … the program runs …
     omen_clerk_stop (&clerk);

   If it cannot be started nobody answers, and places are addresses. */
#ifndef OMEN_DRIVER_MODULE_DESK_H
#define OMEN_DRIVER_MODULE_DESK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct omen_clerk {
  struct omen_tally *tally; /* NULL: not there */
  size_t bytes;
  bool stop;
  pthread_t thread;
} omen_clerk;

void omen_clerk_start (omen_clerk *clerk, const char *path);
void omen_clerk_stop (omen_clerk *clerk);

#endif
