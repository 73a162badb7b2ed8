/* fsm: s [ e -> t, default u ] …, alias x = s1, s2. The commas between
   transitions are optional. */
#include "spec/logic.h"

#include <string.h>

typedef struct state {
  const char *name;
  size_t offset;
  uint32_t *next;     /* by event; OMEN_NONE: not given */
  uint32_t otherwise; /* default; OMEN_NONE: fail */
} state;

typedef struct alias {
  const char *name;
  omen_ids states;
} alias;

/* A transition, its target known by name only until all states are read. */
typedef struct arrow {
  uint32_t from, event; /* OMEN_NONE: default */
  const char *to;
  size_t offset;
} arrow;

typedef struct fsm {
  uint32_t count, aliases;
  uint32_t events; /* that `next` has */
  state *states;
  const char **alias; /* names */
  uint8_t *member;    /* aliases x states */
} fsm;

typedef struct reader {
  omen_parser *parser;
  OMEN_VEC (state) states;
  OMEN_VEC (arrow) arrows;
  OMEN_VEC (alias) aliases;
} reader;

static uint32_t
find_state (const reader *r, const char *name)
{
  for (uint32_t i = 0; i < r->states.count; i++)
    if (!strcmp (r->states.data[i].name, name))
      return i;
  return OMEN_NONE;
}

static bool
transition (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  arrow added = { (uint32_t)r->states.count - 1, OMEN_NONE, NULL, 0 };
  state *from = &OMEN_VEC_LAST (r->states);
  size_t at = lexer->at;
  if (omen_lex_take (lexer, "default"))
    omen_lex_take (lexer, "->");
  else if (!omen_parse_event_name (r->parser, &added.event)
           || !omen_lex_want (lexer, "->", "'->' after the event"))
    return false;
  uint32_t *slot
      = added.event == OMEN_NONE ? &from->otherwise : &from->next[added.event];
  if (*slot != OMEN_NONE)
    return omen_lex_fail (lexer, at, "a second transition of '%s' for this",
                          from->name);
  *slot = 0; /* marked as given; resolve () sets the target */
  added.offset = lexer->at;
  if (!omen_lex_name (lexer, &r->parser->spec->arena, "a state", &added.to))
    return false;
  OMEN_VEC_PUSH (r->arrows, added);
  return true;
}

static bool
add_state (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  omen_arena *arena = &r->parser->spec->arena;
  uint32_t events = (uint32_t)r->parser->property->events.count + 1;
  state added = { .offset = lexer->at, .otherwise = OMEN_NONE };
  if (!omen_lex_name (lexer, arena, "a state", &added.name))
    return false;
  if (!strcmp (added.name, "fail") || !strcmp (added.name, "nonfail"))
    return omen_lex_fail (lexer, added.offset,
                          "'%s' is a category of every fsm, not a state",
                          added.name);
  if (find_state (r, added.name) != OMEN_NONE)
    return omen_lex_fail (lexer, added.offset, "a second state '%s'",
                          added.name);
  if (r->states.count >= OMEN_STATES_MAX - 1)
    return omen_lex_fail (lexer, added.offset, "more than %d states",
                          OMEN_STATES_MAX - 1);
  added.next = OMEN_ARENA_NEW (arena, uint32_t, events);
  memset (added.next, 0xff, events * sizeof *added.next);
  OMEN_VEC_PUSH (r->states, added);
  if (!omen_lex_want (lexer, "[", "'[' after the state"))
    return false;
  while (!omen_lex_take (lexer, "]")) {
    if (!transition (r))
      return false;
    if (!omen_lex_take (lexer, ",") && !omen_lex_is (lexer, "]")
        && lexer->token != OMEN_TOKEN_NAME)
      return omen_lex_expected (lexer, "',' or ']' after a transition");
  }
  return true;
}

