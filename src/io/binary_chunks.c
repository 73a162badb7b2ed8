/* The file as a list of chunks: finds, sorts and reads them stream by
   stream. */
#include "io/binary.h"
#include "io/binary_reader.h"
#include "wire/recording.h"

#include <sys/mman.h>
#include <limits.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MOST_WARNINGS 20

static const char *
kind_name (unsigned kind)
{
  static const char *const names[] = {
    [OMEN_CHUNK_NAMES] = "names",
    [OMEN_CHUNK_PLACES] = "places",
    [OMEN_CHUNK_INITS] = "inits",
    [OMEN_CHUNK_RMWS] = "rmws",
    [OMEN_CHUNK_EMITS] = "emits",
    [OMEN_CHUNK_EXTRAS] = "extras",
    [OMEN_CHUNK_STACKS] = "stacks",
    [OMEN_CHUNK_MODULES] = "modules",
    [OMEN_CHUNK_THREADS] = "threads",
    [OMEN_CHUNK_PROGRAM] = "program",
    [OMEN_CHUNK_EVENTS] = "events",
    [OMEN_CHUNK_ORDER] = "order",
    [OMEN_CHUNK_END] = "end",
    [OMEN_CHUNK_LAYOUTS] = "layouts",
    [OMEN_CHUNK_SHAPES] = "shapes",
    [OMEN_CHUNK_SOURCES] = "sources",
    [OMEN_CHUNK_HOMES] = "homes",
    [OMEN_CHUNK_SITES] = "sites",
    [OMEN_CHUNK_NOTES] = "notes",
    [OMEN_CHUNK_DATA] = "data",
    [OMEN_CHUNK_PLACES_OF_CODE] = "places of code",
    [OMEN_CHUNK_OBJECTS] = "objects",
    [OMEN_CHUNK_BLOCKS] = "blocks",
    [OMEN_CHUNK_DEPENDS] = "depends",
    [OMEN_CHUNK_MARKS] = "marks",
    [OMEN_CHUNK_BATCH] = "batch",
    [OMEN_CHUNK_STUCK] = "stuck",
    [OMEN_CHUNK_HELPED] = "helped",
    [OMEN_CHUNK_MAPPINGS] = "mappings",
  };
  return kind < OMEN_COUNT (names) ? names[kind] : NULL;
}

static bool
chunk_failed (omen_binary_reader *reader, const char *text)
{
  reader->failed = true;
  return omen_err_set (reader->err, reader->path, "%s", text);
}

static bool
warn_lossy (omen_binary_reader *reader, const char *text)
{
  reader->lossy = true;
  if (reader->warnings < MOST_WARNINGS)
    omen_trace_warn (reader->trace, "%s", text);
  else if (reader->warnings == MOST_WARNINGS)
    omen_trace_warn (reader->trace, "more is damaged");
  reader->warnings++;
  return false;
}

/* The body of the three functions, which differ only in what they do with the
   text. */
#define SAY(what)                                                              \
  char text[400];                                                              \
  va_list args;                                                                \
  va_start (args, format);                                                     \
  vsnprintf (text, sizeof text, format, args);                                 \
  va_end (args);                                                               \
  return what (reader, text)

bool
omen_binary_fail (omen_binary_reader *reader, const char *format, ...)
{
  SAY (chunk_failed);
}

bool
omen_binary_lost (omen_binary_reader *reader, const char *format, ...)
{
  SAY (warn_lossy);
}

bool
omen_binary_wrong (omen_binary_reader *reader, const char *format, ...)
{
  SAY ((reader->lossy ? warn_lossy : chunk_failed));
}

/* ---- the headers ---- */

static bool
header_right (const omen_chunk_header *h)
{
  return h->magic == OMEN_CHUNK_MAGIC
         && h->check == XXH3_64bits (h, offsetof (omen_chunk_header, check));
}

static bool
header_at (const omen_binary_reader *reader, size_t offset,
           omen_chunk_header *h)
{
  if (reader->size - offset < sizeof *h)
    return false;
  memcpy (h, reader->data + offset, sizeof *h);
  return header_right (h);
}

