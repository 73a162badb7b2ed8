#include "runtime/hooks/format.h"
#include "runtime/hooks/format_parse.h"
#include "runtime/hooks/range.h"

#include <limits.h>
#include <string.h>

/* ---- the arguments, by their positions ---- */

typedef enum passing { AS_INTEGER, AS_DOUBLE, AS_LONG_DOUBLE } passing;

typedef struct arguments {
  unsigned count;                            /* positions from 1 */
  uint8_t passed[OMEN_FORMAT_ARGUMENTS + 1]; /* passing */
  long value[OMEN_FORMAT_ARGUMENTS + 1];     /* integers and pointers */
} arguments;

static void
take_argument (arguments *a, unsigned argument, passing how)
{
  if (!argument || argument > OMEN_FORMAT_ARGUMENTS)
    return;
  a->passed[argument] = (uint8_t)how;
  if (argument > a->count)
    a->count = argument;
}

/* Integers and pointers are passed alike, whatever their size. */
static void
fetch (arguments *a, va_list list)
{
  va_list args;
  va_copy (args, list);
  for (unsigned i = 1; i <= a->count; i++)
    switch (a->passed[i]) {
    case AS_DOUBLE:
      (void)va_arg (args, double);
      break;
    case AS_LONG_DOUBLE:
      (void)va_arg (args, long double);
      break;
    default:
      a->value[i] = va_arg (args, long);
    }
  va_end (args);
}

static bool
is_float (char letter)
{
  return letter && strchr ("eEfFgGaA", letter);
}

static bool
is_known_argument (unsigned argument)
{
  return argument && argument <= OMEN_FORMAT_ARGUMENTS;
}

/* ---- printf ---- */

static passing
passing_of (const omen_conversion *c)
{
  return !is_float (c->letter) ? AS_INTEGER
         : c->length == 'L'    ? AS_LONG_DOUBLE
                               : AS_DOUBLE;
}

static void
printf_arguments (omen_format format, va_list list, arguments *a)
{
  omen_format_cursor at = { format, 0, 0 };
  for (omen_conversion c; (c = omen_next_printf (&at)).letter;) {
    take_argument (a, c.width_argument, AS_INTEGER);
    take_argument (a, c.precision_argument, AS_INTEGER);
    take_argument (a, c.argument, passing_of (&c));
  }
  fetch (a, list);
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

/* What fits into so many bytes is read, and the first character that does
   not. */
static size_t
wide_that_fit (const wchar_t *text, size_t bytes)
{
  mbstate_t state = { 0 };
  char out[MB_LEN_MAX];
  size_t count = 0;
  for (; bytes && text[count]; count++) {
    size_t size = wcrtomb (out, text[count], &state);
    if (size > bytes) /* or an error */
      return count + 1;
    bytes -= size;
  }
  return count + (bytes > 0);
}

/* As many bytes as make so many wide characters. */
static size_t
bytes_that_make (const char *text, size_t characters)
{
  mbstate_t state = { 0 };
  size_t at = 0;
  for (; characters; characters--) {
    size_t size = mbrlen (text + at, MB_LEN_MAX, &state);
    if (!size || size > MB_LEN_MAX) /* the end, or an error */
      return at + 1;
    at += size;
  }
  return at;
}

/* A precision counts output units: bytes, or wide characters. */
static void
read_string (const omen_conversion *c, bool to_wide, const void *text,
             long precision, uint64_t pc)
{
  size_t most = precision < 0 ? SIZE_MAX : (size_t)precision;
  if (!text)
    return;
  if (omen_is_wide (c) && !to_wide && precision >= 0)
    omen_read (text, wide_that_fit (text, most) * sizeof (wchar_t), pc);
  else if (omen_is_wide (c))
    omen_read_wide (text, most, pc);
  else if (to_wide && precision >= 0)
    omen_read (text, bytes_that_make (text, most), pc);
  else
    omen_read_text (text, most, pc);
}

void
omen_printf_reads (omen_format format, va_list list, uint64_t pc)
{
  arguments a = { 0 };
  omen_format_cursor at = { format, 0, 0 };
  printf_arguments (format, list, &a);
  for (omen_conversion c; (c = omen_next_printf (&at)).letter;) {
    if ((c.letter != 's' && c.letter != 'S') || !is_known_argument (c.argument))
      continue;
    if (is_known_argument (c.precision_argument))
      c.precision = (int)a.value[c.precision_argument];
    read_string (&c, format.wide, (void *)a.value[c.argument], c.precision, pc);
  }
}

void
omen_printf_writes (omen_format format, va_list list, uint64_t pc)
{
  arguments a = { 0 };
  omen_format_cursor at = { format, 0, 0 };
  if (format.wide ? !wcschr (format.wide, L'n') : !strchr (format.narrow, 'n'))
    return;
  printf_arguments (format, list, &a);
  for (omen_conversion c; (c = omen_next_printf (&at)).letter;)
    if (c.letter == 'n' && is_known_argument (c.argument))
      omen_wrote ((void *)a.value[c.argument], size_of_integer (c.length), pc);
}

/* ---- scanf ---- */

static size_t
size_of_float (char length)
{
  return length == 'L' ? sizeof (long double)
         : length      ? sizeof (double)
                       : sizeof (float);
}

static void
scanf_argument (const omen_conversion *c, void *to, uint64_t pc)
{
  size_t characters = c->width < 0 ? 1 : (size_t)c->width;
  switch (c->letter) {
  case 's':
  case 'S':
  case '[':
    if (omen_is_wide (c))
      omen_wrote_wide (to, pc);
    else
      omen_wrote_text (to, pc);
    break;
  case 'c':
  case 'C':
    omen_wrote (to, characters * (omen_is_wide (c) ? sizeof (wchar_t) : 1), pc);
    break;
  case 'p':
    omen_wrote (to, sizeof (void *), pc);
    break;
  default:
    omen_wrote (to,
                is_float (c->letter) ? size_of_float (c->length)
                                     : size_of_integer (c->length),
                pc);
  }
}

void
omen_scanf_writes (omen_format format, va_list list, int count, uint64_t pc)
{
  arguments a = { 0 };
  omen_format_cursor at = { format, 0, 0 };
  for (omen_conversion c; (c = omen_next_scanf (&at)).letter;)
    take_argument (&a, c.argument, AS_INTEGER);
  fetch (&a, list);
  at = (omen_format_cursor){ format, 0, 0 };
  for (omen_conversion c; (c = omen_next_scanf (&at)).letter;) {
    if (count <= 0 && c.letter != 'n') /* whether a %*d matched is not known */
      break;
    if (!c.argument)
      continue;
    if (is_known_argument (c.argument)) {
      void *to = (void *)a.value[c.argument];
      if (c.allocated) {
        omen_wrote (to, sizeof (void *), pc);
        to = *(void **)to;
      }
      scanf_argument (&c, to, pc);
    }
    count -= c.letter != 'n';
  }
}
