#include "recording/merge/image.h"

#include <string.h>

#define FIRST_SLOTS OMEN_HARD_OR (2, 1024)
#define FIRST_ROOM OMEN_HARD_OR ((uint64_t)1, (uint64_t)1 << 12)

/* A page, or how it begins when it is first used: with the file's contents,
   zero, unknown, or all within a stack variable. */
enum { UNTOUCHED, ZERO, UNKNOWN, COVERED, UNCOVERED };

#define LARGE ((uint64_t)1 << OMEN_HARD_OR (15, 24))

typedef struct omen_page_slot {
  uint64_t number; /* + 1; 0: free */
  omen_page *page; /* NULL: `fresh` says how it begins */
  unsigned fresh;
} omen_page_slot;

void
omen_image_init (omen_image *image, const omen_notes_file *file)
{
  *image = (omen_image){ .file = file, .last_number = UINT64_MAX };
  image->mask = FIRST_SLOTS - 1;
  image->slots = omen_zalloc (FIRST_SLOTS, sizeof *image->slots);
  image->room = FIRST_ROOM;
  image->past = omen_alloc (image->room * sizeof *image->past);
}

void
omen_image_fini (omen_image *image)
{
  for (uint64_t i = 0; i <= image->mask; i++)
    omen_free (image->slots[i].page);
  omen_free (image->slots);
  omen_free (image->past);
  OMEN_VEC_FINI (image->stacks);
  OMEN_VEC_FINI (image->large);
}

/* ---- pages ---- */

static omen_page_slot *
slot_of_page (const omen_image *image, uint64_t number)
{
  uint64_t i = (number * UINT64_C (0x9e3779b97f4a7c15)) >> 32 & image->mask;
  while (image->slots[i].number && image->slots[i].number != number + 1)
    i = (i + 1) & image->mask;
  return &image->slots[i];
}

static void
double_slots (omen_image *image)
{
  omen_page_slot *old = image->slots;
  uint64_t count = image->mask + 1;
  image->mask = 2 * count - 1;
  image->slots = omen_zalloc (2 * count, sizeof *image->slots);
  for (uint64_t i = 0; i < count; i++)
    if (old[i].number)
      *slot_of_page (image, old[i].number - 1) = old[i];
  omen_free (old);
}

/* How a page begins according to the newest large block that covers it. */
static unsigned
fresh_state (const omen_image *image, uint64_t number)
{
  uint64_t start = number << OMEN_PAGE_BITS;
  uint64_t end = start + (1u << OMEN_PAGE_BITS);
  for (size_t i = image->large.count; i-- > 0;)
    if (image->large.data[i].start <= start && end <= image->large.data[i].end)
      return image->large.data[i].fresh;
  return UNTOUCHED;
}

static omen_page_slot *
slot_for (omen_image *image, uint64_t number)
{
  omen_page_slot *slot = slot_of_page (image, number);
  if (slot->number)
    return slot;
  if (image->count >= image->mask / 2) {
    double_slots (image);
    slot = slot_of_page (image, number);
  }
  image->count++;
  *slot = (omen_page_slot){ number + 1, NULL, fresh_state (image, number) };
  return slot;
}

static bool
in_stack (const omen_image *image, uint64_t number)
{
  uint64_t address = number << OMEN_PAGE_BITS;
  for (size_t i = 0; i < image->stacks.count; i++)
    if (address < image->stacks.data[i].end
        && address + (1u << OMEN_PAGE_BITS) > image->stacks.data[i].start)
      return true;
  return false;
}

/* Contents at the start, from the file. */
static void
load_page (const omen_image *image, omen_page *page)
{
  uint64_t address = page->number << OMEN_PAGE_BITS;
  for (unsigned i = 0; i < OMEN_PAGE_WORDS; i += 8) {
    uint8_t bytes[64] = { 0 };
    uint64_t known = omen_notes_data (image->file, address + 8 * i, 64, bytes);
    if (!known)
      continue;
    memcpy (&page->words[i], bytes, 64);
    memcpy (&page->known[i], &known, 8);
  }
}

