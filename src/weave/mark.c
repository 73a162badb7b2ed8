/* Function markers (abi.h says what they mean). The first pass puts in calls
   that are opaque to the optimiser:

     entry:  d = omen.enter ("name\nfile\nline")      after the locals
     ret:    omen.exit (d)                            before it
     pad:    omen.landed (d)                          after a landing pad
     setjmp: omen.landed (d)                          after its return

   and trim.c makes some of them into omen.called ("name\nfile\nline").

   The second pass makes them into notes. */
#include "weave/weave.h"

#include <string.h>

/* Functions of the standard library, and those that compilers generate: thunks,
   initialisers, wrappers. */
static bool
is_nobodys (const char *name)
{
  static const char *const prefixes[] = {
    "_ZNSt",
    "_ZNKSt",
    "_ZSt",
    "_ZN9__gnu_cxx",
    "_ZNK9__gnu_cxx",
    "_ZN10__cxxabiv1",
    "_ZT",
    "_ZGV",
    "_GLOBAL__",
    "__cxx_global_",
    "__clang_call_terminate",
    "__tls_",
    "__omen_",
    "_ZNSa",
    "_ZNKSa",
    "_ZNSs",
    "_ZNKSs",
    "_ZNSi",
    "_ZNSo",
    "_ZNSd",
    "_ZN6__pstl",
  };
  for (size_t i = 0; i < OMEN_COUNT (prefixes); i++)
    if (!strncmp (name, prefixes[i], strlen (prefixes[i])))
      return true;
  return strstr (name, "__gthread_"); /* static, in a header of libstdc++ */
}

static bool
wants_markers (const omen_weave *w, LLVMValueRef function)
{
  return !omen_weave_has (w, function, OMEN_ATTR_NAKED)
         && !omen_weave_has (w, function, OMEN_ATTR_DISABLE)
         && !omen_weave_has (w, function, OMEN_ATTR_COROUTINE)
         && !is_nobodys (LLVMGetValueName (function));
}

static const char *const names[OMEN_MARKS]
    = { "omen.enter", "omen.exit", "omen.landed", "omen.called" };

void
omen_weave_find_marks (omen_weave *w)
{
  for (unsigned m = 0; m < OMEN_MARKS; m++)
    w->marks[m] = LLVMGetNamedFunction (w->module, names[m]);
}

static LLVMValueRef
call_marker (omen_weave *w, enum omen_marker marker, LLVMValueRef arg)
{
  LLVMTypeRef argument = LLVMTypeOf (arg);
  LLVMTypeRef type = LLVMFunctionType (
      marker == OMEN_MARK_ENTER ? w->i64 : w->none, &argument, 1, false);
  if (!w->marks[marker]) {
    w->marks[marker] = LLVMAddFunction (w->module, names[marker], type);
    omen_weave_give (w, w->marks[marker], OMEN_ATTR_NOUNWIND);
    omen_weave_give (w, w->marks[marker], OMEN_ATTR_NOMERGE);
  }
  return LLVMBuildCall2 (w->builder, type, w->marks[marker], &arg, 1, "");
}

enum omen_marker
omen_weave_marker (const omen_weave *w, LLVMValueRef call)
{
  enum omen_marker m = 0;
  while (m < OMEN_MARKS
         && (!LLVMIsACallInst (call) || !w->marks[m]
             || LLVMGetCalledValue (call) != w->marks[m]))
    m++;
  return m;
}

static LLVMValueRef
mark_entry (omen_weave *w, LLVMValueRef function)
{
  LLVMMetadataRef scope = LLVMGetSubprogram (function), location = NULL;
  LLVMValueRef at = LLVMGetFirstInstruction (LLVMGetEntryBasicBlock (function));
  while (LLVMIsAAllocaInst (at))
    at = LLVMGetNextInstruction (at);
  if (scope)
    location = LLVMDIBuilderCreateDebugLocation (
        w->context, LLVMDISubprogramGetLine (scope), 0, scope, NULL);
  omen_weave_before (w, at);
  LLVMSetCurrentDebugLocation2 (w->builder, location);
  return call_marker (w, OMEN_MARK_ENTER, omen_weave_description (w, function));
}

LLVMValueRef
omen_weave_last_act (LLVMValueRef ret)
{
  LLVMValueRef before = LLVMGetPreviousInstruction (ret);
  if (before && LLVMIsABitCastInst (before))
    before = LLVMGetPreviousInstruction (before);
  if (before && LLVMIsACallInst (before)
      && LLVMGetTailCallKind (before) == LLVMTailCallKindMustTail)
    return before;
  return ret;
}

bool
omen_weave_returns_twice (const omen_weave *w, LLVMValueRef call)
{
  LLVMValueRef callee = LLVMIsAFunction (LLVMGetCalledValue (call));
  return (callee && omen_weave_has (w, callee, OMEN_ATTR_RETURNS_TWICE))
         || LLVMGetCallSiteEnumAttribute (
             call, LLVMAttributeFunctionIndex,
             w->attributes[OMEN_ATTR_RETURNS_TWICE]);
}

