/* Descriptors: how they are made, connected, duplicated, locked and closed. */
#define OMEN_INTERPOSES
#include "runtime/hooks/libc_fd.h"
#include "runtime/hooks/channel.h"

#include <poll.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <unistd.h>

/* -- Making -------------------------------------------------------------- */

static void
made_pipe (const int fds[2], uint64_t pc)
{
  omen_channel_pipe (fds);
  omen_fd_made (fds[0], pc);
  omen_fd_made (fds[1], pc);
  omen_wrote (fds, 2 * sizeof *fds, pc);
}

OMEN_LIBC_BLOCKS (int, pipe, (int fds[2]), (fds), ,
                  if (!result) made_pipe (fds, pc))
OMEN_LIBC_BLOCKS (int, pipe2, (int fds[2], int flags), (fds, flags), ,
                  if (!result) made_pipe (fds, pc))
OMEN_LIBC_BLOCKS (
    int, socketpair, (int domain, int type, int protocol, int fds[2]),
    (domain, type, protocol, fds), , if (!result) {
      omen_channel_pair (fds);
      omen_fd_made (fds[0], pc);
      omen_fd_made (fds[1], pc);
      omen_wrote (fds, 2 * sizeof *fds, pc);
    })
OMEN_LIBC_BLOCKS (
    int, eventfd, (unsigned count, int flags), (count, flags), ,
    if (result >= 0) {
      omen_channel_eventfd (result);
      omen_fd_made (result, pc);
    })
OMEN_LIBC_BLOCKS (int, socket, (int domain, int type, int protocol),
                  (domain, type, protocol), , omen_fd_made (result, pc))

/* Only with some flags is there a mode argument; else it is not read. */
static mode_t
mode_of (int flags, va_list args)
{
  return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE
             ? va_arg (args, mode_t)
             : 0;
}

OMEN_NEXT (int, openat, (int, const char *, int, ...));
OMEN_LIBC_CANCELLABLE (int, openat,
                       (int at, const char *path, int flags, mode_t mode),
                       (at, path, flags, mode))

static int
open_at (int at, const char *path, int flags, mode_t mode, uint64_t pc)
{
  if (!omen_enabled ())
    return OMEN_REAL (openat) (at, path, flags, mode);
  omen_sched_leave ();
  int fd = cancellable_openat (at, path, flags, mode);
  omen_sched_return ();
  omen_fd_made (fd, pc);
  return fd;
}

OMEN_EXPORT int
openat (int at, const char *path, int flags, ...)
{
  va_list args;
  va_start (args, flags);
  mode_t mode = mode_of (flags, args);
  va_end (args);
  return open_at (at, path, flags, mode, OMEN_PC);
}

OMEN_EXPORT int
open (const char *path, int flags, ...)
{
  va_list args;
  va_start (args, flags);
  mode_t mode = mode_of (flags, args);
  va_end (args);
  return open_at (AT_FDCWD, path, flags, mode, OMEN_PC);
}

OMEN_EXPORT int
creat (const char *path, mode_t mode)
{
  return open_at (AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, OMEN_PC);
}

OMEN_ALSO (openat, openat64);
OMEN_ALSO (open, open64);
OMEN_ALSO (creat, creat64);

/* -- Connecting -------------------------------------------------------------

   Listening and connecting threads synchronise through the kernel. */

OMEN_LIBC_BLOCKS (int, listen, (int fd, int most), (fd, most),
                  omen_outside_before (pc), )
OMEN_LIBC_BLOCKS (
    int, accept, (int fd, struct sockaddr *address, socklen_t *length),
    (fd, address, length), omen_fd_wait (fd, POLLIN, 0), if (result >= 0) {
      omen_outside_after (pc);
      omen_fd_wrote_address (address, length, pc);
    })
OMEN_LIBC_BLOCKS (
    int, accept4,
    (int fd, struct sockaddr *address, socklen_t *length, int flags),
    (fd, address, length, flags), omen_fd_wait (fd, POLLIN, 0),
    if (result >= 0) {
      omen_outside_after (pc);
      omen_fd_wrote_address (address, length, pc);
      omen_fd_made (result, pc);
    })
OMEN_LIBC (int, getsockname,
           (int fd, struct sockaddr *address, socklen_t *length),
           (fd, address, length), omen_read (length, sizeof *length, pc),
           if (!result) omen_fd_wrote_address (address, length, pc))
OMEN_LIBC (int, getpeername,
           (int fd, struct sockaddr *address, socklen_t *length),
           (fd, address, length), omen_read (length, sizeof *length, pc),
           if (!result) omen_fd_wrote_address (address, length, pc))
