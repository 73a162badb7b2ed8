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

/* The bytes of a file. `room`: bytes that may be appended in its mapping; 0: it
   is not mapped. */
typedef struct loaded {
  const void *data;
  size_t size, room;
} loaded;

/* Reads a file of events as it is; rebuilds a trace from a recording. */
static omen_trace *
parse_binary (const char *path, loaded file, const omen_load_options *options,
              omen_err *err)
{
  omen_binary_reader reader;
  bool read = omen_binary_open (&reader, path, file.data, file.size, err);
  reader.mapped = file.room > 0;
  read = read
         && (reader.notes ? omen_rebuild (&reader, &options->rebuild)
                          : omen_binary_read (&reader));
  return omen_binary_close (&reader, read);
}

/* Appends the names that the file lacks before parsing it. */
static omen_trace *
parse_named (const char *path, loaded file, const omen_load_options *options,
             omen_err *err)
{
  omen_symbols_chunks names = { 0 };
  omen_trace *trace;
  uint8_t *copy = NULL;
  omen_symbols_find (path, file.data, file.size, &names);
  if (names.count && names.count > file.room) {
    copy = omen_alloc (file.size + names.count);
    memcpy (copy, file.data, file.size);
    file = (loaded){ copy, file.size, 0 };
  }
  if (names.count)
    memcpy ((uint8_t *)file.data + file.size, names.data, names.count);
  file.size += names.count;
  file.room -= file.room ? names.count : 0;
  trace = parse_binary (path, file, options, err);
  omen_free (copy);
  OMEN_VEC_FINI (names);
  return trace;
}

static omen_trace *
parse (const char *path, loaded file, const omen_load_options *options,
       omen_err *err)
{
  static const omen_load_options defaults;
  omen_trace *trace;
  if (!options)
    options = &defaults;
  if (options->parser)
    trace = options->parser (path, file.data, file.size, err);
  else if (!omen_binary_is (file.data, file.size))
    trace = omen_text_parse (path, file.data, file.size, err);
  else
    trace = (options->without_names ? parse_binary
                                    : parse_named) (path, file, options, err);
  if (trace && !trace->rebuilt.cut) {
    omen_trace_fit (trace, options->rebuild.limits);
    omen_trace_warn_part (trace);
  }
  return trace;
}

omen_trace *
omen_load_memory (const char *path, const void *data, size_t size,
                  const omen_load_options *options, omen_err *err)
{
  return parse (path, (loaded){ data, size, 0 }, options, err);
}

/* Reads a pipe or terminal to its end. */
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

/* Address space reserved for what is appended to a file; it uses no memory. */
#define ROOM OMEN_HARD_OR ((size_t)1 << 12, (size_t)1 << 28)

/* A private mapping: what is appended does not change the file. */
static omen_trace *
load_mapped (const char *path, int fd, size_t size,
             const omen_load_options *options, omen_err *err)
{
  const int flags = MAP_PRIVATE | MAP_NORESERVE;
  omen_trace *trace = NULL;
  void *data = mmap (NULL, size + ROOM, PROT_READ | PROT_WRITE,
                     flags | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return load_stream (path, fd, options, err);
  if (mmap (data, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0)
      == MAP_FAILED)
    trace = load_stream (path, fd, options, err);
  else {
    madvise (data, size, MADV_SEQUENTIAL);
    trace = parse (path, (loaded){ data, size, ROOM }, options, err);
  }
  munmap (data, size + ROOM);
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
