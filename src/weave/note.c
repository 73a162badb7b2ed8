/* Notes as calls, the form that every note has first; block.c then writes them
   in line where code is optimised for speed. */
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

LLVMValueRef
omen_weave_inside (omen_weave *w)
{
  return find_thread_local (w, &w->inside_at, "__omen_inside", w->pointer);
}

LLVMValueRef
omen_weave_cursor (omen_weave *w)
{
  return find_thread_local (w, &w->cursor_at, "__omen_cursor", w->pointer);
}

void
omen_weave_note (omen_weave *w, LLVMValueRef a, LLVMValueRef b,
                 LLVMValueRef site)
{
  LLVMValueRef args[] = { a, b, site };
  omen_weave_call (w, OMEN_CB_NOTE, args);
}
