/* Numbers that a mutex has for itself (recording.h: OMEN_NUMBER_OWN).

   Who has a mutex is alone with it, so it counts without a locked instruction. A
   stripe belongs, for good, to the first simple mutex in it that is taken (by
   pthread_mutex_lock or mtx_lock); what else falls into it shares the other counter.

     omen_number (m), omen_own_claim (m)   when it is taken for the first time: what
                                           was done with it before is before
     omen_own_number (m)                   who has it, from then on
     omen_own_look (m)                     who has not

   It is the same to us which mutex is at an address: who makes a new one there has
   seen the end of the last. Who unlocks what nobody has is on his own: he shares. */
#ifndef OMEN_RUNTIME_OWN_H
#define OMEN_RUNTIME_OWN_H

#include "runtime/rt.h"

static inline omen_stripe_state *
omen_stripe_of (const volatile void *object)
{
  return &omen_stripes[omen_stripe ((uintptr_t)object)];
}

static inline bool
omen_owns (const omen_stripe_state *stripe, const volatile void *mutex)
{
  return __atomic_load_n (&stripe->owner, __ATOMIC_RELAXED) == mutex;
}

static inline void
omen_own_claim (omen_stripe_state *stripe, const volatile void *mutex)
{
  const volatile void *nobody = NULL;
  if (!__atomic_load_n (&stripe->owner, __ATOMIC_RELAXED))
    __atomic_compare_exchange_n (&stripe->owner, &nobody, mutex, false,
                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline uint64_t
omen_own_number (omen_stripe_state *stripe)
{
  uint64_t number = __atomic_load_n (&stripe->own, __ATOMIC_RELAXED);
  __atomic_store_n (&stripe->own, number + 1, __ATOMIC_RELAXED);
  return number | OMEN_NUMBER_OWN;
}

static inline uint64_t
omen_own_look (const omen_stripe_state *stripe)
{
  return __atomic_load_n (&stripe->own, __ATOMIC_ACQUIRE) | OMEN_NUMBER_OWN
         | OMEN_NUMBER_LOOKS;
}

#endif
