/* Control transfers between woven and uninstrumented code (abi.h): calls that
   may enter an uninstrumented library, and functions that such a library may
   call. Where a call goes is determined when it is first made and kept in a
   slot; later calls within woven code cost one comparison with the slot. */
#include "weave/weave.h"

#include <string.h>

/* Is it part of the runtime, or of a library whose calls the runtime handles
   itself (runtime/hooks)? */
static bool
is_standard_function (const char *name)
{
  static const char *const prefixes[]
      = { "__omen_", "omen.",  "pthread_", "sem_",         "thrd_",
          "mtx_",    "cnd_",   "__cxa_",   "_Unwind_",     "__gxx_personality",
          "__tsan_", "_Znw",   "_Zna",     "_Zdl",         "_Zda",
          "_ZNSt",   "_ZNKSt", "_ZSt",     "_ZN9__gnu_cxx" };
  for (size_t i = 0; i < OMEN_COUNT (prefixes); i++)
    if (!strncmp (name, prefixes[i], strlen (prefixes[i])))
      return true;
  return false;
}

bool
omen_weave_may_leave (const omen_weave *w, LLVMValueRef call)
{
  LLVMValueRef callee, function;
  if (!LLVMIsACallInst (call) && !LLVMIsAInvokeInst (call))
    return false;
  callee = LLVMGetCalledValue (call);
  function = LLVMIsAFunction (callee);
  if (LLVMIsAInlineAsm (callee) || omen_weave_returns_twice (w, call)
      || omen_shim_is_pure (call)
      || (LLVMIsACallInst (call)
          && LLVMGetTailCallKind (call) == LLVMTailCallKindMustTail))
    return false;
  if (!function)
    return !LLVMIsAConstant (callee);
  return !is_standard_function (LLVMGetValueName (function))
         && omen_shim_is_elsewhere (function);
}

static LLVMValueRef
word_of_function (omen_weave *w, LLVMValueRef function)
{
  LLVMValueRef slot
      = function ? omen_weave_map_get (&w->slots, function) : NULL;
  if (slot)
    return slot;
  slot = LLVMAddGlobal (w->module, w->i64, "omen.slot");
  LLVMSetLinkage (slot, LLVMPrivateLinkage);
  LLVMSetInitializer (slot, omen_weave_long (w, 0));
  if (function)
    omen_weave_map_put (&w->slots, function, slot);
  return slot;
}

/* An unlikely block between the builder's position and `at`, run only if
   `when`. The builder is left in it; `head` and `rest` are the blocks around
   it. */
typedef struct seldom {
  LLVMBasicBlockRef head, body, rest;
} seldom;

static seldom
build_seldom (omen_weave *w, LLVMValueRef when, LLVMValueRef at)
{
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2 (w->builder);
  seldom s = { .head = LLVMGetInstructionParent (at) };
  s.rest = omen_shim_split (at);
  s.body = LLVMInsertBasicBlockInContext (w->context, s.rest, "");
  LLVMInstructionEraseFromParent (LLVMGetBasicBlockTerminator (s.head));
  LLVMPositionBuilderAtEnd (w->builder, s.head);
  LLVMSetCurrentDebugLocation2 (w->builder, location);
  omen_weave_make_unlikely (w,
                            LLVMBuildCondBr (w->builder, when, s.body, s.rest));
  LLVMPositionBuilderAtEnd (w->builder, s.body);
  LLVMBuildBr (w->builder, s.rest);
  LLVMPositionBuilderBefore (w->builder, LLVMGetBasicBlockTerminator (s.body));
  return s;
}

/* Before `at`, calls `callback` if `library` is not null, with the debug
   location of `why`. */
static void
emit_library_call (omen_weave *w, enum omen_callback callback,
                   LLVMValueRef library, LLVMValueRef at, LLVMValueRef why)
{
  omen_weave_before (w, at);
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (why));
  build_seldom (w, LLVMBuildIsNotNull (w->builder, library, ""), at);
  omen_weave_call (w, callback, &library);
}

void
omen_weave_leave (omen_weave *w, LLVMValueRef call)
{
  LLVMValueRef callee = LLVMGetCalledValue (call);
  LLVMValueRef function = LLVMIsAFunction (callee), slot, home, seen;
  LLVMValueRef library, next;
  seldom s;
  omen_weave_before (w, call);
  slot = word_of_function (w, function);
  home = function ? omen_weave_long (w, OMEN_SLOT_HOME)
                  : LLVMBuildPtrToInt (w->builder, callee, w->i64, "");
  seen = LLVMBuildLoad2 (w->builder, w->i64, slot, "");
  s = build_seldom (w, LLVMBuildICmp (w->builder, LLVMIntNE, seen, home, ""),
                    call);
  LLVMValueRef args[] = { callee, slot, omen_weave_int (w, function != NULL) };
  library = omen_weave_call (w, OMEN_CB_OUT, args);
  LLVMPositionBuilderBefore (w->builder, LLVMGetFirstInstruction (s.rest));
  LLVMValueRef phi = LLVMBuildPhi (w->builder, w->pointer, "");
  LLVMValueRef values[] = { LLVMConstNull (w->pointer), library };
  LLVMBasicBlockRef blocks[] = { s.head, s.body };
  LLVMAddIncoming (phi, values, blocks, 2);
  next = LLVMIsAInvokeInst (call) ? omen_shim_after_invoke (call)
                                  : LLVMGetNextInstruction (call);
  if (!LLVMIsAUnreachableInst (next))
    emit_library_call (w, OMEN_CB_IN, phi, next, call);
}

