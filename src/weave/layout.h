/* What the words of one note of several are (abi.h: omen_code_block).

     omen_layout_add (w, layout, note)      each call of __omen_note, in order
     omen_layout_place (w, layout)          then: which word holds what
     header = omen_layout_header (w, layout)

   Addresses that are known to differ by a constant share a word, those that go
   in steps have two: the first and the step. One that is near another needs
   some bits, which share a word. That is found out with LLVM's scalar evolution
   of the function as it is when notes are added. Weaving changes it afterwards,
   so nothing here refers to values but by the calls. */
#ifndef OMEN_WEAVE_LAYOUT_H
#define OMEN_WEAVE_LAYOUT_H

#include "weave/weave.h"

typedef struct omen_layout_base {
  unsigned first; /* member whose address it is, without its offset */
  uint8_t word;   /* 0: it is another one and some steps */
  uint8_t origin; /* that base */
  uint8_t step, times;
  uint8_t shift, bits; /* bits: it is another one and these of near_word */
  int32_t least;       /* which are added to this */
  bool can_step;       /* its members have room to say so */
} omen_layout_base;

/* From one base to another. */
typedef struct omen_layout_step {
  uint8_t from, to, word;
} omen_layout_step;

typedef struct omen_note_layout_member {
  LLVMValueRef call, site;
  unsigned kind, size;
  uint8_t base; /* index, or OMEN_LAYOUT_INNER: a depth (abi.h), in `offset` */
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
/* The address that is noted, without what is added to it by constants. */
LLVMValueRef omen_layout_root (omen_weave *w, LLVMValueRef note,
                               int64_t *offset);

#endif
