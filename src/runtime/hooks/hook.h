/* For the files that stand in for functions of libc:

     OMEN_HOOK (int, pthread_mutex_unlock, (pthread_mutex_t *mutex))
     {
       if (!omen_enabled ())
         return OMEN_REAL (pthread_mutex_unlock) (mutex);
       …
     }

   defines and exports the function, and a slot for the one behind it.
   OMEN_NEXT is for a function that is called but not replaced here.

   Every hook keeps three promises: the caller cannot tell it from the real
   function (results, errno, cancellation); in a disabled thread it is one
   test and a jump; what it logs stands in the log before another thread can
   see that it happened, wherever the call can be numbered before it is made. */
#ifndef OMEN_RUNTIME_HOOKS_HOOK_H
#define OMEN_RUNTIME_HOOKS_HOOK_H

#include "runtime/core/rt.h"

#include <errno.h>

#define OMEN_EXPORT __attribute__ ((visibility ("default")))
#define OMEN_INLINE static inline __attribute__ ((always_inline))

/* Looked up before main, or at the first call. */
#define OMEN_NEXT(type, name, parameters)                                      \
  static type (*real_##name) parameters;                                       \
  static const omen_real_slot slot_##name                                      \
      __attribute__ ((section ("omen_reals"), used))                           \
      = { (void **)&real_##name, #name }

#define OMEN_HOOK(type, name, parameters)                                      \
  OMEN_NEXT (type, name, parameters);                                          \
  OMEN_EXPORT type name parameters

#define OMEN_REAL(name) omen_real (&real_##name, #name)

/* A second name of the same function (large files: stat64 and such). */
#define OMEN_ALSO(name, other)                                                 \
  __asm__ (".globl " #other "\n\t.set " #other ", " #name "\n\t.type " #other  \
           ", @function")

/* Logs an item with a number that is taken here. */
void omen_log_now (enum omen_item_kind kind, const volatile void *object,
                   uint64_t arg, uint64_t pc);

#endif
