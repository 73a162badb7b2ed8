/* get() and set(): reads and writes of globals and of their fields, where the
   source names them. Accesses through pointers are not matched, since their
   target is unknown when compiling, except by the type of what they point to
   (join_point_type.c). */
#include "weave/join_point.h"

#include <string.h>

/* One access of an instruction; an atomic update has two. */
typedef struct access {
  omen_cut_kind kind;
  LLVMValueRef address;
  uint64_t size;      /* in bytes; 1 if not known */
  LLVMValueRef value; /* or NULL */
  LLVMValueRef done;  /* condition for the access to happen, or NULL */
} access;

/* ---- which variable ---- */

uint64_t
omen_weave_offset_of (omen_weave *w, LLVMValueRef gep, uint64_t *first,
                      bool *anywhere)
{
  LLVMTypeRef type = LLVMGetGEPSourceElementType (gep);
  unsigned count = (unsigned)LLVMGetNumOperands (gep);
  uint64_t offset = 0;
  *first = 0;
  for (unsigned i = 1; i < count; i++) {
    LLVMValueRef index = LLVMIsAConstantInt (LLVMGetOperand (gep, i));
    uint64_t n = index ? (uint64_t)LLVMConstIntGetSExtValue (index) : 0;
    if (anywhere)
      *anywhere |= !index;
    if (i == 1)
      *first = n * LLVMABISizeOfType (w->layout, type);
    else if (LLVMGetTypeKind (type) == LLVMStructTypeKind) {
      offset += LLVMOffsetOfElement (w->layout, type, (unsigned)n);
      type = LLVMStructGetTypeAtIndex (type, (unsigned)n);
    } else {
      type = LLVMGetElementType (type);
      offset += n * LLVMABISizeOfType (w->layout, type);
    }
  }
  return offset;
}

static bool
is_gep (LLVMValueRef value)
{
  return LLVMIsAGetElementPtrInst (value)
         || (LLVMIsAConstantExpr (value)
             && LLVMGetConstOpcode (value) == LLVMGetElementPtr);
}

static omen_weave_spot
spot_at (omen_weave *w, LLVMValueRef address, uint64_t size)
{
  omen_weave_spot spot = { .size = size ? size : 1 };
  for (unsigned depth = 0; depth < 32; depth++) {
    if (is_gep (address)) {
      uint64_t first;
      spot.offset += omen_weave_offset_of (w, address, &first, &spot.anywhere);
      spot.offset += first;
      address = LLVMGetOperand (address, 0);
    } else if (LLVMIsACallInst (address)
               && omen_weave_intrinsic (w, address) == OMEN_IN_TLS_ADDRESS)
      address = LLVMGetArgOperand (address, 0);
    else
      break;
  }
  if (LLVMIsAGlobalVariable (address)
      && LLVMGetLinkage (address) != LLVMPrivateLinkage
      && strncmp (LLVMGetValueName (address), "llvm.", 5)
      && strncmp (LLVMGetValueName (address), "omen.", 5))
    spot.global = address;
  return spot;
}

/* ---- which accesses ---- */

static uint64_t
size_of (omen_weave *w, LLVMValueRef value)
{
  return LLVMStoreSizeOfType (w->layout, LLVMTypeOf (value));
}

static uint64_t
length_of (LLVMValueRef length)
{
  return LLVMIsAConstantInt (length) ? LLVMConstIntGetZExtValue (length) : 1;
}

static unsigned
accesses_of_update (omen_weave *w, LLVMValueRef i, access *out)
{
  LLVMValueRef address = LLVMGetOperand (i, 0), old = i, done = NULL, written;
  bool exchange = LLVMIsAAtomicCmpXchgInst (i);
  omen_weave_after (w, i);
  if (exchange) {
    old = LLVMBuildExtractValue (w->builder, i, 0, "");
    done = LLVMBuildExtractValue (w->builder, i, 1, "");
    written = LLVMGetOperand (i, 2);
  } else
    written = omen_weave_updated (w, LLVMGetAtomicRMWBinOp (i), i,
                                  LLVMGetOperand (i, 1));
  out[0] = (access){ OMEN_CUT_GET, address, size_of (w, old), old, NULL };
  out[1] = (access){ OMEN_CUT_SET, address, size_of (w, old), written, done };
  return 2;
}

