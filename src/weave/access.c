/* Plain loads and stores, and the lanes of masked vector accesses. */
#include "weave/weave.h"

/* A value that may differ at each use (undef) must be frozen before it is both
   stored and logged. It may be hidden behind a phi. */
static LLVMValueRef
fixed (omen_weave *w, LLVMValueRef store)
{
  LLVMValueRef value = LLVMGetOperand (store, 0);
  bool plain = LLVMIsAConstantInt (value) || LLVMIsAConstantFP (value)
               || LLVMIsAGlobalValue (value) || LLVMIsNull (value);
  if (plain || !(LLVMIsConstant (value) || LLVMIsAPHINode (value)))
    return value;
  omen_weave_before (w, store);
  value = LLVMBuildFreeze (w->builder, value, "");
  LLVMSetOperand (store, 0, value);
  return value;
}

void
omen_weave_load (omen_weave *w, LLVMValueRef load)
{
  LLVMValueRef addr = LLVMGetOperand (load, 0);
  if (LLVMGetMetadata (load, w->invariant_load)
      || !omen_weave_shared (w, load, addr))
    return;
  w->use = (enum omen_site_use) (uintptr_t)omen_weave_map_get (&w->uses, load);
  omen_weave_after (w, load);
  omen_weave_report (w, addr, load, false);
  w->use = OMEN_SITE_UNUSED;
}

void
omen_weave_store (omen_weave *w, LLVMValueRef store)
{
  LLVMValueRef addr = LLVMGetOperand (store, 1);
  if (!omen_weave_shared (w, store, addr))
    return;
  LLVMValueRef value = fixed (w, store);
  omen_weave_after (w, store);
  omen_weave_report (w, addr, value, true);
}

/* The address of lane i, or NULL if its bit of the mask is clear. */
static LLVMValueRef
lane_address (omen_weave *w, LLVMValueRef addr, LLVMValueRef mask, unsigned i,
              uint64_t size)
{
  LLVMValueRef index = omen_weave_int (w, i);
  if (LLVMGetTypeKind (LLVMTypeOf (addr)) == LLVMVectorTypeKind)
    addr = LLVMBuildExtractElement (w->builder, addr, index, "");
  else
    addr = omen_weave_offset (w, addr, i * size);
  return LLVMBuildSelect (w->builder,
                          LLVMBuildExtractElement (w->builder, mask, index, ""),
                          addr, LLVMConstNull (w->pointer), "");
}

/* Operands: load (addr, align, mask, else), store (value, addr, align, mask),
   gather and scatter likewise with a vector of addresses. */
void
omen_weave_lanes (omen_weave *w, LLVMValueRef call, enum omen_intrinsic what)
{
  bool store = what == OMEN_IN_MASKED_STORE || what == OMEN_IN_SCATTER;
  LLVMValueRef addr = LLVMGetOperand (call, store ? 1 : 0);
  LLVMValueRef mask = LLVMGetOperand (call, store ? 3 : 2);
  LLVMValueRef value = store ? LLVMGetOperand (call, 0) : call;
  LLVMTypeRef type = LLVMTypeOf (value);
  uint64_t size = LLVMABISizeOfType (w->layout, LLVMGetElementType (type));
  if (LLVMGetTypeKind (type) != LLVMVectorTypeKind || size > 8
      || !omen_weave_shared (w, call, addr))
    return;
  omen_weave_after (w, call);
  LLVMValueRef site = omen_weave_site (
      w, (omen_weave_what){ .kind = store ? OMEN_SITE_STORE : OMEN_SITE_LOAD,
                            .size = (unsigned)size });
  for (unsigned i = 0; i < LLVMGetVectorSize (type); i++) {
    LLVMValueRef lane = LLVMBuildExtractElement (w->builder, value,
                                                 omen_weave_int (w, i), "");
    LLVMValueRef args[] = { lane_address (w, addr, mask, i, size),
                            omen_weave_bits (w, lane), site };
    omen_weave_call (w, OMEN_CB_LANE, args);
  }
}
