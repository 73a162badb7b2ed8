/* Removes the markers of functions, mostly inlined ones, with at most one event
   and no call: a getter would otherwise cost three notes for one load. Only
   functions within one basic block are considered. For a function that was not
   inlined a one-word note of its caller remains. */
#include "weave/weave.h"

#include <string.h>

static bool
is_note (const omen_weave *w, LLVMValueRef i, unsigned operand)
{
  return omen_weave_shared (w, i, LLVMGetOperand (i, operand));
}

/* The number of events that an instruction makes; 2 represents any higher
   number. */
static unsigned
events_of (const omen_weave *w, LLVMValueRef i)
{
  LLVMTypeRef type = NULL;
  unsigned operand = 0;
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMLoad:
    type = LLVMTypeOf (i);
    break;
  case LLVMStore:
    type = LLVMTypeOf (LLVMGetOperand (i, 0));
    operand = 1;
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return is_note (w, i, 0);
  case LLVMFence:
  case LLVMInvoke:
  case LLVMCallBr:
    return 2;
  case LLVMCall:
    return LLVMIsAIntrinsicInst (i) && !LLVMIsAMemIntrinsic (i)
                   && omen_weave_intrinsic (w, i) == OMEN_INTRINSICS
               ? 0
               : 2;
  default:
    return 0;
  }
  if (!is_note (w, i, operand))
    return 0;
  return LLVMStoreSizeOfType (w->layout, type) <= 8 ? 1 : 2;
}

static LLVMValueRef
only_user (LLVMValueRef value)
{
  LLVMUseRef use = LLVMGetFirstUse (value);
  return use && !LLVMGetNextUse (use) ? LLVMGetUser (use) : NULL;
}

static bool
is_idle (const omen_weave *w, LLVMValueRef enter, unsigned *events)
{
  LLVMValueRef leave = only_user (enter), i = enter;
  *events = 0;
  if (!leave || omen_weave_marker (w, leave) != OMEN_MARK_EXIT)
    return false;
  while ((i = LLVMGetNextInstruction (i)) && i != leave && *events <= 1)
    *events += events_of (w, i);
  return i == leave && *events <= 1;
}

/* Is it passed to a function that creates threads? Then its entry identifies
   the thread. */
static bool
begins_threads (LLVMValueRef function)
{
  for (LLVMUseRef use = LLVMGetFirstUse (function); use;
       use = LLVMGetNextUse (use)) {
    LLVMValueRef call = LLVMGetUser (use);
    const char *name;
    if ((!LLVMIsACallInst (call) && !LLVMIsAInvokeInst (call))
        || LLVMGetCalledValue (call) == function)
      continue;
    name = LLVMGetValueName (LLVMGetCalledValue (call));
    if (!strcmp (name, "pthread_create") || !strcmp (name, "thrd_create"))
      return true;
  }
  return false;
}

/* Inner functions are entered after outer ones, so going from last to first
   removes the inner ones before an outer one is considered. */
void
omen_weave_trim (omen_weave *w, LLVMValueRef function)
{
  bool begins = begins_threads (function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block)) {
    LLVMValueRef before;
    unsigned events;
    for (LLVMValueRef i = LLVMGetLastInstruction (block); i; i = before) {
      before = LLVMGetPreviousInstruction (i);
      if (omen_weave_marker (w, i) == OMEN_MARK_ENTER
          && (!begins || omen_weave_is_inlined (i))
          && is_idle (w, i, &events)) {
        if (events)
          omen_weave_mark_called (w, i);
        LLVMInstructionEraseFromParent (only_user (i));
        LLVMInstructionEraseFromParent (i);
      }
    }
  }
}
