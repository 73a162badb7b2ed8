/* Whether the next item of a thread may be appended to the order, and its
   effect on memory and on other threads. */
#include "recording/merge/races.h"
#include "recording/ring/ambiguous.h"
#include "recording/scan/settled.h"
#include "wire/abi.h"

static omen_doer
doer_of (const omen_merge *merge, uint32_t t)
{
  return (omen_doer){ merge->step,
                      omen_cursor_position (&merge->threads[t].cursor), t };
}

static bool
merge_passing (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_merge_pass (merge, t, item);
  return true;
}

/* Waits until the possible writers of what it reads have been merged. */
static bool
wait_ambiguous (omen_merge *merge, uint32_t t)
{
  omen_blocked_add (merge, t);
  return false;
}

/* ---- loops recorded as a whole ----
   The values of their loads and stores are unknown. Where such a load races, or
   a read of what such a store left, the value read is unknown, and with it why
   the thread continued as it did: a cut follows. */

static bool
wait_unsure (omen_merge *merge, uint32_t t)
{
  omen_blocked_add (merge, t);
  merge->threads[t].unsure = true;
  return false;
}

static bool
is_sure (const omen_merge *merge, uint32_t t)
{
  return merge->threads[t].sure
         == omen_cursor_position (&merge->threads[t].cursor) + 1;
}

void
omen_merge_unsee (omen_merge *merge, uint64_t address, unsigned size)
{
  *omen_map_at (&merge->unseen, address >> OMEN_PAGE_BITS) = 1;
  *omen_map_at (&merge->unseen, (address + size - 1) >> OMEN_PAGE_BITS) = 1;
}

static bool
was_unseen (const omen_merge *merge, uint64_t address)
{
  return omen_map_get (&merge->unseen, address >> OMEN_PAGE_BITS) != OMEN_NONE;
}

/* Up to 8 bytes. */
static bool
is_unsure (omen_merge *merge, uint32_t t, uint64_t address, unsigned size)
{
  uint64_t value;
  return (was_unseen (merge, address) || was_unseen (merge, address + size - 1))
         && omen_image_read (&merge->image, address, size, &value)
                != (1u << size) - 1
         && !omen_merge_grows (merge)
         && !omen_writers_certain (merge, t, address, size);
}

static bool
reads_unsure (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_extent all;
  bool unsure = false;
  if (OMEN_LIKELY (!merge->unseen.count) || is_sure (merge, t))
    return false;
  all = omen_item_extent (merge->file, item);
  if (omen_settled_is (merge->file->settled, all.address, all.length))
    return false;
  for (uint64_t i = 0; i < all.length && !unsure; i += 8)
    unsure = is_unsure (merge, t, all.address + i,
                        all.length - i < 8 ? (unsigned)(all.length - i) : 8);
  return unsure;
}

static bool
do_unseen_load (omen_merge *merge, uint32_t t, const omen_item *item)
{
  if (!omen_merge_grows (merge) && !is_sure (merge, t)
      && !omen_settled_is (merge->file->settled, item->a, item->size)
      && !omen_writers_certain (merge, t, item->a, item->size))
    return wait_unsure (merge, t);
  merge->loops = true;
  return merge_passing (merge, t, item);
}

/* ---- plain accesses ---- */

static bool
do_load (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_doer doer;
  if (!merge->values || item->left == OMEN_LEFT_UNKNOWN)
    return merge_passing (merge, t, item);
  if (OMEN_UNLIKELY (item->left == OMEN_LEFT_UNSEEN))
    return do_unseen_load (merge, t, item);
  if (OMEN_UNLIKELY (item->left == OMEN_LEFT_OUTSIDE)) {
    omen_explain_changed (merge, t, item->a, item->size);
    return merge_passing (merge, t, item);
  }
  if (OMEN_UNLIKELY (item->left)) {
    omen_item again;
    if (!omen_sums_resolve (merge, t))
      return omen_blocked_or_late (merge, t, item);
    omen_cursor_peek (&merge->threads[t].cursor, &again);
    return do_load (merge, t, &again);
  }
  if (OMEN_UNLIKELY (
          !omen_image_fits (&merge->image, item->a, item->size, item->b)))
    return omen_blocked_or_late (merge, t, item);
  if (OMEN_UNLIKELY (omen_ambiguous_read (merge, t, item)))
    return wait_ambiguous (merge, t);
  if (OMEN_UNLIKELY (reads_unsure (merge, t, item)))
    return wait_unsure (merge, t);
  doer = doer_of (merge, t);
  omen_image_learn (&merge->image, &doer, item->a, item->size, item->b);
  return merge_passing (merge, t, item);
}

