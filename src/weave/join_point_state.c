/* Lists where the variables of state predicates are, as data of the object file
   that defines them, for evaluating the predicates. */
#include "weave/plan.h"
#include "weave/weave.h"

#include <string.h>

typedef struct search {
  const char *name;
  const omen_weave_part *found;
  omen_weave_part part;
} search;

static bool
is_named_part (void *data, const char *name, const omen_weave_part *part)
{
  search *s = data;
  if (!s->found && !strcmp (s->name, name)) {
    s->part = *part;
    s->found = &s->part;
  }
  return !s->found && omen_pattern_may_begin (s->name, name);
}

/* Finds an integer in a global by its name in the source, "acc.balance" or
   "count"; false if there is none of that name. */
static bool
find_field (omen_weave *w, LLVMValueRef global, const char *name,
            uint64_t *offset, uint32_t *size, uint32_t *is_signed)
{
  uint64_t bits
      = 8 * LLVMABISizeOfType (w->layout, LLVMGlobalGetValueType (global));
  search s = { .name = name };
  omen_shim_parts (global, 0, bits, is_named_part, &s);
  if (!s.found || !s.part.bits || s.part.is_field || s.part.bit % 8)
    return false;
  *offset = (uint64_t)s.part.bit / 8;
  *size = (uint32_t)((s.part.is_whole ? bits : s.part.bits) / 8);
  *is_signed = s.part.is_real ? OMEN_WATCHED_REAL : s.part.is_signed;
  return *size == 1 || *size == 2 || *size == 4 || *size == 8;
}

static void
add_watched_variable (omen_weave *w, const omen_plan_cut *cut,
                      LLVMValueRef global)
{
  uint64_t offset;
  uint32_t size;
  uint32_t is_signed;
  if (!find_field (w, global, cut->pattern, &offset, &size, &is_signed))
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
    for (size_t i = 0; i < globals.count && omen_plan_is_state (cut->event);
         i++)
      add_watched_variable (w, cut, globals.items[i]);
  }
  omen_weave_list_fini (&globals);
}
