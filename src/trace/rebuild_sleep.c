/* Reads whose value is not there: into the past, asleep, or given an answer. */
#include "trace/rebuild_doubt.h"
#include "runtime/abi.h"

#include <string.h>

/* How far one looks for an explanation. */
#define MOST_CHANGES 4096
#define MOST_TRIES 4u
#define UNKNOWN 64u /* beside the number of tries: one was given up */
#define LOOK_AHEAD OMEN_HARD_OR ((uint64_t)64, (uint64_t)1 << 14)
#define PATIENCE ((uint64_t)1 << 24)       /* of time */
#define PATIENCE_STEPS ((uint64_t)1 << 20) /* of others' notes */

/* ---- what the item at a cursor reads ---- */

omen_extent
omen_item_extent (const omen_merge *merge, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_SITE_LOAD:
  case OMEN_SITE_STORE:
    return (omen_extent){ item->a, item->size };
  case OMEN_SITE_EXTERNAL:
    return (omen_extent){ item->a, item->b };
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    return (omen_extent){ item->a, omen_item_length (item) };
  case OMEN_ITEM_EXTERNAL:
    return (omen_extent){ item->a, omen_item_arg (item) };
  case OMEN_ITEM_ALLOC:
    return (omen_extent){ item->a, omen_item_arg (item) & OMEN_ALLOC_SIZE };
  case OMEN_ITEM_ATOMIC:
    return (omen_extent){
      item->a,
      omen_notes_site (merge->file, (uint32_t)omen_item_arg (item))->size
    };
  default:
    return (omen_extent){ 0, 0 };
  }
}

static bool
overlap (omen_extent a, omen_extent b)
{
  return a.address < b.address + b.length && b.address < a.address + a.length;
}

/* ---- the past of a word ---- */

/* Byte i of what an item reads. */
static uint8_t
byte_read (const omen_item *item, uint64_t i)
{
  uint64_t at = i & ~UINT64_C (7);
  if (item->kind == OMEN_SITE_LOAD)
    return (uint8_t)(item->b >> 8 * i);
  if (item->kind == OMEN_ITEM_ATOMIC)
    return (uint8_t)(item->parts[1 + i / 8].a >> 8 * (i - at));
  return (uint8_t)(omen_item_bytes (item, at, omen_item_piece (item, at))
                   >> 8 * (i - at));
}

bool
omen_wanted_word (const omen_merge *merge, const omen_item *item, uint64_t k,
                  omen_wanted *w)
{
  omen_extent extent = omen_item_extent (merge, item);
  *w = (omen_wanted){ .address = (extent.address & ~UINT64_C (7)) + 8 * k };
  for (unsigned i = 0; i < 8; i++) {
    uint64_t at = w->address + i - extent.address;
    if (w->address + i < extent.address || at >= extent.length)
      continue;
    w->mask |= 1u << i;
    w->value |= (uint64_t)byte_read (item, at) << 8 * i;
  }
  return w->mask;
}

/* All of it, if it is in one word. */
static bool
wanted_of (const omen_merge *merge, const omen_item *item, omen_wanted *w)
{
  omen_extent extent = omen_item_extent (merge, item);
  return !item->left && extent.length && extent.address % 8 + extent.length <= 8
         && omen_wanted_word (merge, item, 0, w);
}

const omen_change *
omen_wanted_last (omen_merge *merge, const omen_wanted *w)
{
  const omen_page *page = omen_image_page (&merge->image, w->address);
  return omen_image_change (&merge->image, w->address,
                            page->last[w->address / 8 % OMEN_PAGE_WORDS]);
}

bool
omen_wanted_before (const omen_change *change, const omen_wanted *w)
{
  return !((change->old ^ w->value)
           & omen_image_bits (w->mask & change->known));
}

/* The thread has done nothing since the value was there: the read goes to just
   before the change that overwrote it. The value must be known there: where it
   is not, a read that was put in would have to teach it, and another that is
   put in could then say otherwise. */
