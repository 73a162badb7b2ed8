#include "runtime/hooks/adaptive_spin.h"
#include "wire/abi.h"

enum {
  SHORT = 32 /* cycles */,
  SHORT_WAITS = 6,
  LONG = 8192, /* cycles: many critical sections, a fraction of a sleep */
  MOST_LONG = 8,
  ASLEEP
  = 16 /* sleep this many times without spinning, where spinning did not help */
};

/* State of the lock at which this thread last met contention. */
static OMEN_ABI_TLS struct {
  const void *lock;
  unsigned level;  /* how many long waits spinning is worth */
  unsigned asleep; /* while not 0: how many more times to sleep at once */
} met;

omen_adaptive_spin
omen_adaptive_spin_begin (const void *lock)
{
  if (met.lock != lock)
    return (omen_adaptive_spin){ SHORT_WAITS, SHORT, true };
  if (!met.level && met.asleep) {
    met.asleep--;
    return (omen_adaptive_spin){ 0, 0, false };
  }
  return (omen_adaptive_spin){ met.level ? met.level : 1, LONG, false };
}

bool
omen_adaptive_spin_wait (omen_adaptive_spin *spin)
{
  if (!spin->waits)
    return false;
  spin->waits--;
  uint64_t start = __builtin_ia32_rdtsc ();
  while (__builtin_ia32_rdtsc () - start < spin->cycles)
    __builtin_ia32_pause ();
  if (spin->grows)
    spin->cycles *= 2;
  return true;
}

void
omen_adaptive_spin_end (const omen_adaptive_spin *spin, const void *lock,
                        bool taken)
{
  if (!spin->cycles)
    return;
  if (met.lock != lock) {
    met.lock = lock;
    met.level = 1;
  } else if (taken)
    met.level += met.level < MOST_LONG;
  else
    met.level -= met.level > 1 ? 2 : met.level;
  if (!met.level)
    met.asleep = ASLEEP;
}