static omen_page *
make_page (omen_image *image, omen_page_slot *slot, uint64_t number)
{
  omen_page *page = omen_zalloc (1, sizeof *page);
  page->number = number;
  page->stack = in_stack (image, number);
  page->exposed = omen_mappings_exposed (&image->file->mappings,
                                         number << OMEN_PAGE_BITS);
  if (slot->fresh == ZERO)
    memset (page->known, 0xff, sizeof page->known);
  else if (slot->fresh == COVERED)
    memset (page->covered, 0xff, sizeof page->covered);
  else if (slot->fresh == UNTOUCHED && !page->stack && image->file->data.count)
    load_page (image, page);
  slot->page = page;
  return page;
}

omen_page *
omen_image_find (omen_image *image, uint64_t number)
{
  omen_page_slot *slot = slot_for (image, number);
  omen_page *page = slot->page ? slot->page : make_page (image, slot, number);
  OMEN_ASSERT (page->number == number);
  image->last_number = number;
  image->last_page = page;
  return page;
}

/* ---- the past ---- */

static void
grow_past (omen_image *image)
{
  OMEN_ASSERT (image->room < OMEN_IMAGE_PAST && !image->oldest);
  image->room *= 2;
  image->past = omen_realloc (image->past, image->room * sizeof *image->past);
}

static void
keep_change (omen_image *image, omen_page *page, unsigned i,
             const omen_doer *doer)
{
  if (OMEN_UNLIKELY (image->changes == image->room)
      && image->room < OMEN_IMAGE_PAST)
    grow_past (image);
  omen_change *change = &image->past[image->changes % OMEN_IMAGE_PAST];
  *change = (omen_change){
    .address = (page->number << OMEN_PAGE_BITS) + 8 * i,
    .old = page->words[i],
    .step = doer->step,
    .position = doer->position,
    .thread = doer->thread,
    .before = page->last[i],
    .known = page->known[i],
    .covered = page->covered[i],
  };
  image->changes++;
  page->last[i] = (uint32_t)image->changes;
  if (image->changes - image->oldest > OMEN_IMAGE_PAST)
    image->oldest = image->changes - OMEN_IMAGE_PAST;
}

/* Numbers are stored in 32 bits; the entry itself says whether it is the one
   meant. */
const omen_change *
omen_image_change (const omen_image *image, uint64_t address, uint32_t number)
{
  uint64_t back = (uint32_t)image->changes - number;
  const omen_change *change;
  if (!number || back >= image->changes - image->oldest)
    return NULL;
  change = &image->past[(image->changes - back - 1) % OMEN_IMAGE_PAST];
  return change->address == (address & ~UINT64_C (7)) ? change : NULL;
}

/* ---- words ---- */

bool
omen_image_word_fits (omen_image *image, uint64_t address, unsigned mask,
                      uint64_t value)
{
  const omen_page *page = omen_image_page (image, address);
  unsigned i = address / 8 % OMEN_PAGE_WORDS;
  if (OMEN_UNLIKELY (page->exposed) && mask & ~(unsigned)page->known[i])
    return false;
  mask &= page->known[i];
  return !((page->words[i] ^ value) & omen_image_bits (mask));
}

bool
omen_image_exposed (omen_image *image, uint64_t address, uint64_t length)
{
  uint64_t last = address + length - 1;
  for (uint64_t at = address; length && at <= last; at++) {
    const omen_page *page = omen_image_page (image, at);
    if (!page->exposed)
      at |= (1u << OMEN_PAGE_BITS) - 1;
    else if (!(page->known[at / 8 % OMEN_PAGE_WORDS] >> at % 8 & 1))
      return true;
  }
  return false;
}

static void
set_word (omen_image *image, const omen_doer *doer, uint64_t address,
          unsigned mask, uint64_t value)
{
  omen_page *page = omen_image_page (image, address);
  unsigned i = address / 8 % OMEN_PAGE_WORDS;
  uint64_t bits;
  if (page->stack)
    mask &= page->covered[i];
  if (!mask)
    return;
  keep_change (image, page, i, doer);
  bits = omen_image_bits (mask);
  page->words[i] = (page->words[i] & ~bits) | (value & bits);
  page->known[i] |= (uint8_t)mask;
}

