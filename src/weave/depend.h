/* What each access depends on (omen cc --depend): found in the second pass,
   before anything is woven, and kept with the sites (omen_depend in
   wire/abi.h). doc/weaving.md says what is promised and why.

   A read is *free* if its value can only be seen in the values of certain
   writes: it takes part in no address, no divisor, no call that is not known
   and no branch that matters. All others are *bound*: whatever the thread does
   later depends on them, and nothing needs to be found out about it. So every
   uncertain case ends in "bound", and every search may give up.

     t = count;          free: only the next write has it
     count = t + 1;      depends on t
     p = list;           bound: an address
     p->n = 0;

   Per read the walk follows its value through the module:

     depend_flow.c     what one use does with it
     depend_branch.c   what a branch on it decides, by post-dominance
     depend_call.c     functions that do nothing but compute

   Cost: at most OMEN_DEPEND_STEPS uses a read. */
#ifndef OMEN_WEAVE_DEPEND_H
#define OMEN_WEAVE_DEPEND_H

#include "weave/weave.h"

/* Uses of one read that are followed, before it is bound. */
#define OMEN_DEPEND_STEPS 2000
/* Blocks between a branch and where its ways meet, likewise. */
#define OMEN_DEPEND_BLOCKS 64

/* A load, store or read-modify-write that will be woven. */
typedef struct omen_weave_access {
  LLVMValueRef at;
  uint32_t number; /* in the unit, from 1 */
  bool reads, free;
  omen_weave_list on; /* accesses: free reads that it depends on */
} omen_weave_access;

/* The blocks of a function, and where the ways from each of them meet again. */
typedef struct omen_weave_graph {
  LLVMBasicBlockRef *blocks;
  unsigned count;
  omen_weave_map index; /* block -> index + 1 */
  unsigned *meet;       /* by index: immediate post-dominator; `count`: none
                           but the end of the function; all ones: no way comes
                           to an end */
} omen_weave_graph;

typedef struct omen_weave_depend {
  omen_weave *w;
  omen_weave_list accesses;
  omen_weave_map access_of;          /* instruction -> access */
  omen_weave_map graphs;             /* function -> omen_weave_graph */
  omen_weave_set computes, does_not; /* functions: what depend_call.c found */
  omen_weave_set twice;             /* functions that call setjmp or the like */
  omen_weave_set asking;            /* functions that it is looking at */
  LLVMValueRef unit;                /* stands for this compilation */
  const omen_weave_access *current; /* whose sites are being made, or NULL */
} omen_weave_depend;

/* One read followed to where its value goes. */
typedef struct omen_weave_flow {
  omen_weave_depend *depend;
  omen_weave_access *from;
  omen_weave_set seen;     /* values and private objects that have it */
  omen_weave_list pending; /* values whose uses are not yet followed */
  omen_weave_list writes;  /* accesses that store it */
  unsigned steps;
  bool bound;
} omen_weave_flow;

/* depend.c */
void omen_depend_find (omen_weave *w);
void omen_depend_free (omen_weave_depend *depend);
/* Sites that are made from now on are those of this instruction. */
void omen_depend_at (omen_weave *w, LLVMValueRef instruction);
/* The omen_depend of a site about to be made, or NULL. */
LLVMValueRef omen_depend_table (omen_weave *w);
omen_weave_access *omen_depend_access (const omen_weave_depend *depend,
                                       LLVMValueRef instruction);

/* depend_flow.c */
/* Is the read bound? If not, flow->writes are all that have its value. */
bool omen_flow_run (omen_weave_flow *flow);
/* The value, what the object holds, what the function returns, has it. */
void omen_flow_value (omen_weave_flow *flow, LLVMValueRef value);
void omen_flow_object (omen_weave_flow *flow, LLVMValueRef object);
void omen_flow_result (omen_weave_flow *flow, LLVMValueRef function);
/* The private object that an address lies in, or NULL. */
LLVMValueRef omen_flow_object_of (const omen_weave_depend *depend,
                                  LLVMValueRef addr);

/* depend_branch.c */
/* The ways from the end of this block were chosen by the value. */
void omen_flow_branch (omen_weave_flow *flow, LLVMBasicBlockRef block);
/* Has the function a loop? */
bool omen_depend_loops (omen_weave_depend *depend, LLVMValueRef function);
void omen_depend_free_graphs (omen_weave_depend *depend);

/* depend_call.c */
/* Does the instruction, where it is run or not as the value says, leave no
   trace but its result: no note, no fault, no effect on others? A store to a
   private object is for the caller to look at. */
bool omen_depend_harmless (omen_weave_depend *depend, LLVMValueRef i);
/* Does the store surely lie in a private local? */
bool omen_depend_safe_store (const omen_weave_depend *depend,
                             LLVMValueRef store);
/* A direct call of a function whose body is the one that is run. */
LLVMValueRef omen_depend_callee (const omen_weave_depend *depend,
                                 LLVMValueRef call);
/* Are all uses of the function direct calls in this module? */
bool omen_depend_all_calls_known (LLVMValueRef function);

#endif
