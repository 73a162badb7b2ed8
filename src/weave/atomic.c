/* Atomic operations: each stays as it is, between two calls that let the
   recorder know its place in the order (abi.h says how). */
#include "weave/weave.h"

static unsigned
order_of (LLVMAtomicOrdering order)
{
  switch (order) {
  case LLVMAtomicOrderingAcquire:
    return OMEN_SITE_ACQUIRE;
  case LLVMAtomicOrderingRelease:
    return OMEN_SITE_RELEASE;
  case LLVMAtomicOrderingAcquireRelease:
    return OMEN_SITE_ACQ_REL;
  case LLVMAtomicOrderingSequentiallyConsistent:
    return OMEN_SITE_SC;
  default:
    return OMEN_SITE_RELAXED;
  }
}

/* One atomic operation being woven. */
typedef struct operation {
  LLVMValueRef at, addr, ticket;
  omen_weave_what what;
} operation;

static void
begin_operation (omen_weave *w, operation *o)
{
  omen_weave_before (w, o->at);
  o->ticket = omen_weave_call (w, OMEN_CB_ATOMIC_BEGIN, &o->addr);
  omen_weave_after (w, o->at);
}

/* The call after an operation on up to 16 bytes, with values as halves; NULL:
   operations of this kind have no such value. */
static void
close_wide (omen_weave *w, operation *o, LLVMValueRef old, LLVMValueRef value,
            LLVMValueRef done)
{
  LLVMValueRef none = omen_weave_long (w, 0);
  LLVMValueRef halves[4] = { none, none, none, none };
  if (old)
    omen_weave_halves (w, old, halves);
  if (value)
    omen_weave_halves (w, value, halves + 2);
  LLVMValueRef args[] = { o->addr,   omen_weave_site (w, o->what),
                          o->ticket, halves[0],
                          halves[1], halves[2],
                          halves[3], done };
  omen_weave_call (w, OMEN_CB_ATOMIC_WIDE, args);
}

/* Repeats the load until the runtime accepts it: it does if no write to the
   atomic came between peek and load. */
static void
repeat_load (omen_weave *w, operation *o)
{
  LLVMBasicBlockRef again = omen_shim_split (o->at);
  LLVMBasicBlockRef done = omen_shim_split (LLVMGetNextInstruction (o->at));
  omen_weave_before (w, o->at);
  o->ticket = omen_weave_call (w, OMEN_CB_ATOMIC_PEEK, &o->addr);
  omen_weave_after (w, o->at);
  LLVMValueRef args[] = { o->addr, omen_weave_bits (w, o->at),
                          omen_weave_site (w, o->what), o->ticket };
  LLVMValueRef accepted = omen_weave_call (w, OMEN_CB_ATOMIC_LOAD, args);
  accepted = LLVMBuildICmp (w->builder, LLVMIntNE, accepted,
                            omen_weave_int (w, 0), "");
  LLVMInstructionEraseFromParent (LLVMGetBasicBlockTerminator (again));
  LLVMPositionBuilderAtEnd (w->builder, again);
  LLVMBuildCondBr (w->builder, accepted, done, again);
}

static void
weave_load (omen_weave *w, operation *o)
{
  o->what.order = order_of (LLVMGetOrdering (o->at));
  o->what.kind = OMEN_SITE_ATOMIC_LOAD;
  if (o->what.size <= 8 && !LLVMGetVolatile (o->at)) {
    repeat_load (w, o);
    return;
  }
  begin_operation (w, o);
  close_wide (w, o, o->at, NULL, omen_weave_int (w, 1));
}

static void
weave_store (omen_weave *w, operation *o)
{
  LLVMValueRef value = LLVMGetOperand (o->at, 0);
  o->what.order = order_of (LLVMGetOrdering (o->at));
  o->what.kind = OMEN_SITE_ATOMIC_STORE;
  begin_operation (w, o);
  if (o->what.size > 8) {
    close_wide (w, o, NULL, value, omen_weave_int (w, 1));
    return;
  }
  LLVMValueRef args[] = { o->addr, omen_weave_bits (w, value),
                          omen_weave_site (w, o->what), o->ticket };
  omen_weave_call (w, OMEN_CB_ATOMIC_STORE, args);
}

