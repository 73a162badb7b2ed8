/* Where several paths lead to one `return`, as clang emits it, each path that
   has just logged something gets a return of its own: the notes there (the
   exit, the ends of locals) then belong to its region (region.h). A function
   that loads one field and returns is one note, not two. */
#include "weave/fork.h"

enum { MOST_INSTRUCTIONS = 16, MOST_WAYS = 8 };

/* A few notes, and a return? */
static bool
is_tail (const omen_weave *w, LLVMBasicBlockRef block)
{
  LLVMValueRef i = LLVMGetFirstInstruction (block);
  unsigned size = 0, notes = 0;
  for (; !LLVMIsATerminatorInst (i); i = LLVMGetNextInstruction (i)) {
    bool note = omen_fork_is_note (w, i);
    if (++size > MOST_INSTRUCTIONS || (!note && !omen_fork_is_quiet (w, i)))
      return false;
    notes += note;
  }
  return notes && LLVMIsAReturnInst (i) && !omen_fork_finds_variable (w, block);
}

/* Is there a note at the end of the block that can be merged with notes of the
   next one? */
static bool
ends_noting (const omen_weave *w, LLVMBasicBlockRef block)
{
  LLVMValueRef end = LLVMGetBasicBlockTerminator (block), i = end;
  if (!LLVMIsABranchInst (end) && !LLVMIsASwitchInst (end))
    return false;
  while ((i = LLVMGetPreviousInstruction (i))) {
    if (omen_fork_is_note (w, i))
      return true;
    if (!omen_fork_is_quiet (w, i))
      return false;
  }
  return false;
}

/* The predecessors of a block; 0 if there is only one, too many, or the block's
   address is taken. */
static unsigned
find_ways (LLVMBasicBlockRef block, LLVMBasicBlockRef *ways)
{
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse (LLVMBasicBlockAsValue (block)); use;
       use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    unsigned i = 0;
    if (!LLVMIsATerminatorInst (user))
      return 0;
    LLVMBasicBlockRef from = LLVMGetInstructionParent (user);
    while (i < count && ways[i] != from)
      i++;
    if (i == MOST_WAYS)
      return 0;
    ways[i] = from;
    count += i == count;
  }
  return count > 1 ? count : 0;
}

static LLVMValueRef
coming_from (LLVMValueRef phi, LLVMBasicBlockRef from)
{
  unsigned i = 0;
  while (LLVMGetIncomingBlock (phi, i) != from)
    i++;
  return LLVMGetIncomingValue (phi, i);
}

static LLVMBasicBlockRef
copy_for (omen_weave *w, LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
  LLVMBasicBlockRef copy
      = LLVMInsertBasicBlockInContext (w->context, block, "");
  omen_weave_map copies = { 0 };
  LLVMPositionBuilderAtEnd (w->builder, copy);
  for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
       i = LLVMGetNextInstruction (i))
    if (LLVMIsAPHINode (i))
      omen_weave_map_put (&copies, i, coming_from (i, from));
    else
      omen_fork_copy (w, &copies, i);
  omen_weave_map_fini (&copies);
  return copy;
}

static void
part_way (omen_weave *w, LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
  LLVMValueRef end = LLVMGetBasicBlockTerminator (from);
  LLVMBasicBlockRef copy = copy_for (w, block, from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors (end); i++)
    if (LLVMGetSuccessor (end, i) == block) {
      LLVMSetSuccessor (end, i, copy);
      omen_shim_forget_way (block, from);
    }
}

/* Duplicates the block for its predecessors, except the last one. */
static void
part_ways (omen_weave *w, LLVMBasicBlockRef block)
{
  LLVMBasicBlockRef ways[MOST_WAYS];
  unsigned count = find_ways (block, ways), left = count;
  for (unsigned i = 0; i < count && left > 1; i++)
    if (ends_noting (w, ways[i])) {
      part_way (w, block, ways[i]);
      left--;
    }
}

void
omen_weave_tails (omen_weave *w, LLVMValueRef function)
{
  omen_weave_list tails = { 0 };
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    if (is_tail (w, block))
      omen_weave_list_add (&tails, block);
  for (size_t i = 0; i < tails.count; i++)
    part_ways (w, tails.items[i]);
  omen_weave_list_fini (&tails);
}