static bool
do_store (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_doer doer = doer_of (merge, t);
  if (OMEN_UNLIKELY (item->left)) {
    if (!omen_settled_is (merge->file->settled, item->a, item->size))
      omen_merge_unsee (merge, item->a, item->size);
    merge->loops = true;
    omen_image_forget (&merge->image, &doer, item->a, item->size, false);
  } else if (merge->values)
    omen_image_write (&merge->image, &doer, item->a, item->size, item->b);
  omen_merge_pass (merge, t, item);
  if (OMEN_UNLIKELY (merge->blocked.count))
    omen_blocked_wake (merge, item->a, item->size);
  return true;
}

/* ---- ranges ---- */

static bool
range_fits (omen_merge *merge, const omen_item *item)
{
  uint64_t length = omen_item_length (item);
  for (uint64_t i = 0; i < length; i += 8) {
    unsigned size = omen_item_piece (item, i);
    if (!omen_image_fits (&merge->image, item->a + i, size,
                          omen_item_bytes (item, i, size)))
      return false;
  }
  return true;
}

/* Values of ranges cannot be checked if plain accesses are not recorded. */
static bool
checks_ranges (const omen_merge *merge)
{
  return merge->values && !merge->file->blind;
}

static bool
do_range_read (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_doer doer = doer_of (merge, t);
  bool checks = checks_ranges (merge);
  if (checks && !range_fits (merge, item))
    return omen_blocked_or_late (merge, t, item);
  if (checks && omen_ambiguous_read (merge, t, item))
    return wait_ambiguous (merge, t);
  if (checks && reads_unsure (merge, t, item))
    return wait_unsure (merge, t);
  for (uint64_t i = 0; checks && i < omen_item_length (item); i += 8) {
    unsigned size = omen_item_piece (item, i);
    omen_image_learn (&merge->image, &doer, item->a + i, size,
                      omen_item_bytes (item, i, size));
  }
  return merge_passing (merge, t, item);
}

static bool
do_range_write (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_doer doer = doer_of (merge, t);
  uint64_t length = omen_item_length (item), address = item->a;
  for (uint64_t i = 0; checks_ranges (merge) && i < length; i += 8) {
    unsigned size = omen_item_piece (item, i);
    omen_image_write (&merge->image, &doer, address + i, size,
                      omen_item_bytes (item, i, size));
  }
  omen_merge_pass (merge, t, item);
  if (merge->blocked.count)
    omen_blocked_wake (merge, address, length);
  return true;
}

static bool
do_forget (omen_merge *merge, uint32_t t, const omen_item *item,
           uint64_t length, bool zero)
{
  omen_doer doer = doer_of (merge, t);
  uint64_t address = item->a;
  if (merge->values)
    omen_image_forget (&merge->image, &doer, address, length, zero);
  omen_merge_pass (merge, t, item);
  if (merge->blocked.count)
    omen_blocked_wake (merge, address, length);
  return true;
}

static bool
do_cover (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_doer doer = doer_of (merge, t);
  if (merge->values)
    omen_image_cover (&merge->image, &doer, item->a, item->b,
                      item->kind == OMEN_SITE_STACK_ALLOC);
  return merge_passing (merge, t, item);
}

/* ---- atomics ---- */

static const omen_file_site *
atomic_site (const omen_merge *merge, const omen_item *item)
{
  return omen_notes_site (merge->file, (uint32_t)omen_item_arg (item));
}

static bool
atomic_fits (omen_merge *merge, const omen_item *item)
{
  const omen_file_site *site = atomic_site (merge, item);
  const omen_raw_note *parts = item->parts;
  if (site->kind == OMEN_SITE_ATOMIC_STORE || !merge->values)
    return true;
  if (site->size <= 8)
    return omen_image_fits (&merge->image, item->a, site->size, parts[1].a);
  return omen_image_fits (&merge->image, item->a, 8, parts[1].a)
         && omen_image_fits (&merge->image, item->a + 8, 8, parts[2].a);
}

