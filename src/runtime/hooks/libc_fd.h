/* What calls about descriptors have in common. */
#ifndef OMEN_RUNTIME_HOOKS_LIBC_FD_H
#define OMEN_RUNTIME_HOOKS_LIBC_FD_H

#include "runtime/core/call.h"
#include "runtime/hooks/libc.h"

#include <fcntl.h>
#include <sys/socket.h>

/* Under a schedule: wait until it will not block, if it may block at all. */
static inline void
omen_fd_wait (int fd, short events, int flags)
{
  if (!omen_rt_scheduled || flags & MSG_DONTWAIT)
    return;
  long mode = omen_call (SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
  if (mode >= 0 && !(mode & O_NONBLOCK))
    omen_sched_wait_fd (fd, events);
}

/* Does the result of an input say something about the other end? */
static inline bool
omen_fd_told (ssize_t result)
{
  return result >= 0 || (errno != EAGAIN && errno != EINTR);
}

/* That of an output: the other end was closed. */
static inline bool
omen_fd_refused (ssize_t result)
{
  return result < 0 && (errno == EPIPE || errno == ECONNRESET);
}

/* Where an address was asked for, its length was given. */
static inline void
omen_fd_wrote_address (const void *address, const socklen_t *length,
                       uint64_t pc)
{
  if (!address || !length)
    return;
  omen_wrote (length, sizeof *length, pc);
  omen_wrote (address, *length, pc);
}

#endif
