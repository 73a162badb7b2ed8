/* Functions of libc with hidden state: trees and tables of search.h, random
   numbers, the environment. Calls of a family keep their order: a call that
   changes the state comes after all earlier calls, one that only reads it after
   those that changed it.

   A call logs HAPPENS_BEFORE first and HAPPENS_AFTER when it returns: where the
   order of two calls is not known otherwise, libc's own locks create it in
   between. What the call does meanwhile (comparisons by the program) is logged
   after what came before it. */
#include "runtime/hooks/libc.h"

#include <search.h>
#include <stdlib.h>

typedef struct family {
  char changed, read; /* sync objects: only the addresses matter */
} family;

static family trees, table, numbers, environment;

static void
come_after (const family *f, bool changes, uint64_t pc)
{
  omen_log_now (OMEN_ITEM_HAPPENS_AFTER, &f->changed, 0, pc);
  if (changes)
    omen_log_now (OMEN_ITEM_HAPPENS_AFTER, &f->read, 0, pc);
}

static void
begin_use (const family *f, bool changes, uint64_t pc)
{
  come_after (f, changes, pc);
  omen_log_now (OMEN_ITEM_HAPPENS_BEFORE, changes ? &f->changed : &f->read, 0,
                pc);
}

#define REMEMBERS(family, changes, type, name, parameters, arguments)          \
  OMEN_LIBC (type, name, parameters, arguments,                                \
             begin_use (&family, changes, pc),                                 \
             come_after (&family, changes, pc))

/* The same for one without a result. */
#define REMEMBERS_ALL(family, changes, name, parameters, arguments)            \
  OMEN_NEXT (void, name, parameters);                                          \
  OMEN_EXPORT void name parameters;                                            \
  void name parameters                                                         \
  {                                                                            \
    if (!omen_watching ()) {                                                   \
      OMEN_REAL (name) arguments;                                              \
      return;                                                                  \
    }                                                                          \
    omen_watch_point ();                                                       \
    begin_use (&family, changes, OMEN_PC);                                     \
    OMEN_REAL (name) arguments;                                                \
    come_after (&family, changes, OMEN_PC);                                    \
  }

/* -- search.h ------------------------------------------------------------ */

REMEMBERS (trees, true, void *, tsearch,
           (const void *key, void **root, __compar_fn_t compare),
           (key, root, compare))
REMEMBERS (trees, false, void *, tfind,
           (const void *key, void *const *root, __compar_fn_t compare),
           (key, root, compare))
REMEMBERS (trees, true, void *, tdelete,
           (const void *key, void **root, __compar_fn_t compare),
           (key, root, compare))
REMEMBERS_ALL (trees, false, twalk, (const void *root, __action_fn_t action),
               (root, action))
REMEMBERS_ALL (trees, true, tdestroy, (void *root, __free_fn_t give_back),
               (root, give_back))
REMEMBERS (table, true, int, hcreate, (size_t size), (size))
REMEMBERS (table, true, ENTRY *, hsearch, (ENTRY entry, ACTION action),
           (entry, action))
REMEMBERS_ALL (table, true, hdestroy, (void), ())

/* -- random numbers ------------------------------------------------------ */

REMEMBERS (numbers, true, int, rand, (void), ())
REMEMBERS (numbers, true, long, random, (void), ())
REMEMBERS (numbers, true, double, drand48, (void), ())
REMEMBERS (numbers, true, long, lrand48, (void), ())
REMEMBERS (numbers, true, long, mrand48, (void), ())
REMEMBERS_ALL (numbers, true, srand, (unsigned seed), (seed))
REMEMBERS_ALL (numbers, true, srandom, (unsigned seed), (seed))
REMEMBERS_ALL (numbers, true, srand48, (long seed), (seed))

/* -- the environment ----------------------------------------------------- */

REMEMBERS (environment, false, char *, getenv, (const char *name), (name))
REMEMBERS (environment, true, int, setenv,
           (const char *name, const char *value, int replace),
           (name, value, replace))
REMEMBERS (environment, true, int, putenv, (char *text), (text))
REMEMBERS (environment, true, int, unsetenv, (const char *name), (name))
REMEMBERS (environment, true, int, clearenv, (void), ())
