/* memcpy and its kin for the runtime itself: those of libc are interposed, and
   a compiler that sees a loop may make a call of them. */
#ifndef OMEN_RUNTIME_BYTES_H
#define OMEN_RUNTIME_BYTES_H

#include <stdbool.h>
#include <stddef.h>

static inline void
omen_bytes_copy (void *to, const void *from, size_t size)
{
  __asm__ volatile ("rep movsb"
                    : "+D"(to), "+S"(from), "+c"(size)
                    :
                    : "memory");
}

static inline void
omen_bytes_zero (void *to, size_t size)
{
  __asm__ volatile ("rep stosb" : "+D"(to), "+c"(size) : "a"(0) : "memory");
}

static inline size_t
omen_bytes_length (const char *text)
{
  const char *end = text;
  while (*end) {
    end++;
    __asm__ volatile ("" : "+r"(end));
  }
  return (size_t)(end - text);
}

static inline bool
omen_bytes_equal (const void *left, const void *right, size_t size)
{
  const unsigned char *a = left, *b = right;
  for (size_t i = 0; i < size; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

#endif
