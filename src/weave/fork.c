/* See fork.h. */
#include "weave/fork.h"

bool
omen_fork_is_note (const omen_weave *w, LLVMValueRef i)
{
  return LLVMIsACallInst (i) && w->callbacks[OMEN_CB_NOTE]
         && LLVMGetCalledValue (i) == w->callbacks[OMEN_CB_NOTE];
}

bool
omen_fork_is_quiet (const omen_weave *w, LLVMValueRef i)
{
  if (LLVMIsACallInst (i)) {
    LLVMValueRef callee = LLVMIsAFunction (LLVMGetCalledValue (i));
    LLVMAttributeRef memory
        = callee
              ? LLVMGetEnumAttributeAtIndex (callee, LLVMAttributeFunctionIndex,
                                             w->attributes[OMEN_ATTR_MEMORY])
              : NULL;
    enum omen_intrinsic what = omen_weave_intrinsic (w, i);
    return LLVMIsAIntrinsicInst (i)
           && (what == OMEN_IN_LIFE_START || what == OMEN_IN_LIFE_END
               || (memory && !LLVMGetEnumAttributeValue (memory)));
  }
  return !LLVMIsATerminatorInst (i) && !LLVMIsAAllocaInst (i)
         && !omen_weave_is_atomic (i)
         && LLVMGetTypeKind (LLVMTypeOf (i)) != LLVMTokenTypeKind;
}

bool
omen_fork_finds_variable (const omen_weave *w, LLVMBasicBlockRef block)
{
  bool library = LLVMGetModuleFlag (w->module, "PIC Level", 9)
                 && !LLVMGetModuleFlag (w->module, "PIE Level", 9);
  for (LLVMValueRef i = LLVMGetFirstInstruction (block); library && i;
       i = LLVMGetNextInstruction (i))
    if (LLVMIsACallInst (i)
        && omen_weave_intrinsic (w, i) == OMEN_IN_TLS_ADDRESS)
      return true;
  return false;
}

/* ---- copies ---- */

LLVMValueRef
omen_fork_copy_of (const omen_weave_map *copies, LLVMValueRef value)
{
  LLVMValueRef copy = omen_weave_map_get (copies, value);
  return copy ? copy : value;
}

void
omen_fork_copy (omen_weave *w, omen_weave_map *copies, LLVMValueRef i)
{
  LLVMValueRef copy = LLVMInstructionClone (i);
  for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands (copy); o++)
    LLVMSetOperand (copy, o,
                    omen_fork_copy_of (copies, LLVMGetOperand (copy, o)));
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (i));
  LLVMInsertIntoBuilder (w->builder, copy);
  omen_weave_map_put (copies, i, copy);
}

/* ---- words ---- */

static void
put_word (omen_weave *w, const omen_note_writer *r, unsigned word,
          LLVMValueRef value)
{
  LLVMBuildStore (w->builder, value,
                  omen_weave_offset (w, r->cursor, 8 * word));
}

static void
add_to_word (omen_weave *w, omen_note_writer *r, unsigned word,
             LLVMValueRef part)
{
  LLVMValueRef *all = &r->words[word];
  *all = *all ? LLVMBuildAdd (w->builder, *all, part, "") : part;
}

/* A part of a word that several members share. */
static void
add_part (omen_weave *w, omen_note_writer *r, const omen_note_layout_member *m)
{
  LLVMValueRef part
      = omen_fork_copy_of (r->copies, LLVMGetArgOperand (m->call, 1));
  if (m->weight)
    part = LLVMBuildMul (w->builder, part,
                         omen_weave_long (w, omen_weights[m->weight - 1]), "");
  else if (m->shift)
    part = LLVMBuildShl (w->builder, part, omen_weave_long (w, m->shift), "");
  add_to_word (w, r, m->word, part);
}

/* The base's address as an integer or pointer. Its operand may have been
   replaced by a phi since the layout was made. */
static LLVMValueRef
base_value (omen_weave *w, const omen_note_writer *r, unsigned i)
{
  const omen_note_layout_member *m
      = &r->layout->members[r->layout->bases[i].first];
  int64_t offset;
  LLVMValueRef root
      = omen_fork_copy_of (r->copies, omen_layout_root (w, m->call, &offset));
  if (offset == m->offset)
    return root;
  if (LLVMGetTypeKind (LLVMTypeOf (root)) == LLVMPointerTypeKind)
    root = LLVMBuildPtrToInt (w->builder, root, w->i64, "");
  return LLVMBuildAdd (w->builder, root,
                       omen_weave_long (w, (uint64_t)(offset - m->offset)), "");
}

static LLVMValueRef
base_bits (omen_weave *w, const omen_note_writer *r, unsigned i)
{
  LLVMValueRef value = base_value (w, r, i);
  return LLVMGetTypeKind (LLVMTypeOf (value)) == LLVMPointerTypeKind
             ? LLVMBuildPtrToInt (w->builder, value, w->i64, "")
             : value;
}

