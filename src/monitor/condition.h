/* A condition over named values, as in `if (value == 0)` and in the state
   predicates of temporal formulas: C's operators on 64-bit integers with sign,
   to which the values of names come as C would convert them from their types,
   and on doubles.

   Values may be unknown (a trace need not have them) or texts, for which only
   == and != are defined. Unknown stays unknown, except that `0 && unknown` is 0
   and `1 || unknown` is 1. A condition that is unknown in the end does not
   hold.

   Any other C (calls, fields) has no code: it can be compiled into a program,
   but not evaluated on a trace. */
#ifndef OMEN_MONITOR_CONDITION_H
#define OMEN_MONITOR_CONDITION_H

#include "base/defs.h"

typedef enum omen_datum_kind {
  OMEN_DATUM_UNKNOWN,
  OMEN_DATUM_INTEGER,
  OMEN_DATUM_TEXT, /* equal texts have equal bits */
  OMEN_DATUM_REAL  /* the bits of a double */
} omen_datum_kind;

typedef struct omen_datum {
  omen_datum_kind kind;
  uint64_t bits;
} omen_datum;

/* OMEN_OPERATOR (NAME, spelling, arity, binding strength), X-macro. */
#define OMEN_OPERATORS(X)                                                      \
  X (OR, "||", 2, 1)                                                           \
  X (AND, "&&", 2, 2)                                                          \
  X (BIT_OR, "|", 2, 3)                                                        \
  X (BIT_XOR, "^", 2, 4)                                                       \
  X (BIT_AND, "&", 2, 5)                                                       \
  X (EQUAL, "==", 2, 6)                                                        \
  X (DIFFERENT, "!=", 2, 6)                                                    \
  X (SHIFT_LEFT, "<<", 2, 8)                                                   \
  X (SHIFT_RIGHT, ">>", 2, 8)                                                  \
  X (AT_MOST, "<=", 2, 7)                                                      \
  X (AT_LEAST, ">=", 2, 7)                                                     \
  X (LESS, "<", 2, 7)                                                          \
  X (MORE, ">", 2, 7)                                                          \
  X (PLUS, "+", 2, 9)                                                          \
  X (MINUS, "-", 2, 9)                                                         \
  X (TIMES, "*", 2, 10)                                                        \
  X (OVER, "/", 2, 10)                                                         \
  X (MODULO, "%", 2, 10)                                                       \
  X (NOT, "!", 1, 11)                                                          \
  X (NEGATIVE, "-", 1, 11)                                                     \
  X (COMPLEMENT, "~", 1, 11)

typedef enum omen_operator {
#define OMEN_OPERATOR_(name, spelling, arity, strength) OMEN_DO_##name,
  OMEN_OPERATORS (OMEN_OPERATOR_)
#undef OMEN_OPERATOR_
      OMEN_DO_INTEGER, /* push operand */
  OMEN_DO_NAME,        /* push the value of names[operand] */
  OMEN_DO_REAL         /* push the double that has these bits */
} omen_operator;

typedef struct omen_action {
  omen_operator what;
  uint64_t operand;
} omen_action;

/* The type of a name, if the property file gives it: an integer, a float or a
   double of this many bytes. 0: it does not, and the value is used as it is, as
   signed. */
typedef struct omen_integer_type {
  uint8_t bytes;
  bool is_unsigned, is_real;
} omen_integer_type;

#define OMEN_CONDITION_DEPTH 64 /* of the stack that `code` needs */

typedef struct omen_condition {
  const char *text;        /* as written */
  size_t offset;           /* where in the file */
  const omen_action *code; /* postfix; NULL: only a compiler can evaluate it */
  uint32_t count;
  const char *const *names; /* names that it uses */
  uint32_t name_count;
  omen_integer_type *types; /* of names */
} omen_condition;

/* Its value if values[i] is the value of names[i]: 1, 0, or unknown. */
omen_datum omen_condition_value (const omen_condition *condition,
                                 const omen_datum *values);
/* Is it known to hold? */
bool omen_condition_holds (const omen_condition *condition,
                           const omen_datum *values);

#endif