static LLVMValueRef
select_by (omen_weave *w, LLVMIntPredicate predicate, LLVMValueRef a,
           LLVMValueRef b)
{
  LLVMValueRef first = LLVMBuildICmp (w->builder, predicate, a, b, "");
  return LLVMBuildSelect (w->builder, first, a, b, "");
}

static LLVMValueRef
choose_float (omen_weave *w, enum omen_intrinsic which, LLVMValueRef a,
              LLVMValueRef b)
{
  LLVMTypeRef type = LLVMTypeOf (a), both[] = { type, type };
  LLVMValueRef function
      = LLVMGetIntrinsicDeclaration (w->module, w->intrinsics[which], &type, 1);
  LLVMValueRef args[] = { a, b };
  return LLVMBuildCall2 (w->builder, LLVMFunctionType (type, both, 2, false),
                         function, args, 2, "");
}

/* old + 1, 0 once the limit is reached; old - 1, the limit below 0. */
static LLVMValueRef
wrap (omen_weave *w, bool up, LLVMValueRef old, LLVMValueRef limit)
{
  LLVMBuilderRef b = w->builder;
  LLVMTypeRef type = LLVMTypeOf (old);
  LLVMValueRef zero = LLVMConstNull (type), one = LLVMConstInt (type, 1, 0);
  if (up)
    return LLVMBuildSelect (b, LLVMBuildICmp (b, LLVMIntUGE, old, limit, ""),
                            zero, LLVMBuildAdd (b, old, one, ""), "");
  LLVMValueRef low = LLVMBuildICmp (b, LLVMIntEQ, old, zero, "");
  LLVMValueRef high = LLVMBuildICmp (b, LLVMIntUGT, old, limit, "");
  return LLVMBuildSelect (b, LLVMBuildOr (b, low, high, ""), limit,
                          LLVMBuildSub (b, old, one, ""), "");
}

LLVMValueRef
omen_weave_updated (omen_weave *w, LLVMAtomicRMWBinOp op, LLVMValueRef old,
                    LLVMValueRef x)
{
  LLVMBuilderRef b = w->builder;
  switch (op) {
  case LLVMAtomicRMWBinOpXchg:
    return x;
  case LLVMAtomicRMWBinOpAdd:
    return LLVMBuildAdd (b, old, x, "");
  case LLVMAtomicRMWBinOpSub:
    return LLVMBuildSub (b, old, x, "");
  case LLVMAtomicRMWBinOpAnd:
    return LLVMBuildAnd (b, old, x, "");
  case LLVMAtomicRMWBinOpNand:
    return LLVMBuildNot (b, LLVMBuildAnd (b, old, x, ""), "");
  case LLVMAtomicRMWBinOpOr:
    return LLVMBuildOr (b, old, x, "");
  case LLVMAtomicRMWBinOpXor:
    return LLVMBuildXor (b, old, x, "");
  case LLVMAtomicRMWBinOpMax:
    return select_by (w, LLVMIntSGT, old, x);
  case LLVMAtomicRMWBinOpMin:
    return select_by (w, LLVMIntSLT, old, x);
  case LLVMAtomicRMWBinOpUMax:
    return select_by (w, LLVMIntUGT, old, x);
  case LLVMAtomicRMWBinOpUMin:
    return select_by (w, LLVMIntULT, old, x);
  case LLVMAtomicRMWBinOpFAdd:
    return LLVMBuildFAdd (b, old, x, "");
  case LLVMAtomicRMWBinOpFSub:
    return LLVMBuildFSub (b, old, x, "");
  case LLVMAtomicRMWBinOpFMax:
    return choose_float (w, OMEN_IN_MAXNUM, old, x);
  case LLVMAtomicRMWBinOpFMin:
    return choose_float (w, OMEN_IN_MINNUM, old, x);
  case LLVMAtomicRMWBinOpUIncWrap:
    return wrap (w, true, old, x);
  case LLVMAtomicRMWBinOpUDecWrap:
    return wrap (w, false, old, x);
  }
  OMEN_ASSERT (!"a read-modify-write that this LLVM does not have");
  return x;
}

