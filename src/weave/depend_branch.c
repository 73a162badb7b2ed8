/* The effect of a branch on a value. The code between the branch and its
   immediate post-dominator, where all paths join, is executed or not:

     if (v > best)        the branch
       best = v;          decided by v
     use (best);          the join: best, a phi, carries v's value

   If all that code is harmless (no note, no unknown call, no fault, no loop),
   only the phis at the join depend on v. Otherwise v is bound. Loops count as
   possibly infinite, and so does a path that does not end in a return.

   Post-dominators by the iteration of Cooper, Harvey and Kennedy, on the
   reversed graph with a virtual exit after all returns. */
#include "weave/depend.h"

#include <stdio.h>
#include <stdlib.h>

static void *
new_array (size_t count, size_t size)
{
  void *p = calloc (count + 1, size);
  if (!p) {
    fputs ("omen-weave: out of memory\n", stderr);
    abort ();
  }
  return p;
}

/* ---- the graph of a function ---- */

static unsigned
index_of (const omen_weave_graph *g, LLVMBasicBlockRef block)
{
  uintptr_t index = (uintptr_t)omen_weave_map_get (&g->index, block);
  OMEN_ASSERT (index && index <= g->count);
  return (unsigned)index - 1;
}

static unsigned
ways_of (LLVMBasicBlockRef block)
{
  LLVMValueRef end = LLVMGetBasicBlockTerminator (block);
  return LLVMGetNumSuccessors (end);
}

static LLVMBasicBlockRef
way (LLVMBasicBlockRef block, unsigned i)
{
  return LLVMGetSuccessor (LLVMGetBasicBlockTerminator (block), i);
}

static void
number_blocks (omen_weave_graph *g, LLVMValueRef function)
{
  unsigned i = 0;
  g->count = LLVMCountBasicBlocks (function);
  g->blocks = new_array (g->count, sizeof *g->blocks);
  g->meet = new_array (g->count, sizeof *g->meet);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (function); b;
       b = LLVMGetNextBasicBlock (b)) {
    g->blocks[i++] = b;
    omen_weave_map_put (&g->index, b, (void *)(uintptr_t)i);
  }
  OMEN_ASSERT (i == g->count);
}

/* The reversed graph: the predecessors of each block; `count` is the virtual
   exit, which follows the blocks without successors. */
typedef struct turned {
  const omen_weave_graph *graph;
  unsigned *first, *from; /* by block: its part of `from` */
  unsigned *rank;         /* postorder, from 1; 0: the exit is not reachable */
  unsigned *order;        /* blocks by rank */
  unsigned ranked;
} turned;

/* A block without successors leads to the virtual exit. */
static unsigned
turned_ways (const omen_weave_graph *g, unsigned b)
{
  unsigned ways = ways_of (g->blocks[b]);
  return ways ? ways : 1;
}

static unsigned
turned_way (const omen_weave_graph *g, unsigned b, unsigned i)
{
  return ways_of (g->blocks[b]) ? index_of (g, way (g->blocks[b], i))
                                : g->count;
}

static void
turn_edges (turned *t)
{
  const omen_weave_graph *g = t->graph;
  for (unsigned b = 0; b < g->count; b++)
    for (unsigned i = 0; i < turned_ways (g, b); i++)
      t->first[turned_way (g, b, i)]++;
  for (unsigned b = 1; b <= g->count; b++)
    t->first[b] += t->first[b - 1];
  t->first[g->count + 1] = t->first[g->count];
  t->from = new_array (t->first[g->count], sizeof *t->from);
  for (unsigned b = 0; b < g->count; b++)
    for (unsigned i = 0; i < turned_ways (g, b); i++)
      t->from[--t->first[turned_way (g, b, i)]] = b;
}

/* Depth-first postorder from the virtual exit, which gets the highest rank. */
static void
rank_blocks (turned *t)
{
  unsigned count = t->graph->count, depth = 0;
  unsigned *stack = new_array (count + 1, sizeof *stack);
  unsigned *next = new_array (count + 1, sizeof *next);
  bool *seen = new_array (count + 1, sizeof *seen);
  stack[depth++] = count;
  seen[count] = true;
  while (depth) {
    unsigned b = stack[depth - 1];
    if (t->first[b] + next[b] == t->first[b + 1]) {
      t->order[t->ranked] = b;
      t->rank[b] = ++t->ranked;
      depth--;
      continue;
    }
    unsigned from = t->from[t->first[b] + next[b]++];
    if (!seen[from]) {
      seen[from] = true;
      stack[depth++] = from;
    }
  }
  OMEN_ASSERT (t->rank[count] == t->ranked);
  free (stack);
  free (next);
  free (seen);
}

#define UNKNOWN UINT32_MAX

/* The nearest common post-dominator of a and b, as known so far. */
static unsigned
common (const turned *t, unsigned a, unsigned b)
{
  while (a != b) {
    while (t->rank[a] < t->rank[b])
      a = t->graph->meet[a];
    while (t->rank[b] < t->rank[a])
      b = t->graph->meet[b];
  }
  return a;
}

/* Successors from which the exit is not reachable are ignored. */
static unsigned
meet_of (const turned *t, unsigned b)
{
  const omen_weave_graph *g = t->graph;
  unsigned ways = ways_of (g->blocks[b]), meet = UNKNOWN;
  if (!ways)
    return g->count;
  for (unsigned i = 0; i < ways; i++) {
    unsigned to = index_of (g, way (g->blocks[b], i));
    if (g->meet[to] != UNKNOWN)
      meet = meet == UNKNOWN ? to : common (t, meet, to);
  }
  return meet;
}

