/* Building blocks of code that writes notes in line (block.c, region.c). The
   code is emitted three times:

     head:  c = __omen_cursor
            if ((int16_t)c <= 0) goto other                (hardly ever)
     fast:  c[0] = block; c[1] = base; … ; __omen_cursor = c + words
     other: if (c == OMEN_CURSOR_DISABLED) goto plain
     slow:  the original code: a call after each access
     plain: the code without notes

   Copies are found by maps: instruction (or block) -> its copy. */
#ifndef OMEN_WEAVE_FORK_H
#define OMEN_WEAVE_FORK_H

#include "weave/layout.h"

/* Is it a call of __omen_note? */
bool omen_fork_is_note (const omen_weave *w, LLVMValueRef i);
/* May the instruction stand between the notes of one block? It must not
   transfer control, order threads, or be impossible to duplicate. */
bool omen_fork_is_quiet (const omen_weave *w, LLVMValueRef i);
/* Does the block take the address of a thread-local variable? In a shared
   library that may be a call that allocates memory, which the runtime logs, and
   LLVM decides where in the block it is. So notes there must be calls, not
   words at a cursor that such a call moves. */
bool omen_fork_finds_variable (const omen_weave *w, LLVMBasicBlockRef block);

/* The copy of a value, or itself if there is none. */
LLVMValueRef omen_fork_copy_of (const omen_weave_map *copies,
                                LLVMValueRef value);
/* Copies an instruction to the builder's position, with operands mapped to
   their copies. */
void omen_fork_copy (omen_weave *w, omen_weave_map *copies, LLVMValueRef i);

/* Writes the words of a note at the builder's position: begin, each member
   after it has happened, end. */
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

/* Ends `head`, which went to `slow`, by a choice of the three forms; returns
   the cursor. */
LLVMValueRef omen_fork_control (omen_weave *w, LLVMBasicBlockRef head,
                                LLVMBasicBlockRef fast, LLVMBasicBlockRef slow,
                                LLVMBasicBlockRef plain);

#endif
