/* Reading and writing through descriptors: the bytes, the order between the two
   ends of a pipe or socket, and blocking. */
#include "runtime/hooks/channel.h"
#include "runtime/hooks/libc.h"
#include "runtime/hooks/libc_fd.h"

#include <poll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* -- Before and after a transfer ----------------------------------------- */

static void
read_parts (const struct iovec *parts, int count, uint64_t pc)
{
  omen_read (parts, (size_t)count * sizeof *parts, pc);
  for (int i = 0; i < count; i++)
    omen_read (parts[i].iov_base, parts[i].iov_len, pc);
}

static void
wrote_parts (const struct iovec *parts, int count, ssize_t got, uint64_t pc)
{
  size_t left = got > 0 ? (size_t)got : 0;
  for (int i = 0; i < count && left; i++) {
    size_t here = parts[i].iov_len < left ? parts[i].iov_len : left;
    omen_wrote (parts[i].iov_base, here, pc);
    left -= here;
  }
}

static void
received (const struct msghdr *message, ssize_t got, uint64_t pc)
{
  if (got < 0)
    return;
  wrote_parts (message->msg_iov, (int)message->msg_iovlen, got, pc);
  omen_wrote (message, sizeof *message, pc);
  if (message->msg_name)
    omen_wrote (message->msg_name, message->msg_namelen, pc);
  omen_changed (message->msg_control, message->msg_controllen, pc);
}

/* Descriptors may go along. */
static void
sends (const struct msghdr *message, uint64_t pc)
{
  if (message->msg_controllen)
    omen_channel_share ();
  omen_read (message, sizeof *message, pc);
  read_parts (message->msg_iov, (int)message->msg_iovlen, pc);
  if (message->msg_name)
    omen_read (message->msg_name, message->msg_namelen, pc);
}

/* INPUT, OUTPUT (type, name, parameters, arguments, flags, what to log) */
#define INPUT(name, parameters, arguments, flags, after)                       \
  OMEN_LIBC_BLOCKS (ssize_t, name, parameters, arguments,                      \
                    omen_fd_used (fd, pc);                                     \
                    omen_fd_wait (fd, POLLIN, flags),                          \
                    if (omen_fd_depends (result)) omen_channel_after (fd, pc); \
                    after)

#define OUTPUT(name, parameters, arguments, flags, before)                     \
  OMEN_LIBC_BLOCKS (ssize_t, name, parameters, arguments, omen_watch_point (); \
                    before; omen_fd_used (fd, pc);                             \
                    omen_fd_wait (fd, POLLOUT, flags);                         \
                    omen_channel_before (fd, pc),                              \
                    if (omen_fd_refused (result)) omen_channel_after (fd, pc))

#define GOT(to)                                                                \
  if (result > 0)                                                              \
  omen_wrote (to, (size_t)result, pc)

INPUT (read, (int fd, void *to, size_t size), (fd, to, size), 0, GOT (to))
INPUT (__read_chk, (int fd, void *to, size_t size, size_t room),
       (fd, to, size, room), 0, GOT (to))
INPUT (pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), 0,
       GOT (to))
INPUT (readv, (int fd, const struct iovec *parts, int count),
       (fd, parts, count), 0, wrote_parts (parts, count, result, pc))
INPUT (preadv, (int fd, const struct iovec *parts, int count, off_t at),
       (fd, parts, count, at), 0, wrote_parts (parts, count, result, pc))
INPUT (recv, (int fd, void *to, size_t size, int flags), (fd, to, size, flags),
       flags, GOT (to))
INPUT (__recv_chk, (int fd, void *to, size_t size, size_t room, int flags),
       (fd, to, size, room, flags), flags, GOT (to))
INPUT (recvfrom,
       (int fd, void *to, size_t size, int flags, struct sockaddr *from,
        socklen_t *length),
       (fd, to, size, flags, from, length), flags, GOT (to);
       if (result >= 0) omen_fd_wrote_address (from, length, pc))
