/* Reads whose value is not there: into the past, asleep, or given an answer. */
#include "trace/rebuild_merge.h"
#include "runtime/abi.h"

#include <string.h>

/* How far one looks for an explanation. */
#define MOST_CHANGES 4096
#define MOST_TRIES 6
#define LOOK_AHEAD OMEN_HARD_OR ((uint64_t)64, (uint64_t)1 << 14)
#define PATIENCE ((uint64_t)1 << 24)       /* of time */
#define PATIENCE_STEPS ((uint64_t)1 << 20) /* of others' notes */

/* ---- what the item at a cursor reads ---- */

typedef struct extent {
  uint64_t address, length;
} extent;

static extent
extent_of (const omen_merge *merge, const omen_item *item)
{
  if (item->left) /* anywhere */
    return (extent){ 0, UINT64_MAX };
  switch (item->kind) {
  case OMEN_SITE_LOAD:
  case OMEN_SITE_STORE:
    return (extent){ item->a, item->size };
  case OMEN_SITE_EXTERNAL:
    return (extent){ item->a, item->b };
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    return (extent){ item->a, omen_item_length (item) };
  case OMEN_ITEM_EXTERNAL:
    return (extent){ item->a, omen_item_arg (item) };
  case OMEN_ITEM_ALLOC:
    return (extent){ item->a, omen_item_arg (item) & OMEN_ALLOC_SIZE };
  case OMEN_ITEM_ATOMIC:
    return (extent){
      item->a,
      omen_notes_site (merge->file, (uint32_t)omen_item_arg (item))->size
    };
  default:
    return (extent){ 0, 0 };
  }
}

static bool
overlap (extent a, extent b)
{
  return a.address < b.address + b.length && b.address < a.address + a.length;
}

/* ---- the past of a word ---- */

/* A load within one word: which bytes of it, and their values. */
typedef struct wanted {
  uint64_t address, value;
  unsigned mask;
} wanted;

static bool
wanted_of (const omen_item *item, wanted *w)
{
  unsigned offset = item->a % 8;
  if (item->kind != OMEN_SITE_LOAD || item->left || offset + item->size > 8)
    return false;
  *w = (wanted){ item->a - offset, item->b << 8 * offset,
                 ((1u << item->size) - 1) << offset };
  return true;
}

static const omen_change *
last_change (omen_merge *merge, const wanted *w)
{
  const omen_page *page = omen_image_page (&merge->image, w->address);
  return omen_image_change (&merge->image, w->address,
                            page->last[w->address / 8 % OMEN_PAGE_WORDS]);
}

/* Did the value fit before this change? */
static bool
fitted (const omen_change *change, const wanted *w)
{
  return !((change->old ^ w->value)
           & omen_image_bits (w->mask & change->known));
}

/* The thread has done nothing since the value was there: the read goes to just
   before the change that overwrote it. */
static bool
put_late (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_merge_thread *thread = &merge->threads[t];
  const omen_change *change;
  unsigned seen = 0;
  wanted w;
  if (!wanted_of (item, &w))
    return false;
  for (change = last_change (merge, &w);
       change && change->step >= thread->after && seen < MOST_CHANGES; seen++) {
    if (fitted (change, &w)) {
      OMEN_VEC_PUSH (
          merge->insertions,
          ((omen_insertion){ change->step, merge->step, merge->insertions.count,
                             t, item->notes }));
      thread->after = change->step;
      omen_cursor_pass (&thread->cursor, item);
      if (merge->learnt.count)
        omen_sleep_release (merge, t);
      return true;
    }
    change = omen_image_change (&merge->image, w.address, change->before);
  }
  return false;
}

/* ---- sleeping ---- */

/* The next hint in what is decoded: the read was before that. */
static uint64_t
time_after (const omen_note_cursor *cursor, uint64_t now)
{
  for (size_t i = cursor->at; i < cursor->notes.count; i++) {
    const omen_raw_note *note = &cursor->notes.data[i];
    if (cursor->file->sites.data[note->site].kind == OMEN_ITEM_TIME)
      return note->a;
  }
  return now + PATIENCE;
}

