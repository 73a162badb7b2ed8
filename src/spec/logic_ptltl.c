/* ptltl: (*) <*> [*] S, [p,q}, Boolean operators; evaluated at every event. */
#include "base/map.h"
#include "spec/logic.h"
#include "spec/temporal.h"

#include <string.h>

static const void *
parse_ptltl (omen_parser *parser)
{
  return omen_parse_temporal (parser, false);
}

typedef OMEN_VEC (uint64_t) state_keys;

/* A state: the bits of the past operators, and whether the formula holds at the
   last event (2: there was none). */
static uint32_t
ptltl_state (omen_automaton *a, omen_map *numbers, state_keys *keys,
             const omen_building *b, uint64_t key)
{
  uint32_t *slot = omen_map_at (numbers, key), verdict = 0;
  if (*slot != OMEN_NONE)
    return *slot;
  for (uint32_t g = 0; g < b->goal_count; g++)
    if ((key & 3) == (strcmp (b->goals[g], "violation") ? 1 : 0))
      verdict |= 1u << g;
  OMEN_VEC_PUSH (*keys, key);
  return *slot = omen_automaton_add (a, verdict);
}

static omen_automaton *
ptltl_automaton (const omen_building *b)
{
  const omen_temporal *t = b->formula->formula;
  uint32_t events = (uint32_t)b->property->events.count;
  uint8_t values[OMEN_TEMPORAL_MAX + 2];
  omen_automaton *a
      = omen_automaton_new (events << b->property->predicates.count);
  state_keys keys = { 0 };
  omen_map numbers;
  omen_map_init (&numbers);
  ptltl_state (a, &numbers, &keys, b, 2);
  for (uint32_t s = 0; s < keys.count && !omen_automaton_too_large (a); s++)
    for (uint32_t l = 0; l < a->letters; l++) {
      uint64_t next
          = omen_temporal_step (t, keys.data[s] >> 2, events, l, values);
      uint32_t to = ptltl_state (a, &numbers, &keys, b,
                                 next << 2 | values[t->count - 1]);
      *omen_automaton_next (a, s, l) = to;
    }
  if (omen_automaton_too_large (a)) {
    omen_building_fail (b, "this ptltl needs more than %d states",
                        OMEN_STATES_MAX);
    omen_automaton_free (a);
    a = NULL;
  }
  OMEN_VEC_FINI (keys);
  omen_map_fini (&numbers);
  return a;
}

const omen_logic omen_logic_ptltl = {
  .name = "ptltl",
  .categories = "violation, validation",
  .about = "violation",
  .parse = parse_ptltl,
  .write = omen_write_temporal,
  .has_category = omen_is_judging,
  .creation = omen_creation_moves,
  .automaton = ptltl_automaton,
};
