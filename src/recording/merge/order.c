/* The main loop of the merge: which thread is next. */
#include "recording/merge/races.h"

#include <stdlib.h>
#include <string.h>

/* Without time hints, threads take turns after this many records. */
#define TURN OMEN_HARD_OR ((uint64_t)3, (uint64_t)1 << 12)

/* ---- the ready threads, least time first ---- */

static bool
is_before (const omen_merge *merge, uint32_t a, uint32_t b)
{
  uint64_t x = merge->threads[a].time, y = merge->threads[b].time;
  return x != y ? x < y : a < b;
}

static void
heap_put (omen_merge *merge, uint32_t t)
{
  size_t i = merge->heap.count;
  OMEN_VEC_PUSH (merge->heap, t);
  while (i && is_before (merge, t, merge->heap.data[(i - 1) / 2])) {
    merge->heap.data[i] = merge->heap.data[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  merge->heap.data[i] = t;
}

uint32_t
omen_merge_next (omen_merge *merge)
{
  uint32_t *heap = merge->heap.data;
  uint32_t first = heap[0], last = OMEN_VEC_POP (merge->heap);
  size_t count = merge->heap.count, i = 0, child;
  for (; (child = 2 * i + 1) < count; i = child) {
    child
        += child + 1 < count && is_before (merge, heap[child + 1], heap[child]);
    if (!is_before (merge, heap[child], last))
      break;
    heap[i] = heap[child];
  }
  if (count)
    heap[i] = last;
  return first;
}

void
omen_merge_ready (omen_merge *merge, uint32_t t)
{
  OMEN_ASSERT (merge->threads[t].state != OMEN_MERGE_READY);
  merge->threads[t].state = OMEN_MERGE_READY;
  heap_put (merge, t);
}

/* ---- cuts ---- */

void
omen_merge_cut (omen_merge *merge, uint32_t t, bool after)
{
  uint64_t at = omen_cursor_position (&merge->threads[t].cursor) - after;
  OMEN_VEC_PUSH (merge->out->outside, ((omen_outside){ t, 0, at, 0, after }));
}

void
omen_merge_serial (omen_merge *merge, uint32_t t, uint64_t hint)
{
  for (uint32_t other = 0; other < merge->count; other++) {
    omen_merge_thread *thread = &merge->threads[other];
    uint64_t at, found;
    if (other == t || (merge->summary->times && thread->time >= hint))
      continue;
    at = omen_blocked_hint (merge, other, hint, &found);
    if (at > thread->serial)
      thread->serial = at;
  }
  merge->serial = true;
}

/* Continues with another thread: after a cut the same one, if none is too far
   behind. */
static void
take_turn (omen_merge *merge, uint32_t t)
{
  bool serial = false;
  omen_merge_cut (merge, t, false);
  for (uint32_t other = 0; other < merge->count; other++)
    serial |= omen_cursor_position (&merge->threads[other].cursor)
              < merge->threads[other].serial;
  merge->serial = serial;
}

/* ---- doing ---- */

void
omen_merge_pass (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_merge_thread *thread = &merge->threads[t];
  omen_order_slice *last
      = merge->out->runs.count ? &OMEN_VEC_LAST (merge->out->runs) : NULL;
  uint32_t notes = item->notes;
  uint64_t lock;
  bool taken = false;
  if (OMEN_UNLIKELY (merge->serial) && last && last->thread != t)
    take_turn (merge, t);
  if (item->kind >= OMEN_ITEM_FIRST) {
    if (!omen_try_fails (item)
        || thread->tried <= omen_cursor_position (&thread->cursor))
      omen_numbers_pass (merge, item);
    taken = omen_try_follow (merge, t, item, &lock);
  }
  if (last && last->thread == t && last->notes < UINT32_MAX - notes)
    last->notes += notes;
  else
    OMEN_VEC_PUSH (merge->out->runs, ((omen_order_slice){ t, notes }));
  merge->step += notes;
  thread->after = merge->step;
  omen_cursor_pass (&thread->cursor, item);
  if (taken && merge->blocked.count)
    omen_blocked_wake_tries (merge, t, lock);
}

void
omen_merge_insert (omen_merge *merge, uint32_t t, const omen_item *item,
                   uint64_t step)
{
  omen_merge_thread *thread = &merge->threads[t];
  OMEN_ASSERT (step >= thread->after && step < merge->step);
  OMEN_VEC_PUSH (
      merge->insertions,
      ((omen_insertion){ step, merge->insertions.count, t, item->notes }));
  thread->after = step;
  omen_cursor_pass (&thread->cursor, item);
}

void
omen_merge_outside (omen_merge *merge, uint32_t t, uint64_t address,
                    uint32_t size)
{
  uint64_t at = omen_cursor_position (&merge->threads[t].cursor);
  OMEN_VEC_PUSH (merge->out->outside,
                 ((omen_outside){ t, size, at, address, false }));
  if (omen_merge_grows (merge))
    return;
  for (uint64_t word = address / 8; word <= (address + size - 1) / 8; word++)
    *omen_map_at (&merge->outside_words, word) = 1;
}

bool
omen_merge_was_outside (const omen_merge *merge, uint64_t address)
{
  return omen_map_get (&merge->outside_words, address / 8) == 1;
}

/* ---- the main loop ---- */

/* Threads that join it may go on. */
void
omen_merge_over (omen_merge *merge, uint32_t t)
{
  if (merge->live && !merge->threads[t].died) {
    merge->threads[t].state = OMEN_MERGE_DRY;
    return;
  }
  const omen_notes_thread *notes = &merge->file->threads.data[t];
  if (notes->shortened
      && (notes->notes || !notes->forked
          || omen_map_get (&merge->summary->forked, notes->id) == 1)) {
    merge->cut = true; /* what the others do now may come after what it did */
    return;
  }
  merge->threads[t].state = OMEN_MERGE_OVER;
  for (uint32_t other = 0; other < merge->count; other++)
    if (merge->threads[other].state == OMEN_MERGE_THREAD)
      omen_merge_ready (merge, other);
}

static uint64_t
next_time (const omen_merge *merge)
{
  return merge->heap.count ? merge->threads[merge->heap.data[0]].time
                           : UINT64_MAX;
}

/* Has it reached a limit of the file? */
static bool
is_over (omen_merge *merge)
{
  omen_limits *limits = merge->file->limits;
  if (OMEN_LIKELY (++merge->items % OMEN_MERGE_LOOK) || !limits)
    return merge->cut;
  merge->cut
      = omen_limits_over (limits, merge->step, merge->file->reader->notes);
  return merge->cut;
}

/* Appends item after item, until one cannot go or other threads are behind. */
static void
run_thread (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint64_t turn = omen_cursor_position (&thread->cursor) + TURN;
  omen_item item;
  if (!*thread->born) {
    thread->state = OMEN_MERGE_THREAD;
    return;
  }
  for (;;) {
    if (!omen_cursor_peek (&thread->cursor, &item)) {
      omen_merge_over (merge, t);
      return;
    }
    if (!omen_merge_item (merge, t, &item) || is_over (merge))
      return;
    if (merge->yields) {
      merge->yields = false;
      break;
    }
    if (merge->summary->times) {
      if (thread->time > next_time (merge))
        break;
    } else if (omen_cursor_position (&thread->cursor) >= turn) {
      thread->time = omen_cursor_position (&thread->cursor);
      break;
    }
  }
  heap_put (merge, t);
}

void
omen_merge_run (omen_merge *merge)
{
  do {
    while (merge->heap.count && !merge->cut) {
      uint32_t t = omen_merge_next (merge);
      if (merge->blocked.count)
        omen_blocked_expire (merge, merge->threads[t].time);
      run_thread (merge, t);
    }
  } while (!merge->cut && omen_blocked_resolve (merge));
}

/* ---- before and after ---- */

uint64_t *
omen_merge_born (omen_merge *merge, uint64_t id)
{
  uint32_t *index = omen_map_at (&merge->born_index, id);
  if (*index == OMEN_NONE) {
    *index = (uint32_t)merge->born.count;
    OMEN_VEC_PUSH (merge->born, OMEN_ARENA_NEW (&merge->arena, uint64_t, 1));
  }
  return merge->born.data[*index];
}

void
omen_merge_add (omen_merge *merge)
{
  uint32_t t = merge->count++;
  omen_merge_thread *thread = &merge->threads[t];
  const omen_notes_thread *notes = &merge->file->threads.data[t];
  OMEN_REQUIRE (t < merge->room && t < merge->file->threads.count);
  omen_cursor_init (&thread->cursor, merge->file, notes);
  thread->state = OMEN_MERGE_READY;
  thread->born = omen_merge_born (merge, notes->id);
  if (!notes->forked && omen_map_get (&merge->summary->forked, notes->id) != 1)
    *thread->born = 1;
  *omen_map_at (&merge->index, notes->id) = t;
  merge->one_log = !t && notes->id == OMEN_NONE;
  heap_put (merge, t);
}

/* Numbers before the first one were given before the start. The first of an
   atomic shard is a writer's (even: the one before has gone) or that of a
   reader of the previous number. */
static void
start_numbers (omen_merge *merge)
{
  const uint64_t *first = merge->summary->first;
  for (uint32_t q = 0; q < OMEN_QUEUES; q++) {
    if (first[q] == UINT64_MAX)
      continue;
    if (q < OMEN_SHARDS)
      merge->numbers[q] = first[q];
    else if (first[q] % 2)
      merge->numbers[q] = first[q] - 1;
    else
      merge->numbers[q] = first[q] >= 2 ? first[q] - 2 : 0;
  }
}

void
omen_merge_init (omen_merge *merge, omen_notes_file *file,
                 omen_notes_summary *summary, omen_rebuilt *rebuilt,
                 uint32_t room)
{
  OMEN_REQUIRE (room >= file->threads.count);
  *rebuilt = (omen_rebuilt){ 0 };
  *merge = (omen_merge){
    .file = file, .summary = summary, .out = rebuilt, .room = room
  };
  merge->threads = omen_zalloc (room, sizeof *merge->threads);
  merge->numbers = omen_zalloc (OMEN_QUEUES, sizeof *merge->numbers);
  merge->waiters = omen_alloc (OMEN_QUEUES * sizeof *merge->waiters);
  memset (merge->waiters, 0xff, OMEN_QUEUES * sizeof *merge->waiters);
  if (merge->file->late)
    start_numbers (merge);
  merge->values = !(merge->file->flags & OMEN_RECORDING_NO_VALUES);
  omen_map_init (&merge->index);
  omen_map_init (&merge->lock_index);
  omen_map_init (&merge->passed);
  omen_map_init (&merge->born_index);
  omen_map_init (&merge->outside_words);
  omen_map_init (&merge->unseen);
  omen_arena_init (&merge->arena);
  omen_image_init (&merge->image, merge->file);
  omen_living_init (&merge->living, &summary->frees);
  while (merge->count < file->threads.count)
    omen_merge_add (merge);
}

void
omen_merge_fini (omen_merge *merge)
{
  for (uint32_t t = 0; t < merge->count; t++)
    omen_cursor_fini (&merge->threads[t].cursor);
  omen_races_free (merge->ambiguous);
  omen_races_free (merge->races);
  omen_free (merge->threads);
  omen_free (merge->numbers);
  omen_free (merge->waiters);
  omen_map_fini (&merge->index);
  omen_map_fini (&merge->lock_index);
  omen_map_fini (&merge->passed);
  omen_map_fini (&merge->born_index);
  omen_map_fini (&merge->outside_words);
  omen_map_fini (&merge->unseen);
  omen_living_fini (&merge->living);
  OMEN_VEC_FINI (merge->born);
  omen_arena_fini (&merge->arena);
  OMEN_VEC_FINI (merge->locks);
  omen_image_fini (&merge->image);
  OMEN_VEC_FINI (merge->marks);
  OMEN_VEC_FINI (merge->heap);
  OMEN_VEC_FINI (merge->blocked);
  OMEN_VEC_FINI (merge->insertions);
}

static int
compare_insertions (const void *left, const void *right)
{
  const omen_insertion *a = left, *b = right;
  if (a->step != b->step)
    return a->step < b->step ? -1 : 1;
  return a->serial < b->serial ? -1 : a->serial > b->serial;
}

/* Splits runs where something was inserted. */
void
omen_insert_late (omen_rebuilt *out, uint64_t step, omen_insertion *late,
                  size_t count)
{
  OMEN_VEC (omen_order_slice) runs = { 0 };
  size_t next = 0;
  out->late += count;
  if (!count)
    return;
  qsort (late, count, sizeof *late, compare_insertions);
  for (size_t i = 0; i < out->runs.count; i++) {
    omen_order_slice run = out->runs.data[i];
    for (; next < count && late[next].step < step + run.notes; next++) {
      uint32_t before = (uint32_t)(late[next].step - step);
      if (before)
        OMEN_VEC_PUSH (runs, ((omen_order_slice){ run.thread, before }));
      OMEN_VEC_PUSH (
          runs, ((omen_order_slice){ late[next].thread, late[next].notes }));
      run.notes -= before;
      step += before;
    }
    OMEN_VEC_PUSH (runs, run);
    step += run.notes;
  }
  OMEN_ASSERT (next == count);
  OMEN_VEC_FINI (out->runs);
  memcpy (&out->runs, &runs, sizeof runs);
}

/* ---- what came from outside ---- */

static int
compare_outside (const void *left, const void *right)
{
  const omen_outside *a = left, *b = right;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  if (a->position != b->position)
    return a->position < b->position ? -1 : 1;
  if (a->after != b->after)
    return a->after - b->after;
  return a->address < b->address ? -1 : a->address > b->address;
}

void
omen_outside_sort (omen_rebuilt *out)
{
  OMEN_VEC_SORT (out->outside, compare_outside);
}

/* Notes that are not in the order, with those that were dropped. */
static uint64_t
notes_left (const omen_note_cursor *cursor)
{
  const omen_notes_thread *thread = cursor->thread;
  uint64_t at = omen_cursor_position (cursor), left = thread->notes - at;
  for (; thread->extracted && at < thread->notes; at++)
    if (thread->kept.data[at].site == OMEN_SKIPPED)
      left += thread->kept.data[at].a - 1;
  return left;
}

void
omen_merge_report (omen_merge *merge)
{
  omen_rebuilt *out = merge->out;
  omen_insert_late (out, merge->floor, merge->insertions.data,
                    merge->insertions.count);
  omen_outside_sort (out);
  for (uint32_t t = 0; t < merge->count; t++) {
    out->unused += notes_left (&merge->threads[t].cursor);
    out->ended += !merge->cut && merge->threads[t].state != OMEN_MERGE_OVER;
  }
}

#define MERGE_SHARE 0.5 /* of the limits: making events needs the rest */

bool
omen_rebuild_order (omen_notes_file *file, omen_notes_summary *summary,
                    omen_rebuilt *rebuilt)
{
  omen_merge merge;
  omen_merge_init (&merge, file, summary, rebuilt,
                   (uint32_t)file->threads.count);
  if (file->ambiguous && merge.values)
    merge.ambiguous = omen_races_new (file);
  omen_limits_begin (file->limits, "merging notes", MERGE_SHARE);
  if (merge.ambiguous && !omen_races_find (merge.ambiguous)) {
    omen_races_free (merge.ambiguous);
    merge.ambiguous = NULL;
  }
  omen_merge_run (&merge);
  omen_merge_report (&merge);
  omen_merge_fini (&merge);
  return !file->reader->failed;
}

void
omen_rebuilt_fini (omen_rebuilt *rebuilt)
{
  OMEN_VEC_FINI (rebuilt->runs);
  OMEN_VEC_FINI (rebuilt->outside);
}