static void
fall_asleep (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint64_t at = omen_cursor_position (&thread->cursor);
  if (thread->sleeping_at != at)
    thread->tries = 0;
  thread->sleeping_at = at;
  thread->state = OMEN_MERGE_ASLEEP;
  thread->deadline_step = merge->step + PATIENCE_STEPS;
  thread->deadline = merge->summary->times
                         ? time_after (&thread->cursor, thread->time)
                         : UINT64_MAX;
  OMEN_VEC_PUSH (merge->sleepers, t);
}

bool
omen_sleep_or_late (omen_merge *merge, uint32_t t, const omen_item *item)
{
  if (put_late (merge, t, item))
    return true;
  fall_asleep (merge, t);
  return false;
}

static void
leave_bed (omen_merge *merge, size_t i)
{
  merge->sleepers.data[i] = OMEN_VEC_LAST (merge->sleepers);
  merge->sleepers.count--;
}

/* A load that fits goes at once, before the value is overwritten. */
static bool
wake_one (omen_merge *merge, size_t i, extent changed)
{
  uint32_t t = merge->sleepers.data[i];
  omen_item item;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there && merge->threads[t].state == OMEN_MERGE_ASLEEP);
  if (item.left ? !omen_sums_fit (merge, t)
                : !overlap (extent_of (merge, &item), changed)
                      || !omen_merge_fits (merge, &item))
    return false;
  leave_bed (merge, i);
  if (item.kind == OMEN_SITE_LOAD)
    omen_merge_item (merge, t, &item);
  omen_merge_ready (merge, t);
  return true;
}

void
omen_sleep_wake (omen_merge *merge, uint64_t address, uint64_t length)
{
  extent changed = { address, length };
  for (size_t i = 0; i < merge->sleepers.count;)
    if (!wake_one (merge, i, changed))
      i++;
}

/* ---- what was learnt ---- */

void
omen_sleep_look (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint64_t at = omen_cursor_position (&thread->cursor);
  thread->held_at = UINT64_MAX;
  for (size_t i = 0; i < merge->learnt.count; i++) {
    const omen_learnt *l = &merge->learnt.data[i];
    if (l->holder == t && l->holder_at >= at && l->holder_at < thread->held_at)
      thread->held_at = l->holder_at;
  }
}

static bool
holds (const omen_merge *merge, const omen_learnt *l, uint32_t t)
{
  return l->holder == t
         && l->holder_at == omen_cursor_position (&merge->threads[t].cursor)
         && omen_cursor_position (&merge->threads[l->reader].cursor)
                <= l->reader_at;
}

bool
omen_sleep_held (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint64_t at = omen_cursor_position (&thread->cursor);
  for (size_t i = 0; i < merge->learnt.count; i++)
    if (holds (merge, &merge->learnt.data[i], t)) {
      thread->state = OMEN_MERGE_HELD;
      return true;
    }
  thread->held_at = UINT64_MAX;
  for (size_t i = 0; i < merge->learnt.count; i++) {
    const omen_learnt *l = &merge->learnt.data[i];
    if (l->holder == t && l->holder_at > at && l->holder_at < thread->held_at)
      thread->held_at = l->holder_at;
  }
  return false;
}

void
omen_sleep_release (omen_merge *merge, uint32_t t)
{
  uint64_t at = omen_cursor_position (&merge->threads[t].cursor);
  for (size_t i = 0; i < merge->learnt.count; i++) {
    const omen_learnt *l = &merge->learnt.data[i];
    if (l->reader == t && l->reader_at < at
        && merge->threads[l->holder].state == OMEN_MERGE_HELD)
      omen_merge_ready (merge, l->holder);
  }
}