static void
mark_instruction (omen_weave *w, LLVMValueRef i, LLVMValueRef depth)
{
  if (LLVMIsAReturnInst (i)) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc (i);
    omen_weave_before (w, omen_weave_last_act (i));
    LLVMSetCurrentDebugLocation2 (w->builder, location);
    call_marker (w, OMEN_MARK_EXIT, depth);
  } else if (LLVMIsALandingPadInst (i)
             || (LLVMIsACallInst (i) && omen_weave_returns_twice (w, i))) {
    omen_weave_after (w, i);
    call_marker (w, OMEN_MARK_LANDED, depth);
  }
}

void
omen_weave_mark (omen_weave *w, LLVMValueRef function)
{
  if (!wants_markers (w, function))
    return;
  LLVMValueRef depth = mark_entry (w, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block)) {
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i; i = next) {
      next = LLVMGetNextInstruction (i);
      mark_instruction (w, i, depth);
    }
  }
}

static void
set_depth (omen_weave *w, LLVMValueRef depth, int change)
{
  if (change)
    depth = LLVMBuildAdd (w->builder, depth,
                          LLVMConstInt (w->i64, (uint64_t)change, true), "");
  LLVMBuildStore (w->builder, depth, omen_weave_depth (w));
}

/* The return address of the current function; 0 if it was inlined, as its site
   says where. */
static LLVMValueRef
return_address (omen_weave *w)
{
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2 (w->builder);
  LLVMTypeRef type = LLVMFunctionType (w->pointer, &w->i32, 1, false);
  LLVMValueRef level = omen_weave_int (w, 0), address;
  if (!location || LLVMDILocationGetInlinedAt (location))
    return omen_weave_long (w, 0);
  address = LLVMBuildCall2 (
      w->builder, type,
      LLVMGetIntrinsicDeclaration (
          w->module, w->intrinsics[OMEN_IN_RETURN_ADDRESS], NULL, 0),
      &level, 1, "");
  return LLVMBuildPtrToInt (w->builder, address, w->i64, "");
}

bool
omen_weave_is_inlined (LLVMValueRef call)
{
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc (call);
  return location && LLVMDILocationGetInlinedAt (location);
}

/* Inlined functions need no CALLED: their sites name the callers. */
void
omen_weave_mark_called (omen_weave *w, LLVMValueRef enter)
{
  if (!LLVMInstructionGetDebugLoc (enter) || omen_weave_is_inlined (enter))
    return;
  omen_weave_before (w, enter);
  call_marker (w, OMEN_MARK_CALLED, LLVMGetArgOperand (enter, 0));
}

void
omen_weave_unmark (omen_weave *w, LLVMValueRef call)
{
  if (omen_weave_marker (w, call) == OMEN_MARK_ENTER)
    LLVMReplaceAllUsesWith (call, omen_weave_long (w, 0));
  LLVMInstructionEraseFromParent (call);
}

static void
lower_called (omen_weave *w, LLVMValueRef call)
{
  omen_weave_what what
      = { .kind = OMEN_SITE_CALLED, .function = LLVMGetArgOperand (call, 0) };
  omen_weave_before (w, call);
  omen_weave_note (w, return_address (w), omen_weave_long (w, 0),
                   omen_weave_site (w, what));
  LLVMInstructionEraseFromParent (call);
}

static LLVMValueRef
depth_of (omen_weave *w, LLVMValueRef enter)
{
  uintptr_t level = (uintptr_t)omen_weave_map_get (&w->levels, enter);
  LLVMValueRef outer = w->depth;
  if (!level)
    outer = LLVMBuildLoad2 (w->builder, w->i64, omen_weave_depth (w), "");
  OMEN_ASSERT (outer);
  LLVMValueRef depth = LLVMBuildAdd (
      w->builder, outer, omen_weave_long (w, level ? level : 1), "");
  if (!w->depth && !omen_weave_is_inlined (enter))
    w->depth = depth;
  return depth;
}

/* The marker is kept while notes are built, as it marks their place. */
void
omen_weave_lower (omen_weave *w, LLVMValueRef call)
{
  static const enum omen_site_kind kinds[]
      = { OMEN_SITE_ENTER, OMEN_SITE_EXIT, OMEN_SITE_LANDED };
  enum omen_marker marker = omen_weave_marker (w, call);
  LLVMValueRef depth = LLVMGetArgOperand (call, 0), from;
  omen_weave_what what = { 0 };
  if (marker == OMEN_MARK_CALLED) {
    lower_called (w, call);
    return;
  }
  what.kind = kinds[marker];
  omen_weave_before (w, call);
  from = omen_weave_long (w, 0);
  if (marker == OMEN_MARK_ENTER) {
    what.function = depth;
    depth = depth_of (w, call);
    LLVMReplaceAllUsesWith (call, depth);
    from = return_address (w);
  }
  if (marker == OMEN_MARK_LANDED)
    omen_weave_land (w);
  if (marker != OMEN_MARK_EXIT)
    set_depth (w, depth, 0);
  omen_weave_note (w, depth, from, omen_weave_site (w, what));
  if (marker == OMEN_MARK_EXIT)
    set_depth (w, depth, -1);
  LLVMInstructionEraseFromParent (call);
}
