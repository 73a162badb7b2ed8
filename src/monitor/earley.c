/* The engine for grammars: a state is a set of Earley items
   (earley_state.h). */
#include "monitor/earley_state.h"
#include "monitor/table.h"

typedef enum phase { FRESH, GOING, FAILED } phase;

typedef struct state {
  omen_earley_set *now; /* of GOING */
  uint64_t phase;
} state;

static size_t
state_bytes (const omen_machine *machine)
{
  (void)machine;
  return sizeof (state);
}

static void
start_earley (const omen_machine *machine, void *at)
{
  (void)machine;
  *(state *)at = (state){ NULL, FRESH };
}

static bool
step_earley (const omen_machine *machine, void *at, const omen_letter *letter,
             const omen_memory *memory)
{
  state *s = at;
  omen_earley_set *now = s->now, *next;
  bool good;
  OMEN_ASSERT ((s->phase == GOING) == (s->now != NULL));
  OMEN_ASSERT (letter->event < machine->words[OMEN_EARLEY_EVENTS]);
  if (s->phase == FAILED)
    return true;
  if (s->phase == FRESH)
    now = omen_earley_first (machine, memory);
  if (!now)
    return false;
  good = omen_earley_read (machine, now, letter->event, memory, &next);
  if (good) {
    *s = (state){ next, next ? GOING : FAILED };
    omen_earley_release (now, memory);
  } else if (now != s->now)
    omen_earley_release (now, memory);
  return good;
}

static uint32_t
earley_verdict (const omen_machine *machine, const void *at)
{
  const state *s = at;
  const uint32_t *head = machine->words;
  bool match
      = s->phase == GOING
            ? s->now->match
            : s->phase == FRESH && omen_earley_grammar_of (head).nullable[0];
  if (s->phase == FAILED)
    return head[OMEN_EARLEY_FAIL];
  return head[OMEN_EARLEY_NONFAIL] | (match ? head[OMEN_EARLEY_MATCH] : 0);
}

static bool
can_land (const omen_machine *machine, const void *at, uint32_t dead)
{
  const state *s = at;
  omen_earley_grammar g = omen_earley_grammar_of (machine->words);
  uint32_t row = omen_lands_words (g.head[OMEN_EARLEY_PARAMETERS]);
  if (g.head[OMEN_EARLEY_FAIL] || g.head[OMEN_EARLEY_NONFAIL]
      || s->phase == FRESH)
    return true;
  OMEN_ASSERT (dead < 1u << g.head[OMEN_EARLEY_PARAMETERS]);
  return s->phase == GOING
         && g.lands[s->now->last * row + dead / 32] >> dead % 32 & 1;
}

static bool
copy_earley (const omen_machine *machine, void *to, const void *from,
             const omen_memory *memory)
{
  (void)machine, (void)memory;
  *(state *)to = *(const state *)from;
  if (((state *)to)->now)
    ((state *)to)->now->refs++;
  return true;
}

static void
drop_earley (const omen_machine *machine, void *at, const omen_memory *memory)
{
  (void)machine;
  omen_earley_release (((state *)at)->now, memory);
}

static uint64_t
hash_earley (const omen_machine *machine, const void *at)
{
  const state *s = at;
  (void)machine;
  return omen_mix (s->phase, s->now ? s->now->hash[0] : 0);
}

static bool
earley_same (const omen_machine *machine, const void *a, const void *b)
{
  const state *s = a, *t = b;
  (void)machine;
  if (s->now == t->now || !s->now || !t->now)
    return s->now == t->now && s->phase == t->phase;
  return s->now->count == t->now->count && s->now->hash[0] == t->now->hash[0]
         && s->now->hash[1] == t->now->hash[1];
}

const omen_machine_engine omen_engine_earley
    = { "earley",    omen_earley_valid, state_bytes, start_earley,
        step_earley, earley_verdict,    can_land,    copy_earley,
        drop_earley, hash_earley,       earley_same };
