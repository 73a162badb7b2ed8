/* ltl: [] <> o U R over finite traces, past operators inside. Impartial:
   violated once no continuation (the empty one included) satisfies it,
   validated once every one does.

   What remains to be satisfied is a Boolean function of variables "there is a
   next event, and f holds there", one for each until and each operand of `o`.
   An event replaces each variable by what f requires there; at the end of the
   trace all of them are false. So a state is such a function, and the bits of
   the past operators. */
#include "base/map.h"
#include "spec/bdd.h"
#include "spec/logic.h"
#include "spec/temporal.h"

#include <string.h>

static const void *
parse_ltl (omen_parser *parser)
{
  return omen_parse_temporal (parser, true);
}

typedef struct progress {
  const omen_temporal *t;
  uint32_t events;
  omen_bdds bdds;
  omen_automaton *a; /* verdict 1: satisfied if the trace ends here */
  omen_map numbers;  /* (past, function) -> state */
  omen_map pasts;    /* bits -> index in past */
  OMEN_VEC (uint64_t) past;
  OMEN_VEC (uint64_t) keys;                 /* by state */
  uint32_t function[OMEN_TEMPORAL_MAX + 2]; /* by node, at the event */
} progress;

/* The variable "there is a next event, and this node holds there". */
static uint32_t
next_holds (progress *p, uint32_t node)
{
  return omen_bdd_variable (&p->bdds, node);
}

static uint32_t
function_of (progress *p, uint32_t i, const uint8_t *values)
{
  const omen_temporal_node *n = &p->t->nodes[i];
  omen_bdds *b = &p->bdds;
  uint32_t x = p->function[n->a], y = p->function[n->b];
  OMEN_ASSERT (i < p->t->count && p->t->count <= OMEN_TEMPORAL_MAX + 2);
  if (!n->future)
    return values[i] ? OMEN_BDD_TRUE : OMEN_BDD_FALSE;
  switch (n->kind) {
  case OMEN_T_NOT:
    return omen_bdd_choose (b, x, OMEN_BDD_FALSE, OMEN_BDD_TRUE);
  case OMEN_T_AND:
    return omen_bdd_choose (b, x, y, OMEN_BDD_FALSE);
  case OMEN_T_OR:
    return omen_bdd_choose (b, x, OMEN_BDD_TRUE, y);
  case OMEN_T_XOR:
    return omen_bdd_choose (
        b, x, omen_bdd_choose (b, y, OMEN_BDD_FALSE, OMEN_BDD_TRUE), y);
  case OMEN_T_NEXT:
    return next_holds (p, n->a);
  default:
    OMEN_ASSERT (n->kind == OMEN_T_UNTIL);
    x = omen_bdd_choose (b, x, next_holds (p, i), OMEN_BDD_FALSE);
    return omen_bdd_choose (b, y, OMEN_BDD_TRUE, x);
  }
}

static uint32_t
ltl_state (progress *p, uint64_t bits, uint32_t function)
{
  uint32_t *past = omen_map_at (&p->pasts, bits), *slot;
  uint64_t key;
  if (*past == OMEN_NONE) {
    *past = (uint32_t)p->past.count;
    OMEN_VEC_PUSH (p->past, bits);
  }
  key = OMEN_PAIR (*past, function);
  slot = omen_map_at (&p->numbers, key);
  if (*slot == OMEN_NONE) {
    *slot = omen_automaton_add (p->a, omen_bdd_at_zero (&p->bdds, function));
    OMEN_VEC_PUSH (p->keys, key);
    OMEN_ASSERT (*slot == p->keys.count - 1);
  }
  return *slot;
}

static uint32_t
follow_letter (progress *p, uint32_t state, uint32_t letter)
{
  uint8_t values[OMEN_TEMPORAL_MAX + 2];
  uint64_t bits = p->past.data[p->keys.data[state] >> 32];
  uint64_t next = omen_temporal_step (p->t, bits, p->events, letter, values);
  for (uint32_t i = 0; i < p->t->count; i++)
    p->function[i] = function_of (p, i, values);
  return ltl_state (p, next,
                    omen_bdd_substitute (
                        &p->bdds, (uint32_t)p->keys.data[state], p->function));
}

