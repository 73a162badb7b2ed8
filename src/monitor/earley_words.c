/* The words of a grammar: their layout, and validation. */
#include "monitor/earley_state.h"
#include "monitor/property.h"
#include "monitor/table.h"

omen_earley_grammar
omen_earley_grammar_of (const uint32_t *words)
{
  omen_earley_grammar g
      = { .head = words, .events = words[OMEN_EARLEY_EVENTS] };
  g.first = words + OMEN_EARLEY_FIRST;
  g.starts = g.first + words[OMEN_EARLEY_NONTERMINALS] + 1;
  g.nullable = g.starts + words[OMEN_EARLEY_STARTS];
  g.symbols = g.nullable + words[OMEN_EARLEY_NONTERMINALS];
  g.lands = g.symbols + words[OMEN_EARLEY_SYMBOLS];
  OMEN_ASSERT (g.events <= OMEN_EVENTS_MAX);
  return g;
}

static bool
symbols_fit (const omen_earley_grammar *g)
{
  uint32_t count = g->head[OMEN_EARLEY_SYMBOLS];
  uint32_t all = g->events + g->head[OMEN_EARLEY_NONTERMINALS];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t s = g->symbols[i];
    if (s & OMEN_EARLEY_DONE
            ? (s & ~OMEN_EARLEY_DONE) >= g->head[OMEN_EARLEY_NONTERMINALS]
            : s >= all)
      return false;
  }
  for (uint32_t i = 0; i < g->head[OMEN_EARLEY_STARTS]; i++)
    if (g->starts[i] >= count)
      return false;
  for (uint32_t n = 0; n < g->head[OMEN_EARLEY_NONTERMINALS]; n++)
    if (g->first[n] > g->first[n + 1]
        || g->first[n + 1] > g->head[OMEN_EARLEY_STARTS])
      return false;
  return count && g->symbols[count - 1] & OMEN_EARLEY_DONE;
}

bool
omen_earley_valid (const uint32_t *words, uint32_t count, uint32_t events,
                   uint32_t predicates)
{
  omen_earley_grammar g;
  uint64_t want;
  (void)predicates;
  if (count < OMEN_EARLEY_FIRST || words[OMEN_EARLEY_EVENTS] != events
      || events > OMEN_EVENTS_MAX
      || words[OMEN_EARLEY_PARAMETERS] > OMEN_PARAMETERS_MAX
      || !words[OMEN_EARLEY_NONTERMINALS])
    return false;
  want = OMEN_EARLEY_FIRST + 2 * (uint64_t)words[OMEN_EARLEY_NONTERMINALS] + 1
         + words[OMEN_EARLEY_STARTS] + words[OMEN_EARLEY_SYMBOLS]
         + (uint64_t)events * omen_lands_words (words[OMEN_EARLEY_PARAMETERS]);
  if (want != count)
    return false;
  g = omen_earley_grammar_of (words);
  return symbols_fit (&g);
}
