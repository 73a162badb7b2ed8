#include "trace/rebuild_doubt.h"
#include "runtime/abi.h"

/* How far one looks: back, and ahead. */
#define MOST_CHANGES 256
#define LOOK_AHEAD OMEN_HARD_OR ((uint64_t)64, (uint64_t)1 << 14)

static omen_note_cursor *
cursor_of (omen_merge *merge, uint32_t t)
{
  return &merge->threads[t].cursor;
}

static const omen_file_site *
site_of (const omen_note_cursor *cursor, size_t i)
{
  return omen_notes_site (cursor->file, cursor->notes.data[i].site);
}

/* ---- what is there now ---- */

/* Bytes of a load that a note before it in the same thread has changed. */
static void
apply (const omen_raw_note *note, const omen_file_site *site,
       omen_sum_load *load)
{
  bool store = site->kind == OMEN_SITE_STORE;
  uint64_t length = store ? site->size : note->b;
  for (unsigned i = 0; i < load->size; i++) {
    uint64_t at = load->address + i - note->a;
    if (at >= length)
      continue;
    load->value &= ~((uint64_t)0xff << 8 * i);
    if (store) {
      load->value |= (note->b >> 8 * at & 0xff) << 8 * i;
      load->unknown &= ~(1u << i);
    } else
      load->unknown |= 1u << i;
  }
}

static bool
changes_memory (const omen_file_site *site)
{
  return site->kind == OMEN_SITE_STORE || site->kind == OMEN_SITE_EXTERNAL
         || site->kind == OMEN_SITE_STACK_ALLOC
         || site->kind == OMEN_SITE_STACK_FREE;
}

static void
add_load (omen_merge *merge, omen_note_cursor *cursor, omen_sum *sum, size_t i)
{
  const omen_raw_note *note = &cursor->notes.data[i];
  omen_sum_load *load = &sum->loads[sum->count++];
  unsigned known;
  load->at = i;
  load->address = note->a;
  load->weight = note->b;
  load->size = site_of (cursor, i)->size;
  load->count = 0;
  known = omen_image_read (&merge->image, load->address, load->size,
                           &load->value);
  load->unknown = ~known & ((1u << load->size) - 1);
  for (size_t k = cursor->at; k < i; k++)
    if (changes_memory (site_of (cursor, k)))
      apply (&cursor->notes.data[k], site_of (cursor, k), load);
  sum->unknown += load->unknown != 0;
}

/* The loads from the cursor on that share a sum. */
static void
gather (omen_merge *merge, uint32_t t, omen_sum *sum)
{
  omen_note_cursor *cursor = cursor_of (merge, t);
  const omen_raw_note *notes = cursor->notes.data;
  uint32_t left = notes[cursor->at].left;
  OMEN_ASSERT (left && left != OMEN_LEFT_UNKNOWN);
  sum->count = sum->unknown = 0;
  sum->sum = notes[cursor->at].sum;
  for (size_t i = cursor->at;
       left && sum->count < OMEN_SUM_LOADS && i < cursor->notes.count; i++)
    if (notes[i].left == left) {
      add_load (merge, cursor, sum, i);
      left--;
    }
  sum->whole = !left;
}

static void
settle (omen_merge *merge, uint32_t t, const omen_sum *sum, bool known)
{
  omen_note_cursor *cursor = cursor_of (merge, t);
  for (unsigned i = 0; i < sum->count; i++)
    omen_cursor_settle (cursor, sum->loads[i].at, sum->loads[i].value, known);
  if (!known)
    merge->out->unknown += sum->count;
}

/* All is known and gives the sum, or all but one, which then is known, too. */
static bool
fits (omen_sum *sum)
{
  uint64_t value;
  unsigned i = 0;
  if (!sum->whole || sum->unknown > 1)
    return false;
  if (!sum->unknown)
    return !omen_sum_missing (sum);
  while (!sum->loads[i].unknown)
    i++;
  if (!omen_sum_solve (sum, i, &value))
    return false;
  sum->loads[i].value = value;
  return true;
}

bool
omen_sums_fit (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather (merge, t, &sum);
  return !omen_doubt_sum (merge, t, &sum) && fits (&sum);
}

/* ---- what may have been there ---- */

