/* The variables that state predicates speak of: where they are, as data of the
   object that defines them, for whoever evaluates the predicates. */
#include "weave/moment.h"

#include <string.h>

static void
tell (omen_weave *w, const omen_plan_cut *cut, LLVMValueRef global)
{
  uint64_t offset;
  uint32_t size;
  bool is_signed;
  if (!omen_shim_field (global, cut->pattern, &offset, &size, &is_signed))
    return;
  LLVMValueRef index = omen_weave_long (w, offset);
  LLVMValueRef members[] = {
    omen_weave_long (w, cut->event->spec),
    omen_weave_int (w, cut->event->property),
    omen_weave_int (w, cut->number),
    LLVMConstGEP2 (w->i8, global, &index, 1),
    omen_weave_int (w, size),
    omen_weave_int (w, is_signed),
  };
  LLVMValueRef value = LLVMConstStructInContext (w->context, members,
                                                 OMEN_COUNT (members), false);
  LLVMValueRef entry
      = LLVMAddGlobal (w->module, LLVMTypeOf (value), "omen.watched");
  OMEN_ASSERT (LLVMABISizeOfType (w->layout, LLVMTypeOf (value))
               == sizeof (omen_watched_variable));
  LLVMSetInitializer (entry, value);
  LLVMSetLinkage (entry, LLVMPrivateLinkage);
  LLVMSetSection (entry, "omen_watched");
  LLVMSetAlignment (entry, 8);
  omen_shim_keep (w->module, entry);
}

void
omen_weave_watched (omen_weave *w)
{
  omen_weave_list globals = { 0 };
  for (LLVMValueRef g = LLVMGetFirstGlobal (w->module); g;
       g = LLVMGetNextGlobal (g))
    if (!LLVMIsDeclaration (g) && !LLVMIsThreadLocal (g)
        && LLVMGetLinkage (g) != LLVMPrivateLinkage)
      omen_weave_list_add (&globals, g);
  for (size_t c = 0; c < w->plan->cuts.count; c++) {
    const omen_plan_cut *cut = w->plan->cuts.items[c];
    for (size_t i = 0; i < globals.count && omen_plan_is_state (cut->event); i++)
      tell (w, cut, globals.items[i]);
  }
  omen_weave_list_fini (&globals);
}
