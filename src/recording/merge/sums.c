#include "recording/merge/races.h"
#include "recording/ring/ambiguous.h"
#include "wire/abi.h"

/* Limit of changes searched backwards. */
enum { MOST_CHANGES = 4096 };

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

/* Bytes of a load that an earlier record of the thread's has changed. */
static void
apply_note (const omen_raw_note *note, const omen_file_site *site,
            omen_sum_load *load)
{
  bool store = site->kind == OMEN_SITE_STORE;
  uint64_t length = store ? site->size : note->b;
  for (unsigned i = 0; i < load->size; i++) {
    uint64_t at = load->address + i - note->a;
    if (at >= length)
      continue;
    load->value &= ~((uint64_t)0xff << 8 * i);
    if (store && !note->left) {
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

/* … all from the cursor on. */
static void
apply_own (const omen_note_cursor *cursor, omen_sum_load *load)
{
  for (size_t k = cursor->at; k < load->at; k++)
    if (changes_memory (site_of (cursor, k)))
      apply_note (&cursor->notes.data[k], site_of (cursor, k), load);
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
  known = omen_image_read (&merge->image, load->address, load->size,
                           &load->value);
  load->unknown = ~known & ((1u << load->size) - 1);
  apply_own (cursor, load);
  sum->unknown += load->unknown != 0;
  sum->exposed
      |= load->unknown
         && omen_image_exposed (&merge->image, load->address, load->size);
}

/* The loads from the cursor on that share a checksum. */
static void
gather_loads (omen_merge *merge, uint32_t t, omen_sum *sum)
{
  omen_note_cursor *cursor = cursor_of (merge, t);
  const omen_raw_note *notes = cursor->notes.data;
  uint32_t left = notes[cursor->at].left;
  OMEN_ASSERT (left && left != OMEN_LEFT_UNKNOWN);
  sum->count = sum->unknown = 0;
  sum->exposed = false;
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
settle_sum (omen_merge *merge, uint32_t t, const omen_sum *sum, uint32_t left)
{
  omen_note_cursor *cursor = cursor_of (merge, t);
  for (unsigned i = 0; i < sum->count; i++)
    omen_cursor_settle (cursor, sum->loads[i].at, sum->loads[i].value, left);
  if (left)
    merge->out->unknown += sum->count;
}

/* ---- the sum ---- */

/* The checksum minus the sum of the values. */
static uint64_t
missing (const omen_sum *sum)
{
  uint64_t rest = sum->sum;
  for (unsigned i = 0; i < sum->count; i++)
    rest -= sum->loads[i].weight * sum->loads[i].value;
  return rest;
}

/* Inverse of an odd number modulo 2^64: each round doubles the correct bits. */
static uint64_t
inverse (uint64_t odd)
{
  uint64_t x = odd;
  for (unsigned bits = 3; bits < 64; bits *= 2)
    x *= 2 - odd * x;
  return x;
}

static bool
has_size (uint64_t value, unsigned size)
{
  return size == 8 || !(value >> 8 * size);
}

/* The value that load i must have if all others are right; false: none. */
static bool
solve (const omen_sum *sum, unsigned i, uint64_t *value)
{
  const omen_sum_load *load = &sum->loads[i];
  uint64_t rest = missing (sum) + load->weight * load->value;
  unsigned zeros = (unsigned)__builtin_ctzll (load->weight);
  uint64_t known = ~omen_image_bits (load->unknown);
  *value = (rest >> zeros) * inverse (load->weight >> zeros);
  if (zeros)
    *value &= (UINT64_C (1) << (64 - zeros)) - 1;
  return load->weight * *value == rest && has_size (*value, load->size)
         && !((*value ^ load->value) & known
              & (load->size == 8 ? UINT64_MAX
                                 : (UINT64_C (1) << 8 * load->size) - 1));
}

/* All values are known and give the checksum, or all but one, which follows
   from it. */
static bool
fits (omen_sum *sum)
{
  uint64_t value;
  unsigned i = 0;
  if (!sum->whole || sum->unknown > 1 || sum->exposed)
    return false;
  if (!sum->unknown)
    return !missing (sum);
  while (!sum->loads[i].unknown)
    i++;
  if (!solve (sum, i, &value))
    return false;
  sum->loads[i].value = value;
  return true;
}

/* ---- what was there ----
   Memory is taken back, change by change of what the loads read, until it gives
   the sum. */

typedef struct past_word {
  uint64_t address, value;
  unsigned known;
  const omen_change *change; /* the last change to look at */
} past_word;

typedef struct past {
  omen_merge *merge;
  omen_note_cursor *cursor;
  past_word words[2 * OMEN_SUM_LOADS];
  unsigned count;
} past;

static past_word *
word_of (past *p, uint64_t address)
{
  omen_image *image = &p->merge->image;
  const omen_page *page = omen_image_page (image, address);
  unsigned number = address / 8 % OMEN_PAGE_WORDS;
  past_word *word = p->words;
  address &= ~UINT64_C (7);
  while (word < p->words + p->count && word->address != address)
    word++;
  if (word == p->words + p->count) {
    p->count++;
    *word
        = (past_word){ address, page->words[number], page->known[number],
                       omen_image_change (image, address, page->last[number]) };
  }
  return word;
}

/* The value that the load would have found before that change. */
static void
find_then (past *p, omen_sum_load *load)
{
  load->value = load->unknown = 0;
  for (unsigned i = 0; i < load->size; i++) {
    const past_word *word = word_of (p, load->address + i);
    unsigned byte = (load->address + i) % 8;
    if (word->known >> byte & 1)
      load->value |= (word->value >> 8 * byte & 0xff) << 8 * i;
    else
      load->unknown |= 1u << i;
  }
  apply_own (p->cursor, load);
}

/* The most recent change of any of the words. */
static past_word *
last_changed (past *p)
{
  past_word *last = NULL;
  for (unsigned i = 0; i < p->count; i++)
    if (p->words[i].change
        && (!last || p->words[i].change->step > last->change->step))
      last = &p->words[i];
  return last;
}

static void
take_back (past *p, past_word *word)
{
  word->value = word->change->old;
  word->known = word->change->known;
  word->change = omen_image_change (&p->merge->image, word->address,
                                    word->change->before);
}

static bool
fitted (omen_merge *merge, uint32_t t, omen_sum *sum)
{
  past p = { .merge = merge, .cursor = cursor_of (merge, t) };
  past_word *word;
  for (unsigned i = 0; i < sum->count; i++)
    find_then (&p, &sum->loads[i]);
  for (unsigned seen = 0; seen < MOST_CHANGES && (word = last_changed (&p));
       seen++) {
    take_back (&p, word);
    sum->unknown = 0;
    for (unsigned i = 0; i < sum->count; i++) {
      if (sum->loads[i].address - word->address < 8
          || word->address - sum->loads[i].address < 8)
        find_then (&p, &sum->loads[i]);
      sum->unknown += sum->loads[i].unknown != 0;
    }
    if (!sum->unknown && !missing (sum))
      return true;
  }
  return false;
}

/* ---- answers ---- */

/* The first load of which another thread may have written what it saw, in an
   order that is not certain; the number of loads: none. */
static unsigned
first_racing (omen_merge *merge, uint32_t t, const omen_sum *sum)
{
  unsigned i = 0;
  while (i < sum->count
         && omen_writers_certain (merge, t, sum->loads[i].address,
                                  sum->loads[i].size))
    i++;
  return i;
}

/* A single unknown value of more than 4 bytes always follows from the checksum,
   whether the others are right or not. */
static bool
proves_nothing (const omen_sum *sum)
{
  unsigned bytes = 0;
  for (unsigned i = 0; i < sum->count; i++)
    bytes += (unsigned)__builtin_popcount (sum->loads[i].unknown);
  return bytes > 4;
}

static bool
fits_for_certain (omen_merge *merge, uint32_t t, omen_sum *sum)
{
  return fits (sum)
         && (OMEN_LIKELY (!proves_nothing (sum)) || omen_merge_grows (merge)
             || first_racing (merge, t, sum) == sum->count);
}

bool
omen_sums_fit (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather_loads (merge, t, &sum);
  return !omen_ambiguous_sum (merge, t, &sum)
         && fits_for_certain (merge, t, &sum);
}

bool
omen_sums_exposed (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather_loads (merge, t, &sum);
  return sum.exposed;
}

bool
omen_sums_ambiguous (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather_loads (merge, t, &sum);
  return omen_ambiguous_sum (merge, t, &sum);
}

/* Resolves the loads if none of them races: then each saw the write before it
   in the order, or one of uninstrumented code. False: unknown. */
static bool
answer_sum (omen_merge *merge, uint32_t t, omen_sum *sum)
{
  bool grows = omen_merge_grows (merge);
  if (!grows && first_racing (merge, t, sum) < sum->count)
    return false;
  settle_sum (merge, t, sum,
              !sum->exposed && (grows || sum->unknown || !sum->whole)
                  ? OMEN_LEFT_UNKNOWN
                  : OMEN_LEFT_OUTSIDE);
  return true;
}

bool
omen_sums_resolve (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather_loads (merge, t, &sum);
  if (OMEN_UNLIKELY (omen_ambiguous_sum (merge, t, &sum)))
    return false;
  if (OMEN_LIKELY (fits_for_certain (merge, t, &sum))) {
    settle_sum (merge, t, &sum, 0);
    return true;
  }
  if (sum.exposed && !omen_merge_grows (merge))
    return false;
  if (sum.unknown || !sum.whole)
    return answer_sum (merge, t, &sum);
  if (!fitted (merge, t, &sum))
    return false;
  settle_sum (merge, t, &sum, 0);
  return true;
}

bool
omen_sums_own (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather_loads (merge, t, &sum);
  if (sum.unknown || !sum.whole)
    return false;
  for (unsigned i = 0; i < sum.count; i++)
    if (!omen_writers_own (merge, t, sum.loads[i].address, sum.loads[i].size))
      return false;
  settle_sum (merge, t, &sum, OMEN_LEFT_OUTSIDE);
  return true;
}

/* A racing load after the cut sees the contents of memory at that time. */
static void
give_up (omen_merge *merge, uint32_t t, const omen_sum *sum, unsigned first)
{
  for (unsigned i = 0; i < sum->count; i++)
    omen_cursor_settle (cursor_of (merge, t), sum->loads[i].at, 0,
                        i > first ? OMEN_LEFT_OUTSIDE : OMEN_LEFT_UNKNOWN);
  merge->out->unknown += sum->count;
}

/* All loads come after the cut. */
static bool
cut_before (omen_merge *merge, uint32_t t, const omen_sum *sum)
{
  omen_merge_cut (merge, t, false);
  settle_sum (merge, t, sum, OMEN_LEFT_OUTSIDE);
  return true;
}

bool
omen_sums_cut (omen_merge *merge, uint32_t t)
{
  omen_note_cursor *cursor = cursor_of (merge, t);
  omen_sum sum;
  omen_item item;
  unsigned first;
  uint64_t at;
  bool passed = true;
  gather_loads (merge, t, &sum);
  if (OMEN_UNLIKELY (sum.exposed))
    return cut_before (merge, t, &sum);
  first = first_racing (merge, t, &sum);
  if (first == sum.count)
    first = 0;
  at = cursor->base + sum.loads[first].at;
  give_up (merge, t, &sum, first);
  while (passed && omen_cursor_position (cursor) <= at) {
    omen_cursor_peek (cursor, &item);
    passed = omen_merge_item (merge, t, &item);
  }
  omen_merge_cut (merge, t, true);
  for (unsigned i = 0; i <= first; i++)
    omen_explain_forget (merge, t, sum.loads[i].address, sum.loads[i].size,
                         NULL);
  return passed;
}

bool
omen_sums_answer (omen_merge *merge, uint32_t t)
{
  omen_sum sum;
  gather_loads (merge, t, &sum);
  if (!fits_for_certain (merge, t, &sum))
    return answer_sum (merge, t, &sum);
  settle_sum (merge, t, &sum, 0);
  return true;
}
