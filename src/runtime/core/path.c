#include "runtime/core/path.h"
#include "runtime/core/bytes.h"
#include "runtime/core/core.h"
#include "runtime/core/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

static char path[OMEN_PATH_MAX + 64];
static int file = -1;
static int direct = -1; /* the same file, or -1 */
static struct stat identity;

/* Descriptor numbers that a program rarely uses itself. */
enum { HIGH_FD = 900, MOST_BESIDE = 1000 };

static const char *
error_text (long error)
{
  static const struct {
    int number;
    const char *text;
  } errors[] = {
    { ENOSPC, "no space left on the device" },
    { EDQUOT, "the disk quota is used up" },
    { EFBIG, "the file would be too large" },
    { EIO, "input/output error" },
    { EACCES, "permission denied" },
    { EPERM, "permission denied" },
    { ENOENT, "no such folder" },
    { ENOTDIR, "no such folder" },
    { EISDIR, "it is a folder" },
    { EMFILE, "too many open files" },
    { ENFILE, "too many open files" },
    { ENOMEM, "no memory" },
    { EPIPE, "nobody reads it" },
    { EROFS, "the file system is read-only" },
  };
  for (size_t i = 0; i < OMEN_COUNT (errors); i++)
    if (errors[i].number == -error)
      return errors[i].text;
  return "it cannot be written";
}

static long
open_with (int flags)
{
  long low
      = omen_call (SYS_openat, AT_FDCWD, (long)path,
                   O_CLOEXEC | O_NOCTTY | flags
                       | (omen_rt_options.ring ? O_RDWR : O_WRONLY | O_APPEND),
                   0600, 0, 0);
  if (low < 0)
    return low;
  long high = omen_call (SYS_fcntl, low, F_DUPFD_CLOEXEC, HIGH_FD, 0, 0, 0);
  if (high < 0)
    return low;
  omen_call (SYS_close, low, 0, 0, 0, 0, 0);
  return high;
}

/* Opened only if a high descriptor number is free: the program may rely on
   getting the low ones. */
static int
open_direct (void)
{
  long fd = open_with (O_DIRECT);
  if (fd >= 0 && fd < HIGH_FD) {
    omen_call (SYS_close, fd, 0, 0, 0, 0, 0);
    return -1;
  }
  return fd < 0 ? -1 : (int)fd;
}

/* Appends "." and the number to the first `length` bytes. */
static void
add_number (size_t length, uint64_t number)
{
  char digits[24];
  size_t count = 0;
  do
    digits[count++] = (char)('0' + number % 10);
  while ((number /= 10));
  path[length++] = '.';
  while (count)
    path[length++] = digits[--count];
  path[length] = 0;
}

static bool
is_special (void)
{
  struct stat s;
  return omen_call (SYS_newfstatat, AT_FDCWD, (long)path, (long)&s, 0, 0, 0)
             >= 0
         && !S_ISREG (s.st_mode);
}

static long
open_beside (void)
{
  size_t length = omen_bytes_length (path);
  add_number (length, (uint64_t)omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0));
  length = omen_bytes_length (path);
  long fd = open_with (O_CREAT | O_EXCL);
  for (unsigned i = 2; fd == -EEXIST && i < MOST_BESIDE; i++) {
    add_number (length, i);
    fd = open_with (O_CREAT | O_EXCL);
  }
  return fd;
}

/* An absolute path, since the program may change its folder. */
static bool
make_path (void)
{
  const char *name = omen_rt_options.output;
  size_t size = omen_bytes_length (name) + 1, folder = 0;
  if (*name != '/') {
    long got = omen_call (SYS_getcwd, (long)path, OMEN_PATH_MAX, 0, 0, 0, 0);
    if (got < 0 || *path != '/')
      return false;
    folder = (size_t)got;
    path[folder - 1] = '/';
  }
  if (folder + size > OMEN_PATH_MAX)
    return false;
  omen_bytes_copy (path + folder, name, size);
  omen_bytes_copy (omen_rt_options.output, path, folder + size);
  return true;
}

static bool
is_our_file (int fd)
{
  struct stat now;
  return omen_call (SYS_fstat, fd, (long)&now, 0, 0, 0, 0) >= 0
         && now.st_dev == identity.st_dev && now.st_ino == identity.st_ino;
}

/* Closes the parent's file in a child, whether or not the child gets a file of
   its own. The program may have reused the descriptor number for another file,
   which is left alone: `identity` is that of the parent's file. */
static void
close_inherited (int *fd)
{
  if (*fd >= 0 && is_our_file (*fd))
    omen_call (SYS_close, *fd, 0, 0, 0, 0, 0);
  *fd = -1;
}

const char *
omen_path_open (bool child, bool large)
{
  if (child) {
    close_inherited (&file);
    close_inherited (&direct);
  }
  if (!make_path ())
    return "its name is too long";
  long fd = child ? -EEXIST : open_with (O_CREAT | O_EXCL);
  if (fd == -EEXIST)
    fd = is_special () ? open_with (0) : open_beside ();
  if (fd < 0)
    return error_text (fd);
  file = (int)fd;
  long seen = omen_call (SYS_fstat, file, (long)&identity, 0, 0, 0, 0);
  if (large && seen >= 0 && S_ISREG (identity.st_mode))
    direct = open_direct ();
  return seen < 0 ? error_text (seen) : NULL;
}

