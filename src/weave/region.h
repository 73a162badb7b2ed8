/* Notes over branches. A region is a tree of basic blocks that is entered at
   its root, in the middle of a block, and contains only computations and
   accesses. Each path through it is one note:

     root: note a            fast: the code without calls of notes
           if (x)                  exit 1: c[0] = block {a, b}; … c[n]; c += n
     then:   note b                exit 2: c[0] = block {a}; …
                             slow, plain: see fork.h

   So an iteration that compares a key and goes to the next node is one note,
   not two. */
#ifndef OMEN_WEAVE_REGION_H
#define OMEN_WEAVE_REGION_H

#include "weave/fork.h"

enum { OMEN_REGION_NODES = 16, OMEN_REGION_EXITS = 12 };

typedef struct omen_region_node {
  LLVMBasicBlockRef block;
  LLVMValueRef cut; /* it ends before that; NULL: with its terminator */
} omen_region_node;

typedef struct omen_region_exit {
  unsigned node;
  LLVMBasicBlockRef to;    /* NULL: to the node's cut */
  omen_note_layout layout; /* of the way to there; placed */
} omen_region_exit;

typedef struct omen_region {
  LLVMValueRef first; /* the note that it begins with */
  unsigned nodes_count, exits_count;
  unsigned size;                             /* instructions */
  omen_region_node nodes[OMEN_REGION_NODES]; /* root first, in preorder */
  omen_region_exit exits[OMEN_REGION_EXITS];
} omen_region;

/* Finds the largest region that begins with a note; false if it would have only
   one block. The function must be unchanged since w->evolution was made. */
bool omen_region_find (omen_weave *w, omen_region *region, LLVMValueRef first);
void omen_region_weave (omen_weave *w, const omen_region *region);

#endif
