/* What a pass over a module needs: types, attributes, callbacks, places. */
#include "weave/depend.h"

#include <string.h>

static const char *const names[OMEN_CALLBACKS] = {
#define OMEN_CALLBACK(id, name, ...) [OMEN_CB_##id] = "__omen_" #name,
#include "weave/callbacks.def"
};

/* Checks that callbacks.def agrees with the prototypes in abi.h. */
#define V void
#define I uint32_t
#define L uint64_t
#define P const volatile void *
#define D void *
#define S const void *
#define W omen_site *
#define OMEN_CALLBACK(id, name, result, ...)                                   \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (__omen_##name),    \
                                                result (__VA_ARGS__)),         \
                  #name " differs between callbacks.def and abi.h");
#include "weave/callbacks.def"
#undef V
#undef I
#undef L
#undef P
#undef D
#undef S
#undef W

static void
find_signatures (omen_weave *w)
{
  LLVMTypeRef V = w->none, I = w->i32, L = w->i64, P = w->pointer;
  LLVMTypeRef D = P, S = P, W = P;
#define OMEN_CALLBACK(id, name, result, ...)                                   \
  {                                                                            \
    LLVMTypeRef types[] = { __VA_ARGS__ };                                     \
    w->types[OMEN_CB_##id]                                                     \
        = LLVMFunctionType (result, types, OMEN_COUNT (types), false);         \
  }
#include "weave/callbacks.def"
}

static void
find_numbers (omen_weave *w)
{
#define OMEN_ATTRIBUTE(id, name)                                               \
  w->attributes[OMEN_ATTR_##id]                                                \
      = LLVMGetEnumAttributeKindForName (name, strlen (name));                 \
  OMEN_ASSERT (w->attributes[OMEN_ATTR_##id]);
  OMEN_WEAVE_ATTRIBUTES (OMEN_ATTRIBUTE)
#undef OMEN_ATTRIBUTE
#define OMEN_INTRINSIC(id, name)                                               \
  w->intrinsics[OMEN_IN_##id] = LLVMLookupIntrinsicID (name, strlen (name));   \
  OMEN_ASSERT (w->intrinsics[OMEN_IN_##id]);
  OMEN_WEAVE_INTRINSICS (OMEN_INTRINSIC)
#undef OMEN_INTRINSIC
  w->nosanitize = LLVMGetMDKindIDInContext (w->context, "nosanitize", 10);
  w->invariant_load
      = LLVMGetMDKindIDInContext (w->context, "invariant.load", 14);
  w->prof = LLVMGetMDKindIDInContext (w->context, "prof", 4);
}

void
omen_weave_init (omen_weave *w, LLVMModuleRef module)
{
  memset (w, 0, sizeof *w);
  w->module = module;
  w->context = LLVMGetModuleContext (module);
  w->builder = LLVMCreateBuilderInContext (w->context);
  w->layout = LLVMGetModuleDataLayout (module);
  w->none = LLVMVoidTypeInContext (w->context);
  w->i8 = LLVMInt8TypeInContext (w->context);
  w->i16 = LLVMInt16TypeInContext (w->context);
  w->i32 = LLVMInt32TypeInContext (w->context);
  w->i64 = LLVMInt64TypeInContext (w->context);
  w->pointer = LLVMPointerTypeInContext (w->context, 0);
  find_signatures (w);
  find_numbers (w);
  for (unsigned c = 0; c < OMEN_CALLBACKS; c++)
    w->callbacks[c] = LLVMGetNamedFunction (module, names[c]);
  omen_weave_find_marks (w);
}

void
omen_weave_fini (omen_weave *w)
{
  LLVMDisposeBuilder (w->builder);
  omen_weave_set_fini (&w->unshared);
  omen_weave_map_fini (&w->levels);
  omen_weave_map_fini (&w->callers);
  omen_weave_map_fini (&w->slots);
  omen_depend_free (w->depend);
}

bool
omen_weave_has (const omen_weave *w, LLVMValueRef function,
                enum omen_attribute attribute)
{
  return LLVMGetEnumAttributeAtIndex (function, LLVMAttributeFunctionIndex,
                                      w->attributes[attribute]);
}

void
omen_weave_give (const omen_weave *w, LLVMValueRef function,
                 enum omen_attribute attribute)
{
  LLVMAddAttributeAtIndex (
      function, LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute (w->context, w->attributes[attribute], 0));
}

void
omen_weave_take (const omen_weave *w, LLVMValueRef function,
                 enum omen_attribute attribute)
{
  LLVMRemoveEnumAttributeAtIndex (function, LLVMAttributeFunctionIndex,
                                  w->attributes[attribute]);
}

enum omen_intrinsic
omen_weave_intrinsic (const omen_weave *w, LLVMValueRef call)
{
  LLVMValueRef function = LLVMIsAFunction (LLVMGetCalledValue (call));
  unsigned id = function ? LLVMGetIntrinsicID (function) : 0;
  enum omen_intrinsic i = 0;
  while (i < OMEN_INTRINSICS && (!id || w->intrinsics[i] != id))
    i++;
  return i;
}

static LLVMValueRef
declare (omen_weave *w, enum omen_callback callback)
{
  LLVMValueRef *function = &w->callbacks[callback];
  if (!*function) {
    *function
        = LLVMAddFunction (w->module, names[callback], w->types[callback]);
    omen_weave_give (w, *function, OMEN_ATTR_NOUNWIND);
    omen_weave_give (w, *function, OMEN_ATTR_NONLAZY);
    if (callback == OMEN_CB_NOTE)
      LLVMSetFunctionCallConv (*function, LLVMPreserveMostCallConv);
  }
  return *function;
}

void
omen_weave_before (omen_weave *w, LLVMValueRef at)
{
  w->next = at;
  LLVMPositionBuilderBefore (w->builder, at);
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (at));
}

void
omen_weave_after (omen_weave *w, LLVMValueRef at)
{
  w->next = LLVMGetNextInstruction (at);
  OMEN_REQUIRE (w->next);
  LLVMPositionBuilderBefore (w->builder, w->next);
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (at));
}

LLVMValueRef
omen_weave_call (omen_weave *w, enum omen_callback callback, LLVMValueRef *args)
{
  LLVMValueRef function = declare (w, callback);
  LLVMTypeRef type = w->types[callback];
  LLVMValueRef call = LLVMBuildCall2 (w->builder, type, function, args,
                                      LLVMCountParamTypes (type), "");
  LLVMSetInstructionCallConv (call, LLVMGetFunctionCallConv (function));
  LLVMSetTailCallKind (call, LLVMTailCallKindNoTail);
  LLVMAddCallSiteAttribute (
      call, LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute (w->context, w->attributes[OMEN_ATTR_NOMERGE],
                               0));
  return call;
}

LLVMValueRef
omen_weave_int (const omen_weave *w, uint32_t n)
{
  return LLVMConstInt (w->i32, n, false);
}

LLVMValueRef
omen_weave_long (const omen_weave *w, uint64_t n)
{
  return LLVMConstInt (w->i64, n, false);
}

LLVMValueRef
omen_weave_offset (omen_weave *w, LLVMValueRef addr, uint64_t bytes)
{
  LLVMValueRef index = omen_weave_long (w, bytes);
  if (!bytes)
    return addr;
  return LLVMBuildInBoundsGEP2 (w->builder, w->i8, addr, &index, 1, "");
}

void
omen_weave_make_unlikely (omen_weave *w, LLVMValueRef branch)
{
  if (!w->unlikely) {
    LLVMMetadataRef parts[]
        = { LLVMMDStringInContext2 (w->context, "branch_weights", 14),
            LLVMValueAsMetadata (omen_weave_int (w, 1)),
            LLVMValueAsMetadata (omen_weave_int (w, OMEN_NOTE_SPAN)) };
    w->unlikely = LLVMMetadataAsValue (
        w->context, LLVMMDNodeInContext2 (w->context, parts, 3));
  }
  LLVMSetMetadata (branch, w->prof, w->unlikely);
}
