/* Prepares grammars for an engine: rules without words are removed, and
   families are least fixed points over the rules. */
#include "spec/grammar.h"

#include <string.h>

#define FAMILY_WORK_MAX 20000000

/* ---- rules ---- */

static void
add_rule (omen_grammar *g, uint32_t left, const uint32_t *symbols,
          uint32_t count)
{
  omen_grammar_rule added = { left, (uint32_t)g->symbols.count, count };
  for (uint32_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (g->symbols, symbols[i]);
  OMEN_VEC_PUSH (g->rules, added);
}

static void
add_own_rules (omen_grammar *g, bool suffix)
{
  uint32_t junk = OMEN_NONTERMINAL + g->nonterminals;
  uint32_t both[] = { junk, OMEN_NONTERMINAL + g->start };
  add_rule (g, 0, suffix ? both : both + 1, suffix ? 2 : 1);
  if (!suffix)
    return;
  add_rule (g, g->nonterminals, NULL, 0);
  for (uint32_t e = 0; e < g->events; e++) {
    uint32_t more[] = { junk, e };
    add_rule (g, g->nonterminals, more, 2);
  }
  g->nonterminals++;
}

static bool
all_are (const omen_grammar *g, const omen_grammar_rule *r, const uint8_t *what,
         bool events)
{
  for (uint32_t i = 0; i < r->count; i++) {
    uint32_t s = g->symbols.data[r->first + i];
    if (s < OMEN_NONTERMINAL ? !events : !what[s - OMEN_NONTERMINAL])
      return false;
  }
  return true;
}

/* The least set of nonterminals with a rule all of whose symbols are in it. */
static void
fixpoint (const omen_grammar *g, uint8_t *what, bool events)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < g->rules.count; i++) {
      const omen_grammar_rule *r = &g->rules.data[i];
      if (!what[r->left] && all_are (g, r, what, events)) {
        what[r->left] = 1;
        changed = true;
      }
    }
  }
}

void
omen_grammar_init (omen_grammar *g, const omen_building *b)
{
  const omen_cfg *c = b->formula->formula;
  *g = (omen_grammar){ .events = (uint32_t)b->property->events.count,
                       .nonterminals = c->nonterminals + 1,
                       .start = 1 };
  add_own_rules (g, b->property->modifiers & OMEN_SUFFIX);
  for (uint32_t i = 0; i < c->rule_count; i++) {
    const omen_grammar_rule *r = &c->rules[i];
    omen_grammar_rule added
        = { r->left + 1, (uint32_t)g->symbols.count, r->count };
    for (uint32_t j = 0; j < r->count; j++) {
      uint32_t s = c->symbols[r->first + j];
      OMEN_VEC_PUSH (g->symbols, s < OMEN_NONTERMINAL ? s : s + 1);
    }
    OMEN_VEC_PUSH (g->rules, added);
  }
  g->productive = omen_zalloc (g->nonterminals, 1);
  g->nullable = omen_zalloc (g->nonterminals, 1);
  fixpoint (g, g->productive, true);
  size_t kept = 0;
  for (size_t i = 0; i < g->rules.count; i++)
    if (all_are (g, &g->rules.data[i], g->productive, true))
      g->rules.data[kept++] = g->rules.data[i];
  g->rules.count = kept;
  fixpoint (g, g->nullable, false);
}

void
omen_grammar_fini (omen_grammar *g)
{
  OMEN_VEC_FINI (g->rules);
  OMEN_VEC_FINI (g->symbols);
  omen_free (g->productive);
  omen_free (g->nullable);
  omen_free (g->any);
  omen_free (g->some);
  omen_free (g->before);
  omen_free (g->after);
  omen_free (g->after_some);
}

/* ---- what words bind ---- */

/* Families of the words of symbols [from, to) of the rule: of all, and of all
   but the empty one. */
static void
words_of (const omen_grammar *g, const omen_grammar_rule *r, uint32_t from,
          uint32_t to, omen_family *any, omen_family *some)
{
  OMEN_ASSERT (from <= to && to <= r->count);
  memset (any, 0, sizeof *any);
  memset (some, 0, sizeof *some);
  omen_family_add (any, 0);
  for (uint32_t i = from; i < to; i++) {
    uint32_t s = omen_grammar_number (g, g->symbols.data[r->first + i]);
    omen_family left = omen_family_cross (some, &g->any[s]);
    *some = omen_family_cross (any, &g->some[s]);
    omen_family_join (some, &left);
    *any = omen_family_cross (any, &g->any[s]);
  }
}

