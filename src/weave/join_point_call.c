/* call() and execution(): the events of calls and of functions. */
#include "weave/join_point.h"

#include <string.h>

enum { ARGS_MAX = 64 };

typedef struct values {
  LLVMValueRef at[OMEN_SLOTS_MAX + 1]; /* the last: must be true */
} values;

/* ---- execution ---- */

static bool
is_execution (const omen_plan_cut *cut, const omen_weave_name *name, bool after)
{
  return cut->kind == OMEN_CUT_EXECUTION && cut->after == after
         && omen_weave_name_fits (name, cut->pattern)
         && omen_plan_takes (cut, name->parameters);
}

/* The thread's start is recognized by its caller, so the function must not be
   inlined. */
static LLVMValueRef
caller_of (omen_weave *w, LLVMValueRef function)
{
  LLVMTypeRef type = LLVMFunctionType (w->pointer, &w->i32, 1, false);
  LLVMValueRef level = omen_weave_int (w, 0);
  unsigned always = LLVMGetEnumAttributeKindForName ("alwaysinline", 12);
  unsigned never = LLVMGetEnumAttributeKindForName ("noinline", 8);
  LLVMRemoveEnumAttributeAtIndex (function, LLVMAttributeFunctionIndex, always);
  LLVMAddAttributeAtIndex (function, LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute (w->context, never, 0));
  return LLVMBuildCall2 (
      w->builder, type,
      LLVMGetIntrinsicDeclaration (
          w->module, w->intrinsics[OMEN_IN_RETURN_ADDRESS], NULL, 0),
      &level, 1, "");
}

/* At the builder's position; `result` is NULL at the entry. */
static void
execution_here (omen_weave *w, const omen_plan_cut *cut, LLVMValueRef function,
                const omen_weave_name *name, LLVMValueRef result)
{
  LLVMValueRef args[ARGS_MAX];
  values v = { { 0 } };
  unsigned count = name->parameters < ARGS_MAX ? name->parameters : ARGS_MAX;
  for (unsigned i = 0; i < count; i++)
    args[i] = LLVMGetParam (function, name->first + i);
  if (!omen_weave_bind (w, cut, args, count, v.at))
    return;
  if (cut->target >= 0 && name->self >= 0)
    v.at[cut->target] = LLVMGetParam (function, (unsigned)name->self);
  if (cut->returning >= 0)
    v.at[cut->returning] = result;
  if (omen_plan_is_start (cut->event))
    v.at[0] = caller_of (w, function);
  omen_weave_join_point (w, cut, v.at);
}

static void
weave_entry (omen_weave *w, const omen_weave_plan *plan, LLVMValueRef function,
             const omen_weave_name *name)
{
  LLVMValueRef at = LLVMGetFirstInstruction (LLVMGetEntryBasicBlock (function));
  while (LLVMIsAAllocaInst (at))
    at = LLVMGetNextInstruction (at);
  for (size_t i = 0; i < plan->cuts.count; i++)
    if (is_execution (plan->cuts.items[i], name, false)) {
      LLVMMetadataRef scope = LLVMGetSubprogram (function);
      omen_weave_before (w, at);
      if (scope)
        LLVMSetCurrentDebugLocation2 (
            w->builder,
            LLVMDIBuilderCreateDebugLocation (
                w->context, LLVMDISubprogramGetLine (scope), 0, scope, NULL));
      execution_here (w, plan->cuts.items[i], function, name, NULL);
    }
}

static void
weave_return (omen_weave *w, const omen_weave_plan *plan, LLVMValueRef function,
              const omen_weave_name *name, LLVMValueRef ret)
{
  LLVMValueRef result
      = LLVMGetNumOperands (ret) ? LLVMGetOperand (ret, 0) : NULL;
  LLVMValueRef at = omen_weave_last_act (ret);
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc (ret);
  for (size_t i = 0; i < plan->cuts.count; i++)
    if (is_execution (plan->cuts.items[i], name, true)) {
      omen_weave_before (w, at);
      LLVMSetCurrentDebugLocation2 (w->builder, place);
      execution_here (w, plan->cuts.items[i], function, name,
                      at == ret ? result : NULL);
    }
}

