#include "trace/load.h"
#include "base/vec.h"
#include "trace/binary.h"
#include "trace/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE OMEN_HARD_OR ((size_t)7, (size_t)1 << 20)

void (*omen_load_more) (const char *path, const void *data, size_t size,
                        omen_load_bytes *more);

static omen_trace *
parse_binary (const char *path, const char *data, size_t size, omen_err *err)
{
  omen_load_bytes more = { 0 };
  omen_trace *trace;
  if (omen_load_more)
    omen_load_more (path, data, size, &more);
  if (more.count) {
    uint8_t *all = omen_alloc (size + more.count);
    memcpy (all, data, size);
    memcpy (all + size, more.data, more.count);
    trace = omen_binary_parse (path, all, size + more.count, err);
    omen_free (all);
  } else
    trace = omen_binary_parse (path, data, size, err);
  OMEN_VEC_FINI (more);
  return trace;
}

static omen_trace *
parse_any (const char *path, const char *data, size_t size, omen_err *err)
{
  return omen_binary_is (data, size) ? parse_binary (path, data, size, err)
                                     : omen_text_parse (path, data, size, err);
}

/* A pipe or terminal: read to its end. */
static omen_trace *
load_stream (const char *path, int fd, omen_trace_parser parser, omen_err *err)
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
  else if (!data.count)
    omen_err_set (err, path, "is empty, no trace");
  else
    trace = parser (path, data.data, data.count, err);
  OMEN_VEC_FINI (data);
  return trace;
}

static omen_trace *
load_mapped (const char *path, int fd, size_t size, omen_trace_parser parser,
             omen_err *err)
{
  omen_trace *trace;
  void *data = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED)
    return load_stream (path, fd, parser, err);
  madvise (data, size, MADV_SEQUENTIAL);
  trace = parser (path, data, size, err);
  munmap (data, size);
  return trace;
}

static omen_trace *
load_fd (const char *path, int fd, omen_trace_parser parser, omen_err *err)
{
  struct stat info;
  if (fstat (fd, &info))
    omen_err_io (err, path, "cannot read: %s", strerror (errno));
  else if (S_ISDIR (info.st_mode))
    omen_err_io (err, path, "cannot read: %s", strerror (EISDIR));
  else if (S_ISREG (info.st_mode) && info.st_size > 0
           && lseek (fd, 0, SEEK_CUR) == 0)
    return load_mapped (path, fd, (size_t)info.st_size, parser, err);
  else
    return load_stream (path, fd, parser, err);
  return NULL;
}

omen_trace *
omen_trace_load_as (const char *path, omen_trace_parser parser, omen_err *err)
{
  omen_trace *trace;
  int fd;
  OMEN_REQUIRE (path);
  if (!parser)
    parser = parse_any;
  if (!strcmp (path, "-"))
    return load_fd ("standard input", STDIN_FILENO, parser, err);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    omen_err_io (err, path, "cannot open: %s", strerror (errno));
    return NULL;
  }
  trace = load_fd (path, fd, parser, err);
  close (fd);
  return trace;
}

omen_trace *
omen_trace_load (const char *path, omen_err *err)
{
  return omen_trace_load_as (path, NULL, err);
}
