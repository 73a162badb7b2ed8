/* The engine for finite automata: a step is one look into a table. */
#include "monitor/machine.h"
#include "monitor/property.h"
#include "monitor/table.h"

static const uint32_t *
verdicts (const uint32_t *words)
{
  return words + OMEN_TABLE_NEXT
         + (size_t)words[OMEN_TABLE_STATES] * omen_table_letters (words);
}

static bool
sizes_fit (const uint32_t *words, uint32_t count)
{
  uint64_t states = words[OMEN_TABLE_STATES];
  uint64_t a_state = (uint64_t)omen_table_letters (words) + 1
                     + omen_lands_words (words[OMEN_TABLE_PARAMETERS]);
  return states && words[OMEN_TABLE_START] < states
         && OMEN_TABLE_NEXT + states * a_state == count;
}

static bool
valid (const uint32_t *words, uint32_t count, uint32_t events,
       uint32_t predicates)
{
  if (count < OMEN_TABLE_NEXT || words[OMEN_TABLE_EVENTS] != events
      || events > OMEN_EVENTS_MAX || words[OMEN_TABLE_PREDICATES] != predicates
      || predicates > OMEN_PREDICATES_MAX
      || words[OMEN_TABLE_PARAMETERS] > OMEN_PARAMETERS_MAX
      || !sizes_fit (words, count))
    return false;
  for (const uint32_t *w = words + OMEN_TABLE_NEXT; w < verdicts (words); w++)
    if (*w >= words[OMEN_TABLE_STATES])
      return false;
  return true;
}

static size_t
state_bytes (const omen_machine *machine)
{
  (void)machine;
  return sizeof (uint64_t);
}

static void
start_table (const omen_machine *machine, void *state)
{
  *(uint64_t *)state = machine->words[OMEN_TABLE_START];
}

/* ---- sets of states ---- */

static uint64_t
members_of (uint64_t state)
{
  return state & OMEN_TABLE_SET ? state & ~OMEN_TABLE_SET
                                : (uint64_t)1 << state;
}

/* What steps from some states by some letters led to. */
typedef struct reached {
  uint64_t set;
  uint32_t count, first; /* of states: 0, 1, 2 for more */
  uint32_t some, all;    /* categories of some and of all of them */
} reached;

/* Add the successors of the state by the letter, for each value of the
   predicates that are unknown. */
static void
reach_by_letter (const uint32_t *words, uint32_t state,
                 const omen_letter *letter, reached *r)
{
  uint32_t part = letter->unknown;
  for (;; part = (part - 1) & letter->unknown) {
    uint32_t known = letter->predicates & ~letter->unknown;
    uint32_t to = omen_table_next (words, state, letter->event, known | part);
    if (!r->count)
      r->first = to;
    if (!r->count || to != r->first)
      r->count++;
    if (to < OMEN_TABLE_SET_STATES)
      r->set |= (uint64_t)1 << to;
    r->some |= omen_table_verdict (words, to);
    r->all &= omen_table_verdict (words, to);
    if (!part)
      return;
  }
}

static uint64_t
step_unsure (const uint32_t *words, uint64_t state, const omen_letter *letter)
{
  bool large = words[OMEN_TABLE_STATES] > OMEN_TABLE_SET_STATES;
  reached r = { .all = UINT32_MAX };
  if (!(state & OMEN_TABLE_SET))
    reach_by_letter (words, (uint32_t)state, letter, &r);
  else
    for (uint64_t rest = members_of (state); rest; rest &= rest - 1)
      reach_by_letter (words, (uint32_t)__builtin_ctzll (rest), letter, &r);
  if (r.count == 1)
    return r.first;
  if (large || (r.some & ~r.all & words[OMEN_TABLE_RESETS]))
    return OMEN_TABLE_SET;
  return OMEN_TABLE_SET | r.set;
}

/* ---- the engine ---- */

static bool
step_table (const omen_machine *machine, void *state, const omen_letter *letter,
            const omen_memory *memory)
{
  uint64_t *at = state;
  (void)memory;
  if (OMEN_UNLIKELY (letter->unknown || *at & OMEN_TABLE_SET)) {
    *at = step_unsure (machine->words, *at, letter);
    return true;
  }
  *at = omen_table_next (machine->words, *at, letter->event,
                         letter->predicates);
  return true;
}

static uint32_t
table_verdict (const omen_machine *machine, const void *state)
{
  uint64_t at = *(const uint64_t *)state;
  uint32_t all = UINT32_MAX;
  if (OMEN_LIKELY (!(at & OMEN_TABLE_SET)))
    return omen_table_verdict (machine->words, at);
  for (uint64_t rest = members_of (at); rest; rest &= rest - 1)
    all &= omen_table_verdict (machine->words,
                               (uint64_t)__builtin_ctzll (rest));
  return at == OMEN_TABLE_SET ? 0 : all;
}

static bool
state_can_land (const uint32_t *words, uint64_t state, uint32_t dead)
{
  uint32_t row = omen_lands_words (words[OMEN_TABLE_PARAMETERS]);
  const uint32_t *lands
      = verdicts (words) + words[OMEN_TABLE_STATES] + state * row;
  OMEN_ASSERT (dead < 1u << words[OMEN_TABLE_PARAMETERS]);
  return lands[dead / 32] >> dead % 32 & 1;
}

static bool
can_land (const omen_machine *machine, const void *state, uint32_t dead)
{
  uint64_t at = *(const uint64_t *)state;
  bool any = false;
  if (OMEN_LIKELY (!(at & OMEN_TABLE_SET)))
    return state_can_land (machine->words, at, dead);
  for (uint64_t rest = members_of (at); rest; rest &= rest - 1)
    any |= state_can_land (machine->words, (uint64_t)__builtin_ctzll (rest),
                           dead);
  return any;
}

static bool
copy_table (const omen_machine *machine, void *to, const void *from,
            const omen_memory *memory)
{
  (void)machine, (void)memory;
  *(uint64_t *)to = *(const uint64_t *)from;
  return true;
}

static void
drop_table (const omen_machine *machine, void *state, const omen_memory *memory)
{
  (void)machine, (void)state, (void)memory;
}

static uint64_t
hash_table (const omen_machine *machine, const void *state)
{
  (void)machine;
  return omen_mix (1, *(const uint64_t *)state);
}

static bool
table_same (const omen_machine *machine, const void *a, const void *b)
{
  (void)machine;
  return *(const uint64_t *)a == *(const uint64_t *)b;
}

const omen_machine_engine omen_engine_table
    = { "table",    valid,         state_bytes, start_table,
        step_table, table_verdict, can_land,    copy_table,
        drop_table, hash_table,    table_same };
