#include "monitor/condition.h"

static const omen_datum unknown = { OMEN_DATUM_UNKNOWN, 0 };

static omen_datum
integer (uint64_t bits)
{
  return (omen_datum){ OMEN_DATUM_INTEGER, bits };
}

static double
real_of (omen_datum d)
{
  double value;
  if (d.kind == OMEN_DATUM_INTEGER)
    return (double)(int64_t)d.bits;
  __builtin_memcpy (&value, &d.bits, sizeof value);
  return value;
}

static omen_datum
real (double value)
{
  omen_datum d = { OMEN_DATUM_REAL, 0 };
  __builtin_memcpy (&d.bits, &value, sizeof value);
  return d;
}

/* Is it known to be true, or false? */
static bool
is_integer (omen_datum d, bool value)
{
  if (d.kind == OMEN_DATUM_REAL)
    return (real_of (d) != 0) == value;
  return d.kind == OMEN_DATUM_INTEGER && !d.bits == !value;
}

static bool
is_number (omen_datum d)
{
  return d.kind == OMEN_DATUM_INTEGER || d.kind == OMEN_DATUM_REAL;
}

static omen_datum
on_reals (omen_operator what, double x, double y)
{
  switch (what) {
  case OMEN_DO_EQUAL:
    return integer (x == y);
  case OMEN_DO_DIFFERENT:
    return integer (x != y);
  case OMEN_DO_AT_MOST:
    return integer (x <= y);
  case OMEN_DO_AT_LEAST:
    return integer (x >= y);
  case OMEN_DO_LESS:
    return integer (x < y);
  case OMEN_DO_MORE:
    return integer (x > y);
  case OMEN_DO_PLUS:
    return real (x + y);
  case OMEN_DO_MINUS:
    return real (x - y);
  case OMEN_DO_TIMES:
    return real (x * y);
  case OMEN_DO_OVER:
    return real (x / y);
  case OMEN_DO_NOT:
    return integer (x == 0);
  case OMEN_DO_NEGATIVE:
    return real (-x);
  default: /* C has no such thing */
    return unknown;
  }
}

/* Division as in C, but without its traps. */
static omen_datum
divide_datum (int64_t a, int64_t b, bool rest)
{
  if (!b)
    return unknown;
  if (b == -1)
    return integer (rest ? 0 : 0 - (uint64_t)a);
  return integer ((uint64_t)(rest ? a % b : a / b));
}

static omen_datum
shift (uint64_t a, uint64_t by, bool left)
{
  if (by > 63)
    return unknown;
  return integer (left ? a << by : (uint64_t)((int64_t)a >> by));
}

static omen_datum
on_integers (omen_operator what, uint64_t a, uint64_t b)
{
  int64_t x = (int64_t)a, y = (int64_t)b;
  switch (what) {
  case OMEN_DO_BIT_OR:
    return integer (a | b);
  case OMEN_DO_BIT_XOR:
    return integer (a ^ b);
  case OMEN_DO_BIT_AND:
    return integer (a & b);
  case OMEN_DO_SHIFT_LEFT:
    return shift (a, b, true);
  case OMEN_DO_SHIFT_RIGHT:
    return shift (a, b, false);
  case OMEN_DO_AT_MOST:
    return integer (x <= y);
  case OMEN_DO_AT_LEAST:
    return integer (x >= y);
  case OMEN_DO_LESS:
    return integer (x < y);
  case OMEN_DO_MORE:
    return integer (x > y);
  case OMEN_DO_PLUS:
    return integer (a + b);
  case OMEN_DO_MINUS:
    return integer (a - b);
  case OMEN_DO_TIMES:
    return integer (a * b);
  case OMEN_DO_OVER:
    return divide_datum (x, y, false);
  case OMEN_DO_MODULO:
    return divide_datum (x, y, true);
  case OMEN_DO_NOT:
    return integer (!a);
  case OMEN_DO_NEGATIVE:
    return integer (0 - a);
  case OMEN_DO_COMPLEMENT:
    return integer (~a);
  default:
    return unknown;
  }
}