static unsigned
accesses_of_call (omen_weave *w, LLVMValueRef i, access *out)
{
  uint64_t size
      = LLVMIsAMemIntrinsic (i) ? length_of (LLVMGetArgOperand (i, 2)) : 0;
  switch (omen_weave_intrinsic (w, i)) {
  case OMEN_IN_MEMCPY:
  case OMEN_IN_MEMCPY_INLINE:
  case OMEN_IN_MEMMOVE:
    out[0]
        = (access){ OMEN_CUT_GET, LLVMGetArgOperand (i, 1), size, NULL, NULL };
    out[1]
        = (access){ OMEN_CUT_SET, LLVMGetArgOperand (i, 0), size, NULL, NULL };
    return 2;
  case OMEN_IN_MEMSET:
  case OMEN_IN_MEMSET_INLINE:
    out[0]
        = (access){ OMEN_CUT_SET, LLVMGetArgOperand (i, 0), size, NULL, NULL };
    return 1;
  default:
    return 0;
  }
}

static unsigned
accesses_of (omen_weave *w, LLVMValueRef i, access *out)
{
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMLoad:
    out[0] = (access){ OMEN_CUT_GET, LLVMGetOperand (i, 0), size_of (w, i), i,
                       NULL };
    return 1;
  case LLVMStore:
    out[0] = (access){ OMEN_CUT_SET, LLVMGetOperand (i, 1),
                       size_of (w, LLVMGetOperand (i, 0)),
                       LLVMGetOperand (i, 0), NULL };
    return 1;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return accesses_of_update (w, i, out);
  case LLVMCall:
    return accesses_of_call (w, i, out);
  default:
    return 0;
  }
}

/* ---- weaving ---- */

/* Has the event's property state predicates? */
static bool
has_state_predicates (const omen_weave_plan *plan, const omen_plan_event *event)
{
  for (size_t i = 0; i < plan->events.count; i++) {
    const omen_plan_event *other = plan->events.items[i];
    if (other->spec == event->spec && other->property == event->property
        && omen_plan_is_state (other))
      return true;
  }
  return false;
}

/* The event of `before get` is emitted right after the load, where the value is
   known; no other access of the program is in between. State predicates refer
   to the state after an event, so with them `before set` is emitted after the
   store, too. witness/observe_beside.c relies on this to find the access of an
   emit. */
static bool
comes_after (const omen_weave_plan *plan, const omen_plan_cut *cut,
             const access *a, LLVMValueRef i)
{
  return cut->after || LLVMIsAAtomicRMWInst (i) || LLVMIsAAtomicCmpXchgInst (i)
         || a->kind == OMEN_CUT_GET || has_state_predicates (plan, cut->event);
}

static LLVMValueRef
both (omen_weave *w, LLVMValueRef a, LLVMValueRef b)
{
  return a && b ? LLVMBuildAnd (w->builder, a, b, "") : a ? a : b;
}

/* ---- what a copy moves ---- */

/* Does the property file declare what the pointcut binds as a pointer? */
static bool
binds_pointer (const omen_plan_cut *cut)
{
  int slot = cut->arg_count && cut->args[0].kind == OMEN_ARG_NAME
                 ? (int)cut->args[0].slot
                 : cut->returning;
  return slot >= 0 && cut->event->types[slot] == 'p';
}

static LLVMTypeRef
type_of_part (omen_weave *w, const omen_plan_cut *cut,
              const omen_weave_part *part, uint64_t bits)
{
  if (bits == 64 && !part->is_field && binds_pointer (cut))
    return LLVMPointerTypeInContext (w->context, 0);
  if (!part->is_real)
    return LLVMIntTypeInContext (w->context, (unsigned)bits);
  return bits == 32   ? LLVMFloatTypeInContext (w->context)
         : bits == 64 ? LLVMDoubleTypeInContext (w->context)
                      : NULL;
}

