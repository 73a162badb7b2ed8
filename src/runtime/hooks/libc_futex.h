/* Futexes that the program itself calls for: std::atomic::wait, semaphores,
   latches and barriers of C++20, locks made by hand. Most of the order of
   threads is in their atomics. What is not: who was woken comes after who woke
   it, and who woke somebody after he went to sleep (HAPPENS_BEFORE and AFTER of
   the word and of the address after it); who was told that the word has changed
   has seen that (an atomic read). Under a schedule the waiting is the
   scheduler's. */
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

/* The call, with errno; the thread is enabled. */
long omen_futex_call (const omen_futex *f, uint64_t pc);

#endif