static bool
add_alias (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  omen_arena *arena = &r->parser->spec->arena;
  alias added = { 0 };
  size_t at = lexer->at;
  if (!omen_lex_name (lexer, arena, "the name of an alias", &added.name)
      || !omen_lex_want (lexer, "=", "'=' after the alias"))
    return false;
  OMEN_VEC_PUSH (r->aliases, added);
  if (find_state (r, added.name) != OMEN_NONE)
    return omen_lex_fail (lexer, at, "'%s' is a state", added.name);
  if (!strcmp (added.name, "fail") || !strcmp (added.name, "nonfail"))
    return omen_lex_fail (lexer, at, "'%s' is a category of every fsm",
                          added.name);
  do {
    const char *name;
    uint32_t s;
    at = lexer->at;
    if (!omen_lex_name (lexer, arena, "a state", &name))
      return false;
    s = find_state (r, name);
    if (s == OMEN_NONE)
      return omen_lex_fail (lexer, at, "no state '%s' before this", name);
    OMEN_VEC_PUSH (OMEN_VEC_LAST (r->aliases).states, s);
  } while (omen_lex_take (lexer, ","));
  return true;
}

/* `fail` may be named as a target; it is the state past the last. */
static bool
resolve (reader *r)
{
  for (size_t i = 0; i < r->arrows.count; i++) {
    const arrow *a = &r->arrows.data[i];
    state *from = &r->states.data[a->from];
    uint32_t to = find_state (r, a->to);
    if (to == OMEN_NONE && !strcmp (a->to, "fail"))
      to = (uint32_t)r->states.count;
    if (to == OMEN_NONE)
      return omen_lex_fail (&r->parser->lexer, a->offset, "no state '%s'",
                            a->to);
    *(a->event == OMEN_NONE ? &from->otherwise : &from->next[a->event]) = to;
  }
  return true;
}

static const fsm *
finished_fsm (const reader *r)
{
  omen_arena *arena = &r->parser->spec->arena;
  fsm *f = OMEN_ARENA_NEW (arena, fsm, 1);
  f->count = (uint32_t)r->states.count;
  f->aliases = (uint32_t)r->aliases.count;
  f->events = (uint32_t)r->parser->property->events.count;
  f->states = OMEN_ARENA_NEW (arena, state, f->count);
  memcpy (f->states, r->states.data, f->count * sizeof *f->states);
  f->alias = OMEN_ARENA_NEW (arena, const char *, f->aliases + 1);
  f->member
      = OMEN_ARENA_NEW (arena, uint8_t, (size_t)f->aliases * f->count + 1);
  for (uint32_t i = 0; i < f->aliases; i++) {
    const alias *a = &r->aliases.data[i];
    f->alias[i] = a->name;
    for (size_t j = 0; j < a->states.count; j++)
      f->member[(size_t)i * f->count + a->states.data[j]] = 1;
  }
  return f;
}

static const void *
parse_fsm (omen_parser *parser)
{
  reader r = { .parser = parser };
  const omen_lexer *lexer = &parser->lexer;
  const fsm *f = NULL;
  bool good = add_state (&r);
  while (good && lexer->token == OMEN_TOKEN_NAME && !omen_at_formula (lexer))
    good = omen_lex_is (lexer, "alias") && !omen_lex_then (lexer, "alias", "[")
               ? omen_lex_take (&parser->lexer, "alias") && add_alias (&r)
               : add_state (&r);
  if (good && resolve (&r))
    f = finished_fsm (&r);
  for (size_t i = 0; i < r.aliases.count; i++)
    OMEN_VEC_FINI (r.aliases.data[i].states);
  OMEN_VEC_FINI (r.aliases);
  OMEN_VEC_FINI (r.arrows);
  OMEN_VEC_FINI (r.states);
  return f;
}

/* ---- as it is written ---- */

static uint32_t
target (const fsm *f, uint32_t to)
{
  return to == f->count ? OMEN_NONE : to;
}

