/* TRUSTED. fsm: its transitions, one by one, as they are written. */
#include "witness/judge_logic.h"

#include <string.h>

static void
begin_fsm (omen_judging *j)
{
  (void)j;
}

/* The transition of the state for the event: its own, else the default; NULL if
   none is written. */
static const omen_written_node *
move_of (const omen_judging *j, uint32_t state, uint32_t event)
{
  const omen_written_node *otherwise = NULL;
  for (uint32_t i = 0; i < j->written->count; i++) {
    const omen_written_node *n = &j->written->nodes[i];
    if (n->kind != OMEN_W_MOVE || n->a != state)
      continue;
    if (n->b == event)
      return n;
    if (n->b == OMEN_NONE)
      otherwise = n;
  }
  return otherwise;
}

/* State OMEN_NONE is fail, which has no transitions. */
static bool
state_is_in (const omen_judging *j, uint32_t state, const char *category)
{
  if (!strcmp (category, "fail"))
    return state == OMEN_NONE;
  if (!strcmp (category, "nonfail"))
    return state != OMEN_NONE;
  if (state == OMEN_NONE)
    return false;
  if (!strcmp (j->written->names[state], category))
    return true;
  for (uint32_t i = 0; i < j->written->count; i++) {
    const omen_written_node *n = &j->written->nodes[i];
    if (n->kind == OMEN_W_MEMBER && n->b == state
        && !strcmp (j->written->names[n->a], category))
      return true;
  }
  return false;
}

static bool
fsm_lands (omen_judging *j, const omen_letter *word, size_t count,
           const char *category)
{
  uint32_t state = 0;
  if (!omen_judging_works (j, count))
    return false;
  for (size_t i = 0; i < count && state != OMEN_NONE; i++) {
    const omen_written_node *n = move_of (j, state, word[i].event);
    state = n ? n->c : OMEN_NONE;
  }
  return state_is_in (j, state, category);
}

/* Events that lead out of the start state (or back to it, if it is in a
   category); and events without a transition that bind nothing. */
static uint64_t
fsm_creation (omen_judging *j)
{
  uint64_t set = 0;
  bool here = false;
  for (uint32_t c = 0; c < j->formula->categories; c++)
    here |= state_is_in (j, 0, j->formula->category[c]);
  for (uint32_t e = 0; e < j->events; e++) {
    const omen_written_node *n = move_of (j, 0, e);
    if (n ? n->c != 0 || here : !j->property->event[e].binds)
      set |= (uint64_t)1 << e;
  }
  return set;
}

const omen_judging_logic omen_judging_fsm
    = { "fsm", begin_fsm, begin_fsm, fsm_lands, fsm_creation };
