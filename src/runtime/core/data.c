/* The initial contents of woven modules' writable memory. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "wire/format.h"

#include <fcntl.h>
#include <link.h>

enum { PAGE = 4096, PIECE = 256 * PAGE };

/* Which pages were ever touched: reading an untouched one would allocate it.
   Untouched pages after the end of the file's bytes (`bss`) are zero. */
typedef struct omen_pagemap {
  int file; /* /proc/self/pagemap; negative: all pages count as touched */
  uintptr_t bss;
  uintptr_t first, count; /* page numbers that `words` covers */
  uint64_t words[512];
} omen_pagemap;

static bool
is_touched (omen_pagemap *map, uintptr_t at)
{
  uintptr_t page = at / PAGE;
  if (map->file < 0 || at < map->bss)
    return true;
  if (page - map->first >= map->count) {
    long got = omen_call (SYS_pread64, map->file, (long)map->words,
                          sizeof map->words, (long)(page * sizeof *map->words),
                          0, 0);
    map->first = page;
    map->count = got > 0 ? (uintptr_t)got / sizeof *map->words : 0;
    if (!map->count)
      return true;
  }
  return map->words[page - map->first] >> 62; /* in memory, or swapped out */
}

static bool
is_zero (omen_pagemap *map, const char *at, size_t size)
{
  if (!is_touched (map, (uintptr_t)at))
    return true;
  for (; size && (uintptr_t)at % sizeof (uint64_t); size--)
    if (*at++)
      return false;
  for (; size >= sizeof (uint64_t); at += sizeof (uint64_t)) {
    if (*(const uint64_t *)at)
      return false;
    size -= sizeof (uint64_t);
  }
  while (size--)
    if (*at++)
      return false;
  return true;
}

/* u64 address, varint length, varint stored, then `stored` bytes; the rest of
   `length` is 0. */
static void
write_entry (uint64_t *entries, const char *at, size_t length, size_t stored)
{
  uint8_t *entry = omen_pages (stored + 64), *p = entry;
  uint64_t address = (uintptr_t)at;
  if (!entry)
    return;
  __builtin_memcpy (p, &address, 8);
  p = omen_varint_put (p + 8, length);
  p = omen_varint_put (p, stored);
  omen_bytes_copy (p, at, stored);
  omen_file_chunk (OMEN_CHUNK_DATA, OMEN_NONE, (*entries)++, 1, entry,
                   (size_t)(p - entry) + stored);
  omen_pages_free (entry, stored + 64);
}

/* The end of the pages from `at` on that are all zero, or all not zero. */
static const char *
end_of_pages (omen_pagemap *map, const char *at, const char *end, bool zero)
{
  const char *start = at;
  while (at < end && (zero || at - start < PIECE)) {
    size_t size = PAGE - (uintptr_t)at % PAGE;
    if (size > (size_t)(end - at))
      size = (size_t)(end - at);
    if (is_zero (map, at, size) != zero)
      break;
    at += size;
  }
  return at;
}

/* Entries for stretches of non-zero pages, each with the zeros that follow
   it. */
static void
write_memory (uint64_t *entries, omen_pagemap *map, const char *at,
              const char *end)
{
  while (at < end) {
    const char *stored = end_of_pages (map, at, end, false);
    const char *next = end_of_pages (map, stored, end, true);
    write_entry (entries, at, (size_t)(next - at), (size_t)(stored - at));
    at = next;
  }
}

static int
write_module (struct dl_phdr_info *info, size_t size, void *entries)
{
  static omen_pagemap map;
  if (!omen_module_is_woven (info))
    return 0;
  map.count = 0;
  map.file = (int)omen_call (SYS_openat, AT_FDCWD, (long)"/proc/self/pagemap",
                             O_RDONLY | O_CLOEXEC, 0, 0, 0);
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *p = &info->dlpi_phdr[i];
    const char *at = (const char *)(info->dlpi_addr + p->p_vaddr);
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
      continue;
    map.bss = ((uintptr_t)at + p->p_filesz + PAGE - 1) / PAGE * PAGE;
    write_memory (entries, &map, at, at + p->p_memsz);
  }
  if (map.file >= 0)
    omen_call (SYS_close, map.file, 0, 0, 0, 0, 0);
  return 0;
}

static int
look_at (struct dl_phdr_info *info, size_t size, void *unused)
{
  return omen_rt_woven = omen_module_is_woven (info);
}

void
omen_data_write (void)
{
  uint64_t entries = 0;
  dl_iterate_phdr (look_at, NULL);
  if (omen_rt_options.sync_only || omen_rt_options.ring)
    return;
  omen_quiet_begin ();
  dl_iterate_phdr (write_module, &entries);
  omen_quiet_end ();
}
