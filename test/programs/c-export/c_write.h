/* A trace as a C program: pthreads, one statement an event. So a scenario that
   was jotted down as text becomes a program to record, replay and test with.

     T1|w(x=5)|f.c:3       #line 3 "f.c"
                             omen_turn (0); x = 5; omen_next (0);

   Each thread of the trace is a thread, each enter a call of a function of that
   name, each object one of its kind: mutex, read-write lock, condition
   variable, semaphore, barrier, C11 atomic, block of malloc. Locations
   `file:line` are kept by #line.

   The program runs in the order of the trace: a private counter says whose turn
   it is, outside of what omen records (OMEN_IGNORE). A read that does not see
   what the trace says ends it with code 1, else it ends with 0. It does not
   hang, whatever the trace: whoever is going to block passes the turn first.
   With `free` there is no such counter: any order may happen, and what hangs in
   the trace's world (a deadlock, a notify that comes too early) hangs.

   What C or pthreads cannot do stays in as a comment: a lock taken by a thread
   that would wait for itself, a timed lock that fails although the lock is
   free, what an irregular lock cannot stand. Values that the trace does not
   tell are chosen so that later reads see theirs.

   The output compiles with `cc -Wall -Werror -pthread`, with and without
   omen.h. The trace must be well-formed. */
#ifndef OMEN_TEST_C_WRITE_H
#define OMEN_TEST_C_WRITE_H

#include "trace/trace.h"

#include <stdio.h>

typedef struct omen_c_options {
  bool free;     /* no order at all */
  char *warning; /* what had to be tolerated, "" for nothing; may be NULL */
  size_t room;
} omen_c_options;

/* False: err says which event is wrong or cannot be said in C, or that the
   file cannot be written; nothing is written then. */
bool omen_c_write (const omen_trace *trace, FILE *out,
                   const omen_c_options *options, omen_err *err);

#endif