static bool
explore (progress *p)
{
  ltl_state (p, 0, next_holds (p, p->t->count - 1));
  for (uint32_t s = 0; s < p->keys.count; s++)
    for (uint32_t l = 0; l < p->a->letters; l++) {
      uint32_t to = follow_letter (p, s, l);
      *omen_automaton_next (p->a, s, l) = to;
      if (p->bdds.full || omen_automaton_too_large (p->a))
        return false;
    }
  return true;
}

/* ---- verdicts ---- */

/* From which states can a state with this value of "satisfied" be reached? */
static uint8_t *
reaching (omen_automaton *a, bool satisfied)
{
  uint8_t *hopeful = omen_zalloc (omen_automaton_states (a), 1);
  for (uint32_t s = 0; s < omen_automaton_states (a); s++)
    a->verdicts.data[s] ^= !satisfied;
  omen_automaton_hopeful (a, hopeful);
  for (uint32_t s = 0; s < omen_automaton_states (a); s++)
    a->verdicts.data[s] ^= !satisfied;
  return hopeful;
}

static uint32_t
goal_bit (const omen_building *b, const char *name)
{
  for (uint32_t g = 0; g < b->goal_count; g++)
    if (!strcmp (b->goals[g], name))
      return 1u << g;
  return 0;
}

/* A verdict is given once: states that have one lead to a state without
   verdict. */
static void
add_verdict_states (omen_automaton *a, const omen_building *b)
{
  uint32_t states = omen_automaton_states (a), silent, violated, validated;
  uint8_t *can = reaching (a, true), *cannot = reaching (a, false);
  for (uint32_t s = 0; s < states; s++)
    a->verdicts.data[s] = 0;
  silent = omen_automaton_add (a, 0);
  violated = omen_automaton_add (a, goal_bit (b, "violation"));
  validated = omen_automaton_add (a, goal_bit (b, "validation"));
  for (uint32_t l = 0; l < a->letters; l++) {
    *omen_automaton_next (a, violated, l) = silent;
    *omen_automaton_next (a, validated, l) = silent;
  }
  for (uint32_t s = 0; s < states; s++)
    for (uint32_t l = 0; l < a->letters; l++) {
      uint32_t *to = omen_automaton_next (a, s, l);
      *to = !can[*to] ? violated : !cannot[*to] ? validated : *to;
    }
  omen_free (can);
  omen_free (cannot);
}

static omen_automaton *
ltl_automaton (const omen_building *b)
{
  progress p = { .t = b->formula->formula,
                 .events = (uint32_t)b->property->events.count };
  p.a = omen_automaton_new (p.events << b->property->predicates.count);
  omen_bdds_init (&p.bdds);
  omen_map_init (&p.numbers);
  omen_map_init (&p.pasts);
  if (explore (&p))
    add_verdict_states (p.a, b);
  else {
    omen_building_fail (b,
                        "this ltl needs more than %d states, or too many "
                        "steps to find them",
                        OMEN_STATES_MAX);
    omen_automaton_free (p.a);
    p.a = NULL;
  }
  omen_bdds_fini (&p.bdds);
  omen_map_fini (&p.numbers);
  omen_map_fini (&p.pasts);
  OMEN_VEC_FINI (p.past);
  OMEN_VEC_FINI (p.keys);
  return p.a;
}

const omen_logic omen_logic_ltl = {
  .name = "ltl",
  .alias = "ftltl",
  .categories = "violation, validation",
  .about = "violation",
  .parse = parse_ltl,
  .write = omen_write_temporal,
  .has_category = omen_is_judging,
  .creation = omen_creation_moves,
  .automaton = ltl_automaton,
};
