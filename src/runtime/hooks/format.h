/* What printf reads and scanf writes through its arguments, by their format,
   which may be a wide one:

     printf ("%d %.*s%n", 5, 3, name, &count)
       reads at most 3 bytes of name, writes sizeof (int) at &count

   Followed up to OMEN_FORMAT_ARGUMENTS. */
#ifndef OMEN_RUNTIME_HOOKS_FORMAT_H
#define OMEN_RUNTIME_HOOKS_FORMAT_H

#include <stdarg.h>
#include <stdint.h>
#include <wchar.h>

enum { OMEN_FORMAT_ARGUMENTS = 64 };

/* One of the two. */
typedef struct omen_format {
  const char *narrow;
  const wchar_t *wide;
} omen_format;

static inline omen_format
omen_format_narrow (const char *text)
{
  return (omen_format){ .narrow = text };
}

static inline omen_format
omen_format_wide (const wchar_t *text)
{
  return (omen_format){ .wide = text };
}

#define OMEN_FORMAT(text)                                                      \
  _Generic ((text),                                                            \
      const wchar_t *: omen_format_wide,                                       \
      const char *: omen_format_narrow) (text)

/* `args` is left as it was. */
void omen_printf_reads (omen_format format, va_list args, uint64_t pc);
void omen_printf_writes (omen_format format, va_list args, uint64_t pc);
/* The first `count` conversions were done (the result of scanf). */
void omen_scanf_writes (omen_format format, va_list args, int count,
                        uint64_t pc);

#endif
