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
#include "weave/weave.h"

typedef struct base {
  LLVMValueRef value; /* pointer, or integer */
  bool stored;
} base;

typedef struct member {
  LLVMValueRef call, site, b;
  unsigned kind, size;
  uint8_t base, word, shift, weight;
  int32_t offset;
  uint32_t constant;
} member;

typedef struct stretch {
  member members[OMEN_BLOCK_NOTES];
  base bases[OMEN_BLOCK_NOTES];
  unsigned count, bases_count, words, loads, bits;
  LLVMBasicBlockRef slow, fast, plain, done;
  LLVMValueRef cursor, sum;
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

static unsigned
site_field (LLVMValueRef site, unsigned i)
{
  return (unsigned)LLVMConstIntGetZExtValue (
      LLVMGetOperand (LLVMGetInitializer (site), i));
}

/* ---- what the words are ---- */

static unsigned
find_base (stretch *s, LLVMValueRef value)
{
  unsigned i = 0;
  while (i < s->bases_count && s->bases[i].value != value)
    i++;
  if (i == s->bases_count)
    s->bases[s->bases_count++] = (base){ .value = value };
  return i;
}

static bool
was_pointer (LLVMValueRef a)
{
  return LLVMIsAPtrToIntInst (a)
         || (LLVMIsAConstantExpr (a) && LLVMGetConstOpcode (a) == LLVMPtrToInt);
}

/* a = base + offset; pointers are looked through. */
static void
split_address (omen_weave *w, stretch *s, member *m)
{
  LLVMValueRef a = LLVMGetArgOperand (m->call, 0);
  int64_t offset = 0;
  if (was_pointer (a))
    a = omen_shim_strip (w->module, LLVMGetOperand (a, 0), &offset);
  if (offset != (int32_t)offset) {
    a = LLVMGetArgOperand (m->call, 0);
    offset = 0;
  }
  m->offset = (int32_t)offset;
  m->base = (uint8_t)find_base (s, a);
}

static void
add_member (omen_weave *w, stretch *s, LLVMValueRef call)
{
  member *m = &s->members[s->count++];
  m->call = call;
  m->site = LLVMGetArgOperand (call, 2);
  m->b = LLVMGetArgOperand (call, 1);
  m->kind = site_field (m->site, 0);
  m->size = site_field (m->site, 1);
  split_address (w, s, m);
  if (m->kind == OMEN_SITE_LOAD) {
    s->loads++;
    s->bits += 8 * m->size;
  }
}

/* The word of a value that is not loaded; what is stored twice is one. */
static void
place_value (stretch *s, member *m)
{
  if (LLVMIsAConstantInt (m->b)
      && LLVMConstIntGetZExtValue (m->b) <= UINT32_MAX) {
    m->constant = (uint32_t)LLVMConstIntGetZExtValue (m->b);
    return;
  }
  for (member *other = s->members; other < m; other++)
    if (other->word && other->kind != OMEN_SITE_LOAD && other->b == m->b) {
      m->word = other->word;
      return;
    }
  m->word = (uint8_t)s->words++;
}

static void
place_words (stretch *s)
{
  unsigned shift = 0, weight = 0;
  s->words = 1 + s->bases_count;
  for (unsigned i = 0; i < s->count; i++) {
    s->members[i].base++;
    if (s->members[i].kind != OMEN_SITE_LOAD)
      place_value (s, &s->members[i]);
  }
  for (unsigned i = 0; i < s->count; i++) {
    member *m = &s->members[i];
    if (m->kind != OMEN_SITE_LOAD)
      continue;
    m->word = (uint8_t)s->words;
    if (s->bits > 64)
      m->weight = (uint8_t)++weight;
    m->shift = (uint8_t)(s->bits > 64 ? 0 : shift);
    shift += 8 * m->size;
  }
  s->words += s->loads > 0;
  OMEN_ASSERT (s->words <= OMEN_BLOCK_WORDS && weight <= OMEN_BLOCK_LOADS);
}

/* ---- the block as data ---- */

static LLVMValueRef
describe_member (omen_weave *w, const member *m, LLVMValueRef block)
{
  LLVMValueRef fields[] = {
    omen_weave_distance (w, m->site, block),
    LLVMConstInt (w->i32, (uint64_t)m->offset, true),
    omen_weave_int (w, m->constant),
    LLVMConstInt (w->i8, m->base, false),
    LLVMConstInt (w->i8, m->word, false),
    LLVMConstInt (w->i8, m->shift, false),
    LLVMConstInt (w->i8, m->weight, false),
  };
  return LLVMConstStructInContext (w->context, fields, OMEN_COUNT (fields),
                                   false);
}

static LLVMTypeRef
member_type (omen_weave *w)
{
  LLVMTypeRef fields[] = { w->i32, w->i32, w->i32, w->i8, w->i8, w->i8, w->i8 };
  return LLVMStructTypeInContext (w->context, fields, OMEN_COUNT (fields),
                                  false);
}

static LLVMValueRef
describe (omen_weave *w, const stretch *s)
{
  LLVMTypeRef each = member_type (w);
  LLVMTypeRef list = LLVMArrayType2 (each, s->count);
  LLVMTypeRef types[]
      = { w->i8, w->i8, w->i8, w->i8, w->i32, w->i32, list };
  LLVMTypeRef type
      = LLVMStructTypeInContext (w->context, types, OMEN_COUNT (types), false);
  LLVMValueRef block = LLVMAddGlobal (w->module, type, "omen.block");
  LLVMValueRef members[OMEN_BLOCK_NOTES];
  OMEN_ASSERT (LLVMABISizeOfType (w->layout, type)
               == sizeof (omen_code_block) + s->count * sizeof (omen_member));
  for (unsigned i = 0; i < s->count; i++)
    members[i] = describe_member (w, &s->members[i], block);
  LLVMValueRef fields[] = {
    LLVMConstInt (w->i8, OMEN_SITE_BLOCK, false),
    LLVMConstInt (w->i8, s->words, false),
    LLVMConstInt (w->i8, s->bases_count, false),
    LLVMConstInt (w->i8, s->loads, false),
    omen_weave_int (w, s->count),
    omen_weave_int (w, 0),
    LLVMConstArray2 (each, members, s->count),
  };
  LLVMSetInitializer (block,
                      LLVMConstStructInContext (w->context, fields,
                                                OMEN_COUNT (fields), false));
  LLVMSetLinkage (block, LLVMPrivateLinkage);
  LLVMSetSection (block, "omen_blocks");
  LLVMSetAlignment (block, 4);
  return block;
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

static void
add_load (omen_weave *w, stretch *s, const member *m)
{
  LLVMValueRef term = copy_of (s, m->b);
  if (m->weight)
    term = LLVMBuildMul (w->builder, term,
                         omen_weave_long (w, omen_weights[m->weight - 1]), "");
  else if (m->shift)
    term = LLVMBuildShl (w->builder, term, omen_weave_long (w, m->shift), "");
  s->sum = s->sum ? LLVMBuildAdd (w->builder, s->sum, term, "") : term;
}

static void
write_member (omen_weave *w, stretch *s, unsigned i)
{
  const member *m = &s->members[i];
  base *b = &s->bases[m->base - 1];
  if (!b->stored)
    put_word (w, s, m->base, copy_of (s, b->value));
  b->stored = true;
  if (m->kind == OMEN_SITE_LOAD)
    add_load (w, s, m);
  else if (m->word)
    put_word (w, s, m->word, copy_of (s, m->b));
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
    else if (s->count > 1)
      write_member (w, s, noted++);
    else
      for (unsigned o = 0; o < 2; o++)
        put_word (w, s, 1 + o, LLVMGetArgOperand (i, o));
  }
  if (s->sum)
    put_word (w, s, s->words - 1, s->sum);
  LLVMValueRef end = LLVMBuildStore (
      w->builder, omen_weave_offset (w, s->cursor, 8 * s->words),
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
  LLVMValueRef first = s->members[0].call, header = s->members[0].site;
  LLVMValueRef after
      = LLVMGetNextInstruction (s->members[s->count - 1].call);
  LLVMBasicBlockRef head = LLVMGetInstructionParent (first);
  if (s->count > 1) {
    place_words (s);
    header = describe (w, s);
  } else
    s->words = sizeof (omen_note) / 8;
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

/* Is the stretch at its limits? */
static bool
is_full (const stretch *s)
{
  return s->count == OMEN_BLOCK_NOTES || s->loads == OMEN_BLOCK_LOADS;
}

static void
end_stretch (omen_weave *w, stretch *s)
{
  if (s->count)
    weave_stretch (w, s);
  *s = (stretch){ 0 };
}

void
omen_weave_blocks (omen_weave *w, LLVMValueRef function)
{
  omen_weave_list work = { 0 };
  stretch s = { 0 };
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block)) {
    bool calls = finds_threads_variable (w, block);
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i))
      if (is_note (w, i) ? !calls : !is_quiet (w, i))
        omen_weave_list_add (&work, i);
  }
  for (size_t i = 0; i < work.count; i++) {
    if (!is_note (w, work.items[i]) || is_full (&s))
      end_stretch (w, &s);
    if (is_note (w, work.items[i]))
      add_member (w, &s, work.items[i]);
  }
  OMEN_ASSERT (!s.count);
  omen_weave_list_fini (&work);
}
