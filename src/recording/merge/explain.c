/* Resolves reads whose value no write in the order so far explains, when no
   thread can go on without: code that is not recorded wrote it, or the writer
   cannot be known. */
#include "recording/merge/races.h"
#include "recording/ring/ambiguous.h"
#include "wire/abi.h"

/* ---- answers ---- */

void
omen_explain_changed (omen_merge *merge, uint32_t t, uint64_t address,
                      uint32_t size)
{
  omen_doer doer
      = { merge->step, omen_cursor_position (&merge->threads[t].cursor), t };
  omen_merge_outside (merge, t, address, size);
  omen_image_forget (&merge->image, &doer, address, size, false);
}

/* From now on memory has what the item reads. */
static void
learn_read (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_doer doer
      = { merge->step, omen_cursor_position (&merge->threads[t].cursor), t };
  omen_wanted w;
  for (uint64_t k = 0; omen_wanted_word (merge, item, k, &w); k++)
    omen_image_learn_word (&merge->image, &doer, w.address, w.mask, w.value);
}

void
omen_explain_outside (omen_merge *merge, uint32_t t)
{
  omen_item item;
  omen_extent all;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there);
  if (omen_try_is (&item)) {
    uint64_t at = omen_cursor_position (&merge->threads[t].cursor);
    merge->threads[t].given_up = at + 1;
    return;
  }
  all = omen_item_extent (merge->file, &item);
  if (item.kind != OMEN_ITEM_RANGE_READ)
    omen_explain_changed (merge, t, all.address, (uint32_t)all.length);
  for (uint64_t i = 0; item.kind == OMEN_ITEM_RANGE_READ && i < all.length;
       i += 8) {
    unsigned size = omen_item_piece (&item, i);
    if (!omen_image_fits (&merge->image, all.address + i, size,
                          omen_item_bytes (&item, i, size)))
      omen_explain_changed (merge, t, all.address + i, size);
  }
  if (!item.left)
    learn_read (merge, t, &item);
}

/* After a cut the previous contents count as unknown; *value, if t read it. */
void
omen_explain_forget (omen_merge *merge, uint32_t t, uint64_t address,
                     unsigned size, const uint64_t *value)
{
  uint64_t at = omen_cursor_position (&merge->threads[t].cursor) - 1;
  omen_doer doer = { merge->step - 1, at, t };
  omen_outside *outside;
  omen_merge_outside (merge, t, address, size);
  outside = &OMEN_VEC_LAST (merge->out->outside);
  outside->position = at;
  outside->after = true;
  omen_image_forget (&merge->image, &doer, address, size, false);
  if (value)
    omen_image_learn (&merge->image, &doer, address, size, *value);
  else
    omen_merge_unsee (merge, address, size);
  omen_blocked_wake (merge, address, size);
}

/* The load gets no value: it saw none of the writes in the order. */
static bool
cut_load (omen_merge *merge, uint32_t t, const omen_item *load)
{
  omen_note_cursor *cursor = &merge->threads[t].cursor;
  omen_item again;
  omen_cursor_settle (cursor, cursor->at, 0, OMEN_LEFT_UNKNOWN);
  omen_cursor_peek (cursor, &again);
  omen_merge_item (merge, t, &again);
  omen_merge_cut (merge, t, true);
  omen_explain_forget (merge, t, load->a, load->size, &load->b);
  merge->out->unknown++;
  return true;
}

static bool
cut_unsure (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_doer doer
      = { merge->step, omen_cursor_position (&merge->threads[t].cursor), t };
  bool passed;
  merge->out->loops += merge->loops;
  merge->threads[t].sure = doer.position + 1;
  if (item->kind == OMEN_SITE_LOAD && !item->left)
    omen_image_learn (&merge->image, &doer, item->a, item->size, item->b);
  passed = omen_merge_item (merge, t, item);
  omen_merge_cut (merge, t, true);
  return passed;
}

/* An item that reads and writes in one step, or reads many words: all of it
   comes after the cut. */
static bool
cut_before (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_extent all = omen_item_extent (merge->file, item);
  bool passed;
  omen_merge_cut (merge, t, false);
  omen_explain_outside (merge, t);
  passed = omen_merge_item (merge, t, item);
  omen_blocked_wake (merge, all.address, all.length);
  return passed;
}

void
omen_explain_cut (omen_merge *merge, uint32_t t)
{
  omen_item item;
  bool there = omen_cursor_peek (&merge->threads[t].cursor, &item);
  OMEN_ASSERT (there && merge->threads[t].state == OMEN_MERGE_BLOCKED_READ);
  merge->out->cuts++;
  if (merge->threads[t].unsure      ? cut_unsure (merge, t, &item)
      : item.left                   ? omen_sums_cut (merge, t)
      : item.kind == OMEN_SITE_LOAD ? cut_load (merge, t, &item)
                                    : cut_before (merge, t, &item))
    omen_merge_ready (merge, t);
}

/* In a recording that lost its beginning, the value may come from a lost write
   of another thread. */
static bool
may_be_inside (omen_merge *merge, uint32_t t)
{
  omen_item item;
  return merge->ambiguous && omen_cursor_peek (&merge->threads[t].cursor, &item)
         && omen_ambiguous_source (merge, t, &item);
}

/* Did a word that does not fit have the value before another thread's change,
   or after it? Later changes by the reading thread itself are no obstacle: the
   other thread's may come later. */
static bool
word_was_there (omen_merge *merge, uint32_t t, const omen_wanted *w)
{
  const omen_change *change = omen_wanted_last (merge, w);
  bool after = false;
  for (unsigned seen = 0; change && seen < OMEN_MOST_CHANGES; seen++) {
    bool before = omen_wanted_before (change, w);
    if (change->thread != t && (before || after))
      return true;
    after = before;
    change = omen_image_change (&merge->image, w->address, change->before);
  }
  return false;
}

/* Every word that does not fit must have had its value. */
static bool
was_there (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_wanted w;
  for (uint64_t k = 0; omen_wanted_word (merge, item, k, &w); k++)
    if (!omen_image_word_fits (&merge->image, w.address, w.mask, w.value)
        && !word_was_there (merge, t, &w))
      return false;
  return true;
}

bool
omen_explain_is_outside (omen_merge *merge, uint32_t t, const omen_item *item)
{
  return !omen_merge_grows (merge) && omen_writers_outside (merge, t, item)
         && !may_be_inside (merge, t);
}

/* If no write in the file can have left the value, it came from outside. In a
   growing file the writers are not all known, so the value counts as from
   outside if nothing in the order has it. A failed try becomes one that failed
   for an unknown reason. */
bool
omen_explain (omen_merge *merge, uint32_t t)
{
  omen_item item;
  omen_cursor_peek (&merge->threads[t].cursor, &item);
  if (!omen_try_is (&item)
      && (omen_merge_grows (merge)
              ? was_there (merge, t, &item)
              : !omen_explain_is_outside (merge, t, &item)))
    return false;
  omen_blocked_answer (merge, t);
  return true;
}

/* Memory that no other thread writes: a change from outside can be assumed at
   once. */
bool
omen_explain_own (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_extent all = omen_item_extent (merge->file, item);
  if (omen_merge_grows (merge) || merge->ambiguous || !all.length
      || !omen_writers_own (merge, t, all.address, all.length))
    return false;
  if (item->left)
    return omen_sums_own (merge, t);
  omen_explain_outside (merge, t);
  return true;
}