/* ---- accesses ---- */

/* A range split at a word boundary: bytes in the first word and in the next. */
typedef struct split {
  unsigned low, high;
  uint64_t low_value, high_value;
} split;

static inline split
split_access (uint64_t address, unsigned size, uint64_t value)
{
  unsigned offset = address % 8, mask = (1u << size) - 1;
  OMEN_ASSERT (size >= 1 && size <= 8);
  return (split){ mask << offset & 0xff, mask << offset >> 8,
                  value << 8 * offset, offset ? value >> 8 * (8 - offset) : 0 };
}

bool
omen_image_fits (omen_image *image, uint64_t address, unsigned size,
                 uint64_t value)
{
  split s = split_access (address, size, value);
  return omen_image_word_fits (image, address, s.low, s.low_value)
         && (!s.high
             || omen_image_word_fits (image, address + 8, s.high,
                                      s.high_value));
}

void
omen_image_write (omen_image *image, const omen_doer *doer, uint64_t address,
                  unsigned size, uint64_t value)
{
  split s = split_access (address, size, value);
  set_word (image, doer, address, s.low, s.low_value);
  if (s.high)
    set_word (image, doer, address + 8, s.high, s.high_value);
}

/* The bytes of a word; returns which are known. */
static unsigned
read_word (omen_image *image, uint64_t address, uint64_t *word)
{
  const omen_page *page = omen_image_page (image, address);
  unsigned i = address / 8 % OMEN_PAGE_WORDS;
  *word = page->words[i] & omen_image_bits (page->known[i]);
  return page->known[i];
}

unsigned
omen_image_read (omen_image *image, uint64_t address, unsigned size,
                 uint64_t *value)
{
  unsigned offset = address % 8, mask = (1u << size) - 1, known;
  uint64_t high;
  OMEN_ASSERT (size >= 1 && size <= 8);
  known = read_word (image, address, value) >> offset;
  *value >>= 8 * offset;
  if (offset + size > 8) {
    known |= read_word (image, address + 8, &high) << (8 - offset);
    *value |= high << 8 * (8 - offset);
  }
  if (size < 8)
    *value &= (UINT64_C (1) << 8 * size) - 1;
  return known & mask;
}

void
omen_image_learn_word (omen_image *image, const omen_doer *doer,
                       uint64_t address, unsigned mask, uint64_t value)
{
  const omen_page *page = omen_image_page (image, address);
  mask &= ~page->known[address / 8 % OMEN_PAGE_WORDS];
  if (OMEN_UNLIKELY (mask))
    set_word (image, doer, address, mask, value);
}

void
omen_image_learn (omen_image *image, const omen_doer *doer, uint64_t address,
                  unsigned size, uint64_t value)
{
  split s = split_access (address, size, value);
  omen_image_learn_word (image, doer, address, s.low, s.low_value);
  if (s.high)
    omen_image_learn_word (image, doer, address + 8, s.high, s.high_value);
}

/* ---- ranges ---- */

static unsigned
mask_in (uint64_t word, uint64_t address, uint64_t end)
{
  unsigned mask = 0xff;
  if (word < address)
    mask &= 0xffu << (address - word);
  if (word + 8 > end)
    mask &= 0xffu >> (word + 8 - end);
  return mask & 0xff;
}

/* Sets some bytes of a word to unknown or zero. */
static void
renew_word (omen_image *image, const omen_doer *doer, omen_page *page,
            unsigned i, unsigned mask, unsigned fresh)
{
  unsigned covered = fresh == COVERED     ? page->covered[i] | mask
                     : fresh == UNCOVERED ? page->covered[i] & ~mask
                                          : page->covered[i];
  if (fresh != ZERO && !(page->known[i] & mask) && covered == page->covered[i])
    return;
  keep_change (image, page, i, doer);
  page->words[i] &= ~omen_image_bits (mask);
  page->covered[i] = (uint8_t)covered;
  page->known[i] = (uint8_t)(fresh == ZERO ? page->known[i] | mask
                                           : page->known[i] & ~mask);
}