/* ---- beside AddressSanitizer ---- */

static bool
begins (const char *name, const char *with)
{
  return !strncmp (name, with, strlen (with));
}

bool
omen_weave_is_replaced (LLVMValueRef call)
{
  LLVMValueRef function = LLVMIsACallInst (call) || LLVMIsAInvokeInst (call)
                              ? LLVMIsAFunction (LLVMGetCalledValue (call))
                              : NULL;
  const char *name = function ? LLVMGetValueName (function) : "";
  return !strcmp (name, "pthread_create") || !strcmp (name, "thrd_create")
         || !strcmp (name, "free") || !strcmp (name, "realloc")
         || begins (name, "_ZNSt6thread15_M_start_thread")
         || begins (name, "_ZdlPv") || begins (name, "_ZdaPv");
}

void
omen_weave_replaced (omen_weave *w, LLVMValueRef call)
{
  LLVMValueRef none = LLVMConstNull (w->pointer);
  omen_weave_before (w, LLVMIsAInvokeInst (call)
                            ? omen_shim_after_invoke (call)
                            : LLVMGetNextInstruction (call));
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (call));
  omen_weave_call (w, OMEN_CB_REPLACED, &none);
}

/* ---- functions that others may call ---- */

static bool
is_address_taken (LLVMValueRef function)
{
  for (LLVMUseRef use = LLVMGetFirstUse (function); use;
       use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    if ((!LLVMIsACallInst (user) && !LLVMIsAInvokeInst (user))
        || LLVMGetCalledValue (user) != function)
      return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands (user); i++)
      if (LLVMGetArgOperand (user, i) == function)
        return true;
  }
  return false;
}

static bool
does_something (LLVMValueRef i)
{
  return LLVMIsALoadInst (i) || LLVMIsAStoreInst (i) || LLVMIsAFenceInst (i)
         || LLVMIsAAtomicRMWInst (i) || LLVMIsAAtomicCmpXchgInst (i)
         || LLVMIsAInvokeInst (i) || LLVMIsACallInst (i);
}

/* A function that ends in a musttail call, like a thunk, leaves the reporting
   to its callee. */
static bool
ends_in_another (LLVMValueRef i)
{
  return LLVMIsACallInst (i)
         && LLVMGetTailCallKind (i) == LLVMTailCallKindMustTail;
}

/* Its returns; none if only woven code can call it, or if it does nothing. */
static void
list_returns (LLVMValueRef function, omen_weave_list *returns)
{
  bool does = false, ends = false;
  LLVMLinkage linkage = LLVMGetLinkage (function);
  if (!strcmp (LLVMGetValueName (function), "main")
      || ((linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
          && !is_address_taken (function)))
    return;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i)) {
      does |= does_something (i);
      ends |= ends_in_another (i);
      if (LLVMIsAReturnInst (i))
        omen_weave_list_add (returns, i);
    }
  if (!does || ends)
    returns->count = 0;
}

static LLVMValueRef
build_inside (omen_weave *w)
{
  return LLVMBuildLoad2 (w->builder, w->pointer, omen_weave_inside (w), "");
}

void
omen_weave_callback (omen_weave *w, LLVMValueRef function)
{
  omen_weave_list returns = { 0 };
  LLVMMetadataRef scope = LLVMGetSubprogram (function);
  LLVMValueRef at = LLVMGetFirstInstruction (LLVMGetEntryBasicBlock (function));
  LLVMValueRef library;
  list_returns (function, &returns);
  if (returns.count) {
    while (LLVMIsAAllocaInst (at))
      at = LLVMGetNextInstruction (at);
    omen_weave_before (w, at);
    if (scope)
      LLVMSetCurrentDebugLocation2 (
          w->builder,
          LLVMDIBuilderCreateDebugLocation (
              w->context, LLVMDISubprogramGetLine (scope), 0, scope, NULL));
    library = build_inside (w);
    build_seldom (w, LLVMBuildIsNotNull (w->builder, library, ""), at);
    omen_weave_call (w, OMEN_CB_IN, &library);
    for (size_t i = 0; i < returns.count; i++)
      emit_library_call (w, OMEN_CB_BACK, library, returns.items[i],
                         returns.items[i]);
  }
  omen_weave_list_fini (&returns);
}

void
omen_weave_land (omen_weave *w)
{
  LLVMValueRef at = w->next, library = build_inside (w);
  build_seldom (w, LLVMBuildIsNotNull (w->builder, library, ""), at);
  omen_weave_call (w, OMEN_CB_IN, &library);
  omen_weave_before (w, at);
}
