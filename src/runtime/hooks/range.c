/* Copies and fills of woven code, and accesses of libc to the program's
   memory. */
#include "runtime/hooks/range.h"

#include "runtime/core/bytes.h"
#include "runtime/log/safepoint.h"

#include <string.h>

/* What to report as the place: a site of woven code or a pc in it. */
typedef struct doer {
  omen_site *site;
  uint64_t pc;
  bool from, to; /* which sides are noted */
} doer;

static void
note_range (enum omen_item_kind kind, const void *at, const void *bytes,
            size_t size, const doer *by)
{
  omen_log_range (kind, at, bytes, size, by->pc, by->site);
}

/* The bytes read go through the log's copy into the destination: piece by
   piece, from the end if the ranges overlap that way. If nothing can come
   between the read and the write they are one record. */
static void
copy_piece (char *to, const char *from, size_t size, const doer *by)
{
  char piece[OMEN_RANGE_PIECE];
  omen_bytes_copy_short (piece, from, size);
  bool both = by->from && by->to && !omen_common_log && !omen_rt_replay;
  if (by->from && !both)
    note_range (OMEN_ITEM_RANGE_READ, from, piece, size, by);
  omen_bytes_copy_short (to, piece, size);
  if (both)
    omen_log_copy (to, from, piece, size, by->pc, by->site);
  else if (by->to)
    note_range (OMEN_ITEM_RANGE_WRITE, to, piece, size, by);
}

static size_t
piece_of (size_t left)
{
  return left < OMEN_RANGE_PIECE ? left : OMEN_RANGE_PIECE;
}

static void
copy_range (void *to, const void *from, size_t size, const doer *by)
{
  size_t done = 0, piece;
  bool backwards = (uintptr_t)to - (uintptr_t)from < size;
  for (; done < size; done += piece) {
    piece = piece_of (size - done);
    size_t at = backwards ? size - done - piece : done;
    copy_piece ((char *)to + at, (const char *)from + at, piece, by);
  }
}

static void
woven_copy (void *to, const void *from, uint64_t size, omen_site *site,
            uint32_t what)
{
  doer by = { .site = site,
              .from = what & OMEN_ABI_FROM,
              .to = what & OMEN_ABI_TO };
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_RANGE_READ, from);
  copy_range (to, from, size, &by);
  omen_safepoint_soon ();
}

void
__omen_memcpy (void *to, const void *from, uint64_t size, omen_site *site,
               uint32_t what)
{
  if (omen_watching ())
    woven_copy (to, from, size, site, what);
  else
    __builtin_memcpy (to, from, size);
}

void
__omen_memmove (void *to, const void *from, uint64_t size, omen_site *site,
                uint32_t what)
{
  if (omen_watching ())
    woven_copy (to, from, size, site, what);
  else
    __builtin_memmove (to, from, size);
}

void
__omen_memset (void *to, uint32_t byte, uint64_t size, omen_site *site)
{
  char piece[OMEN_RANGE_PIECE];
  doer by = { .site = site };
  bool enabled = omen_watching ();
  if (enabled && omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_RANGE_WRITE, to);
  __builtin_memset (to, (int)byte, size);
  if (!enabled)
    return;
  __builtin_memset (piece, (int)byte, piece_of (size));
  for (size_t done = 0; done < size; done += OMEN_RANGE_PIECE)
    note_range (OMEN_ITEM_RANGE_WRITE, (char *)to + done, piece,
                piece_of (size - done), &by);
  omen_safepoint_soon ();
}

/* -- libc ---------------------------------------------------------------- */

/* AddressSanitizer's own memory, which it fills by calls of libc. */
static struct own {
  uintptr_t from, size;
} sanitizers;

extern void __asan_get_shadow_mapping (size_t *scale, size_t *offset)
    __attribute__ ((weak));

void
omen_range_start (void)
{
  size_t scale, offset;
  if (!__asan_get_shadow_mapping)
    return;
  __asan_get_shadow_mapping (&scale, &offset);
  sanitizers.from = offset;
  sanitizers.size = (uintptr_t)1 << (47 - scale);
}

/* omen explore keeps ASan's accesses to its shadow memory: its plans stop a
   thread only at an event, and this is the event of a free at which another
   thread can still use the block. */
static bool
is_programs (const volatile void *at)
{
  return omen_rt_explore || (uintptr_t)at - sanitizers.from >= sanitizers.size;
}

void
omen_read (const void *from, size_t size, uint64_t pc)
{
  if (omen_watching () && size <= OMEN_RANGE_MOST && is_programs (from))
    omen_log_range (OMEN_ITEM_RANGE_READ, from, from, size, pc, NULL);
}

void
omen_wrote (const void *to, size_t size, uint64_t pc)
{
  if (!omen_watching () || !is_programs (to))
    return;
  if (size <= OMEN_RANGE_MOST)
    omen_log_range (OMEN_ITEM_RANGE_WRITE, to, to, size, pc, NULL);
  else
    omen_log (OMEN_ITEM_EXTERNAL, to, 0, size, pc);
}

void
omen_changed (const void *at, size_t size, uint64_t pc)
{
  if (size && omen_watching ())
    omen_log (OMEN_ITEM_EXTERNAL, at, 0, size, pc);
}

size_t
omen_read_text (const char *text, size_t most, uint64_t pc)
{
  size_t length = strnlen (text, most);
  omen_read (text, length < most ? length + 1 : most, pc);
  return length;
}

void
omen_wrote_text (const char *text, uint64_t pc)
{
  omen_wrote (text, strlen (text) + 1, pc);
}

size_t
omen_read_wide (const wchar_t *text, size_t most, uint64_t pc)
{
  size_t length = 0;
  while (length < most && text[length])
    length++;
  omen_read (text, (length + (length < most)) * sizeof *text, pc);
  return length;
}

void
omen_wrote_wide (const wchar_t *text, uint64_t pc)
{
  size_t length = 0;
  while (text[length])
    length++;
  omen_wrote (text, (length + 1) * sizeof *text, pc);
}

void
omen_move (void *to, const void *from, size_t size, uint64_t pc)
{
  doer by = { .pc = pc, .from = true, .to = true };
  copy_range (to, from, size, &by);
}
