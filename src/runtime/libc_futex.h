/* Futexes that the program itself calls for: std::atomic::wait, semaphores,
   latches and barriers of C++20, locks made by hand. The order of threads is in
   their atomics; under a schedule the waiting has to be the scheduler's. */
#ifndef OMEN_RUNTIME_LIBC_FUTEX_H
#define OMEN_RUNTIME_LIBC_FUTEX_H

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

/* True: it is done, with *result and errno. Listening. */
bool omen_futex_in_turn (const omen_futex *f, long *result);
/* Words that the kernel itself writes are noted. */
void omen_futex_wrote (const omen_futex *f, uint64_t pc);

#endif
