/* Notes in line. Where code is optimised for speed, the notes of a stretch (no
   call, atomic or branch between the first and the last) become one note of a
   block (abi.h), and the stretch is there three times:

     head:  c = __omen_cursor
            if ((int16_t)c <= 0) goto other                (hardly ever)
     fast:  c[0] = block; c[1] = base; … each word as soon as it is known, a
            sum over the loads at the end; __omen_cursor = c + words
     other: if (c == OMEN_CURSOR_DEAF) goto plain
     slow:  the stretch as it was: a call after each access
     plain: the stretch without notes
     done:  a phi for each value that is used later

   A stretch of one note is that note: c[0] = site, c[1] = a, c[2] = b. */
#include "weave/layout.h"

#include <stdlib.h>

typedef struct stretch {
  omen_layout layout;
  LLVMBasicBlockRef slow, fast, plain, done;
  LLVMValueRef cursor;
  LLVMValueRef words[OMEN_BLOCK_WORDS]; /* those that are put together */
  omen_weave_map copies; /* instruction -> its copy in `fast` */
  omen_weave_map plain_copies; /* likewise */
} stretch;

static bool
is_note (const omen_weave *w, LLVMValueRef i)
{
  return LLVMIsACallInst (i) && w->callbacks[OMEN_CB_NOTE]
         && LLVMGetCalledValue (i) == w->callbacks[OMEN_CB_NOTE];
}

/* May the instruction stand between the notes of one block? Nothing that hands
   control to others, orders threads, or cannot be there twice. */
