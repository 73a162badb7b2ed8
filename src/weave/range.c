/* Copies and fills, arguments passed by value, outputs of inline assembly. */
#include "weave/weave.h"

#include <string.h>

/* A copy of at most this constant size, a struct or two, becomes single
   accesses; a larger one becomes one call. */
enum { SMALL = 64, PIECES = SMALL / 16 + 4 };

typedef struct piece {
  unsigned offset, size;
} piece;

/* Splits `size` bytes into pieces of 16, 8, 4, 2, 1; returns how many. */
static unsigned
cut (uint64_t size, piece *pieces)
{
  unsigned count = 0, offset = 0;
  OMEN_REQUIRE (size <= SMALL);
  for (unsigned unit = 16; unit; unit /= 2)
    for (; size - offset >= unit; offset += unit)
      pieces[count++] = (piece){ offset, unit };
  OMEN_ASSERT (offset == size && count <= PIECES);
  return count;
}

static LLVMTypeRef
type_of_piece (const omen_weave *w, unsigned size)
{
  return size == 16 ? LLVMVectorType (w->i64, 2)
                    : LLVMIntTypeInContext (w->context, 8 * size);
}

/* A copy being woven. */
typedef struct copy {
  LLVMValueRef to, from;
  bool report_to, report_from, is_volatile;
} copy;

/* All reads, then all writes, which is right for overlapping ranges, too. */
static void
copy_small (omen_weave *w, const copy *c, uint64_t size)
{
  piece pieces[PIECES];
  LLVMValueRef values[PIECES];
  unsigned count = cut (size, pieces);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef from = omen_weave_offset (w, c->from, pieces[i].offset);
    values[i] = LLVMBuildLoad2 (w->builder, type_of_piece (w, pieces[i].size),
                                from, "");
    LLVMSetAlignment (values[i], 1);
    LLVMSetVolatile (values[i], c->is_volatile);
    if (c->report_from)
      omen_weave_report (w, from, values[i], false);
  }
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef to = omen_weave_offset (w, c->to, pieces[i].offset);
    LLVMValueRef store = LLVMBuildStore (w->builder, values[i], to);
    LLVMSetAlignment (store, 1);
    LLVMSetVolatile (store, c->is_volatile);
    if (c->report_to)
      omen_weave_report (w, to, values[i], true);
  }
}

static void
copy_large (omen_weave *w, const copy *c, LLVMValueRef size, bool overlap)
{
  unsigned what
      = (c->report_from ? OMEN_ABI_FROM : 0) | (c->report_to ? OMEN_ABI_TO : 0);
  LLVMValueRef args[]
      = { c->to, c->from, LLVMBuildZExt (w->builder, size, w->i64, ""),
          omen_weave_site (w, (omen_weave_what){ .kind = OMEN_SITE_RANGE }),
          omen_weave_int (w, what) };
  omen_weave_call (w, overlap ? OMEN_CB_MEMMOVE : OMEN_CB_MEMCPY, args);
}

static void
external (omen_weave *w, LLVMValueRef after, LLVMValueRef addr,
          LLVMValueRef size)
{
  omen_weave_what what = { .kind = OMEN_SITE_EXTERNAL };
  omen_weave_after (w, after);
  omen_weave_note (w, LLVMBuildPtrToInt (w->builder, addr, w->i64, ""),
                   LLVMBuildZExt (w->builder, size, w->i64, ""),
                   omen_weave_site (w, what));
}

static bool
is_small (LLVMValueRef size)
{
  return LLVMIsAConstantInt (size) && LLVMConstIntGetZExtValue (size) <= SMALL;
}

/* memcpy, memmove (to, from, size, volatile). Large ones of the .inline kind,
   which memcpy itself is written with, are left alone. */