static void
find_meets (omen_weave_graph *g)
{
  turned t = { .graph = g };
  bool changed = true;
  t.first = new_array (g->count + 1, sizeof *t.first);
  t.rank = new_array (g->count, sizeof *t.rank);
  t.order = new_array (g->count, sizeof *t.order);
  turn_edges (&t);
  rank_blocks (&t);
  for (unsigned b = 0; b < g->count; b++)
    g->meet[b] = UNKNOWN;
  g->meet[g->count] = g->count;
  while (changed) {
    changed = false;
    for (unsigned i = t.ranked - 1; i-- > 0;) {
      unsigned b = t.order[i], meet = meet_of (&t, b);
      changed |= meet != g->meet[b];
      g->meet[b] = meet;
    }
  }
  free (t.first);
  free (t.from);
  free (t.rank);
  free (t.order);
}

static omen_weave_graph *
graph_of (omen_weave_depend *d, LLVMValueRef function)
{
  omen_weave_graph *g = omen_weave_map_get (&d->graphs, function);
  if (!g) {
    g = new_array (1, sizeof *g);
    number_blocks (g, function);
    find_meets (g);
    omen_weave_map_put (&d->graphs, function, g);
  }
  return g;
}

void
omen_depend_free_graphs (omen_weave_depend *d)
{
  for (size_t i = 0; i < d->graphs.keys.room; i++) {
    omen_weave_graph *g = d->graphs.keys.slots[i] ? d->graphs.values[i] : NULL;
    if (!g)
      continue;
    free (g->blocks);
    free (g->meet);
    omen_weave_map_fini (&g->index);
    free (g);
  }
  omen_weave_map_fini (&d->graphs);
}

/* ---- what lies between ---- */

typedef struct between {
  const omen_weave_graph *graph;
  unsigned stop;  /* where the ways meet */
  uint8_t *state; /* by block: 0 new, 1 on the stack, 2 done */
  omen_weave_list blocks;
  bool loops;
} between;

/* Depth-first; OMEN_DEPEND_BLOCKS bounds the recursion. */
static void
collect_blocks (between *r, unsigned b)
{
  if (b == r->stop || r->state[b] == 2)
    return;
  if (r->state[b] == 1 || r->blocks.count >= OMEN_DEPEND_BLOCKS) {
    r->loops = true;
    return;
  }
  r->state[b] = 1;
  omen_weave_list_add (&r->blocks, r->graph->blocks[b]);
  for (unsigned i = 0; i < ways_of (r->graph->blocks[b]) && !r->loops; i++)
    collect_blocks (r, index_of (r->graph, way (r->graph->blocks[b], i)));
  r->state[b] = 2;
}

static void
mark_phis (omen_weave_flow *flow, LLVMBasicBlockRef block)
{
  for (LLVMValueRef i = LLVMGetFirstInstruction (block);
       i && LLVMIsAPHINode (i); i = LLVMGetNextInstruction (i))
    omen_flow_value (flow, i);
}

static void
note_effect (omen_weave_flow *flow, LLVMValueRef i)
{
  if (LLVMIsAStoreInst (i)) {
    if (omen_depend_safe_store (flow->depend, i))
      omen_flow_object (
          flow, omen_flow_object_of (flow->depend, LLVMGetOperand (i, 1)));
    else
      flow->bound = true;
  } else if (LLVMIsAReturnInst (i)) {
    omen_flow_result (flow,
                      LLVMGetBasicBlockParent (LLVMGetInstructionParent (i)));
  } else if (!LLVMIsABranchInst (i) && !LLVMIsASwitchInst (i))
    flow->bound |= !omen_depend_harmless (flow->depend, i);
}

static void
decide_blocks (omen_weave_flow *flow, const between *r)
{
  for (size_t b = 0; b < r->blocks.count && !flow->bound; b++) {
    LLVMBasicBlockRef block = r->blocks.items[b];
    mark_phis (flow, block);
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i && !flow->bound;
         i = LLVMGetNextInstruction (i))
      note_effect (flow, i);
  }
  if (r->stop < r->graph->count)
    mark_phis (flow, r->graph->blocks[r->stop]);
}

void
omen_flow_branch (omen_weave_flow *flow, LLVMBasicBlockRef block)
{
  omen_weave_graph *g
      = graph_of (flow->depend, LLVMGetBasicBlockParent (block));
  unsigned from = index_of (g, block);
  between r = { .graph = g, .stop = g->meet[from] };
  if (r.stop == UNKNOWN) { /* no way comes to an end */
    flow->bound = true;
    return;
  }
  r.state = new_array (g->count, sizeof *r.state);
  r.state[from] = 1;
  for (unsigned i = 0; i < ways_of (block) && !r.loops; i++)
    collect_blocks (&r, index_of (g, way (block, i)));
  if (r.loops)
    flow->bound = true;
  else
    decide_blocks (flow, &r);
  free (r.state);
  omen_weave_list_fini (&r.blocks);
}

bool
omen_depend_loops (omen_weave_depend *d, LLVMValueRef function)
{
  omen_weave_graph *g = graph_of (d, function);
  between r = { .graph = g, .stop = g->count };
  r.state = new_array (g->count, sizeof *r.state);
  collect_blocks (&r, 0);
  free (r.state);
  omen_weave_list_fini (&r.blocks);
  return r.loops;
}
