/* Events: their names, what they bind, and the pointcuts that they are. */
#include "monitor/property.h"
#include "spec/parser.h"
#include "spec/types.h"

#include <string.h>

/* ---- what an event binds ---- */

typedef struct bound {
  OMEN_VEC (const char *) names;
} bound;

static void
add_name (bound *b, const char *name)
{
  for (size_t i = 0; i < b->names.count; i++)
    if (!name || !strcmp (b->names.data[i], name))
      return;
  if (name)
    OMEN_VEC_PUSH (b->names, name);
}

static uint32_t
parameters_of (const omen_spec_property *property, const bound *b)
{
  uint32_t set = 0;
  for (size_t i = 0; i < b->names.count; i++) {
    uint32_t p = omen_find_parameter (property, b->names.data[i]);
    if (p != OMEN_NONE)
      set |= 1u << p;
  }
  return set;
}

static void
names_of_cut (const omen_cut *cut, bound *b)
{
  for (uint32_t i = 0; i < cut->arg_count; i++)
    if (cut->args[i].kind == OMEN_ARG_NAME)
      add_name (b, cut->args[i].name);
  add_name (b, cut->returning);
  add_name (b, cut->thread);
  add_name (b, cut->target);
}

/* Alternatives that bind different parameters would be different events. */
static bool
names_of_cuts (omen_parser *parser, const omen_cuts *all, bound *b)
{
  uint32_t wanted = 0;
  for (size_t i = 0; i < all->count; i++) {
    bound one = { 0 };
    uint32_t binds;
    names_of_cut (&all->data[i], &one);
    binds = parameters_of (parser->property, &one);
    wanted = i ? wanted : binds;
    for (size_t j = 0; j < one.names.count; j++)
      add_name (b, one.names.data[j]);
    OMEN_VEC_FINI (one.names);
    if (binds != wanted)
      return omen_lex_fail (&parser->lexer, all->data[i].offset,
                            "this binds other parameters than '%s' before it",
                            omen_cut_word (all->data[0].kind));
  }
  return true;
}

static bool
explicit_names (omen_parser *parser, bound *b)
{
  omen_cut in = { 0 };
  if (!omen_lex_is (&parser->lexer, "("))
    return true;
  if (!omen_parse_arguments (parser, &in))
    return false;
  for (uint32_t i = 0; i < in.arg_count; i++) {
    if (in.args[i].kind != OMEN_ARG_NAME)
      return omen_lex_fail (&parser->lexer, parser->lexer.at,
                            "an event's parameters are names");
    add_name (b, in.args[i].name);
  }
  return true;
}

/* ---- events ---- */

static bool
body (omen_parser *parser, omen_cuts *found, bound *b)
{
  omen_lexer *lexer = &parser->lexer;
  bool after = omen_lex_is (lexer, "after");
  if (!omen_lex_take (lexer, "before") && !omen_lex_take (lexer, "after")) {
    if (!omen_lex_is (lexer, "(") && !omen_lex_is (lexer, ";"))
      return omen_lex_expected (
          lexer, "'before', 'after', '(' or ';' after the event's name");
    return explicit_names (parser, b);
  }
  if (!omen_parse_pointcut (parser, found))
    return false;
  for (size_t i = 0; i < found->count; i++)
    found->data[i].after = after;
  return names_of_cuts (parser, found, b);
}

/* The event of that name, made if new; all of its declarations bind alike. */
static omen_spec_event *
event_named (omen_parser *parser, const char *name, size_t at, const bound *b)
{
  omen_spec_property *property = parser->property;
  uint32_t binds = parameters_of (property, b), i;
  omen_spec_event added = { .name = name, .offset = at, .binds = binds };
  if (property->modifiers & OMEN_PER_THREAD)
    added.binds |= 1u << (property->parameters.count - 1);
  i = omen_find_event (property, name, strlen (name));
  if (i != OMEN_NONE) {
    omen_spec_event *known = &property->events.data[i];
    if (known->binds == added.binds)
      return known;
    omen_lex_fail (&parser->lexer, at,
                   "event '%s' is named twice, with different parameters",
                   name);
    return NULL;
  }
  if (property->events.count >= OMEN_EVENTS_MAX - 1) {
    omen_lex_fail (&parser->lexer, at, "more than %d events",
                   OMEN_EVENTS_MAX - 1);
    return NULL;
  }
  OMEN_VEC_PUSH (property->events, added);
  return &OMEN_VEC_LAST (property->events);
}

static void
keep_names (omen_parser *parser, omen_spec_event *event, bound *b)
{
  const char **names;
  for (uint32_t i = 0; i < event->name_count; i++)
    add_name (b, event->names[i]);
  names
      = OMEN_ARENA_NEW (&parser->spec->arena, const char *, b->names.count + 1);
  if (b->names.count)
    memcpy (names, b->names.data, b->names.count * sizeof *names);
  event->names = names;
  event->name_count = (uint32_t)b->names.count;
}

bool
omen_parse_event (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  bool creation = omen_lex_take (lexer, "creation"), good;
  omen_spec_event *event = NULL;
  const char *name;
  omen_cuts found = { 0 };
  bound b = { 0 };
  size_t at;
  if (!omen_lex_want (lexer, "event", "'event' after 'creation'"))
    return false;
  at = lexer->at;
  good = omen_lex_name (lexer, &parser->spec->arena, "the name of an event",
                        &name)
         && body (parser, &found, &b);
  if (good)
    event = event_named (parser, name, at, &b);
  if (event) {
    event->creation |= creation;
    keep_names (parser, event, &b);
    for (size_t i = 0; i < found.count; i++)
      OMEN_VEC_PUSH (event->cuts, found.data[i]);
    omen_types_of_event (parser->property, event);
  }
  OMEN_VEC_FINI (found);
  OMEN_VEC_FINI (b.names);
  return event && omen_lex_want (lexer, ";", "';' after the event");
}
