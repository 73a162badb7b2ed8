/* The dependences of each access (omen cc --depend): found in the second pass,
   before anything is woven, and stored with the sites (omen_depend in
   wire/abi.h). doc/weaving.md says what is promised and why.

   A read is *free* if its value can affect only the values of certain writes:
   it takes part in no address, no divisor, no call of unknown effect and no
   branch that matters. All others are *bound*: everything that the thread does
   later depends on them. So "bound" is always a safe answer, and every search
   may stop with it.

     t = count;          free: only the next write has it
     count = t + 1;      depends on t
     p = list;           bound: an address
     p->n = 0;

   For each read the walk follows its value through the module:

     depend_flow.c     the effect of one use
     depend_branch.c   the effect of a branch on it, by post-dominance
     depend_call.c     functions that do nothing but compute

   Cost: at most OMEN_DEPEND_STEPS uses a read. */
#ifndef OMEN_WEAVE_DEPEND_H
#define OMEN_WEAVE_DEPEND_H

#include "weave/weave.h"

/* The uses of one read that are followed; with more it is bound. */
#define OMEN_DEPEND_STEPS 2000
/* The same limit for blocks between a branch and its post-dominator. */
#define OMEN_DEPEND_BLOCKS 64

/* A load, store or read-modify-write that will be woven. */
typedef struct omen_weave_access {
  LLVMValueRef at;
  uint32_t number; /* in the unit, from 1 */
  bool reads, free;
  omen_weave_list on; /* accesses: free reads that it depends on */
} omen_weave_access;

/* The blocks of a function and their immediate post-dominators. */
typedef struct omen_weave_graph {
  LLVMBasicBlockRef *blocks;
  unsigned count;
  omen_weave_map index; /* block -> index + 1 */
  unsigned *meet;       /* by index: immediate post-dominator; `count`: only the
                           function's end; all ones: the end is not reachable */
} omen_weave_graph;

typedef struct omen_weave_depend {
  omen_weave *w;
  omen_weave_list accesses;
  omen_weave_map access_of;          /* instruction -> access */
  omen_weave_map graphs;             /* function -> omen_weave_graph */
  omen_weave_set computes, does_not; /* functions, by depend_call.c */
  omen_weave_set twice;             /* functions that call setjmp or the like */
  omen_weave_set asking;            /* functions being classified */
  LLVMValueRef unit;                /* identifies the compilation unit */
  const omen_weave_access *current; /* whose sites are being made, or NULL */
} omen_weave_depend;

/* The flow of one read's value. */
typedef struct omen_weave_flow {
  omen_weave_depend *depend;
  omen_weave_access *from;
  omen_weave_set seen;     /* values and private objects that carry it */
  omen_weave_list pending; /* values whose uses are not followed yet */
  omen_weave_list writes;  /* accesses that store it */
  unsigned steps;
  bool bound;
} omen_weave_flow;

/* depend.c */
void omen_depend_find (omen_weave *w);
void omen_depend_free (omen_weave_depend *depend);
/* Sites made from now on belong to this instruction. */
void omen_depend_at (omen_weave *w, LLVMValueRef instruction);
/* The omen_depend of the next site, or NULL. */
LLVMValueRef omen_depend_table (omen_weave *w);
omen_weave_access *omen_depend_access (const omen_weave_depend *depend,
                                       LLVMValueRef instruction);

/* depend_flow.c */
/* Is the read bound? If not, flow->writes are all writes that store its
   value. */
bool omen_flow_run (omen_weave_flow *flow);
/* Marks the value, the object's content or the function's result as carrying
   the read's value. */
void omen_flow_value (omen_weave_flow *flow, LLVMValueRef value);
void omen_flow_object (omen_weave_flow *flow, LLVMValueRef object);
void omen_flow_result (omen_weave_flow *flow, LLVMValueRef function);
/* The private object that an address lies in, or NULL. */
LLVMValueRef omen_flow_object_of (const omen_weave_depend *depend,
                                  LLVMValueRef addr);

/* depend_branch.c */
/* The branch at the end of this block depends on the value. */
void omen_flow_branch (omen_weave_flow *flow, LLVMBasicBlockRef block);
/* Has the function a loop? */
bool omen_depend_loops (omen_weave_depend *depend, LLVMValueRef function);
void omen_depend_free_graphs (omen_weave_depend *depend);

/* depend_call.c */
/* Has the instruction, if it is executed or not depending on the value, no
   effect except its result: no note, no fault, no side effect? Stores to
   private objects are for the caller to check. */
bool omen_depend_harmless (omen_weave_depend *depend, LLVMValueRef i);
/* Is the store certainly within a private local? */
bool omen_depend_safe_store (const omen_weave_depend *depend,
                             LLVMValueRef store);
/* The callee of a direct call if its body cannot be replaced, else NULL. */
LLVMValueRef omen_depend_callee (const omen_weave_depend *depend,
                                 LLVMValueRef call);
/* Are all uses of the function direct calls in this module? */
bool omen_depend_all_calls_known (LLVMValueRef function);

#endif