static bool
put_late (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_merge_thread *thread = &merge->threads[t];
  const omen_change *change;
  unsigned seen = 0;
  omen_wanted w;
  if (item->kind == OMEN_ITEM_ATOMIC || !wanted_of (merge, item, &w))
    return false;
  for (change = omen_wanted_last (merge, &w);
       change && change->step >= thread->after && seen < MOST_CHANGES; seen++) {
    if ((change->known & w.mask) == w.mask && omen_wanted_before (change, &w)) {
      omen_merge_insert (merge, t, item, change->step);
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

void
omen_sleep_fall (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  thread->state = OMEN_MERGE_ASLEEP;
  thread->round = merge->round;
  thread->deadline_step = merge->step + PATIENCE_STEPS;
  thread->deadline = merge->summary->times
                         ? time_after (&thread->cursor, thread->time)
                         : UINT64_MAX;
  OMEN_VEC_PUSH (merge->sleepers, t);
}

bool
omen_sleep_or_late (omen_merge *merge, uint32_t t, const omen_item *item)
{
  if (!merge->careful && put_late (merge, t, item))
    return true;
  omen_sleep_fall (merge, t);
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
wake_one (omen_merge *merge, size_t i, omen_extent changed)
{
  uint32_t t = merge->sleepers.data[i];
  omen_item item;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there && merge->threads[t].state == OMEN_MERGE_ASLEEP);
  if (item.left ? !omen_sums_fit (merge, t)
                : !overlap (omen_item_extent (merge, &item), changed)
                      || !omen_merge_fits (merge, &item)
                      || omen_doubt_read (merge, t, &item))
    return false;
  leave_bed (merge, i);
  if (item.kind == OMEN_SITE_LOAD)
    omen_merge_item (merge, t, &item);
  omen_merge_ready (merge, t);
  return true;
}

static bool
is_try (const omen_item *item)
{
  return item->kind == OMEN_ITEM_TRY_FAIL
         || item->kind == OMEN_ITEM_READ_TRY_FAIL;
}

void
omen_sleep_wake_tries (omen_merge *merge, uint64_t lock)
{
  for (size_t i = 0; i < merge->sleepers.count;) {
    uint32_t t = merge->sleepers.data[i];
    omen_item item;
    if (omen_cursor_peek (&merge->threads[t].cursor, &item) && is_try (&item)
        && item.a == lock && omen_try_fits (merge, &item)) {
      leave_bed (merge, i);
      omen_merge_ready (merge, t);
    } else
      i++;
  }
}

void
omen_sleep_wake (omen_merge *merge, uint64_t address, uint64_t length)
{
  omen_extent changed = { address, length };
  for (size_t i = 0; i < merge->sleepers.count;)
    if (!wake_one (merge, i, changed))
      i++;
}

/* ---- the future ---- */

/* Can the write give the item its value? Only loads are looked at closely. */
bool
omen_item_gives (const omen_merge *merge, const omen_item *write,
                 const omen_item *read)
{
  omen_extent to = omen_item_extent (merge, write),
              from = omen_item_extent (merge, read);
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

bool
omen_item_writes (const omen_merge *merge, const omen_item *item)
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
    found = omen_item_writes (merge, &item)
            && omen_item_gives (merge, &item, read);
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
  if (is_try (&item))
    return false;
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

/* Code that is not recorded wrote what the item reads; or a try failed without
   a reason that we know. */
static void
came_from_outside (omen_merge *merge, uint32_t t)
{
  omen_item item;
  omen_extent all;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  if (is_try (&item)) {
    uint64_t at = omen_cursor_position (&merge->threads[t].cursor);
    omen_merge_set (merge, &merge->threads[t].given_up, at + 1);
    return;
  }
  all = omen_item_extent (merge, &item);
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

static size_t
bed_of (const omen_merge *merge, uint32_t t)
{
  size_t i = 0;
  while (merge->sleepers.data[i] != t)
    i++;
  OMEN_ASSERT (i < merge->sleepers.count);
  return i;
}

void
omen_sleep_answer (omen_merge *merge, uint32_t t)
{
  leave_bed (merge, bed_of (merge, t));
  came_from_outside (merge, t);
  omen_merge_ready (merge, t);
}

static void
end_thread (omen_merge *merge, uint32_t t)
{
  leave_bed (merge, bed_of (merge, t));
  merge->threads[t].state = OMEN_MERGE_ENDED;
}

/* Does it sleep though what it reads would fit? */
static bool
is_in_doubt (omen_merge *merge, uint32_t t)
{
  omen_item item;
  bool there;
  if (OMEN_LIKELY (!merge->doubt))
    return false;
  there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  return item.left ? omen_sums_in_doubt (merge, t)
                   : omen_merge_fits (merge, &item)
                         && omen_doubt_read (merge, t, &item);
}

/* Nobody outside need have written what no order explains, if there are orders that
   were not tried because of a doubt. */
static bool
may_be_inside (omen_merge *merge, uint32_t t)
{
  omen_item item;
  return merge->doubt && omen_cursor_peek (&merge->threads[t].cursor, &item)
         && omen_doubt_source (merge, t, &item);
}

typedef struct times_there {
  uint64_t last, first; /* steps of the changes that overwrote it */
} times_there;

/* The same for one word that does not fit: another thread's change before or
   after which it would have. What the thread itself did to the word since is no
   obstacle: the other one may come later. */
static bool
word_was_there (omen_merge *merge, uint32_t t, const omen_wanted *w,
                times_there *times)
{
  uint64_t horizon = omen_merge_horizon (merge);
  const omen_change *change = omen_wanted_last (merge, w);
  bool found = false, after = false;
  for (unsigned seen = 0;
       change && change->step >= horizon && seen < MOST_CHANGES; seen++) {
    bool before = omen_wanted_before (change, w);
    if (change->thread != t && (before || after)) {
      if (!found && change->step < times->last)
        times->last = change->step;
      if (change->step < times->first)
        times->first = change->step;
      found = true;
    }
    after = before;
    change = omen_image_change (&merge->image, w->address, change->before);
  }
  return found;
}

/* When was what t wants last there, and when first, as far back as one can go;
   UINT64_MAX: it never was. Every word that does not fit must have been. */
static bool
was_there (omen_merge *merge, uint32_t t, times_there *times)
{
  omen_item item;
  omen_wanted w;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  *times = (times_there){ UINT64_MAX, UINT64_MAX };
  if (is_try (&item)) {
    uint64_t position;
    uint32_t thread;
    return omen_try_release (merge, &item, &times->last, &thread, &position)
           && times->last >= omen_merge_horizon (merge);
  }
  for (uint64_t k = 0; omen_wanted_word (merge, &item, k, &w); k++)
    if (!omen_image_word_fits (&merge->image, w.address, w.mask, w.value)
        && !word_was_there (merge, t, &w, times))
      return false;
  return true;
}

/* The step of a change some way before `step`, or the beginning. */
static uint64_t
before_step (const omen_merge *merge, uint64_t step, uint64_t changes)
{
  const omen_image *image = &merge->image;
  uint64_t low = image->oldest, high = image->changes, horizon;
  while (low < high) { /* the first change at or after the step */
    uint64_t middle = (low + high) / 2;
    if (image->past[middle % OMEN_IMAGE_PAST].step < step)
      low = middle + 1;
    else
      high = middle;
  }
  horizon = omen_merge_horizon (merge);
  if (low - image->oldest <= changes && !horizon)
    return 0;
  low = low - image->oldest > changes ? low - changes : image->oldest;
  while (low < image->changes
         && image->past[low % OMEN_IMAGE_PAST].step < horizon)
    low++;
  return low < image->changes ? image->past[low % OMEN_IMAGE_PAST].step
                              : merge->step;
}

static uint32_t *
tries_of (omen_merge *merge, uint32_t t)
{
  uint64_t at = omen_cursor_position (&merge->threads[t].cursor);
  uint32_t *tries = omen_map_at (&merge->tries, OMEN_PAIR (t, at));
  if (*tries == OMEN_NONE)
    *tries = 0;
  return tries;
}

/* Somebody's write could explain the read of t: look for an order in which it
   does, in a part of the merge that grows from time to time. */
static void
search (omen_merge *merge, uint32_t t, const times_there *times)
{
  uint32_t *tries = tries_of (merge, t);
  uint64_t from = times->last < merge->step ? times->last : merge->step;
  uint64_t changes = (uint64_t)8 << 3 * (*tries & ~UNKNOWN);
  omen_verdict verdict
      = omen_search (merge, t, before_step (merge, from, changes));
  if (verdict == OMEN_FOUND)
    return;
  ++*tries;
  if (verdict == OMEN_UNKNOWN)
    *tries |= UNKNOWN;
}

static bool
sleeps_at_try (omen_merge *merge, uint32_t t)
{
  omen_item item;
  return omen_cursor_peek (&merge->threads[t].cursor, &item) && is_try (&item);
}

/* Does something about the sleeper; true: the merge was taken back. If the
   searches found no order that explains its value there is none, and it came
   from outside; if one had to give up, nobody knows, and the thread ends unless
   it goes on in a file that grows. */
static bool
explain (omen_merge *merge, uint32_t t)
{
  times_there times;
  bool there = was_there (merge, t, &times);
  uint32_t tries = *tries_of (merge, t);
  bool spent
      = (tries & ~UNKNOWN) == MOST_TRIES || merge->redone > merge->budget;
  bool outside = (!there && !may_come (merge, t)) || tries == MOST_TRIES;
  if ((outside && !may_be_inside (merge, t))
      || (tries >= MOST_TRIES && sleeps_at_try (merge, t))
      || (spent && merge->live))
    omen_sleep_answer (merge, t);
  else if (spent || outside)
    end_thread (merge, t);
  else {
    search (merge, t, &times);
    return true;
  }
  return false;
}

bool
omen_sleep_answer_sum (omen_merge *merge, uint32_t t)
{
  omen_item item;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  if (!item.left || is_in_doubt (merge, t))
    return false;
  leave_bed (merge, bed_of (merge, t));
  omen_sums_answer (merge, t);
  omen_merge_ready (merge, t);
  return true;
}

/* Of a file that grows: what was noted when the thread fell asleep is not in it
   before the second mark since. */
static bool
is_early (const omen_merge *merge, uint32_t t)
{
  return merge->live && merge->round < merge->threads[t].round + 2;
}

/* Each sleeper that is past its deadline. Who may still get its value waits on
   while others run. */
bool
omen_sleep_expire (omen_merge *merge, uint64_t time)
{
  for (size_t i = 0; i < merge->sleepers.count;) {
    uint32_t t = merge->sleepers.data[i];
    omen_merge_thread *thread = &merge->threads[t];
    if (is_early (merge, t) || is_in_doubt (merge, t)
        || (thread->deadline >= time
            && thread->deadline_step >= merge->step)) {
      i++;
      continue;
    }
    if (omen_sleep_answer_sum (merge, t))
      continue;
    if (!may_come (merge, t)) {
      if (explain (merge, t))
        return true;
      continue;
    }
    thread->deadline = time < UINT64_MAX / 2 ? time + PATIENCE : UINT64_MAX;
    thread->deadline_step = merge->step + PATIENCE_STEPS;
    i++;
  }
  return false;
}

/* The sleeper who is furthest behind, of those in doubt or of the others, or
   OMEN_NONE. */
static uint32_t
first_sleeper (omen_merge *merge, bool in_doubt)
{
  uint32_t first = OMEN_NONE;
  for (size_t i = 0; i < merge->sleepers.count; i++) {
    uint32_t t = merge->sleepers.data[i];
    if (!is_early (merge, t) && is_in_doubt (merge, t) == in_doubt
        && (first == OMEN_NONE
            || merge->threads[t].time < merge->threads[first].time))
      first = t;
  }
  return first;
}

bool
omen_sleep_resolve (omen_merge *merge)
{
  uint32_t first;
  if (omen_numbers_relax (merge))
    return true;
  for (size_t i = 0; i < merge->sleepers.count; i++)
    if (!is_early (merge, merge->sleepers.data[i])
        && omen_sleep_answer_sum (merge, merge->sleepers.data[i]))
      return true;
  first = first_sleeper (merge, false);
  if (first != OMEN_NONE) {
    explain (merge, first);
    return true;
  }
  first = first_sleeper (merge, true);
  if (first != OMEN_NONE)
    end_thread (merge, first);
  return first != OMEN_NONE;
}
