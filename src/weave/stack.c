/* Logs lifetimes of locals that other threads may reach: without them, a stack
   address reused by another local would look like one variable. */
#include "weave/weave.h"

/* A note of an allocation gets the location of the variable's declaration, if
   known. */
static void
note_life (omen_weave *w, enum omen_site_kind kind, LLVMValueRef local,
           LLVMValueRef size)
{
  omen_weave_what what = { .kind = kind };
  char name[256];
  LLVMMetadataRef declared = omen_shim_local (local, name, sizeof name);
  if (declared) {
    what.name = omen_weave_text (w, name);
    if (kind == OMEN_SITE_STACK_ALLOC)
      LLVMSetCurrentDebugLocation2 (w->builder, declared);
  }
  omen_weave_note (w, LLVMBuildPtrToInt (w->builder, local, w->i64, ""), size,
                   omen_weave_site (w, what));
}

/* The start of all locals without lifetime markers: after the function's own
   marker, or after its allocas. */
static LLVMValueRef
start_of (const omen_weave *w, LLVMValueRef function)
{
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock (function);
  LLVMValueRef i = LLVMGetFirstInstruction (entry), start;
  while (LLVMIsAAllocaInst (i))
    i = LLVMGetNextInstruction (i);
  for (start = i; i; i = LLVMGetNextInstruction (i))
    if (omen_weave_marker (w, i) == OMEN_MARK_ENTER)
      return LLVMGetNextInstruction (i);
  return start;
}

/* Notes lifetimes that the compiler marked (in loops and inlined code, and
   where locals share an address); false if there is no marker. */
static bool
follow_marks (omen_weave *w, LLVMValueRef local, LLVMValueRef size)
{
  omen_weave_list starts = { 0 }, ends = { 0 };
  for (LLVMUseRef use = LLVMGetFirstUse (local); use;
       use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    if (!LLVMIsACallInst (user))
      continue;
    enum omen_intrinsic what = omen_weave_intrinsic (w, user);
    if (what == OMEN_IN_LIFE_START)
      omen_weave_list_add (&starts, user);
    else if (what == OMEN_IN_LIFE_END)
      omen_weave_list_add (&ends, user);
  }
  for (size_t i = 0; i < starts.count; i++) {
    omen_weave_after (w, starts.items[i]);
    note_life (w, OMEN_SITE_STACK_ALLOC, local, size);
  }
  for (size_t i = 0; i < ends.count && starts.count; i++) {
    omen_weave_before (w, ends.items[i]);
    note_life (w, OMEN_SITE_STACK_FREE, local, size);
  }
  bool marked = starts.count;
  omen_weave_list_fini (&starts);
  omen_weave_list_fini (&ends);
  return marked;
}

static bool
is_static (LLVMValueRef function, LLVMValueRef local)
{
  return LLVMIsAConstantInt (LLVMGetOperand (local, 0))
         && LLVMGetInstructionParent (local)
                == LLVMGetEntryBasicBlock (function);
}

/* Allocas of fixed size are static only in the entry block, which notes will
   split: they are moved to its start. */
void
omen_weave_gather (omen_weave *w, LLVMValueRef function)
{
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock (function);
  LLVMValueRef next, top = LLVMGetFirstInstruction (entry);
  while (LLVMIsAAllocaInst (top) && is_static (function, top))
    top = LLVMGetNextInstruction (top);
  for (LLVMValueRef i = top; i; i = next) {
    next = LLVMGetNextInstruction (i);
    if (i != top && LLVMIsAAllocaInst (i) && is_static (function, i)) {
      LLVMInstructionRemoveFromParent (i);
      LLVMPositionBuilderBefore (w->builder, top);
      LLVMInsertIntoBuilder (w->builder, i);
    }
  }
}

static void
follow_local (omen_weave *w, LLVMValueRef function, LLVMValueRef local)
{
  uint64_t unit = LLVMABISizeOfType (w->layout, LLVMGetAllocatedType (local));
  LLVMValueRef count = LLVMGetOperand (local, 0);
  if (is_static (function, local)) {
    LLVMValueRef size
        = omen_weave_long (w, unit * LLVMConstIntGetZExtValue (count));
    if (follow_marks (w, local, size))
      return;
    omen_weave_before (w, start_of (w, function));
    note_life (w, OMEN_SITE_STACK_ALLOC, local, size);
    return;
  }
  omen_weave_after (w, local);
  count = LLVMBuildIntCast2 (w->builder, count, w->i64, false, "");
  note_life (w, OMEN_SITE_STACK_ALLOC, local,
             LLVMBuildMul (w->builder, count, omen_weave_long (w, unit), ""));
}

static void
follow_argument (omen_weave *w, LLVMValueRef function, unsigned i)
{
  LLVMValueRef argument = LLVMGetParam (function, i);
  LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex (
      function, i + 1, w->attributes[OMEN_ATTR_BYVAL]);
  if (!byval || omen_weave_private (w, argument))
    return;
  omen_weave_before (w, start_of (w, function));
  note_life (
      w, OMEN_SITE_STACK_ALLOC, argument,
      omen_weave_long (
          w, LLVMABISizeOfType (w->layout, LLVMGetTypeAttributeValue (byval))));
}

void
omen_weave_stack (omen_weave *w, LLVMValueRef function)
{
  omen_weave_list locals = { 0 };
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i))
      if (LLVMIsAAllocaInst (i) && !omen_weave_private (w, i))
        omen_weave_list_add (&locals, i);
  for (size_t i = 0; i < locals.count; i++)
    follow_local (w, function, locals.items[i]);
  for (unsigned i = 0; i < LLVMCountParams (function); i++)
    follow_argument (w, function, i);
  omen_weave_list_fini (&locals);
}
