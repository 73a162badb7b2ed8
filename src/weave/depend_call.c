/* Instructions and functions that do nothing but compute. */
#include "weave/depend.h"

/* Is the body that of the final program? Weak definitions may be replaced when
   linking. */
static bool
is_final (LLVMValueRef function)
{
  switch (LLVMGetLinkage (function)) {
  case LLVMInternalLinkage:
  case LLVMPrivateLinkage:
  case LLVMExternalLinkage:
    return !LLVMIsDeclaration (function);
  default:
    return false;
  }
}

LLVMValueRef
omen_depend_callee (const omen_weave_depend *d, LLVMValueRef call)
{
  LLVMValueRef callee = LLVMIsAFunction (LLVMGetCalledValue (call));
  if (!callee || !is_final (callee)
      || LLVMIsFunctionVarArg (LLVMGlobalGetValueType (callee))
      || LLVMCountParams (callee) != LLVMGetNumArgOperands (call)
      || LLVMGetCalledFunctionType (call) != LLVMGlobalGetValueType (callee)
      || omen_weave_marker (d->w, call) != OMEN_MARKS)
    return NULL;
  return callee;
}

bool
omen_depend_all_calls_known (LLVMValueRef function)
{
  LLVMLinkage linkage = LLVMGetLinkage (function);
  if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse (function); use;
       use = LLVMGetNextUse (use)) {
    LLVMValueRef user = LLVMGetUser (use);
    if (!LLVMIsACallInst (user) || LLVMGetCalledValue (user) != function)
      return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands (user); i++)
      if (LLVMGetArgOperand (user, i) == function)
        return false;
  }
  return true;
}

/* False for a constant divisor other than 0 and -1 (which overflows for the
   least number). */
static bool
may_fault (LLVMValueRef division)
{
  LLVMValueRef by = LLVMGetOperand (division, 1);
  return !LLVMIsAConstantInt (by) || LLVMIsNull (by)
         || LLVMConstIntGetSExtValue (by) == -1;
}

static bool
is_pure_intrinsic (const omen_weave_depend *d, LLVMValueRef call)
{
  LLVMValueRef callee = LLVMIsAFunction (LLVMGetCalledValue (call));
  LLVMAttributeRef memory;
  if (!callee || !LLVMGetIntrinsicID (callee))
    return false;
  memory = LLVMGetEnumAttributeAtIndex (callee, LLVMAttributeFunctionIndex,
                                        d->w->attributes[OMEN_ATTR_MEMORY]);
  return memory && !LLVMGetEnumAttributeValue (memory)
         && omen_weave_has (d->w, callee, OMEN_ATTR_WILLRETURN);
}

/* The lifetime marker of a private object, which is not logged. */
static bool
is_private_life (const omen_weave_depend *d, LLVMValueRef call)
{
  enum omen_intrinsic what = omen_weave_intrinsic (d->w, call);
  return (what == OMEN_IN_LIFE_START || what == OMEN_IN_LIFE_END)
         && omen_weave_set_has (
             &d->w->unshared,
             LLVMGetArgOperand (call, LLVMGetNumArgOperands (call) - 1));
}

/* The size of a local or constant in bytes; 0: unknown. */
static uint64_t
room_of (const omen_weave_depend *d, LLVMValueRef object)
{
  if (LLVMIsAAllocaInst (object)
      && LLVMIsAConstantInt (LLVMGetOperand (object, 0)))
    return LLVMABISizeOfType (d->w->layout, LLVMGetAllocatedType (object))
           * LLVMConstIntGetZExtValue (LLVMGetOperand (object, 0));
  if (LLVMIsAGlobalVariable (object) && LLVMIsGlobalConstant (object)
      && LLVMGetInitializer (object))
    return LLVMABISizeOfType (d->w->layout, LLVMGlobalGetValueType (object));
  return 0;
}

/* Is the access certainly within a private local or a constant? Others could
   fault, or reach other memory, in executions that the recording did not
   have. */
static bool
is_safe (const omen_weave_depend *d, LLVMValueRef addr, LLVMTypeRef type)
{
  int64_t offset;
  uint64_t size = LLVMStoreSizeOfType (d->w->layout, type);
  LLVMValueRef object = omen_shim_strip (d->w->module, addr, &offset);
  uint64_t room = room_of (d, object);
  return offset >= 0 && size <= room && (uint64_t)offset <= room - size
         && (LLVMIsAGlobalVariable (object)
             || omen_weave_set_has (&d->w->unshared, addr));
}

