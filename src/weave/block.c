/* Notes in line. In code that is optimised for speed, the notes of a stretch
   (no call, atomic or branch between the first and the last) become one note of
   a block (abi.h), and the stretch is emitted three times (fork.h). In the fast
   form each word is written as soon as it is known; phis after the stretch join
   the values that are used later. A single note keeps its form: c[0] = site,
   c[1] = a, c[2] = b. Stretches that continue over branches become regions
   (region.h). */
#include "weave/region.h"

#include <stdlib.h>
#include <string.h>

typedef struct stretch {
  omen_note_layout layout;
  LLVMBasicBlockRef slow, fast, plain, done;
  LLVMValueRef cursor;
  omen_weave_map copies;       /* instruction -> its copy in `fast` */
  omen_weave_map plain_copies; /* likewise */
} stretch;

static void
write_fast (omen_weave *w, stretch *s)
{
  omen_note_writer r
      = { .layout = &s->layout, .cursor = s->cursor, .copies = &s->copies };
  unsigned noted = 0;
  omen_writer_begin (w, &r, omen_layout_header (w, &s->layout));
  for (LLVMValueRef i = LLVMGetFirstInstruction (s->slow);
       !LLVMIsATerminatorInst (i); i = LLVMGetNextInstruction (i)) {
    LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (i));
    if (omen_fork_is_note (w, i))
      omen_writer_member (w, &r, noted++);
    else
      omen_fork_copy (w, &s->copies, i);
  }
  omen_writer_end (w, &r);
  LLVMBuildBr (w->builder, s->done);
}

static void
write_plain (omen_weave *w, stretch *s)
{
  for (LLVMValueRef i = LLVMGetFirstInstruction (s->slow);
       !LLVMIsATerminatorInst (i); i = LLVMGetNextInstruction (i))
    if (!omen_fork_is_note (w, i))
      omen_fork_copy (w, &s->plain_copies, i);
  LLVMBuildBr (w->builder, s->done);
}

/* Replaces uses after the stretch by a phi of the three forms' values. */
static void
join_value (omen_weave *w, stretch *s, LLVMValueRef value)
{
  LLVMValueRef phi = NULL, copy = omen_weave_map_get (&s->copies, value);
  LLVMValueRef plain = omen_weave_map_get (&s->plain_copies, value);
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse (value); use; use = next) {
    LLVMValueRef user = LLVMGetUser (use);
    LLVMBasicBlockRef from[] = { s->slow, s->fast, s->plain };
    LLVMValueRef values[] = { value, copy, plain };
    next = LLVMGetNextUse (use);
    if (LLVMGetInstructionParent (user) == s->slow || user == phi)
      continue;
    if (!phi) {
      phi = LLVMBuildPhi (w->builder, LLVMTypeOf (value), "");
      LLVMAddIncoming (phi, values, from, OMEN_COUNT (values));
      next = LLVMGetFirstUse (value); /* the list has changed */
      continue;
    }
    for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands (user); o++)
      if (LLVMGetOperand (user, o) == value)
        LLVMSetOperand (user, o, phi);
    next = LLVMGetFirstUse (value);
  }
}

static void
join_values (omen_weave *w, stretch *s)
{
  LLVMValueRef at = LLVMGetFirstInstruction (s->done);
  LLVMPositionBuilderBefore (w->builder, at);
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (at));
  for (LLVMValueRef i = LLVMGetFirstInstruction (s->slow);
       !LLVMIsATerminatorInst (i); i = LLVMGetNextInstruction (i))
    if (!omen_fork_is_note (w, i))
      join_value (w, s, i);
}

static void
weave_stretch (omen_weave *w, stretch *s)
{
  omen_note_layout *l = &s->layout;
  LLVMValueRef first = l->members[0].call;
  LLVMValueRef after = LLVMGetNextInstruction (l->members[l->count - 1].call);
  LLVMBasicBlockRef head = LLVMGetInstructionParent (first);
  s->slow = omen_shim_split (first);
  s->done = omen_shim_split (after);
  s->fast = LLVMInsertBasicBlockInContext (w->context, s->done, "");
  s->plain = LLVMInsertBasicBlockInContext (w->context, s->done, "");
  s->cursor = omen_fork_control (w, head, s->fast, s->slow, s->plain);
  LLVMPositionBuilderAtEnd (w->builder, s->fast);
  write_fast (w, s);
  LLVMPositionBuilderAtEnd (w->builder, s->plain);
  write_plain (w, s);
  join_values (w, s);
  omen_weave_map_fini (&s->copies);
  omen_weave_map_fini (&s->plain_copies);
}

/* ---- which there are ---- */

/* What is woven in the end. */
typedef struct plan {
  omen_weave *w;
  omen_weave_list stretches, regions; /* omen_note_layout, omen_region */
  omen_weave_map taken; /* blocks that begin in a region -> its end there */
  omen_note_layout at_hand;
} plan;

static void *
keep_item (omen_weave_list *list, const void *item, size_t size)
{
  void *copy = malloc (size);
  OMEN_REQUIRE (copy);
  memcpy (copy, item, size);
  omen_weave_list_add (list, copy);
  return copy;
}

static void
drop_all (omen_weave_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    free (list->items[i]);
  omen_weave_list_fini (list);
}

static void
end_stretch (plan *p)
{
  omen_note_layout *l = &p->at_hand;
  if (!l->count)
    return;
  omen_layout_place (p->w, l);
  keep_item (&p->stretches, l, sizeof *l);
  *l = (omen_note_layout){ 0 };
}

static bool
plan_region (plan *p, LLVMValueRef first)
{
  omen_region region;
  if (!omen_region_find (p->w, &region, first))
    return false;
  keep_item (&p->regions, &region, sizeof region);
  for (unsigned i = 1; i < region.nodes_count; i++) {
    LLVMBasicBlockRef block = region.nodes[i].block;
    LLVMValueRef end = region.nodes[i].cut;
    omen_weave_map_put (&p->taken, block,
                        end ? end : LLVMGetBasicBlockTerminator (block));
  }
  return true;
}

static void
plan_block (void *data, LLVMBasicBlockRef block)
{
  plan *p = data;
  bool calls = omen_fork_finds_variable (p->w, block);
  LLVMValueRef i = omen_weave_map_get (&p->taken, block);
  for (i = i ? i : LLVMGetFirstInstruction (block); i && !calls;
       i = LLVMGetNextInstruction (i)) {
    bool note = omen_fork_is_note (p->w, i);
    if (note ? omen_layout_is_full (&p->at_hand)
             : !omen_fork_is_quiet (p->w, i))
      end_stretch (p);
    if (!note)
      continue;
    if (!p->at_hand.count && plan_region (p, i))
      return;
    omen_layout_add (p->w, &p->at_hand, i);
  }
  OMEN_ASSERT (!p->at_hand.count);
}

void
omen_weave_blocks (omen_weave *w, LLVMValueRef function)
{
  plan p = { .w = w };
  w->evolution = omen_shim_evolution_new (function);
  omen_shim_visit_blocks (function, plan_block, &p);
  omen_shim_evolution_free (w->evolution);
  w->evolution = NULL;
  for (size_t i = 0; i < p.stretches.count; i++) {
    const omen_note_layout *layout = p.stretches.items[i];
    stretch s = { .layout = *layout };
    weave_stretch (w, &s);
  }
  for (size_t i = 0; i < p.regions.count; i++)
    omen_region_weave (w, p.regions.items[i]);
  drop_all (&p.stretches);
  drop_all (&p.regions);
  omen_weave_map_fini (&p.taken);
}
