/* Property events in the program (abi.h, "Events of properties"). The first
   pass inserts calls that are opaque to the optimiser:

     omen.join_point (&point, fits, values…)

   The second lowers them to the code that emits the event; last of all, so that
   this code's accesses are not woven. */
#include "weave/join_point.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name[] = "omen.join_point";

static LLVMTypeRef
marker_type (omen_weave *w)
{
  LLVMTypeRef types[] = { w->pointer, LLVMInt1TypeInContext (w->context) };
  return LLVMFunctionType (w->none, types, 2, true);
}

/* ---- the first pass ---- */

/* Converts a floating-point number to the type that the property file declares;
   it is an error to declare none, as its bits would be taken for an integer. */
static LLVMValueRef
as_declared (omen_weave *w, const omen_plan_event *event, uint32_t slot,
             LLVMValueRef value)
{
  LLVMTypeKind kind
      = value ? LLVMGetTypeKind (LLVMTypeOf (value)) : LLVMVoidTypeKind;
  char type = event->types[slot];
  if ((kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) || type == '*')
    return value;
  if (type == '-' || type == 'p') {
    const char *slot_name = event->text;
    for (uint32_t i = 0; i <= slot && slot_name; i++)
      slot_name
          = strstr (slot_name, ", ") ? strstr (slot_name, ", ") + 2 : NULL;
    slot_name = slot_name ? slot_name : "?";
    fprintf (stderr,
             "omen-weave: '%.*s' of event '%.*s' is a %s here; the property "
             "file has to say so: args(%s %.*s)\n",
             (int)strcspn (slot_name, ","), slot_name,
             (int)strcspn (event->text, ","), event->text,
             kind == LLVMFloatTypeKind ? "float" : "double",
             kind == LLVMFloatTypeKind ? "float" : "double",
             (int)strcspn (slot_name, ","), slot_name);
    exit (1);
  }
  return LLVMBuildFPCast (w->builder, value,
                          type == 'd' ? LLVMDoubleTypeInContext (w->context)
                                      : LLVMFloatTypeInContext (w->context),
                          "");
}

/* Integers are sign-extended, as by OMEN_EVENT. */
static LLVMValueRef
as_word (omen_weave *w, LLVMValueRef value)
{
  LLVMTypeRef type = value ? LLVMTypeOf (value) : NULL;
  if (!value)
    return omen_weave_long (w, 0);
  switch (LLVMGetTypeKind (type)) {
  case LLVMPointerTypeKind:
    return LLVMBuildPtrToInt (w->builder, value, w->i64, "");
  case LLVMIntegerTypeKind:
    return LLVMBuildIntCast2 (w->builder, value, w->i64,
                              LLVMGetIntTypeWidth (type) > 1, "");
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return omen_weave_bits (w, value);
  default:
    return omen_weave_long (w, 0);
  }
}

static uint32_t
pointers_of (const LLVMValueRef *values, uint32_t count)
{
  uint32_t set = 0;
  for (uint32_t i = 0; i < count; i++)
    if (values[i]
        && LLVMGetTypeKind (LLVMTypeOf (values[i])) == LLVMPointerTypeKind)
      set |= 1u << i;
  return set;
}

static LLVMValueRef
new_join_point (omen_weave *w, const omen_plan_cut *cut, uint32_t pointers)
{
  const omen_plan_event *event = cut->event;
  LLVMTypeRef types[] = { w->i64, w->i32, w->i32, w->i32,     w->i32, w->i32,
                          w->i32, w->i32, w->i32, w->pointer, w->i64 };
  LLVMTypeRef type
      = LLVMStructTypeInContext (w->context, types, OMEN_COUNT (types), false);
  LLVMValueRef point = LLVMAddGlobal (w->module, type, "omen.join_point.data");
  LLVMValueRef site
      = omen_weave_site (w, (omen_weave_what){ .kind = OMEN_SITE_JOIN_POINT });
  LLVMValueRef members[] = {
    omen_weave_long (w, event->spec),
    omen_weave_int (w, event->property),
    omen_weave_int (w, event->number),
    omen_weave_int (w, cut->number),
    omen_weave_int (w, event->slots),
    omen_weave_int (w, pointers),
    omen_weave_int (w, (uint32_t)(cut->thread + 1)),
    omen_weave_distance (w, omen_weave_text (w, event->text), point),
    omen_weave_distance (w, site, point),
    LLVMConstNull (w->pointer),
    omen_weave_long (w, 0),
  };
  OMEN_ASSERT (LLVMABISizeOfType (w->layout, type) == sizeof (omen_join_point));
  LLVMSetInitializer (point,
                      LLVMConstStructInContext (w->context, members,
                                                OMEN_COUNT (members), false));
  LLVMSetLinkage (point, LLVMPrivateLinkage);
  LLVMSetSection (point, "omen_moments");
  LLVMSetAlignment (point, 8);
  return point;
}

static LLVMValueRef
marker (omen_weave *w)
{
  LLVMValueRef function = LLVMGetNamedFunction (w->module, name);
  if (!function) {
    function = LLVMAddFunction (w->module, name, marker_type (w));
    omen_weave_give (w, function, OMEN_ATTR_NOUNWIND);
  }
  return function;
}

/* Is the argument equal to the text in the pointcut: a number, or the address
   of a variable by its name? NULL: it cannot be. */
static LLVMValueRef
equals (omen_weave *w, LLVMValueRef arg, const char *text)
{
  char *end;
  long long number = strtoll (text, &end, 0);
  LLVMValueRef other = LLVMGetNamedGlobal (w->module, text);
  bool pointer = LLVMGetTypeKind (LLVMTypeOf (arg)) == LLVMPointerTypeKind;
  if (!*end && end != text)
    other = omen_weave_long (w, (uint64_t)number);
  else if (!other || !pointer)
    return NULL;
  else
    other = as_word (w, other);
  return LLVMBuildICmp (w->builder, LLVMIntEQ, as_word (w, arg), other, "");
}