void
omen_weave_copy (omen_weave *w, LLVMValueRef call)
{
  enum omen_intrinsic what = omen_weave_intrinsic (w, call);
  LLVMValueRef size = LLVMGetOperand (call, 2);
  copy c
      = { .to = LLVMGetOperand (call, 0),
          .from = LLVMGetOperand (call, 1),
          .is_volatile = LLVMConstIntGetZExtValue (LLVMGetOperand (call, 3)) };
  c.report_to = omen_weave_shared (w, call, c.to);
  c.report_from = omen_weave_shared (w, call, c.from);
  if (!c.report_to && !c.report_from)
    return;
  if (what == OMEN_IN_MEMCPY_INLINE && !is_small (size)) {
    if (c.report_to)
      external (w, call, c.to, size);
    return;
  }
  omen_weave_before (w, call);
  if (is_small (size))
    copy_small (w, &c, LLVMConstIntGetZExtValue (size));
  else
    copy_large (w, &c, size, what == OMEN_IN_MEMMOVE);
  LLVMInstructionEraseFromParent (call);
}

/* The byte in every byte of an integer or vector of two words. */
static LLVMValueRef
spread_byte (omen_weave *w, LLVMValueRef byte, unsigned size)
{
  LLVMValueRef word
      = LLVMBuildMul (w->builder, LLVMBuildZExt (w->builder, byte, w->i64, ""),
                      omen_weave_long (w, 0x0101010101010101U), "");
  if (size < 16)
    return LLVMBuildTrunc (w->builder, word, type_of_piece (w, size), "");
  LLVMValueRef pair = LLVMGetUndef (type_of_piece (w, 16));
  for (unsigned i = 0; i < 2; i++)
    pair = LLVMBuildInsertElement (w->builder, pair, word,
                                   omen_weave_int (w, i), "");
  return pair;
}

static void
fill_small (omen_weave *w, LLVMValueRef to, LLVMValueRef byte, uint64_t size,
            bool is_volatile)
{
  piece pieces[PIECES];
  unsigned count = cut (size, pieces);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef at = omen_weave_offset (w, to, pieces[i].offset);
    LLVMValueRef value = spread_byte (w, byte, pieces[i].size);
    LLVMValueRef store = LLVMBuildStore (w->builder, value, at);
    LLVMSetAlignment (store, 1);
    LLVMSetVolatile (store, is_volatile);
    omen_weave_report (w, at, value, true);
  }
}

/* memset (to, byte, size, volatile) */
void
omen_weave_fill (omen_weave *w, LLVMValueRef call)
{
  LLVMValueRef to = LLVMGetOperand (call, 0), byte = LLVMGetOperand (call, 1),
               size = LLVMGetOperand (call, 2);
  bool is_volatile = LLVMConstIntGetZExtValue (LLVMGetOperand (call, 3));
  if (!omen_weave_shared (w, call, to))
    return;
  bool is_inline = omen_weave_intrinsic (w, call) == OMEN_IN_MEMSET_INLINE;
  if (is_inline && !is_small (size)) {
    external (w, call, to, size);
    return;
  }
  omen_weave_before (w, call);
  if (is_small (size))
    fill_small (w, to, byte, LLVMConstIntGetZExtValue (size), is_volatile);
  else {
    LLVMValueRef args[]
        = { to, LLVMBuildZExt (w->builder, byte, w->i32, ""),
            LLVMBuildZExt (w->builder, size, w->i64, ""),
            omen_weave_site (w, (omen_weave_what){ .kind = OMEN_SITE_RANGE }) };
    omen_weave_call (w, OMEN_CB_MEMSET, args);
  }
  LLVMInstructionEraseFromParent (call);
}

/* Makes a local of that type in the frame of the function that contains
   `at`. */
static LLVMValueRef
new_local (omen_weave *w, LLVMValueRef at, LLVMTypeRef type, unsigned align)
{
  LLVMBasicBlockRef block = LLVMGetInstructionParent (at);
  LLVMBasicBlockRef entry
      = LLVMGetEntryBasicBlock (LLVMGetBasicBlockParent (block));
  LLVMPositionBuilderBefore (w->builder, LLVMGetFirstInstruction (entry));
  LLVMValueRef local = LLVMBuildAlloca (w->builder, type, "");
  LLVMSetAlignment (local, align > 16 ? align : 16);
  return local;
}

