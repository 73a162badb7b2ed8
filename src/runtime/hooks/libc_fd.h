/* What hooks of calls on descriptors share. */
#ifndef OMEN_RUNTIME_HOOKS_LIBC_FD_H
#define OMEN_RUNTIME_HOOKS_LIBC_FD_H

#include "runtime/core/call.h"
#include "runtime/hooks/libc.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Under a schedule: waits until the call will not block, if it may block at
   all. */
static inline void
omen_fd_wait (int fd, short events, int flags)
{
  if (!omen_rt_scheduled || flags & MSG_DONTWAIT)
    return;
  long mode = omen_call (SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
  if (mode >= 0 && !(mode & O_NONBLOCK))
    omen_sched_wait_fd (fd, events);
}

/* Logs a use of a descriptor, for reports of descriptors that another thread
   closes meanwhile. Not of the first three, which differ in a replay. */
static inline void
omen_fd_note (int fd, enum omen_descriptor_use use, uint64_t pc)
{
  if (fd > STDERR_FILENO)
    omen_log_now (OMEN_ITEM_DESCRIPTOR, (const void *)(uintptr_t)fd, use, pc);
}

static inline void
omen_fd_used (int fd, uint64_t pc)
{
  omen_fd_note (fd, OMEN_DESCRIPTOR_USED, pc);
}

static inline void
omen_fd_made (int fd, uint64_t pc)
{
  omen_fd_note (fd, OMEN_DESCRIPTOR_MADE, pc);
  omen_replay_after ();
}

/* Does the result of an input depend on the other end? */
static inline bool
omen_fd_depends (ssize_t result)
{
  return result >= 0 || (errno != EAGAIN && errno != EINTR);
}

/* An output failed because the other end was closed. */
static inline bool
omen_fd_refused (ssize_t result)
{
  return result < 0 && (errno == EPIPE || errno == ECONNRESET);
}

/* The caller asked for an address and gave its length. */
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