/* The descriptor, negative if it is no longer ours. */
static int
find_file (void)
{
  int fd = __atomic_load_n (&file, __ATOMIC_RELAXED);
  if (OMEN_LIKELY (is_our_file (fd)))
    return fd;
  fd = (int)open_with (0);
  if (fd < 0)
    return -1;
  if (!is_our_file (fd)) {
    omen_call (SYS_close, fd, 0, 0, 0, 0, 0);
    return -1;
  }
  __atomic_store_n (&file, fd, __ATOMIC_RELAXED);
  return fd;
}

bool
omen_path_has_direct (void)
{
  return direct >= 0;
}

long
omen_path_append_direct (const void *bytes, size_t size)
{
  long done = -EINTR;
  if (!is_our_file (direct))
    return -EBADF;
  omen_signal_ours = true;
  while (done == -EINTR || done == -EAGAIN)
    done = omen_call (SYS_write, direct, (long)bytes, (long)size, 0, 0, 0);
  omen_signal_ours = false;
  return done;
}

bool
omen_path_size (uint64_t *size)
{
  struct stat now;
  int fd = find_file ();
  if (fd < 0 || omen_call (SYS_fstat, fd, (long)&now, 0, 0, 0, 0) < 0)
    return false;
  *size = (uint64_t)now.st_size;
  return true;
}

uint64_t
omen_path_free (void)
{
  struct statfs disk;
  if (!S_ISREG (identity.st_mode)
      || omen_call (SYS_fstatfs, file, (long)&disk, 0, 0, 0, 0) < 0)
    return 0;
  return (uint64_t)disk.f_bavail * (uint64_t)disk.f_bsize;
}

uint64_t
omen_path_used (void)
{
  struct stat now;
  int fd = find_file ();
  bool seen = fd >= 0 && omen_call (SYS_fstat, fd, (long)&now, 0, 0, 0, 0) >= 0;
  return seen ? (uint64_t)now.st_blocks * 512 : 0;
}

void
omen_path_shorten (size_t size)
{
  struct stat now;
  int fd = find_file ();
  if (fd >= 0 && omen_call (SYS_fstat, fd, (long)&now, 0, 0, 0, 0) >= 0
      && S_ISREG (now.st_mode))
    omen_call (SYS_ftruncate, fd, now.st_size - (off_t)size, 0, 0, 0, 0);
}

/* SIGXFSZ and SIGPIPE caused by this write are not the program's. */
static const char *
write_all (const char *p, size_t size, uint64_t at, bool positioned)
{
  int fd = find_file ();
  long done = 0;
  if (fd < 0)
    return "the file is not there any more";
  omen_signal_ours = true;
  while (size) {
    done = omen_call (positioned ? SYS_pwrite64 : SYS_write, fd, (long)p,
                      (long)size, (long)at, 0, 0);
    if (done < 0 && done != -EINTR && done != -EAGAIN)
      break;
    if (done > 0) {
      p += done;
      at += (uint64_t)done;
      size -= (size_t)done;
    }
  }
  omen_signal_ours = false;
  return size ? error_text (done) : NULL;
}

/* The kernel keeps appends to a file apart, but not writes to a full pipe.
   SIGPIPE may arrive before our handlers are installed. */
static const char *
append_to_pipe (const void *bytes, size_t size)
{
  static omen_latch latch;
  const uint64_t signal = UINT64_C (1) << (SIGPIPE - 1);
  const struct timespec now = { 0, 0 };
  uint64_t before, pending = 0;
  omen_call (SYS_rt_sigprocmask, SIG_BLOCK, (long)&signal, (long)&before, 8, 0,
             0);
  omen_call (SYS_rt_sigpending, (long)&pending, 8, 0, 0, 0, 0);
  omen_latch_take (&latch);
  const char *wrong = write_all (bytes, size, 0, false);
  omen_latch_give (&latch);
  if (wrong && !(pending & signal))
    omen_call (SYS_rt_sigtimedwait, (long)&signal, 0, (long)&now, 8, 0, 0);
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
  return wrong;
}

const char *
omen_path_append (const void *bytes, size_t size)
{
  return OMEN_LIKELY (S_ISREG (identity.st_mode))
             ? write_all (bytes, size, 0, false)
             : append_to_pipe (bytes, size);
}

const char *
omen_path_write (const void *bytes, size_t size, uint64_t at)
{
  return write_all (bytes, size, at, true);
}

const char *
omen_path_read (void *bytes, size_t size, uint64_t at)
{
  long done = omen_call (SYS_pread64, find_file (), (long)bytes, (long)size,
                         (long)at, 0, 0);
  if (done == (long)size)
    return NULL;
  return done < 0 ? error_text (done) : "somebody else has cut it";
}
