/* For hooks that log what functions of libc do to the program's memory:

     OMEN_LIBC (size_t, strlen, (const char *text), (text),
                omen_read_text (text, SIZE_MAX, pc), )

   defines a hook: type, name, parameters, arguments, what to log before the
   call, what to log after it. In these, `pc` is the caller and `result` what
   the real function returned. errno is that of the call.

   Bytes are logged as they are before or after the call (range.h), not when
   libc reads or writes them: a write of another thread in between may be logged
   as part of this call. Under a schedule no other thread runs in
   between. */
#ifndef OMEN_RUNTIME_HOOKS_LIBC_H
#define OMEN_RUNTIME_HOOKS_LIBC_H

#include "runtime/hooks/cancel.h"
#include "runtime/hooks/hook.h"
#include "runtime/hooks/range.h"

#include <pthread.h>

/* Calls made by the runtime itself, or by the compiler on its behalf, are not
   recorded. Set by the linker: where this module begins, and where its code
   ends. */
extern const char __ehdr_start[] __attribute__ ((visibility ("hidden")));
extern const char etext[] __attribute__ ((visibility ("hidden")));

static inline bool
omen_is_ours (uint64_t pc)
{
  return pc - (uint64_t)__ehdr_start < (uint64_t)etext - (uint64_t)__ehdr_start;
}

#define OMEN_LIBC(type, name, parameters, arguments, before, after)            \
  OMEN_NEXT (type, name, parameters);                                          \
  OMEN_EXPORT type name parameters;                                            \
  type name parameters                                                         \
  {                                                                            \
    if (!omen_watching () || omen_is_ours (OMEN_PC))                           \
      return OMEN_REAL (name) arguments;                                       \
    uint64_t pc __attribute__ ((unused)) = OMEN_PC;                            \
    omen_watch_point ();                                                       \
    before;                                                                    \
    type result = OMEN_REAL (name) arguments;                                  \
    after;                                                                     \
    return result;                                                             \
  }

/* The call itself, in which the thread may be cancelled. */
#define OMEN_LIBC_CANCELLABLE(type, name, parameters, arguments)               \
  __attribute__ ((noinline)) static type cancellable_##name parameters         \
  {                                                                            \
    type result;                                                               \
    pthread_cleanup_push (omen_cancelled, NULL);                               \
    result = OMEN_REAL (name) arguments;                                       \
    pthread_cleanup_pop (0);                                                   \
    return result;                                                             \
  }

/* The same for a call that may block in the kernel. */
#define OMEN_LIBC_BLOCKS(type, name, parameters, arguments, before, after)     \
  OMEN_NEXT (type, name, parameters);                                          \
  OMEN_LIBC_CANCELLABLE (type, name, parameters, arguments)                    \
  OMEN_EXPORT type name parameters;                                            \
  type name parameters                                                         \
  {                                                                            \
    if (!omen_enabled ())                                                      \
      return OMEN_REAL (name) arguments;                                       \
    uint64_t pc __attribute__ ((unused)) = OMEN_PC;                            \
    before;                                                                    \
    omen_sched_leave ();                                                       \
    type result = cancellable_##name arguments;                                \
    omen_sched_return ();                                                      \
    after;                                                                     \
    return result;                                                             \
  }

static inline void
omen_watch_point (void)
{
  if (OMEN_UNLIKELY (omen_rt_scheduled))
    omen_sched_point (OMEN_ITEM_RANGE_READ, NULL);
}

#endif