/* The next whole header at or after `offset`, or the end of the file. */
static size_t
find_header (const omen_binary_reader *reader, size_t offset)
{
  const uint32_t magic = OMEN_CHUNK_MAGIC;
  omen_chunk_header h;
  while (offset < reader->size) {
    const uint8_t *at = memmem (reader->data + offset, reader->size - offset,
                                &magic, sizeof magic);
    if (!at)
      break;
    offset = (size_t)(at - reader->data);
    if (header_at (reader, offset, &h))
      return offset;
    offset++;
  }
  return reader->size;
}

/* Are the sizes plausible? An entry has at least one byte, an event two, and
   LZ4 compresses to 1/255 at best. Notes may take no bytes at all, but a chunk
   has no more of them than a buffer. */
static bool
sizes_right (const omen_chunk_header *h)
{
  if (h->flags & OMEN_CHUNK_LZ4
          ? h->size / 255 > h->stored || h->size > LZ4_MAX_INPUT_SIZE
                || h->stored > INT_MAX
          : h->size != h->stored)
    return false;
  if (h->first > UINT64_MAX - h->count)
    return false;
  if (h->kind == OMEN_CHUNK_NOTES)
    return h->count <= OMEN_NOTES_MAX;
  return h->count
         <= h->size / (h->kind == OMEN_CHUNK_EVENTS ? OMEN_RECORD_MIN : 1);
}

static bool
known (const omen_chunk_header *h)
{
  return kind_name (h->kind) && !(h->flags & ~OMEN_CHUNK_FLAGS);
}

omen_chunk_state
omen_chunk_look (const uint8_t *data, size_t size, omen_chunk_header *header)
{
  if (size < sizeof *header)
    return OMEN_CHUNK_SHORT;
  memcpy (header, data, sizeof *header);
  if (!header_right (header) || !sizes_right (header)
      || (!known (header) && !(header->flags & OMEN_CHUNK_OPTIONAL)))
    return OMEN_CHUNK_BROKEN;
  return header->stored <= size - sizeof *header ? OMEN_CHUNK_WHOLE
                                                 : OMEN_CHUNK_SHORT;
}

/* Add a complete chunk to the list if its header is plausible. */
static void
keep_chunk (omen_binary_reader *reader, const omen_chunk_header *h,
            size_t offset)
{
  if (known (h) && sizes_right (h))
    OMEN_VEC_PUSH (reader->chunks, ((omen_chunk){ *h, offset }));
  else if (known (h))
    omen_binary_wrong (reader, "byte %zu: chunk (%s) of %u entries in %u bytes",
                       offset, kind_name (h->kind), h->count, h->size);
  else if (!(h->flags & OMEN_CHUNK_OPTIONAL))
    omen_binary_fail (reader,
                      "byte %zu: a chunk of kind %u, flags %#x is not known to "
                      "this version of omen: use a newer one",
                      offset, h->kind, h->flags);
}

/* The end of the chunk at `offset`; if it is incomplete, the start of the next
   one. */
static size_t
end_of_payload (omen_binary_reader *reader, const omen_chunk_header *h,
                size_t offset, bool *whole)
{
  size_t payload = offset + sizeof *h, end, next;
  omen_chunk_header following;
  OMEN_ASSERT (payload <= reader->size);
  *whole = h->stored <= reader->size - payload;
  end = *whole ? payload + h->stored : reader->size;
  if (*whole && (end == reader->size || header_at (reader, end, &following)))
    return end;
  next = find_header (reader, payload);
  if (next < end || !*whole) {
    *whole = false;
    omen_binary_lost (
        reader,
        next < reader->size
            ? "byte %zu: a chunk (%s: %u) was not written to its end"
            : "byte %zu: the file ends inside a chunk (%s: %u)",
        offset, known (h) ? kind_name (h->kind) : "of unknown kind", h->count);
    return next;
  }
  return end;
}

bool
omen_chunk_intact (const omen_binary_reader *reader, const omen_chunk *chunk)
{
  return XXH3_64bits (reader->data + chunk->offset + sizeof chunk->header,
                      chunk->header.stored)
         == chunk->header.checksum;
}

