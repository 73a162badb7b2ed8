/* The rest of libc and libm that writes through pointers, as far as programs
   use it: numbers from text, times, queries of the system. */
#define OMEN_INTERPOSES
#include "runtime/core/serve.h"
#include "runtime/hooks/libc.h"

#include <dirent.h>
#include <math.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* `to` may be NULL. */
static void
filled (const void *to, size_t size, uint64_t pc)
{
  if (to)
    omen_wrote (to, size, pc);
}

/* AddressSanitizer reads the clock for its own purposes; calls by the program
   reach it through an interceptor. */
extern void __asan_init (void) __attribute__ ((weak));
extern void __interceptor_clock_gettime (void) __attribute__ ((weak));

static bool
asks_for_program (uint64_t pc)
{
  enum { MOST_CODE = 4096 };
  return !__asan_init || !__interceptor_clock_gettime
         || pc - (uintptr_t)&__interceptor_clock_gettime < MOST_CODE;
}

/* What a clock says. */
static void
gave_time (const void *to, size_t size, uint64_t pc)
{
  filled (to, size, pc);
  omen_serve_clock (to);
}

/* Under a schedule the program's clocks are not the machine's. */
static void
gave_timespec (clockid_t clock, struct timespec *to, uint64_t pc)
{
  if (to)
    omen_sched_clock (clock, to);
  gave_time (to, sizeof *to, pc);
}

static void
gave_timeval (struct timeval *to, uint64_t pc)
{
  if (to) {
    struct timespec time = { to->tv_sec, to->tv_usec * 1000 };
    omen_sched_clock (CLOCK_REALTIME, &time);
    *to = (struct timeval){ time.tv_sec, time.tv_nsec / 1000 };
  }
  gave_time (to, sizeof *to, pc);
}

/* -- Numbers ------------------------------------------------------------- */

static void
parsed (const char *text, char *stop, char **end, uint64_t pc)
{
  omen_read (text, (size_t)(stop - text) + 1, pc);
  if (end) {
    *end = stop;
    omen_wrote (end, sizeof *end, pc);
  }
}

#define NUMBER(type, name)                                                     \
  OMEN_NEXT (type, name, (const char *, char **));                             \
  OMEN_EXPORT type name (const char *text, char **end)                         \
  {                                                                            \
    char *stop;                                                                \
    if (!omen_watching ())                                                     \
      return OMEN_REAL (name) (text, end);                                     \
    omen_watch_point ();                                                       \
    type result = OMEN_REAL (name) (text, &stop);                              \
    parsed (text, stop, end, OMEN_PC);                                         \
    return result;                                                             \
  }

#define NUMBER_OF_BASE(type, name)                                             \
  OMEN_NEXT (type, name, (const char *, char **, int));                        \
  OMEN_EXPORT type name (const char *text, char **end, int base)               \
  {                                                                            \
    char *stop = (char *)text; /* not set if there is no such base */          \
    if (!omen_watching ())                                                     \
      return OMEN_REAL (name) (text, end, base);                               \
    omen_watch_point ();                                                       \
    type result = OMEN_REAL (name) (text, &stop, base);                        \
    parsed (text, stop, end, OMEN_PC);                                         \
    return result;                                                             \
  }

NUMBER (double, strtod)
NUMBER (float, strtof)
NUMBER (long double, strtold)
NUMBER_OF_BASE (long, strtol)
NUMBER_OF_BASE (unsigned long, strtoul)
NUMBER_OF_BASE (long long, strtoll)
NUMBER_OF_BASE (unsigned long long, strtoull)

#define SIMPLE_NUMBER(type, name)                                              \
  OMEN_LIBC (type, name, (const char *text), (text),                           \
             omen_read_text (text, SIZE_MAX, pc), )

SIMPLE_NUMBER (int, atoi)
SIMPLE_NUMBER (long, atol)
SIMPLE_NUMBER (long long, atoll)
SIMPLE_NUMBER (double, atof)

OMEN_LIBC (int, rand_r, (unsigned *seed), (seed),
           omen_read (seed, sizeof *seed, pc),
           omen_wrote (seed, sizeof *seed, pc))
