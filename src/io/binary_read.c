#include "io/binary.h"
#include "io/binary_reader.h"
#include "trace/rules.h"

#include <string.h>

/* Checks only the first part of the magic: a file that was cut right after
   it, or whose line ends were converted, gets a better message than the text
   reader would give. */
bool
omen_binary_is (const void *data, size_t size)
{
  return size >= OMEN_FILE_MAGIC_NAME
         && !memcmp (data, OMEN_FILE_MAGIC, OMEN_FILE_MAGIC_NAME);
}

/* Warn if the trace is incomplete. */
static void
sum_up (omen_binary_reader *reader)
{
  omen_trace *trace = reader->trace;
  if (!reader->lossy)
    return;
  if (!reader->notes)
    omen_trace_warn (trace, "%zu of %lu%s events are usable",
                     trace->events.count, (unsigned long)reader->promised,
                     reader->complete ? "" : " or more");
  trace->flags |= OMEN_TRACE_PARTIAL;
}

/* The flag follows from the extras, whatever the file says. */
static void
set_flags (omen_trace *trace)
{
  for (size_t i = 0; i < trace->extras.count; i++)
    if (trace->extras.data[i].reads
        || trace->extras.data[i].branch != OMEN_NONE)
      trace->flags |= OMEN_TRACE_DEPENDENCES;
}

static bool
renumber (omen_binary_reader *reader)
{
  if (!reader->renumber)
    return true;
  reader->trace = omen_trace_renumber_take (reader->trace);
  return omen_trace_seal (reader->trace, reader->err);
}

bool
omen_binary_open (omen_binary_reader *reader, const char *path,
                  const void *data, size_t size, omen_err *err)
{
  OMEN_REQUIRE (path && (data || !size));
  *reader = (omen_binary_reader){
    .path = path, .data = data, .size = size, .err = err
  };
  reader->trace = omen_trace_new (path);
  return omen_binary_list (reader) && omen_binary_tables (reader);
}

bool
omen_binary_read (omen_binary_reader *reader)
{
  if (reader->notes)
    return omen_err_set (reader->err, reader->path,
                         "is a recording: it has logs of threads, no events");
  if (!omen_seal_tables (reader->trace, reader->err)
      || !omen_binary_events (reader) || !omen_binary_extras (reader)
      || !omen_seal_extras (reader->trace, reader->err))
    return false;
  set_flags (reader->trace);
  return renumber (reader);
}

omen_trace *
omen_binary_close (omen_binary_reader *reader, bool read)
{
  omen_trace *trace = reader->trace;
  if (read)
    sum_up (reader);
  else {
    omen_trace_free (trace);
    trace = NULL;
  }
  OMEN_ASSERT (!trace || trace->by_thread);
  OMEN_VEC_FINI (reader->chunks);
  OMEN_VEC_FINI (reader->strings);
  OMEN_VEC_FINI (reader->hints);
  return trace;
}

omen_trace *
omen_binary_parse (const char *path, const void *data, size_t size,
                   omen_err *err)
{
  omen_binary_reader reader;
  bool read = omen_binary_open (&reader, path, data, size, err)
              && omen_binary_read (&reader);
  return omen_binary_close (&reader, read);
}