static void
weave_rmw (omen_weave *w, operation *o)
{
  o->what.order = order_of (LLVMGetOrdering (o->at));
  o->what.kind = OMEN_SITE_ATOMIC_RMW;
  begin_operation (w, o);
  LLVMValueRef value = omen_weave_updated (w, LLVMGetAtomicRMWBinOp (o->at),
                                           o->at, LLVMGetOperand (o->at, 1));
  if (o->what.size > 8) {
    close_wide (w, o, o->at, value, omen_weave_int (w, 1));
    return;
  }
  LLVMValueRef args[]
      = { o->addr, omen_weave_bits (w, o->at), omen_weave_bits (w, value),
          omen_weave_site (w, o->what), o->ticket };
  omen_weave_call (w, OMEN_CB_ATOMIC_RMW, args);
}

static void
weave_cas (omen_weave *w, operation *o)
{
  LLVMValueRef value = LLVMGetOperand (o->at, 2);
  o->what.order = order_of (LLVMGetCmpXchgSuccessOrdering (o->at));
  o->what.failure = order_of (LLVMGetCmpXchgFailureOrdering (o->at));
  o->what.kind = OMEN_SITE_ATOMIC_CAS;
  begin_operation (w, o);
  LLVMValueRef old = LLVMBuildExtractValue (w->builder, o->at, 0, "");
  LLVMValueRef done = LLVMBuildExtractValue (w->builder, o->at, 1, "");
  done = LLVMBuildZExt (w->builder, done, w->i32, "");
  if (o->what.size > 8) {
    close_wide (w, o, old, value, done);
    return;
  }
  LLVMValueRef args[] = { o->addr,
                          omen_weave_bits (w, old),
                          omen_weave_bits (w, value),
                          omen_weave_site (w, o->what),
                          o->ticket,
                          done };
  omen_weave_call (w, OMEN_CB_ATOMIC_CAS, args);
}

static void
weave_fence (omen_weave *w, LLVMValueRef fence)
{
  LLVMValueRef none = omen_weave_long (w, 0);
  omen_weave_what what = { .kind = OMEN_SITE_FENCE,
                           .order = order_of (LLVMGetOrdering (fence)) };
  if (LLVMIsAtomicSingleThread (fence))
    return;
  omen_weave_after (w, fence);
  omen_weave_note (w, none, none, omen_weave_site (w, what));
}

bool
omen_weave_is_atomic (LLVMValueRef i)
{
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMLoad:
  case LLVMStore:
    return LLVMGetOrdering (i) != LLVMAtomicOrderingNotAtomic;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMFence:
    return true;
  default:
    return false;
  }
}

void
omen_weave_atomic (omen_weave *w, LLVMValueRef at)
{
  LLVMOpcode code = LLVMGetInstructionOpcode (at);
  if (code == LLVMFence) {
    weave_fence (w, at);
    return;
  }
  operation o
      = { .at = at, .addr = LLVMGetOperand (at, code == LLVMStore ? 1 : 0) };
  LLVMValueRef value = code == LLVMLoad    ? at
                       : code == LLVMStore ? LLVMGetOperand (at, 0)
                                           : LLVMGetOperand (at, 1);
  o.what.size = (unsigned)LLVMStoreSizeOfType (w->layout, LLVMTypeOf (value));
  if (o.what.size > 16 || !omen_weave_shared (w, at, o.addr))
    return;
  if (code == LLVMLoad)
    weave_load (w, &o);
  else if (code == LLVMStore)
    weave_store (w, &o);
  else if (code == LLVMAtomicRMW)
    weave_rmw (w, &o);
  else
    weave_cas (w, &o);
}
