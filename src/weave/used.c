/* Finds loaded addresses that are certainly used, whatever their value: between
   the load and the use there is no branch, and no call that may not return.

     q = list->head;      followed: the value is dereferenced
     n = q->count;

     p = cache;           freed: the value is passed to free, if it is not 0
     free (p);

   So if the thread could have read another address there, it would have used
   that one (doc/semantics.md, "What a must not see"). Of a branch that tests
   whether the address is 0, the path where it is not is followed: free would
   ignore 0 anyway.

   A load of a place that the thread has just loaded or stored, with no
   synchronization in between, is left out: a lock that excluded other threads
   then still does so, and without one there is a race, which is reported
   itself. */
#include "weave/weave.h"

#include <string.h>

#define MOST_STEPS 64u
#define MOST_NAMES 8u
#define FIRST_PAGE 4096 /* nothing is mapped there */

/* A walk over the instructions after the load. */
typedef struct following {
  omen_weave *w;
  LLVMValueRef names[MOST_NAMES]; /* values that are the address, and private
                                     locals that hold it */
  unsigned count;
  bool checked; /* it is not 0 */
} following;

static bool
is_name (const following *f, LLVMValueRef value)
{
  for (unsigned i = 0; i < f->count; i++)
    if (f->names[i] == value)
      return true;
  return false;
}

static void
add_name (following *f, LLVMValueRef value)
{
  if (f->count < MOST_NAMES && !is_name (f, value))
    f->names[f->count++] = value;
}

static void
drop_name (following *f, LLVMValueRef value)
{
  for (unsigned i = 0; i < f->count; i++)
    if (f->names[i] == value)
      f->names[i] = f->names[--f->count];
}

/* Is it the loaded address plus less than a page? */
static bool
leads_there (const following *f, LLVMValueRef address)
{
  int64_t offset;
  LLVMValueRef base = omen_shim_strip (f->w->module, address, &offset);
  return is_name (f, base) && !LLVMIsAAllocaInst (base) && offset >= 0
         && offset < FIRST_PAGE;
}

/* A private local that holds an address and nothing else. */
static bool
is_private_local (const following *f, LLVMValueRef address)
{
  return LLVMIsAAllocaInst (address)
         && omen_weave_set_has (&f->w->unshared, address)
         && LLVMGetTypeKind (LLVMGetAllocatedType (address))
                == LLVMPointerTypeKind;
}

static void
see_store (following *f, LLVMValueRef store)
{
  LLVMValueRef to = LLVMGetOperand (store, 1);
  if (!is_private_local (f, to))
    return;
  if (is_name (f, LLVMGetOperand (store, 0)))
    add_name (f, to);
  else
    drop_name (f, to);
}

/* ---- calls ---- */

static bool
is_one_of (const char *name, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!strcmp (name, names[i]))
      return true;
  return false;
}

static bool
frees (const char *name)
{
  static const char *const names[] = { "free",
                                       "_ZdlPv",
                                       "_ZdaPv",
                                       "_ZdlPvm",
                                       "_ZdaPvm",
                                       "_ZdlPvSt11align_val_t",
                                       "_ZdaPvSt11align_val_t",
                                       "_ZdlPvmSt11align_val_t",
                                       "_ZdaPvmSt11align_val_t" };
  return is_one_of (name, names, OMEN_COUNT (names));
}

/* Does it always dereference its first argument? */
static bool
dereferences_first (const char *name)
{
  static const char *const names[] = { "pthread_mutex_lock",
                                       "pthread_mutex_unlock",
                                       "pthread_mutex_trylock",
                                       "pthread_rwlock_rdlock",
                                       "pthread_rwlock_wrlock",
                                       "pthread_rwlock_unlock",
                                       "pthread_cond_signal",
                                       "pthread_cond_wait",
                                       "pthread_cond_broadcast",
                                       "sem_post",
                                       "sem_wait",
                                       "strlen",
                                       "strcmp",
                                       "strcpy",
                                       "puts" };
  return is_one_of (name, names, OMEN_COUNT (names));
}

