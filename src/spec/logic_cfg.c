/* cfg: S -> a B | epsilon, B -> …; the first left side is the start. */
#include "monitor/earley.h"
#include "monitor/table.h"
#include "spec/logic.h"

#include <string.h>

#define RULES_MAX 2000
#define SYMBOLS_MAX 10000
#define FAMILY_WORK_MAX 20000000

/* Symbols of right sides: an event, or this and a nonterminal. */
#define NONTERMINAL OMEN_EVENTS_MAX

typedef struct rule {
  uint32_t left, first, count; /* [first, first + count) of symbols */
} rule;

typedef struct cfg {
  const char **names; /* of nonterminals */
  rule *rules;
  uint32_t *symbols;
  uint32_t nonterminals, rule_count, symbol_count;
} cfg;

/* ---- reading ---- */

typedef struct reader {
  omen_parser *parser;
  OMEN_VEC (const char *) names;
  OMEN_VEC (rule) rules;
  omen_ids symbols;
} reader;

static uint32_t
find_name (const reader *r, const char *text, size_t length)
{
  for (uint32_t i = 0; i < r->names.count; i++)
    if (strlen (r->names.data[i]) == length
        && !memcmp (r->names.data[i], text, length))
      return i;
  return OMEN_NONE;
}

static bool
at_rule (const omen_lexer *lexer)
{
  omen_lexer ahead = *lexer;
  omen_err ignored = { 0 };
  ahead.err = &ignored;
  if (lexer->token != OMEN_TOKEN_NAME)
    return false;
  omen_lex_next (&ahead);
  return omen_lex_is (&ahead, "->");
}

/* All left sides, before any right side is read. */
static bool
left_sides (reader *r)
{
  omen_lexer ahead = r->parser->lexer;
  for (; ahead.token != OMEN_TOKEN_END && ahead.token != OMEN_TOKEN_BAD
         && !omen_lex_is (&ahead, "@") && !omen_lex_is (&ahead, "}")
         && !omen_at_formula (&ahead);
       omen_lex_next (&ahead)) {
    const char *text = ahead.text + ahead.at;
    if (!at_rule (&ahead))
      continue;
    if (omen_find_event (r->parser->property, text, ahead.length) != OMEN_NONE)
      return omen_lex_fail (&ahead, ahead.at,
                            "'%.*s' is an event: it cannot be a left side",
                            (int)ahead.length, text);
    if (find_name (r, text, ahead.length) == OMEN_NONE) {
      const char *name = omen_arena_strndup (&r->parser->spec->arena, text,
                                             ahead.length);
      OMEN_VEC_PUSH (r->names, name);
    }
  }
  return ahead.token != OMEN_TOKEN_BAD;
}

static bool
symbol (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t n, event;
  if (omen_lex_take (lexer, "epsilon"))
    return true;
  if (lexer->token != OMEN_TOKEN_NAME)
    return omen_lex_expected (lexer, "an event, a left side or epsilon");
  if (r->symbols.count == SYMBOLS_MAX)
    return omen_lex_fail (lexer, lexer->at,
                          "a grammar with more than %d symbols", SYMBOLS_MAX);
  n = find_name (r, lexer->text + lexer->at, lexer->length);
  if (n != OMEN_NONE) {
    OMEN_VEC_PUSH (r->symbols, NONTERMINAL + n);
    omen_lex_next (lexer);
    return true;
  }
  if (!omen_parse_event_name (r->parser, &event))
    return false;
  OMEN_VEC_PUSH (r->symbols, event);
  return true;
}

static bool
right_side (reader *r, uint32_t left)
{
  const omen_lexer *lexer = &r->parser->lexer;
  rule added = { left, (uint32_t)r->symbols.count, 0 };
  do
    if (!symbol (r))
      return false;
  while (lexer->token == OMEN_TOKEN_NAME && !at_rule (lexer)
         && !omen_at_formula (lexer));
  added.count = (uint32_t)r->symbols.count - added.first;
  if (r->rules.count == RULES_MAX)
    return omen_lex_fail (lexer, lexer->at, "a grammar with more than %d rules",
                          RULES_MAX);
  OMEN_VEC_PUSH (r->rules, added);
  return true;
}

static bool
production (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t left;
  if (!at_rule (lexer))
    return omen_lex_expected (lexer, "a rule, such as 'S -> a S | epsilon'");
  left = find_name (r, lexer->text + lexer->at, lexer->length);
  OMEN_ASSERT (left != OMEN_NONE);
  omen_lex_next (lexer);
  omen_lex_take (lexer, "->");
  do
    if (!right_side (r, left))
      return false;
  while (omen_lex_take (lexer, "|"));
  return true;
}