static void
write_atomic (omen_merge *merge, const omen_doer *doer, const omen_item *item)
{
  const omen_file_site *site = atomic_site (merge, item);
  const omen_raw_note *parts = item->parts;
  unsigned size = site->size == 16 ? 8 : site->size;
  bool reads = omen_item_atomic_reads (merge->file, item);
  for (unsigned half = 0; half <= site->size / 16u; half++) {
    uint64_t address = item->a + 8 * half;
    if (site->kind != OMEN_SITE_ATOMIC_STORE)
      omen_image_learn (&merge->image, doer, address, size, parts[1 + half].a);
    if (!reads)
      omen_image_write (&merge->image, doer, address, size, parts[1 + half].b);
  }
}

static bool
do_atomic (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_doer doer = doer_of (merge, t);
  uint64_t address = item->a;
  if (!omen_numbers_turn (merge, t, item))
    return false;
  if (!atomic_fits (merge, item))
    return omen_blocked_or_late (merge, t, item);
  if (omen_ambiguous_read (merge, t, item))
    return wait_ambiguous (merge, t);
  if (atomic_site (merge, item)->kind != OMEN_SITE_ATOMIC_STORE
      && reads_unsure (merge, t, item))
    return wait_unsure (merge, t);
  write_atomic (merge, &doer, item);
  omen_merge_pass (merge, t, item);
  if (merge->blocked.count)
    omen_blocked_wake (merge, address, 16);
  return true;
}

bool
omen_merge_fits (omen_merge *merge, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_SITE_LOAD:
    return omen_image_fits (&merge->image, item->a, item->size, item->b);
  case OMEN_ITEM_RANGE_READ:
    return range_fits (merge, item);
  case OMEN_ITEM_ATOMIC:
    return atomic_fits (merge, item);
  case OMEN_ITEM_TRY_FAIL:
  case OMEN_ITEM_READ_TRY_FAIL:
    return omen_try_fits (merge, item);
  default:
    return true;
  }
}

/* ---- threads ---- */

static bool
wait_for_thread (omen_merge *merge, uint32_t t)
{
  merge->threads[t].state = OMEN_MERGE_THREAD;
  return false;
}

/* Of a file that grows it is not known what will be freed. */
static bool
wait_for_memory (omen_merge *merge, uint32_t t, const omen_item *alloc)
{
  omen_merge_thread *thread = &merge->threads[t];
  if (merge->one_log || omen_merge_grows (merge)
      || thread->given == omen_cursor_position (&thread->cursor) + 1
      || omen_living_may (&merge->living, alloc))
    return false;
  thread->state = OMEN_MERGE_MEMORY;
  return true;
}

static void
follow_memory (omen_merge *merge, const omen_item *item)
{
  if (merge->one_log || omen_merge_grows (merge)
      || !omen_living_follow (&merge->living, item))
    return;
  for (uint32_t t = 0; t < merge->count; t++)
    if (merge->threads[t].state == OMEN_MERGE_MEMORY)
      omen_merge_ready (merge, t);
}

/* Thread-local variables are memory of unknown contents. On the page that they
   share with the stack they have to be distinguished from it. */
static void
begin_locals (omen_merge *merge, uint32_t t, uint64_t start, uint64_t end)
{
  const uint64_t last = (UINT64_C (1) << OMEN_PAGE_BITS) - 1;
  uint64_t shared = ((start | last) + 1 < end) ? (start | last) + 1 : end;
  omen_doer doer = doer_of (merge, t);
  omen_image_cover (&merge->image, &doer, start, shared - start, true);
  omen_image_forget (&merge->image, &doer, shared, end - shared, false);
}

static bool
do_begin (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_own_memory own = omen_item_own_memory (item);
  if (OMEN_UNLIKELY (merge->file->mappings.vague) && merge->begun++ == 1)
    omen_merge_cut (merge, t, false);
  omen_image_stack (&merge->image, (uint32_t)item->a, own.stack,
                    own.locals ? own.locals : own.stack_end);
  if (own.locals)
    begin_locals (merge, t, own.locals, own.locals_end);
  return merge_passing (merge, t, item);
}

static bool
do_fork (omen_merge *merge, uint32_t t, const omen_item *item)
{
  uint32_t child = omen_map_get (&merge->index, item->a);
  uint64_t *born = omen_merge_born (merge, item->a);
  if (!*born)
    *born = 1;
  omen_merge_pass (merge, t, item);
  if (child != OMEN_NONE && merge->threads[child].state == OMEN_MERGE_THREAD)
    omen_merge_ready (merge, child);
  return true;
}