OMEN_LIBC (double, modf, (double x, double *whole), (x, whole), ,
           filled (whole, sizeof *whole, pc))
OMEN_LIBC (float, modff, (float x, float *whole), (x, whole), ,
           filled (whole, sizeof *whole, pc))
OMEN_LIBC (double, frexp, (double x, int *exponent), (x, exponent), ,
           filled (exponent, sizeof *exponent, pc))
OMEN_LIBC (float, frexpf, (float x, int *exponent), (x, exponent), ,
           filled (exponent, sizeof *exponent, pc))

/* -- Time ---------------------------------------------------------------- */

OMEN_LIBC (int, clock_gettime, (clockid_t clock, struct timespec *to),
           (clock, to), ,
           if (asks_for_program (pc)) gave_timespec (clock, to, pc))

static void
gave_seconds (time_t *seconds, time_t *to, uint64_t pc)
{
  struct timespec time = { *seconds, 0 };
  if (omen_rt_scheduled) {
    OMEN_REAL (clock_gettime) (CLOCK_REALTIME, &time);
    omen_sched_clock (CLOCK_REALTIME, &time);
  }
  *seconds = time.tv_sec;
  if (to)
    *to = *seconds;
  gave_time (to, sizeof *to, pc);
}

OMEN_LIBC (time_t, time, (time_t *to), (to), , gave_seconds (&result, to, pc))
OMEN_LIBC (int, clock_getres, (clockid_t clock, struct timespec *to),
           (clock, to), , filled (to, sizeof *to, pc))
OMEN_LIBC (int, timespec_get, (struct timespec * to, int base), (to, base), ,
           gave_timespec (CLOCK_REALTIME, to, pc))
OMEN_LIBC (int, gettimeofday, (struct timeval * to, void *zone), (to, zone), ,
           gave_timeval (to, pc))
OMEN_LIBC (clock_t, times, (struct tms * to), (to), ,
           gave_time (to, sizeof *to, pc))
OMEN_LIBC (struct tm *, localtime_r, (const time_t *at, struct tm *to),
           (at, to), omen_read (at, sizeof *at, pc),
           filled (result, sizeof *to, pc))
OMEN_LIBC (struct tm *, gmtime_r, (const time_t *at, struct tm *to), (at, to),
           omen_read (at, sizeof *at, pc), filled (result, sizeof *to, pc))
OMEN_LIBC (struct tm *, localtime, (const time_t *at), (at),
           omen_read (at, sizeof *at, pc),
           filled (result, sizeof (struct tm), pc))
OMEN_LIBC (struct tm *, gmtime, (const time_t *at), (at),
           omen_read (at, sizeof *at, pc),
           filled (result, sizeof (struct tm), pc))
OMEN_LIBC (time_t, mktime, (struct tm * at), (at),
           omen_read (at, sizeof *at, pc), filled (at, sizeof *at, pc))
OMEN_LIBC (time_t, timegm, (struct tm * at), (at),
           omen_read (at, sizeof *at, pc), filled (at, sizeof *at, pc))
OMEN_LIBC (char *, ctime_r, (const time_t *at, char *to), (at, to),
           omen_read (at, sizeof *at, pc), if (result) omen_wrote_text (to, pc))
OMEN_LIBC (char *, asctime_r, (const struct tm *at, char *to), (at, to),
           omen_read (at, sizeof *at, pc), if (result) omen_wrote_text (to, pc))
OMEN_LIBC (size_t, strftime,
           (char *to, size_t size, const char *format, const struct tm *at),
           (to, size, format, at),
           (omen_read_text (format, SIZE_MAX, pc),
            omen_read (at, sizeof *at, pc)),
           if (result) omen_wrote (to, result + 1, pc))
OMEN_LIBC (clock_t, clock, (void), (), , omen_serve_clock (NULL))

/* -- Queries of the system ----------------------------------------------- */

OMEN_LIBC (int, stat, (const char *path, struct stat *to), (path, to),
           omen_read_text (path, SIZE_MAX, pc),
           if (!result) omen_wrote (to, sizeof *to, pc))
