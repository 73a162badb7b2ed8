/* What code that notes in line is made of (block.c, region.c). It is there
   three times:

     head:  c = __omen_cursor
            if ((int16_t)c <= 0) goto other                (hardly ever)
     fast:  c[0] = block; c[1] = base; … ; __omen_cursor = c + words
     other: if (c == OMEN_CURSOR_DISABLED) goto plain
     slow:  the code as it was: a call after each access
     plain: the code without notes

   Copies are found by maps: instruction (or block) -> its copy. */
#ifndef OMEN_WEAVE_FORK_H
#define OMEN_WEAVE_FORK_H

#include "weave/layout.h"

/* Is it a call of __omen_note? */
bool omen_fork_is_note (const omen_weave *w, LLVMValueRef i);
/* May the instruction stand between the notes of one block? Nothing that hands
   control to others, orders threads, or cannot be there twice. */
bool omen_fork_is_quiet (const omen_weave *w, LLVMValueRef i);
/* In a shared library the address of a thread's variable may come from a call,
   which may allocate memory and note that. Where in its basic block the call
   ends up is not for us to say: there notes are calls, not words at a cursor
   that somebody else moves. */
bool omen_fork_finds_variable (const omen_weave *w, LLVMBasicBlockRef block);

/* The copy of a value, or itself if there is none. */
LLVMValueRef omen_fork_copy_of (const omen_weave_map *copies,
                                LLVMValueRef value);
/* Copies an instruction to where the builder stands; its operands become those
   of the copy. */
void omen_fork_copy (omen_weave *w, omen_weave_map *copies, LLVMValueRef i);

/* The words of a note, where the builder stands: begin, each member when it has
   happened, end. */
typedef struct omen_note_writer {
  const omen_note_layout *layout;
  LLVMValueRef cursor;
  const omen_weave_map *copies;
  LLVMValueRef words[OMEN_BLOCK_WORDS]; /* those that are put together */
} omen_note_writer;
void omen_writer_begin (omen_weave *w, omen_note_writer *r,
                        LLVMValueRef header);
void omen_writer_member (omen_weave *w, omen_note_writer *r, unsigned i);
void omen_writer_end (omen_weave *w, omen_note_writer *r);

/* Ends `head`, which went to `slow`, by going to one of the three; the cursor.
 */
LLVMValueRef omen_fork_control (omen_weave *w, LLVMBasicBlockRef head,
                                LLVMBasicBlockRef fast, LLVMBasicBlockRef slow,
                                LLVMBasicBlockRef plain);

#endif
