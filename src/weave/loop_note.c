/* The blocks of loops that are logged as a whole: one member for each access
   that loop.cpp has marked and that other threads may see. */
#include "weave/weave.h"

#include <stdlib.h>
#include <string.h>

static const char callee_name[] = "__omen_loop", mark_name[] = "omen.whole";

bool
omen_weave_is_loop_note (LLVMValueRef call)
{
  LLVMValueRef callee = LLVMIsACallInst (call)
                            ? LLVMIsAFunction (LLVMGetCalledValue (call))
                            : NULL;
  return callee && !strcmp (LLVMGetValueName (callee), callee_name);
}

/* ---- the accesses of a loop ---- */

typedef struct access {
  LLVMValueRef instruction, address;
  unsigned size, base, step_word;
  int64_t number, offset, step;
  bool store;
} access;

enum { PARTS = 6 };

static unsigned
mark_kind (const omen_weave *w)
{
  return LLVMGetMDKindIDInContext (w->context, mark_name, sizeof mark_name - 1);
}

static int64_t
number_at (const LLVMValueRef *parts, unsigned i)
{
  return LLVMConstIntGetSExtValue (parts[i]);
}

/* False: the instruction is not an access of the loop. */
static bool
read_mark (omen_weave *w, LLVMValueRef i, LLVMMetadataRef loop, access *a)
{
  LLVMValueRef mark = LLVMGetMetadata (i, mark_kind (w)), parts[PARTS];
  if (!mark || LLVMIsACallInst (i) || LLVMGetMDNodeNumOperands (mark) != PARTS)
    return false;
  LLVMGetMDNodeOperands (mark, parts);
  if (LLVMValueAsMetadata (parts[0]) != loop)
    return false;
  LLVMValueRef value = LLVMIsAStoreInst (i) ? LLVMGetOperand (i, 0) : i;
  *a = (access){ .instruction = i,
                 .address = LLVMGetOperand (i, LLVMIsAStoreInst (i) ? 1 : 0),
                 .size = (unsigned)LLVMStoreSizeOfType (w->layout,
                                                        LLVMTypeOf (value)),
                 .number = number_at (parts, 1),
                 .base = (unsigned)number_at (parts, 2),
                 .offset = number_at (parts, 3),
                 .step_word = (unsigned)number_at (parts, 4),
                 .step = number_at (parts, 5),
                 .store = LLVMIsAStoreInst (i) };
  return true;
}

static int
compare_members (const void *left, const void *right)
{
  const access *a = left, *b = right;
  return (a->number > b->number) - (a->number < b->number);
}

/* In the order of a turn. */
static unsigned
find_accesses (omen_weave *w, LLVMValueRef call, access *found)
{
  LLVMMetadataRef loop
      = LLVMValueAsMetadata (LLVMGetMetadata (call, mark_kind (w)));
  LLVMValueRef function
      = LLVMGetBasicBlockParent (LLVMGetInstructionParent (call));
  unsigned count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i))
      if (count < OMEN_LOOP_MEMBERS && read_mark (w, i, loop, &found[count])
          && omen_weave_is_shared (w, found[count].address))
        count++;
  if (count)
    qsort (found, count, sizeof *found, compare_members);
  return count;
}

/* ---- members ---- */

typedef struct members {
  LLVMTypeRef type;
  LLVMValueRef block, list[OMEN_LOOP_MEMBERS];
  unsigned count;
} members;

static LLVMTypeRef
member_type (omen_weave *w)
{
  LLVMTypeRef fields[] = { w->i32, w->i32, w->i32, w->i8, w->i8, w->i8, w->i8 };
  return LLVMStructTypeInContext (w->context, fields, OMEN_COUNT (fields),
                                  false);
}

static void
add_member (omen_weave *w, members *m, const access *a, unsigned offset,
            unsigned size)
{
  omen_weave_what what
      = { .kind = a->store ? OMEN_SITE_STORE : OMEN_SITE_LOAD, .size = size };
  LLVMValueRef fields[] = {
    omen_weave_distance (w, omen_weave_site (w, what), m->block),
    LLVMConstInt (w->i32, (uint64_t)(a->offset + offset), true),
    LLVMConstInt (w->i32, (uint64_t)a->step, true),
    LLVMConstInt (w->i8, a->base, false),
    LLVMConstInt (w->i8, a->step_word, false),
    LLVMConstInt (w->i8, 0, false),
    LLVMConstInt (w->i8, 0, false),
  };
  OMEN_REQUIRE (m->count < OMEN_LOOP_MEMBERS);
  m->list[m->count++] = LLVMConstStructInContext (w->context, fields,
                                                  OMEN_COUNT (fields), false);
}

/* One member for each piece that bits.c would log. */
static void
add_pieces (omen_weave *w, members *m, const access *a)
{
  unsigned offset = 0;
  omen_weave_before (w, a->instruction);
  for (unsigned piece = 8; piece; piece /= 2)
    for (; a->size - offset >= piece; offset += piece)
      add_member (w, m, a, offset, piece);
}

static unsigned
count_pieces (const access *a, unsigned count)
{
  unsigned pieces = 0;
  for (unsigned i = 0; i < count; i++)
    pieces += a[i].size / 8 + (unsigned)__builtin_popcount (a[i].size % 8);
  return pieces;
}

/* ---- the block ---- */

static LLVMTypeRef
block_type (omen_weave *w, LLVMTypeRef member, unsigned count)
{
  LLVMTypeRef types[] = {
    w->i8, w->i8, w->i8, w->i8, w->i32, w->i32, LLVMArrayType2 (member, count)
  };
  return LLVMStructTypeInContext (w->context, types, OMEN_COUNT (types), false);
}

static LLVMValueRef
build_block (omen_weave *w, const access *a, unsigned count, unsigned words)
{
  members m = { .type = member_type (w) };
  unsigned pieces = count_pieces (a, count);
  m.block
      = LLVMAddGlobal (w->module, block_type (w, m.type, pieces), "omen.block");
  for (unsigned i = 0; i < count; i++)
    add_pieces (w, &m, &a[i]);
  OMEN_ASSERT (m.count == pieces);
  LLVMValueRef fields[] = {
    LLVMConstInt (w->i8, OMEN_SITE_BLOCK, false),
    LLVMConstInt (w->i8, words, false),
    LLVMConstInt (w->i8, words - 1, false),
    LLVMConstInt (w->i8, OMEN_BLOCK_LOOP, false),
    omen_weave_int (w, pieces),
    omen_weave_int (w, 0),
    LLVMConstArray2 (m.type, m.list, pieces),
  };
  LLVMSetInitializer (m.block,
                      LLVMConstStructInContext (w->context, fields,
                                                OMEN_COUNT (fields), false));
  LLVMSetLinkage (m.block, LLVMPrivateLinkage);
  LLVMSetSection (m.block, "omen_blocks");
  LLVMSetAlignment (m.block, 4);
  return m.block;
}

void
omen_weave_loop_note (omen_weave *w, LLVMValueRef call)
{
  access found[OMEN_LOOP_MEMBERS];
  unsigned count = find_accesses (w, call, found);
  unsigned words = LLVMGetNumArgOperands (call); /* the block, then the rest */
  if (count)
    LLVMSetOperand (call, 0, build_block (w, found, count, words));
  else
    LLVMInstructionEraseFromParent (call);
}
