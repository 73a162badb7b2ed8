/* A parsed property file, as it is written. Compiling it (spec/compile.h) gives
   the properties that monitors run (monitor/property.h), event for event and
   formula for formula; weaving reads pointcuts, conditions and handlers from
   here.

     omen_spec *spec = omen_spec_parse ("iter.mop", text, size, &err);
     for each property, event, cut …
     omen_spec_free (spec);

   Everything lives as long as the spec. Offsets are into its text; places for
   messages come from omen_spec_place. */
#ifndef OMEN_SPEC_SPEC_H
#define OMEN_SPEC_SPEC_H

#include "base/err.h"
#include "base/vec.h"
#include "monitor/cut.h"
#include "spec/lex.h"

typedef struct omen_spec_event {
  const char *name;
  size_t offset;
  bool creation;            /* marked so */
  uint32_t binds;           /* set of the property's parameters */
  const char *const *names; /* all that it binds, parameters or not */
  uint32_t name_count;
  OMEN_VEC (omen_cut) cuts; /* none: OMEN_EVENT and emit only */
} omen_spec_event;

typedef struct omen_spec_handler {
  const char *category;
  size_t offset;   /* of the `@` */
  size_t from, to; /* the code, between the braces */
  bool resets;     /* says __RESET */
  bool may_reset;  /* … where C control flow decides whether it is reached */
} omen_spec_handler;

typedef struct omen_spec_formula {
  const struct omen_logic *logic;
  size_t offset;
  const void *formula; /* the logic's own */
  bool watches;        /* has state predicates */
  OMEN_VEC (omen_spec_handler) handlers;
} omen_spec_formula;

typedef struct omen_spec_parameter {
  const char *type, *name;
} omen_spec_parameter;

/* A state predicate: a condition over watched variables. */
typedef struct omen_spec_predicate {
  const omen_condition *condition;
} omen_spec_predicate;

typedef struct omen_spec_property {
  const char *name;
  size_t offset;
  unsigned modifiers; /* OMEN_FULL_BINDING, … of monitor/property.h */
  OMEN_VEC (omen_spec_parameter) parameters; /* per thread: and `thread` */
  OMEN_VEC (omen_spec_event)
  events; /* with predicates: the last is `(state)` */
  OMEN_VEC (omen_spec_predicate) predicates;
  uint32_t beside; /* bit of the predicate `(.)`; 0: there is none */
  OMEN_VEC (omen_spec_formula) formulas;
} omen_spec_property;

typedef struct omen_spec {
  const char *path, *text;
  size_t size;
  size_t preamble; /* [0, preamble) is C for handlers and conditions */
  OMEN_VEC (omen_spec_property) properties;
  omen_arena arena;
} omen_spec;

/* NULL with err filled in. The text is copied. */
omen_spec *omen_spec_parse (const char *path, const char *text, size_t size,
                            omen_err *err);
void omen_spec_free (omen_spec *spec);
void omen_spec_place (const omen_spec *spec, size_t offset,
                      omen_place_in_file *place);
/* The type that the file gives to a name that the event binds, or NULL: from
   the property's parameters, else from args(…) or returning(…) of its
   pointcuts. */
const char *omen_spec_type (const omen_spec_property *property,
                            const omen_spec_event *event, const char *name);
/* An error at a place of the file, as the parser's are. Always false. */
bool omen_spec_fail (const omen_spec *spec, size_t offset, omen_err *err,
                     const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));

#endif
