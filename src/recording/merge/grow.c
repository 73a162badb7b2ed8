/* The merge of a growing file: the part of the order that is fixed is handed
   out; late reads can still be inserted into the rest. */
#include "recording/merge/merge.h"

#include <string.h>

/* Readers of old numbers are no longer counted beyond this many. */
#define MOST_READERS ((uint32_t)OMEN_HARD_OR (16, 1 << 14))
/* Steps that wait for a number which may never come. */
#define MOST_OPEN ((uint64_t)OMEN_HARD_OR (1 << 12, 1 << 20))

static bool
has_more (const omen_merge *merge, uint32_t t)
{
  const omen_merge_thread *thread = &merge->threads[t];
  return (thread->state == OMEN_MERGE_DRY || thread->state == OMEN_MERGE_OVER)
         && omen_cursor_position (&thread->cursor)
                < merge->file->threads.data[t].notes;
}

void
omen_merge_more (omen_merge *merge)
{
  OMEN_REQUIRE (merge->live);
  while (merge->count < merge->file->threads.count)
    omen_merge_add (merge);
  for (uint32_t t = 0; t < merge->count; t++)
    if (has_more (merge, t))
      omen_merge_ready (merge, t);
  omen_merge_run (merge);
}

/* ---- what is fixed ---- */

/* The next item of a waiting thread may still be inserted right after its last
   one. */
static uint64_t
open_from (const omen_merge *merge, uint64_t step)
{
  uint64_t from = step;
  for (uint32_t t = 0; t < merge->count; t++) {
    const omen_merge_thread *thread = &merge->threads[t];
    if ((thread->state == OMEN_MERGE_NUMBER
         || thread->state == OMEN_MERGE_BLOCKED_READ)
        && thread->after < from)
      from = thread->after;
  }
  return merge->step - from > MOST_OPEN ? step : from;
}

/* Hands out the runs up to `step`; the last one may be split. */
static void
take_runs (omen_merge *merge, uint64_t step, omen_rebuilt *part)
{
  omen_order_slice *runs = merge->out->runs.data;
  uint64_t at = merge->floor;
  size_t i = 0;
  for (; at < step; i++) {
    uint64_t notes = runs[i].notes < step - at ? runs[i].notes : step - at;
    OMEN_VEC_PUSH (part->runs,
                   ((omen_order_slice){ runs[i].thread, (uint32_t)notes }));
    at += notes;
    if (notes == runs[i].notes)
      continue;
    runs[i].notes -= (uint32_t)notes;
    break;
  }
  merge->out->runs.count -= i;
  if (merge->out->runs.count && i)
    memmove (runs, runs + i, merge->out->runs.count * sizeof *runs);
}

/* Applies the insertions before `step`. */
static void
take_insertions (omen_merge *merge, uint64_t step, omen_rebuilt *part)
{
  OMEN_VEC (omen_insertion) taken = { 0 };
  size_t left = 0;
  for (size_t i = 0; i < merge->insertions.count; i++) {
    omen_insertion late = merge->insertions.data[i];
    if (late.step < step)
      OMEN_VEC_PUSH (taken, late);
    else
      merge->insertions.data[left++] = late;
  }
  merge->insertions.count = left;
  omen_insert_late (part, merge->floor, taken.data, taken.count);
  OMEN_VEC_FINI (taken);
}

/* Hands out the changes from outside before the items that were taken. */
static void
take_outside (omen_merge *merge, omen_rebuilt *part)
{
  omen_rebuilt *out = merge->out;
  size_t left = 0;
  for (size_t i = 0; i < part->runs.count; i++)
    merge->threads[part->runs.data[i].thread].taken += part->runs.data[i].notes;
  for (size_t i = 0; i < out->outside.count; i++) {
    omen_outside outside = out->outside.data[i];
    if (outside.position < merge->threads[outside.thread].taken) {
      OMEN_VEC_PUSH (part->outside, outside);
      continue;
    }
    out->outside.data[left++] = outside;
  }
  out->outside.count = left;
  omen_outside_sort (part);
}

static void
forget_readers (omen_merge *merge)
{
  omen_map *readers = &merge->summary->readers, left;
  if (readers->count < MOST_READERS)
    return;
  omen_map_init (&left);
  for (uint32_t i = 0; i <= readers->mask; i++)
    if (readers->entries[i].key != OMEN_MAP_NO_KEY && readers->entries[i].value)
      *omen_map_at (&left, readers->entries[i].key) = readers->entries[i].value;
  omen_map_fini (readers);
  *readers = left;
}

/* The step of the last mark that is `lag` steps back or more; older marks are
   dropped. */
static uint64_t
last_mark (omen_merge *merge, uint64_t lag)
{
  size_t i = 0;
  uint64_t step = merge->floor;
  while (i < merge->marks.count && merge->marks.data[i] + lag <= merge->step)
    step = merge->marks.data[i++];
  merge->marks.count -= i;
  if (i && merge->marks.count)
    memmove (merge->marks.data, merge->marks.data + i,
             merge->marks.count * sizeof *merge->marks.data);
  OMEN_VEC_PUSH (merge->marks, merge->step);
  return step;
}

void
omen_merge_take (omen_merge *merge, uint64_t lag, omen_rebuilt *part)
{
  uint64_t step = last_mark (merge, lag);
  OMEN_REQUIRE (merge->live && step <= merge->step);
  *part = (omen_rebuilt){ 0 };
  if (!lag)
    step = merge->step;
  step = open_from (merge, step);
  if (step <= merge->floor)
    return;
  take_runs (merge, step, part);
  take_insertions (merge, step, part);
  take_outside (merge, part);
  merge->floor = step;
  for (uint32_t t = 0; t < merge->count; t++)
    if (merge->threads[t].after < step)
      merge->threads[t].after = step;
  forget_readers (merge);
}

/* ---- the end ---- */

void
omen_merge_settle (omen_merge *merge)
{
  OMEN_REQUIRE (merge->live);
  merge->live = false;
  merge->grew = true;
  for (uint32_t t = 0; t < merge->count; t++)
    if (merge->threads[t].state == OMEN_MERGE_DRY)
      omen_merge_over (merge, t);
  omen_merge_run (merge);
  omen_merge_report (merge);
}
