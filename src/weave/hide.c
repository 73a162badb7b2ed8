/* Keeps the optimiser from inventing loads.

     x = c ? a : b;                 it might load both and select
     while (…) if (c) count++;      it might load count beforehand

   It may do so whenever the address is known to be readable. Such a load is no
   read of the source program, and a race with it would be a false report. (In
   functions with sanitize_thread LLVM 19 refrains in most places, but not in
   these.) So the first pass sends the address of each global, wherever it is
   used, through an opaque function without effects, and removes clang's
   attributes about readable arguments; the second pass removes the function
   again. Locals are left alone: most turn out to be private. */
#include "weave/weave.h"

#include <string.h>

static const char name[] = "omen.hide";

static LLVMValueRef
declare_hide (omen_weave *w)
{
  LLVMTypeRef type = LLVMFunctionType (w->pointer, &w->pointer, 1, false);
  LLVMValueRef hide = LLVMGetNamedFunction (w->module, name);
  if (hide)
    return hide;
  hide = LLVMAddFunction (w->module, name, type);
  /* with value 0, memory means memory(none) */
  omen_weave_give (w, hide, OMEN_ATTR_MEMORY);
  omen_weave_give (w, hide, OMEN_ATTR_NOUNWIND);
  omen_weave_give (w, hide, OMEN_ATTR_WILLRETURN);
  omen_weave_give (w, hide, OMEN_ATTR_SPECULATABLE);
  return hide;
}

static bool
is_variable (LLVMValueRef value)
{
  return LLVMIsAGlobalVariable (value) && !LLVMIsGlobalConstant (value)
         && !LLVMIsThreadLocal (value)
         && !LLVMGetPointerAddressSpace (LLVMTypeOf (value));
}

/* A constant address within a variable. */
static bool
is_part (LLVMValueRef value)
{
  return LLVMIsAConstantExpr (value)
         && LLVMGetConstOpcode (value) == LLVMGetElementPtr
         && is_variable (LLVMGetOperand (value, 0));
}

static LLVMValueRef
build_hidden (omen_weave *w, LLVMValueRef variable)
{
  LLVMValueRef hide = declare_hide (w);
  return LLVMBuildCall2 (w->builder, LLVMGlobalGetValueType (hide), hide,
                         &variable, 1, "");
}

static LLVMValueRef
build_part (omen_weave *w, LLVMValueRef base, LLVMValueRef part)
{
  LLVMValueRef indices[16];
  unsigned count = (unsigned)LLVMGetNumOperands (part) - 1;
  if (count > OMEN_COUNT (indices))
    return part;
  for (unsigned i = 0; i < count; i++)
    indices[i] = LLVMGetOperand (part, i + 1);
  return LLVMBuildInBoundsGEP2 (w->builder, LLVMGetGEPSourceElementType (part),
                                base, indices, count, "");
}

/* An alias of an address, made at the start of the function on demand. */
static LLVMValueRef
hidden (omen_weave *w, omen_weave_map *known, LLVMValueRef function,
        LLVMValueRef addr)
{
  LLVMValueRef value = omen_weave_map_get (known, addr), base = NULL;
  if (value)
    return value;
  if (is_part (addr))
    base = hidden (w, known, function, LLVMGetOperand (addr, 0));
  LLVMValueRef at
      = base ? LLVMGetNextInstruction (base)
             : LLVMGetFirstInstruction (LLVMGetEntryBasicBlock (function));
  while (LLVMIsAAllocaInst (at))
    at = LLVMGetNextInstruction (at);
  LLVMPositionBuilderBefore (w->builder, at);
  LLVMSetCurrentDebugLocation2 (w->builder, NULL);
  value = base ? build_part (w, base, addr) : build_hidden (w, addr);
  omen_weave_map_put (known, addr, value);
  return value;
}

/* Removes the attributes that say that a pointer can be read. */
static void
forget_readable (omen_weave *w, LLVMValueRef function)
{
  for (unsigned i = 0; i <= LLVMCountParams (function); i++) {
    LLVMRemoveEnumAttributeAtIndex (function, i,
                                    w->attributes[OMEN_ATTR_READABLE]);
    LLVMRemoveEnumAttributeAtIndex (function, i,
                                    w->attributes[OMEN_ATTR_READABLE_OR_NULL]);
  }
}

static void
forget_readable_at_call (omen_weave *w, LLVMValueRef call)
{
  for (unsigned i = 0; i <= LLVMGetNumArgOperands (call); i++) {
    LLVMRemoveCallSiteEnumAttribute (call, i,
                                     w->attributes[OMEN_ATTR_READABLE]);
    LLVMRemoveCallSiteEnumAttribute (call, i,
                                     w->attributes[OMEN_ATTR_READABLE_OR_NULL]);
  }
}

static void
hide_operands (omen_weave *w, omen_weave_map *known, LLVMValueRef function,
               LLVMValueRef user)
{
  unsigned count = (unsigned)LLVMGetNumOperands (user);
  switch (LLVMGetInstructionOpcode (user)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMGetElementPtr:
  case LLVMSelect:
  case LLVMPHI:
  case LLVMRet:
    break;
  case LLVMCall:
  case LLVMInvoke:
    if (LLVMIsAIntrinsicInst (user)
        || LLVMIsAInlineAsm (LLVMGetCalledValue (user)))
      return;
    forget_readable_at_call (w, user);
    count = LLVMGetNumArgOperands (user);
    break;
  default:
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef addr = LLVMGetOperand (user, i);
    if (is_variable (addr) || is_part (addr))
      LLVMSetOperand (user, i, hidden (w, known, function, addr));
  }
}

void
omen_weave_hide (omen_weave *w, LLVMValueRef function)
{
  omen_weave_map known = { .values = NULL };
  LLVMValueRef next;
  forget_readable (w, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i; i = next) {
      next = LLVMGetNextInstruction (i);
      hide_operands (w, &known, function, i);
    }
  omen_weave_map_fini (&known);
}

void
omen_weave_unhide (omen_weave *w)
{
  LLVMValueRef hide = LLVMGetNamedFunction (w->module, name);
  LLVMUseRef use;
  if (!hide)
    return;
  while ((use = LLVMGetFirstUse (hide))) {
    LLVMValueRef call = LLVMGetUser (use);
    OMEN_ASSERT (LLVMIsACallInst (call));
    LLVMReplaceAllUsesWith (call, LLVMGetArgOperand (call, 0));
    LLVMInstructionEraseFromParent (call);
  }
  LLVMDeleteFunction (hide);
}
