/* Follows one read: which values of the module carry its value, and how they
   are used. A private object counts as one value: a store anywhere in it may
   reach any load from it. */
#include "weave/depend.h"

#include <string.h>

void
omen_flow_value (omen_weave_flow *flow, LLVMValueRef value)
{
  if (omen_weave_set_add (&flow->seen, value))
    omen_weave_list_add (&flow->pending, value);
}

/* ---- private objects ---- */

static LLVMValueRef
step_back (const omen_weave_depend *d, LLVMValueRef addr)
{
  if (LLVMIsAGetElementPtrInst (addr) || LLVMIsABitCastInst (addr))
    return LLVMGetOperand (addr, 0);
  if (LLVMIsAConstantExpr (addr)
      && (LLVMGetConstOpcode (addr) == LLVMGetElementPtr
          || LLVMGetConstOpcode (addr) == LLVMBitCast))
    return LLVMGetOperand (addr, 0);
  if (LLVMIsACallInst (addr)
      && omen_weave_intrinsic (d->w, addr) == OMEN_IN_TLS_ADDRESS)
    return LLVMGetOperand (addr, 0);
  return NULL;
}

/* Phis and selects of addresses are not followed. */
LLVMValueRef
omen_flow_object_of (const omen_weave_depend *d, LLVMValueRef addr)
{
  if (!omen_weave_set_has (&d->w->unshared, addr))
    return NULL;
  for (LLVMValueRef from; (from = step_back (d, addr));)
    addr = from;
  return LLVMIsAAllocaInst (addr) || LLVMIsAGlobalVariable (addr)
                 || LLVMIsAArgument (addr)
             ? addr
             : NULL;
}

/* A use of an address within an object that carries the value. */
static void
read_object (omen_weave_flow *flow, LLVMValueRef user, LLVMValueRef addr,
             omen_weave_list *addresses)
{
  omen_weave *w = flow->depend->w;
  if (LLVMIsALoadInst (user))
    omen_flow_value (flow, user);
  else if (step_back (flow->depend, user) == addr)
    omen_weave_list_add (addresses, user);
  else if (LLVMIsACallInst (user)) {
    enum omen_intrinsic what = omen_weave_intrinsic (w, user);
    bool reads = what != OMEN_IN_LIFE_START && what != OMEN_IN_LIFE_END
                 && what != OMEN_IN_MEMSET && what != OMEN_IN_ASSUME;
    flow->bound |= reads;
  } else if (!LLVMIsAStoreInst (user) && !LLVMIsAICmpInst (user))
    flow->bound = true;
}

void
omen_flow_object (omen_weave_flow *flow, LLVMValueRef object)
{
  omen_weave_list addresses = { 0 };
  if (!omen_weave_set_add (&flow->seen, object))
    return;
  omen_weave_list_add (&addresses, object);
  while (addresses.count && !flow->bound) {
    LLVMValueRef addr = addresses.items[--addresses.count];
    for (LLVMUseRef use = LLVMGetFirstUse (addr); use && !flow->bound;
         use = LLVMGetNextUse (use))
      read_object (flow, LLVMGetUser (use), addr, &addresses);
  }
  omen_weave_list_fini (&addresses);
}

/* ---- uses ---- */

static void
store_value (omen_weave_flow *flow, LLVMValueRef store, LLVMValueRef addr)
{
  omen_weave_access *access = omen_depend_access (flow->depend, store);
  LLVMValueRef object = omen_flow_object_of (flow->depend, addr);
  if (access) {
    if (omen_weave_set_add (&flow->seen, store))
      omen_weave_list_add (&flow->writes, access);
  } else if (object && LLVMIsAStoreInst (store))
    omen_flow_object (flow, object);
  else
    flow->bound = true;
}

void
omen_flow_result (omen_weave_flow *flow, LLVMValueRef function)
{
  if (LLVMGetTypeKind (LLVMGetReturnType (LLVMGlobalGetValueType (function)))
      == LLVMVoidTypeKind)
    return;
  if (!omen_depend_all_calls_known (function)) {
    flow->bound = true;
    return;
  }
  for (LLVMUseRef use = LLVMGetFirstUse (function); use;
       use = LLVMGetNextUse (use))
    omen_flow_value (flow, LLVMGetUser (use));
}

/* printf only prints a number. */
static bool
only_shows (LLVMValueRef call, LLVMValueRef value)
{
  LLVMValueRef callee = LLVMIsAFunction (LLVMGetCalledValue (call));
  LLVMTypeKind kind = LLVMGetTypeKind (LLVMTypeOf (value));
  const char *name = callee ? LLVMGetValueName (callee) : "";
  return (kind == LLVMIntegerTypeKind || kind == LLVMDoubleTypeKind)
         && (!strcmp (name, "printf") || !strcmp (name, "putchar"));
}

static void
pass_value (omen_weave_flow *flow, LLVMValueRef call, LLVMValueRef value)
{
  LLVMValueRef callee = omen_depend_callee (flow->depend, call);
  if (!callee) {
    flow->bound |= !only_shows (call, value)
                   && !omen_depend_harmless (flow->depend, call);
    omen_flow_value (flow, call);
    return;
  }
  for (unsigned i = 0; i < LLVMGetNumArgOperands (call); i++)
    if (LLVMGetArgOperand (call, i) == value)
      omen_flow_value (flow, LLVMGetParam (callee, i));
}

/* Follows the value into an instruction; true: its result carries the value. */
static bool
follow_use (omen_weave_flow *flow, LLVMValueRef user, LLVMValueRef value)
{
  LLVMBasicBlockRef block = LLVMGetInstructionParent (user);
  if (omen_weave_set_has (&flow->depend->twice,
                          LLVMGetBasicBlockParent (block))) {
    flow->bound = true; /* after a second return its values may be older */
    return false;
  }
  switch (LLVMGetInstructionOpcode (user)) {
  case LLVMStore:
    if (LLVMGetOperand (user, 1) == value)
      flow->bound = true;
    else
      store_value (flow, user, LLVMGetOperand (user, 1));
    return false;
  case LLVMAtomicRMW:
    if (LLVMGetOperand (user, 0) == value)
      flow->bound = true;
    else
      store_value (flow, user, LLVMGetOperand (user, 0));
    return false;
  case LLVMBr:
  case LLVMSwitch:
    omen_flow_branch (flow, block);
    return false;
  case LLVMRet:
    omen_flow_result (flow, LLVMGetBasicBlockParent (block));
    return false;
  case LLVMCall:
    pass_value (flow, user, value);
    return false;
  case LLVMLoad:
    flow->bound = true;
    return false;
  default:
    flow->bound |= !omen_depend_harmless (flow->depend, user);
    return true;
  }
}

bool
omen_flow_run (omen_weave_flow *flow)
{
  OMEN_REQUIRE (flow->from->reads && !flow->pending.count);
  omen_flow_value (flow, flow->from->at);
  while (flow->pending.count && !flow->bound) {
    LLVMValueRef value = flow->pending.items[--flow->pending.count];
    for (LLVMUseRef use = LLVMGetFirstUse (value); use && !flow->bound;
         use = LLVMGetNextUse (use)) {
      LLVMValueRef user = LLVMGetUser (use);
      if (follow_use (flow, user, value))
        omen_flow_value (flow, user);
      flow->bound |= ++flow->steps > OMEN_DEPEND_STEPS;
    }
  }
  return flow->bound;
}
