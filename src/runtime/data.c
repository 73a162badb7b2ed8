/* What the memory of woven modules held when the recording began. */
#include "runtime/core.h"
#include "runtime/bytes.h"
#include "trace/format.h"

#include <link.h>

enum { PAGE = 4096, PIECE = 256 * PAGE };

/* Linked with this library? Then woven code may be in it. */
static bool
is_woven (const struct dl_phdr_info *info)
{
  static const char name[] = "libomen-rt.so";
  const ElfW (Dyn) *dynamic = NULL;
  const char *strings = NULL;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (const ElfW (Dyn) *d = dynamic; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB)
      strings = (const char *)d->d_un.d_ptr;
  if (!strings)
    return false;
  if ((uintptr_t)strings < info->dlpi_addr)
    strings += info->dlpi_addr;
  for (const ElfW (Dyn) *d = dynamic; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_NEEDED
        && omen_bytes_length (strings + d->d_un.d_val) >= sizeof name - 1
        && omen_bytes_equal (strings + d->d_un.d_val, name, sizeof name - 1))
      return true;
  return false;
}

static bool
is_zero (const char *at, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (at[i])
      return false;
  return true;
}

/* u64 address, varint length, varint stored, bytes: the rest is 0. */
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

/* Runs of pages that hold something, each with the zeros after it. */
static void
write_memory (uint64_t *entries, const char *at, const char *end)
{
  while (at < end) {
    const char *stored = at, *next;
    while (stored < end && stored - at < PIECE) {
      size_t rest = (size_t)(end - stored);
      size_t size = PAGE - (uintptr_t)stored % PAGE;
      size = size < rest ? size : rest;
      if (is_zero (stored, size))
        break;
      stored += size;
    }
    for (next = stored; next < end;) {
      size_t rest = (size_t)(end - next);
      size_t size = PAGE - (uintptr_t)next % PAGE;
      size = size < rest ? size : rest;
      if (!is_zero (next, size))
        break;
      next += size;
    }
    write_entry (entries, at, (size_t)(next - at), (size_t)(stored - at));
    at = next;
  }
}

static int
write_module (struct dl_phdr_info *info, size_t size, void *entries)
{
  if (!is_woven (info))
    return 0;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *p = &info->dlpi_phdr[i];
    const char *at = (const char *)(info->dlpi_addr + p->p_vaddr);
    if (p->p_type == PT_LOAD && p->p_flags & PF_W)
      write_memory (entries, at, at + p->p_memsz);
  }
  return 0;
}

void
omen_data_write (void)
{
  uint64_t entries = 0;
  if (omen_rt_options.sync_only || omen_rt_options.ring)
    return;
  omen_quiet_begin ();
  dl_iterate_phdr (write_module, &entries);
  omen_quiet_end ();
}
