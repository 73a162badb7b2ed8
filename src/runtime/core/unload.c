/* dlopen and dlclose. Constructors and destructors of a library run in the
   thread that loads or unloads it; later loads of it are ordered after that.
   Before it is unloaded, the records that refer to its sites are written. */
#include "runtime/core/core.h"
#include "runtime/hooks/hook.h"

#include <dlfcn.h>
#include <time.h>

OMEN_NEXT (void *, dlopen, (const char *, int));
OMEN_NEXT (int, dlclose, (void *));

static char libraries; /* an object of which only the address matters */

static void
note_unload (enum omen_item_kind kind, uint64_t pc)
{
  if (omen_enabled ())
    omen_log_now (kind, &libraries, 0, pc);
}

/* A name without a slash is searched for as the caller's module says, and '$'
   stands for that module's folder: libc has to see the real
   caller. */
static bool
depends_on_caller (const char *name)
{
  bool slash = !name;
  for (; name && *name; name++) {
    if (*name == '$')
      return true;
    slash |= *name == '/';
  }
  return !slash;
}

static uint32_t loading;       /* loads that have not returned yet */
static OMEN_TLS uint32_t mine; /* of this thread */

/* The thread that loaded the library may have finished without having logged
   it. It cannot be told apart from one that is still loading, so the wait is
   bounded. */
static void
let_others_say (void)
{
  enum { TIMES = 500 };
  const struct timespec pause = { 0, 200000 };
  for (unsigned i = 0; i < TIMES && !omen_rt_scheduled && !mine
                       && __atomic_load_n (&loading, __ATOMIC_ACQUIRE);
       i++)
    omen_call (SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
}

static void *
open_library (const char *name, int flags, uint64_t pc)
{
  void *handle;
  __atomic_fetch_add (&loading, 1, __ATOMIC_ACQ_REL);
  mine++;
  handle = OMEN_REAL (dlopen) (name, flags);
  mine--;
  note_unload (OMEN_ITEM_HAPPENS_BEFORE, pc);
  __atomic_fetch_sub (&loading, 1, __ATOMIC_ACQ_REL);
  let_others_say ();
  note_unload (OMEN_ITEM_HAPPENS_AFTER, pc);
  return handle;
}

/* A jump, where libc has to see the caller. */
OMEN_EXPORT void *
dlopen (const char *name, int flags)
{
  if (depends_on_caller (name) || !omen_enabled ())
    return OMEN_REAL (dlopen) (name, flags);
  return open_library (name, flags, OMEN_PC);
}

OMEN_EXPORT int
dlclose (void *handle)
{
  if (omen_enabled ()) {
    omen_modules_find ();
    omen_log_flush_all ();
  }
  note_unload (OMEN_ITEM_HAPPENS_AFTER, OMEN_PC);
  note_unload (OMEN_ITEM_HAPPENS_BEFORE, OMEN_PC);
  return OMEN_REAL (dlclose) (handle);
}
