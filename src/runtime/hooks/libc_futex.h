/* Futexes that the program calls itself: std::atomic::wait, semaphores, latches
   and barriers of C++20, hand-made locks. Most of the order they create is in
   their atomics. The rest is logged here: a woken thread comes after its waker,
   and a waker comes after a thread that went to sleep before it (HAPPENS_BEFORE
   and AFTER of the word and of the next address); a wait that fails because the
   word has changed has read it (an atomic read). Under a schedule the waiting
   is done by the scheduler. */
#ifndef OMEN_RUNTIME_HOOKS_LIBC_FUTEX_H
#define OMEN_RUNTIME_HOOKS_LIBC_FUTEX_H

#include <stdbool.h>
#include <stdint.h>

/* The arguments of the system call, and a way to make it. */
typedef struct omen_futex {
  uint32_t *word;
  int operation;
  uint32_t value;
  long time; /* a struct timespec *, or a second number */
  uint32_t *other;
  uint32_t value3;
  long (*call) (long, ...);
} omen_futex;

/* Makes the call and sets errno; recording is enabled in this thread. */
long omen_futex_call (const omen_futex *f, uint64_t pc);

#endif