static void
add_other (omen_sum_load *load, uint64_t value)
{
  if (load->count == OMEN_SUM_OTHERS || value == load->value)
    return;
  for (unsigned i = 0; i < load->count; i++)
    if (load->others[i] == value)
      return;
  load->others[load->count++] = value;
}

static void
look_back (omen_merge *merge, omen_sum_load *load)
{
  const omen_page *page = omen_image_page (&merge->image, load->address);
  unsigned offset = load->address % 8;
  unsigned mask = ((1u << load->size) - 1) << offset;
  const omen_change *change = omen_image_change (
      &merge->image, load->address,
      page->last[load->address / 8 % OMEN_PAGE_WORDS]);
  if (offset + load->size > 8)
    return;
  for (unsigned seen = 0; change && seen < MOST_CHANGES; seen++) {
    if ((change->known & mask) == mask)
      add_other (load, (change->old & omen_image_bits (mask)) >> 8 * offset);
    change = omen_image_change (&merge->image, load->address, change->before);
  }
}

static void
look_at (omen_sum *sum, const omen_item *item)
{
  if (item->kind != OMEN_SITE_STORE)
    return;
  for (unsigned i = 0; i < sum->count; i++)
    if (sum->loads[i].address == item->a && sum->loads[i].size == item->size)
      add_other (&sum->loads[i], item->b);
}

static void
look_ahead (omen_merge *merge, uint32_t t, omen_sum *sum)
{
  const omen_note_cursor *cursor = cursor_of (merge, t);
  uint64_t at = omen_cursor_position (cursor);
  omen_note_cursor ahead;
  omen_item item;
  if (at >= cursor->thread->notes)
    return;
  omen_cursor_init (&ahead, merge->file, cursor->thread);
  omen_cursor_seek (&ahead, at);
  while (omen_cursor_position (&ahead) < at + LOOK_AHEAD
         && omen_cursor_peek (&ahead, &item)) {
    look_at (sum, &item);
    omen_cursor_pass (&ahead, &item);
  }
  omen_cursor_fini (&ahead);
}

bool
omen_sums_resolve (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather (merge, t, &sum);
  if (OMEN_UNLIKELY (omen_doubt_sum (merge, t, &sum)))
    return false;
  if (OMEN_LIKELY (fits (&sum))) {
    settle (merge, t, &sum, true);
    return true;
  }
  if (!sum.whole || sum.unknown) {
    settle (merge, t, &sum, false);
    return true;
  }
  for (unsigned i = 0; i < sum.count; i++)
    look_back (merge, &sum.loads[i]);
  if (!omen_sum_search (&sum))
    return false;
  settle (merge, t, &sum, true);
  return true;
}

/* One that is shorter than 8 bytes can be told from the others by that. One of 8
   bytes could always make up for them: where there is one nothing is known. */
static bool
solve_one (omen_sum *sum)
{
  unsigned found = OMEN_SUM_LOADS;
  uint64_t value, solution = 0;
  for (unsigned i = 0; i < sum->count; i++) {
    omen_sum_load *load = &sum->loads[i];
    if (load->size == 8)
      return false;
    load->unknown = (1u << load->size) - 1;
    if (omen_sum_solve (sum, i, &value)) {
      if (found != OMEN_SUM_LOADS)
        return false;
      found = i;
      solution = value;
    }
    load->unknown = 0;
  }
  if (found == OMEN_SUM_LOADS)
    return false;
  sum->loads[found].value = solution;
  return true;
}

bool
omen_sums_in_doubt (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather (merge, t, &sum);
  return omen_doubt_sum (merge, t, &sum);
}

void
omen_sums_answer (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather (merge, t, &sum);
  if (fits (&sum)) {
    settle (merge, t, &sum, true);
    return;
  }
  if (!sum.whole || sum.unknown) {
    settle (merge, t, &sum, false);
    return;
  }
  for (unsigned i = 0; i < sum.count; i++)
    look_back (merge, &sum.loads[i]);
  for (uint32_t other = 0; other < merge->count; other++)
    if (other != t)
      look_ahead (merge, other, &sum);
  settle (merge, t, &sum, omen_sum_search (&sum) || solve_one (&sum));
}