OMEN_LIBC_BLOCKS (int, connect,
                  (int fd, const struct sockaddr *address, socklen_t length),
                  (fd, address, length), omen_read (address, length, pc);
                  omen_outside_before (pc), omen_channel_closed (fd);
                  if (!result) omen_outside_after (pc))

/* -- Closing and duplicating --------------------------------------------- */

/* A reader that sees the end of a pipe knows that it was closed. */
OMEN_LIBC_BLOCKS (int, close, (int fd), (fd), omen_channel_before (fd, pc);
                  omen_fd_note (fd, OMEN_DESCRIPTOR_CLOSED, pc),
                  omen_channel_closed (fd))
OMEN_LIBC_BLOCKS (int, shutdown, (int fd, int how), (fd, how),
                  omen_channel_before (fd, pc), )
OMEN_LIBC_BLOCKS (int, close_range, (unsigned from, unsigned to, int flags),
                  (from, to, flags), omen_outside_before (pc),
                  omen_channel_closed (-1))
OMEN_NEXT (void, closefrom, (int));

OMEN_EXPORT void
closefrom (int from)
{
  omen_outside_before (OMEN_PC);
  OMEN_REAL (closefrom) (from);
  omen_channel_closed (-1);
}

OMEN_LIBC_BLOCKS (int, dup, (int fd), (fd), omen_fd_used (fd, pc),
                  omen_channel_duplicated ();
                  omen_fd_made (result, pc))
OMEN_LIBC_BLOCKS (int, dup2, (int fd, int to), (fd, to),
                  omen_channel_before (to, pc), omen_channel_duplicated ())
OMEN_LIBC_BLOCKS (int, dup3, (int fd, int to, int flags), (fd, to, flags),
                  omen_channel_before (to, pc), omen_channel_duplicated ())

/* -- An eventfd by its own functions ------------------------------------- */

OMEN_LIBC_BLOCKS (int, eventfd_read, (int fd, eventfd_t *to), (fd, to),
                  omen_fd_wait (fd, POLLIN, 0),
                  if (omen_fd_depends (result)) omen_channel_after (fd, pc);
                  if (!result) omen_wrote (to, sizeof *to, pc))
OMEN_LIBC_BLOCKS (int, eventfd_write, (int fd, eventfd_t value), (fd, value),
                  omen_watch_point ();
                  omen_fd_wait (fd, POLLOUT, 0); omen_channel_before (fd, pc), )

OMEN_LIBC_BLOCKS (
    int, epoll_ctl, (int fd, int what, int which, struct epoll_event *event),
    (fd, what, which, event), if (what != EPOLL_CTL_DEL && event) {
      omen_read (event, sizeof *event, pc);
      omen_channel_watch (which, pc);
    }, )

/* -- Locks of files ----------------------------------------------------------

   Other processes take them, too. */

OMEN_LIBC_BLOCKS (int, flock, (int fd, int what), (fd, what),
                  omen_outside_before (pc),
                  if (!result && !(what & LOCK_UN)) omen_outside_after (pc))
OMEN_LIBC_BLOCKS (int, lockf, (int fd, int what, off_t size), (fd, what, size),
                  omen_outside_before (pc),
                  if (!result && what != F_ULOCK) omen_outside_after (pc))
OMEN_ALSO (lockf, lockf64);

OMEN_NEXT (int, fcntl, (int, int, ...));
OMEN_LIBC_CANCELLABLE (int, fcntl, (int fd, int what, void *with),
                       (fd, what, with))

static bool
is_lock (int what)
{
  return what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK
         || what == F_OFD_SETLKW;
}

static int
do_fcntl (int fd, int what, void *with, uint64_t pc)
{
  if (!omen_enabled ())
    return OMEN_REAL (fcntl) (fd, what, with);
  if (is_lock (what))
    omen_outside_before (pc);
  omen_sched_leave ();
  int result = cancellable_fcntl (fd, what, with);
  omen_sched_return ();
  if (what == F_DUPFD || what == F_DUPFD_CLOEXEC) {
    omen_channel_duplicated ();
    omen_fd_made (result, pc);
  }
  if (is_lock (what) && !result
      && ((const struct flock *)with)->l_type != F_UNLCK)
    omen_outside_after (pc);
  return result;
}

/* Only some commands have an argument; for the others it is not used. */
OMEN_EXPORT int
fcntl (int fd, int what, ...)
{
  va_list args;
  va_start (args, what);
  void *with = va_arg (args, void *);
  va_end (args);
  return do_fcntl (fd, what, with, OMEN_PC);
}

OMEN_ALSO (fcntl, fcntl64);
