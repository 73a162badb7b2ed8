/* Private to the binary reader: the file as a list of chunks, and streams over
   them.

   The list has the chunks with valid headers, sorted by kind, stream and first
   entry, so that the chunks of a stream are neighbours. Payloads are checked
   when they are used, so that each byte is read once and still in the cache.

   If something is lost (a cut, a damaged chunk), there is a warning, `lossy` is
   set, and the stream ends there. An error in a whole chunk makes the reader
   fail, unless the file is lossy: the chunk may then refer to what was lost,
   and its stream ends, too.

   Owner: the reader owns the list; chunks borrow the bytes of the file. */
#ifndef OMEN_IO_BINARY_READER_H
#define OMEN_IO_BINARY_READER_H

#include "wire/format.h"
#include "trace/trace.h"

#include <string.h>

typedef struct omen_chunk {
  omen_chunk_header header;
  size_t offset; /* of the header, in the file */
} omen_chunk;

typedef struct omen_binary_reader {
  const char *path;
  const uint8_t *data;
  size_t size;
  omen_trace *trace;
  omen_err *err;
  OMEN_VEC (omen_chunk) chunks;
  omen_ids strings;  /* string of the file -> string of the trace */
  omen_ids hints;    /* by thread: its number of events, as stored */
  uint64_t promised; /* events, according to END or the headers */
  uint64_t notes;    /* according to the headers; not 0 in recordings */
  uint64_t features; /* omen_features of the file */
  unsigned program;  /* flags of the PROGRAM chunk, all of them */
  void *user;        /* for entry readers of other modules */
  bool mapped; /* the bytes are a mapped file, whose pages can be dropped */
  bool tables_only; /* option: skip batches of notes */
  uint64_t passed;  /* chunks skipped */
  bool complete;    /* the last chunk is END */
  bool ring;        /* old notes were overwritten by new ones */
  unsigned warnings;
  bool renumber; /* ids are not numbered as in the text */
  bool lossy;    /* something is missing */
  bool failed;   /* err is set */
} omen_binary_reader;

/* Bytes to be read one field at a time; `short_of` is set, for the rest of the
   reads too, when there are too few. */
typedef struct omen_bytes {
  const uint8_t *at, *end;
  bool short_of;
} omen_bytes;

/* Everything up to `to` has been used, so that its pages can be dropped. *from:
   end of the last drop; updated. */
void omen_binary_passed (const omen_binary_reader *reader, size_t *from,
                         size_t to);

/* An iterator over the chunks of one stream. */
typedef struct omen_stream {
  const omen_chunk *chunk, *end; /* the next one, one past the last */
  uint64_t expected;             /* index of the next chunk's first entry */
  uint8_t *unpacked;             /* decompressed payload, if any */
} omen_stream;

/* omen_binary_parse in parts, for files that may be recordings. Open lists the
   chunks and reads the tables into reader->trace. Then the events are read, or,
   if `notes` is not 0, the caller fills the trace. Close returns the trace, or
   frees it if it was not `read`; it is needed after every open. */
bool omen_binary_open (omen_binary_reader *reader, const char *path,
                       const void *data, size_t size, omen_err *err);
bool omen_binary_read (omen_binary_reader *reader);
omen_trace *omen_binary_close (omen_binary_reader *reader, bool read);

/* Reads the file header and lists the chunks. False if the file is not
   readable. */
bool omen_binary_list (omen_binary_reader *reader);
/* Sets the error. Always returns false. */
bool omen_binary_fail (omen_binary_reader *reader, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* Warn of a loss; only the first ones are kept. Always returns false. */
bool omen_binary_lost (omen_binary_reader *reader, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* An error in a whole chunk: fails, or, if the file is lossy, warns. Always
   returns false: the stream ends. */
bool omen_binary_wrong (omen_binary_reader *reader, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* The chunks of a kind, of all streams; *end is one past the last. */
const omen_chunk *omen_chunks_of (const omen_binary_reader *reader,
                                  unsigned kind, const omen_chunk **end);
/* The stream of `chunk`: the following chunks with the same stream number. */
void omen_stream_init (omen_stream *stream, const omen_chunk *chunk,
                       const omen_chunk *end);
void omen_stream_fini (omen_stream *stream);
/* The next chunk and its payload (valid until the next call); NULL at the end
   of the stream, or where it is damaged. */
const omen_chunk *omen_stream_next (omen_stream *stream,
                                    omen_binary_reader *reader,
                                    omen_bytes *payload);

/* The checked payload of a chunk. *unpacked (initially NULL, to be freed by the
   caller) is its buffer if it had to be decompressed. False: lost or wrong. */
bool omen_chunk_payload (omen_binary_reader *reader, const omen_chunk *chunk,
                         uint8_t **unpacked, omen_bytes *payload);

/* Does the payload have the checksum of the header? Gives no warning. */
bool omen_chunk_intact (const omen_binary_reader *reader,
                        const omen_chunk *chunk);

/* In a file that is still growing: the state of the chunk that should begin
   here. */
typedef enum omen_chunk_state {
  OMEN_CHUNK_WHOLE,
  OMEN_CHUNK_SHORT, /* not yet */
  OMEN_CHUNK_BROKEN /* not a chunk */
} omen_chunk_state;
omen_chunk_state omen_chunk_look (const uint8_t *data, size_t size,
                                  omen_chunk_header *header);
/* The same for the file header, whose size is in *header. */
omen_chunk_state omen_file_look (const uint8_t *data, size_t size,
                                 omen_file_header *header);

/* Reads one entry; returns NULL, or what is wrong with it. */
typedef const char *(*omen_entry_reader) (omen_binary_reader *reader,
                                          uint32_t stream, uint64_t id,
                                          omen_bytes *bytes);
/* Read all entries of a kind, in all streams. `size`: the known part of an
   entry of fixed size; 0: variable size. False: failed. */
bool omen_binary_each (omen_binary_reader *reader, unsigned kind, size_t size,
                       omen_entry_reader entry);
/* Read the entries of one chunk, which has to be the next of its stream:
   `expected` is the index of its first entry. False: failed. */
bool omen_binary_next (omen_binary_reader *reader, const omen_chunk *chunk,
                       uint64_t expected, size_t size, omen_entry_reader entry);
/* The same for the tables that a recorder writes; other chunks are ignored. */
bool omen_binary_next_table (omen_binary_reader *reader,
                             const omen_chunk *chunk);
/* Convert a string id of the file to one of the trace; OMEN_NONE stays. */
bool omen_binary_string (const omen_binary_reader *reader, uint32_t *id);

/* Read all tables into the trace. False: failed. */
bool omen_binary_tables (omen_binary_reader *reader);
/* Read the events in order, check every id, make the threads' lists. */
bool omen_binary_events (omen_binary_reader *reader);
/* Read dependences and stacks; after the events. */
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

/* Copies `size` bytes; false if there are fewer. */
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
