/* The layout of a note with several members in words (abi.h: omen_code_block).

     omen_layout_add (w, layout, note)      each call of __omen_note, in order
     omen_layout_place (w, layout)          then: which word holds what
     header = omen_layout_header (w, layout)

   Addresses that differ by a constant share a word; addresses at equal
   distances have two, the first and the step; an address near another one takes
   some bits of a shared word. LLVM's scalar evolution finds these relations
   when notes are added. Weaving changes the function afterwards, so a layout
   refers to values only through the calls. */
#ifndef OMEN_WEAVE_LAYOUT_H
#define OMEN_WEAVE_LAYOUT_H

#include "weave/weave.h"

typedef struct omen_layout_base {
  unsigned first; /* the member whose address it is, minus its offset */
  uint8_t word;   /* 0: computed from base `origin` and some steps */
  uint8_t origin; /* that base */
  uint8_t step, times;
  uint8_t shift, bits; /* those of near_word, added to base `origin` */
  int32_t least;       /* added to both */
  bool can_step;       /* its members have room to encode it */
} omen_layout_base;

/* From one base to another. */
typedef struct omen_layout_step {
  uint8_t from, to, word;
} omen_layout_step;

typedef struct omen_note_layout_member {
  LLVMValueRef call, site;
  unsigned kind, size;
  uint8_t base; /* index, or OMEN_LAYOUT_INNER: `offset` is a depth (abi.h) */
  uint8_t word, shift, weight;
  int32_t offset;
  uint32_t constant;
} omen_note_layout_member;

#define OMEN_LAYOUT_INNER 255
#define OMEN_LAYOUT_STEPS 4

typedef struct omen_note_layout {
  omen_note_layout_member members[OMEN_BLOCK_NOTES];
  omen_layout_base bases[OMEN_BLOCK_NOTES];
  omen_layout_step steps[OMEN_LAYOUT_STEPS];
  unsigned count, bases_count, steps_count;
  unsigned loads, bits; /* of all loads; once placed: of the last word */
  unsigned words, address_words;     /* once placed */
  unsigned near_word, near_bits;     /* near_word: 0, there is none */
  unsigned shared_word, shared_bits; /* of small values that were stored */
} omen_note_layout;

void omen_layout_add (omen_weave *w, omen_note_layout *layout,
                      LLVMValueRef note);
/* Has it all that fits? */
bool omen_layout_is_full (const omen_note_layout *layout);
void omen_layout_place (omen_weave *w, omen_note_layout *layout);
/* What the note begins with: its site if there is but one member, else an
   omen_code_block, which becomes data of the program. */
LLVMValueRef omen_layout_header (omen_weave *w, const omen_note_layout *layout);
/* The address in the note without constant offsets, whose sum is *offset. */
LLVMValueRef omen_layout_root (omen_weave *w, LLVMValueRef note,
                               int64_t *offset);

#endif
