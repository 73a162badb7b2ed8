/* Reads whose value is not there: inserted into the past, or blocked until it
   is. */
#include "recording/ring/ambiguous.h"
#include "wire/abi.h"

#define WAIT_TIME ((uint64_t)1 << 24)  /* of time */
#define WAIT_STEPS ((uint64_t)1 << 20) /* of others' notes */

/* ---- the past of a word ---- */

/* If the thread has done nothing since the value was there, the read goes to
   just before the change that overwrote it. Its bytes must be known there:
   otherwise the inserted read would define them, and another inserted read
   could contradict it. */
static bool
put_late (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_merge_thread *thread = &merge->threads[t];
  const omen_change *change;
  unsigned seen = 0;
  omen_wanted w;
  if (item->kind == OMEN_ITEM_ATOMIC || !omen_wanted_whole (merge, item, &w))
    return false;
  for (change = omen_wanted_last (merge, &w);
       change && change->step >= thread->after && seen < OMEN_MOST_CHANGES;
       seen++) {
    if ((change->known & w.mask) == w.mask && omen_wanted_before (change, &w)) {
      omen_merge_insert (merge, t, item, change->step);
      return true;
    }
    change = omen_image_change (&merge->image, w.address, change->before);
  }
  return false;
}

/* ---- sleeping ---- */

/* The next time hint that is decoded: the read came before it. */
static uint64_t
time_after (const omen_note_cursor *cursor, uint64_t now)
{
  for (size_t i = cursor->at; i < cursor->notes.count; i++) {
    const omen_raw_note *note = &cursor->notes.data[i];
    if (cursor->file->sites.data[note->site].kind == OMEN_ITEM_TIME)
      return note->a;
  }
  return now + WAIT_TIME;
}

void
omen_blocked_add (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  thread->state = OMEN_MERGE_BLOCKED_READ;
  thread->unsure = false;
  thread->bound = 0;
  thread->round = merge->round;
  thread->deadline_step = merge->step + WAIT_STEPS;
  thread->deadline = merge->summary->times
                         ? time_after (&thread->cursor, thread->time)
                         : UINT64_MAX;
  OMEN_VEC_PUSH (merge->blocked, t);
}

bool
omen_blocked_or_late (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_item same;
  if (put_late (merge, t, item))
    return true;
  if (omen_explain_own (merge, t, item)) {
    omen_cursor_peek (&merge->threads[t].cursor, &same);
    return omen_merge_item (merge, t, &same);
  }
  omen_blocked_add (merge, t);
  return false;
}

static void
unblock (omen_merge *merge, size_t i)
{
  merge->blocked.data[i] = OMEN_VEC_LAST (merge->blocked);
  merge->blocked.count--;
}

/* A load that fits goes at once, before the value is overwritten. */
static bool
wake_one (omen_merge *merge, size_t i, omen_extent changed)
{
  uint32_t t = merge->blocked.data[i];
  omen_item item;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there && merge->threads[t].state == OMEN_MERGE_BLOCKED_READ);
  if (merge->threads[t].unsure)
    return false;
  if (item.left ? !omen_sums_fit (merge, t)
                : !omen_extents_overlap (omen_item_extent (merge->file, &item),
                                         changed)
                      || !omen_merge_fits (merge, &item)
                      || omen_ambiguous_read (merge, t, &item))
    return false;
  unblock (merge, i);
  if (item.kind == OMEN_SITE_LOAD)
    omen_merge_item (merge, t, &item);
  omen_merge_ready (merge, t);
  return true;
}

/* A failed try goes at once, before the lock is released, and so do those after
   it. */
static void
pass_tries (omen_merge *merge, uint32_t t, uint64_t lock)
{
  omen_item item;
  do {
    omen_cursor_peek (&merge->threads[t].cursor, &item);
    omen_merge_pass (merge, t, &item);
  } while (omen_cursor_peek (&merge->threads[t].cursor, &item)
           && omen_try_fails (&item) && item.a == lock
           && omen_numbers_may (merge, &item));
}

/* t has more failures that came before the acquire of `taker`, with items in
   between: t runs first, or the lock may be released before them. */
static void
run_before (omen_merge *merge, uint32_t t, uint32_t taker)
{
  omen_merge_thread *first = &merge->threads[t],
                    *second = &merge->threads[taker];
  if (omen_cursor_position (&first->cursor) >= first->tried)
    return;
  if (second->time <= first->time)
    second->time = first->time + 1;
  merge->yields = true;
}

void
omen_blocked_wake_tries (omen_merge *merge, uint32_t taker, uint64_t lock)
{
  for (size_t i = 0; i < merge->blocked.count;) {
    uint32_t t = merge->blocked.data[i];
    omen_item item;
    if (omen_cursor_peek (&merge->threads[t].cursor, &item)
        && omen_try_is (&item) && item.a == lock
        && omen_try_fits (merge, &item)) {
      unblock (merge, i);
      pass_tries (merge, t, lock);
      run_before (merge, t, taker);
      omen_merge_ready (merge, t);
    } else
      i++;
  }
}