static void
renew_words (omen_image *image, const omen_doer *doer, uint64_t address,
             uint64_t end, unsigned fresh)
{
  for (uint64_t word = address & ~UINT64_C (7); word < end; word += 8)
    renew_word (image, doer, omen_image_page (image, word),
                word / 8 % OMEN_PAGE_WORDS, mask_in (word, address, end),
                fresh);
}

/* A page or part of it. A whole page that was never used is not created. */
static void
renew_page (omen_image *image, const omen_doer *doer, uint64_t address,
            uint64_t end, unsigned fresh)
{
  omen_page_slot *slot = slot_for (image, address >> OMEN_PAGE_BITS);
  if (!slot->page && end - address == 1u << OMEN_PAGE_BITS)
    slot->fresh = fresh;
  else
    renew_words (image, doer, address, end, fresh);
}

/* Visits the existing pages only, not all that the range could have. */
static void
renew_large (omen_image *image, const omen_doer *doer, uint64_t start,
             uint64_t end, unsigned fresh)
{
  OMEN_VEC_PUSH (image->large, ((omen_large_range){ start, end, fresh }));
  for (uint64_t i = 0; i <= image->mask; i++) {
    uint64_t number = image->slots[i].number - 1;
    uint64_t address = number << OMEN_PAGE_BITS;
    if (image->slots[i].number && address >= start && address < end)
      renew_page (image, doer, address, address + (1u << OMEN_PAGE_BITS),
                  fresh);
  }
}

static void
renew (omen_image *image, const omen_doer *doer, uint64_t address,
       uint64_t length, unsigned fresh)
{
  const uint64_t size = 1u << OMEN_PAGE_BITS;
  uint64_t end = address + length;
  if (length >= LARGE) {
    uint64_t first = (address + size - 1) & ~(size - 1);
    uint64_t last = end & ~(size - 1);
    renew_large (image, doer, first, last, fresh);
    if (address < first)
      renew_page (image, doer, address, first, fresh);
    address = last;
  }
  while (address < end) {
    uint64_t next = (address | (size - 1)) + 1;
    uint64_t stop = next < end ? next : end;
    renew_page (image, doer, address, stop, fresh);
    address = stop;
  }
}

void
omen_image_forget (omen_image *image, const omen_doer *doer, uint64_t address,
                   uint64_t length, bool zero)
{
  renew (image, doer, address, length, zero ? ZERO : UNKNOWN);
}

void
omen_image_cover (omen_image *image, const omen_doer *doer, uint64_t address,
                  uint64_t length, bool covered)
{
  renew (image, doer, address, length, covered ? COVERED : UNCOVERED);
}

static void
mark_stack (omen_image *image, const omen_stack_range *range, bool stack)
{
  uint64_t last = (range->end - 1) >> OMEN_PAGE_BITS;
  for (uint64_t i = 0; i <= image->mask; i++) {
    omen_page *page = image->slots[i].page;
    if (page && page->number >= range->start >> OMEN_PAGE_BITS
        && page->number <= last) {
      page->stack = stack;
      memset (page->known, 0, sizeof page->known);
      memset (page->covered, 0, sizeof page->covered);
    }
  }
}

void
omen_image_stack (omen_image *image, uint32_t thread, uint64_t start,
                  uint64_t end)
{
  omen_stack_range range = { thread, start, end };
  for (size_t i = 0; i < image->stacks.count; i++)
    if (image->stacks.data[i].thread == thread) {
      mark_stack (image, &image->stacks.data[i], false);
      image->stacks.data[i] = image->stacks.data[--image->stacks.count];
      break;
    }
  if (start >= end)
    return;
  OMEN_VEC_PUSH (image->stacks, range);
  mark_stack (image, &range, true);
}
