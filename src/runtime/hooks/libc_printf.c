/* The printf and scanf families, with their checked twins (_FORTIFY_SOURCE)
   and both names of scanf in glibc: that of C99, and the older one. */
#include "runtime/hooks/libc_print.h"

static void
printed (const char *to, size_t size, int result, uint64_t pc)
{
  if (result >= 0)
    omen_wrote (to, (size_t)result < size ? (size_t)result + 1 : size, pc);
}

static void
printed_new (char **to, int result, uint64_t pc)
{
  omen_wrote (to, sizeof *to, pc);
  if (result >= 0)
    omen_wrote (*to, (size_t)result + 1, pc);
}

PRINT (printf, vprintf, LIST (const char *format), LIST (format),
       omen_channel_file_before (stdout, pc), )
PRINT (fprintf, vfprintf, LIST (FILE *file, const char *format),
       LIST (file, format), omen_channel_file_before (file, pc), )
PRINT (dprintf, vdprintf, LIST (int fd, const char *format), LIST (fd, format),
       omen_channel_before (fd, pc), )
PRINT (sprintf, vsprintf, LIST (char *to, const char *format),
       LIST (to, format), , printed (to, SIZE_MAX, result, pc))
PRINT (snprintf, vsnprintf, LIST (char *to, size_t size, const char *format),
       LIST (to, size, format), , printed (to, size, result, pc))
PRINT (asprintf, vasprintf, LIST (char **to, const char *format),
       LIST (to, format), , printed_new (to, result, pc))

PRINT (__printf_chk, __vprintf_chk, LIST (int flag, const char *format),
       LIST (flag, format), omen_channel_file_before (stdout, pc), )
PRINT (__fprintf_chk, __vfprintf_chk,
       LIST (FILE *file, int flag, const char *format),
       LIST (file, flag, format), omen_channel_file_before (file, pc), )
PRINT (__dprintf_chk, __vdprintf_chk,
       LIST (int fd, int flag, const char *format), LIST (fd, flag, format),
       omen_channel_before (fd, pc), )
PRINT (__sprintf_chk, __vsprintf_chk,
       LIST (char *to, int flag, size_t room, const char *format),
       LIST (to, flag, room, format), , printed (to, SIZE_MAX, result, pc))
PRINT (__snprintf_chk, __vsnprintf_chk,
       LIST (char *to, size_t size, int flag, size_t room, const char *format),
       LIST (to, size, flag, room, format), , printed (to, size, result, pc))
PRINT (__asprintf_chk, __vasprintf_chk,
       LIST (char **to, int flag, const char *format), LIST (to, flag, format),
       , printed_new (to, result, pc))

#define SCANS(prefix)                                                          \
  SCAN (prefix##scanf, prefix##vscanf, LIST (const char *format),              \
        LIST (format), , omen_channel_file_after (stdin, pc))                  \
  SCAN (prefix##fscanf, prefix##vfscanf,                                       \
        LIST (FILE *file, const char *format), LIST (file, format), ,          \
        omen_channel_file_after (file, pc))                                    \
  SCAN (prefix##sscanf, prefix##vsscanf,                                       \
        LIST (const char *text, const char *format), LIST (text, format),      \
        omen_read_text (text, SIZE_MAX, pc), )
SCANS (__isoc99_)
SCANS ()
