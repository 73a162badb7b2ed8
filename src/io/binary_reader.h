/* Inside the binary reader: the file as a list of chunks, streams over them.

   The list holds the chunks whose headers are whole, sorted by kind, stream and
   first entry, so that a stream is a run of neighbours. Payloads are checked
   when they are used: once through the file, each byte while it is warm.

   Something lost (a cut, a damaged chunk) is a warning and sets `lossy`: the
   stream ends there. What is wrong in a chunk that is whole makes the reader
   fail, unless the file is lossy: then it may refer to what was lost, and ends
   its stream too.

   Owner: the reader owns the list; chunks borrow the bytes of the file. */
#ifndef OMEN_IO_BINARY_READER_H
#define OMEN_IO_BINARY_READER_H

#include "wire/format.h"
#include "trace/trace.h"

#include <string.h>

typedef struct omen_chunk {
  omen_chunk_header header;
  size_t offset; /* of the header in the file */
} omen_chunk;

typedef struct omen_binary_reader {
  const char *path;
  const uint8_t *data;
  size_t size;
  omen_trace *trace;
  omen_err *err;
  OMEN_VEC (omen_chunk) chunks;
  omen_ids strings;  /* string of the file -> string of the trace */
  omen_ids hints;    /* by thread: how many events the file says it has */
  uint64_t promised; /* events: what END says, or the headers add up to */
  uint64_t notes;    /* what the headers add up to: a recorder's file if any */
  uint64_t features; /* omen_features of the file */
  unsigned program;  /* flags of the PROGRAM chunk, all of them */
  void *user;        /* for the entry readers of others */
  bool mapped;       /* the bytes are those of a file: pages may be dropped */
  bool tables_only;  /* wanted: batches of notes are passed over */
  uint64_t passed;   /* chunks of them */
  bool complete;     /* the last chunk is END */
  bool ring;         /* old notes were overwritten by new ones */
  unsigned warnings;
  bool renumber; /* ids are not those of the text */
  bool lossy;    /* something is missing */
  bool failed;   /* err is set: give up */
} omen_binary_reader;

/* Bytes to be taken one field at a time; `short_of` is set, and stays set, when
   more is taken than there is. */
typedef struct omen_bytes {
  const uint8_t *at, *end;
  bool short_of;
} omen_bytes;

/* All up to this place was looked at for now: it need not stay in memory.
 *from: up to where this was said before. */
void omen_binary_passed (const omen_binary_reader *reader, size_t *from,
                         size_t to);

/* A walk over one stream, chunk by chunk. */
typedef struct omen_stream {
  const omen_chunk *chunk, *end; /* the next one, one past the last */
  uint64_t expected;             /* first entry of the next one */
  uint8_t *unpacked;             /* decompressed payload, if any */
} omen_stream;

/* The parts of omen_binary_parse, for files that may be recordings: open lists
   the chunks and reads the tables into reader->trace; then either the events
   are read, or `notes` is not 0 and others fill the trace; close gives it to
   the caller, or frees it if it was not `read`. Close after any open. */
bool omen_binary_open (omen_binary_reader *reader, const char *path,
                       const void *data, size_t size, omen_err *err);
bool omen_binary_read (omen_binary_reader *reader);
omen_trace *omen_binary_close (omen_binary_reader *reader, bool read);

