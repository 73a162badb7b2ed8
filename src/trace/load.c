#include "trace/load.h"
#include "base/vec.h"
#include "trace/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE OMEN_HARD_OR ((size_t)7, (size_t)1 << 20)

static omen_trace *
parse (const char *path, const char *data, size_t size, omen_err *err)
{
  return omen_text_parse (path, data, size, err);
}

/* A pipe or terminal: read to its end. */
static omen_trace *
load_stream (const char *path, int fd, omen_err *err)
{
  OMEN_VEC (char) data = { 0 };
  omen_trace *trace = NULL;
  ssize_t got;
  do {
    OMEN_VEC_RESERVE (data, data.count + PIECE);
    got = read (fd, data.data + data.count, data.room - data.count);
    if (got > 0)
      data.count += (size_t)got;
  } while (got > 0 || (got < 0 && errno == EINTR));
  if (got < 0)
    omen_err_io (err, path, "cannot read: %s", strerror (errno));
  else
    trace = parse (path, data.data, data.count, err);
  OMEN_VEC_FINI (data);
  return trace;
}

static omen_trace *
load_mapped (const char *path, int fd, size_t size, omen_err *err)
{
  omen_trace *trace;
  void *data = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED)
    return load_stream (path, fd, err);
  madvise (data, size, MADV_SEQUENTIAL);
  trace = parse (path, data, size, err);
  munmap (data, size);
  return trace;
}

static omen_trace *
load_fd (const char *path, int fd, omen_err *err)
{
  struct stat info;
  if (fstat (fd, &info))
    omen_err_io (err, path, "cannot read: %s", strerror (errno));
  else if (S_ISDIR (info.st_mode))
    omen_err_io (err, path, "cannot read: %s", strerror (EISDIR));
  else if (S_ISREG (info.st_mode) && info.st_size > 0
           && lseek (fd, 0, SEEK_CUR) == 0)
    return load_mapped (path, fd, (size_t)info.st_size, err);
  else
    return load_stream (path, fd, err);
  return NULL;
}

omen_trace *
omen_trace_load (const char *path, omen_err *err)
{
  omen_trace *trace;
  int fd;
  OMEN_REQUIRE (path);
  if (!strcmp (path, "-"))
    return load_fd ("standard input", STDIN_FILENO, err);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    omen_err_io (err, path, "cannot open: %s", strerror (errno));
    return NULL;
  }
  trace = load_fd (path, fd, err);
  close (fd);
  return trace;
}
