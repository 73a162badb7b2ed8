/* Wide strings: what <wchar.h> reads and writes, and what turns strings of one
   kind into the other. */
#define OMEN_INTERPOSES
#include "runtime/hooks/libc.h"

#include <stdlib.h>
#include <wchar.h>

#define ALL SIZE_MAX
#define WIDE sizeof (wchar_t)

static void
compared_wide (const wchar_t *left, const wchar_t *right, size_t most,
               bool zero, uint64_t pc)
{
  size_t same = 0;
  while (same < most && left[same] == right[same] && !(zero && !left[same]))
    same++;
  same += same < most;
  omen_read (left, same * WIDE, pc);
  omen_read (right, same * WIDE, pc);
}

static void
searched (const wchar_t *text, const wchar_t *found, uint64_t pc)
{
  if (found)
    omen_read (text, ((size_t)(found - text) + 1) * WIDE, pc);
  else
    omen_read_wide (text, ALL, pc);
}

/* ---- so many of them ---- */

#define COPY(name, parameters, arguments)                                      \
  OMEN_LIBC (wchar_t *, name, parameters, arguments,                           \
             omen_read (from, size *WIDE, pc),                                 \
             omen_wrote (to, size *WIDE, pc))

COPY (wmemcpy, (wchar_t * to, const wchar_t *from, size_t size),
      (to, from, size))
COPY (wmempcpy, (wchar_t * to, const wchar_t *from, size_t size),
      (to, from, size))
COPY (wmemmove, (wchar_t * to, const wchar_t *from, size_t size),
      (to, from, size))
OMEN_LIBC (wchar_t *, wmemset, (wchar_t * to, wchar_t c, size_t size),
           (to, c, size), , omen_wrote (to, size *WIDE, pc))
OMEN_LIBC (int, wmemcmp,
           (const wchar_t *left, const wchar_t *right, size_t size),
           (left, right, size), compared_wide (left, right, size, false, pc), )
OMEN_LIBC (wchar_t *, wmemchr, (const wchar_t *text, wchar_t c, size_t size),
           (text, c, size), ,
           omen_read (text,
                      (result ? (size_t)(result - text) + 1 : size) * WIDE, pc))

/* ---- up to their end ---- */

OMEN_LIBC (wchar_t *, wcscpy, (wchar_t * to, const wchar_t *from), (to, from),
           omen_read_wide (from, ALL, pc), omen_wrote_wide (to, pc))
OMEN_LIBC (wchar_t *, wcpcpy, (wchar_t * to, const wchar_t *from), (to, from),
           omen_read_wide (from, ALL, pc), omen_wrote_wide (to, pc))
/* They fill up with zeros. */
OMEN_LIBC (wchar_t *, wcsncpy, (wchar_t * to, const wchar_t *from, size_t size),
           (to, from, size), omen_read_wide (from, size, pc),
           omen_wrote (to, size *WIDE, pc))
OMEN_LIBC (wchar_t *, wcpncpy, (wchar_t * to, const wchar_t *from, size_t size),
           (to, from, size), omen_read_wide (from, size, pc),
           omen_wrote (to, size *WIDE, pc))
OMEN_LIBC (wchar_t *, wcscat, (wchar_t * to, const wchar_t *from), (to, from),
           size_t old = omen_read_wide (to, ALL, pc);
           omen_read_wide (from, ALL, pc), omen_wrote_wide (to + old, pc))
OMEN_LIBC (wchar_t *, wcsncat, (wchar_t * to, const wchar_t *from, size_t most),
           (to, from, most), size_t old = omen_read_wide (to, ALL, pc);
           omen_read_wide (from, most, pc), omen_wrote_wide (to + old, pc))
OMEN_LIBC (wchar_t *, wcsdup, (const wchar_t *text), (text),
           omen_read_wide (text, ALL, pc),
           if (result) omen_wrote_wide (result, pc))

OMEN_LIBC (size_t, wcslen, (const wchar_t *text), (text), ,
           omen_read (text, (result + 1) * WIDE, pc))
OMEN_LIBC (size_t, wcsnlen, (const wchar_t *text, size_t most), (text, most), ,
           omen_read (text, (result + (result < most)) * WIDE, pc))
OMEN_LIBC (int, wcscmp, (const wchar_t *left, const wchar_t *right),
           (left, right), compared_wide (left, right, ALL, true, pc), )
OMEN_LIBC (int, wcsncmp,
           (const wchar_t *left, const wchar_t *right, size_t most),
           (left, right, most), compared_wide (left, right, most, true, pc), )
OMEN_LIBC (wchar_t *, wcschr, (const wchar_t *text, wchar_t c), (text, c), ,
           searched (text, result, pc))
OMEN_LIBC (wchar_t *, wcsrchr, (const wchar_t *text, wchar_t c), (text, c),
           omen_read_wide (text, ALL, pc), )
OMEN_LIBC (wchar_t *, wcsstr, (const wchar_t *text, const wchar_t *what),
           (text, what),
           (omen_read_wide (text, ALL, pc), omen_read_wide (what, ALL, pc)), )
OMEN_LIBC (wchar_t *, wcspbrk, (const wchar_t *text, const wchar_t *what),
           (text, what), omen_read_wide (what, ALL, pc),
           searched (text, result, pc))
OMEN_LIBC (size_t, wcsspn, (const wchar_t *text, const wchar_t *what),
           (text, what), omen_read_wide (what, ALL, pc),
           omen_read (text, (result + 1) * WIDE, pc))
OMEN_LIBC (size_t, wcscspn, (const wchar_t *text, const wchar_t *what),
           (text, what), omen_read_wide (what, ALL, pc),
           omen_read (text, (result + 1) * WIDE, pc))

/* ---- from one kind to the other ---- */

OMEN_LIBC (size_t, mbstowcs, (wchar_t * to, const char *from, size_t size),
           (to, from, size), omen_read_text (from, ALL, pc),
           if (to && result != ALL)
               omen_wrote (to, (result + (result < size)) * WIDE, pc))
OMEN_LIBC (size_t, wcstombs, (char *to, const wchar_t *from, size_t size),
           (to, from, size), omen_read_wide (from, ALL, pc),
           if (to && result != ALL)
               omen_wrote (to, result + (result < size), pc))
