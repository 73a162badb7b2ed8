/* A lock for the runtime itself, which the program can neither hold nor see.

     omen_busy_begin ();                   signals are postponed from here …
     omen_latch_take (&latch);
     …
     omen_latch_give (&latch);
     omen_busy_end ();                     … to here

   The holder of a latch must be busy: a signal handler that interrupted it
   could ask for the same latch. Uncontended it costs one atomic exchange each
   way. */
#ifndef OMEN_RUNTIME_CORE_LATCH_H
#define OMEN_RUNTIME_CORE_LATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct omen_latch {
  uint32_t state; /* 0: free, 1: taken, 2: taken, with waiters */
} omen_latch;

void omen_latch_wait (omen_latch *latch);
void omen_latch_wake (omen_latch *latch);
/* With a time limit, for callers that must not block for ever. False: not
   taken. */
bool omen_latch_try (omen_latch *latch, unsigned milliseconds);

static inline void
omen_latch_take (omen_latch *latch)
{
  uint32_t free = 0;
  if (!__atomic_compare_exchange_n (&latch->state, &free, 1, false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    omen_latch_wait (latch);
}

static inline void
omen_latch_give (omen_latch *latch)
{
  if (__atomic_exchange_n (&latch->state, 0, __ATOMIC_RELEASE) == 2)
    omen_latch_wake (latch);
}

#endif