INPUT (recvmsg, (int fd, struct msghdr *message, int flags),
       (fd, message, flags), flags, received (message, result, pc))

OUTPUT (write, (int fd, const void *from, size_t size), (fd, from, size), 0,
        omen_read (from, size, pc))
OUTPUT (pwrite, (int fd, const void *from, size_t size, off_t at),
        (fd, from, size, at), 0, omen_read (from, size, pc))
OUTPUT (writev, (int fd, const struct iovec *parts, int count),
        (fd, parts, count), 0, read_parts (parts, count, pc))
OUTPUT (pwritev, (int fd, const struct iovec *parts, int count, off_t at),
        (fd, parts, count, at), 0, read_parts (parts, count, pc))
OUTPUT (send, (int fd, const void *from, size_t size, int flags),
        (fd, from, size, flags), flags, omen_read (from, size, pc))
OUTPUT (sendto,
        (int fd, const void *from, size_t size, int flags,
         const struct sockaddr *to, socklen_t length),
        (fd, from, size, flags, to, length), flags, omen_read (from, size, pc);
        if (to) omen_read (to, length, pc))
OUTPUT (sendmsg, (int fd, const struct msghdr *message, int flags),
        (fd, message, flags), flags, sends (message, pc))

/* Several messages at once. */
static void
received_all (const struct mmsghdr *messages, int count, uint64_t pc)
{
  for (int i = 0; i < count; i++) {
    received (&messages[i].msg_hdr, messages[i].msg_len, pc);
    omen_wrote (&messages[i].msg_len, sizeof messages[i].msg_len, pc);
  }
}

static void
sends_all (const struct mmsghdr *messages, unsigned count, uint64_t pc)
{
  for (unsigned i = 0; i < count; i++)
    sends (&messages[i].msg_hdr, pc);
}

OMEN_LIBC_BLOCKS (int, recvmmsg,
                  (int fd, struct mmsghdr *messages, unsigned count, int flags,
                   struct timespec *time),
                  (fd, messages, count, flags, time), omen_fd_used (fd, pc);
                  omen_fd_wait (fd, POLLIN, flags),
                  received_all (messages, result, pc);
                  if (omen_fd_depends (result)) omen_channel_after (fd, pc))
OMEN_LIBC_BLOCKS (int, sendmmsg,
                  (int fd, struct mmsghdr *messages, unsigned count, int flags),
                  (fd, messages, count, flags), sends_all (messages, count, pc);
                  omen_fd_used (fd, pc); omen_fd_wait (fd, POLLOUT, flags);
                  omen_channel_before (fd, pc), )

OMEN_ALSO (pread, pread64);
OMEN_ALSO (preadv, preadv64);
OMEN_ALSO (pwrite, pwrite64);
OMEN_ALSO (pwritev, pwritev64);

/* From one descriptor to another. */
#define TRANSFER(name, parameters, arguments, to, from)                        \
  OMEN_LIBC_BLOCKS (                                                           \
      ssize_t, name, parameters, arguments, omen_fd_used (from, pc);           \
      omen_fd_used (to, pc); omen_fd_wait (from, POLLIN, 0);                   \
      omen_fd_wait (to, POLLOUT, 0);                                           \
      omen_channel_before (to, pc),                                            \
      if (omen_fd_depends (result)) omen_channel_after (from, pc))

TRANSFER (sendfile, (int to, int from, off_t *at, size_t size),
          (to, from, at, size), to, from)
TRANSFER (splice,
          (int from, off64_t *in, int to, off64_t *out, size_t size,
           unsigned flags),
          (from, in, to, out, size, flags), to, from)
TRANSFER (tee, (int from, int to, size_t size, unsigned flags),
          (from, to, size, flags), to, from)
TRANSFER (copy_file_range,
          (int from, off64_t *in, int to, off64_t *out, size_t size,
           unsigned flags),
          (from, in, to, out, size, flags), to, from)
OMEN_ALSO (sendfile, sendfile64);