static bool
copies_there (const following *f, LLVMValueRef call)
{
  enum omen_intrinsic what = omen_weave_intrinsic (f->w, call);
  bool copies = what == OMEN_IN_MEMCPY || what == OMEN_IN_MEMMOVE;
  LLVMValueRef length;
  if (!copies && what != OMEN_IN_MEMSET)
    return false;
  length = LLVMGetArgOperand (call, 2);
  return LLVMIsAConstantInt (length) && LLVMConstIntGetZExtValue (length)
         && (leads_there (f, LLVMGetArgOperand (call, 0))
             || (copies && leads_there (f, LLVMGetArgOperand (call, 1))));
}

/* Is the code after it certainly executed, too? */
static bool
call_returns (const following *f, LLVMValueRef call)
{
  LLVMValueRef callee = LLVMIsAFunction (LLVMGetCalledValue (call));
  if (!callee)
    return false;
  return omen_weave_marker (f->w, call) != OMEN_MARKS
         || (LLVMGetIntrinsicID (callee)
             && omen_weave_has (f->w, callee, OMEN_ATTR_WILLRETURN)
             && omen_weave_has (f->w, callee, OMEN_ATTR_NOUNWIND));
}

/* False: the walk ends, since the call may not return or *use is final. */
static bool
see_call (following *f, LLVMValueRef call, enum omen_site_use *use)
{
  LLVMValueRef callee = LLVMGetCalledValue (call);
  const char *name = LLVMIsAFunction (callee) ? LLVMGetValueName (callee) : "";
  LLVMValueRef first
      = LLVMGetNumArgOperands (call) ? LLVMGetArgOperand (call, 0) : NULL;
  if (frees (name) && first && is_name (f, first))
    *use = OMEN_SITE_FREED;
  else if (is_name (f, callee) || copies_there (f, call)
           || (dereferences_first (name) && first && leads_there (f, first)))
    *use = f->checked ? OMEN_SITE_UNUSED : OMEN_SITE_FOLLOWED;
  else {
    if (first && LLVMIsAAllocaInst (first))
      drop_name (f, first);
    return call_returns (f, call);
  }
  return false;
}

/* ---- ways ---- */

/* The successor taken if the address is not 0, or NULL. */
static LLVMBasicBlockRef
way_if_not_null (const following *f, LLVMValueRef branch)
{
  LLVMValueRef asks = LLVMGetCondition (branch);
  LLVMIntPredicate how;
  bool asks_null;
  if (!LLVMIsAICmpInst (asks))
    return NULL;
  how = LLVMGetICmpPredicate (asks);
  asks_null = is_name (f, LLVMGetOperand (asks, 0))
              && LLVMIsAConstantPointerNull (LLVMGetOperand (asks, 1));
  if (!asks_null || (how != LLVMIntEQ && how != LLVMIntNE))
    return NULL;
  return LLVMGetSuccessor (branch, how == LLVMIntEQ ? 1 : 0);
}

/* The first instruction of the next block to follow, or NULL. */
static LLVMValueRef
next_block (following *f, LLVMValueRef end)
{
  LLVMBasicBlockRef from = LLVMGetInstructionParent (end), to;
  LLVMValueRef i;
  if (!LLVMIsABranchInst (end))
    return NULL;
  to = LLVMIsConditional (end) ? way_if_not_null (f, end)
                               : LLVMGetSuccessor (end, 0);
  f->checked |= LLVMIsConditional (end);
  for (i = to ? LLVMGetFirstInstruction (to) : NULL; i && LLVMIsAPHINode (i);
       i = LLVMGetNextInstruction (i))
    for (unsigned k = 0; k < LLVMCountIncoming (i); k++)
      if (LLVMGetIncomingBlock (i, k) == from) {
        if (is_name (f, LLVMGetIncomingValue (i, k)))
          add_name (f, i);
        else
          drop_name (f, i);
        break;
      }
  return i;
}

/* ---- one load ---- */

static bool
is_dereferenced (const following *f, LLVMValueRef i)
{
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMLoad:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return leads_there (f, LLVMGetOperand (i, 0));
  case LLVMStore:
    return leads_there (f, LLVMGetOperand (i, 1));
  default:
    return false;
  }
}

