/* Memory from the system: mmap, munmap, mremap. A mapping is a block like one
   of the heap; parts of it may be unmapped, so FREE says how much. */
#include "runtime/hooks/map.h"
#include "runtime/core/call.h"
#include "runtime/core/core.h"
#include "runtime/hooks/channel.h"
#include "runtime/hooks/hook.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>

OMEN_NEXT (void *, mmap, (void *, size_t, int, int, int, off_t));
OMEN_NEXT (int, munmap, (void *, size_t));
OMEN_NEXT (void *, shmat, (int, const void *, int));
OMEN_NEXT (void *, mremap, (void *, size_t, size_t, int, ...));

static bool any_shared, any_file;

static uint64_t
flags_of (int flags)
{
  uint64_t zero = flags & MAP_ANONYMOUS ? OMEN_ALLOC_ZERO : 0;
  uint64_t shared = flags & MAP_SHARED ? OMEN_ALLOC_SHARED : 0;
  return (zero | shared | OMEN_ALLOC_MAP) << 56;
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
stop_loops (void)
{
  if (__omen_loops)
    __atomic_store_n (&__omen_loops, 0, __ATOMIC_RELAXED);
}

static void
share (void)
{
  __atomic_store_n (&any_shared, true, __ATOMIC_RELAXED);
  stop_loops ();
}

bool
omen_map_is_shared (void)
{
  return __atomic_load_n (&any_shared, __ATOMIC_RELAXED);
}

/* -- What is mapped where ---------------------------------------------------

   Entries of MAPPINGS, from which the loader knows what has several addresses
   (recording/log/mappings.h). */

static void
add_entry (const omen_file_mapping *entry)
{
  omen_busy_begin ();
  omen_latch_take (&omen_tables_latch);
  if (omen_table_size (OMEN_TABLE_MAPPING) < OMEN_MAPPINGS_MAX * sizeof *entry)
    omen_table_add (OMEN_TABLE_MAPPING, entry, sizeof *entry);
  omen_latch_give (&omen_tables_latch);
  omen_busy_end ();
}

/* Memory without a file is no other's, until mremap gives it an address
   more. */
static void
add_shared_memory (const void *at, size_t length)
{
  static uint64_t made;
  add_entry (&(omen_file_mapping){
      .address = (uintptr_t)at,
      .length = whole_pages (length),
      .device = UINT64_MAX,
      .inode = __atomic_fetch_add (&made, 1, __ATOMIC_RELAXED),
      .kind = OMEN_MAPPING_SHARED });
}

static void
add_file (const void *at, size_t length, int flags, int fd, off_t offset)
{
  struct stat info;
  if (omen_call (SYS_fstat, fd, (long)&info, 0, 0, 0, 0))
    return;
  __atomic_store_n (&any_file, true, __ATOMIC_RELAXED);
  add_entry (&(omen_file_mapping){ .address = (uintptr_t)at,
                                   .length = whole_pages (length),
                                   .device = info.st_dev,
                                   .inode = info.st_ino,
                                   .offset = (uint64_t)offset,
                                   .kind = flags & MAP_SHARED
                                               ? OMEN_MAPPING_SHARED
                                               : OMEN_MAPPING_PRIVATE });
  omen_channel_mapped (info.st_dev, info.st_ino);
  if (flags & MAP_SHARED && omen_channel_is_shared ())
    omen_map_spread ();
}

static void
add_mapping (const void *at, size_t length, int flags, int fd, off_t offset)
{
  if (!(flags & MAP_ANONYMOUS))
    add_file (at, length, flags, fd, offset);
  else if (flags & MAP_SHARED)
    add_shared_memory (at, length);
}

static void
add_segment (const void *at, int id)
{
  struct shmid_ds info;
  if (omen_call (SYS_shmctl, id, IPC_STAT, (long)&info, 0, 0, 0))
    return;
  add_entry (&(omen_file_mapping){ .address = (uintptr_t)at,
                                   .length = whole_pages (info.shm_segsz),
                                   .device = UINT64_MAX - 1,
                                   .inode = (uint64_t)id,
                                   .kind = OMEN_MAPPING_SHARED });
}

/* The loader knows whether what was there is shared. */
static void
add_moved (const void *at, size_t length, const void *old)
{
  add_entry (&(omen_file_mapping){ .address = (uintptr_t)at,
                                   .length = whole_pages (length),
                                   .offset = (uintptr_t)old,
                                   .kind = OMEN_MAPPING_MOVED });
}

bool
omen_map_written (uint64_t device, uint64_t inode)
{
  if (!__atomic_load_n (&any_file, __ATOMIC_RELAXED))
    return false;
  stop_loops ();
  add_entry (&(omen_file_mapping){
      .device = device, .inode = inode, .kind = OMEN_MAPPING_WRITTEN });
  return true;
}

void
omen_map_spread (void)
{
  static bool reported;
  if (omen_map_is_shared ()
      && !__atomic_exchange_n (&reported, true, __ATOMIC_RELAXED))
    add_entry (&(omen_file_mapping){ .kind = OMEN_MAPPING_SPREAD });
}

/* -- The calls ------------------------------------------------------------ */

OMEN_EXPORT void *
mmap (void *hint, size_t length, int protection, int flags, int fd,
      off_t offset)
{
  if (flags & MAP_SHARED)
    share ();
  void *at = OMEN_REAL (mmap) (hint, length, protection, flags, fd, offset);
  if (at != MAP_FAILED && omen_enabled ()) {
    add_mapping (at, length, flags, fd, offset);
    omen_log_now (OMEN_ITEM_ALLOC, at, whole_pages (length) | flags_of (flags),
                  OMEN_PC);
  }
  return at;
}

OMEN_ALSO (mmap, mmap64);

OMEN_EXPORT void *
shmat (int id, const void *hint, int flags)
{
  share ();
  void *at = OMEN_REAL (shmat) (id, hint, flags);
  if (at != MAP_FAILED && omen_enabled ())
    add_segment (at, id);
  return at;
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

/* What has length 0 stays, and gets an address more. */
OMEN_EXPORT void *
mremap (void *old, size_t old_length, size_t length, int flags, ...)
{
  va_list args;
  va_start (args, flags);
  void *target = flags & MREMAP_FIXED ? va_arg (args, void *) : NULL;
  va_end (args);
  bool enabled = omen_enabled (), shared = omen_map_is_shared ();
  if (enabled && old_length)
    note_free (old, old_length, OMEN_PC);
  void *at = OMEN_REAL (mremap) (old, old_length, length, flags, target);
  if (!enabled)
    return at;
  bool failed = at == MAP_FAILED;
  if (!failed && shared)
    add_moved (at, length, old);
  if (!failed || old_length)
    omen_log_now (OMEN_ITEM_ALLOC, failed ? old : at,
                  whole_pages (failed ? old_length : length)
                      | flags_of (shared && !failed ? MAP_SHARED : 0),
                  OMEN_PC);
  return at;
}
