#include "runtime/proc.h"
#include "runtime/call.h"

#include <fcntl.h>
#include <stddef.h>

static void
put_path (char *path, uint32_t tid)
{
  char digits[12];
  unsigned count = 0;
  for (const char *from = "/proc/self/task/"; *from; from++)
    *path++ = *from;
  for (; tid || !count; tid /= 10)
    digits[count++] = (char)('0' + tid % 10);
  while (count)
    *path++ = digits[--count];
  for (const char *from = "/stat"; *from; from++)
    *path++ = *from;
  *path = 0;
}

/* The fields after the name, of "TID (name) R 1 …", where the name may hold
   anything; NULL if there are none. */
static const char *
read_stat (const char *path, char *text, size_t room)
{
  const char *fields = NULL;
  long fd = omen_call (SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC,
                       0, 0, 0);
  long length
      = fd < 0 ? 0
               : omen_call (SYS_read, fd, (long)text, (long)room - 1, 0, 0, 0);
  if (fd >= 0)
    omen_call (SYS_close, fd, 0, 0, 0, 0, 0);
  text[length > 0 ? length : 0] = 0;
  for (long i = 0; i + 2 < length; i++)
    if (text[i] == ')')
      fields = text + i + 2;
  return fields;
}

char
omen_proc_state (uint32_t tid)
{
  char path[64], text[512];
  put_path (path, tid);
  const char *fields = read_stat (path, text, sizeof text);
  return fields ? *fields : '?';
}

unsigned
omen_proc_threads (void)
{
  enum { BEFORE = 17 }; /* blanks between the state and the number */
  char text[512];
  unsigned number = 0, blanks = 0;
  const char *at = read_stat ("/proc/self/stat", text, sizeof text);
  while (at && *at && blanks < BEFORE)
    blanks += *at++ == ' ';
  for (; at && *at >= '0' && *at <= '9'; at++)
    number = number * 10 + (unsigned)(*at - '0');
  return number;
}
