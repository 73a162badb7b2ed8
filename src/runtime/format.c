#include "runtime/format.h"
#include "runtime/range.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

/* One conversion: %[flags][width][.precision][length]letter */
typedef struct conversion {
  char letter;     /* 0: the format ends, or cannot be followed */
  char length;     /* h, H (hh), l, q (ll, q, j), z, t, L; 0: none */
  bool given_width, given_precision; /* by * in printf */
  bool suppressed, allocated;        /* * and m in scanf */
  long width, precision;             /* -1: none */
} conversion;

static long
number (const char **at)
{
  long value = -1;
  for (; **at >= '0' && **at <= '9'; ++*at)
    if (value < 1 << 24)
      value = (value < 0 ? 0 : value) * 10 + (**at - '0');
  return value;
}

static char
length_modifier (const char **at)
{
  const char *f = *at;
  if (!*f || !strchr ("hlqjztL", *f))
    return 0;
  bool twice = (*f == 'h' || *f == 'l') && f[1] == *f;
  *at += twice ? 2 : 1;
  if (*f == 'h')
    return twice ? 'H' : 'h';
  return twice || *f == 'j' ? 'q' : *f;
}

/* Past the text before the next %, and past that. */
static bool
find_percent (const char **at)
{
  while (**at && **at != '%')
    ++*at;
  return *(*at)++ == '%';
}

static void
finish (conversion *c, const char **at)
{
  c->length = length_modifier (at);
  c->letter = **at;
  if (**at)
    ++*at;
}

static conversion
next_printf (const char **at)
{
  conversion c = { .width = -1, .precision = -1 };
  if (!find_percent (at))
    return c;
  while (**at && strchr ("-+ #0'I", **at))
    ++*at;
  c.given_width = **at == '*' && ++*at;
  c.width = number (at);
  if (**at == '$')
    return c;
  if (**at == '.') {
    ++*at;
    c.given_precision = **at == '*' && ++*at;
    c.precision = number (at);
    if (!c.given_precision && c.precision < 0)
      c.precision = 0;
  }
  finish (&c, at);
  return c;
}

static size_t
size_of_integer (char length)
{
  switch (length) {
  case 'H':
    return sizeof (char);
  case 'h':
    return sizeof (short);
  case 'l':
  case 'q':
  case 'z':
  case 't':
    return sizeof (long);
  default:
    return sizeof (int);
  }
}

/* va_list is an array type; in a struct it can be handed on by reference. */
typedef struct arguments {
  va_list list;
} arguments;

static void
printf_argument (const conversion *c, arguments *args, bool before,
                 uint64_t pc)
{
  switch (c->letter) {
  case '%':
  case 'm':
    break;
  case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a':
  case 'A':
    if (c->length == 'L')
      (void)va_arg (args->list, long double);
    else
      (void)va_arg (args->list, double);
    break;
  case 's': {
    const char *text = va_arg (args->list, const char *);
    if (before && text && c->length != 'l')
      omen_read_text (text, c->precision < 0 ? SIZE_MAX : (size_t)c->precision,
                      pc);
    break;
  }
  case 'n': {
    void *to = va_arg (args->list, void *);
    if (!before)
      omen_wrote (to, size_of_integer (c->length), pc);
    break;
  }
  default: /* integers and pointers are passed alike */
    (void)va_arg (args->list, long);
  }
}

static void
walk_printf (const char *format, va_list list, bool before, uint64_t pc)
{
  arguments args;
  va_copy (args.list, list);
  for (;;) {
    conversion c = next_printf (&format);
    if (!c.letter)
      break;
    if (c.given_width)
      (void)va_arg (args.list, int);
    if (c.given_precision)
      c.precision = va_arg (args.list, int);
    printf_argument (&c, &args, before, pc);
  }
  va_end (args.list);
}

void
omen_printf_reads (const char *format, va_list args, uint64_t pc)
{
  walk_printf (format, args, true, pc);
}

void
omen_printf_writes (const char *format, va_list args, uint64_t pc)
{
  if (strchr (format, 'n'))
    walk_printf (format, args, false, pc);
}

/* -- scanf ------------------------------------------------------------------ */

/* Past the set of %[…]; a ] that comes first belongs to it. */
static void
skip_set (const char **at)
{
  if (**at == '^')
    ++*at;
  if (**at == ']')
    ++*at;
  while (**at && *(*at)++ != ']')
    ;
}

static conversion
next_scanf (const char **at)
{
  conversion c = { .width = -1, .precision = -1 };
  if (!find_percent (at))
    return c;
  c.suppressed = **at == '*' && ++*at;
  if (**at == '\'')
    ++*at;
  c.width = number (at);
  if (**at == '$')
    return c;
  c.allocated = **at == 'm' && ++*at;
  finish (&c, at);
  if (c.letter == '[')
    skip_set (at);
  return c;
}

static size_t
size_of_float (char length)
{
  return length == 'L' ? sizeof (long double)
         : length      ? sizeof (double)
                       : sizeof (float);
}

static void
scanf_argument (const conversion *c, void *to, uint64_t pc)
{
  switch (c->letter) {
  case 's':
  case '[':
    if (c->length != 'l')
      omen_wrote_text (to, pc);
    break;
  case 'c':
    if (c->length != 'l')
      omen_wrote (to, c->width < 0 ? 1 : (size_t)c->width, pc);
    break;
  case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a':
  case 'A':
    omen_wrote (to, size_of_float (c->length), pc);
    break;
  case 'p':
    omen_wrote (to, sizeof (void *), pc);
    break;
  default:
    omen_wrote (to, size_of_integer (c->length), pc);
  }
}

void
omen_scanf_writes (const char *format, va_list list, int count, uint64_t pc)
{
  arguments args;
  va_copy (args.list, list);
  for (;;) {
    conversion c = next_scanf (&format);
    if (!c.letter || (count <= 0 && c.letter != 'n'))
      break;
    if (c.letter == '%' || c.suppressed)
      continue;
    void *to = va_arg (args.list, void *);
    if (c.allocated) {
      omen_wrote (to, sizeof (void *), pc);
      to = *(void **)to;
    }
    scanf_argument (&c, to, pc);
    count -= c.letter != 'n';
  }
  va_end (args.list);
}
