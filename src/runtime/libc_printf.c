/* The printf and scanf families, with their checked twins (_FORTIFY_SOURCE)
   and the names that C99's scanf has in glibc. */
#include "runtime/channel.h"
#include "runtime/format.h"
#include "runtime/libc.h"

#include <stdio.h>

#define LIST(...) __VA_ARGS__

/* The functions that programs call, with `...` and with a va_list. */
#define BOTH(name, vname, parameters, names)                                   \
  OMEN_EXPORT int vname (parameters, va_list args);                            \
  OMEN_EXPORT int name (parameters, ...);                                      \
  int vname (parameters, va_list args)                                         \
  {                                                                            \
    return do_##vname (names, args, OMEN_PC);                                  \
  }                                                                            \
  int name (parameters, ...)                                                   \
  {                                                                            \
    va_list args;                                                              \
    va_start (args, format);                                                   \
    int result = do_##vname (names, args, OMEN_PC);                            \
    va_end (args);                                                             \
    return result;                                                             \
  }

/* PRINT (name, name of the one with a va_list, fixed parameters, their names,
   what to note before and after the call): both functions. */
#define PRINT(name, vname, parameters, names, before, after)                   \
  OMEN_NEXT (int, vname, (parameters, va_list));                               \
  static int do_##vname (parameters, va_list args, uint64_t pc)                \
  {                                                                            \
    if (!omen_listening ())                                                    \
      return OMEN_REAL (vname) (names, args);                                  \
    va_list copy;                                                              \
    va_copy (copy, args);                                                      \
    omen_watch_point ();                                                       \
    omen_printf_reads (format, copy, pc);                                      \
    before;                                                                    \
    omen_sched_leave ();                                                       \
    int result = OMEN_REAL (vname) (names, args);                              \
    omen_sched_return ();                                                      \
    after;                                                                     \
    omen_printf_writes (format, copy, pc);                                     \
    va_end (copy);                                                             \
    return result;                                                             \
  }                                                                            \
  BOTH (name, vname, LIST (parameters), LIST (names))

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
PRINT (dprintf, vdprintf, LIST (int fd, const char *format),
       LIST (fd, format), omen_channel_before (fd, pc), )
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
       LIST (char *to, size_t size, int flag, size_t room,
             const char *format),
       LIST (to, size, flag, room, format), , printed (to, size, result, pc))
PRINT (__asprintf_chk, __vasprintf_chk,
       LIST (char **to, int flag, const char *format),
       LIST (to, flag, format), , printed_new (to, result, pc))

/* SCAN: the same for scanf. */
#define SCAN(name, vname, parameters, names, before, after)                    \
  OMEN_NEXT (int, vname, (parameters, va_list));                               \
  static int do_##vname (parameters, va_list args, uint64_t pc)                \
  {                                                                            \
    if (!omen_listening ())                                                    \
      return OMEN_REAL (vname) (names, args);                                  \
    va_list copy;                                                              \
    va_copy (copy, args);                                                      \
    omen_watch_point ();                                                       \
    before;                                                                    \
    omen_sched_leave ();                                                       \
    int result = OMEN_REAL (vname) (names, args);                              \
    omen_sched_return ();                                                      \
    after;                                                                     \
    omen_scanf_writes (format, copy, result, pc);                              \
    va_end (copy);                                                             \
    return result;                                                             \
  }                                                                            \
  BOTH (name, vname, LIST (parameters), LIST (names))

SCAN (__isoc99_scanf, __isoc99_vscanf, LIST (const char *format),
      LIST (format), , omen_channel_file_after (stdin, pc))
SCAN (__isoc99_fscanf, __isoc99_vfscanf,
      LIST (FILE *file, const char *format), LIST (file, format), ,
      omen_channel_file_after (file, pc))
SCAN (__isoc99_sscanf, __isoc99_vsscanf,
      LIST (const char *text, const char *format), LIST (text, format),
      omen_read_text (text, SIZE_MAX, pc), )
