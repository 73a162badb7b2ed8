/* Depths of inlined functions. Calls restore __omen_depth, so an inlined
   function is deeper than the function it is in now by the number of inlined
   functions around it: its depth is that function's plus a constant and need
   not be loaded. */
#include "weave/weave.h"

/* The depth at the start of a block; UNSURE in landing pads that are reached
   from several depths, until omen.landed restores one. */
enum state { UNKNOWN, UNSURE, OUTSIDE, INSIDE /* and more: deeper */ };

typedef struct search {
  omen_weave *w;
  omen_weave_map states; /* block -> uintptr_t */
  omen_weave_set unsure; /* blocks that are reached with several depths */
  omen_weave_set visited;
  LLVMValueRef root; /* the marker at which the function itself is entered */
  bool failed;
} search;

/* The state within the function that a marker enters. */
static uintptr_t
state_in (search *s, LLVMValueRef enter)
{
  uintptr_t level = (uintptr_t)omen_weave_map_get (&s->w->levels, enter);
  if (enter == s->root)
    return INSIDE;
  return level ? INSIDE + level : UNSURE;
}

static uintptr_t
enter_inlined (search *s, LLVMValueRef call, uintptr_t state)
{
  if (!omen_weave_is_inlined (call)) {
    s->failed |= s->root != NULL;
    s->root = call;
    return INSIDE;
  }
  if (state < INSIDE)
    return UNSURE;
  omen_weave_map_put (&s->w->levels, call, (void *)(state - INSIDE + 1));
  return state + 1;
}

static uintptr_t
leave_function (uintptr_t inside)
{
  return inside == UNSURE ? UNSURE : inside - 1;
}

static uintptr_t
walk_from (search *s, LLVMBasicBlockRef block, uintptr_t state)
{
  for (LLVMValueRef i = LLVMGetFirstInstruction (block); i;
       i = LLVMGetNextInstruction (i))
    switch (omen_weave_marker (s->w, i)) {
    case OMEN_MARK_ENTER:
      state = enter_inlined (s, i, state);
      break;
    case OMEN_MARK_EXIT:
      state = leave_function (state_in (s, LLVMGetArgOperand (i, 0)));
      break;
    case OMEN_MARK_LANDED:
      state = state_in (s, LLVMGetArgOperand (i, 0));
      break;
    default:
      break;
    }
  return state;
}

static uintptr_t
state_before (const search *s, LLVMBasicBlockRef block)
{
  return omen_weave_set_has (&s->unsure, block)
             ? UNSURE
             : (uintptr_t)omen_weave_map_get (&s->states, block);
}

/* A block that is reached with contradictory depths means that the markers are
   not properly nested. */
static void
lead_to (search *s, LLVMBasicBlockRef block, uintptr_t state)
{
  uintptr_t known = state_before (s, block);
  if (known == state || known == UNSURE)
    return;
  s->failed |= omen_weave_set_has (&s->visited, block);
  if (known == UNKNOWN)
    omen_weave_map_put (&s->states, block, (void *)state);
  else
    omen_weave_set_add (&s->unsure, block);
}

static void
visit_block (void *data, LLVMBasicBlockRef block)
{
  search *s = data;
  LLVMValueRef end = LLVMGetBasicBlockTerminator (block);
  uintptr_t state = state_before (s, block);
  omen_weave_set_add (&s->visited, block);
  state = walk_from (s, block, state == UNKNOWN ? (uintptr_t)OUTSIDE : state);
  for (unsigned i = 0; i < LLVMGetNumSuccessors (end); i++)
    lead_to (s, LLVMGetSuccessor (end, i), state);
}

void
omen_weave_find_levels (omen_weave *w, LLVMValueRef function)
{
  search s = { .w = w };
  omen_weave_map_fini (&w->levels);
  w->levels = (omen_weave_map){ 0 };
  w->depth = NULL;
  omen_shim_visit_blocks (function, visit_block, &s);
  if (s.failed) {
    omen_weave_map_fini (&w->levels);
    w->levels = (omen_weave_map){ 0 };
  }
  omen_weave_map_fini (&s.states);
  omen_weave_set_fini (&s.unsure);
  omen_weave_set_fini (&s.visited);
}