/* The payload as stored, after checking its checksum. */
static bool
checked_payload (omen_binary_reader *reader, const omen_chunk_header *h,
                 size_t offset, omen_bytes *payload)
{
  const uint8_t *at = reader->data + offset + sizeof *h;
  *payload = (omen_bytes){ at, at + h->stored, false };
  OMEN_ASSERT (h->stored <= reader->size - offset - sizeof *h);
  return omen_chunk_intact (reader, &(omen_chunk){ *h, offset })
         || omen_binary_lost (reader, "byte %zu: a chunk (%s: %u) is damaged",
                              offset, kind_name (h->kind), h->count);
}

/* Compare with the END chunk, which has the totals. Returns whether it is
   whole. */
static bool
read_end (omen_binary_reader *reader, const omen_chunk_header *h, size_t offset,
          uint64_t seen)
{
  omen_bytes payload;
  omen_file_end end;
  if (!checked_payload (reader, h, offset, &payload))
    return false;
  if (h->stored < sizeof end || h->flags & OMEN_CHUNK_LZ4)
    return omen_binary_wrong (reader, "byte %zu: the end mark is too short",
                              offset);
  memcpy (&end, payload.at, sizeof end);
  if (end.chunks > seen && !reader->ring)
    omen_binary_lost (reader, "%lu chunk%s missing",
                      (unsigned long)(end.chunks - seen),
                      omen_s (end.chunks - seen));
  if (end.events != reader->promised && !reader->lossy && !reader->notes)
    omen_binary_wrong (reader, "the end mark counts %lu events, the chunks %lu",
                       (unsigned long)end.events,
                       (unsigned long)reader->promised);
  if (end.events > reader->promised)
    reader->promised = end.events;
  return true;
}

/* Is it a ring? Then chunks may be missing, since they were overwritten. */
static void
look_for_ring (omen_binary_reader *reader, const omen_chunk_header *h,
               size_t offset)
{
  omen_file_program program;
  if (h->kind != OMEN_CHUNK_PROGRAM || h->flags & OMEN_CHUNK_LZ4
      || h->stored < sizeof program)
    return;
  memcpy (&program, reader->data + offset + sizeof *h, sizeof program);
  reader->ring = program.flags & OMEN_RECORDING_RING;
}

/* The number of bytes to skip after the BATCH chunk at `offset`, which ends at
   `end`; 0 if they are not all there. */
static size_t
pass_over (omen_binary_reader *reader, const omen_chunk_header *h,
           size_t offset, size_t end, uint64_t *seen)
{
  omen_file_batch batch;
  if (h->stored < sizeof batch)
    return 0;
  memcpy (&batch, reader->data + offset + sizeof *h, sizeof batch);
  if (batch.bytes > reader->size - end || batch.chunks > batch.bytes)
    return 0;
  *seen += batch.chunks;
  reader->passed += batch.chunks;
  reader->notes += batch.notes;
  return (size_t)batch.bytes;
}

/* Read the chunk, or the damage, at `offset`; returns where to continue. */
static size_t
read_chunk_at (omen_binary_reader *reader, size_t offset, uint64_t *seen)
{
  omen_chunk_header h;
  bool whole;
  size_t next;
  reader->complete = false;
  if (!header_at (reader, offset, &h)) {
    next = find_header (reader, offset);
    if (next - offset < sizeof h && next == reader->size)
      omen_binary_lost (reader,
                        "byte %zu: the file ends inside the header of "
                        "a chunk",
                        offset);
    else
      omen_binary_lost (reader, "bytes %zu to %zu are damaged", offset, next);
    return next;
  }
  next = end_of_payload (reader, &h, offset, &whole);
  if (whole) {
    keep_chunk (reader, &h, offset);
    look_for_ring (reader, &h, offset);
  }
  if (h.kind == OMEN_CHUNK_EVENTS)
    reader->promised += h.count;
  if (h.kind == OMEN_CHUNK_NOTES)
    reader->notes += h.count;
  reader->complete = whole && h.kind == OMEN_CHUNK_END
                     && read_end (reader, &h, offset, *seen);
  ++*seen;
  if (whole && h.kind == OMEN_CHUNK_BATCH && reader->tables_only)
    next += pass_over (reader, &h, offset, next, seen);
  return next;
}