static const cfg *
finished (const reader *r)
{
  omen_arena *arena = &r->parser->spec->arena;
  cfg *c = OMEN_ARENA_NEW (arena, cfg, 1);
  c->nonterminals = (uint32_t)r->names.count;
  c->rule_count = (uint32_t)r->rules.count;
  c->symbol_count = (uint32_t)r->symbols.count;
  c->names = OMEN_ARENA_NEW (arena, const char *, c->nonterminals);
  c->rules = OMEN_ARENA_NEW (arena, rule, c->rule_count);
  c->symbols = OMEN_ARENA_NEW (arena, uint32_t, c->symbol_count + 1);
  memcpy (c->names, r->names.data, c->nonterminals * sizeof *c->names);
  memcpy (c->rules, r->rules.data, c->rule_count * sizeof *c->rules);
  if (c->symbol_count)
    memcpy (c->symbols, r->symbols.data, c->symbol_count * sizeof *c->symbols);
  return c;
}

static const void *
parse (omen_parser *parser)
{
  reader r = { .parser = parser };
  omen_lexer *lexer = &parser->lexer;
  const cfg *c = NULL;
  bool good = left_sides (&r);
  do
    good = good && production (&r);
  while (good && (omen_lex_take (lexer, ",") || at_rule (lexer)));
  if (good)
    c = finished (&r);
  OMEN_VEC_FINI (r.names);
  OMEN_VEC_FINI (r.rules);
  OMEN_VEC_FINI (r.symbols);
  return c;
}

/* ---- the grammar, made ready ---- */

/* Nonterminal 0 is new, with the rule 0 -> S, or 0 -> J S and J -> J e | epsilon
   where every event starts another attempt. */
typedef struct ready {
  uint32_t events, nonterminals, start; /* start: the grammar's own */
  OMEN_VEC (rule) rules;
  omen_ids symbols;
  uint8_t *productive, *nullable;
  omen_family *any, *some; /* what its words bind; its words but the empty */
  omen_family *before;     /* what words before it in a match bind */
  omen_family *after, *after_some; /* … and words after it */
} ready;

static void
add_rule (ready *g, uint32_t left, const uint32_t *symbols, uint32_t count)
{
  rule added = { left, (uint32_t)g->symbols.count, count };
  for (uint32_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (g->symbols, symbols[i]);
  OMEN_VEC_PUSH (g->rules, added);
}

static void
add_own_rules (ready *g, bool suffix)
{
  uint32_t junk = NONTERMINAL + g->nonterminals;
  uint32_t both[] = { junk, NONTERMINAL + g->start };
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
all_are (const ready *g, const rule *r, const uint8_t *what, bool events)
{
  for (uint32_t i = 0; i < r->count; i++) {
    uint32_t s = g->symbols.data[r->first + i];
    if (s < NONTERMINAL ? !events : !what[s - NONTERMINAL])
      return false;
  }
  return true;
}

/* The least set of nonterminals with a rule all of whose symbols are in it. */
static void
fixpoint (const ready *g, uint8_t *what, bool events)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < g->rules.count; i++) {
      const rule *r = &g->rules.data[i];
      if (!what[r->left] && all_are (g, r, what, events)) {
        what[r->left] = 1;
        changed = true;
      }
    }
  }
}

static void
drop_unproductive (ready *g)
{
  size_t kept = 0;
  for (size_t i = 0; i < g->rules.count; i++)
    if (all_are (g, &g->rules.data[i], g->productive, true))
      g->rules.data[kept++] = g->rules.data[i];
  g->rules.count = kept;
}

static void
ready_init (ready *g, const omen_building *b)
{
  const cfg *c = b->formula->formula;
  *g = (ready){ .events = (uint32_t)b->property->events.count,
                .nonterminals = c->nonterminals + 1,
                .start = 1 };
  add_own_rules (g, b->property->modifiers & OMEN_SUFFIX);
  for (uint32_t i = 0; i < c->rule_count; i++) {
    const rule *r = &c->rules[i];
    rule added = { r->left + 1, (uint32_t)g->symbols.count, r->count };
    for (uint32_t j = 0; j < r->count; j++) {
      uint32_t s = c->symbols[r->first + j];
      OMEN_VEC_PUSH (g->symbols, s < NONTERMINAL ? s : s + 1);
    }
    OMEN_VEC_PUSH (g->rules, added);
  }
  g->productive = omen_zalloc (g->nonterminals, 1);
  g->nullable = omen_zalloc (g->nonterminals, 1);
  fixpoint (g, g->productive, true);
  drop_unproductive (g);
  fixpoint (g, g->nullable, false);
}