/* The distance of a base from the one that it is near. */
static void
add_near (omen_weave *w, omen_note_writer *r, unsigned i)
{
  const omen_layout_base *b = &r->layout->bases[i];
  LLVMValueRef way = LLVMBuildSub (w->builder, base_bits (w, r, i),
                                   base_bits (w, r, b->origin), "");
  if (b->least)
    way = LLVMBuildSub (w->builder, way,
                        omen_weave_long (w, (uint64_t)(int64_t)b->least), "");
  if (b->shift)
    way = LLVMBuildShl (w->builder, way, omen_weave_long (w, b->shift), "");
  add_to_word (w, r, r->layout->near_word, way);
}

/* Writes what is known once the first member of base i has happened. */
static void
write_base (omen_weave *w, omen_note_writer *r, unsigned i)
{
  const omen_note_layout *l = r->layout;
  if (l->bases[i].bits)
    add_near (w, r, i);
  if (l->bases[i].word)
    put_word (w, r, l->bases[i].word, base_value (w, r, i));
  for (unsigned k = 0; k < l->steps_count; k++)
    if (l->steps[k].to == i)
      put_word (w, r, l->steps[k].word,
                LLVMBuildSub (w->builder, base_bits (w, r, i),
                              base_bits (w, r, l->steps[k].from), ""));
}

/* Does an earlier member store the same value? It is written once. */
static bool
is_placed_before (const omen_note_layout *l, unsigned i)
{
  const omen_note_layout_member *m = &l->members[i];
  for (unsigned k = 0; k < i; k++)
    if (l->members[k].word == m->word && l->members[k].shift == m->shift
        && !m->weight)
      return true;
  return false;
}

/* The first operand of a single note. */
static LLVMValueRef
first_word (omen_weave *w, const omen_note_writer *r,
            const omen_note_layout_member *m)
{
  return m->base == OMEN_LAYOUT_INNER
             ? omen_weave_long (w, OMEN_DEPTH_INNER + (uint64_t)m->offset)
             : omen_fork_copy_of (r->copies, LLVMGetArgOperand (m->call, 0));
}

void
omen_writer_member (omen_weave *w, omen_note_writer *r, unsigned i)
{
  const omen_note_layout_member *m = &r->layout->members[i];
  if (r->layout->count == 1) {
    put_word (w, r, 1, first_word (w, r, m));
    put_word (w, r, 2,
              omen_fork_copy_of (r->copies, LLVMGetArgOperand (m->call, 1)));
    return;
  }
  if (m->base != OMEN_LAYOUT_INNER && r->layout->bases[m->base].first == i)
    write_base (w, r, m->base);
  if (m->word && !is_placed_before (r->layout, i))
    add_part (w, r, m);
}

void
omen_writer_begin (omen_weave *w, omen_note_writer *r, LLVMValueRef header)
{
  put_word (w, r, 0, header);
}

void
omen_writer_end (omen_weave *w, omen_note_writer *r)
{
  for (unsigned i = 0; i < r->layout->words; i++)
    if (r->words[i])
      put_word (w, r, i, r->words[i]);
  LLVMValueRef end = LLVMBuildStore (
      w->builder, omen_weave_offset (w, r->cursor, 8 * r->layout->words),
      omen_weave_cursor (w));
  LLVMSetAlignment (end, 8);
  LLVMSetOrdering (end,
                   LLVMAtomicOrderingRelease); /* other threads may read it */
}

/* ---- control ---- */

LLVMValueRef
omen_fork_control (omen_weave *w, LLVMBasicBlockRef head,
                   LLVMBasicBlockRef fast, LLVMBasicBlockRef slow,
                   LLVMBasicBlockRef plain)
{
  LLVMValueRef first = LLVMGetFirstInstruction (slow);
  LLVMBasicBlockRef other
      = LLVMInsertBasicBlockInContext (w->context, slow, "");
  LLVMInstructionEraseFromParent (LLVMGetBasicBlockTerminator (head));
  LLVMPositionBuilderAtEnd (w->builder, head);
  LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (first));
  LLVMValueRef cursor
      = LLVMBuildLoad2 (w->builder, w->pointer, omen_weave_cursor (w), "");
  LLVMValueRef low = LLVMBuildPtrToInt (w->builder, cursor, w->i16, "");
  LLVMValueRef none
      = LLVMBuildICmp (w->builder, LLVMIntSLE, low, LLVMConstNull (w->i16), "");
  omen_weave_make_unlikely (w, LLVMBuildCondBr (w->builder, none, other, fast));
  LLVMPositionBuilderAtEnd (w->builder, other);
  LLVMValueRef enabled = LLVMBuildICmp (
      w->builder, LLVMIntNE, LLVMBuildPtrToInt (w->builder, cursor, w->i64, ""),
      omen_weave_long (w, (uintptr_t)OMEN_CURSOR_DISABLED), "");
  omen_weave_make_unlikely (w,
                            LLVMBuildCondBr (w->builder, enabled, slow, plain));
  return cursor;
}