static bool
walk_chunks (omen_binary_reader *reader, size_t offset)
{
  uint64_t seen = 0;
  while (offset < reader->size && !reader->failed) {
    size_t next = read_chunk_at (reader, offset, &seen);
    OMEN_ASSERT (next > offset && next <= reader->size);
    offset = next;
  }
  if (!reader->complete && !reader->failed)
    omen_binary_lost (reader, "no end mark: the file was cut, or its writer "
                              "did not finish");
  return !reader->failed;
}

static int
compare_chunks (const void *left, const void *right)
{
  const omen_chunk *a = left, *b = right;
#define BY(field)                                                              \
  if (a->field != b->field)                                                    \
  return a->field < b->field ? -1 : 1
  BY (header.kind);
  BY (header.stream);
  BY (header.first);
  BY (offset);
#undef BY
  return 0;
}

static bool
in_order (const omen_binary_reader *reader)
{
  for (size_t i = 1; i < reader->chunks.count; i++)
    if (compare_chunks (&reader->chunks.data[i - 1], &reader->chunks.data[i])
        >= 0)
      return false;
  return true;
}

static bool
file_right (const omen_file_header *h)
{
  return !memcmp (h->magic, OMEN_FILE_MAGIC, sizeof h->magic)
         && h->checksum
                == XXH3_64bits (h, offsetof (omen_file_header, checksum));
}

omen_chunk_state
omen_file_look (const uint8_t *data, size_t size, omen_file_header *header)
{
  if (size < sizeof *header)
    return OMEN_CHUNK_SHORT;
  memcpy (header, data, sizeof *header);
  if (!file_right (header) || header->minimum > OMEN_FORMAT_VERSION
      || header->features & ~OMEN_FEATURES_KNOWN
      || header->size < sizeof *header)
    return OMEN_CHUNK_BROKEN;
  return header->size <= size ? OMEN_CHUNK_WHOLE : OMEN_CHUNK_SHORT;
}

static bool
check_version (omen_binary_reader *reader, const omen_file_header *h)
{
  uint64_t unknown = h->features & ~OMEN_FEATURES_KNOWN;
  if (h->minimum > OMEN_FORMAT_VERSION)
    return omen_binary_fail (reader,
                             "trace format %u needs an omen that reads format "
                             "%u (this one reads up to %d): use a newer omen",
                             h->version, h->minimum, OMEN_FORMAT_VERSION);
  if (unknown)
    return omen_binary_fail (reader,
                             "the trace uses features (%#lx) that this version "
                             "of omen does not know: use a newer omen",
                             (unsigned long)unknown);
  return true;
}

bool
omen_binary_list (omen_binary_reader *reader)
{
  omen_file_header h;
  OMEN_REQUIRE (reader->trace && !reader->chunks.count && !reader->failed);
  if (reader->size < sizeof h)
    return omen_binary_fail (reader, "the file ends inside its header");
  memcpy (&h, reader->data, sizeof h);
  if (memcmp (h.magic, OMEN_FILE_MAGIC, sizeof h.magic))
    return omen_binary_fail (
        reader, omen_binary_is (reader->data, reader->size)
                    ? "line ends in it were changed on the way: copy it again, "
                      "as binary"
                    : "not a binary trace");
  if (h.checksum != XXH3_64bits (&h, offsetof (omen_file_header, checksum)))
    return omen_binary_fail (reader, "the header of the file is damaged");
  if (!check_version (reader, &h))
    return false;
  if (h.size < sizeof h || h.size > reader->size)
    return omen_binary_fail (reader, "the file ends inside its header");
  reader->features = h.features;
  if (!walk_chunks (reader, h.size))
    return false;
  OMEN_VEC_SORT (reader->chunks, compare_chunks);
  OMEN_CHECK (in_order (reader));
  return true;
}

