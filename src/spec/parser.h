/* What the parts of the parser share, and what a logic's parser gets: the lexer
   at the first word of its formula, and the property whose events it may name.
   Private to spec. */
#ifndef OMEN_SPEC_PARSER_H
#define OMEN_SPEC_PARSER_H

#include "spec/lex.h"
#include "spec/spec.h"

typedef struct omen_parser {
  omen_lexer lexer;
  omen_spec *spec;
  omen_spec_property *property; /* the one being read */
  bool watches;                 /* the current formula has state predicates */
} omen_parser;

/* parse_cut.c: `POINTCUT returning(x) if (…)`, as alternatives. */
typedef OMEN_VEC (omen_cut) omen_cuts;
bool omen_parse_pointcut (omen_parser *parser, omen_cuts *out);
/* `(a, type b, *, ..)`, into the arguments of the cut. */
bool omen_parse_arguments (omen_parser *parser, omen_cut *cut);
/* parse_formula.c: `LOGIC: formula @category { … } …`, a word and a colon are
   next. */
bool omen_parse_formula (omen_parser *parser);
/* parse_event.c: `[creation] event …;`, the word `event` is next. */
bool omen_parse_event (omen_parser *parser);
/* parse_condition.c: up to the `)` that closes it, which is not consumed.
   `any_c`: C that cannot be evaluated is no error. */
const omen_condition *omen_parse_condition (omen_parser *parser, bool any_c);
/* A state predicate, if one comes next: its number, added if new. False with
   err not set: there is none, and nothing was consumed. */
bool omen_parse_predicate (omen_parser *parser, uint32_t *number);
/* The number of the predicate `(.)`, which is written at `from`. */
bool omen_parse_beside (omen_parser *parser, size_t from, uint32_t *number);

/* The event named by the current token, which is consumed. */
bool omen_parse_event_name (omen_parser *parser, uint32_t *event);
/* A word and a colon: another formula begins here. */
bool omen_at_formula (const omen_lexer *lexer);
uint32_t omen_find_event (const omen_spec_property *property, const char *text,
                          size_t length);
uint32_t omen_find_parameter (const omen_spec_property *property,
                              const char *name);

#endif
