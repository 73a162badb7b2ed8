/* A note, in line:

     head:   c = __omen_cursor                     (if not known yet)
             if ((c & 0xffff) == 0) goto full      (hardly ever)
     room:   c->a = a; c->b = b; c->site = site;
             n = c + 1; __omen_cursor = n
     done:   phi (n, m)                            known to the next note
     full:   __omen_note (a, b, site); m = __omen_cursor; goto done

   or the call alone, where size matters more. */
#include "weave/weave.h"

static LLVMValueRef
find_thread_local (omen_weave *w, LLVMValueRef *slot, const char *name,
                   LLVMTypeRef type)
{
  if (!*slot)
    *slot = LLVMGetNamedGlobal (w->module, name);
  if (!*slot) {
    *slot = LLVMAddGlobal (w->module, type, name);
    LLVMSetThreadLocalMode (*slot, LLVMInitialExecTLSModel);
  }
  return *slot;
}

LLVMValueRef
omen_weave_depth (omen_weave *w)
{
  return find_thread_local (w, &w->depth_at, "__omen_depth", w->i64);
}

static LLVMValueRef
cursor_at (omen_weave *w)
{
  return find_thread_local (w, &w->cursor_at, "__omen_cursor", w->pointer);
}

static void
make_unlikely (omen_weave *w, LLVMValueRef branch)
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

/* The block where there is no room; leaves for `done`. */
static LLVMBasicBlockRef
build_full (omen_weave *w, LLVMValueRef *args, LLVMBasicBlockRef done,
            LLVMValueRef *cursor)
{
  LLVMBasicBlockRef full = LLVMInsertBasicBlockInContext (w->context, done,
                                                          "");
  LLVMPositionBuilderAtEnd (w->builder, full);
  omen_weave_call (w, OMEN_CB_NOTE, args);
  *cursor = LLVMBuildLoad2 (w->builder, w->pointer, cursor_at (w), "");
  LLVMBuildBr (w->builder, done);
  return full;
}

/* The block where there is. */
static LLVMBasicBlockRef
build_room (omen_weave *w, LLVMValueRef *args, LLVMBasicBlockRef done,
            LLVMValueRef *cursor)
{
  LLVMBasicBlockRef room = LLVMInsertBasicBlockInContext (w->context, done,
                                                          "");
  LLVMPositionBuilderAtEnd (w->builder, room);
  for (unsigned i = 0; i < 3; i++)
    LLVMBuildStore (w->builder, args[i],
                    omen_weave_offset (w, *cursor, 8 * i));
  *cursor = omen_weave_offset (w, *cursor, sizeof (omen_note));
  LLVMBuildStore (w->builder, *cursor, cursor_at (w));
  LLVMBuildBr (w->builder, done);
  return room;
}

static LLVMValueRef
is_full (omen_weave *w, LLVMValueRef cursor)
{
  LLVMValueRef low = LLVMBuildAnd (
      w->builder, LLVMBuildPtrToInt (w->builder, cursor, w->i64, ""),
      omen_weave_long (w, OMEN_NOTE_SPAN - 1), "");
  return LLVMBuildICmp (w->builder, LLVMIntEQ, low, omen_weave_long (w, 0),
                        "");
}

static void
build_in_line (omen_weave *w, LLVMValueRef *args)
{
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2 (w->builder);
  LLVMBasicBlockRef head = LLVMGetInsertBlock (w->builder), blocks[2];
  LLVMBasicBlockRef done = omen_shim_split (w->next);
  LLVMValueRef cursors[2];
  LLVMInstructionEraseFromParent (LLVMGetBasicBlockTerminator (head));
  LLVMPositionBuilderAtEnd (w->builder, head);
  LLVMSetCurrentDebugLocation2 (w->builder, location);
  if (!w->cursor)
    w->cursor = LLVMBuildLoad2 (w->builder, w->pointer, cursor_at (w), "");
  LLVMValueRef full = is_full (w, w->cursor);
  cursors[1] = w->cursor;
  blocks[0] = build_full (w, args, done, &cursors[0]);
  blocks[1] = build_room (w, args, done, &cursors[1]);
  LLVMPositionBuilderAtEnd (w->builder, head);
  make_unlikely (w, LLVMBuildCondBr (w->builder, full, blocks[0], blocks[1]));
  LLVMPositionBuilderBefore (w->builder, w->next);
  LLVMSetCurrentDebugLocation2 (w->builder, location);
  w->cursor = LLVMBuildPhi (w->builder, w->pointer, "");
  LLVMAddIncoming (w->cursor, cursors, blocks, 2);
}

void
omen_weave_note (omen_weave *w, LLVMValueRef a, LLVMValueRef b,
                 LLVMValueRef site)
{
  LLVMValueRef args[] = { a, b, site };
  if (w->in_line)
    build_in_line (w, args);
  else
    omen_weave_call (w, OMEN_CB_NOTE, args);
}
