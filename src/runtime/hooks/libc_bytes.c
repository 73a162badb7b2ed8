/* memcpy and its kin, where code that is not woven calls them (the C++ library
   does so for its strings); woven code calls range.c. */
#define OMEN_INTERPOSES
#include "runtime/hooks/libc.h"

#include <string.h>

/* The part of [at, at + size) up to and including the first `byte`. */
static size_t
up_to (const void *at, const void *found, size_t size)
{
  return found ? (size_t)((const char *)found - (const char *)at) + 1 : size;
}

/* memcmp reads up to the first byte that differs. */
static void
compared_bytes (const void *left, const void *right, size_t size, uint64_t pc)
{
  const char *a = left, *b = right;
  size_t same = 0;
  while (same < size && a[same] == b[same])
    same++;
  size_t seen = same < size ? same + 1 : size;
  omen_read (left, seen, pc);
  omen_read (right, seen, pc);
}

#define COPY(name, parameters, arguments, size)                                \
  OMEN_LIBC (void *, name, parameters, arguments, omen_read (from, size, pc),  \
             omen_wrote (to, size, pc))

COPY (memcpy, (void *to, const void *from, size_t size), (to, from, size), size)
COPY (memmove, (void *to, const void *from, size_t size), (to, from, size),
      size)
COPY (mempcpy, (void *to, const void *from, size_t size), (to, from, size),
      size)
COPY (__memcpy_chk, (void *to, const void *from, size_t size, size_t room),
      (to, from, size, room), size)
COPY (__memmove_chk, (void *to, const void *from, size_t size, size_t room),
      (to, from, size, room), size)
COPY (__mempcpy_chk, (void *to, const void *from, size_t size, size_t room),
      (to, from, size, room), size)

OMEN_LIBC (void *, memset, (void *to, int byte, size_t size), (to, byte, size),
           , omen_wrote (to, size, pc))
OMEN_LIBC (void *, __memset_chk, (void *to, int byte, size_t size, size_t room),
           (to, byte, size, room), , omen_wrote (to, size, pc))
OMEN_LIBC (int, memcmp, (const void *left, const void *right, size_t size),
           (left, right, size), compared_bytes (left, right, size, pc), )
OMEN_LIBC (int, bcmp, (const void *left, const void *right, size_t size),
           (left, right, size), compared_bytes (left, right, size, pc), )
OMEN_LIBC (void *, memchr, (const void *at, int byte, size_t size),
           (at, byte, size), , omen_read (at, up_to (at, result, size), pc))
OMEN_LIBC (void *, memrchr, (const void *at, int byte, size_t size),
           (at, byte, size), omen_read (at, size, pc), )
OMEN_LIBC (void *, rawmemchr, (const void *at, int byte), (at, byte), ,
           omen_read (at, up_to (at, result, 0), pc))
OMEN_LIBC (void *, memmem,
           (const void *at, size_t size, const void *what, size_t length),
           (at, size, what, length),
           (omen_read (at, size, pc), omen_read (what, length, pc)), )
OMEN_LIBC (void *, memccpy, (void *to, const void *from, int byte, size_t size),
           (to, from, byte, size), ,
           (omen_read (from, up_to (to, result, size + 1) - 1, pc),
            omen_wrote (to, up_to (to, result, size + 1) - 1, pc)))

OMEN_NEXT (void, bzero, (void *, size_t));
OMEN_NEXT (void, bcopy, (const void *, void *, size_t));

OMEN_EXPORT void
bzero (void *to, size_t size)
{
  OMEN_REAL (bzero) (to, size);
  if (omen_watching ())
    omen_wrote (to, size, OMEN_PC);
}

OMEN_EXPORT void
bcopy (const void *from, void *to, size_t size)
{
  if (omen_watching ())
    omen_read (from, size, OMEN_PC);
  OMEN_REAL (bcopy) (from, to, size);
  if (omen_watching ())
    omen_wrote (to, size, OMEN_PC);
}
