#include "trace/binary.h"
#include "trace/binary_reader.h"
#include "trace/rules.h"

#include <string.h>

/* Four bytes are enough: then a file cut inside its header gets that message
   and is not taken for text. */
bool
omen_binary_is (const void *data, size_t size)
{
  size_t length = sizeof OMEN_FILE_MAGIC - 1;
  return size >= 4
         && !memcmp (data, OMEN_FILE_MAGIC, size < length ? size : length);
}

static void
fini (omen_binary_reader *reader)
{
  OMEN_VEC_FINI (reader->chunks);
  OMEN_VEC_FINI (reader->strings);
  OMEN_VEC_FINI (reader->hints);
}

/* What the user should know of a trace that is not all there. */
static void
sum_up (omen_binary_reader *reader)
{
  omen_trace *trace = reader->trace;
  if (!reader->lossy)
    return;
  omen_trace_warn (trace, "%zu of %lu%s events are usable", trace->events.count,
                   (unsigned long)reader->promised,
                   reader->complete ? "" : " or more");
  trace->flags |= OMEN_TRACE_PARTIAL;
}

static bool
read_all (omen_binary_reader *reader)
{
  return omen_binary_list (reader) && omen_binary_tables (reader)
         && omen_seal_tables (reader->trace, reader->err)
         && omen_binary_events (reader) && omen_binary_extras (reader)
         && omen_seal_extras (reader->trace, reader->err);
}

omen_trace *
omen_binary_parse (const char *path, const void *data, size_t size,
                   omen_err *err)
{
  omen_binary_reader reader
      = { .path = path, .data = data, .size = size, .err = err };
  bool read;
  reader.trace = omen_trace_new (path);
  read = read_all (&reader);
  if (read)
    sum_up (&reader);
  else
    omen_trace_free (reader.trace);
  fini (&reader);
  return read ? reader.trace : NULL;
}
