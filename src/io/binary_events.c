/* The events of a binary trace in order: from interleaved chunks, or from the
   chunks of single threads merged by the ORDER chunks. */
#include "io/binary_decode.h"

/* The total of the chunks' counts; OMEN_NONE if there are too many. */
static uint32_t
count_events (const omen_chunk *chunk, const omen_chunk *end)
{
  uint64_t sum = 0;
  for (; chunk < end; chunk++)
    sum += chunk->header.count;
  return sum < OMEN_NONE - 1 ? (uint32_t)sum : OMEN_NONE;
}

/* The hints, if they cover all threads and events, else NULL. */
static const uint32_t *
usable_hints (const omen_binary_reader *reader, uint32_t total)
{
  uint64_t sum = 0;
  if (reader->hints.count != reader->trace->threads.count)
    return NULL;
  for (size_t t = 0; t < reader->hints.count; t++)
    sum += reader->hints.data[t];
  return sum == total ? reader->hints.data : NULL;
}

/* A stream of records: the chunks of one thread, or of all threads. */
typedef struct omen_event_stream {
  omen_stream stream;
  omen_record_source source;
  uint32_t left; /* records left in the current chunk */
  size_t offset; /* of the current chunk */
} omen_event_stream;

static void
open_stream (omen_event_stream *s, const omen_chunk *chunk,
             const omen_chunk *end)
{
  *s = (omen_event_stream){ 0 };
  omen_stream_init (&s->stream, chunk, end);
  s->source.forbidden = chunk->header.stream == OMEN_NONE ? 0 : 3;
}

/* False at the end of the stream, or at its first unreadable chunk. */
static bool
next_chunk (omen_event_stream *s, omen_binary_reader *reader)
{
  omen_bytes payload;
  const omen_chunk *chunk;
  if (s->source.at != s->source.end)
    return omen_binary_wrong (
        reader, "byte %zu: a chunk longer than its events", s->offset);
  chunk = omen_stream_next (&s->stream, reader, &payload);
  if (!chunk)
    return false;
  s->source.at = payload.at;
  s->source.end = payload.end;
  s->source.before = (omen_record_state){ chunk->header.stream, 0, 0 };
  s->left = chunk->header.count;
  s->offset = chunk->offset;
  return true;
}

/* Read up to `count` events of the stream; returns how many. */
static uint64_t
take_events (omen_event_stream *s, omen_binary_reader *reader,
             omen_decoder *decoder, uint64_t count)
{
  uint64_t taken = 0;
  while (taken < count && !reader->failed) {
    uint32_t n = s->left < count - taken ? s->left : (uint32_t)(count - taken);
    uint32_t done = omen_decoder_run (decoder, &s->source, n);
    OMEN_ASSERT (done <= n && n <= s->left);
    taken += done;
    s->left -= done;
    if (done < n) {
      omen_binary_wrong (reader, "byte %zu: event %u: its %s is not valid",
                         s->offset, decoder->count, decoder->wrong);
      break;
    }
    if (!s->left && taken < count && !next_chunk (s, reader))
      break;
  }
  OMEN_ASSERT (taken <= count);
  return taken;
}

/* ---- one stream ---- */

static void
read_in_order (omen_binary_reader *reader, omen_decoder *decoder,
               const omen_chunk *chunk, const omen_chunk *end)
{
  omen_event_stream s;
  open_stream (&s, chunk, end);
  take_events (&s, reader, decoder, UINT64_MAX);
  omen_stream_fini (&s.stream);
}

/* ---- one stream a thread ---- */

typedef struct omen_stream_merge {
  omen_event_stream *streams;
  uint32_t *of_thread; /* by thread: its stream, or OMEN_NONE */
  uint32_t count;
} omen_stream_merge;

static void
open_merge (omen_stream_merge *merge, omen_binary_reader *reader,
            const omen_chunk *chunk, const omen_chunk *end)
{
  size_t threads = reader->trace->threads.count;
  merge->streams = omen_zalloc (threads, sizeof *merge->streams);
  merge->of_thread = omen_alloc (threads * sizeof *merge->of_thread);
  merge->count = 0;
  for (size_t t = 0; t < threads; t++)
    merge->of_thread[t] = OMEN_NONE;
  while (chunk < end && chunk->header.stream < threads) {
    omen_event_stream *s = &merge->streams[merge->count];
    OMEN_ASSERT (merge->count < threads);
    merge->of_thread[chunk->header.stream] = merge->count++;
    open_stream (s, chunk, end);
    chunk = s->stream.end;
  }
  if (chunk < end)
    omen_binary_wrong (reader,
                       "byte %zu: events of thread %u, which has no "
                       "name",
                       chunk->offset, chunk->header.stream);
}

