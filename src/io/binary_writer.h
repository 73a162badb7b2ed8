/* Private to the binary writer: chunks, filled entry by entry.

     omen_chunk_open (w, OMEN_CHUNK_PLACES, OMEN_NONE);
     for each place: put its bytes, then omen_chunk_entry (w);
     omen_chunk_close (w);

   When a chunk is full, it is written at the end of an entry and the next one
   is begun, so that entries are never split. */
#ifndef OMEN_IO_BINARY_WRITER_H
#define OMEN_IO_BINARY_WRITER_H

#include "io/binary.h"
#include "wire/format.h"

typedef struct omen_chunk_writer {
  const omen_trace *trace;
  FILE *out;
  unsigned how;             /* OMEN_BINARY_* */
  omen_chunk_header header; /* of the open chunk */
  OMEN_VEC (uint8_t) payload;
  OMEN_VEC (char) packed;
  uint64_t chunks;  /* written so far */
  bool fresh;       /* no record in this chunk yet */
  omen_ids strings; /* string id of the trace -> of the file */
  omen_ids listed;  /* string id of the file -> of the trace */
} omen_chunk_writer;

void omen_chunk_open (omen_chunk_writer *w, unsigned kind, uint32_t stream);
void omen_chunk_entry (omen_chunk_writer *w);
void omen_chunk_close (omen_chunk_writer *w);
/* Appends `count` bytes for the caller to fill in. */
uint8_t *omen_chunk_room (omen_chunk_writer *w, size_t count);
void omen_chunk_bytes (omen_chunk_writer *w, const void *bytes, size_t count);
void omen_chunk_varint (omen_chunk_writer *w, uint64_t n);

/* All tables of the trace; see binary_write_tables.c. */
void omen_chunk_tables (omen_chunk_writer *w);

#endif
