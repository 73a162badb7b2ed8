/* Records into events: the inner loop of the binary reader.

   The length of a record is a table lookup on its second byte; its fields are
   loaded as whole words and masked, without branches; one comparison that is
   almost never true sends everything unusual (extensions, kinds whose value is
   an id, ids out of range, the last bytes of a chunk) to slower code. The same
   pass writes the event, its index in the thread and, if the file says how many
   events each thread has, the thread's list. An id that comes up for the first
   time is unusual too: then its turn is checked (ids.h).

   Invariants: events, index and by_thread have room for all records of all
   sources; nothing is stored for a record before all its ids are checked. */
#ifndef OMEN_IO_BINARY_DECODE_H
#define OMEN_IO_BINARY_DECODE_H

#include "io/binary_reader.h"
#include "trace/rules.h"

/* What byte 1 of a record means. */
typedef struct omen_record_layout {
  uint32_t mask[3], keep[3]; /* thread, object, location; keep the one before */
  uint64_t value_mask;
  uint8_t at[4]; /* offsets of the four fields, after the two bytes */
  uint8_t size;  /* of all, the two bytes included */
  uint8_t shift; /* sign-extends the value */
  uint8_t fill_line[18];
} omen_record_layout;

/* A thread's list, as far as it is written: [first, slot) of [first, end). */
typedef struct omen_list_cursor {
  uint32_t first, slot, end;
} omen_list_cursor;

/* The payload of one chunk, as far as it is read. */
typedef struct omen_record_source {
  const uint8_t *at, *end;
  omen_record_state before;
  uint8_t forbidden; /* codes that must be 0: threads, in a thread's chunk */
} omen_record_source;

typedef struct omen_decoder {
  omen_trace *trace;
  uint32_t count;            /* events so far */
  bool lists;                /* by_thread is written too */
  omen_list_cursor *cursors; /* by thread */
  const char *wrong;         /* why the last run stopped early */
  omen_rules rules;
  omen_first_use use; /* ids that have come up, which need no closer look */
  omen_record_layout layouts[256];
} omen_decoder;

/* Room for `total` events; `hints` (by thread, or NULL) adds up to that. */
void omen_decoder_init (omen_decoder *decoder, omen_trace *trace,
                        uint32_t total, const uint32_t *hints);
/* Decode `count` records of the source; how many were right. */
uint32_t omen_decoder_run (omen_decoder *decoder, omen_record_source *source,
                           uint32_t count);
/* Hand everything to the trace: counts, index, lists. */
void omen_decoder_fini (omen_decoder *decoder);

#endif