bool
omen_weave_bind (omen_weave *w, const omen_plan_cut *cut, LLVMValueRef *args,
                 unsigned count, LLVMValueRef *values)
{
  values[OMEN_SLOTS_MAX] = NULL;
  for (unsigned i = 0; i < cut->arg_count && i < count; i++) {
    const omen_plan_arg *arg = &cut->args[i];
    LLVMValueRef same;
    if (arg->kind == OMEN_ARG_NAME)
      values[arg->slot] = args[i];
    if (arg->kind != OMEN_ARG_TEXT)
      continue;
    if (!(same = equals (w, args[i], arg->text)))
      return false;
    values[OMEN_SLOTS_MAX]
        = values[OMEN_SLOTS_MAX]
              ? LLVMBuildAnd (w->builder, values[OMEN_SLOTS_MAX], same, "")
              : same;
  }
  return true;
}

void
omen_weave_join_point (omen_weave *w, const omen_plan_cut *cut,
                       const LLVMValueRef *values)
{
  LLVMValueRef words[OMEN_SLOTS_MAX + 2], fits = values[OMEN_SLOTS_MAX], call;
  uint32_t count = cut->event->slots;
  words[0] = new_join_point (w, cut, pointers_of (values, count));
  words[1] = fits ? fits
                  : LLVMConstInt (LLVMInt1TypeInContext (w->context), 1, false);
  for (uint32_t i = 0; i < count; i++)
    words[i + 2] = as_word (w, as_declared (w, cut->event, i, values[i]));
  call = LLVMBuildCall2 (w->builder, marker_type (w), marker (w), words,
                         count + 2, "");
  LLVMAddCallSiteAttribute (
      call, LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute (w->context, w->attributes[OMEN_ATTR_NOMERGE],
                               0));
}

void
omen_weave_join_points (omen_weave *w, LLVMValueRef function)
{
  if (!w->plan->cuts.count || omen_weave_has (w, function, OMEN_ATTR_DISABLE)
      || omen_weave_has (w, function, OMEN_ATTR_NAKED)
      || LLVMGetLinkage (function) == LLVMAvailableExternallyLinkage)
    return;
  omen_weave_access_join_points (w, w->plan, function);
  omen_weave_call_join_points (w, w->plan, function);
}

/* ---- the second pass ---- */

/* Stack space for the values, shared by all join points of a function. */
static LLVMValueRef
room_of (omen_weave *w, LLVMValueRef function, unsigned count,
         omen_weave_map *rooms)
{
  LLVMTypeRef type = LLVMArrayType2 (w->i64, OMEN_SLOTS_MAX);
  LLVMValueRef room = omen_weave_map_get (rooms, function);
  OMEN_ASSERT (count <= OMEN_SLOTS_MAX);
  if (!room) {
    LLVMPositionBuilderBefore (
        w->builder,
        LLVMGetFirstInstruction (LLVMGetEntryBasicBlock (function)));
    LLVMSetCurrentDebugLocation2 (w->builder, NULL);
    room = LLVMBuildAlloca (w->builder, type, "");
    omen_weave_map_put (rooms, function, room);
  }
  return room;
}

static LLVMValueRef
switched_on (omen_weave *w, LLVMValueRef fits)
{
  static const char flag[] = "__omen_moments";
  LLVMValueRef at = LLVMGetNamedGlobal (w->module, flag), on;
  if (!at)
    at = LLVMAddGlobal (w->module, w->i32, flag);
  on = LLVMBuildICmp (w->builder, LLVMIntNE,
                      LLVMBuildLoad2 (w->builder, w->i32, at, ""),
                      omen_weave_int (w, 0), "");
  return LLVMBuildAnd (w->builder, on, fits, "");
}

static void
replace_by_test (omen_weave *w, LLVMValueRef call, omen_weave_map *rooms)
{
  unsigned count = LLVMGetNumArgOperands (call) - 2;
  LLVMBasicBlockRef head = LLVMGetInstructionParent (call), rest, body;
  LLVMValueRef room = room_of (w, LLVMGetBasicBlockParent (head), count, rooms);
  LLVMValueRef args[] = { LLVMGetArgOperand (call, 0), room };
  LLVMValueRef on;
  omen_weave_before (w, call);
  on = switched_on (w, LLVMGetArgOperand (call, 1));
  rest = omen_shim_split (LLVMGetNextInstruction (call));
  body = omen_shim_split (call);
  LLVMInstructionEraseFromParent (LLVMGetBasicBlockTerminator (head));
  LLVMPositionBuilderAtEnd (w->builder, head);
  LLVMBuildCondBr (w->builder, on, body, rest);
  omen_weave_before (w, call);
  for (unsigned i = 0; i < count; i++)
    LLVMBuildStore (w->builder, LLVMGetArgOperand (call, i + 2),
                    omen_weave_offset (w, room, 8 * i));
  omen_weave_call (w, OMEN_CB_MOMENT, args);
  LLVMInstructionEraseFromParent (call);
}

void
omen_weave_lower_join_points (omen_weave *w)
{
  LLVMValueRef function = LLVMGetNamedFunction (w->module, name);
  omen_weave_map rooms = { 0 };
  LLVMUseRef use;
  if (!function)
    return;
  while ((use = LLVMGetFirstUse (function)))
    replace_by_test (w, LLVMGetUser (use), &rooms);
  omen_weave_map_fini (&rooms);
  LLVMDeleteFunction (function);
}
