/* Bytes of a NOTES chunk -> notes, those of blocks one by one; the other side
   is runtime/log/encode.h.

     omen_notes_open (reader, blocks, payload, size, header->count);
     while (omen_notes_next (reader, &note))
       use (note.site, note.a, note.b);
     if (reader->failed)
       …                                       malformed from here on

   Borrows the bytes and the blocks. Site ids are not checked against the table
   of sites. A reader has 700 KiB. */
#ifndef OMEN_RECORDING_LOG_DECODE_H
#define OMEN_RECORDING_LOG_DECODE_H

#include "base/vec.h"
#include "wire/abi.h"
#include "wire/recording.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most values are exact. Some loads come as a group of which only a sum is
   known (abi.h): then b is a weight, and over the group, which lies within the
   chunk,

     sum of b * value == sum        modulo 2^64

   `left` counts the loads of the group from this one on, so it is 1 for the
   last one, and 0 for a note with an exact value. OMEN_LEFT_UNSEEN: it is an
   access of a loop that was noted whole, and nothing is known of its value. */
#define OMEN_LEFT_UNSEEN (UINT32_MAX - 2)

typedef struct omen_raw_note {
  uint32_t site; /* id, from 1 */
  uint32_t left;
  uint64_t a, b, sum;
} omen_raw_note;

/* A block of the program. */
typedef struct omen_notes_member {
  omen_file_member as;
  uint64_t mask; /* of an exact value */
  /* Word `step`, or some of its bits, is added to the address this many
     times. */
  uint32_t times;
  uint8_t step, way_up, way_down; /* way_up: shifts higher bits out */
  bool load;
} omen_notes_member;

typedef struct omen_notes_block {
  omen_file_block as;
  uint32_t members; /* index of the first one */
} omen_notes_block;

typedef struct omen_notes_blocks {
  OMEN_VEC (omen_notes_block) blocks; /* id - 1 */
  OMEN_VEC (omen_notes_member) members;
  bool apart;  /* the file has OMEN_FEATURE_APART */
  bool chains; /* … OMEN_FEATURE_CHAINS */
  bool tags;   /* … OMEN_FEATURE_TAGS */
} omen_notes_blocks;

/* Adds the blocks of a BLOCKS chunk; false if it is malformed. */
bool omen_notes_blocks_add (omen_notes_blocks *blocks, const uint8_t *bytes,
                            size_t size, uint32_t count);
void omen_notes_blocks_fini (omen_notes_blocks *blocks);

/* A header that occurs in this chunk. */
typedef struct omen_notes_local {
  uint32_t id; /* of site or block */
  bool is_block, is_bytes, summed;
  uint8_t needed; /* of its words, see omen_notes_needs */
  uint32_t last;  /* where in words; 0: nowhere */
  uint32_t kept;  /* likewise, once a chunk has ended */
  uint64_t leap;
  union {
    uint64_t place; /* is_bytes: of a RANGE item */
    uint8_t tags[8];
  };
} omen_notes_local;

/* The bytes of a RANGE item, or the byte that all are equal to. */
typedef struct omen_notes_bytes {
  const uint8_t *at;
  uint32_t length; /* 0: there was none */
  bool fill;
} omen_notes_bytes;

/* The filter of a reader, by id: records of these sites and blocks are decoded
   but not handed out. */
typedef struct omen_notes_filter {
  OMEN_VEC (bool) sites;  /* id */
  OMEN_VEC (bool) blocks; /* id - 1 */
} omen_notes_filter;

/* How many of the first words of a note are decoded, by id (of blocks: - 1), at
   least 2; the others are skipped, and must not be read. */
typedef struct omen_notes_needs {
  OMEN_VEC (uint8_t) sites, blocks;
} omen_notes_needs;

typedef struct omen_notes_reader {
  const omen_notes_blocks *blocks;
  const omen_notes_filter *filter; /* or NULL */
  const omen_notes_needs *needs;   /* or NULL: all */
  const uint8_t *at, *end, *tags, *tags_end;
  uint32_t left; /* notes still to come */
  bool failed;
  uint8_t flags, flag;
  uint32_t most;          /* locals */
  uint32_t count, before; /* number of locals; the local of the record before */
  uint32_t context;       /* of the next record: an index of `after` */
  uint64_t word;          /* of the note before, see recording.h */
  /* the records that are being handed out */
  uint32_t local, note; /* the first word of the current record */
  uint32_t run, done;   /* records in the run, and how many are done */
  uint32_t member, loads_done;
  uint64_t turn; /* of a loop */
  uint32_t each; /* notes of a sum, 0: no sums */
  uint32_t used; /* in words; the first one is left free */
  uint32_t kept; /* words at the end: of chunks before this one */
  omen_notes_bytes bytes, bytes_before; /* of the last two RANGE items */
  uint32_t touched_count; /* locals whose last record is in this chunk */
  uint16_t touched[OMEN_CHAIN_LOCALS_MAX + 1];
  uint16_t after[2 * (OMEN_CHAIN_LOCALS_MAX + 1)]; /* local, by context */
  omen_notes_local locals[OMEN_CHAIN_LOCALS_MAX + 1];
  uint64_t sums[OMEN_WORDS_MAX / 6 + 1];
  uint64_t words[OMEN_WORDS_MAX + 1 + OMEN_KEPT_WORDS];
} omen_notes_reader;

/* For omen_free. It has no chunk yet, and none that another may continue. */
omen_notes_reader *omen_notes_reader_new (void);
void omen_notes_open (omen_notes_reader *reader,
                      const omen_notes_blocks *blocks, const uint8_t *bytes,
                      size_t size, uint32_t count);

/* The same for a chunk with OMEN_CHUNK_CONTINUES, when all notes of the
   previous one have been read; filter and needs stay. */
void omen_notes_continue (omen_notes_reader *reader, const uint8_t *bytes,
                          size_t size, uint32_t count);

/* After omen_notes_open. Ids that the filter does not contain are handed
   out. */
static inline void
omen_notes_leave_out (omen_notes_reader *reader,
                      const omen_notes_filter *filter)
{
  reader->filter = filter;
}

/* False after the last record, and at a malformed one. Bytes left over after
   the last one are malformed, too. */
bool omen_notes_next (omen_notes_reader *reader, omen_raw_note *note);

/* Notes of one header, as they are stored. */
typedef struct omen_notes_batch {
  const omen_notes_block *block; /* or NULL: they are notes … */
  uint32_t site;                 /* … of this site */
  uint32_t notes, words;         /* how many, and words of each */
  const uint64_t *at;            /* of the first; until the next take */
  bool range;                    /* a RANGE item of so many bytes, and where */
  uint32_t length;
  uint64_t place;
} omen_notes_batch;

/* As omen_notes_next, but hands out all records of one header at once, of which
   only the words that the reader needs are decoded. The two are not to be
   mixed. */
static inline void
omen_notes_need (omen_notes_reader *reader, const omen_notes_needs *needs)
{
  reader->needs = needs;
}
bool omen_notes_take (omen_notes_reader *reader, omen_notes_batch *batch);
/* Makes omen_notes_next hand out the notes of the last batch one by one; the
   reader must need all words. Returns how many there are; the caller has to
   fetch all of them. */
uint64_t omen_notes_again (omen_notes_reader *reader);

/* Member m of a note of a block that is no loop: its address. */
static inline uint64_t
omen_notes_address (const omen_notes_member *m, const uint64_t *words)
{
  return (m->as.base ? words[m->as.base] : OMEN_DEPTH_INNER)
         + (uint64_t)m->as.offset
         + m->times * (words[m->step] << m->way_up >> m->way_down);
}

#endif