/* The thread's last item, or the last one that is left. */
static bool
do_join (omen_merge *merge, uint32_t t, const omen_item *item)
{
  uint32_t child = omen_map_get (&merge->index, item->a);
  omen_item next;
  if (child != OMEN_NONE && child != t
      && (omen_cursor_peek (&merge->threads[child].cursor, &next)
          || merge->file->threads.data[child].shortened
          || (merge->live && !merge->threads[child].died)))
    return wait_for_thread (merge, t);
  return merge_passing (merge, t, item);
}

static bool
do_end (omen_merge *merge, uint32_t t, const omen_item *item)
{
  merge->threads[t].died = 1;
  omen_merge_pass (merge, t, item);
  omen_image_stack (&merge->image, (uint32_t)item->a, 0, 0);
  return true;
}

static bool
do_time (omen_merge *merge, uint32_t t, const omen_item *item)
{
  merge->threads[t].time = item->a;
  return merge_passing (merge, t, item);
}

/* Records are missing before this one, unless nothing came before. */
static bool
do_gap (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_merge_thread *thread = &merge->threads[t];
  if (omen_cursor_position (&thread->cursor) == thread->cursor.thread->start)
    return merge_passing (merge, t, item);
  thread->state = OMEN_MERGE_ENDED;
  return false;
}

/* A file that is mapped again has what was written before. */
static bool
keeps_contents (const omen_merge *merge, const omen_item *alloc)
{
  return omen_mappings_overlap (&merge->file->mappings, alloc->a,
                                omen_item_arg (alloc) & OMEN_ALLOC_SIZE);
}

/* ---- all ----
   What can be taken back is changed before the item passes: it belongs to the
   item's step. */

static bool
do_runtime (omen_merge *merge, uint32_t t, const omen_item *item)
{
  uint64_t arg;
  switch (item->kind) {
  case OMEN_ITEM_THREAD_BEGIN:
    return do_begin (merge, t, item);
  case OMEN_ITEM_THREAD_END:
    return do_end (merge, t, item);
  case OMEN_ITEM_FORK:
    return do_fork (merge, t, item);
  case OMEN_ITEM_JOIN:
    return do_join (merge, t, item);
  case OMEN_ITEM_TIME:
    return do_time (merge, t, item);
  case OMEN_ITEM_GAP:
    return do_gap (merge, t, item);
  case OMEN_ITEM_TRY_FAIL:
  case OMEN_ITEM_READ_TRY_FAIL:
    return omen_try_fail (merge, t, item);
  case OMEN_ITEM_RANGE_READ:
    return do_range_read (merge, t, item);
  case OMEN_ITEM_RANGE_WRITE:
    return do_range_write (merge, t, item);
  case OMEN_ITEM_EXTERNAL:
    return do_forget (merge, t, item, omen_item_arg (item), false);
  case OMEN_ITEM_ATOMIC:
    return do_atomic (merge, t, item);
  default:
    if (!omen_numbers_turn (merge, t, item))
      return false;
    if (item->kind == OMEN_ITEM_ALLOC && wait_for_memory (merge, t, item))
      return false;
    if (item->kind == OMEN_ITEM_ALLOC || item->kind == OMEN_ITEM_FREE)
      follow_memory (merge, item);
    if (item->kind != OMEN_ITEM_ALLOC || keeps_contents (merge, item))
      return merge_passing (merge, t, item);
    arg = omen_item_arg (item);
    return do_forget (merge, t, item, arg & OMEN_ALLOC_SIZE,
                      arg >> 56 & OMEN_ALLOC_ZERO);
  }
}

bool
omen_merge_item (omen_merge *merge, uint32_t t, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_SITE_LOAD:
    return do_load (merge, t, item);
  case OMEN_SITE_STORE:
    return do_store (merge, t, item);
  case OMEN_SITE_STACK_ALLOC:
  case OMEN_SITE_STACK_FREE:
    return do_cover (merge, t, item);
  case OMEN_SITE_EXTERNAL:
    return do_forget (merge, t, item, item->b, false);
  default:
    return item->kind < OMEN_ITEM_FIRST ? merge_passing (merge, t, item)
                                        : do_runtime (merge, t, item);
  }
}
