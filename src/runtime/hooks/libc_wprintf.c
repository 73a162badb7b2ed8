/* The wide printf and scanf families, like libc_printf.c. */
#include "runtime/hooks/libc_print.h"

#include <errno.h>

/* If there was no room the buffer is full, and the result does not say how much
   was written. */
static void
printed (const wchar_t *to, size_t size, int result, uint64_t pc)
{
  if (result >= 0)
    omen_wrote (to, ((size_t)result + 1) * sizeof *to, pc);
  else if (errno != EILSEQ)
    omen_wrote (to, size * sizeof *to, pc);
}

PRINT (wprintf, vwprintf, LIST (const wchar_t *format), LIST (format),
       omen_channel_file_before (stdout, pc), )
PRINT (fwprintf, vfwprintf, LIST (FILE *file, const wchar_t *format),
       LIST (file, format), omen_channel_file_before (file, pc), )
PRINT (swprintf, vswprintf,
       LIST (wchar_t *to, size_t size, const wchar_t *format),
       LIST (to, size, format), , printed (to, size, result, pc))

PRINT (__wprintf_chk, __vwprintf_chk, LIST (int flag, const wchar_t *format),
       LIST (flag, format), omen_channel_file_before (stdout, pc), )
PRINT (__fwprintf_chk, __vfwprintf_chk,
       LIST (FILE *file, int flag, const wchar_t *format),
       LIST (file, flag, format), omen_channel_file_before (file, pc), )
PRINT (__swprintf_chk, __vswprintf_chk,
       LIST (wchar_t *to, size_t size, int flag, size_t room,
             const wchar_t *format),
       LIST (to, size, flag, room, format), , printed (to, size, result, pc))

#define SCANS(prefix)                                                          \
  SCAN (prefix##wscanf, prefix##vwscanf, LIST (const wchar_t *format),         \
        LIST (format), , omen_channel_file_after (stdin, pc))                  \
  SCAN (prefix##fwscanf, prefix##vfwscanf,                                     \
        LIST (FILE *file, const wchar_t *format), LIST (file, format), ,       \
        omen_channel_file_after (file, pc))                                    \
  SCAN (prefix##swscanf, prefix##vswscanf,                                     \
        LIST (const wchar_t *text, const wchar_t *format),                     \
        LIST (text, format), omen_read_wide (text, SIZE_MAX, pc), )
SCANS (__isoc99_)
SCANS ()