/* A repeated byte as a value of that type. */
static LLVMValueRef
filled_with (omen_weave *w, LLVMValueRef byte, LLVMTypeRef type, uint64_t bits)
{
  LLVMTypeRef wide = LLVMIntTypeInContext (w->context, (unsigned)bits);
  uint64_t ones = UINT64_C (0x0101010101010101) >> (64 - bits);
  LLVMValueRef value = LLVMBuildZExt (w->builder, byte, wide, "");
  value
      = LLVMBuildMul (w->builder, value, LLVMConstInt (wide, ones, false), "");
  return LLVMGetTypeKind (type) == LLVMPointerTypeKind
             ? LLVMBuildIntToPtr (w->builder, value, type, "")
             : LLVMBuildBitCast (w->builder, value, type, "");
}

/* Extracts a field from the `wide` bits around it. */
static LLVMValueRef
field_of (omen_weave *w, LLVMValueRef value, const omen_weave_part *part,
          uint64_t wide)
{
  LLVMTypeRef type = LLVMTypeOf (value);
  uint64_t over = wide - (uint64_t)part->bit % 8 - part->bits;
  LLVMValueRef left = LLVMConstInt (type, over, false);
  LLVMValueRef right = LLVMConstInt (type, wide - part->bits, false);
  value = LLVMBuildShl (w->builder, value, left, "");
  return part->is_signed ? LLVMBuildAShr (w->builder, value, right, "")
                         : LLVMBuildLShr (w->builder, value, right, "");
}

/* The number of bits to load to cover the whole field; 0: too many. */
static uint64_t
bits_around (const omen_weave_part *part)
{
  uint64_t bits = (uint64_t)part->bit % 8 + part->bits, wide = 8;
  while (wide < bits)
    wide *= 2;
  return (part->is_field || wide == part->bits) && wide <= 64 ? wide : 0;
}

static LLVMValueRef
load_from (omen_weave *w, LLVMValueRef address, uint64_t byte, LLVMTypeRef type)
{
  LLVMValueRef distance = omen_weave_long (w, byte), value;
  address = LLVMBuildGEP2 (w->builder, w->i8, address, &distance, 1, "");
  value = LLVMBuildLoad2 (w->builder, type, address, "");
  LLVMSetAlignment (value, 1);
  LLVMSetMetadata (value, w->nosanitize,
                   LLVMMetadataAsValue (
                       w->context, LLVMMDNodeInContext2 (w->context, NULL, 0)));
  return value;
}

/* The value of the named part when memory is copied or filled: read from the
   source before the copy. NULL: it cannot be determined. */
static LLVMValueRef
moved_value (omen_weave *w, const omen_plan_cut *cut, LLVMValueRef i,
             const access *a, const omen_weave_match *match)
{
  omen_weave_part part = match->part;
  LLVMTypeRef type;
  LLVMValueRef value;
  uint64_t wide;
  if (part.is_whole) {
    part.bit = 0;
    part.bits = 8 * a->size;
  }
  wide = bits_around (&part);
  if (match->count || part.bit < 0 || !wide
      || (uint64_t)part.bit / 8 * 8 + wide > 8 * a->size
      || !(type = type_of_part (w, cut, &part, wide)))
    return NULL;
  omen_weave_before (w, i);
  value = LLVMIsAMemCpyInst (i) || LLVMIsAMemMoveInst (i)
              ? load_from (w, LLVMGetArgOperand (i, 1), (uint64_t)part.bit / 8,
                           type)
              : filled_with (w, LLVMGetArgOperand (i, 1), type, wide);
  return part.is_field ? field_of (w, value, &part, wide) : value;
}

static bool
needs_value (const omen_plan_cut *cut)
{
  return cut->arg_count || cut->returning >= 0;
}

/* Weaves one access of the spot, which the pointcut matches as `match` says. */
static void
weave_cut (omen_weave *w, const omen_weave_plan *plan, const omen_plan_cut *cut,
           const access *a, LLVMValueRef i, LLVMValueRef behind,
           const omen_weave_spot *spot, const omen_weave_match *match)
{
  LLVMValueRef values[OMEN_SLOTS_MAX + 1] = { 0 }, value, *tests;
  LLVMValueRef moved = NULL;
  if (!a->value && needs_value (cut)
      && !(moved = moved_value (w, cut, i, a, match)))
    return;
  omen_weave_before (w, comes_after (plan, cut, a, i) ? behind : i);
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (i));
  value = moved ? moved : omen_weave_part_value (w, match, a->value);
  if (!omen_weave_bind (w, cut, &value, value != NULL, values))
    return;
  if (cut->value >= 0)
    values[cut->value] = value;
  if (cut->returning >= 0)
    values[cut->returning] = value;
  if (cut->target >= 0)
    values[cut->target]
        = omen_weave_part_target (w, cut->pattern, match, a->address);
  tests = &values[OMEN_SLOTS_MAX];
  *tests = both (w, *tests, a->done);
  *tests = both (w, *tests, omen_weave_part_test (w, spot, match, a->address));
  omen_weave_join_point (w, cut, values);
}