/* False: the walk ends, since what follows is unknown or *use is final. */
static bool
see (following *f, LLVMValueRef i, enum omen_site_use *use)
{
  if (is_dereferenced (f, i)) {
    *use = f->checked ? OMEN_SITE_UNUSED : OMEN_SITE_FOLLOWED;
    return !*use; /* after a null test a later free still counts */
  }
  if (LLVMIsALoadInst (i)) {
    if (is_private_local (f, LLVMGetOperand (i, 0))
        && is_name (f, LLVMGetOperand (i, 0)))
      add_name (f, i);
    else
      drop_name (f, i);
  } else if (LLVMIsAStoreInst (i))
    see_store (f, i);
  else if (LLVMIsACallInst (i))
    return see_call (f, i, use);
  return true;
}

/* ---- what the thread has just seen ---- */

#define MOST_BLOCKS 16u

/* A backward walk over the instructions before the load. */
typedef struct looking_back {
  omen_weave *w;
  LLVMValueRef address;
  LLVMBasicBlockRef blocks[MOST_BLOCKS]; /* that were begun */
  unsigned count;
} looking_back;

static bool
accesses (LLVMValueRef i, LLVMValueRef address)
{
  return (LLVMIsALoadInst (i) && LLVMGetOperand (i, 0) == address)
         || (LLVMIsAStoreInst (i) && LLVMGetOperand (i, 1) == address);
}

static bool
may_synchronise (omen_weave *w, LLVMValueRef i)
{
  const following f = { .w = w };
  return LLVMIsAFenceInst (i) || omen_weave_is_atomic (i)
         || LLVMIsAInvokeInst (i) || LLVMIsACallBrInst (i)
         || (LLVMIsACallInst (i) && !call_returns (&f, i));
}

/* Is the block new? */
static bool
begin_block (looking_back *b, LLVMBasicBlockRef block)
{
  for (unsigned i = 0; i < b->count; i++)
    if (b->blocks[i] == block)
      return false;
  if (b->count < MOST_BLOCKS)
    b->blocks[b->count] = block;
  b->count++;
  return true;
}

static bool has_seen_before (looking_back *b, LLVMBasicBlockRef block);

/* Does each path to `i` have an access to the address, without synchronization
   in between? */
static bool
has_seen (looking_back *b, LLVMValueRef i)
{
  LLVMBasicBlockRef block = LLVMGetInstructionParent (i);
  while ((i = LLVMGetPreviousInstruction (i))) {
    if (accesses (i, b->address))
      return true;
    if (may_synchronise (b->w, i))
      return false;
  }
  return has_seen_before (b, block);
}

static bool
has_seen_before (looking_back *b, LLVMBasicBlockRef block)
{
  unsigned ways = 0;
  for (LLVMUseRef use = LLVMGetFirstUse (LLVMBasicBlockAsValue (block)); use;
       use = LLVMGetNextUse (use)) {
    LLVMValueRef end = LLVMGetUser (use);
    LLVMBasicBlockRef from;
    if (!LLVMIsATerminatorInst (end))
      continue;
    ways++;
    from = LLVMGetInstructionParent (end);
    if (!begin_block (b, from))
      continue;
    if (b->count > MOST_BLOCKS || may_synchronise (b->w, end)
        || !has_seen (b, end))
      return false;
  }
  return ways > 0;
}

static bool
was_just_seen (omen_weave *w, LLVMValueRef load)
{
  looking_back b = { .w = w, .address = LLVMGetOperand (load, 0) };
  return has_seen (&b, load);
}

void
omen_weave_find_use (omen_weave *w, LLVMValueRef load)
{
  following f = { .w = w, .names = { load }, .count = 1 };
  enum omen_site_use use = OMEN_SITE_UNUSED;
  LLVMValueRef i = load;
  if (!LLVMIsALoadInst (load)
      || LLVMGetTypeKind (LLVMTypeOf (load)) != LLVMPointerTypeKind
      || !omen_weave_shared (w, load, LLVMGetOperand (load, 0)))
    return;
  for (unsigned steps = 0; i && steps < MOST_STEPS; steps++) {
    i = LLVMIsATerminatorInst (i) ? next_block (&f, i)
                                  : LLVMGetNextInstruction (i);
    if (!i || i == load || (!LLVMIsATerminatorInst (i) && !see (&f, i, &use)))
      break;
  }
  if (use && !was_just_seen (w, load))
    omen_weave_map_put (&w->uses, load, (void *)(uintptr_t)use);
}
