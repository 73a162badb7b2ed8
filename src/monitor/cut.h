/* Pointcuts as plain data: which join points of a run are an event of a
   property, and what they bind. Parsed by spec, kept with the compiled
   property; the weaver and observe.h read them. */
#ifndef OMEN_MONITOR_CUT_H
#define OMEN_MONITOR_CUT_H

#include "monitor/condition.h"

typedef enum omen_cut_kind {
#define OMEN_CUT(kind, word, operand) OMEN_CUT_##kind,
#include "monitor/cuts.def"
  OMEN_CUT_KINDS
} omen_cut_kind;

typedef enum omen_cut_operand {
  OMEN_CUT_FUNCTION,
  OMEN_CUT_VARIABLE,
  OMEN_CUT_OBJECT
} omen_cut_operand;

const char *omen_cut_word (omen_cut_kind kind);
omen_cut_operand omen_cut_takes (omen_cut_kind kind);

typedef enum omen_arg_kind {
  OMEN_ARG_NAME, /* binds the name: a parameter, or one for the condition */
  OMEN_ARG_ANY,  /* `*`, or a type alone */
  OMEN_ARG_REST, /* `..`: any number more */
  OMEN_ARG_TEXT  /* "m" or 7: only this one */
} omen_arg_kind;

typedef struct omen_arg {
  omen_arg_kind kind;
  const char *type; /* as written, or NULL */
  const char *name; /* NAME: the name; TEXT: the text, without quotes */
} omen_arg;

/* One alternative of a pointcut: call(f(a, ..)) returning(x) if (x > 0). `a ||
   b` has two. */
typedef struct omen_cut {
  omen_cut_kind kind;
  bool after;
  size_t offset;       /* where its word stands in the file */
  const char *pattern; /* function or variable, `*` matches any text; NULL for
                          kinds that have just an argument */
  const char *result;  /* type before the function's name, or NULL */
  const omen_arg *args;
  uint32_t arg_count;
  bool has_args;         /* has parentheses, or args() */
  const char *returning; /* names that it binds, or NULL */
  const char *returning_type;
  const char *thread;
  const char *target;
  const char *only_thread; /* the name of the thread, or of the function that it
                              starts with; NULL: any */
  const omen_condition *condition; /* or NULL */
} omen_cut;

/* Does the pattern of a get or set end in `*` or `[*]`? Then its target is the
   scalar accessed, else the object that has the field or element of that
   name. */
bool omen_pattern_is_open (const char *pattern);

/* Does the pattern of a get or set select fields of a type, in any object?
   `struct node.next`, `class shop::list.*`, `*.next`. */
bool omen_pattern_is_typed (const char *pattern);

/* Does the text match? `*` matches any text, everything else itself. */
bool omen_pattern_fits (const char *pattern, const char *text);
/* Can a longer text with this prefix match? */
bool omen_pattern_may_begin (const char *pattern, const char *text);

#endif
