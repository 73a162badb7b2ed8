/* Strings: what <string.h> reads and writes besides plain bytes. */
#define OMEN_INTERPOSES
#include "runtime/hooks/libc.h"

#include <ctype.h>
#include <string.h>

#define ALL SIZE_MAX

/* A comparison reads both up to the first difference or the end. */
static void
compared_strings (const char *left, const char *right, size_t most, bool fold,
                  uint64_t pc)
{
  size_t same = 0;
  while (same < most && left[same]
         && (left[same] == right[same]
             || (fold
                 && tolower ((unsigned char)left[same])
                        == tolower ((unsigned char)right[same]))))
    same++;
  same += same < most;
  omen_read (left, same, pc);
  omen_read (right, same, pc);
}

/* A search reads up to what it found, or to the end. */
static void
searched (const char *text, const char *found, uint64_t pc)
{
  if (found)
    omen_read (text, (size_t)(found - text) + 1, pc);
  else
    omen_read_text (text, ALL, pc);
}

/* strncpy and stpncpy fill up with zeros. */
OMEN_LIBC (char *, strncpy, (char *to, const char *from, size_t size),
           (to, from, size), omen_read_text (from, size, pc),
           omen_wrote (to, size, pc))
OMEN_LIBC (char *, stpncpy, (char *to, const char *from, size_t size),
           (to, from, size), omen_read_text (from, size, pc),
           omen_wrote (to, size, pc))
OMEN_LIBC (char *, __strncpy_chk,
           (char *to, const char *from, size_t size, size_t room),
           (to, from, size, room), omen_read_text (from, size, pc),
           omen_wrote (to, size, pc))

OMEN_LIBC (char *, strcpy, (char *to, const char *from), (to, from),
           omen_read_text (from, ALL, pc), omen_wrote_text (to, pc))
OMEN_LIBC (char *, stpcpy, (char *to, const char *from), (to, from),
           omen_read_text (from, ALL, pc), omen_wrote_text (to, pc))
OMEN_LIBC (char *, __strcpy_chk, (char *to, const char *from, size_t room),
           (to, from, room), omen_read_text (from, ALL, pc),
           omen_wrote_text (to, pc))
OMEN_LIBC (char *, __stpcpy_chk, (char *to, const char *from, size_t room),
           (to, from, room), omen_read_text (from, ALL, pc),
           omen_wrote_text (to, pc))

/* Appending reads the old string to its end. */
#define APPEND(name, parameters, arguments, most)                              \
  OMEN_LIBC (char *, name, parameters, arguments,                              \
             size_t old = omen_read_text (to, ALL, pc);                        \
             omen_read_text (from, most, pc), omen_wrote_text (to + old, pc))

APPEND (strcat, (char *to, const char *from), (to, from), ALL)
APPEND (__strcat_chk, (char *to, const char *from, size_t room),
        (to, from, room), ALL)
APPEND (strncat, (char *to, const char *from, size_t most), (to, from, most),
        most)
APPEND (__strncat_chk, (char *to, const char *from, size_t most, size_t room),
        (to, from, most, room), most)

OMEN_LIBC (size_t, strlen, (const char *text), (text), ,
           omen_read (text, result + 1, pc))
OMEN_LIBC (size_t, strnlen, (const char *text, size_t most), (text, most), ,
           omen_read (text, result + (result < most), pc))
OMEN_LIBC (int, strcmp, (const char *left, const char *right), (left, right),
           compared_strings (left, right, ALL, false, pc), )
OMEN_LIBC (int, strncmp, (const char *left, const char *right, size_t most),
           (left, right, most),
           compared_strings (left, right, most, false, pc), )
OMEN_LIBC (int, strcasecmp, (const char *left, const char *right),
           (left, right), compared_strings (left, right, ALL, true, pc), )
OMEN_LIBC (int, strncasecmp, (const char *left, const char *right, size_t most),
           (left, right, most),
           compared_strings (left, right, most, true, pc), )
OMEN_LIBC (int, strcoll, (const char *left, const char *right), (left, right),
           (omen_read_text (left, ALL, pc), omen_read_text (right, ALL, pc)), )
OMEN_LIBC (size_t, strxfrm, (char *to, const char *from, size_t size),
           (to, from, size), omen_read_text (from, ALL, pc),
           omen_wrote (to, result < size ? result + 1 : 0, pc))

OMEN_LIBC (char *, strchr, (const char *text, int c), (text, c), ,
           searched (text, result, pc))
OMEN_LIBC (char *, strchrnul, (const char *text, int c), (text, c), ,
           searched (text, result, pc))
OMEN_LIBC (char *, strrchr, (const char *text, int c), (text, c),
           omen_read_text (text, ALL, pc), )
OMEN_LIBC (char *, strstr, (const char *text, const char *what), (text, what),
           (omen_read_text (text, ALL, pc), omen_read_text (what, ALL, pc)), )
OMEN_LIBC (char *, strcasestr, (const char *text, const char *what),
           (text, what),
           (omen_read_text (text, ALL, pc), omen_read_text (what, ALL, pc)), )
OMEN_LIBC (char *, strpbrk, (const char *text, const char *what), (text, what),
           omen_read_text (what, ALL, pc), searched (text, result, pc))
OMEN_LIBC (size_t, strspn, (const char *text, const char *what), (text, what),
           omen_read_text (what, ALL, pc), omen_read (text, result + 1, pc))
OMEN_LIBC (size_t, strcspn, (const char *text, const char *what), (text, what),
           omen_read_text (what, ALL, pc), omen_read (text, result + 1, pc))

/* The copy's block is noted by malloc. */
OMEN_LIBC (char *, strdup, (const char *text), (text),
           omen_read_text (text, ALL, pc),
           if (result) omen_wrote_text (result, pc))
OMEN_LIBC (char *, __strdup, (const char *text), (text),
           omen_read_text (text, ALL, pc),
           if (result) omen_wrote_text (result, pc))
OMEN_LIBC (char *, strndup, (const char *text, size_t most), (text, most),
           omen_read_text (text, most, pc),
           if (result) omen_wrote_text (result, pc))

/* strtok writes a zero after each token. */
static void
took_token (const char *token, char **rest, uint64_t pc)
{
  if (token)
    omen_wrote_text (token, pc);
  omen_wrote (rest, sizeof *rest, pc);
}

#define TOKEN(name)                                                            \
  OMEN_LIBC (char *, name, (char *text, const char *breaks, char **rest),      \
             (text, breaks, rest), omen_read_text (breaks, ALL, pc);           \
             if (!text) omen_read (rest, sizeof *rest, pc);                    \
             if (text || *rest) omen_read_text (text ? text : *rest, ALL, pc), \
             took_token (result, rest, pc))

TOKEN (strtok_r)
TOKEN (__strtok_r)

OMEN_LIBC (char *, strsep, (char **rest, const char *breaks), (rest, breaks),
           omen_read_text (breaks, ALL, pc);
           omen_read (rest, sizeof *rest, pc);
           if (*rest) omen_read_text (*rest, ALL, pc),
           took_token (result, rest, pc))
OMEN_LIBC (char *, strtok, (char *text, const char *breaks), (text, breaks),
           omen_read_text (breaks, ALL, pc);
           if (text) omen_read_text (text, ALL, pc),
           if (result) omen_wrote_text (result, pc))
