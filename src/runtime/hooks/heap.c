/* The heap: malloc and its kin; new and delete (cxx.c) come here, too.

   A block gets its number after it was made and before it is freed, so that of
   two lives of an address the first ends before the second begins. What
   realloc moves is a new block with contents that are not known. */
#include "runtime/hooks/cxx.h"
#include "runtime/core/bytes.h"
#include "runtime/log/item.h"
#include "runtime/core/scratch.h"
#include "runtime/monitor/monitor.h"
#include "runtime/hooks/range.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

OMEN_NEXT (void *, malloc, (size_t));
OMEN_NEXT (void *, calloc, (size_t, size_t));
OMEN_NEXT (void *, realloc, (void *, size_t));
OMEN_NEXT (void, free, (void *));
OMEN_NEXT (void *, memalign, (size_t, size_t));
OMEN_NEXT (void *, aligned_alloc, (size_t, size_t));
OMEN_NEXT (int, posix_memalign, (void **, size_t, size_t));
OMEN_NEXT (void *, valloc, (size_t));
OMEN_NEXT (void *, pvalloc, (size_t));

/* -- The scratch allocator (scratch.h) ----------------------------------- */

OMEN_TLS omen_scratch_room *omen_scratch;

void *
omen_scratch_alloc (size_t size)
{
  omen_scratch_room *scratch = omen_scratch;
  size_t whole = (size + 15) & ~(size_t)15;
  if (size > sizeof scratch->room - scratch->used
      || whole > sizeof scratch->room - scratch->used)
    return NULL;
  void *block = scratch->room + scratch->used;
  scratch->used += whole;
  omen_bytes_zero (block, whole);
  return block;
}

/* The old block may overlap the new one's start, not more. */
static void *
scratch_more (const void *old, size_t size)
{
  uint8_t *scratch = omen_scratch_alloc (size);
  if (scratch && old) {
    size_t most = (size_t)(scratch - (const uint8_t *)old);
    omen_bytes_copy (scratch, old, size < most ? size : most);
  }
  return scratch;
}

/* -- Notes --------------------------------------------------------------- */

OMEN_TLS uint64_t omen_heap_caller;

OMEN_INLINE uint64_t
take_caller (uint64_t pc)
{
  uint64_t by = omen_heap_caller;
  if (OMEN_LIKELY (!by))
    return pc;
  omen_heap_caller = 0;
  return by;
}

OMEN_INLINE void
note_block (enum omen_item_kind kind, void *block, uint64_t arg, uint64_t pc)
{
  if (OMEN_LIKELY (omen_fast_path ()))
    omen_item_now (kind, block, arg, pc);
  else if (omen_enabled () || omen_rt_disabled & OMEN_DISABLED_AWAY)
    omen_log_now (kind, block, arg, pc);
}

/* Which thread allocates what the library keeps for all (the buffer of a
   stream, the time zone) depends on which comes first. The same holds for a
   runtime of OpenMP. */
OMEN_INLINE uint64_t
flags_of (uint64_t pc)
{
  return OMEN_UNLIKELY (omen_in_libc (pc)
                        || omen_rt_disabled & OMEN_DISABLED_AWAY)
             ? OMEN_ALLOC_LIBC
             : 0;
}

OMEN_INLINE void *
note_new (void *block, uint64_t size, uint64_t flags, uint64_t pc)
{
  pc = take_caller (pc);
  flags |= flags_of (pc);
  if (OMEN_UNLIKELY (omen_monitor_on))
    omen_monitor_made (block);
  if (block)
    note_block (OMEN_ITEM_ALLOC, block, size | flags << 56, pc);
  return block;
}

/* In a ring the record with its size may be lost. */
OMEN_INLINE uint64_t
old_size (void *block)
{
  return OMEN_UNLIKELY (omen_rt_options.ring) ? malloc_usable_size (block) : 0;
}

OMEN_INLINE void
note_free (void *block, uint64_t pc)
{
  pc = take_caller (pc);
  if (OMEN_UNLIKELY (omen_monitor_on))
    omen_monitor_freed (block, pc);
  if (block)
    note_block (OMEN_ITEM_FREE, block, old_size (block) | flags_of (pc) << 56,
                pc);
}

/* -- Blocks that are kept (replay.h) ---------------------------------------

   A replay that shows a use of memory that was freed has to show it of that
   memory, not of what the allocator has made of it. Up to a limit. */

enum { MOST_KEPT = 256 << 20 };
static size_t kept;

static void
give_back (void *block)
{
  if (OMEN_LIKELY (!omen_rt_keeps)
      || __atomic_add_fetch (&kept, malloc_usable_size (block),
                             __ATOMIC_RELAXED)
             > MOST_KEPT)
    OMEN_REAL (free) (block);
}

