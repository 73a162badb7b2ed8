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
start (const omen_machine *machine, void *state)
{
  *(uint64_t *)state = machine->words[OMEN_TABLE_START];
}

static bool
step (const omen_machine *machine, void *state, const omen_letter *letter,
      const omen_memory *memory)
{
  uint64_t *at = state;
  (void)memory;
  *at = omen_table_next (machine->words, *at, letter->event,
                         letter->predicates);
  return true;
}

static uint32_t
verdict (const omen_machine *machine, const void *state)
{
  return omen_table_verdict (machine->words, *(const uint64_t *)state);
}

static bool
can_land (const omen_machine *machine, const void *state, uint32_t dead)
{
  const uint32_t *words = machine->words;
  uint32_t row = omen_lands_words (words[OMEN_TABLE_PARAMETERS]);
  const uint32_t *lands = verdicts (words) + words[OMEN_TABLE_STATES]
                          + *(const uint64_t *)state * row;
  OMEN_ASSERT (dead < 1u << words[OMEN_TABLE_PARAMETERS]);
  return lands[dead / 32] >> dead % 32 & 1;
}

static bool
copy (const omen_machine *machine, void *to, const void *from,
      const omen_memory *memory)
{
  (void)machine, (void)memory;
  *(uint64_t *)to = *(const uint64_t *)from;
  return true;
}

static void
drop (const omen_machine *machine, void *state, const omen_memory *memory)
{
  (void)machine, (void)state, (void)memory;
}

static uint64_t
hash (const omen_machine *machine, const void *state)
{
  (void)machine;
  return omen_mix (1, *(const uint64_t *)state);
}

static bool
same (const omen_machine *machine, const void *a, const void *b)
{
  (void)machine;
  return *(const uint64_t *)a == *(const uint64_t *)b;
}

const omen_engine omen_engine_table
    = { "table",  valid, state_bytes, start, step, verdict,
        can_land, copy,  drop,        hash,  same };
