#include "load/load.h"
#include "base/vec.h"
#include "symbols/symbols.h"
#include "io/binary.h"
#include "io/text_read.h"
#include "trace/part.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE OMEN_HARD_OR ((size_t)7, (size_t)1 << 20)

/* A file of events is read as it is, a recorder's file is rebuilt. */
static omen_trace *
parse_binary (const char *path, const void *data, size_t size,
              const omen_load_options *options, omen_err *err)
{
  omen_binary_reader reader;
  bool read = omen_binary_open (&reader, path, data, size, err)
              && (reader.notes ? omen_rebuild (&reader, &options->rebuild)
                               : omen_binary_read (&reader));
  return omen_binary_close (&reader, read);
}

/* With the names that the file lacks, as if they stood at its end. */
static omen_trace *
parse_named (const char *path, const void *data, size_t size,
             const omen_load_options *options, omen_err *err)
{
  omen_symbols_chunks names = { 0 };
  omen_trace *trace;
  omen_symbols_find (path, data, size, &names);
  if (names.count) {
    uint8_t *all = omen_alloc (size + names.count);
    memcpy (all, data, size);
    memcpy (all + size, names.data, names.count);
    trace = parse_binary (path, all, size + names.count, options, err);
    omen_free (all);
  } else
    trace = parse_binary (path, data, size, options, err);
  OMEN_VEC_FINI (names);
  return trace;
}

omen_trace *
omen_load_memory (const char *path, const void *data, size_t size,
                  const omen_load_options *options, omen_err *err)
{
  static const omen_load_options defaults;
  omen_trace *trace;
  if (!options)
    options = &defaults;
  if (options->parser)
    trace = options->parser (path, data, size, err);
  else if (!omen_binary_is (data, size))
    trace = omen_text_parse (path, data, size, err);
  else
    trace = (options->without_names ? parse_binary : parse_named) (
        path, data, size, options, err);
  if (trace && !trace->rebuilt.cut) {
    omen_trace_fit (trace, options->rebuild.limits);
    omen_trace_tell_part (trace);
  }
  return trace;
}

/* A pipe or terminal: read to its end. */
static omen_trace *
load_stream (const char *path, int fd, const omen_load_options *options,
             omen_err *err)
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
    trace = omen_load_memory (path, data.data, data.count, options, err);
  OMEN_VEC_FINI (data);
  return trace;
}

static omen_trace *
load_mapped (const char *path, int fd, size_t size,
             const omen_load_options *options, omen_err *err)
{
  omen_trace *trace;
  void *data = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED)
    return load_stream (path, fd, options, err);
  madvise (data, size, MADV_SEQUENTIAL);
  trace = omen_load_memory (path, data, size, options, err);
  munmap (data, size);
  return trace;
}

static omen_trace *
load_fd (const char *path, int fd, const omen_load_options *options,
         omen_err *err)
{
  struct stat info;
  if (fstat (fd, &info))
    omen_err_io (err, path, "cannot read: %s", strerror (errno));
  else if (S_ISDIR (info.st_mode))
    omen_err_io (err, path, "cannot read: %s", strerror (EISDIR));
  else if (S_ISREG (info.st_mode) && info.st_size > 0
           && lseek (fd, 0, SEEK_CUR) == 0)
    return load_mapped (path, fd, (size_t)info.st_size, options, err);
  else
    return load_stream (path, fd, options, err);
  return NULL;
}

omen_trace *
omen_load (const char *path, const omen_load_options *options, omen_err *err)
{
  omen_trace *trace;
  int fd;
  OMEN_REQUIRE (path);
  if (!strcmp (path, "-"))
    return load_fd ("standard input", STDIN_FILENO, options, err);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    omen_err_io (err, path, "cannot open: %s", strerror (errno));
    return NULL;
  }
  trace = load_fd (path, fd, options, err);
  close (fd);
  return trace;
}