/* As realloc, if it moved the block. */
static void *
resize_kept (void *old, size_t size)
{
  void *block = OMEN_REAL (malloc) (size);
  size_t most = malloc_usable_size (old);
  if (block) {
    omen_bytes_copy (block, old, size < most ? size : most);
    give_back (old);
  }
  return block;
}

/* -- C ------------------------------------------------------------------- */

OMEN_EXPORT void *
malloc (size_t size)
{
  void *scratch
      = OMEN_UNLIKELY (omen_scratch) ? omen_scratch_alloc (size) : NULL;
  if (scratch)
    return scratch;
  return note_new (OMEN_REAL (malloc) (size), size, OMEN_ALLOC_RAW, OMEN_PC);
}

OMEN_EXPORT void *
calloc (size_t count, size_t size)
{
  size_t whole;
  void *scratch = OMEN_UNLIKELY (omen_scratch)
                          && !__builtin_mul_overflow (count, size, &whole)
                      ? omen_scratch_alloc (whole)
                      : NULL;
  if (scratch)
    return scratch;
  return note_new (OMEN_REAL (calloc) (count, size), count * size,
                   OMEN_ALLOC_ZERO, OMEN_PC);
}

OMEN_EXPORT void
free (void *block)
{
  if (OMEN_UNLIKELY (omen_is_scratch (block)))
    return;
  note_free (block, OMEN_PC);
  give_back (block);
  if (OMEN_UNLIKELY (omen_rt_replay) && omen_enabled ())
    omen_replay_after ();
}

/* If it fails the old block stays; its contents are read anew. */
static void *
resize (void *old, size_t size, uint64_t pc)
{
  note_free (old, pc);
  void *block = OMEN_UNLIKELY (omen_rt_keeps) && old && size
                    ? resize_kept (old, size)
                    : OMEN_REAL (realloc) (old, size);
  if (!block && old && size)
    note_new (old, malloc_usable_size (old), 0, pc);
  return note_new (block, size, 0, pc);
}

OMEN_EXPORT void *
realloc (void *old, size_t size)
{
  if (OMEN_UNLIKELY (omen_scratch) && (!old || omen_is_scratch (old)))
    return scratch_more (old, size);
  return resize (old, size, OMEN_PC);
}

OMEN_EXPORT void *
reallocarray (void *old, size_t count, size_t size)
{
  size_t whole;
  if (__builtin_mul_overflow (count, size, &whole)) {
    errno = ENOMEM;
    return NULL;
  }
  return resize (old, whole, OMEN_PC);
}

OMEN_EXPORT void *
memalign (size_t alignment, size_t size)
{
  return note_new (OMEN_REAL (memalign) (alignment, size), size, OMEN_ALLOC_RAW,
                   OMEN_PC);
}

OMEN_EXPORT void *
aligned_alloc (size_t alignment, size_t size)
{
  return note_new (OMEN_REAL (aligned_alloc) (alignment, size), size,
                   OMEN_ALLOC_RAW, OMEN_PC);
}

OMEN_EXPORT int
posix_memalign (void **block, size_t alignment, size_t size)
{
  int result = OMEN_REAL (posix_memalign) (block, alignment, size);
  if (!result) {
    note_new (*block, size, OMEN_ALLOC_RAW, OMEN_PC);
    omen_wrote (block, sizeof *block, OMEN_PC);
  }
  return result;
}

OMEN_EXPORT void *
valloc (size_t size)
{
  return note_new (OMEN_REAL (valloc) (size), size, OMEN_ALLOC_RAW, OMEN_PC);
}

OMEN_EXPORT void *
pvalloc (size_t size)
{
  return note_new (OMEN_REAL (pvalloc) (size), size, OMEN_ALLOC_RAW, OMEN_PC);
}

/* -- AddressSanitizer ---------------------------------------------------------

   It has a heap of its own, and reports allocations and frees to hooks. */

extern int __sanitizer_install_malloc_and_free_hooks (
    void (*made) (const volatile void *, size_t),
    void (*freed) (const volatile void *)) __attribute__ ((weak));
extern void __asan_init (void) __attribute__ ((weak));

static void
sanitizer_made (const volatile void *block, size_t size)
{
  note_new ((void *)block, size, 0, 0);
}

static void
sanitizer_frees (const volatile void *block)
{
  note_free ((void *)block, 0);
}

void
omen_heap_start (void)
{
  if (__asan_init && __sanitizer_install_malloc_and_free_hooks)
    __sanitizer_install_malloc_and_free_hooks (sanitizer_made, sanitizer_frees);
}
