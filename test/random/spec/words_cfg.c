/* cfg: which nonterminals have which parts of a word, to a fixed point. */
#include "words.h"

#include <string.h>

#define LEFT 3
#define RULES 3
#define SYMBOLS 4

/* Symbols: below 100 an event, from there on a nonterminal; ends with 255. */
static uint8_t rules[LEFT][RULES][SYMBOLS + 1];
static unsigned left_count, rule_count[LEFT];
static bool has[LEFT][WORD_MAX + 1][WORD_MAX + 1];

static void
make_rule (dice *d, unsigned events, uint8_t *rule, page *p)
{
  unsigned length = roll (d, SYMBOLS), i;
  for (i = 0; i < length; i++) {
    rule[i] = (uint8_t)(roll (d, 2) ? roll (d, events)
                                    : 100 + roll (d, left_count));
    page_put (p, rule[i] < 100 ? " e%u" : " N%u", rule[i] % 100u);
  }
  rule[i] = 255;
  if (!length)
    page_put (p, " epsilon");
}

static void
make (dice *d, unsigned events, page *p)
{
  left_count = 1 + roll (d, LEFT);
  for (unsigned n = 0; n < left_count; n++) {
    rule_count[n] = 1 + roll (d, RULES);
    page_put (p, "%sN%u ->", n ? ", " : "", n);
    for (unsigned r = 0; r < rule_count[n]; r++) {
      page_put (p, r ? " |" : "");
      make_rule (d, events, rules[n][r], p);
    }
  }
}

static bool
fits (const uint8_t *rule, const word *w, unsigned i, unsigned j)
{
  if (*rule == 255)
    return i == j;
  if (*rule < 100)
    return i < j && w->event[i] == *rule && fits (rule + 1, w, i + 1, j);
  for (unsigned k = i; k <= j; k++)
    if (has[*rule - 100][i][k] && fits (rule + 1, w, k, j))
      return true;
  return false;
}

static bool
holds (const word *w)
{
  bool changed = true;
  memset (has, 0, sizeof has);
  while (changed) {
    changed = false;
    for (unsigned n = 0; n < left_count; n++)
      for (unsigned i = 0; i <= w->length; i++)
        for (unsigned j = i; j <= w->length; j++)
          for (unsigned r = 0; !has[n][i][j] && r < rule_count[n]; r++)
            if (fits (rules[n][r], w, i, j))
              changed = has[n][i][j] = true;
  }
  return has[0][0][w->length];
}

const judge judge_cfg = { "cfg", make, holds };
