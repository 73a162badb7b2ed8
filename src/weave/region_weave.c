/* Regions as code. */
#include "weave/region.h"

/* One of the three forms. */
typedef struct form {
  LLVMBasicBlockRef blocks[OMEN_REGION_NODES];
  omen_weave_map copies;
} form;

/* Splits the nodes from the code before and after them. */
static void
cut_out (const omen_region *r, form *slow, LLVMBasicBlockRef *head)
{
  *head = LLVMGetInstructionParent (r->first);
  slow->blocks[0] = omen_shim_split (r->first);
  for (unsigned i = 0; i < r->nodes_count; i++) {
    if (i)
      slow->blocks[i] = r->nodes[i].block;
    if (r->nodes[i].cut)
      omen_shim_split (r->nodes[i].cut);
  }
}

/* Phis have one incoming value here, which replaces them in the copy. */
static void
copy_block (omen_weave *w, form *to, LLVMBasicBlockRef block)
{
  LLVMBasicBlockRef copy = LLVMValueAsBasicBlock (
      omen_weave_map_get (&to->copies, LLVMBasicBlockAsValue (block)));
  LLVMPositionBuilderAtEnd (w->builder, copy);
  for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
       i = LLVMGetNextInstruction (i)) {
    if (omen_fork_is_note (w, i))
      continue;
    if (LLVMIsAPHINode (i)) {
      OMEN_ASSERT (LLVMCountIncoming (i) == 1);
      omen_weave_map_put (
          &to->copies, i,
          omen_fork_copy_of (&to->copies, LLVMGetIncomingValue (i, 0)));
      continue;
    }
    omen_fork_copy (w, &to->copies, i);
  }
}

/* Adds the predecessor `from` to the phis of `target`, with the copies of the
   values that come from `old`. */
static void
add_way_in (const form *to, LLVMBasicBlockRef target, LLVMBasicBlockRef old,
            LLVMBasicBlockRef from)
{
  for (LLVMValueRef phi = LLVMGetFirstInstruction (target);
       LLVMIsAPHINode (phi); phi = LLVMGetNextInstruction (phi)) {
    unsigned i = 0;
    while (LLVMGetIncomingBlock (phi, i) != old)
      i++;
    LLVMValueRef value
        = omen_fork_copy_of (&to->copies, LLVMGetIncomingValue (phi, i));
    LLVMAddIncoming (phi, &value, &from, 1);
  }
}

static void
copy_form (omen_weave *w, const omen_region *r, const form *slow, form *to)
{
  for (unsigned i = 0; i < r->nodes_count; i++) {
    to->blocks[i]
        = LLVMInsertBasicBlockInContext (w->context, slow->blocks[i], "");
    omen_weave_map_put (&to->copies, LLVMBasicBlockAsValue (slow->blocks[i]),
                        LLVMBasicBlockAsValue (to->blocks[i]));
  }
  for (unsigned i = 0; i < r->nodes_count; i++)
    copy_block (w, to, slow->blocks[i]);
}

static bool
is_inside (const omen_region *r, const form *f, LLVMBasicBlockRef block)
{
  for (unsigned i = 0; i < r->nodes_count; i++)
    if (f->blocks[i] == block)
      return true;
  return false;
}

/* The exits of the plain form go where those of the slow form go. */
static void
leave_plainly (const omen_region *r, const form *slow, const form *plain)
{
  for (unsigned n = 0; n < r->nodes_count; n++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator (slow->blocks[n]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors (end); i++) {
      LLVMBasicBlockRef to = LLVMGetSuccessor (end, i);
      if (!is_inside (r, slow, to))
        add_way_in (plain, to, slow->blocks[n], plain->blocks[n]);
    }
  }
}

/* An exit of the fast form: a block that writes the note of its path. */
static void
leave_noting (omen_weave *w, const form *slow, const form *fast,
              LLVMValueRef cursor, const omen_region_exit *exit)
{
  LLVMValueRef end = LLVMGetBasicBlockTerminator (fast->blocks[exit->node]);
  LLVMBasicBlockRef to = exit->to ? exit->to : LLVMGetSuccessor (end, 0);
  LLVMBasicBlockRef out
      = LLVMInsertBasicBlockInContext (w->context, slow->blocks[0], "");
  omen_note_writer writer
      = { .layout = &exit->layout, .cursor = cursor, .copies = &fast->copies };
  for (unsigned i = 0; i < LLVMGetNumSuccessors (end); i++)
    if (LLVMGetSuccessor (end, i) == to)
      LLVMSetSuccessor (end, i, out);
  add_way_in (fast, to, slow->blocks[exit->node], out);
  LLVMPositionBuilderAtEnd (w->builder, out);
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (end));
  omen_writer_begin (w, &writer, omen_layout_header (w, &exit->layout));
  for (unsigned i = 0; i < exit->layout.count; i++)
    omen_writer_member (w, &writer, i);
  omen_writer_end (w, &writer);
  LLVMBuildBr (w->builder, to);
}

/* Joins the three forms' values for uses after the region. */
static void
join_values (const omen_region *r, const form *slow, const form *fast,
             const form *plain)
{
  for (unsigned n = 0; n < r->nodes_count; n++) {
    LLVMBasicBlockRef blocks[]
        = { slow->blocks[n], fast->blocks[n], plain->blocks[n] };
    for (LLVMValueRef i = LLVMGetFirstInstruction (blocks[0]); i;
         i = LLVMGetNextInstruction (i)) {
      LLVMValueRef values[] = { i, omen_weave_map_get (&fast->copies, i),
                                omen_weave_map_get (&plain->copies, i) };
      if (values[1] && LLVMGetFirstUse (i))
        omen_shim_join (values, blocks, OMEN_COUNT (blocks), slow->blocks,
                        r->nodes_count);
    }
  }
}

void
omen_region_weave (omen_weave *w, const omen_region *r)
{
  form slow = { 0 }, fast = { 0 }, plain = { 0 };
  LLVMBasicBlockRef head;
  OMEN_ASSERT (r->nodes_count > 1 && r->exits_count);
  cut_out (r, &slow, &head);
  copy_form (w, r, &slow, &fast);
  copy_form (w, r, &slow, &plain);
  LLVMValueRef cursor = omen_fork_control (w, head, fast.blocks[0],
                                           slow.blocks[0], plain.blocks[0]);
  leave_plainly (r, &slow, &plain);
  for (unsigned i = 0; i < r->exits_count; i++)
    leave_noting (w, &slow, &fast, cursor, &r->exits[i]);
  join_values (r, &slow, &fast, &plain);
  omen_weave_map_fini (&fast.copies);
  omen_weave_map_fini (&plain.copies);
}
