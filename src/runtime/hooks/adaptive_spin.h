/* How long to try a lock that is taken before going to sleep for it.

     omen_adaptive_spin spin = omen_adaptive_spin_begin (lock);
     while (it is taken && omen_adaptive_spin_wait (&spin))
       try again
     omen_adaptive_spin_end (&spin, lock, is it ours now?);

   Most locks are released sooner than the kernel can put a thread to sleep and
   wake it again. A few short waits, each twice as long as the one before, are
   enough where threads seldom meet.

   Where they meet at the same lock again and again, short waits are bad: each
   try takes the lock's cache line from its holder, and after a success all data
   that the lock guards follows, for one critical section. Waits that are long
   beside a critical section leave the holder many of them, and the lock is
   mostly free when they end. If the lock is held nearly always, they are
   wasted, and sleeping is best. What helped with this lock before decides. */
#ifndef OMEN_RUNTIME_HOOKS_ADAPTIVE_SPIN_H
#define OMEN_RUNTIME_HOOKS_ADAPTIVE_SPIN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct omen_adaptive_spin {
  unsigned waits;  /* that are left */
  uint64_t cycles; /* of the next wait; 0: no more waits */
  bool grows;
} omen_adaptive_spin;

omen_adaptive_spin omen_adaptive_spin_begin (const void *lock);
/* false: it is time to sleep. */
bool omen_adaptive_spin_wait (omen_adaptive_spin *spin);
void omen_adaptive_spin_end (const omen_adaptive_spin *spin, const void *lock,
                             bool taken);

#endif
