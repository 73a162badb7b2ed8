/* A walk over the log of one thread by pieces instead of single notes: notes
   that are stored together come as one piece, of which only the words that are
   needed are decoded.

     omen_plans_init (&plans, file, true);
     omen_pieces_init (&pieces, &plans, thread);
     while (omen_pieces_peek (&pieces, &piece)) {
       if (piece.plan)                     notes of one block, or of one site
         for each of its notes, for each member of the plan …
       else
         use (&piece.item);                of the runtime
       omen_pieces_pass (&pieces);
     }
     if (pieces.wrong) …                   use a cursor (log/cursor.h)

   A piece is valid until the next omen_pieces_peek. RANGE items come without
   their bytes. For complete files only: the walk stops at the first malformed
   note. Cost: at most a nanosecond a note. */
#ifndef OMEN_RECORDING_SCAN_PIECES_H
#define OMEN_RECORDING_SCAN_PIECES_H

#include "recording/log/cursor.h"

/* How a note is computed from the words that encode it. */
typedef struct omen_plan_member {
  uint8_t kind, size; /* of its site */
  uint8_t word, shift;
  bool followed; /* its value is certainly dereferenced */
  uint32_t constant;
  uint64_t mask;
  omen_notes_member as;
} omen_plan_member;

typedef struct omen_plan {
  uint32_t first, count; /* members */
  bool accesses;         /* only accesses, at constant offsets from bases */
  bool runtime;          /* items of the runtime and their PARTs */
  bool calls;            /* it has return addresses */
  bool loop;             /* its last word is the number of iterations */
} omen_plan;

typedef struct omen_plans {
  const omen_notes_file *file;
  OMEN_VEC (omen_plan_member) members;
  OMEN_VEC (omen_plan) sites, blocks; /* id, id - 1 */
  omen_notes_needs needs;
} omen_plans;

/* `addresses`: addresses of woven code are decoded; otherwise only items of the
   runtime. False: the file cannot be walked by pieces. */
bool omen_plans_init (omen_plans *plans, const omen_notes_file *file,
                      bool addresses);
void omen_plans_fini (omen_plans *plans);

typedef struct omen_note_piece {
  const omen_plan *plan; /* or NULL: */
  omen_item item;
  uint32_t notes, width; /* number of notes of the plan; words of each */
  const uint64_t *words; /* of the first */
} omen_note_piece;

typedef struct omen_pieces {
  const omen_plans *plans;
  const omen_notes_thread *thread;
  uint32_t chunk; /* the next one */
  bool open;      /* the reader has one */
  uint8_t *unpacked;
  size_t passed; /* of the file */
  omen_notes_batch batch;
  uint32_t next, left;            /* of the batch: notes passed, and left */
  OMEN_VEC (omen_raw_note) notes; /* of an item of the runtime */
  bool held; /* the current piece was peeked but not passed */
  bool wrong;
  uint64_t items; /* passed */
  omen_notes_reader *reader;
} omen_pieces;

void omen_pieces_init (omen_pieces *pieces, const omen_plans *plans,
                       const omen_notes_thread *thread);
void omen_pieces_fini (omen_pieces *pieces);
/* False: the end, or the log is malformed (`wrong`). */
bool omen_pieces_peek (omen_pieces *pieces, omen_note_piece *piece);
void omen_pieces_pass (omen_pieces *pieces);

/* The value of a member in a plan that is not a loop. */
static inline uint64_t
omen_plan_value (const omen_plan_member *m, const uint64_t *words)
{
  return m->word ? words[m->word] >> m->shift & m->mask : m->constant;
}

#endif