void
omen_blocked_wake (omen_merge *merge, uint64_t address, uint64_t length)
{
  omen_extent changed = { address, length };
  for (size_t i = 0; i < merge->blocked.count;)
    if (!wake_one (merge, i, changed))
      i++;
}

/* ---- answers ---- */

static size_t
bed_of (const omen_merge *merge, uint32_t t)
{
  size_t i = 0;
  while (merge->blocked.data[i] != t)
    i++;
  OMEN_ASSERT (i < merge->blocked.count);
  return i;
}

void
omen_blocked_answer (omen_merge *merge, uint32_t t)
{
  unblock (merge, bed_of (merge, t));
  omen_explain_outside (merge, t);
  omen_merge_ready (merge, t);
}

/* If the beginning is lost, the value may have been there at the start. */
static bool
merge_goes_on (const omen_merge *merge)
{
  return !merge->ambiguous;
}

void
omen_blocked_end (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  unblock (merge, bed_of (merge, t));
  if (merge_goes_on (merge)) {
    if (merge->blocked.count && !thread->bound)
      omen_blocked_hint (merge, t, 0, &thread->bound);
    if (merge->blocked.count)
      omen_merge_serial (merge, t, thread->bound);
    omen_explain_cut (merge, t);
  } else
    merge->threads[t].state = OMEN_MERGE_ENDED;
}

/* Is it blocked although its value is there? */
static bool
is_ambiguous (omen_merge *merge, uint32_t t)
{
  omen_item item;
  bool there;
  if (OMEN_LIKELY (!merge->ambiguous) || merge->threads[t].unsure)
    return false;
  there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  return item.left ? omen_sums_ambiguous (merge, t)
                   : omen_merge_fits (merge, &item)
                         && omen_ambiguous_read (merge, t, &item);
}

bool
omen_blocked_answer_sum (omen_merge *merge, uint32_t t)
{
  omen_item item;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  if (!item.left || merge->threads[t].unsure || is_ambiguous (merge, t)
      || !omen_sums_answer (merge, t))
    return false;
  unblock (merge, bed_of (merge, t));
  omen_merge_ready (merge, t);
  return true;
}

/* Loads that share a checksum, in an order that is not certain. */
static bool
is_open_sum (omen_merge *merge, uint32_t t)
{
  omen_item item;
  return omen_cursor_peek (&merge->threads[t].cursor, &item) && item.left
         && !merge->threads[t].unsure;
}

/* In a growing file, what was logged when the thread was blocked appears before
   the second mark since then. */
static bool
is_early (const omen_merge *merge, uint32_t t)
{
  return merge->live && merge->round < merge->threads[t].round + 2;
}

/* As omen_blocked_hint, from where the scan found times: each chunk but the
   first of a thread begins with one. */
static uint64_t
hint_of_chunk (const omen_merge *merge, uint32_t t, uint64_t at, uint64_t time,
               uint64_t *hint)
{
  const omen_notes_thread *thread = &merge->file->threads.data[t];
  const omen_chunk_times *times = &merge->summary->chunk_times;
  size_t i = OMEN_FIRST_NOT (
      k, 0, times->count,
      times->data[k].thread < t
          || (times->data[k].thread == t
              && (thread->chunks[times->data[k].chunk].header.first < at
                  || times->data[k].time < time)));
  if (i == times->count || times->data[i].thread != t)
    return thread->notes;
  *hint = times->data[i].time;
  return thread->chunks[times->data[i].chunk].header.first + 1;
}

uint64_t
omen_blocked_hint (omen_merge *merge, uint32_t t, uint64_t time, uint64_t *hint)
{
  const omen_note_cursor *cursor = &merge->threads[t].cursor;
  uint64_t at = omen_cursor_position (cursor);
  omen_note_cursor ahead;
  omen_item item;
  *hint = UINT64_MAX;
  if (at >= cursor->thread->notes)
    return at;
  if (merge->summary->chunk_times.count && !cursor->thread->extracted)
    return hint_of_chunk (merge, t, at, time, hint);
  omen_cursor_init (&ahead, merge->file, cursor->thread);
  omen_cursor_seek (&ahead, at);
  while (*hint == UINT64_MAX && omen_cursor_peek (&ahead, &item)) {
    if (item.kind == OMEN_ITEM_TIME && item.a >= time)
      *hint = item.a;
    omen_cursor_pass (&ahead, &item);
  }
  at = omen_cursor_position (&ahead);
  omen_cursor_fini (&ahead);
  return at;
}

/* Is everything in the order that came before t's next read, except what other
   blocked threads hold back? All threads that can go on have come to `time`. */
static bool
is_past (omen_merge *merge, uint32_t t, uint64_t time)
{
  omen_merge_thread *thread = &merge->threads[t];
  if (!merge->summary->times || !merge_goes_on (merge))
    return false;
  if (!thread->bound)
    omen_blocked_hint (merge, t, 0, &thread->bound);
  return thread->bound < time;
}