/* All wait, so what holds a thread back holds it for ever: forget it. */
static bool
drop_learnt (omen_merge *merge)
{
  for (size_t i = 0; i < merge->learnt.count; i++) {
    uint32_t t = merge->learnt.data[i].holder;
    if (merge->threads[t].state != OMEN_MERGE_HELD
        || !holds (merge, &merge->learnt.data[i], t))
      continue;
    merge->learnt.data[i] = OMEN_VEC_LAST (merge->learnt);
    merge->learnt.count--;
    omen_merge_ready (merge, t);
    return true;
  }
  return false;
}

static bool
is_learnt (const omen_merge *merge, const omen_learnt *new)
{
  for (size_t i = 0; i < merge->learnt.count; i++)
    if (!memcmp (&merge->learnt.data[i], new, sizeof *new))
      return true;
  return false;
}

/* Back to where the value was overwritten; who did that waits for the read. Of
   several places the latest one first, then older ones. */
static bool
go_back (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint64_t horizon = omen_merge_horizon (merge);
  const omen_change *change;
  unsigned found = 0, seen = 0;
  omen_item item;
  wanted w;
  if (thread->tries >= MOST_TRIES || merge->redone > merge->budget
      || !omen_cursor_peek (&thread->cursor, &item) || !wanted_of (&item, &w))
    return false;
  for (change = last_change (merge, &w);
       change && change->step >= horizon && change->thread != t
       && seen < MOST_CHANGES;
       seen++) {
    omen_learnt new = { change->thread, t, change->position,
                        omen_cursor_position (&thread->cursor) };
    if (fitted (change, &w) && found++ >= thread->tries
        && !is_learnt (merge, &new)) {
      thread->tries = found;
      OMEN_VEC_PUSH (merge->learnt, new);
      omen_merge_rollback (merge, change->step);
      return true;
    }
    change = omen_image_change (&merge->image, w.address, change->before);
  }
  thread->tries = MOST_TRIES;
  return false;
}

/* ---- the future ---- */

/* Can the write give the item its value? Only loads are looked at closely. */
static bool
gives (const omen_merge *merge, const omen_item *write, const omen_item *read)
{
  extent to = extent_of (merge, write), from = extent_of (merge, read);
  if (!overlap (to, from))
    return false;
  if (write->kind != OMEN_SITE_STORE || read->kind != OMEN_SITE_LOAD)
    return true;
  for (uint64_t i = 0; i < from.length; i++) {
    uint64_t at = from.address + i - to.address;
    if (at < to.length
        && (uint8_t)(write->b >> 8 * at) != (uint8_t)(read->b >> 8 * i))
      return false;
  }
  return true;
}

static bool
is_write (const omen_merge *merge, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_SITE_STORE:
  case OMEN_SITE_EXTERNAL:
  case OMEN_ITEM_RANGE_WRITE:
  case OMEN_ITEM_EXTERNAL:
  case OMEN_ITEM_ALLOC:
    return true;
  case OMEN_ITEM_ATOMIC:
    return !omen_item_atomic_reads (merge->file, item);
  default:
    return false;
  }
}

static bool
thread_gives (const omen_merge *merge, uint32_t t, const omen_item *read)
{
  const omen_note_cursor *cursor = &merge->threads[t].cursor;
  uint64_t at = omen_cursor_position (cursor);
  omen_note_cursor ahead;
  omen_item item;
  bool found = false;
  if (at >= cursor->thread->notes)
    return false;
  omen_cursor_init (&ahead, merge->file, cursor->thread);
  omen_cursor_seek (&ahead, at);
  while (!found && omen_cursor_position (&ahead) < at + LOOK_AHEAD
         && omen_cursor_peek (&ahead, &item)) {
    found = is_write (merge, &item) && gives (merge, &item, read);
    omen_cursor_pass (&ahead, &item);
  }
  omen_cursor_fini (&ahead);
  return found;
}

/* Does somebody write it who has not come so far, or whose notes are lost? */
static bool
may_come (const omen_merge *merge, uint32_t t)
{
  omen_note_cursor *cursor = &merge->threads[t].cursor;
  omen_item item;
  bool there = omen_cursor_peek (cursor, &item);
  OMEN_ASSERT (there);
  for (uint32_t other = 0; other < merge->count; other++) {
    const omen_merge_thread *thread = &merge->threads[other];
    if (other == t)
      continue;
    if (merge->file->reader->lossy && thread->state == OMEN_MERGE_OVER
        && !thread->died)
      return true;
    if (thread_gives (merge, other, &item))
      return true;
  }
  return false;
}