static bool
is_quiet (const omen_weave *w, LLVMValueRef i)
{
  if (LLVMIsACallInst (i)) {
    LLVMValueRef callee = LLVMIsAFunction (LLVMGetCalledValue (i));
    LLVMAttributeRef memory
        = callee ? LLVMGetEnumAttributeAtIndex (
                       callee, LLVMAttributeFunctionIndex,
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

/* In a shared library the address of a thread's variable may come from a call,
   which may allocate memory and note that. Where in its basic block the call
   ends up is not for us to say: there notes are calls, not words at a cursor
   that somebody else moves. */
static bool
finds_threads_variable (const omen_weave *w, LLVMBasicBlockRef block)
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

/* ---- code ---- */

static LLVMValueRef
copy_in (const omen_weave_map *copies, LLVMValueRef value)
{
  LLVMValueRef copy = omen_weave_map_get (copies, value);
  return copy ? copy : value;
}

static LLVMValueRef
copy_of (const stretch *s, LLVMValueRef value)
{
  return copy_in (&s->copies, value);
}

static void
put_word (omen_weave *w, const stretch *s, unsigned word, LLVMValueRef value)
{
  LLVMBuildStore (w->builder, value,
                  omen_weave_offset (w, s->cursor, 8 * word));
}

/* A part of a word that is put together. */
static void
add_part (omen_weave *w, stretch *s, const omen_layout_member *m)
{
  LLVMValueRef part = copy_of (s, LLVMGetArgOperand (m->call, 1));
  LLVMValueRef *word = &s->words[m->word];
  if (m->weight)
    part = LLVMBuildMul (w->builder, part,
                         omen_weave_long (w, omen_weights[m->weight - 1]), "");
  else if (m->shift)
    part = LLVMBuildShl (w->builder, part, omen_weave_long (w, m->shift), "");
  *word = *word ? LLVMBuildAdd (w->builder, *word, part, "") : part;
}

/* As an integer, or a pointer. What it is derived from may have become a phi
   since it was placed. */
static LLVMValueRef
base_value (omen_weave *w, const stretch *s, unsigned i)
{
  const omen_layout_member *m
      = &s->layout.members[s->layout.bases[i].first];
  int64_t offset;
  LLVMValueRef root = copy_of (s, omen_layout_root (w, m->call, &offset));
  if (offset == m->offset)
    return root;
  if (LLVMGetTypeKind (LLVMTypeOf (root)) == LLVMPointerTypeKind)
    root = LLVMBuildPtrToInt (w->builder, root, w->i64, "");
  return LLVMBuildAdd (w->builder, root,
                       omen_weave_long (w, (uint64_t)(offset - m->offset)),
                       "");
}

static LLVMValueRef
base_bits (omen_weave *w, const stretch *s, unsigned i)
{
  LLVMValueRef value = base_value (w, s, i);
  return LLVMGetTypeKind (LLVMTypeOf (value)) == LLVMPointerTypeKind
             ? LLVMBuildPtrToInt (w->builder, value, w->i64, "")
             : value;
}

/* What is known once the first member of base i is there. */
static void
write_base (omen_weave *w, const stretch *s, unsigned i)
{
  const omen_layout *l = &s->layout;
  if (l->bases[i].word)
    put_word (w, s, l->bases[i].word, base_value (w, s, i));
  for (unsigned k = 0; k < l->steps_count; k++)
    if (l->steps[k].to == i)
      put_word (w, s, l->steps[k].word,
                LLVMBuildSub (w->builder, base_bits (w, s, i),
                              base_bits (w, s, l->steps[k].from), ""));
}

/* What is stored twice is there once. */
static bool
is_placed_before (const omen_layout *l, unsigned i)
{
  const omen_layout_member *m = &l->members[i];
  for (unsigned k = 0; k < i; k++)
    if (l->members[k].word == m->word && l->members[k].shift == m->shift
        && !m->weight)
      return true;
  return false;
}

static void
write_member (omen_weave *w, stretch *s, unsigned i)
{
  const omen_layout_member *m = &s->layout.members[i];
  if (s->layout.bases[m->base].first == i)
    write_base (w, s, m->base);
  if (m->word && !is_placed_before (&s->layout, i))
    add_part (w, s, m);
}

/* Everything but notes is copied; operands become those of the copy. */
static void
copy_instruction (omen_weave *w, omen_weave_map *copies, LLVMValueRef i)
{
  LLVMValueRef copy = LLVMInstructionClone (i);
  for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands (copy); o++)
    LLVMSetOperand (copy, o, copy_in (copies, LLVMGetOperand (copy, o)));
  LLVMInsertIntoBuilder (w->builder, copy);
  omen_weave_map_put (copies, i, copy);
}

static void
write_fast (omen_weave *w, stretch *s, LLVMValueRef header)
{
  unsigned noted = 0;
  put_word (w, s, 0, header);
  for (LLVMValueRef i = LLVMGetFirstInstruction (s->slow);
       !LLVMIsATerminatorInst (i); i = LLVMGetNextInstruction (i)) {
    LLVMSetCurrentDebugLocation2 (w->builder, LLVMInstructionGetDebugLoc (i));
    if (!is_note (w, i))
      copy_instruction (w, &s->copies, i);
    else if (s->layout.count > 1)
      write_member (w, s, noted++);
    else
      for (unsigned o = 0; o < 2; o++)
        put_word (w, s, 1 + o, LLVMGetArgOperand (i, o));
  }
  for (unsigned i = 0; i < s->layout.words; i++)
    if (s->words[i])
      put_word (w, s, i, s->words[i]);
  LLVMValueRef end = LLVMBuildStore (
      w->builder, omen_weave_offset (w, s->cursor, 8 * s->layout.words),
      omen_weave_cursor (w));
  LLVMSetAlignment (end, 8);
  LLVMSetOrdering (end, LLVMAtomicOrderingRelease); /* others may look */
  LLVMBuildBr (w->builder, s->done);
}

static void
write_plain (omen_weave *w, stretch *s)
{
  for (LLVMValueRef i = LLVMGetFirstInstruction (s->slow);
       !LLVMIsATerminatorInst (i); i = LLVMGetNextInstruction (i))
    if (!is_note (w, i))
      copy_instruction (w, &s->plain_copies, i);
  LLVMBuildBr (w->builder, s->done);
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

/* head -> slow -> done becomes head -> fast, slow or plain -> done. */
static void
fork_control (omen_weave *w, stretch *s, LLVMBasicBlockRef head)
{
  LLVMValueRef first = LLVMGetFirstInstruction (s->slow);
  LLVMBasicBlockRef other
      = LLVMInsertBasicBlockInContext (w->context, s->slow, "");
  LLVMInstructionEraseFromParent (LLVMGetBasicBlockTerminator (head));
  LLVMPositionBuilderAtEnd (w->builder, head);
  LLVMSetCurrentDebugLocation2 (w->builder,
                                LLVMInstructionGetDebugLoc (first));
  s->cursor = LLVMBuildLoad2 (w->builder, w->pointer, omen_weave_cursor (w),
                              "");
  LLVMValueRef low = LLVMBuildPtrToInt (w->builder, s->cursor, w->i16, "");
  LLVMValueRef none = LLVMBuildICmp (w->builder, LLVMIntSLE, low,
                                     LLVMConstNull (w->i16), "");
  make_unlikely (w, LLVMBuildCondBr (w->builder, none, other, s->fast));
  LLVMPositionBuilderAtEnd (w->builder, other);
  LLVMValueRef heard = LLVMBuildICmp (
      w->builder, LLVMIntNE,
      LLVMBuildPtrToInt (w->builder, s->cursor, w->i64, ""),
      omen_weave_long (w, (uintptr_t)OMEN_CURSOR_DEAF), "");
  make_unlikely (w, LLVMBuildCondBr (w->builder, heard, s->slow, s->plain));
}

/* Uses after the stretch see the value of whichever was run. */
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
    if (!is_note (w, i))
      join_value (w, s, i);
}

static void
weave_stretch (omen_weave *w, stretch *s)
{
  omen_layout *l = &s->layout;
  LLVMValueRef first = l->members[0].call, header = l->members[0].site;
  LLVMValueRef after = LLVMGetNextInstruction (l->members[l->count - 1].call);
  LLVMBasicBlockRef head = LLVMGetInstructionParent (first);
  if (l->count > 1)
    header = omen_layout_describe (w, l);
  s->slow = omen_shim_split (first);
  s->done = omen_shim_split (after);
  s->fast = LLVMInsertBasicBlockInContext (w->context, s->done, "");
  s->plain = LLVMInsertBasicBlockInContext (w->context, s->done, "");
  fork_control (w, s, head);
  LLVMPositionBuilderAtEnd (w->builder, s->fast);
  write_fast (w, s, header);
  LLVMPositionBuilderAtEnd (w->builder, s->plain);
  write_plain (w, s);
  join_values (w, s);
  omen_weave_map_fini (&s->copies);
  omen_weave_map_fini (&s->plain_copies);
}

/* ---- which there are ---- */

/* Layouts of what is woven in the end. */
typedef struct plan {
  omen_layout *layouts;
  size_t count, room;
  omen_layout at_hand;
} plan;

static void
end_stretch (omen_weave *w, plan *p)
{
  omen_layout *l = &p->at_hand;
  if (!l->count)
    return;
  if (l->count > 1)
    omen_layout_place (w, l);
  else
    l->words = sizeof (omen_note) / 8;
  if (p->count == p->room) {
    p->room = 2 * p->room + 4;
    p->layouts = realloc (p->layouts, p->room * sizeof *p->layouts);
    OMEN_REQUIRE (p->layouts);
  }
  p->layouts[p->count++] = *l;
  *l = (omen_layout){ 0 };
}

static void
plan_block (omen_weave *w, plan *p, LLVMBasicBlockRef block)
{
  bool calls = finds_threads_variable (w, block);
  for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
       i = LLVMGetNextInstruction (i)) {
    if (is_note (w, i) ? omen_layout_is_full (&p->at_hand) : !is_quiet (w, i))
      end_stretch (w, p);
    if (is_note (w, i) && !calls)
      omen_layout_add (w, &p->at_hand, i);
  }
  OMEN_ASSERT (!p->at_hand.count);
}

void
omen_weave_blocks (omen_weave *w, LLVMValueRef function)
{
  plan p = { 0 };
  w->evolution = omen_shim_evolution_new (function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    plan_block (w, &p, block);
  omen_shim_evolution_free (w->evolution);
  w->evolution = NULL;
  for (size_t i = 0; i < p.count; i++) {
    stretch s = { .layout = p.layouts[i] };
    weave_stretch (w, &s);
  }
  free (p.layouts);
}