static void
close_merge (omen_stream_merge *merge)
{
  for (uint32_t i = 0; i < merge->count; i++)
    omen_stream_fini (&merge->streams[i].stream);
  omen_free (merge->streams);
  omen_free (merge->of_thread);
}

/* Read an entry of the order: the next `count` events of `thread`. */
static bool
take_run (omen_stream_merge *merge, omen_binary_reader *reader,
          omen_decoder *decoder, uint64_t thread, uint64_t count)
{
  uint32_t s = thread < reader->trace->threads.count ? merge->of_thread[thread]
                                                     : OMEN_NONE;
  uint64_t taken = s == OMEN_NONE ? 0
                                  : take_events (&merge->streams[s], reader,
                                                 decoder, count);
  if (taken == count || reader->failed)
    return taken == count;
  return omen_binary_wrong (
      reader,
      "the order has %lu events of thread %s that the file does not "
      "have",
      (unsigned long)(count - taken),
      thread < reader->trace->threads.count
          ? omen_trace_thread_name (reader->trace, (omen_tid)thread)
          : "without name");
}

static bool
take_runs (omen_stream_merge *merge, omen_binary_reader *reader,
           omen_decoder *decoder, omen_bytes *payload, const omen_chunk *chunk)
{
  for (uint32_t i = 0; i < chunk->header.count; i++) {
    uint64_t thread = omen_bytes_varint (payload);
    uint64_t count = omen_bytes_varint (payload);
    if (payload->short_of)
      return omen_binary_wrong (reader,
                                "byte %zu: run %u of the order is cut "
                                "short",
                                chunk->offset, i);
    if (!take_run (merge, reader, decoder, thread, count))
      return false;
  }
  return true;
}

/* Stops at a gap in the order, or in a thread whose turn it is: later events of
   other threads may depend on what is missing. */
static void
merge_threads (omen_binary_reader *reader, omen_decoder *decoder,
               const omen_chunk *chunk, const omen_chunk *end)
{
  const omen_chunk *order_end;
  const omen_chunk *order
      = omen_chunks_of (reader, OMEN_CHUNK_ORDER, &order_end);
  omen_stream_merge merge;
  omen_stream stream;
  omen_bytes payload;
  open_merge (&merge, reader, chunk, end);
  omen_stream_init (&stream, order, order_end);
  while ((order = omen_stream_next (&stream, reader, &payload)))
    if (!take_runs (&merge, reader, decoder, &payload, order))
      break;
  omen_stream_fini (&stream);
  close_merge (&merge);
}

/* ---- which of the two ---- */

static void
read_events (omen_binary_reader *reader, omen_decoder *decoder,
             const omen_chunk *chunk, const omen_chunk *end)
{
  const omen_chunk *order_end, *order;
  order = omen_chunks_of (reader, OMEN_CHUNK_ORDER, &order_end);
  if (order < order_end)
    merge_threads (reader, decoder, chunk, end);
  else if (chunk == end)
    return;
  else if (chunk->header.stream == end[-1].header.stream)
    read_in_order (reader, decoder, chunk, end);
  else if (end[-1].header.stream == OMEN_NONE)
    omen_binary_fail (reader, "it has both events of all threads in order and "
                              "events of single threads");
  else
    omen_binary_fail (reader, "it has the events of several threads but not "
                              "the order between them");
}

bool
omen_binary_events (omen_binary_reader *reader)
{
  const omen_chunk *end;
  const omen_chunk *chunk = omen_chunks_of (reader, OMEN_CHUNK_EVENTS, &end);
  uint32_t total = count_events (chunk, end);
  omen_decoder *decoder;
  OMEN_REQUIRE (!reader->trace->events.count);
  if (total == OMEN_NONE)
    return omen_binary_fail (reader, "it has more events than omen can hold");
  decoder = omen_alloc (sizeof *decoder);
  omen_decoder_init (decoder, reader->trace, total,
                     usable_hints (reader, total));
  read_events (reader, decoder, chunk, end);
  reader->renumber = decoder->use.broken;
  omen_decoder_fini (decoder);
  omen_free (decoder);
  OMEN_ASSERT (reader->trace->events.count <= total);
  if (reader->trace->events.count < total && !reader->lossy)
    omen_binary_wrong (reader, "the order leaves out %u event%s",
                       total - (uint32_t)reader->trace->events.count,
                       omen_s (total - reader->trace->events.count));
  return !reader->failed;
}
