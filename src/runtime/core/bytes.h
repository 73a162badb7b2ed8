/* memcpy and its kin for the runtime's own use. libc's versions are interposed,
   and the compiler may turn a plain loop into a call to them. */
#ifndef OMEN_RUNTIME_CORE_BYTES_H
#define OMEN_RUNTIME_CORE_BYTES_H

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

/* A copy for sizes that are usually small: two overlapping words instead of a
   loop. */
static inline void
omen_bytes_copy_short (void *to, const void *from, size_t size)
{
  typedef struct {
    unsigned char bytes[16];
  } half;
  char *t = (char *)to;
  const char *f = (const char *)from;
  if (size > 32) {
    omen_bytes_copy (to, from, size);
  } else if (size >= 16) {
    half low, high;
    __builtin_memcpy (&low, f, 16);
    __builtin_memcpy (&high, f + size - 16, 16);
    __builtin_memcpy (t, &low, 16);
    __builtin_memcpy (t + size - 16, &high, 16);
  } else if (size >= 8) {
    unsigned long low, high;
    __builtin_memcpy (&low, f, 8);
    __builtin_memcpy (&high, f + size - 8, 8);
    __builtin_memcpy (t, &low, 8);
    __builtin_memcpy (t + size - 8, &high, 8);
  } else if (size >= 4) {
    unsigned low, high;
    __builtin_memcpy (&low, f, 4);
    __builtin_memcpy (&high, f + size - 4, 4);
    __builtin_memcpy (t, &low, 4);
    __builtin_memcpy (t + size - 4, &high, 4);
  } else if (size) {
    char first = f[0], middle = f[size / 2], last = f[size - 1];
    t[0] = first;
    t[size / 2] = middle;
    t[size - 1] = last;
  }
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
