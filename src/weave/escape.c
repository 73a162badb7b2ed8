/* Which accesses can only touch private objects: locals whose address is used
   for nothing but accesses, and file-local thread-locals likewise.

   The walk follows the address of one object through its uses and collects the
   addresses computed from it. An object is not private if any use could pass an
   address on (stored, passed, returned, converted to a number). Phis and
   selects are followed, and are private if in the end all their possible values
   belong to the same object.

   This is stricter than "no other thread can get it": a woven callee logs its
   accesses to the object, so the caller must do so, too, or the values in the
   trace would be inconsistent. */
#include "weave/weave.h"

#include <string.h>

typedef struct tracer {
  omen_weave *w;
  omen_weave_set derived;  /* addresses into the object */
  omen_weave_list pending; /* addresses whose uses are still to be followed */
  omen_weave_list joins;   /* phis and selects among them */
  bool ignore_ours;        /* uses by the weaver's own calls are no escape */
  bool escaped;
} tracer;

/* Is it a placeholder of an event that the weaver inserted, or its data? */
static bool
is_of_weaver (LLVMValueRef value)
{
  size_t length;
  return !strncmp (LLVMGetValueName2 (value, &length), "omen.", 5);
}

static void
derive (tracer *walk, LLVMValueRef value)
{
  if (omen_weave_set_add (&walk->derived, value))
    omen_weave_list_add (&walk->pending, value);
}

static void
join_pointers (tracer *walk, LLVMValueRef value)
{
  derive (walk, value);
  omen_weave_list_add (&walk->joins, value);
}

/* An argument stays private if the callee only accesses it, or gets a copy of
   what it points at. */
static void
follow_call (tracer *walk, LLVMValueRef call, LLVMValueRef value)
{
  omen_weave *w = walk->w;
  switch (omen_weave_intrinsic (w, call)) {
  case OMEN_IN_MEMCPY:
  case OMEN_IN_MEMCPY_INLINE:
  case OMEN_IN_MEMMOVE:
  case OMEN_IN_MEMSET:
  case OMEN_IN_MEMSET_INLINE:
  case OMEN_IN_LIFE_START:
  case OMEN_IN_LIFE_END:
  case OMEN_IN_ASSUME:
  case OMEN_IN_MASKED_LOAD:
  case OMEN_IN_MASKED_STORE: /* what it stores is a vector, not `value` */
    return;
  case OMEN_IN_TLS_ADDRESS:
    derive (walk, call);
    return;
  default:
    break;
  }
  if (omen_weave_is_loop_note (call) /* its accesses are queried themselves */
      || (walk->ignore_ours && is_of_weaver (LLVMGetCalledValue (call))))
    return;
  for (unsigned i = 0; i < LLVMGetNumArgOperands (call); i++)
    if (LLVMGetArgOperand (call, i) == value
        && !LLVMGetCallSiteEnumAttribute (call, i + 1,
                                          w->attributes[OMEN_ATTR_BYVAL]))
      walk->escaped = true;
  if (LLVMGetNumOperandBundles (call))
    walk->escaped = true;
}

static bool
is_in_our_data (LLVMValueRef constant)
{
  if (LLVMIsAGlobalValue (constant)) /* its initial value; or an alias */
    return is_of_weaver (constant);
  for (LLVMUseRef use = LLVMGetFirstUse (constant); use;
       use = LLVMGetNextUse (use))
    if (!LLVMIsAGlobalVariable (LLVMGetUser (use))
        || !is_of_weaver (LLVMGetUser (use)))
      return false;
  return true;
}

static void
follow_constant (tracer *walk, LLVMValueRef user)
{
  LLVMOpcode code = LLVMIsAConstantExpr (user) ? LLVMGetConstOpcode (user) : 0;
  if (code == LLVMGetElementPtr || code == LLVMBitCast)
    derive (walk, user);
  else if (!walk->ignore_ours || !is_in_our_data (user))
    walk->escaped = true;
}

static void
follow_use (tracer *walk, LLVMValueRef user, LLVMValueRef value)
{
  if (!LLVMIsAInstruction (user)) {
    follow_constant (walk, user);
    return;
  }
  switch (LLVMGetInstructionOpcode (user)) {
  case LLVMLoad:
  case LLVMICmp:
    break;
  case LLVMStore:
    walk->escaped |= LLVMGetOperand (user, 0) == value;
    break;
  case LLVMAtomicRMW:
    walk->escaped |= LLVMGetOperand (user, 1) == value;
    break;
  case LLVMAtomicCmpXchg:
    walk->escaped |= LLVMGetOperand (user, 2) == value;
    break;
  case LLVMGetElementPtr:
  case LLVMBitCast:
    derive (walk, user);
    break;
  case LLVMPHI:
  case LLVMSelect:
    join_pointers (walk, user);
    break;
  case LLVMCall:
  case LLVMInvoke:
    follow_call (walk, user, value);
    break;
  default:
    walk->escaped = true;
  }
}

