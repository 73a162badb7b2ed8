/* Values as integers, and accesses of any width as notes of at most 8 bytes:

     store <4 x float> v, p   =>   8 bytes at p, 8 at p + 8
     store x86_fp80 v, p      =>   8 bytes at p, 2 at p + 8
     store { i64, i8 } v, p   =>   a note for each member */
#include "weave/weave.h"

static LLVMTypeRef
integer_type (const omen_weave *w, uint64_t bits)
{
  return LLVMIntTypeInContext (w->context, (unsigned)bits);
}

/* Vectors of pointers become vectors of integers. */
static LLVMValueRef
without_pointers (omen_weave *w, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf (value);
  if (LLVMGetTypeKind (LLVMGetElementType (type)) != LLVMPointerTypeKind)
    return value;
  type = LLVMVectorType (w->i64, LLVMGetVectorSize (type));
  return LLVMBuildPtrToInt (w->builder, value, type, "");
}

/* The bits of a scalar or vector as one integer of whole bytes. */
static LLVMValueRef
as_integer (omen_weave *w, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf (value);
  uint64_t bits = LLVMSizeOfTypeInBits (w->layout, type);
  uint64_t bytes = LLVMStoreSizeOfType (w->layout, type);
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  if (kind == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt (w->builder, value, w->i64, "");
  if (kind == LLVMVectorTypeKind)
    value = without_pointers (w, value);
  if (kind != LLVMIntegerTypeKind)
    value = LLVMBuildBitCast (w->builder, value, integer_type (w, bits), "");
  return LLVMBuildZExt (w->builder, value, integer_type (w, 8 * bytes), "");
}

/* The i-th 64 bits of an integer, or of a vector of 64-bit ones. */
static LLVMValueRef
word (omen_weave *w, LLVMValueRef whole, unsigned i)
{
  LLVMTypeRef type = LLVMTypeOf (whole);
  if (LLVMGetTypeKind (type) == LLVMVectorTypeKind)
    return LLVMBuildExtractElement (w->builder, whole, omen_weave_int (w, i),
                                    "");
  unsigned width = LLVMGetIntTypeWidth (type);
  OMEN_ASSERT (64 * i < width);
  if (i)
    whole
        = LLVMBuildLShr (w->builder, whole, LLVMConstInt (type, 64 * i, 0), "");
  return width > 64 ? LLVMBuildTrunc (w->builder, whole, w->i64, "")
                    : LLVMBuildZExt (w->builder, whole, w->i64, "");
}

LLVMValueRef
omen_weave_bits (omen_weave *w, LLVMValueRef value)
{
  OMEN_REQUIRE (LLVMStoreSizeOfType (w->layout, LLVMTypeOf (value)) <= 8);
  return word (w, as_integer (w, value), 0);
}

void
omen_weave_halves (omen_weave *w, LLVMValueRef value, LLVMValueRef half[2])
{
  LLVMValueRef whole = as_integer (w, value);
  half[0] = word (w, whole, 0);
  half[1] = LLVMGetIntTypeWidth (LLVMTypeOf (whole)) > 64
                ? word (w, whole, 1)
                : omen_weave_long (w, 0);
}

/* The same, cheaper on vectors that fill whole words: they need not pass
   through a wide integer. */
static LLVMValueRef
as_words (omen_weave *w, LLVMValueRef value)
{
  LLVMTypeRef type = LLVMTypeOf (value);
  uint64_t bits = LLVMSizeOfTypeInBits (w->layout, type);
  if (LLVMGetTypeKind (type) != LLVMVectorTypeKind || bits <= 64 || bits % 64)
    return as_integer (w, value);
  value = without_pointers (w, value);
  type = LLVMVectorType (w->i64, (unsigned)(bits / 64));
  return LLVMBuildBitCast (w->builder, value, type, "");
}

/* `size` (1, 2, 4 or 8) bytes at `offset`, which lie within one word. */
static void
report_piece (omen_weave *w, LLVMValueRef addr, LLVMValueRef whole,
              unsigned offset, unsigned size, bool store)
{
  unsigned shift = 8 * (offset % 8);
  LLVMValueRef value = word (w, whole, offset / 8);
  if (shift)
    value = LLVMBuildLShr (w->builder, value, omen_weave_long (w, shift), "");
  if (size < 8 && shift + 8 * size < 64)
    value
        = LLVMBuildAnd (w->builder, value,
                        omen_weave_long (w, ((uint64_t)1 << 8 * size) - 1), "");
  omen_weave_what what = { .kind = store ? OMEN_SITE_STORE : OMEN_SITE_LOAD,
                           .size = size,
                           .failure = store ? OMEN_SITE_UNUSED : w->use };
  addr = omen_weave_offset (w, addr, offset);
  omen_weave_note (w, LLVMBuildPtrToInt (w->builder, addr, w->i64, ""), value,
                   omen_weave_site (w, what));
}

static void
report_scalar (omen_weave *w, LLVMValueRef addr, LLVMValueRef value, bool store)
{
  unsigned size = (unsigned)LLVMStoreSizeOfType (w->layout, LLVMTypeOf (value));
  LLVMValueRef whole = as_words (w, value);
  unsigned offset = 0;
  for (unsigned piece = 8; piece; piece /= 2)
    for (; size - offset >= piece; offset += piece)
      report_piece (w, addr, whole, offset, piece, store);
  OMEN_ASSERT (offset == size);
}

static void
report_members (omen_weave *w, LLVMValueRef addr, LLVMValueRef value,
                bool store)
{
  LLVMTypeRef type = LLVMTypeOf (value);
  bool array = LLVMGetTypeKind (type) == LLVMArrayTypeKind;
  unsigned count = array ? (unsigned)LLVMGetArrayLength2 (type)
                         : LLVMCountStructElementTypes (type);
  for (unsigned i = 0; i < count; i++) {
    uint64_t offset
        = array ? i * LLVMABISizeOfType (w->layout, LLVMGetElementType (type))
                : LLVMOffsetOfElement (w->layout, type, i);
    omen_weave_report (w, omen_weave_offset (w, addr, offset),
                       LLVMBuildExtractValue (w->builder, value, i, ""), store);
  }
}

void
omen_weave_report (omen_weave *w, LLVMValueRef addr, LLVMValueRef value,
                   bool store)
{
  switch (LLVMGetTypeKind (LLVMTypeOf (value))) {
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind:
    report_members (w, addr, value, store);
    break;
  case LLVMScalableVectorTypeKind:
  case LLVMTargetExtTypeKind:
  case LLVMX86_AMXTypeKind:
    break;
  default:
    report_scalar (w, addr, value, store);
  }
}
