#include "io/binary_writer.h"

#include <errno.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void
put_header (omen_chunk_writer *w)
{
  omen_file_header h
      = { .version = OMEN_FORMAT_VERSION, .minimum = 1, .size = sizeof h };
  memcpy (h.magic, OMEN_FILE_MAGIC, sizeof h.magic);
  h.checksum = XXH3_64bits (&h, offsetof (omen_file_header, checksum));
  fwrite (&h, sizeof h, 1, w->out);
}

static void
put_event (omen_chunk_writer *w, omen_record_state *state, omen_eid e)
{
  uint8_t *start, *end;
  if (w->fresh)
    *state = (omen_record_state){ w->header.stream, 0, 0 };
  w->fresh = false;
  start = omen_chunk_room (w, OMEN_RECORD_ROOM);
  end = omen_record_put (start, state, omen_trace_event (w->trace, e), 0);
  OMEN_ASSERT (end - start <= OMEN_RECORD_MAX);
  w->payload.count -= (size_t)(OMEN_RECORD_ROOM - (end - start));
  omen_chunk_entry (w);
}

static void
put_interleaved (omen_chunk_writer *w)
{
  omen_record_state state;
  omen_chunk_open (w, OMEN_CHUNK_EVENTS, OMEN_NONE);
  for (size_t e = 0; e < w->trace->events.count; e++)
    put_event (w, &state, (omen_eid)e);
  omen_chunk_close (w);
}

static void
put_order (omen_chunk_writer *w)
{
  const omen_event *events = w->trace->events.data;
  size_t count = w->trace->events.count;
  omen_chunk_open (w, OMEN_CHUNK_ORDER, OMEN_NONE);
  for (size_t e = 0, next; e < count; e = next) {
    for (next = e + 1; next < count && events[next].thread == events[e].thread;)
      next++;
    omen_chunk_varint (w, events[e].thread);
    omen_chunk_varint (w, next - e);
    omen_chunk_entry (w);
  }
  omen_chunk_close (w);
}

static void
put_by_thread (omen_chunk_writer *w)
{
  put_order (w);
  for (omen_tid t = 0; t < w->trace->threads.count; t++) {
    omen_record_state state;
    omen_chunk_open (w, OMEN_CHUNK_EVENTS, t);
    for (uint32_t i = 0; i < w->trace->threads.data[t].count; i++)
      put_event (w, &state, omen_trace_nth (w->trace, t, i));
    omen_chunk_close (w);
  }
}

static void
put_end (omen_chunk_writer *w)
{
  omen_file_end end = { w->chunks, w->trace->events.count };
  omen_chunk_open (w, OMEN_CHUNK_END, OMEN_NONE);
  omen_chunk_bytes (w, &end, sizeof end);
  omen_chunk_entry (w);
  omen_chunk_close (w);
}

bool
omen_binary_write_as (const omen_trace *trace, unsigned how, FILE *out,
                      omen_err *err)
{
  omen_chunk_writer w = { .trace = trace, .out = out, .how = how };
  OMEN_REQUIRE (trace->by_thread);
  put_header (&w);
  omen_chunk_tables (&w);
  if (how & OMEN_BINARY_BY_THREAD)
    put_by_thread (&w);
  else
    put_interleaved (&w);
  put_end (&w);
  OMEN_VEC_FINI (w.payload);
  OMEN_VEC_FINI (w.packed);
  OMEN_VEC_FINI (w.strings);
  OMEN_VEC_FINI (w.listed);
  if (fflush (out) || ferror (out))
    return omen_err_io (err, "", "cannot write: %s", strerror (errno));
  return true;
}

bool
omen_binary_write (const omen_trace *trace, FILE *out, omen_err *err)
{
  return omen_binary_write_as (trace, 0, out, err);
}