/* ---- streams ---- */

const omen_chunk *
omen_chunks_of (const omen_binary_reader *reader, unsigned kind,
                const omen_chunk **end)
{
  const omen_chunk *chunk = reader->chunks.data;
  const omen_chunk *all;
  OMEN_REQUIRE (kind_name (kind));
  all = chunk ? chunk + reader->chunks.count : NULL;
  while (chunk < all && chunk->header.kind < kind)
    chunk++;
  for (*end = chunk; *end < all && (*end)->header.kind == kind;)
    ++*end;
  return chunk;
}

void
omen_stream_init (omen_stream *stream, const omen_chunk *chunk,
                  const omen_chunk *end)
{
  const omen_chunk *last = chunk;
  while (last < end && last->header.stream == chunk->header.stream)
    last++;
  *stream = (omen_stream){ chunk, last, 0, NULL };
}

void
omen_stream_fini (omen_stream *stream)
{
  omen_free (stream->unpacked);
  stream->unpacked = NULL;
}

static bool
unpack (uint8_t **unpacked, omen_binary_reader *reader, const omen_chunk *chunk,
        omen_bytes *payload)
{
  const omen_chunk_header *h = &chunk->header;
  omen_free (*unpacked);
  *unpacked = omen_alloc (h->size);
  if (LZ4_decompress_safe ((const char *)payload->at, (char *)*unpacked,
                           (int)h->stored, (int)h->size)
      != (int)h->size)
    return omen_binary_wrong (reader, "byte %zu: a chunk (%s) does not unpack",
                              chunk->offset, kind_name (h->kind));
  *payload = (omen_bytes){ *unpacked, *unpacked + h->size, false };
  return true;
}

bool
omen_chunk_payload (omen_binary_reader *reader, const omen_chunk *chunk,
                    uint8_t **unpacked, omen_bytes *payload)
{
  return checked_payload (reader, &chunk->header, chunk->offset, payload)
         && (!(chunk->header.flags & OMEN_CHUNK_LZ4)
             || unpack (unpacked, reader, chunk, payload));
}

#define DROP_AT_ONCE ((size_t)16 << 20)

void
omen_binary_passed (const omen_binary_reader *reader, size_t *from, size_t to)
{
  const size_t page = 65536; /* at least the page size */
  uintptr_t start = (uintptr_t)reader->data + *from, end;
  if (!reader->mapped || to < *from + DROP_AT_ONCE)
    return;
  start = (start + page - 1) & ~(page - 1);
  end = ((uintptr_t)reader->data + to) & ~(page - 1);
  madvise ((void *)start, end - start, MADV_DONTNEED);
  *from = to;
}

/* Warn of entries that are missing before the chunk, or that it repeats. */
static bool
in_sequence (omen_stream *stream, omen_binary_reader *reader,
             const omen_chunk *chunk)
{
  const omen_chunk_header *h = &chunk->header;
  if (h->first > stream->expected)
    omen_binary_lost (reader,
                      "byte %zu: %lu entries before this chunk (%s) "
                      "are missing",
                      chunk->offset,
                      (unsigned long)(h->first - stream->expected),
                      kind_name (h->kind));
  if (h->first < stream->expected)
    omen_binary_wrong (reader, "byte %zu: a chunk (%s) repeats entry %lu",
                       chunk->offset, kind_name (h->kind),
                       (unsigned long)h->first);
  return h->first == stream->expected;
}

const omen_chunk *
omen_stream_next (omen_stream *stream, omen_binary_reader *reader,
                  omen_bytes *payload)
{
  const omen_chunk *chunk = stream->chunk;
  if (chunk == stream->end || reader->failed)
    return NULL;
  if (!in_sequence (stream, reader, chunk)
      || !omen_chunk_payload (reader, chunk, &stream->unpacked, payload)) {
    stream->chunk = stream->end;
    return NULL;
  }
  OMEN_ASSERT ((size_t)(payload->end - payload->at) == chunk->header.size);
  stream->chunk++;
  stream->expected += chunk->header.count;
  return chunk;
}
