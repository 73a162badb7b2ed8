/* dlopen and dlclose. Constructors and destructors of a library run in the
   thread that loads or unloads it; others who load it come after that. Before
   it is unloaded what refers to its sites is written, while they are there. */
#include "runtime/core/core.h"
#include "runtime/hooks/hook.h"

#include <dlfcn.h>
#include <time.h>

OMEN_NEXT (void *, dlopen, (const char *, int));
OMEN_NEXT (int, dlclose, (void *));

static char libraries; /* an object: only its address matters */

static void
note_unload (enum omen_item_kind kind, uint64_t pc)
{
  if (omen_enabled ())
    omen_log_now (kind, &libraries, 0, pc);
}

/* A name without a slash is looked for where the caller's module says, and '$'
   stands for where that is: libc has to see who calls. */
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

static uint32_t loading; /* calls that have not yet said they are through */
static OMEN_TLS uint32_t mine; /* of this thread */

/* Who loaded the library may be through with it, and not have said so. There is
   no way to tell that from one who is still at it, so nobody waits for long. */
static void
let_others_say (void)
{
  enum { TIMES = 500 };
  const struct timespec moment = { 0, 200000 };
  for (unsigned i = 0; i < TIMES && !omen_rt_scheduled && !mine
                       && __atomic_load_n (&loading, __ATOMIC_ACQUIRE);
       i++)
    omen_call (SYS_nanosleep, (long)&moment, 0, 0, 0, 0, 0);
}

static void *
load (const char *name, int flags, uint64_t pc)
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

/* Where libc has to see the caller, this is a jump. */
OMEN_EXPORT void *
dlopen (const char *name, int flags)
{
  if (depends_on_caller (name) || !omen_enabled ())
    return OMEN_REAL (dlopen) (name, flags);
  return load (name, flags, OMEN_PC);
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