static bool
names_variables (const omen_weave_plan *plan, bool *types)
{
  bool any = false;
  *types = false;
  for (size_t i = 0; i < plan->cuts.count; i++) {
    const omen_plan_cut *cut = plan->cuts.items[i];
    if (cut->kind != OMEN_CUT_GET && cut->kind != OMEN_CUT_SET)
      continue;
    any = true;
    *types |= omen_pattern_is_typed (cut->pattern);
  }
  return any;
}

/* A write to a watched variable gets its own event only if no other event is
   emitted for it. */
static bool
is_another_event (omen_weave *w, const omen_weave_plan *plan, const access *a,
                  const omen_plan_event *state)
{
  omen_weave_spot spot = spot_at (w, a->address, a->size);
  omen_weave_match match;
  for (size_t c = 0; c < plan->cuts.count; c++) {
    const omen_plan_cut *cut = plan->cuts.items[c];
    if (cut->event->property == state->property
        && !omen_plan_is_state (cut->event) && cut->kind == a->kind
        && omen_weave_spot_fits (&spot, cut->pattern, &match) && !match.count)
      return true;
  }
  return false;
}

static void
weave_instruction (omen_weave *w, const omen_weave_plan *plan, LLVMValueRef i)
{
  access all[2];
  LLVMValueRef behind = LLVMGetNextInstruction (i);
  unsigned count = accesses_of (w, i, all);
  if (LLVMIsAAtomicRMWInst (i) || LLVMIsAAtomicCmpXchgInst (i))
    OMEN_ASSERT (behind && count == 2);
  for (size_t c = 0; c < plan->cuts.count; c++)
    for (unsigned a = 0; a < count; a++) {
      const omen_plan_cut *cut = plan->cuts.items[c];
      omen_weave_spot spot = spot_at (w, all[a].address, all[a].size);
      omen_weave_match match;
      if (cut->kind == all[a].kind
          && ((spot.global
               && omen_weave_spot_fits (&spot, cut->pattern, &match))
              || (omen_pattern_is_typed (cut->pattern)
                  && omen_weave_type_fits (w, all[a].address, all[a].size,
                                           cut->pattern, &match)))
          && !(omen_plan_is_state (cut->event)
               && is_another_event (w, plan, &all[a], cut->event)))
        weave_cut (w, plan, cut, &all[a], i, behind, &spot, &match);
    }
}

/* Might it be an access that a pointcut matches? A filter that saves time. */
static bool
is_about (omen_weave *w, LLVMValueRef address, bool types)
{
  return (types && omen_weave_may_be_typed (address))
         || spot_at (w, address, 1).global;
}

static bool
may_matter (omen_weave *w, LLVMValueRef i, bool types)
{
  unsigned operands = (unsigned)LLVMGetNumOperands (i);
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMLoad:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return is_about (w, LLVMGetOperand (i, 0), types);
  case LLVMStore:
    return is_about (w, LLVMGetOperand (i, 1), types);
  case LLVMCall:
    return LLVMIsAMemIntrinsic (i) && operands >= 2
           && (is_about (w, LLVMGetOperand (i, 0), types)
               || is_about (w, LLVMGetOperand (i, 1), types));
  default:
    return false;
  }
}

void
omen_weave_access_join_points (omen_weave *w, const omen_weave_plan *plan,
                               LLVMValueRef function)
{
  omen_weave_list work = { 0 };
  bool types;
  if (!names_variables (plan, &types))
    return;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i))
      if (may_matter (w, i, types))
        omen_weave_list_add (&work, i);
  for (size_t i = 0; i < work.count; i++)
    weave_instruction (w, plan, work.items[i]);
  omen_weave_list_fini (&work);
}
