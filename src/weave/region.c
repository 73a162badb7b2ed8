/* Which regions there are. */
#include "weave/region.h"

/* Limits: words of a path, which must stay live until its end; instructions of
   a region, which is emitted three times. */
enum { MOST_WORDS = 16, MOST_INSTRUCTIONS = 160 };

typedef struct growth {
  omen_weave *w;
  omen_region *region;
  unsigned reserved; /* exits that are needed in any case */
} growth;

/* The notes of a way so far. */
typedef struct path {
  omen_note_layout layout;
  bool polls; /* it has polled loads, which must stay exact */
} path;

/* The instruction that ends a node within its block: the first from `i` on that
   cannot be in a region; NULL if the block's branch ends it. */
static LLVMValueRef
find_cut (const omen_weave *w, LLVMValueRef i)
{
  for (; i; i = LLVMGetNextInstruction (i)) {
    LLVMOpcode code = LLVMGetInstructionOpcode (i);
    if (code == LLVMBr || code == LLVMSwitch)
      return NULL;
    if (!omen_fork_is_note (w, i) && !omen_fork_is_quiet (w, i))
      return i;
  }
  return NULL;
}

/* Is it a load from the same address in every iteration of its loop? Such a
   polled value must not be reduced to a checksum if it would be logged exactly
   without the region. */
static bool
is_polled (omen_weave *w, const omen_note_layout_member *m)
{
  int64_t offset;
  return m->kind == OMEN_SITE_LOAD
         && omen_shim_stays (w->evolution,
                             omen_layout_root (w, m->call, &offset),
                             LLVMGetInstructionParent (m->call));
}

/* Adds the notes from `i` to `cut`; false if a limit is exceeded. */
static bool
add_notes (growth *g, path *way, LLVMValueRef i, LLVMValueRef cut)
{
  omen_note_layout *l = &way->layout;
  unsigned before = l->count, bits = l->bits;
  for (; i && i != cut; i = LLVMGetNextInstruction (i)) {
    g->region->size++;
    if (!omen_fork_is_note (g->w, i))
      continue;
    if (omen_layout_is_full (l))
      return false;
    omen_layout_add (g->w, l, i);
  }
  if (l->bits - bits <= 64)
    for (unsigned k = before; k < l->count; k++)
      way->polls |= is_polled (g->w, &l->members[k]);
  omen_note_layout placed = *l;
  omen_layout_place (g->w, &placed);
  if (before && placed.bits > 64 && way->polls)
    return false;
  return g->region->size <= MOST_INSTRUCTIONS
         && (!before || placed.words <= MOST_WORDS);
}

static bool
add_exit (growth *g, unsigned node, LLVMBasicBlockRef to, const path *way)
{
  omen_region *r = g->region;
  if (r->exits_count + g->reserved >= OMEN_REGION_EXITS)
    return false;
  omen_region_exit *exit = &r->exits[r->exits_count++];
  *exit = (omen_region_exit){ node, to, way->layout };
  omen_layout_place (g->w, &exit->layout);
  return true;
}

/* Does the block have a single predecessor edge? */
static bool
has_one_way_in (LLVMBasicBlockRef block)
{
  LLVMUseRef use = LLVMGetFirstUse (LLVMBasicBlockAsValue (block));
  return use && !LLVMGetNextUse (use)
         && LLVMIsATerminatorInst (LLVMGetUser (use));
}

static bool
has_been (LLVMValueRef end, unsigned i)
{
  for (unsigned k = 0; k < i; k++)
    if (LLVMGetSuccessor (end, k) == LLVMGetSuccessor (end, i))
      return true;
  return false;
}

static bool grow_region (growth *g, LLVMBasicBlockRef block, LLVMValueRef from,
                         const path *before);

/* Extends the region from a node into its successors, or adds exits to them;
   false: too many exits. *more: a successor is in the region. */
static bool
grow_on (growth *g, unsigned node, const path *way, LLVMValueRef end,
         bool *more)
{
  unsigned count = LLVMGetNumSuccessors (end), others = 0,
           reserved = g->reserved;
  bool fits = true;
  for (unsigned i = 0; i < count; i++)
    others += !has_been (end, i);
  if (reserved + others > OMEN_REGION_EXITS)
    return false;
  for (unsigned i = 0; i < count && fits; i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor (end, i);
    if (has_been (end, i))
      continue;
    g->reserved = reserved + --others;
    if (has_one_way_in (to) && to != g->region->nodes[0].block
        && grow_region (g, to, LLVMGetFirstInstruction (to), way))
      *more = true;
    else
      fits = add_exit (g, node, to, way);
  }
  g->reserved = reserved;
  return fits;
}

/* Adds a node and the tree below it; false, and nothing changed, if it does not
   fit or has no notes. */
static bool
grow_region (growth *g, LLVMBasicBlockRef block, LLVMValueRef from,
             const path *before)
{
  omen_region *r = g->region;
  unsigned nodes = r->nodes_count, exits = r->exits_count, size = r->size;
  LLVMValueRef cut = find_cut (g->w, from);
  path way = *before;
  bool more = false, fits;
  if (nodes == OMEN_REGION_NODES || omen_fork_finds_variable (g->w, block)
      || !add_notes (g, &way, from, cut)) {
    r->size = size;
    return false;
  }
  r->nodes[r->nodes_count++] = (omen_region_node){ block, cut };
  fits = cut ? add_exit (g, nodes, NULL, &way)
             : grow_on (g, nodes, &way, LLVMGetBasicBlockTerminator (block),
                        &more);
  more |= way.layout.count > before->layout.count;
  if (fits && more)
    return true;
  r->nodes_count = nodes;
  r->exits_count = exits;
  r->size = size;
  return false;
}

bool
omen_region_find (omen_weave *w, omen_region *region, LLVMValueRef first)
{
  growth g = { .w = w, .region = region };
  path way = { .polls = false };
  *region = (omen_region){ .first = first };
  return !find_cut (w, first)
         && grow_region (&g, LLVMGetInstructionParent (first), first, &way)
         && region->nodes_count > 1;
}
