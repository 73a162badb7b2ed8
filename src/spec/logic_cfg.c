/* cfg: S -> a B | epsilon, B -> …; the first left side is the start. */
#include "monitor/earley.h"
#include "monitor/table.h"
#include "spec/grammar.h"

#include <string.h>

#define RULES_MAX 2000
#define SYMBOLS_MAX 10000

/* ---- reading ---- */

typedef struct reader {
  omen_parser *parser;
  OMEN_VEC (const char *) names;
  OMEN_VEC (omen_grammar_rule) rules;
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
  return omen_lex_is_name_before (lexer, "->");
}

/* Collect all left sides, before any right side is read. */
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
      const char *name
          = omen_arena_strndup (&r->parser->spec->arena, text, ahead.length);
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
    OMEN_VEC_PUSH (r->symbols, OMEN_NONTERMINAL + n);
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
  omen_grammar_rule added = { left, (uint32_t)r->symbols.count, 0 };
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

static const omen_cfg *
finished_cfg (const reader *r)
{
  omen_arena *arena = &r->parser->spec->arena;
  omen_cfg *c = OMEN_ARENA_NEW (arena, omen_cfg, 1);
  OMEN_ASSERT (r->names.count && r->rules.count);
  c->nonterminals = (uint32_t)r->names.count;
  c->rule_count = (uint32_t)r->rules.count;
  c->symbol_count = (uint32_t)r->symbols.count;
  c->names = OMEN_ARENA_NEW (arena, const char *, c->nonterminals);
  c->rules = OMEN_ARENA_NEW (arena, omen_grammar_rule, c->rule_count);
  c->symbols = OMEN_ARENA_NEW (arena, uint32_t, c->symbol_count + 1);
  memcpy (c->names, r->names.data, c->nonterminals * sizeof *c->names);
  memcpy (c->rules, r->rules.data, c->rule_count * sizeof *c->rules);
  if (c->symbol_count)
    memcpy (c->symbols, r->symbols.data, c->symbol_count * sizeof *c->symbols);
  return c;
}

static const void *
parse_cfg (omen_parser *parser)
{
  reader r = { .parser = parser };
  omen_lexer *lexer = &parser->lexer;
  const omen_cfg *c = NULL;
  bool good = left_sides (&r);
  do
    good = good && production (&r);
  while (good && (omen_lex_take (lexer, ",") || at_rule (lexer)));
  if (good)
    c = finished_cfg (&r);
  OMEN_VEC_FINI (r.names);
  OMEN_VEC_FINI (r.rules);
  OMEN_VEC_FINI (r.symbols);
  return c;
}

/* ---- as it is written ---- */

static void
write_formula (const void *formula, omen_writing *out)
{
  const omen_cfg *c = formula;
  for (uint32_t n = 0; n < c->nonterminals; n++)
    OMEN_VEC_PUSH (out->names, c->names[n]);
  for (uint32_t i = 0; i < c->rule_count; i++) {
    const omen_grammar_rule *r = &c->rules[i];
    omen_write_node (out, OMEN_W_RULE, r->left, 0, 0);
    for (uint32_t j = r->first; j < r->first + r->count; j++)
      if (c->symbols[j] < OMEN_NONTERMINAL)
        omen_write_node (out, OMEN_W_EVENT, c->symbols[j], 0, 0);
      else
        omen_write_node (out, OMEN_W_NONTERMINAL,
                         c->symbols[j] - OMEN_NONTERMINAL, 0, 0);
  }
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
put_rules (const omen_grammar *g, omen_ids *words)
{
  omen_ids starts = { 0 }, symbols = { 0 };
  OMEN_ASSERT (words->count == OMEN_EARLEY_FIRST);
  for (uint32_t n = 0; n < g->nonterminals; n++) {
    OMEN_VEC_PUSH (*words, (uint32_t)starts.count);
    for (size_t i = 0; i < g->rules.count; i++) {
      const omen_grammar_rule *r = &g->rules.data[i];
      if (r->left != n)
        continue;
      OMEN_VEC_PUSH (starts, (uint32_t)symbols.count);
      for (uint32_t j = 0; j < r->count; j++)
        OMEN_VEC_PUSH (symbols,
                       omen_grammar_number (g, g->symbols.data[r->first + j]));
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
put_lands (const omen_grammar *g, uint32_t parameters, omen_ids *words)
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
put_machine (const omen_grammar *g, const omen_building *b, omen_ids *words)
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

/* Events that bind nothing: they are in every slice. */
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
cfg_machine (const omen_building *b, omen_built *built)
{
  bool only_match = !goal_bits (b, "fail") && !goal_bits (b, "nonfail");
  omen_grammar g;
  omen_grammar_init (&g, b);
  OMEN_ASSERT (g.events == b->property->events.count);
  if (!omen_grammar_bind (&g, b->property, b->resets != 0))
    only_match = false;
  put_machine (&g, b, &built->words);
  built->engine = &omen_engine_earley;
  if (only_match) {
    memcpy (built->sources, g.before, g.events * sizeof *g.before);
    if (!built->creation)
      built->creation
          = b->property->modifiers & OMEN_SUFFIX
                ? UINT64_MAX
                : omen_grammar_first (&g) | unbound_events (b->property);
  } else
    omen_built_generous (built, b);
  omen_grammar_fini (&g);
  return true;
}

static void
draw_cfg (const omen_building *b, const char *prefix, FILE *out)
{
  const omen_cfg *c = b->formula->formula;
  fprintf (out, "    %s_rules [shape=plaintext, label=\"", prefix);
  for (uint32_t i = 0; i < c->rule_count; i++) {
    const omen_grammar_rule *r = &c->rules[i];
    fprintf (out, "%s ->", c->names[r->left]);
    for (uint32_t j = 0; j < r->count; j++) {
      uint32_t s = c->symbols[r->first + j];
      fprintf (out, " %s",
               s < OMEN_NONTERMINAL ? b->property->events.data[s].name
                                    : c->names[s - OMEN_NONTERMINAL]);
    }
    fputs (r->count ? "\\l" : " epsilon\\l", out);
  }
  fputs ("\"];\n", out);
}

const omen_logic omen_logic_cfg = {
  .name = "cfg",
  .categories = "match, fail, nonfail",
  .about = "match",
  .parse = parse_cfg,
  .write = write_formula,
  .has_category = omen_is_matching,
  .has_suffix = omen_suffix_matches,
  .machine = cfg_machine,
  .draw = draw_cfg,
};
