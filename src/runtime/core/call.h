/* System calls of our own. */
#ifndef OMEN_RUNTIME_CORE_CALL_H
#define OMEN_RUNTIME_CORE_CALL_H

#include <sys/syscall.h>

/* A raw system call: not interposed, no cancellation point, and errno is left
   alone. Returns the result or a negative error number. */
static inline long
omen_call (long number, long a, long b, long c, long d, long e, long f)
{
  register long r10 __asm__ ("r10") = d, r8 __asm__ ("r8") = e,
                            r9 __asm__ ("r9") = f;
  long result;
  __asm__ volatile ("syscall"
                    : "=a"(result)
                    : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                      "r"(r9)
                    : "rcx", "r11", "memory");
  return result;
}

#endif