OMEN_LIBC (int, lstat, (const char *path, struct stat *to), (path, to),
           omen_read_text (path, SIZE_MAX, pc),
           if (!result) omen_wrote (to, sizeof *to, pc))
OMEN_LIBC (int, fstat, (int fd, struct stat *to), (fd, to), ,
           if (!result) omen_wrote (to, sizeof *to, pc))
OMEN_LIBC (int, fstatat, (int fd, const char *path, struct stat *to, int how),
           (fd, path, to, how), omen_read_text (path, SIZE_MAX, pc),
           if (!result) omen_wrote (to, sizeof *to, pc))
OMEN_ALSO (stat, stat64);
OMEN_ALSO (lstat, lstat64);
OMEN_ALSO (fstat, fstat64);
OMEN_ALSO (fstatat, fstatat64);
OMEN_LIBC (char *, getcwd, (char *to, size_t size), (to, size), ,
           if (result) omen_wrote_text (result, pc))
OMEN_LIBC (char *, realpath, (const char *path, char *to), (path, to),
           omen_read_text (path, SIZE_MAX, pc),
           if (result) omen_wrote_text (result, pc))
OMEN_LIBC (ssize_t, readlink, (const char *path, char *to, size_t size),
           (path, to, size), omen_read_text (path, SIZE_MAX, pc),
           if (result > 0) omen_wrote (to, (size_t)result, pc))
OMEN_LIBC (int, gethostname, (char *to, size_t size), (to, size), ,
           if (!result) omen_wrote_text (to, pc))
OMEN_LIBC (int, uname, (struct utsname * to), (to), ,
           if (!result) omen_wrote (to, sizeof *to, pc))
OMEN_LIBC (int, getrusage, (__rusage_who_t who, struct rusage *to), (who, to), ,
           if (!result) omen_wrote (to, sizeof *to, pc))
OMEN_LIBC (int, getrlimit, (__rlimit_resource_t what, struct rlimit *to),
           (what, to), , if (!result) omen_wrote (to, sizeof *to, pc))
OMEN_LIBC_BLOCKS (ssize_t, getrandom, (void *to, size_t size, unsigned how),
                  (to, size, how), , omen_serve_depends (OMEN_SERVED_RANDOM);
                  if (result > 0) omen_wrote (to, (size_t)result, pc))
OMEN_LIBC (int, getentropy, (void *to, size_t size), (to, size),
           omen_serve_depends (OMEN_SERVED_RANDOM),
           if (!result) omen_wrote (to, size, pc))
OMEN_LIBC (uint32_t, arc4random, (void), (),
           omen_serve_depends (OMEN_SERVED_RANDOM), )
OMEN_LIBC (uint32_t, arc4random_uniform, (uint32_t limit), (limit),
           omen_serve_depends (OMEN_SERVED_RANDOM), )
OMEN_LIBC (pid_t, getpid, (void), (), omen_serve_depends (OMEN_SERVED_IDS), )
OMEN_LIBC (pid_t, getppid, (void), (), omen_serve_depends (OMEN_SERVED_IDS), )
OMEN_LIBC (pid_t, gettid, (void), (), omen_serve_depends (OMEN_SERVED_IDS), )
OMEN_LIBC (struct dirent *, readdir, (DIR * folder), (folder), ,
           filled (result, result ? result->d_reclen : 0, pc))
OMEN_ALSO (getrlimit, getrlimit64);
OMEN_ALSO (readdir, readdir64);
OMEN_LIBC (
    int, getsockopt, (int fd, int level, int name, void *to, socklen_t *size),
    (fd, level, name, to, size), , if (!result) {
      omen_wrote (size, sizeof *size, pc);
      omen_wrote (to, *size, pc);
    })

/* The list that it makes is in new blocks, of unknown contents. */
OMEN_LIBC_BLOCKS (int, getaddrinfo,
                  (const char *host, const char *service,
                   const struct addrinfo *hints, struct addrinfo **to),
                  (host, service, hints, to), ,
                  if (!result) omen_wrote (to, sizeof *to, pc))