/* ---- answers ---- */

static void
forget (omen_merge *merge, uint32_t t, uint64_t address, uint32_t size)
{
  omen_doer doer
      = { merge->step, omen_cursor_position (&merge->threads[t].cursor), t };
  omen_merge_outside (merge, t, address, size);
  omen_image_forget (&merge->image, &doer, address, size, false);
}

/* Code that is not recorded wrote what the item reads. */
static void
came_from_outside (omen_merge *merge, uint32_t t)
{
  omen_item item;
  extent all;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  all = extent_of (merge, &item);
  if (item.kind != OMEN_ITEM_RANGE_READ) {
    forget (merge, t, all.address, (uint32_t)all.length);
    return;
  }
  for (uint64_t i = 0; i < all.length; i += 8) {
    unsigned size = omen_item_piece (&item, i);
    if (!omen_image_fits (&merge->image, all.address + i, size,
                          omen_item_bytes (&item, i, size)))
      forget (merge, t, all.address + i, size);
  }
}

static void
answer (omen_merge *merge, size_t i)
{
  uint32_t t = merge->sleepers.data[i];
  leave_bed (merge, i);
  came_from_outside (merge, t);
  omen_merge_ready (merge, t);
}

/* A sleeper who knows but a sum. */
static bool
answer_sum (omen_merge *merge, size_t i)
{
  uint32_t t = merge->sleepers.data[i];
  omen_item item;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  if (!item.left)
    return false;
  leave_bed (merge, i);
  omen_sums_answer (merge, t);
  omen_merge_ready (merge, t);
  return true;
}

/* Each sleeper that is past its deadline. */
bool
omen_sleep_expire (omen_merge *merge, uint64_t time)
{
  for (size_t i = 0; i < merge->sleepers.count;) {
    uint32_t t = merge->sleepers.data[i];
    omen_merge_thread *thread = &merge->threads[t];
    if (thread->deadline >= time && thread->deadline_step >= merge->step) {
      i++;
      continue;
    }
    if (answer_sum (merge, i))
      continue;
    if (go_back (merge, t))
      return true;
    if (!may_come (merge, t)) {
      answer (merge, i);
      continue;
    }
    thread->deadline = time < UINT64_MAX / 2 ? time + PATIENCE : UINT64_MAX;
    thread->deadline_step = merge->step + PATIENCE_STEPS;
    i++;
  }
  return false;
}

/* The sleeper who is furthest behind, of those that `look` or all. */
static size_t
first_sleeper (const omen_merge *merge, bool unexplained)
{
  size_t first = SIZE_MAX;
  for (size_t i = 0; i < merge->sleepers.count; i++) {
    uint32_t t = merge->sleepers.data[i];
    if (first != SIZE_MAX
        && merge->threads[t].time
               >= merge->threads[merge->sleepers.data[first]].time)
      continue;
    if (!unexplained || !may_come (merge, t))
      first = i;
  }
  return first;
}

bool
omen_sleep_resolve (omen_merge *merge)
{
  size_t i;
  if (drop_learnt (merge))
    return true;
  for (i = 0; i < merge->sleepers.count; i++)
    if (answer_sum (merge, i))
      return true;
  for (i = 0; i < merge->sleepers.count; i++)
    if (go_back (merge, merge->sleepers.data[i]))
      return true;
  i = first_sleeper (merge, true);
  if (i != SIZE_MAX) {
    answer (merge, i);
    return true;
  }
  if (omen_numbers_relax (merge))
    return true;
  i = first_sleeper (merge, false);
  if (i == SIZE_MAX)
    return false;
  merge->threads[merge->sleepers.data[i]].state = OMEN_MERGE_ENDED;
  leave_bed (merge, i);
  return merge->sleepers.count;
}
