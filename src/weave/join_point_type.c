/* get() and set() of fields by the type of their struct, `struct node.next`, in
   any object: the address computation in the source shows the steps from an
   object of some type to the field. */
#include "weave/join_point.h"

#include <string.h>

enum { STEPS_MAX = 32 };

typedef struct asked {
  omen_weave *w;
  const char *pattern;
  uint64_t size; /* bytes that are accessed */
  omen_weave_match *match;
  bool found;
} asked;

static bool
fits_type (void *data, const char *name, const omen_weave_part *part)
{
  asked *a = data;
  if (!a->found && omen_pattern_fits (a->pattern, name)) {
    a->found = true;
    a->match->part = *part;
  }
  return !a->found && omen_pattern_may_begin (a->pattern, name);
}

/* Only one member of a union is known from its LLVM type. */
static bool
is_union (LLVMTypeRef type)
{
  const char *name = LLVMGetStructName (type);
  return name && !strncmp (name, "union.", 6);
}

/* Visits the nested types of an object of `type` that contain that byte. */
static bool
fits_in (asked *a, LLVMTypeRef type, uint64_t offset)
{
  LLVMTargetDataRef layout = a->w->layout;
  while (!a->found) {
    LLVMTypeKind kind = LLVMGetTypeKind (type);
    uint64_t whole
        = LLVMTypeIsSized (type) ? LLVMABISizeOfType (layout, type) : 0;
    if (kind == LLVMArrayTypeKind) {
      type = LLVMGetElementType (type);
      whole = LLVMABISizeOfType (layout, type);
      offset = whole ? offset % whole : 0;
      continue;
    }
    if (kind != LLVMStructTypeKind || offset >= whole)
      break;
    if (LLVMGetStructName (type))
      omen_shim_type_parts (a->w->module, LLVMGetStructName (type), 8 * whole,
                            8 * offset, 8 * a->size, fits_type, a);
    if (is_union (type) || !LLVMCountStructElementTypes (type))
      break;
    unsigned element = LLVMElementAtOffset (layout, type, offset);
    offset -= LLVMOffsetOfElement (layout, type, element);
    type = LLVMStructGetTypeAtIndex (type, element);
  }
  return a->found;
}

static bool
is_aggregate (LLVMTypeRef type)
{
  LLVMTypeKind kind = LLVMGetTypeKind (type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static bool
is_step (LLVMValueRef value)
{
  return (LLVMIsAGetElementPtrInst (value)
          || (LLVMIsAConstantExpr (value)
              && LLVMGetConstOpcode (value) == LLVMGetElementPtr))
         && is_aggregate (LLVMGetGEPSourceElementType (value));
}

/* A local whose address does not escape. */
static bool
is_private (omen_weave *w, LLVMValueRef address)
{
  while (LLVMIsAGetElementPtrInst (address))
    address = LLVMGetOperand (address, 0);
  return LLVMIsAAllocaInst (address) && omen_weave_private (w, address);
}

bool
omen_weave_may_be_typed (LLVMValueRef address)
{
  return is_step (address) || LLVMIsAGlobalVariable (address);
}

bool
omen_weave_type_fits (omen_weave *w, LLVMValueRef address, uint64_t size,
                      const char *pattern, omen_weave_match *match)
{
  asked a = { w, pattern, size ? size : 1, match, false };
  uint64_t offset = 0, first;
  *match = (omen_weave_match){ 0 };
  if (is_private (w, address))
    return false;
  for (unsigned i = 0; i < STEPS_MAX && is_step (address); i++) {
    offset += omen_weave_offset_of (w, address, &first, NULL);
    if (fits_in (&a, LLVMGetGEPSourceElementType (address), offset))
      return true;
    offset += first;
    address = LLVMGetOperand (address, 0);
  }
  return LLVMIsAGlobalVariable (address)
         && fits_in (&a, LLVMGlobalGetValueType (address), offset);
}
