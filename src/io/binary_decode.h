/* Decodes records into events: the inner loop of the binary reader.

   The length of a record is a table lookup on its second byte. Its fields are
   loaded as whole words and masked, without branches. One comparison that
   almost never holds sends everything unusual to slower code: extensions, kinds
   whose value is an id, ids out of range, the last bytes of a chunk, and first
   uses of ids, whose order is checked (ids.h). The same pass writes the event,
   its index in the thread and, if the file says how many events each thread
   has, the thread's list.

   Invariants: events, index and by_thread have room for all records of all
   sources; nothing is stored for a record before all its ids are checked. */
#ifndef OMEN_IO_BINARY_DECODE_H
#define OMEN_IO_BINARY_DECODE_H

#include "io/binary_reader.h"
#include "trace/rules.h"

/* How to decode a record with this byte 1. */
typedef struct omen_record_layout {
  uint32_t mask[3], keep[3]; /* thread, object, location: mask of the loaded
                                word, and of the previous value */
  uint64_t value_mask;
  uint8_t at[4]; /* offsets of the four fields, after the two bytes */
  uint8_t size;  /* of the record, including the first two bytes */
  uint8_t shift; /* for sign extension of the value */
  uint8_t fill_line[18];
} omen_record_layout;

/* The list of a thread in by_thread: [first, end), written up to slot. */
typedef struct omen_list_cursor {
  uint32_t first, slot, end;
} omen_list_cursor;

/* The unread part of a chunk's payload. */
typedef struct omen_record_source {
  const uint8_t *at, *end;
  omen_record_state before;
  uint8_t forbidden; /* field codes that must be 0: the thread's, in chunks of
                        one thread */
} omen_record_source;

typedef struct omen_decoder {
  omen_trace *trace;
  uint32_t count;            /* events decoded so far */
  bool lists;                /* by_thread is written */
  omen_list_cursor *cursors; /* by thread */
  const char *wrong; /* the invalid field, if the last run stopped early */
  omen_rules rules;
  omen_first_use use; /* ids used so far, which need no further check */
  omen_record_layout layouts[256];
} omen_decoder;

/* Makes room for `total` events; `hints` has the threads' shares, or is
   NULL. */
void omen_decoder_init (omen_decoder *decoder, omen_trace *trace,
                        uint32_t total, const uint32_t *hints);
/* Decode `count` records; returns how many were valid. */
uint32_t omen_decoder_run (omen_decoder *decoder, omen_record_source *source,
                           uint32_t count);
/* Store counts, index and lists in the trace. */
void omen_decoder_fini (omen_decoder *decoder);

#endif
