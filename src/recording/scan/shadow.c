#include "recording/scan/shadow.h"

/* Blocks at least this large get their pages on first use. */
#define LARGE OMEN_HARD_OR (UINT64_C (1) << 13, UINT64_C (1) << 20)
/* Beyond this number large blocks are treated like others, since each new page
   searches all of them. */
#define MOST_LARGE 1024u

void
omen_shadow_init (omen_shadow *shadow)
{
  *shadow = (omen_shadow){ 0 };
  omen_histories_init (&shadow->histories);
  omen_map_init (&shadow->index);
  omen_map_init (&shadow->straddled);
}

void
omen_shadow_fini (omen_shadow *shadow)
{
  for (size_t i = 0; i < shadow->pages.count; i++)
    omen_free (shadow->pages.data[i]);
  OMEN_VEC_FINI (shadow->pages);
  omen_histories_fini (&shadow->histories);
  omen_map_fini (&shadow->index);
  OMEN_VEC_FINI (shadow->large);
  omen_map_fini (&shadow->straddled);
}

/* ---- pages ---- */

/* Initializes a new page from the large blocks that cover it; the last one is
   valid. */
static void
fill_from_large (omen_shadow *shadow, omen_shadow_page *page)
{
  for (size_t k = 0; k < shadow->large.count; k++) {
    const omen_large_block *block = &shadow->large.data[k];
    uint64_t address = page->number << 12;
    for (unsigned i = 0; i < OMEN_SHADOW_PAGE; i++, address += 8)
      if (address + 7 >= block->start && address < block->end
          && page->words[i] != OMEN_HISTORY_OPEN)
        page->words[i] = block->history;
  }
}

omen_shadow_page *
omen_shadow_find (omen_shadow *shadow, uint64_t number)
{
  uint32_t *entry = omen_map_at (&shadow->index, number);
  shadow->failed |= number >> 51; /* no address of a program */
  if (*entry == OMEN_NONE) {
    omen_shadow_page *page = omen_zalloc (1, sizeof *page);
    *entry = (uint32_t)shadow->pages.count;
    page->number = number;
    fill_from_large (shadow, page);
    OMEN_VEC_PUSH (shadow->pages, page);
  }
  return shadow->near[number % OMEN_SHADOW_NEAR] = shadow->pages.data[*entry];
}

static uint32_t *
word_of (omen_shadow *shadow, uint64_t word)
{
  uint64_t number = word / OMEN_SHADOW_PAGE;
  omen_shadow_page *page = shadow->near[number % OMEN_SHADOW_NEAR];
  if (!page || page->number != number)
    page = omen_shadow_find (shadow, number);
  return &page->words[word % OMEN_SHADOW_PAGE];
}

uint32_t
omen_shadow_history (omen_shadow *shadow, uint64_t address)
{
  return *word_of (shadow, address / 8);
}

/* ---- uses ---- */

static void
do_word (omen_shadow *shadow, uint64_t number, unsigned done)
{
  uint32_t *word = word_of (shadow, number);
  done &= ~(shadow->histories.list.data[*word].done & OMEN_DONE_FOLLOWED);
  *word = done <= OMEN_DONE_WRITE
              ? omen_history_after (&shadow->histories, *word, done)
              : omen_history_find (&shadow->histories, *word, done);
}

/* Uses the word after the one in which the access begins. */
void
omen_shadow_straddle (omen_shadow *shadow, uint64_t address, unsigned done)
{
  *omen_map_at (&shadow->straddled, address / 8) = 1;
  do_word (shadow, address / 8 + 1, done);
}

/* Renews the existing pages of a large block and remembers the block for pages
   that do not exist yet; it replaces older large blocks within it. */
static void
renew_page (omen_shadow *shadow, omen_shadow_page *page,
            const omen_large_block *block, unsigned done)
{
  uint64_t at = page->number << 12;
  if (at >= block->end || at + 4096 <= block->start)
    return;
  for (unsigned k = 0; k < OMEN_SHADOW_PAGE && at < block->end; k++, at += 8)
    if (at + 7 >= block->start)
      page->words[k]
          = omen_history_find (&shadow->histories, page->words[k], done);
}

static void
renew_pages (omen_shadow *shadow, const omen_large_block *block, unsigned done)
{
  uint64_t first = block->start >> 12, last = (block->end - 1) >> 12;
  if (last - first >= shadow->pages.count) {
    for (size_t i = 0; i < shadow->pages.count; i++)
      renew_page (shadow, shadow->pages.data[i], block, done);
    return;
  }
  for (uint64_t number = first; number <= last; number++) {
    uint32_t page = omen_map_get (&shadow->index, number);
    if (page != OMEN_NONE)
      renew_page (shadow, shadow->pages.data[page], block, done);
  }
}

static void
renew_large (omen_shadow *shadow, uint64_t address, uint64_t length,
             unsigned done)
{
  omen_word_histories *histories = &shadow->histories;
  omen_large_block block = { address, address + length, 0 };
  size_t left = 0;
  block.history = omen_history_find (histories, OMEN_HISTORY_NONE, done);
  for (size_t k = 0; k < shadow->large.count; k++) {
    const omen_large_block old = shadow->large.data[k];
    if (old.start < block.end && block.start < old.end
        && omen_history_find (histories, old.history, done)
               == OMEN_HISTORY_OPEN)
      block.history = OMEN_HISTORY_OPEN;
    if (old.start < block.start || old.end > block.end)
      shadow->large.data[left++] = old;
  }
  shadow->large.count = left;
  renew_pages (shadow, &block, done);
  OMEN_VEC_PUSH (shadow->large, block);
}

void
omen_shadow_do (omen_shadow *shadow, uint64_t address, uint64_t length,
                unsigned done)
{
  uint64_t word = address / 8, last = (address + length - 1) / 8;
  if (!length)
    return;
  shadow->failed |= length >> 62 || last < word;
  if (shadow->failed)
    return;
  if ((done & OMEN_DONE_RENEW) && length >= LARGE
      && shadow->large.count < MOST_LARGE) {
    renew_large (shadow, address, length, done);
    return;
  }
  if (length <= 16 && last > word && !(done & OMEN_DONE_RENEW))
    for (uint64_t w = word; w < last; w++)
      *omen_map_at (&shadow->straddled, w) = 1;
  for (; word <= last; word++)
    do_word (shadow, word, done);
}

/* Words of one page, most of which have the same history. */
static void
run_page (omen_word_histories *histories, uint32_t *words, uint64_t count,
          unsigned done)
{
  uint32_t old = *words, new = omen_history_after (histories, old, done);
  for (uint64_t i = 0; i < count; i++) {
    if (OMEN_UNLIKELY (words[i] != old)) {
      old = words[i];
      new = omen_history_after (histories, old, done);
    }
    words[i] = new;
  }
}

void
omen_shadow_run (omen_shadow *shadow, uint64_t address, uint64_t length,
                 unsigned done)
{
  uint64_t word = address / 8, end = (address + length - 1) / 8 + 1;
  shadow->failed |= length >> 62 || end <= word;
  while (!shadow->failed && word < end) {
    uint64_t left = OMEN_SHADOW_PAGE - word % OMEN_SHADOW_PAGE;
    left = left < end - word ? left : end - word;
    run_page (&shadow->histories, word_of (shadow, word), left, done);
    word += left;
  }
}

void
omen_shadow_open (omen_shadow *shadow, uint64_t address, uint64_t length)
{
  uint64_t word = address / 8, last = (address + length - 1) / 8;
  for (; length && word <= last; word++)
    *word_of (shadow, word) = OMEN_HISTORY_OPEN;
}