static bool
words_round (omen_grammar *g)
{
  bool changed = false;
  for (size_t i = 0; i < g->rules.count; i++) {
    const omen_grammar_rule *r = &g->rules.data[i];
    omen_family any, some;
    words_of (g, r, 0, r->count, &any, &some);
    changed |= omen_family_join (&g->any[g->events + r->left], &any);
    changed |= omen_family_join (&g->some[g->events + r->left], &some);
  }
  return changed;
}

/* One round: from a left side to each symbol of its right sides. */
static bool
around_round (omen_grammar *g)
{
  bool changed = false;
  for (size_t i = 0; i < g->rules.count; i++) {
    const omen_grammar_rule *r = &g->rules.data[i];
    uint32_t left = g->events + r->left;
    for (uint32_t j = 0; j < r->count; j++) {
      uint32_t s = omen_grammar_number (g, g->symbols.data[r->first + j]);
      omen_family any, some, joined;
      words_of (g, r, 0, j, &any, &some);
      joined = omen_family_cross (&g->before[left], &any);
      changed |= omen_family_join (&g->before[s], &joined);
      words_of (g, r, j + 1, r->count, &any, &some);
      joined = omen_family_cross (&any, &g->after[left]);
      changed |= omen_family_join (&g->after[s], &joined);
      joined = omen_family_cross (&some, &g->after[left]);
      changed |= omen_family_join (&g->after_some[s], &joined);
      joined = omen_family_cross (&any, &g->after_some[left]);
      changed |= omen_family_join (&g->after_some[s], &joined);
    }
  }
  return changed;
}

/* A match may lead back to the start: what it bound comes before the next. */
static bool
before_again (omen_grammar *g)
{
  omen_family more
      = omen_family_cross (&g->before[g->events], &g->any[g->events]);
  return omen_family_join (&g->before[g->events], &more);
}

static void
get_families (omen_grammar *g, const omen_spec_property *p)
{
  uint32_t all = g->events + g->nonterminals;
  OMEN_ASSERT (!g->any && g->events == p->events.count);
  g->any = omen_zalloc (all, sizeof *g->any);
  g->some = omen_zalloc (all, sizeof *g->some);
  g->before = omen_zalloc (all, sizeof *g->before);
  g->after = omen_zalloc (all, sizeof *g->after);
  g->after_some = omen_zalloc (all, sizeof *g->after_some);
  for (uint32_t e = 0; e < g->events; e++) {
    omen_family_add (&g->any[e], p->events.data[e].binds);
    omen_family_add (&g->some[e], p->events.data[e].binds);
  }
}

static void
find_families (omen_grammar *g, bool resets)
{
  while (words_round (g))
    continue;
  omen_family_add (&g->before[g->events], 0);
  while (resets && before_again (g))
    continue;
  omen_family_add (&g->after[g->events], 0);
  while (around_round (g))
    continue;
}

/* Families of large grammars over many parameters take too long to find. */
static bool
too_much_work (const omen_grammar *g, uint32_t parameters)
{
  uint64_t work = 0;
  for (size_t i = 0; i < g->rules.count; i++)
    work += ((uint64_t)g->rules.data[i].count + 1)
            * (g->rules.data[i].count + 1);
  return work << 2 * parameters > FAMILY_WORK_MAX;
}

bool
omen_grammar_bind (omen_grammar *g, const omen_spec_property *p, bool resets)
{
  get_families (g, p);
  OMEN_ASSERT (g->nonterminals && g->start < g->nonterminals);
  if (too_much_work (g, (uint32_t)p->parameters.count)) {
    /* Any event may come before and after any other. */
    for (uint32_t e = 0; e < g->events; e++)
      omen_family_add (&g->after_some[e], 0);
    return false;
  }
  find_families (g, resets);
  return true;
}

uint64_t
omen_grammar_first (const omen_grammar *g)
{
  uint8_t *begins = omen_zalloc (g->nonterminals, 1);
  uint64_t events = 0;
  bool changed = true;
  begins[g->start] = 1;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < g->rules.count; i++) {
      const omen_grammar_rule *r = &g->rules.data[i];
      for (uint32_t j = 0; begins[r->left] && j < r->count; j++) {
        uint32_t s = g->symbols.data[r->first + j];
        if (s < OMEN_NONTERMINAL) {
          events |= (uint64_t)1 << s;
          break;
        }
        changed |= !begins[s - OMEN_NONTERMINAL];
        begins[s - OMEN_NONTERMINAL] = 1;
        if (!g->nullable[s - OMEN_NONTERMINAL])
          break;
      }
    }
  }
  omen_free (begins);
  return events;
}