static omen_datum
apply_operator (omen_operator what, omen_datum a, omen_datum b)
{
  bool known = a.kind && b.kind;
  bool reals = (a.kind == OMEN_DATUM_REAL || b.kind == OMEN_DATUM_REAL)
               && is_number (a) && is_number (b);
  if (reals && what != OMEN_DO_OR && what != OMEN_DO_AND)
    return on_reals (what, real_of (a), real_of (b));
  switch (what) {
  case OMEN_DO_OR:
    if (is_integer (a, true) || is_integer (b, true))
      return integer (1);
    return is_integer (a, false) && is_integer (b, false) ? integer (0)
                                                          : unknown;
  case OMEN_DO_AND:
    if (is_integer (a, false) || is_integer (b, false))
      return integer (0);
    return is_integer (a, true) && is_integer (b, true) ? integer (1) : unknown;
  case OMEN_DO_EQUAL:
  case OMEN_DO_DIFFERENT:
    if (!known)
      return unknown;
    return integer ((a.kind == b.kind && a.bits == b.bits)
                    == (what == OMEN_DO_EQUAL));
  default:
    if (a.kind != OMEN_DATUM_INTEGER || b.kind != OMEN_DATUM_INTEGER)
      return unknown;
    return on_integers (what, a.bits, b.bits);
  }
}

static bool
has_two (omen_operator what)
{
  return what < OMEN_DO_NOT;
}

/* As C converts it to the type, and that to 64 bits. */
static omen_datum
converted (omen_datum d, omen_integer_type type)
{
  unsigned rest = 64 - 8u * type.bytes;
  float small;
  if (d.kind == OMEN_DATUM_INTEGER && type.is_real) {
    d.kind = OMEN_DATUM_REAL;
    __builtin_memcpy (&small, &d.bits, sizeof small);
    return type.bytes == sizeof small ? real ((double)small) : d;
  }
  if (d.kind != OMEN_DATUM_INTEGER || !type.bytes || type.bytes > 7)
    return d;
  return integer (type.is_unsigned
                      ? d.bits << rest >> rest
                      : (uint64_t)((int64_t)(d.bits << rest) >> rest));
}

static omen_datum
value_of_name (const omen_condition *c, const omen_datum *values, uint64_t name)
{
  return c->types ? converted (values[name], c->types[name]) : values[name];
}

omen_datum
omen_condition_value (const omen_condition *condition, const omen_datum *values)
{
  omen_datum stack[OMEN_CONDITION_DEPTH];
  uint32_t depth = 0;
  OMEN_REQUIRE (condition->code);
  for (uint32_t i = 0; i < condition->count; i++) {
    const omen_action *action = &condition->code[i];
    if (action->what >= OMEN_DO_INTEGER) {
      OMEN_ASSERT (depth < OMEN_CONDITION_DEPTH);
      stack[depth++] = action->what == OMEN_DO_NAME
                           ? value_of_name (condition, values, action->operand)
                       : action->what == OMEN_DO_REAL
                           ? (omen_datum){ OMEN_DATUM_REAL, action->operand }
                           : integer (action->operand);
      continue;
    }
    depth -= has_two (action->what);
    OMEN_ASSERT (depth > 0);
    stack[depth - 1]
        = has_two (action->what)
              ? apply_operator (action->what, stack[depth - 1], stack[depth])
              : apply_operator (action->what, stack[depth - 1],
                                stack[depth - 1]);
  }
  OMEN_ASSERT (depth == 1);
  return is_number (stack[0]) ? integer (is_integer (stack[0], true)) : unknown;
}

bool
omen_condition_holds (const omen_condition *condition, const omen_datum *values)
{
  return is_integer (omen_condition_value (condition, values), true);
}