static void
ready_fini (ready *g)
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

/* Symbols are numbered events first, then nonterminals. */
static uint32_t
number (const ready *g, uint32_t symbol)
{
  return symbol < NONTERMINAL ? symbol : symbol - NONTERMINAL + g->events;
}

/* Words of symbols [from, to) of the rule: all, and all but the empty one. */
static void
words_of (const ready *g, const rule *r, uint32_t from, uint32_t to,
          omen_family *any, omen_family *some)
{
  memset (any, 0, sizeof *any);
  memset (some, 0, sizeof *some);
  omen_family_add (any, 0);
  for (uint32_t i = from; i < to; i++) {
    uint32_t s = number (g, g->symbols.data[r->first + i]);
    omen_family left = omen_family_cross (some, &g->any[s]);
    *some = omen_family_cross (any, &g->some[s]);
    omen_family_join (some, &left);
    *any = omen_family_cross (any, &g->any[s]);
  }
}

static bool
words_round (ready *g)
{
  bool changed = false;
  for (size_t i = 0; i < g->rules.count; i++) {
    const rule *r = &g->rules.data[i];
    omen_family any, some;
    words_of (g, r, 0, r->count, &any, &some);
    changed |= omen_family_join (&g->any[g->events + r->left], &any);
    changed |= omen_family_join (&g->some[g->events + r->left], &some);
  }
  return changed;
}

