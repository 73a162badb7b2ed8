#include "monitor/cut.h"

static const struct {
  const char *word;
  omen_cut_operand operand;
} cuts[] = {
#define OMEN_CUT(kind, word, operand) { word, OMEN_CUT_##operand },
#include "monitor/cuts.def"
};

const char *
omen_cut_word (omen_cut_kind kind)
{
  OMEN_REQUIRE (kind < OMEN_CUT_KINDS);
  return cuts[kind].word;
}

omen_cut_operand
omen_cut_takes (omen_cut_kind kind)
{
  OMEN_REQUIRE (kind < OMEN_CUT_KINDS);
  return cuts[kind].operand;
}

/* Greedy, with backtracking to the last `*` only: it may match one byte
   more. */
bool
omen_pattern_fits (const char *pattern, const char *text)
{
  const char *star = NULL, *taken = NULL;
  while (*text) {
    if (*pattern == '*') {
      star = pattern++;
      taken = text;
    } else if (*pattern == *text) {
      pattern++, text++;
    } else if (star) {
      pattern = star + 1;
      text = ++taken;
    } else
      return false;
  }
  while (*pattern == '*')
    pattern++;
  return !*pattern;
}

bool
omen_pattern_may_begin (const char *pattern, const char *text)
{
  while (*text && *pattern == *text)
    pattern++, text++;
  return !*text || *pattern == '*';
}

bool
omen_pattern_is_open (const char *pattern)
{
  char last = 0, before = 0;
  for (; *pattern; pattern++) {
    before = last;
    last = *pattern;
  }
  return last == '*' || (last == ']' && before == '*');
}

bool
omen_pattern_is_typed (const char *pattern)
{
  static const char *const fronts[] = { "struct ", "union ", "class ", "*." };
  for (unsigned i = 0; i < sizeof fronts / sizeof *fronts; i++) {
    const char *p = pattern, *front = fronts[i];
    while (*front && *p == *front)
      p++, front++;
    if (!*front)
      return true;
  }
  return false;
}
