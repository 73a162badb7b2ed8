/* Events: their names, their pointcuts and what they bind. */
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

/* ---- heads of MOP: before(list *c) : …, after(…) returning(iter *i) : … ----
 */

/* Skip the parentheses that come next, with what is in them. */
static void
skip_parentheses (omen_lexer *ahead)
{
  unsigned depth = 0;
  do {
    depth += omen_lex_is (ahead, "(");
    depth -= omen_lex_is (ahead, ")");
    omen_lex_next (ahead);
  } while (depth && ahead->token != OMEN_TOKEN_END
           && ahead->token != OMEN_TOKEN_BAD);
}

static bool
has_head (const omen_lexer *lexer)
{
  omen_lexer ahead = *lexer;
  omen_err ignored = { 0 };
  ahead.err = &ignored;
  if (!omen_lex_is (&ahead, "("))
    return false;
  skip_parentheses (&ahead);
  if (omen_lex_take (&ahead, "returning") && omen_lex_is (&ahead, "("))
    skip_parentheses (&ahead);
  return omen_lex_is (&ahead, ":");
}

typedef struct event_head {
  omen_cut parameters, result;
  size_t at;
} event_head;

static bool
head (omen_parser *parser, event_head *h)
{
  omen_lexer *lexer = &parser->lexer;
  h->at = lexer->at;
  return omen_parse_arguments (parser, &h->parameters)
         && (!omen_lex_take (lexer, "returning")
             || omen_parse_arguments (parser, &h->result))
         && omen_lex_want (lexer, ":", "':' before the pointcut");
}

static bool
binds_name (const omen_cut *cut, const char *name)
{
  bound b = { 0 };
  bool found = false;
  names_of_cut (cut, &b);
  for (size_t i = 0; i < b.names.count; i++)
    found |= !strcmp (b.names.data[i], name);
  OMEN_VEC_FINI (b.names);
  return found;
}

/* Names of the pointcut have the types that the head says. */
static void
take_types (omen_cut *cut, const omen_cut *declared)
{
  for (uint32_t i = 0; i < declared->arg_count; i++) {
    const omen_arg *d = &declared->args[i];
    if (d->kind != OMEN_ARG_NAME)
      continue;
    for (uint32_t a = 0; a < cut->arg_count; a++) {
      omen_arg *arg = (omen_arg *)&cut->args[a]; /* of the parser's arena */
      if (arg->kind == OMEN_ARG_NAME && !arg->type
          && !strcmp (arg->name, d->name))
        arg->type = d->type;
    }
    if (cut->returning && !cut->returning_type
        && !strcmp (cut->returning, d->name))
      cut->returning_type = d->type;
  }
}

/* Apply the head to the pointcuts, which must bind what it declares. */
static bool
apply_head (omen_parser *parser, const event_head *h, omen_cuts *found)
{
  for (size_t c = 0; c < found->count; c++) {
    omen_cut *cut = &found->data[c];
    if (h->result.arg_count == 1 && h->result.args[0].kind == OMEN_ARG_NAME
        && !cut->returning)
      cut->returning = h->result.args[0].name;
    take_types (cut, &h->parameters);
    take_types (cut, &h->result);
    for (uint32_t i = 0; i < h->parameters.arg_count; i++) {
      const omen_arg *arg = &h->parameters.args[i];
      if (arg->kind == OMEN_ARG_NAME && !binds_name (cut, arg->name))
        return omen_lex_fail (&parser->lexer, h->at,
                              "the pointcut does not bind '%s'; say which of "
                              "args(…), target(%s) or returning(%s) it is",
                              arg->name, arg->name, arg->name);
    }
  }
  return true;
}

/* ---- conditions ---- */

/* A parameter that the pointcut does not bind has no value there, and a thread
   no number. */
static bool
condition_fits (omen_parser *parser, const omen_cut *cut)
{
  const omen_condition *c = cut->condition;
  omen_lexer inside;
  omen_err ignored = { 0 };
  bool member = false;
  omen_lexer_init (&inside, parser->lexer.path, c->text, strlen (c->text),
                   &ignored);
  for (; inside.token != OMEN_TOKEN_END && inside.token != OMEN_TOKEN_BAD;
       omen_lex_next (&inside)) {
    char name[128];
    bool named = inside.token == OMEN_TOKEN_NAME && !member
                 && inside.length < sizeof name;
    member = omen_lex_is (&inside, ".")
             || (inside.at && omen_lex_is (&inside, ">")
                 && c->text[inside.at - 1] == '-');
    if (!named)
      continue;
    memcpy (name, c->text + inside.at, inside.length);
    name[inside.length] = 0;
    if (cut->thread && !strcmp (cut->thread, name))
      return omen_lex_fail (&parser->lexer, c->offset + inside.at,
                            "threads have no numbers to compare; one thread is "
                            "thread(\"name\")");
    if (omen_find_parameter (parser->property, name) != OMEN_NONE
        && !binds_name (cut, name))
      return omen_lex_fail (&parser->lexer, c->offset + inside.at,
                            "the event does not bind '%s', so it has no value "
                            "here",
                            name);
  }
  return true;
}

/* ---- events ---- */

static bool
body (omen_parser *parser, omen_cuts *found, bound *b)
{
  omen_lexer *lexer = &parser->lexer;
  bool after = omen_lex_is (lexer, "after"), headed;
  event_head h = { 0 };
  if (!omen_lex_take (lexer, "before") && !omen_lex_take (lexer, "after")) {
    if (!omen_lex_is (lexer, "(") && !omen_lex_is (lexer, ";"))
      return omen_lex_expected (
          lexer, "'before', 'after', '(' or ';' after the event's name");
    return explicit_names (parser, b);
  }
  headed = has_head (lexer);
  if ((headed && !head (parser, &h)) || !omen_parse_pointcut (parser, found)
      || (headed && !apply_head (parser, &h, found)))
    return false;
  for (size_t i = 0; i < found->count; i++) {
    found->data[i].after = after;
    if (found->data[i].condition && !condition_fits (parser, &found->data[i]))
      return false;
  }
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

/* `;`, or the `{}` of MOP, which must be empty: code in it would never run. */
static bool
event_end (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  size_t from, to, at = lexer->at;
  omen_lexer inside;
  omen_err ignored = { 0 };
  if (!omen_lex_is (lexer, "{"))
    return omen_lex_want (lexer, ";", "';' after the event");
  if (!omen_lex_block (lexer, &from, &to))
    return false;
  omen_lex_take (lexer, ";");
  omen_lexer_init (&inside, lexer->path, lexer->text + from, to - from,
                   &ignored);
  return inside.token == OMEN_TOKEN_END
         || omen_lex_fail (lexer, at,
                           "code of an event is not supported; put it into a "
                           "handler (@match { … }), or into a monitor of one's "
                           "own (monitor: \"file.c\")");
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
  return event && event_end (parser);
}