/* Passing *p by value reads it within the call, where its value is not
   accessible. So the argument is copied before by a woven copy, which is
   passed. */
static void
copy_argument (omen_weave *w, LLVMValueRef call, unsigned i, LLVMTypeRef type)
{
  unsigned align_kind = LLVMGetEnumAttributeKindForName ("align", 5);
  LLVMAttributeRef align
      = LLVMGetCallSiteEnumAttribute (call, i + 1, align_kind);
  uint64_t size = LLVMABISizeOfType (w->layout, type);
  copy c = { .from = LLVMGetArgOperand (call, i), .report_from = true };
  c.to = new_local (w, call, type,
                    align ? (unsigned)LLVMGetEnumAttributeValue (align) : 0);
  omen_weave_before (w, call);
  if (size <= SMALL)
    copy_small (w, &c, size);
  else
    copy_large (w, &c, omen_weave_long (w, size), false);
  LLVMSetArgOperand (call, i, c.to);
}

void
omen_weave_arguments (omen_weave *w, LLVMValueRef call)
{
  for (unsigned i = 0; i < LLVMGetNumArgOperands (call); i++) {
    LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute (
        call, i + 1, w->attributes[OMEN_ATTR_BYVAL]);
    if (byval && omen_weave_shared (w, call, LLVMGetArgOperand (call, i)))
      copy_argument (w, call, i, LLVMGetTypeAttributeValue (byval));
  }
}

/* Locks may be written in inline assembly: does it access memory? */
static bool
may_synchronise (LLVMValueRef assembly)
{
  size_t length;
  const char *constraints
      = LLVMGetInlineAsmConstraintString (assembly, &length);
  if (!memmem (constraints, length, "~{memory}", 9)
      && !memchr (constraints, '*', length))
    return false;
  LLVMGetInlineAsmAsmString (assembly, &length);
  return length;
}

/* Calls the runtime before and after, for each shared address that the assembly
   takes, as it may acquire or release something there. */
static void
synchronise (omen_weave *w, LLVMValueRef call)
{
  for (unsigned i = 0; i < LLVMGetNumArgOperands (call); i++) {
    LLVMValueRef addr = LLVMGetArgOperand (call, i);
    if (LLVMGetTypeKind (LLVMTypeOf (addr)) != LLVMPointerTypeKind
        || !omen_weave_shared (w, call, addr))
      continue;
    omen_weave_before (w, call);
    omen_weave_call (w, OMEN_CB_BEFORE, &addr);
    omen_weave_after (w, call);
    omen_weave_call (w, OMEN_CB_AFTER, &addr);
  }
}

/* Outputs in memory come first among the operands; their constraints read
   "=*m" and their types are attributes of the arguments. */
void
omen_weave_assembly (omen_weave *w, LLVMValueRef call)
{
  size_t length;
  const char *text
      = LLVMGetInlineAsmConstraintString (LLVMGetCalledValue (call), &length);
  const char *end = text + length;
  unsigned arg = 0;
  if (may_synchronise (LLVMGetCalledValue (call)))
    synchronise (w, call);
  while (text < end && *text == '=') {
    const char *comma = memchr (text, ',', (size_t)(end - text));
    size_t span = comma ? (size_t)(comma - text) : (size_t)(end - text);
    if (memchr (text, '*', span)) {
      LLVMAttributeRef type = LLVMGetCallSiteEnumAttribute (
          call, arg + 1, w->attributes[OMEN_ATTR_ELEMENT_TYPE]);
      LLVMValueRef addr = LLVMGetArgOperand (call, arg++);
      if (type && omen_weave_shared (w, call, addr))
        external (w, call, addr,
                  omen_weave_long (
                      w, LLVMStoreSizeOfType (
                             w->layout, LLVMGetTypeAttributeValue (type))));
    }
    text += span + (comma ? 1 : 0);
  }
}
