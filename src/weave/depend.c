/* Which reads are free, and which writes depend on them; stored with the
   sites. */
#include "weave/depend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
non_null (void *p)
{
  if (!p) {
    fputs ("omen-weave: out of memory\n", stderr);
    abort ();
  }
  return p;
}

omen_weave_access *
omen_depend_access (const omen_weave_depend *depend, LLVMValueRef instruction)
{
  return omen_weave_map_get (&depend->access_of, instruction);
}

/* ---- what will be woven ---- */

static bool
is_reported_load (const omen_weave *w, LLVMValueRef load, bool plain)
{
  return omen_weave_shared (w, load, LLVMGetOperand (load, 0))
         && (omen_weave_is_atomic (load)
             || (plain && !LLVMGetMetadata (load, w->invariant_load)));
}

static bool
is_reported_store (const omen_weave *w, LLVMValueRef store, bool plain)
{
  return omen_weave_shared (w, store, LLVMGetOperand (store, 1))
         && (plain || omen_weave_is_atomic (store));
}

static void
add_access (omen_weave_depend *d, LLVMValueRef i, bool reads)
{
  omen_weave_access *access = non_null (calloc (1, sizeof *access));
  access->at = i;
  access->reads = reads;
  omen_weave_list_add (&d->accesses, access);
  access->number = (uint32_t)d->accesses.count;
  omen_weave_map_put (&d->access_of, i, access);
}

/* Compare-and-swap, copies and vector lanes are not analysed: their reads are
   bound. */
static void
add_accesses (omen_weave_depend *d, LLVMValueRef function)
{
  bool plain = omen_weave_has (d->w, function, OMEN_ATTR_SANITIZE_THREAD);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block;
       block = LLVMGetNextBasicBlock (block))
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
         i = LLVMGetNextInstruction (i)) {
      if (LLVMIsALoadInst (i) && is_reported_load (d->w, i, plain))
        add_access (d, i, true);
      else if (LLVMIsAStoreInst (i) && is_reported_store (d->w, i, plain))
        add_access (d, i, false);
      else if (LLVMIsAAtomicRMWInst (i)
               && omen_weave_shared (d->w, i, LLVMGetOperand (i, 0)))
        add_access (d, i, true);
      else if (LLVMIsACallInst (i) && omen_weave_returns_twice (d->w, i))
        omen_weave_set_add (&d->twice, function);
    }
}

/* ---- the reads ---- */

/* Can each of the flow's writes take one more read? If not, the read is
   bound. */
static bool
has_room (const omen_weave_flow *flow)
{
  for (size_t i = 0; i < flow->writes.count; i++)
    if (((omen_weave_access *)flow->writes.items[i])->on.count
        >= OMEN_DEPEND_MAX)
      return false;
  return true;
}

static void
look_at_read (omen_weave_depend *d, omen_weave_access *read)
{
  omen_weave_flow flow = { .depend = d, .from = read };
  if (!omen_flow_run (&flow) && has_room (&flow)) {
    read->free = true;
    for (size_t i = 0; i < flow.writes.count; i++)
      omen_weave_list_add (&((omen_weave_access *)flow.writes.items[i])->on,
                           read);
  }
  omen_weave_set_fini (&flow.seen);
  omen_weave_list_fini (&flow.pending);
  omen_weave_list_fini (&flow.writes);
}

void
omen_depend_find (omen_weave *w)
{
  omen_weave_depend *d = non_null (calloc (1, sizeof *d));
  d->w = w;
  for (LLVMValueRef f = LLVMGetFirstFunction (w->module); f;
       f = LLVMGetNextFunction (f))
    if (omen_weave_is_woven (w, f))
      add_accesses (d, f);
  for (size_t i = 0; i < d->accesses.count; i++) {
    omen_weave_access *access = d->accesses.items[i];
    if (access->reads)
      look_at_read (d, access);
  }
  w->depend = d;
}

void
omen_depend_free (omen_weave_depend *d)
{
  if (!d)
    return;
  for (size_t i = 0; i < d->accesses.count; i++) {
    omen_weave_access *access = d->accesses.items[i];
    omen_weave_list_fini (&access->on);
    free (access);
  }
  omen_weave_list_fini (&d->accesses);
  omen_weave_map_fini (&d->access_of);
  omen_weave_set_fini (&d->computes);
  omen_weave_set_fini (&d->does_not);
  omen_weave_set_fini (&d->asking);
  omen_weave_set_fini (&d->twice);
  omen_depend_free_graphs (d);
  free (d);
}

/* ---- tables ---- */

void
omen_depend_at (omen_weave *w, LLVMValueRef instruction)
{
  if (w->depend)
    w->depend->current = omen_depend_access (w->depend, instruction);
}

static LLVMValueRef
new_constant (omen_weave *w, LLVMValueRef value, const char *name)
{
  LLVMValueRef global = LLVMAddGlobal (w->module, LLVMTypeOf (value), name);
  LLVMSetInitializer (global, value);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  LLVMSetAlignment (global, 4);
  return global;
}

/* A symbol whose address identifies the compilation unit. */
static LLVMValueRef
unit_of (omen_weave *w)
{
  omen_weave_depend *d = w->depend;
  if (!d->unit) {
    d->unit = new_constant (w, LLVMConstNull (w->i16), "omen.unit");
    LLVMSetSection (d->unit, "omen_units");
  }
  return d->unit;
}

LLVMValueRef
omen_depend_table (omen_weave *w)
{
  const omen_weave_access *access = w->depend ? w->depend->current : NULL;
  LLVMValueRef on[OMEN_DEPEND_MAX], fields[5];
  unsigned count = access ? (unsigned)access->on.count : 0;
  if (!access || (!access->free && !count))
    return NULL;
  OMEN_ASSERT (count <= OMEN_DEPEND_MAX);
  for (unsigned i = 0; i < count; i++)
    on[i] = omen_weave_int (
        w, ((const omen_weave_access *)access->on.items[i])->number);
  fields[0] = omen_weave_int (w, 0);
  fields[1] = omen_weave_int (w, access->number);
  fields[2] = omen_weave_int (w, access->free ? OMEN_DEPEND_FREE : 0);
  fields[3] = omen_weave_int (w, count);
  fields[4] = LLVMConstArray2 (w->i32, on, count);
  LLVMValueRef table = new_constant (
      w, LLVMConstStructInContext (w->context, fields, 5, false),
      "omen.depend");
  fields[0] = omen_weave_distance (w, unit_of (w), table);
  LLVMSetInitializer (table,
                      LLVMConstStructInContext (w->context, fields, 5, false));
  LLVMSetSection (table, "omen_sites");
  return table;
}
