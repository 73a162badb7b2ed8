/* The conversions of a printf or scanf format, one after the other, and which
   arguments each takes: in order, or by their positions ("%2$s").

     omen_format_cursor at = { OMEN_FORMAT ("%d %.*s") };
     omen_next_printf (&at)   letter 'd', argument 1
     omen_next_printf (&at)   letter 's', argument 3, precision_argument 2
     omen_next_printf (&at)   letter 0 */
#ifndef OMEN_RUNTIME_HOOKS_FORMAT_PARSE_H
#define OMEN_RUNTIME_HOOKS_FORMAT_PARSE_H

#include "runtime/hooks/format.h"

#include <stdbool.h>

typedef struct omen_format_cursor {
  omen_format format;
  size_t at;
  unsigned taken; /* arguments taken so far in order */
} omen_format_cursor;

/* %[position$][flags][width][.precision][length]letter */
typedef struct omen_conversion {
  char letter;                /* 0: the format ends */
  char length;                /* h, H (hh), l, q (ll, q, j), z, t, L; 0: none */
  bool suppressed, allocated; /* * and m in scanf */
  long width, precision;      /* -1: none */
  /* from 1; 0: none */
  unsigned argument, width_argument, precision_argument;
} omen_conversion;

omen_conversion omen_next_printf (omen_format_cursor *cursor);
omen_conversion omen_next_scanf (omen_format_cursor *cursor);

/* Is the argument of %s, %[ or %c wide? */
static inline bool
omen_is_wide (const omen_conversion *c)
{
  return c->length == 'l' || c->letter == 'S' || c->letter == 'C';
}

#endif