/* ---- exposed memory ----
   What is read first there may be the last thing that another thread caused, so
   the read comes after everything that was done until then. */

static bool
reads_exposed (omen_merge *merge, uint32_t t)
{
  omen_item item;
  omen_extent all;
  if (OMEN_LIKELY (!merge->file->mappings.exposed.count)
      || !omen_cursor_peek (&merge->threads[t].cursor, &item)
      || merge->threads[t].unsure)
    return false;
  if (item.left)
    return omen_sums_exposed (merge, t);
  all = omen_item_extent (merge->file, &item);
  return omen_image_exposed (&merge->image, all.address, all.length);
}

/* May something that came before t's read wait for another blocked thread? */
static bool
is_held_back (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  if (!thread->bound)
    omen_blocked_hint (merge, t, 0, &thread->bound);
  for (size_t i = 0; i < merge->blocked.count; i++) {
    uint32_t other = merge->blocked.data[i];
    if (other != t && merge->threads[other].time <= thread->bound)
      return true;
  }
  return false;
}

static bool
is_held_back_exposed (omen_merge *merge, uint32_t t)
{
  return reads_exposed (merge, t) && is_held_back (merge, t);
}

/* Resolves it if all that came before it is in the order, or can be only after
   a cut. */
static bool
expire_exposed (omen_merge *merge, uint32_t t, uint64_t time)
{
  if (!is_past (merge, t, time))
    return false;
  if (is_held_back (merge, t)
      || (!omen_blocked_answer_sum (merge, t) && !omen_explain (merge, t)))
    omen_blocked_end (merge, t);
  return true;
}

/* Resolves each read that is past its deadline. A read that may still get its
   value waits on while others run. */
void
omen_blocked_expire (omen_merge *merge, uint64_t time)
{
  for (size_t i = 0; i < merge->blocked.count;) {
    uint32_t t = merge->blocked.data[i];
    omen_merge_thread *thread = &merge->threads[t];
    if (is_early (merge, t) || is_ambiguous (merge, t)
        || (thread->deadline >= time && thread->deadline_step >= merge->step)) {
      i++;
      continue;
    }
    if (reads_exposed (merge, t)) {
      if (expire_exposed (merge, t, time))
        continue;
    } else if (omen_blocked_answer_sum (merge, t))
      continue;
    else if (thread->unsure || is_open_sum (merge, t)) {
      if (is_past (merge, t, time)) {
        omen_blocked_end (merge, t);
        continue;
      }
    } else if (!omen_try_ahead (merge, t)) {
      if (omen_explain (merge, t))
        continue;
      if (!merge_goes_on (merge) || is_past (merge, t, time)) {
        omen_blocked_end (merge, t);
        continue;
      }
    }
    thread->deadline = time < UINT64_MAX / 2 ? time + WAIT_TIME : UINT64_MAX;
    thread->deadline_step = merge->step + WAIT_STEPS;
    i++;
  }
}

/* The blocked thread that is furthest behind, among those that cannot be
   explained or among the others; or OMEN_NONE. */
static uint32_t
first_blocked (omen_merge *merge, bool open)
{
  uint32_t first = OMEN_NONE;
  for (size_t i = 0; i < merge->blocked.count; i++) {
    uint32_t t = merge->blocked.data[i];
    if (!is_early (merge, t)
        && (is_ambiguous (merge, t) || is_open_sum (merge, t)) == open
        && (first == OMEN_NONE
            || merge->threads[t].time < merge->threads[first].time))
      first = t;
  }
  return first;
}

/* The free that an allocation waits for never comes, or cannot come: lets the
   allocation proceed. */
static bool
give_memory (omen_merge *merge)
{
  for (uint32_t t = 0; t < merge->count; t++) {
    omen_merge_thread *thread = &merge->threads[t];
    if (thread->state != OMEN_MERGE_MEMORY)
      continue;
    thread->given = omen_cursor_position (&thread->cursor) + 1;
    omen_merge_ready (merge, t);
    return true;
  }
  return false;
}

bool
omen_blocked_resolve (omen_merge *merge)
{
  uint32_t first;
  bool any = omen_numbers_relax (merge);
  for (size_t i = 0; i < merge->blocked.count; i++)
    any |= omen_try_ahead (merge, merge->blocked.data[i]);
  if (any)
    return true;
  for (size_t i = 0; i < merge->blocked.count; i++)
    if (!is_early (merge, merge->blocked.data[i])
        && !is_held_back_exposed (merge, merge->blocked.data[i])
        && omen_blocked_answer_sum (merge, merge->blocked.data[i]))
      return true;
  first = first_blocked (merge, false);
  if (first != OMEN_NONE) {
    if (merge->threads[first].unsure || is_held_back_exposed (merge, first)
        || !omen_explain (merge, first))
      omen_blocked_end (merge, first);
    return true;
  }
  first = first_blocked (merge, true);
  if (first == OMEN_NONE)
    return give_memory (merge);
  omen_blocked_end (merge, first);
  return true;
}
