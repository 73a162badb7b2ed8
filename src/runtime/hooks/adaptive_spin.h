/* How long to try a lock that somebody has, before going to sleep for it.

     omen_adaptive_spin spin = omen_adaptive_spin_begin (lock);
     while (it is taken && omen_adaptive_spin_wait (&spin))
       try again
     omen_adaptive_spin_end (&spin, lock, is it ours now?);

   Most locks are given up soon, sooner than the kernel puts a thread to sleep
   and wakes it again. A few short waits, each twice the one before, are enough
   where threads seldom meet.

   Where they meet at the same lock again and again, short waits are bad: each
   try takes the lock's cache line from its holder, and if it succeeds all that
   the lock guards follows, for one turn. Waits that are long beside a turn
   leave the holder many turns, and the lock is mostly free when they are over.
   Unless it is held nearly always: then they are wasted, and sleep is best.
   What was of use with this lock before tells which it is. */
#ifndef OMEN_RUNTIME_HOOKS_ADAPTIVE_SPIN_H
#define OMEN_RUNTIME_HOOKS_ADAPTIVE_SPIN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct omen_adaptive_spin {
  unsigned waits;  /* that are left */
  uint64_t cycles; /* of the next one; 0: there are none */
  bool grows;
} omen_adaptive_spin;

omen_adaptive_spin omen_adaptive_spin_begin (const void *lock);
/* false: it is time to sleep. */
bool omen_adaptive_spin_wait (omen_adaptive_spin *spin);
void omen_adaptive_spin_end (const omen_adaptive_spin *spin, const void *lock,
                             bool taken);

#endif
