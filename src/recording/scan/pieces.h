/* A walk over the notes of one thread that does not take them one by one: what
   is stored together comes as one piece, of which only the words that are
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
     if (pieces.wrong) …                   look closer (log/cursor.h)

   A piece is valid until the next one is looked at. Of RANGE items the bytes
   are not there. For files that are whole: at the first thing that is not as it
   should be the walk is over. Cost: a nanosecond a note and less. */
#ifndef OMEN_RECORDING_SCAN_PIECES_H
#define OMEN_RECORDING_SCAN_PIECES_H

#include "recording/log/cursor.h"

/* What a note says, from its words. */
typedef struct omen_plan_member {
  uint8_t kind, size; /* of its site */
  uint8_t word, shift;
  bool followed; /* what it loads is surely used as an address */
  uint32_t constant;
  uint64_t mask;
  omen_notes_member as;
} omen_plan_member;

typedef struct omen_plan {
  uint32_t first, count; /* members */
  bool accesses;         /* and nothing else, at steady distances from bases */
  bool runtime;          /* notes of items and their PARTs */
  bool calls;            /* it has return addresses */
  bool loop;             /* its last word says how many turns there were */
} omen_plan;

typedef struct omen_plans {
  const omen_notes_file *file;
  OMEN_VEC (omen_plan_member) members;
  OMEN_VEC (omen_plan) sites, blocks; /* id, id - 1 */
  omen_notes_needs needs;
} omen_plans;

/* `addresses`: they are needed; else the walk is for what the runtime notes.
   False: the file is none for such a walk. */
bool omen_plans_init (omen_plans *plans, const omen_notes_file *file,
                      bool addresses);
void omen_plans_fini (omen_plans *plans);

typedef struct omen_note_piece {
  const omen_plan *plan; /* or NULL: */
  omen_item item;
  uint32_t notes, width; /* of the plan: how many, words of each */
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
  uint32_t next, left;            /* of the batch: notes taken, not taken */
  OMEN_VEC (omen_raw_note) notes; /* of an item of the runtime */
  bool held;                      /* it was looked at, not passed */
  bool wrong;
  uint64_t items; /* passed */
  omen_notes_reader *reader;
} omen_pieces;

void omen_pieces_init (omen_pieces *pieces, const omen_plans *plans,
                       const omen_notes_thread *thread);
void omen_pieces_fini (omen_pieces *pieces);
/* False: that was all, or something is wrong. */
bool omen_pieces_peek (omen_pieces *pieces, omen_note_piece *piece);
void omen_pieces_pass (omen_pieces *pieces);

/* Of a note of a plan that is no loop. */
static inline uint64_t
omen_plan_value (const omen_plan_member *m, const uint64_t *words)
{
  return m->word ? words[m->word] >> m->shift & m->mask : m->constant;
}

#endif