static bool
is_safe_load (const omen_weave_depend *d, LLVMValueRef load)
{
  return !omen_depend_access (d, load) && !omen_weave_is_atomic (load)
         && is_safe (d, LLVMGetOperand (load, 0), LLVMTypeOf (load));
}

bool
omen_depend_safe_store (const omen_weave_depend *d, LLVMValueRef store)
{
  LLVMValueRef addr = LLVMGetOperand (store, 1);
  LLVMValueRef object = omen_flow_object_of (d, addr);
  return object && LLVMIsAAllocaInst (object) && !omen_weave_is_atomic (store)
         && is_safe (d, addr, LLVMTypeOf (LLVMGetOperand (store, 0)));
}

static bool
is_fixed_local (LLVMValueRef i)
{
  return LLVMIsAAllocaInst (i) && LLVMIsAConstantInt (LLVMGetOperand (i, 0));
}

/* Within a function that only computes, private objects are local to the
   call. */
static bool
stays_inside (omen_weave_depend *d, LLVMValueRef i)
{
  if (LLVMIsAStoreInst (i))
    return omen_depend_safe_store (d, i);
  return LLVMIsAReturnInst (i) || LLVMIsABranchInst (i) || LLVMIsASwitchInst (i)
         || is_fixed_local (i) || omen_depend_harmless (d, i);
}

static bool
look_into (omen_weave_depend *d, LLVMValueRef function)
{
  if (omen_depend_loops (d, function))
    return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i))
      if (!stays_inside (d, i))
        return false;
  return true;
}

/* Recursive functions do not qualify: they may not end. */
static bool
only_computes (omen_weave_depend *d, LLVMValueRef function)
{
  if (omen_weave_set_has (&d->computes, function))
    return true;
  if (omen_weave_set_has (&d->does_not, function)
      || !omen_weave_set_add (&d->asking, function))
    return false;
  bool answer = look_into (d, function);
  omen_weave_set_add (answer ? &d->computes : &d->does_not, function);
  return answer;
}

/* Instructions that only compute a value from their operands. */
/* clang-format off */
static const bool only_values[] = {
  [LLVMFNeg] = true, [LLVMAdd] = true, [LLVMFAdd] = true, [LLVMSub] = true,
  [LLVMFSub] = true, [LLVMMul] = true, [LLVMFMul] = true, [LLVMFDiv] = true,
  [LLVMFRem] = true, [LLVMShl] = true, [LLVMLShr] = true, [LLVMAShr] = true,
  [LLVMAnd] = true, [LLVMOr] = true, [LLVMXor] = true,
  [LLVMGetElementPtr] = true, [LLVMTrunc] = true, [LLVMZExt] = true,
  [LLVMSExt] = true, [LLVMFPToUI] = true, [LLVMFPToSI] = true,
  [LLVMUIToFP] = true, [LLVMSIToFP] = true, [LLVMFPTrunc] = true,
  [LLVMFPExt] = true, [LLVMPtrToInt] = true, [LLVMIntToPtr] = true,
  [LLVMBitCast] = true, [LLVMICmp] = true, [LLVMFCmp] = true,
  [LLVMPHI] = true, [LLVMSelect] = true, [LLVMExtractElement] = true,
  [LLVMInsertElement] = true, [LLVMShuffleVector] = true,
  [LLVMExtractValue] = true, [LLVMInsertValue] = true, [LLVMFreeze] = true
};
/* clang-format on */

bool
omen_depend_harmless (omen_weave_depend *d, LLVMValueRef i)
{
  LLVMOpcode opcode = LLVMGetInstructionOpcode (i);
  LLVMValueRef callee;
  switch (opcode) {
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return !may_fault (i);
  case LLVMLoad:
    return is_safe_load (d, i);
  case LLVMCall:
    callee = omen_depend_callee (d, i);
    return is_pure_intrinsic (d, i) || is_private_life (d, i)
           || (callee && only_computes (d, callee));
  default:
    return (size_t)opcode < OMEN_COUNT (only_values) && only_values[opcode];
  }
}
