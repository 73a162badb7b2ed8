/* Streams of <stdio.h> as locks: flockfile and its kin. What printf and such do
   with the lock within themselves is not noted. */
#include "runtime/hooks/hook.h"
#include "runtime/hooks/sync_lock.h"

#include <stdio.h>

OMEN_NEXT (void, flockfile, (FILE *));
OMEN_NEXT (int, ftrylockfile, (FILE *));
OMEN_NEXT (void, funlockfile, (FILE *));

static int
stream_attempt (void *file)
{
  return OMEN_REAL (ftrylockfile) (file) ? EBUSY : 0;
}

static int
stream_block (void *file, omen_until until)
{
  (void)until;
  OMEN_REAL (flockfile) (file);
  return 0;
}

static bool
stream_refuses (const void *file)
{
  (void)file;
  return false;
}

static bool
stream_is_ours (const void *file)
{
  (void)file;
  return true;
}

static enum omen_item_kind
stream_failed (const void *file)
{
  (void)file;
  return OMEN_ITEM_TRY_FAIL;
}

static int
give_stream (void *file)
{
  OMEN_REAL (funlockfile) (file);
  return 0;
}

static const omen_lock_family streams
    = { stream_attempt,    stream_block,   stream_refuses, stream_failed,
        OMEN_ITEM_ACQUIRE, stream_is_ours, false };

OMEN_EXPORT void
flockfile (FILE *file)
{
  if (omen_enabled ())
    omen_lock_take (&streams, file, (omen_until){ NULL, 0 },
                    OMEN_LOCK_RECURSIVE, OMEN_PC);
  else
    OMEN_REAL (flockfile) (file);
}

OMEN_EXPORT int
ftrylockfile (FILE *file)
{
  if (!omen_enabled ())
    return OMEN_REAL (ftrylockfile) (file);
  return omen_lock_try (&streams, file, OMEN_LOCK_RECURSIVE, OMEN_PC) ? -1 : 0;
}

OMEN_EXPORT void
funlockfile (FILE *file)
{
  if (omen_enabled ())
    omen_lock_give (OMEN_ITEM_RELEASE, file, give_stream, false,
                    OMEN_LOCK_RECURSIVE, OMEN_PC);
  else
    OMEN_REAL (funlockfile) (file);
}