/* ---- call ---- */

static LLVMValueRef
callee_of (LLVMValueRef call)
{
  LLVMValueRef callee = LLVMGetCalledValue (call);
  while (LLVMIsAGlobalAlias (callee))
    callee = LLVMAliasGetAliasee (callee);
  callee = LLVMIsAFunction (callee);
  return callee && strncmp (LLVMGetValueName (callee), "omen.", 5) ? callee
                                                                   : NULL;
}

static void
call_here (omen_weave *w, const omen_plan_cut *cut, LLVMValueRef call,
           const omen_weave_name *name)
{
  LLVMValueRef args[ARGS_MAX];
  values v = { { 0 } };
  unsigned count = LLVMGetNumArgOperands (call) - name->first;
  for (unsigned i = 0; i < count && i < ARGS_MAX; i++)
    args[i] = LLVMGetArgOperand (call, name->first + i);
  if (!omen_weave_bind (w, cut, args, count < ARGS_MAX ? count : ARGS_MAX,
                        v.at))
    return;
  if (cut->target >= 0 && name->self >= 0)
    v.at[cut->target] = LLVMGetArgOperand (call, (unsigned)name->self);
  if (cut->returning >= 0 && cut->after
      && LLVMGetTypeKind (LLVMTypeOf (call)) != LLVMVoidTypeKind)
    v.at[cut->returning] = call;
  omen_weave_join_point (w, cut, v.at);
}

/* Where to insert code after a call: behind what was inserted there before. */
static LLVMValueRef
place_after (LLVMValueRef call)
{
  if (LLVMIsAInvokeInst (call))
    return omen_shim_after_invoke (call);
  return LLVMGetNextInstruction (call);
}

static void
weave_one_call (omen_weave *w, const omen_weave_plan *plan, LLVMValueRef call)
{
  LLVMValueRef callee = callee_of (call), after = NULL;
  omen_weave_name name;
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc (call);
  if (!callee)
    return;
  omen_weave_name_of (callee, &name);
  if (LLVMGetNumArgOperands (call) < name.first)
    return;
  for (size_t i = 0; i < plan->cuts.count; i++) {
    const omen_plan_cut *cut = plan->cuts.items[i];
    if (cut->kind != OMEN_CUT_CALL
        || !omen_weave_name_fits (&name, cut->pattern)
        || !omen_plan_takes (cut, LLVMGetNumArgOperands (call) - name.first))
      continue;
    if (cut->after && LLVMIsACallInst (call)
        && LLVMGetTailCallKind (call) == LLVMTailCallKindMustTail)
      continue;
    if (cut->after && !after)
      after = place_after (call);
    omen_weave_before (w, cut->after ? after : call);
    LLVMSetCurrentDebugLocation2 (w->builder, location);
    call_here (w, cut, call, &name);
  }
}

void
omen_weave_call_join_points (omen_weave *w, const omen_weave_plan *plan,
                             LLVMValueRef function)
{
  omen_weave_list calls = { 0 }, returns = { 0 };
  omen_weave_name name;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i))
      if (LLVMIsAReturnInst (i))
        omen_weave_list_add (&returns, i);
      else if ((LLVMIsACallInst (i) || LLVMIsAInvokeInst (i))
               && !LLVMIsAIntrinsicInst (i))
        omen_weave_list_add (&calls, i);
  omen_weave_name_of (function, &name);
  for (size_t i = 0; i < calls.count; i++)
    weave_one_call (w, plan, calls.items[i]);
  weave_entry (w, plan, function, &name);
  for (size_t i = 0; i < returns.count; i++)
    weave_return (w, plan, function, &name, returns.items[i]);
  omen_weave_list_fini (&calls);
  omen_weave_list_fini (&returns);
}
