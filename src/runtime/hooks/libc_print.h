/* For the printf and scanf families, narrow and wide: PRINT and SCAN make two
   functions each, with `...` and with a va_list. */
#ifndef OMEN_RUNTIME_HOOKS_LIBC_PRINT_H
#define OMEN_RUNTIME_HOOKS_LIBC_PRINT_H

/* Both names of scanf are hooked, so the headers must not make one of the
 * other. */
#include <features.h>
#undef __GLIBC_USE_DEPRECATED_SCANF
#define __GLIBC_USE_DEPRECATED_SCANF 1

#include "runtime/hooks/channel.h"
#include "runtime/hooks/format.h"
#include "runtime/hooks/libc.h"

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
    if (!omen_enabled ())                                                      \
      return OMEN_REAL (vname) (names, args);                                  \
    va_list copy;                                                              \
    va_copy (copy, args);                                                      \
    omen_watch_point ();                                                       \
    omen_printf_reads (OMEN_FORMAT (format), copy, pc);                        \
    before;                                                                    \
    omen_sched_leave ();                                                       \
    int result = OMEN_REAL (vname) (names, args);                              \
    omen_sched_return ();                                                      \
    after;                                                                     \
    omen_printf_writes (OMEN_FORMAT (format), copy, pc);                       \
    va_end (copy);                                                             \
    return result;                                                             \
  }                                                                            \
  BOTH (name, vname, LIST (parameters), LIST (names))

/* SCAN: the same for scanf. */
#define SCAN(name, vname, parameters, names, before, after)                    \
  OMEN_NEXT (int, vname, (parameters, va_list));                               \
  static int do_##vname (parameters, va_list args, uint64_t pc)                \
  {                                                                            \
    if (!omen_enabled ())                                                      \
      return OMEN_REAL (vname) (names, args);                                  \
    va_list copy;                                                              \
    va_copy (copy, args);                                                      \
    omen_watch_point ();                                                       \
    before;                                                                    \
    omen_sched_leave ();                                                       \
    int result = OMEN_REAL (vname) (names, args);                              \
    omen_sched_return ();                                                      \
    after;                                                                     \
    omen_scanf_writes (OMEN_FORMAT (format), copy, result, pc);                \
    va_end (copy);                                                             \
    return result;                                                             \
  }                                                                            \
  BOTH (name, vname, LIST (parameters), LIST (names))

#endif
