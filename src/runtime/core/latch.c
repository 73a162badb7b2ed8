/* A futex with three states, as in Ulrich Drepper's "Futexes are tricky". */
#include "runtime/core/latch.h"
#include "runtime/core/call.h"

#include <linux/futex.h>
#include <time.h>

enum { SPINS = 100 };

static void
sleep_on (omen_latch *latch, const struct timespec *most)
{
  omen_call (SYS_futex, (long)&latch->state, FUTEX_WAIT_PRIVATE, 2, (long)most,
             0, 0);
}

static bool
spin (omen_latch *latch)
{
  for (unsigned i = 0; i < SPINS; i++) {
    uint32_t free = 0;
    if (!__atomic_load_n (&latch->state, __ATOMIC_RELAXED)
        && __atomic_compare_exchange_n (&latch->state, &free, 1, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
    __builtin_ia32_pause ();
  }
  return false;
}

void
omen_latch_wait (omen_latch *latch)
{
  if (spin (latch))
    return;
  while (__atomic_exchange_n (&latch->state, 2, __ATOMIC_ACQUIRE))
    sleep_on (latch, NULL);
}

void
omen_latch_wake (omen_latch *latch)
{
  omen_call (SYS_futex, (long)&latch->state, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

bool
omen_latch_try (omen_latch *latch, unsigned milliseconds)
{
  const struct timespec one = { 0, 1000000 };
  if (spin (latch))
    return true;
  for (unsigned i = 0; __atomic_exchange_n (&latch->state, 2, __ATOMIC_ACQUIRE);
       i++) {
    if (i == milliseconds)
      return false; /* it has slept: look again, so that no wake is lost */
    sleep_on (latch, &one);
  }
  return true;
}
