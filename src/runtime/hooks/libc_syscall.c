/* syscall: system calls made by number, as far as they order threads. */
#define OMEN_INTERPOSES
#include "runtime/hooks/channel.h"
#include "runtime/hooks/libc.h"
#include "runtime/hooks/libc_futex.h"

#include <stdarg.h>
#include <sys/syscall.h>

OMEN_NEXT (long, syscall, (long, ...));

static long
call_futex (const long a[6], uint64_t pc)
{
  omen_futex f = { (uint32_t *)a[0], (int)a[1],      (uint32_t)a[2],     a[3],
                   (uint32_t *)a[4], (uint32_t)a[5], OMEN_REAL (syscall) };
  return omen_futex_call (&f, pc);
}

static void
before_syscall (long number, const long a[6], uint64_t pc)
{
  switch (number) {
  case SYS_write:
  case SYS_writev:
  case SYS_pwrite64:
  case SYS_sendto:
  case SYS_sendmsg:
  case SYS_close:
    omen_channel_before ((int)a[0], pc);
    break;
  case SYS_kill:
  case SYS_tkill:
  case SYS_tgkill:
  case SYS_rt_sigqueueinfo:
  case SYS_rt_tgsigqueueinfo:
    omen_order_before (
        OMEN_ORDER_SIGNAL,
        (uint64_t)(number == SYS_tgkill || number == SYS_rt_tgsigqueueinfo
                       ? a[2]
                       : a[1]),
        pc);
    omen_outside_before (pc);
  }
}

static void
after_syscall (long number, const long a[6], long result, uint64_t pc)
{
  switch (number) {
  case SYS_read:
  case SYS_readv:
  case SYS_pread64:
  case SYS_recvfrom:
  case SYS_recvmsg:
    if (result >= 0)
      omen_channel_after ((int)a[0], pc);
    break;
  case SYS_close:
    omen_channel_closed ((int)a[0]);
    break;
  case SYS_dup:
  case SYS_dup2:
  case SYS_dup3:
  case SYS_close_range:
    omen_channel_closed (-1);
  }
}

OMEN_EXPORT long
syscall (long number, ...)
{
  long a[6];
  va_list args;
  va_start (args, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg (args, long);
  va_end (args);
  if (!omen_enabled ())
    return OMEN_REAL (syscall) (number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (number == SYS_futex)
    return call_futex (a, OMEN_PC);
  before_syscall (number, a, OMEN_PC);
  long result
      = OMEN_REAL (syscall) (number, a[0], a[1], a[2], a[3], a[4], a[5]);
  after_syscall (number, a, result, OMEN_PC);
  return result;
}
