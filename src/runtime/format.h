/* What printf reads and scanf writes through its arguments, by their format:

     printf ("%d %.*s%n", 5, 3, name, &count)
       reads at most 3 bytes of name, writes sizeof (int) at &count

   Formats with positions ("%2$s") are not followed, nor are wide strings. */
#ifndef OMEN_RUNTIME_FORMAT_H
#define OMEN_RUNTIME_FORMAT_H

#include <stdarg.h>
#include <stdint.h>

/* `args` is left as it was. */
void omen_printf_reads (const char *format, va_list args, uint64_t pc);
void omen_printf_writes (const char *format, va_list args, uint64_t pc);
/* The first `count` conversions were done (scanf's result). */
void omen_scanf_writes (const char *format, va_list args, int count,
                        uint64_t pc);

#endif
