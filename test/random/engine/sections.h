/* Runs of critical sections, as threads make them that share a list or a buffer
   under a lock: what is read there often decides what may come before what.

     T1|acq(l)  T1|r(x=0)  T1|w(x=1)  T1|rel(l)
     T2|acq(l)  T2|r(x=1)  T2|wait(c,l)      with conditions: some end in a wait
     T1|acq(l)  T1|w(x=2)  T1|notify(c)  T1|rel(l)
     T2|wake(c,l)  …

   The sections come one after the other; few accesses are without a lock. */
#ifndef OMEN_TEST_ENGINE_SECTIONS_H
#define OMEN_TEST_ENGINE_SECTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sections_kind {
  bool conditions; /* waits and notifies */
  bool block;      /* a block b, which is freed in most of them */
} sections_kind;

/* A trace as text, of 8 to 16 events; free it with free. */
char *sections_draw (uint64_t seed, sections_kind kind);

#endif
