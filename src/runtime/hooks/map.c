/* Memory from the system: mmap, munmap, mremap. A mapping is a block like one
   of the heap; parts of it may be unmapped, so FREE says how much. */
#include "runtime/hooks/map.h"
#include "runtime/hooks/hook.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>

OMEN_NEXT (void *, mmap, (void *, size_t, int, int, int, off_t));
OMEN_NEXT (int, munmap, (void *, size_t));
OMEN_NEXT (void *, shmat, (int, const void *, int));
OMEN_NEXT (void *, mremap, (void *, size_t, size_t, int, ...));

static bool any_shared;

static uint64_t
flags_of (int flags)
{
  uint64_t zero = flags & MAP_ANONYMOUS ? OMEN_ALLOC_ZERO : 0;
  return (zero | OMEN_ALLOC_MAP) << 56;
}

static uint64_t
whole_pages (size_t length)
{
  return (length + 4095) & ~(size_t)4095;
}

static void
note_free (void *at, size_t length, uint64_t pc)
{
  omen_log_now (OMEN_ITEM_FREE, at,
                whole_pages (length) | (uint64_t)OMEN_ALLOC_MAP << 56, pc);
}

/* What is written there through another mapping, by pwrite or by another
   process shows only in the values of loads: so all of them are logged from now
   on. */
static void
share (void)
{
  __atomic_store_n (&any_shared, true, __ATOMIC_RELAXED);
  if (__omen_loops)
    __atomic_store_n (&__omen_loops, 0, __ATOMIC_RELAXED);
}

bool
omen_map_is_shared (void)
{
  return __atomic_load_n (&any_shared, __ATOMIC_RELAXED);
}

OMEN_EXPORT void *
mmap (void *hint, size_t length, int protection, int flags, int fd,
      off_t offset)
{
  if (flags & MAP_SHARED)
    share ();
  void *at = OMEN_REAL (mmap) (hint, length, protection, flags, fd, offset);
  if (at != MAP_FAILED && omen_enabled ())
    omen_log_now (OMEN_ITEM_ALLOC, at, whole_pages (length) | flags_of (flags),
                  OMEN_PC);
  return at;
}

OMEN_ALSO (mmap, mmap64);

OMEN_EXPORT void *
shmat (int id, const void *hint, int flags)
{
  share ();
  return OMEN_REAL (shmat) (id, hint, flags);
}

/* If it fails nothing was unmapped, and the block begins anew with unknown
   contents. */
OMEN_EXPORT int
munmap (void *at, size_t length)
{
  if (!omen_enabled ())
    return OMEN_REAL (munmap) (at, length);
  note_free (at, length, OMEN_PC);
  int result = OMEN_REAL (munmap) (at, length);
  if (result)
    omen_log_now (OMEN_ITEM_ALLOC, at, whole_pages (length) | flags_of (0),
                  OMEN_PC);
  omen_replay_after ();
  return result;
}

OMEN_EXPORT void *
mremap (void *old, size_t old_length, size_t length, int flags, ...)
{
  va_list args;
  va_start (args, flags);
  void *target = flags & MREMAP_FIXED ? va_arg (args, void *) : NULL;
  va_end (args);
  bool enabled = omen_enabled ();
  if (enabled)
    note_free (old, old_length, OMEN_PC);
  void *at = OMEN_REAL (mremap) (old, old_length, length, flags, target);
  if (!enabled)
    return at;
  bool failed = at == MAP_FAILED;
  omen_log_now (OMEN_ITEM_ALLOC, failed ? old : at,
                whole_pages (failed ? old_length : length) | flags_of (0),
                OMEN_PC);
  return at;
}
