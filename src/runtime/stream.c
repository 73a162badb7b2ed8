/* --stream: somebody reads the trace while the program runs. Notes leave a
   thread when its buffer is full, when it is about to block, and otherwise soon
   after they were taken: a thread that has something to say after a while says
   it for all. What is still missing the reader knows by the numbers. */
#include "runtime/core.h"

#include <x86intrin.h>

#define SOON UINT64_C (20000000) /* ticks: some milliseconds */

static bool
will_block (enum omen_item_kind kind)
{
  return kind == OMEN_ITEM_REQUEST || kind == OMEN_ITEM_WAIT
         || kind == OMEN_ITEM_ARRIVE;
}

static void
flush_own (omen_tape *tape)
{
  omen_busy_begin ();
  omen_latch_take (&tape->latch);
  omen_tape_flush (tape);
  omen_latch_give (&tape->latch);
  omen_busy_end ();
}

void
omen_stream (omen_self *self, enum omen_item_kind kind)
{
  static uint64_t last;
  uint64_t now = __rdtsc ();
  uint64_t before = __atomic_load_n (&last, __ATOMIC_RELAXED);
  if (now - before >= SOON
      && __atomic_compare_exchange_n (&last, &before, now, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    omen_log_flush_all ();
  else if (will_block (kind))
    flush_own (self->tape);
}