/* File header and list of chunks. False: not a trace we can read. */
bool omen_binary_list (omen_binary_reader *reader);
/* Give up. Always false. */
bool omen_binary_fail (omen_binary_reader *reader, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* Note a loss; only the first few are kept. Always false. */
bool omen_binary_lost (omen_binary_reader *reader, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* Something wrong in a whole chunk: fails, or, if the file is lossy anyway, a
   warning. Always false: the stream is at its end. */
bool omen_binary_wrong (omen_binary_reader *reader, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* The chunks of a kind, all streams of it: [*end is one past the last]. */
const omen_chunk *omen_chunks_of (const omen_binary_reader *reader,
                                  unsigned kind, const omen_chunk **end);
/* From `chunk` on, the neighbours with the same stream. */
void omen_stream_init (omen_stream *stream, const omen_chunk *chunk,
                       const omen_chunk *end);
void omen_stream_fini (omen_stream *stream);
/* The next chunk and its payload (valid until the next call), or NULL at the
   end of the stream or of what is whole of it. */
const omen_chunk *omen_stream_next (omen_stream *stream,
                                    omen_binary_reader *reader,
                                    omen_bytes *payload);

/* The payload of one chunk, checked; *unpacked (NULL at first, the caller's to
   free) holds it if it had to be decompressed. False: lost or wrong. */
bool omen_chunk_payload (omen_binary_reader *reader, const omen_chunk *chunk,
                         uint8_t **unpacked, omen_bytes *payload);

/* Are its bytes what the header says? Nothing is said if they are not. */
bool omen_chunk_intact (const omen_binary_reader *reader,
                        const omen_chunk *chunk);

/* Where a chunk of a file that still grows should begin: is it all there? */
typedef enum omen_chunk_state {
  OMEN_CHUNK_WHOLE,
  OMEN_CHUNK_SHORT, /* not yet */
  OMEN_CHUNK_BROKEN /* there is no chunk */
} omen_chunk_state;
omen_chunk_state omen_chunk_look (const uint8_t *data, size_t size,
                                  omen_chunk_header *header);
/* The same for the file's header; its size is in the answer. */
omen_chunk_state omen_file_look (const uint8_t *data, size_t size,
                                 omen_file_header *header);

/* Takes one entry; NULL, or what is wrong with it. */
typedef const char *(*omen_entry_reader) (omen_binary_reader *reader,
                                          uint32_t stream, uint64_t id,
                                          omen_bytes *bytes);
/* Every entry of a kind, all its streams. `size` is what is known of an entry
   of fixed size; 0: entries of any size. False: failed. */
bool omen_binary_each (omen_binary_reader *reader, unsigned kind, size_t size,
                       omen_entry_reader entry);
/* The entries of one chunk, which should be the next of its stream: `expected`
   is the first one's index. False: failed. */
bool omen_binary_next (omen_binary_reader *reader, const omen_chunk *chunk,
                       uint64_t expected, size_t size, omen_entry_reader entry);
/* The same for the tables that a recorder writes; other chunks are left out. */
bool omen_binary_next_table (omen_binary_reader *reader,
                             const omen_chunk *chunk);
/* A string of the file as one of the trace; OMEN_NONE stays what it is. */
bool omen_binary_string (const omen_binary_reader *reader, uint32_t *id);

/* The tables into the trace. False: failed. */
bool omen_binary_tables (omen_binary_reader *reader);
/* The events in order, every id checked, with the threads' lists. */
bool omen_binary_events (omen_binary_reader *reader);
/* Dependences and stacks of events, after these. */
bool omen_binary_extras (omen_binary_reader *reader);

static inline const uint8_t *
omen_bytes_take (omen_bytes *bytes, size_t count)
{
  const uint8_t *at = bytes->at;
  if (bytes->short_of || (size_t)(bytes->end - at) < count) {
    bytes->short_of = true;
    return NULL;
  }
  bytes->at += count;
  return at;
}

/* So many bytes into `to`; false: there are not so many. */
static inline bool
omen_bytes_copy (omen_bytes *bytes, void *to, size_t size)
{
  const uint8_t *at = omen_bytes_take (bytes, size);
  if (at)
    memcpy (to, at, size);
  return at;
}

static inline uint64_t
omen_bytes_varint (omen_bytes *bytes)
{
  uint64_t n = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const uint8_t *byte = omen_bytes_take (bytes, 1);
    if (!byte || (shift == 63 && *byte > 1))
      break;
    n |= (uint64_t)(*byte & 0x7f) << shift;
    if (*byte < 0x80)
      return n;
  }
  bytes->short_of = true;
  return 0;
}

#endif
