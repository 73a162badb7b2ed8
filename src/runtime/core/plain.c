/* See plain.h. Small and simple; hot code copies by words itself. */
#define OMEN_INTERPOSES
#include "runtime/core/plain.h"
#include "runtime/core/bytes.h"
#include "runtime/core/call.h"

#include <errno.h>
#include <stdarg.h>
#include <time.h>

void *omen_plain_memcpy (void *to, const void *from, size_t size);
void *omen_plain_memmove (void *to, const void *from, size_t size);
void *omen_plain_memset (void *to, int byte, size_t size);
int omen_plain_memcmp (const void *left, const void *right, size_t size);
size_t omen_plain_strlen (const char *text);
size_t omen_plain_strnlen (const char *text, size_t most);
char *omen_plain_strchr (const char *text, int c);
int omen_plain_clock_gettime (clockid_t clock, struct timespec *to);
long omen_plain_syscall (long number, ...);

void *
omen_plain_memcpy (void *to, const void *from, size_t size)
{
  omen_bytes_copy (to, from, size);
  return to;
}

void *
omen_plain_memmove (void *to, const void *from, size_t size)
{
  char *target = to;
  const char *source = from;
  if ((size_t)(target - source) >= size) {
    omen_bytes_copy (to, from, size);
    return to;
  }
  while (size--) {
    target[size] = source[size];
    __asm__ volatile ("" : "+r"(size)::"memory"); /* no call of memmove */
  }
  return to;
}

void *
omen_plain_memset (void *to, int byte, size_t size)
{
  void *at = to;
  __asm__ volatile ("rep stosb" : "+D"(at), "+c"(size) : "a"(byte) : "memory");
  return to;
}

int
omen_plain_memcmp (const void *left, const void *right, size_t size)
{
  const unsigned char *a = left, *b = right;
  for (size_t i = 0; i < size; i++) {
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
    __asm__ volatile ("" ::: "memory");
  }
  return 0;
}

size_t
omen_plain_strlen (const char *text)
{
  return omen_bytes_length (text);
}

size_t
omen_plain_strnlen (const char *text, size_t most)
{
  size_t length = 0;
  while (length < most && text[length])
    length++;
  return length;
}

char *
omen_plain_strchr (const char *text, int c)
{
  while (*text != (char)c)
    if (!*text++)
      return NULL;
  return (char *)text;
}

int
omen_plain_clock_gettime (clockid_t clock, struct timespec *to)
{
  return (int)omen_plain_syscall (SYS_clock_gettime, (long)clock, to);
}

long
omen_plain_syscall (long number, ...)
{
  long a[6];
  va_list args;
  va_start (args, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg (args, long);
  va_end (args);
  long result = omen_call (number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result >= 0 || result < -4095)
    return result;
  errno = (int)-result;
  return -1;
}
