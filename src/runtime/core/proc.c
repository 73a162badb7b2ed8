#include "runtime/core/proc.h"
#include "runtime/core/call.h"
#include "base/defs.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>

static void
put_path (char *path, uint32_t tid, const char *file)
{
  char digits[12];
  unsigned count = 0;
  for (const char *from = "/proc/self/task/"; *from; from++)
    *path++ = *from;
  for (; tid || !count; tid /= 10)
    digits[count++] = (char)('0' + tid % 10);
  while (count)
    *path++ = digits[--count];
  for (; *file; file++)
    *path++ = *file;
  *path = 0;
}

/* Reads the file; returns the number of bytes, less than 1 on failure. */
static long
read_text (const char *path, char *text, size_t room)
{
  long fd = omen_call (SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC,
                       0, 0, 0);
  long length
      = fd < 0 ? 0
               : omen_call (SYS_read, fd, (long)text, (long)room - 1, 0, 0, 0);
  if (fd >= 0)
    omen_call (SYS_close, fd, 0, 0, 0, 0, 0);
  text[length > 0 ? length : 0] = 0;
  return length;
}

/* The fields after the name in "TID (name) R 1 …"; the name may contain
   anything. NULL if there are none. */
static const char *
read_stat (const char *path, char *text, size_t room)
{
  const char *fields = NULL;
  long length = read_text (path, text, room);
  for (long i = 0; i + 2 < length; i++)
    if (text[i] == ')')
      fields = text + i + 2;
  return fields;
}

char
omen_proc_state (uint32_t tid)
{
  char path[64], text[512];
  put_path (path, tid, "/stat");
  const char *fields = read_stat (path, text, sizeof text);
  return fields ? *fields : '?';
}

/* ---- how it sleeps ---- */

/* System calls that may have a timeout, and which argument holds it: a pointer
   that is not NULL, or a number of milliseconds that is not negative. */
static const struct limited {
  uint16_t call;
  uint8_t argument;
  bool number;
} limited[] = {
  { SYS_nanosleep, 0, false },    { SYS_clock_nanosleep, 2, false },
  { SYS_futex, 3, false },        { SYS_poll, 2, true },
  { SYS_ppoll, 2, false },        { SYS_select, 4, false },
  { SYS_pselect6, 4, false },     { SYS_epoll_wait, 3, true },
  { SYS_epoll_pwait, 3, true },   { SYS_rt_sigtimedwait, 2, false },
  { SYS_semtimedop, 3, false },   { SYS_io_getevents, 4, false },
  { SYS_mq_timedsend, 4, false }, { SYS_mq_timedreceive, 4, false },
  { SYS_recvmmsg, 4, false },
};

/* Skips blanks and "0x", then reads digits of that base. */
static uint64_t
next_number (const char **at, unsigned base)
{
  uint64_t number = 0;
  const char *p = *at;
  while (*p == ' ')
    p++;
  if (base == 16 && p[0] == '0' && p[1] == 'x')
    p += 2;
  for (;; p++) {
    unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                     : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a') + 10
                                              : base;
    if (digit >= base)
      break;
    number = number * base + digit;
  }
  *at = p;
  return number;
}

/* Parses "202 0x7f… 0x189 …": the call and its arguments; "running" or "-1 …"
   outside a call. */
bool
omen_proc_sleeps_on (uint32_t tid)
{
  enum { ARGUMENTS = 6 };
  char path[64], text[512];
  const char *at = text;
  uint64_t arguments[ARGUMENTS];
  put_path (path, tid, "/syscall");
  if (omen_proc_state (tid) != 'S' || read_text (path, text, sizeof text) < 1
      || *text < '0' || *text > '9')
    return false;
  uint64_t call = next_number (&at, 10);
  for (unsigned i = 0; i < ARGUMENTS; i++)
    arguments[i] = next_number (&at, 16);
  for (unsigned i = 0; i < OMEN_COUNT (limited); i++)
    if (limited[i].call == call) {
      uint64_t limit = arguments[limited[i].argument];
      return limited[i].number ? (int32_t)limit < 0 : !limit;
    }
  return true;
}

/* ---- how many ---- */

unsigned
omen_proc_threads (void)
{
  enum { BEFORE = 17 }; /* fields between the state and the number */
  char text[512];
  unsigned number = 0, blanks = 0;
  const char *at = read_stat ("/proc/self/stat", text, sizeof text);
  while (at && *at && blanks < BEFORE)
    blanks += *at++ == ' ';
  for (; at && *at >= '0' && *at <= '9'; at++)
    number = number * 10 + (unsigned)(*at - '0');
  return number;
}

/* ---- children ---- */

bool
omen_proc_kill_children (void)
{
  char path[64], text[4096];
  const char *at = text;
  bool any = false;
  put_path (path, (uint32_t)omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0),
            "/children");
  read_text (path, text, sizeof text);
  while (*at >= '0' && *at <= '9') {
    long pid = (long)next_number (&at, 10);
    if (*at++ != ' ') /* the text was too long */
      break;
    any |= !omen_call (SYS_kill, pid, SIGKILL, 0, 0, 0, 0);
  }
  return any;
}