/* Do all possible values of a phi or select belong to the object, or are null
   or undefined? */
static bool
closed (const tracer *walk, LLVMValueRef value)
{
  unsigned first = LLVMIsASelectInst (value) ? 1 : 0;
  for (unsigned i = first; i < (unsigned)LLVMGetNumOperands (value); i++) {
    LLVMValueRef from = LLVMGetOperand (value, i);
    if (!omen_weave_set_has (&walk->derived, from) && !LLVMIsNull (from)
        && !LLVMIsUndef (from))
      return false;
  }
  return true;
}

/* Vectors of addresses are not followed: they escape. */
static void
run_walk (tracer *walk, LLVMValueRef object)
{
  derive (walk, object);
  while (walk->pending.count && !walk->escaped) {
    LLVMValueRef value = walk->pending.items[--walk->pending.count];
    if (LLVMGetTypeKind (LLVMTypeOf (value)) != LLVMPointerTypeKind)
      walk->escaped = true;
    for (LLVMUseRef use = LLVMGetFirstUse (value); use && !walk->escaped;
         use = LLVMGetNextUse (use))
      follow_use (walk, LLVMGetUser (use), value);
  }
  for (size_t i = 0; i < walk->joins.count && !walk->escaped; i++)
    walk->escaped = !closed (walk, walk->joins.items[i]);
}

static void
keep_visible (tracer *walk)
{
  omen_weave_set *unshared = &walk->w->unshared;
  for (size_t i = 0; i < walk->derived.room; i++)
    if (walk->derived.slots[i])
      omen_weave_set_add (unshared, walk->derived.slots[i]);
}

static void
end_walk (tracer *walk)
{
  omen_weave_set_fini (&walk->derived);
  omen_weave_list_fini (&walk->pending);
  omen_weave_list_fini (&walk->joins);
}

bool
omen_weave_private (omen_weave *w, LLVMValueRef object)
{
  tracer walk = { .w = w };
  if (omen_weave_set_has (&w->unshared, object))
    return true;
  run_walk (&walk, object);
  if (!walk.escaped)
    keep_visible (&walk);
  end_walk (&walk);
  return !walk.escaped;
}

bool
omen_weave_escapes (omen_weave *w, LLVMValueRef global)
{
  tracer walk = { .w = w, .ignore_ours = true };
  run_walk (&walk, global);
  end_walk (&walk);
  return walk.escaped;
}

void
omen_weave_find_unshared (omen_weave *w, LLVMValueRef function)
{
  for (unsigned i = 0; i < LLVMCountParams (function); i++)
    if (LLVMGetEnumAttributeAtIndex (function, i + 1,
                                     w->attributes[OMEN_ATTR_BYVAL]))
      omen_weave_private (w, LLVMGetParam (function, i));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i))
      if (LLVMIsAAllocaInst (i))
        omen_weave_private (w, i);
}

void
omen_weave_find_unshared_globals (omen_weave *w)
{
  for (LLVMValueRef g = LLVMGetFirstGlobal (w->module); g;
       g = LLVMGetNextGlobal (g))
    if (LLVMIsThreadLocal (g)
        && (LLVMGetLinkage (g) == LLVMInternalLinkage
            || LLVMGetLinkage (g) == LLVMPrivateLinkage))
      omen_weave_private (w, g);
}

/* The global that an address is computed from, or NULL. */
static LLVMValueRef
global_of (LLVMValueRef addr)
{
  for (;;) {
    bool step = LLVMIsAGetElementPtrInst (addr) || LLVMIsABitCastInst (addr);
    if (LLVMIsAConstantExpr (addr)) {
      LLVMOpcode code = LLVMGetConstOpcode (addr);
      step = code == LLVMGetElementPtr || code == LLVMBitCast;
    }
    if (!step)
      return LLVMIsAGlobalVariable (addr);
    addr = LLVMGetOperand (addr, 0);
  }
}

bool
omen_weave_is_shared (const omen_weave *w, LLVMValueRef addr)
{
  LLVMTypeRef type = LLVMTypeOf (addr);
  if (LLVMGetTypeKind (type) == LLVMVectorTypeKind)
    type = LLVMGetElementType (type);
  if (LLVMGetPointerAddressSpace (type) != 0
      || omen_weave_set_has (&w->unshared, addr))
    return false;
  LLVMValueRef global = global_of (addr);
  return !global || !LLVMIsGlobalConstant (global);
}

bool
omen_weave_shared (const omen_weave *w, LLVMValueRef user, LLVMValueRef addr)
{
  return !LLVMGetMetadata (user, w->nosanitize)
         && omen_weave_is_shared (w, addr);
}