static void
write_formula (const void *formula, omen_writing *out)
{
  const fsm *f = formula;
  for (uint32_t s = 0; s < f->count; s++)
    OMEN_VEC_PUSH (out->names, f->states[s].name);
  for (uint32_t i = 0; i < f->aliases; i++)
    OMEN_VEC_PUSH (out->names, f->alias[i]);
  for (uint32_t s = 0; s < f->count; s++) {
    for (uint32_t e = 0; e < f->events; e++)
      if (f->states[s].next[e] != OMEN_NONE)
        omen_write_node (out, OMEN_W_MOVE, s, e,
                         target (f, f->states[s].next[e]));
    if (f->states[s].otherwise != OMEN_NONE)
      omen_write_node (out, OMEN_W_MOVE, s, OMEN_NONE,
                       target (f, f->states[s].otherwise));
    for (uint32_t i = 0; i < f->aliases; i++)
      if (f->member[(size_t)i * f->count + s])
        omen_write_node (out, OMEN_W_MEMBER, f->count + i, s, 0);
  }
}

/* ---- to an automaton ---- */

static bool
state_is_in (const fsm *f, uint32_t s, const char *category)
{
  if (!strcmp (category, "fail"))
    return s == f->count;
  if (!strcmp (category, "nonfail"))
    return s < f->count;
  if (s < f->count && !strcmp (f->states[s].name, category))
    return true;
  for (uint32_t i = 0; s < f->count && i < f->aliases; i++)
    if (!strcmp (f->alias[i], category) && f->member[(size_t)i * f->count + s])
      return true;
  return false;
}

static bool
has_category (const void *formula, const char *category)
{
  const fsm *f = formula;
  for (uint32_t i = 0; i < f->aliases; i++)
    if (!strcmp (f->alias[i], category))
      return true;
  for (uint32_t s = 0; s <= f->count; s++)
    if (state_is_in (f, s, category))
      return true;
  return false;
}

static bool
has_suffix (const char *category)
{
  return strcmp (category, "fail") && strcmp (category, "nonfail");
}

static omen_automaton *
fsm_automaton (const omen_building *b)
{
  const fsm *f = b->formula->formula;
  uint32_t events = (uint32_t)b->property->events.count;
  omen_automaton *a = omen_automaton_new (events);
  for (uint32_t s = 0; s <= f->count; s++) {
    uint32_t verdict = 0;
    for (uint32_t g = 0; g < b->goal_count; g++)
      verdict |= state_is_in (f, s, b->goals[g]) ? 1u << g : 0;
    omen_automaton_add (a, verdict);
    OMEN_VEC_PUSH (a->names, s < f->count ? f->states[s].name : "fail");
    for (uint32_t e = 0; s < f->count && e < events; e++) {
      uint32_t to = f->states[s].next[e];
      to = to == OMEN_NONE ? f->states[s].otherwise : to;
      *omen_automaton_next (a, s, e) = to == OMEN_NONE ? f->count : to;
    }
  }
  if (!omen_automaton_too_large (a))
    return a;
  omen_building_fail (b, "this fsm is too large: %u states and %u events",
                      f->count, events);
  omen_automaton_free (a);
  return NULL;
}

/* Events that lead out of the start state (or back to it, if it is in a
   category); and events without a transition that bind nothing. */
static uint64_t
fsm_creation (const omen_building *b, const omen_automaton *a)
{
  const fsm *f = b->formula->formula;
  const state *start = &f->states[0];
  uint64_t set = 0;
  bool here = false;
  (void)a;
  for (uint32_t g = 0; g < b->goal_count; g++)
    here |= state_is_in (f, 0, b->goals[g]);
  for (uint32_t e = 0; e < b->property->events.count; e++) {
    uint32_t to
        = start->next[e] == OMEN_NONE ? start->otherwise : start->next[e];
    if (to == OMEN_NONE ? !b->property->events.data[e].binds : to || here)
      set |= (uint64_t)1 << e;
  }
  return set;
}

const omen_logic omen_logic_fsm = {
  .name = "fsm",
  .categories = "its states and aliases, fail, nonfail",
  .about = "fail",
  .parse = parse_fsm,
  .write = write_formula,
  .has_category = has_category,
  .has_suffix = has_suffix,
  .creation = fsm_creation,
  .automaton = fsm_automaton,
};
