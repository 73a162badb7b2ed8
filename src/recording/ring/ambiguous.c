#include "recording/ring/ambiguous.h"
#include "wire/abi.h"

static bool
is_merged (const omen_merge *merge, const omen_race_write *write)
{
  return write->position
         < omen_cursor_position (&merge->threads[write->thread].cursor);
}

/* ---- one word ---- */

/* Bytes of a word that are unknown in the image but could be known. */
static unsigned
unknown_of (omen_merge *merge, const omen_wanted *w)
{
  const omen_page *page = omen_image_page (&merge->image, w->address);
  unsigned i = w->address / 8 % OMEN_PAGE_WORDS;
  unsigned unknown = w->mask & ~page->known[i];
  return page->stack ? unknown & page->covered[i] : unknown;
}

/* The bytes of `mask` that are equal in both. */
static unsigned
same_bytes (const omen_race_write *write, const omen_wanted *w, unsigned mask)
{
  unsigned same = 0;
  for (unsigned i = 0; i < 8; i++)
    if (write->any
        || (uint8_t)(write->value >> 8 * i) == (uint8_t)(w->value >> 8 * i))
      same |= 1u << i;
  return same & mask & write->mask;
}

/* May the bytes come from a write that is not merged yet? If all such writes
   cover the whole of what is read, the last of them must have its value; if one
   covers a part, any byte may come from any of them. */
static bool
word_ambiguous (omen_merge *merge, uint32_t t, const omen_wanted *w)
{
  unsigned unknown = unknown_of (merge, w);
  const omen_race_write *end, *write;
  const omen_race_time *now = NULL;
  bool parts = false, some = false, whole = false;
  if (OMEN_LIKELY (!unknown))
    return false;
  for (write = omen_races_writes (merge->ambiguous, w->address / 8, &end);
       write < end; write++) {
    if (write->thread == t || !(write->mask & w->mask)
        || is_merged (merge, write))
      continue;
    now = now ? now : omen_races_now (merge->ambiguous, merge, t);
    if (now && omen_race_is_after (merge->ambiguous, t, now, write))
      continue;
    parts |= (write->mask & w->mask) != w->mask;
    some |= same_bytes (write, w, unknown) != 0;
    whole |= same_bytes (write, w, w->mask) == w->mask;
  }
  return parts ? some : whole;
}

/* Does another thread write them, in a word with racing accesses? */
static bool
others_write (const omen_merge *merge, uint32_t t, const omen_wanted *w)
{
  const omen_race_write *end, *write;
  for (write = omen_races_writes (merge->ambiguous, w->address / 8, &end);
       write < end; write++)
    if (write->thread != t && write->mask & w->mask)
      return true;
  return false;
}

/* Is there a write of another thread that is not ordered with this item? */
static bool
bytes_race (omen_merge *merge, uint32_t t, uint64_t word, unsigned mask)
{
  const omen_race_write *end, *write;
  const omen_race_time *now = NULL;
  if (!mask)
    return false;
  for (write = omen_races_writes (merge->ambiguous, word, &end); write < end;
       write++) {
    if (write->thread == t || !(write->mask & mask))
      continue;
    now = now ? now : omen_races_now (merge->ambiguous, merge, t);
    if (!now
        || (!omen_race_is_after (merge->ambiguous, t, now, write)
            && !omen_race_is_before (merge->ambiguous, now, write)))
      return true;
  }
  return false;
}

/* ---- items ---- */

static bool
item_reads (const omen_merge *merge, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_SITE_LOAD:
    return !item->left;
  case OMEN_ITEM_RANGE_READ:
    return true;
  case OMEN_ITEM_ATOMIC:
    return omen_notes_site (merge->file, (uint32_t)omen_item_arg (item))->kind
           != OMEN_SITE_ATOMIC_STORE;
  default:
    return false;
  }
}

bool
omen_ambiguous_read (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_wanted w;
  if (OMEN_LIKELY (!merge->ambiguous) || !item_reads (merge, item))
    return false;
  for (uint64_t k = 0; omen_wanted_word (merge, item, k, &w); k++)
    if (word_ambiguous (merge, t, &w))
      return true;
  return false;
}

bool
omen_ambiguous_source (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_wanted w;
  if (!merge->ambiguous || !item_reads (merge, item))
    return false;
  for (uint64_t k = 0; omen_wanted_word (merge, item, k, &w); k++)
    if (others_write (merge, t, &w))
      return true;
  return false;
}

bool
omen_ambiguous_sum (omen_merge *merge, uint32_t t, const omen_sum *sum)
{
  if (OMEN_LIKELY (!merge->ambiguous) || !sum->unknown)
    return false;
  for (unsigned i = 0; i < sum->count; i++) {
    const omen_sum_load *load = &sum->loads[i];
    unsigned mask = ((1u << load->size) - 1) << load->address % 8;
    if (bytes_race (merge, t, load->address / 8, mask & 0xff)
        || bytes_race (merge, t, load->address / 8 + 1, mask >> 8))
      return true;
  }
  return false;
}