/* From a left side to each symbol of its right side. */
static bool
around_round (ready *g)
{
  bool changed = false;
  for (size_t i = 0; i < g->rules.count; i++) {
    const rule *r = &g->rules.data[i];
    uint32_t left = g->events + r->left;
    for (uint32_t j = 0; j < r->count; j++) {
      uint32_t s = number (g, g->symbols.data[r->first + j]);
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

/* A match may lead back to the start: what it binds comes before the rest. */
static bool
before_again (ready *g)
{
  omen_family more
      = omen_family_cross (&g->before[g->events], &g->any[g->events]);
  return omen_family_join (&g->before[g->events], &more);
}

static void
get_families (ready *g, const omen_spec_property *p)
{
  uint32_t all = g->events + g->nonterminals;
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
find_families (ready *g, bool resets)
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

/* The events that begin words of the grammar's own start. */
static uint64_t
first_events (const ready *g)
{
  uint8_t *begins = omen_zalloc (g->nonterminals, 1);
  uint64_t events = 0;
  bool changed = true;
  begins[g->start] = 1;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < g->rules.count; i++) {
      const rule *r = &g->rules.data[i];
      for (uint32_t j = 0; begins[r->left] && j < r->count; j++) {
        uint32_t s = g->symbols.data[r->first + j];
        if (s < NONTERMINAL) {
          events |= (uint64_t)1 << s;
          break;
        }
        changed |= !begins[s - NONTERMINAL];
        begins[s - NONTERMINAL] = 1;
        if (!g->nullable[s - NONTERMINAL])
          break;
      }
    }
  }
  omen_free (begins);
  return events;
}

/* ---- to a machine ---- */

static uint32_t
goal_bits (const omen_building *b, const char *name)
{
  uint32_t bits = 0;
  for (uint32_t g = 0; g < b->goal_count; g++)
    if (!strcmp (b->goals[g], name))
      bits |= 1u << g;
  return bits;
}

static void
put_rules (const ready *g, omen_ids *words)
{
  omen_ids starts = { 0 }, symbols = { 0 };
  for (uint32_t n = 0; n < g->nonterminals; n++) {
    OMEN_VEC_PUSH (*words, (uint32_t)starts.count);
    for (size_t i = 0; i < g->rules.count; i++) {
      const rule *r = &g->rules.data[i];
      if (r->left != n)
        continue;
      OMEN_VEC_PUSH (starts, (uint32_t)symbols.count);
      for (uint32_t j = 0; j < r->count; j++)
        OMEN_VEC_PUSH (symbols,
                       number (g, g->symbols.data[r->first + j]));
      OMEN_VEC_PUSH (symbols, OMEN_EARLEY_DONE | n);
    }
  }
  OMEN_VEC_PUSH (*words, (uint32_t)starts.count);
  for (size_t i = 0; i < starts.count; i++)
    OMEN_VEC_PUSH (*words, starts.data[i]);
  for (uint32_t n = 0; n < g->nonterminals; n++)
    OMEN_VEC_PUSH (*words, (uint32_t)g->nullable[n]);
  if (!symbols.count)
    OMEN_VEC_PUSH (symbols, OMEN_EARLEY_DONE);
  for (size_t i = 0; i < symbols.count; i++)
    OMEN_VEC_PUSH (*words, symbols.data[i]);
  words->data[OMEN_EARLEY_STARTS] = (uint32_t)starts.count;
  words->data[OMEN_EARLEY_SYMBOLS] = (uint32_t)symbols.count;
  OMEN_VEC_FINI (starts);
  OMEN_VEC_FINI (symbols);
}

/* Bit d: some non-empty word that ends a match binds nothing of d. */
static void
put_lands (const ready *g, uint32_t parameters, omen_ids *words)
{
  uint32_t row = omen_lands_words (parameters);
  for (uint32_t e = 0; e < g->events; e++) {
    size_t at = words->count;
    for (uint32_t i = 0; i < row; i++)
      OMEN_VEC_PUSH (*words, 0u);
    for (uint32_t dead = 0; dead < 1u << parameters; dead++)
      for (uint32_t set = 0; set < 1u << parameters; set++)
        if (!(set & dead) && omen_family_has (&g->after_some[e], set))
          words->data[at + dead / 32] |= 1u << dead % 32;
  }
}

static void
put_machine (const ready *g, const omen_building *b, omen_ids *words)
{
  uint32_t parameters = (uint32_t)b->property->parameters.count;
  const uint32_t head[OMEN_EARLEY_FIRST] = {
    [OMEN_EARLEY_EVENTS] = g->events,
    [OMEN_EARLEY_NONTERMINALS] = g->nonterminals,
    [OMEN_EARLEY_PARAMETERS] = parameters,
    [OMEN_EARLEY_MATCH] = goal_bits (b, "match"),
    [OMEN_EARLEY_FAIL] = goal_bits (b, "fail"),
    [OMEN_EARLEY_NONFAIL] = goal_bits (b, "nonfail"),
  };
  for (size_t i = 0; i < OMEN_COUNT (head); i++)
    OMEN_VEC_PUSH (*words, head[i]);
  put_rules (g, words);
  put_lands (g, parameters, words);
}

/* Families of large grammars over many parameters take too long to find. */
static bool
too_much_work (const ready *g, uint32_t parameters)
{
  uint64_t work = 0;
  for (size_t i = 0; i < g->rules.count; i++)
    work += ((uint64_t)g->rules.data[i].count + 1)
            * (g->rules.data[i].count + 1);
  return work << 2 * parameters > FAMILY_WORK_MAX;
}

/* Any event may come before and after any other. */
static void
all_families (ready *g)
{
  for (uint32_t e = 0; e < g->events; e++)
    omen_family_add (&g->after_some[e], 0);
}

/* Those that are a part of every slice. */
static uint64_t
unbound_events (const omen_spec_property *property)
{
  uint64_t set = 0;
  for (size_t e = 0; e < property->events.count; e++)
    if (!property->events.data[e].binds)
      set |= (uint64_t)1 << e;
  return set;
}

static bool
machine (const omen_building *b, omen_built *built)
{
  bool only_match = !goal_bits (b, "fail") && !goal_bits (b, "nonfail");
  uint32_t parameters = (uint32_t)b->property->parameters.count;
  ready g;
  ready_init (&g, b);
  get_families (&g, b->property);
  if (too_much_work (&g, parameters)) {
    only_match = false;
    all_families (&g);
  } else
    find_families (&g, b->resets != 0);
  put_machine (&g, b, &built->words);
  built->engine = &omen_engine_earley;
  if (only_match) {
    memcpy (built->sources, g.before, g.events * sizeof *g.before);
    if (!built->creation)
      built->creation = first_events (&g) | unbound_events (b->property);
  } else
    omen_built_generous (built, b);
  ready_fini (&g);
  return true;
}

static void
draw (const omen_building *b, const char *prefix, FILE *out)
{
  const cfg *c = b->formula->formula;
  fprintf (out, "    %s_rules [shape=plaintext, label=\"", prefix);
  for (uint32_t i = 0; i < c->rule_count; i++) {
    const rule *r = &c->rules[i];
    fprintf (out, "%s ->", c->names[r->left]);
    for (uint32_t j = 0; j < r->count; j++) {
      uint32_t s = c->symbols[r->first + j];
      fprintf (out, " %s", s < NONTERMINAL ? b->property->events.data[s].name
                                           : c->names[s - NONTERMINAL]);
    }
    fputs (r->count ? "\\l" : " epsilon\\l", out);
  }
  fputs ("\"];\n", out);
}

const omen_logic omen_logic_cfg = {
  .name = "cfg",
  .categories = "match, fail, nonfail",
  .about = "match",
  .parse = parse,
  .has_category = omen_is_matching,
  .has_suffix = omen_suffix_matches,
  .machine = machine,
  .draw = draw,
};
