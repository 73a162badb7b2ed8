#include "recording/scan/shadow.h"

#include <string.h>

/* Pages of larger blocks are made when they are used. */
#define LARGE OMEN_HARD_OR (UINT64_C (1) << 13, UINT64_C (1) << 20)
/* More of these than can be looked through: they are not larger than others. */
#define MOST_LARGE 1024u

void
omen_shadow_init (omen_shadow *shadow)
{
  *shadow = (omen_shadow){ 0 };
  omen_map_init (&shadow->index);
  omen_map_init (&shadow->joined);
  omen_map_init (&shadow->straddled);
  OMEN_VEC_PUSH (shadow->segments, ((omen_segment){ OMEN_NONE, 0 }));
  OMEN_VEC_PUSH (shadow->sets, ((omen_word_set){ 0, 0 }));
}

void
omen_shadow_fini (omen_shadow *shadow)
{
  for (size_t i = 0; i < shadow->pages.count; i++)
    omen_free (shadow->pages.data[i]);
  OMEN_VEC_FINI (shadow->pages);
  omen_map_fini (&shadow->index);
  OMEN_VEC_FINI (shadow->segments);
  OMEN_VEC_FINI (shadow->sets);
  OMEN_VEC_FINI (shadow->members);
  omen_map_fini (&shadow->joined);
  OMEN_VEC_FINI (shadow->large);
  omen_map_fini (&shadow->straddled);
}

/* ---- segments ---- */

void
omen_shadow_set (omen_shadow *shadow, uint32_t segment, const uint32_t *clocks)
{
  shadow->segment = segment;
  shadow->thread = shadow->segments.data[segment].thread;
  shadow->clocks = clocks;
  shadow->from = shadow->known = 0;
}

uint32_t
omen_shadow_segment (omen_shadow *shadow, uint32_t thread, uint32_t clock)
{
  OMEN_REQUIRE (shadow->segments.count < OMEN_WORD_SEGMENT);
  OMEN_VEC_PUSH (shadow->segments, ((omen_segment){ thread, clock }));
  return (uint32_t)(shadow->segments.count - 1);
}

/* Does all of the segment come before what is done now? */
static bool
is_before (const omen_shadow *shadow, uint32_t segment)
{
  const omen_segment *s = &shadow->segments.data[segment];
  return !segment || s->thread == shadow->thread
         || s->clock <= shadow->clocks[s->thread];
}

/* ---- those that have read ---- */

static omen_word_set
set_of (const omen_shadow *shadow, uint32_t read)
{
  return shadow->sets.data[read & ~OMEN_WORD_SET];
}

static bool
are_before (omen_shadow *shadow, uint32_t read)
{
  omen_word_set set;
  if (!(read & OMEN_WORD_SET))
    return is_before (shadow, read);
  if (read == shadow->known)
    return true;
  set = set_of (shadow, read);
  for (uint32_t i = 0; i < set.count; i++)
    if (!is_before (shadow, shadow->members.data[set.first + i]))
      return false;
  shadow->known = read;
  return true;
}

static void
add_member (omen_shadow *shadow, omen_word_set *set, uint32_t segment)
{
  if (is_before (shadow, segment))
    return;
  OMEN_VEC_PUSH (shadow->members, segment);
  set->count++;
}

/* Those that the one at work does not come after, and itself. */
static uint32_t
join (omen_shadow *shadow, uint32_t read)
{
  omen_word_set set = { (uint32_t)shadow->members.count, 0 };
  if (read & OMEN_WORD_SET) {
    omen_word_set old = set_of (shadow, read);
    for (uint32_t i = 0; i < old.count; i++)
      add_member (shadow, &set, shadow->members.data[old.first + i]);
  } else
    add_member (shadow, &set, read);
  if (!set.count)
    return shadow->segment;
  OMEN_VEC_PUSH (shadow->members, shadow->segment);
  set.count++;
  OMEN_VEC_PUSH (shadow->sets, set);
  return OMEN_WORD_SET | (uint32_t)(shadow->sets.count - 1);
}

/* Of a thread's own segment all are known. */
static bool
has_segment (const omen_shadow *shadow, uint32_t read)
{
  omen_word_set set = set_of (shadow, read);
  for (uint32_t i = 0; i < set.count; i++)
    if (shadow->members.data[set.first + i] == shadow->segment)
      return true;
  return false;
}

static uint32_t
joined (omen_shadow *shadow, uint32_t read)
{
  uint32_t *entry;
  if (shadow->from && (read == shadow->from || read == shadow->to))
    return shadow->to;
  entry = omen_map_at (&shadow->joined, OMEN_PAIR (read, shadow->segment));
  if (*entry == OMEN_NONE) {
    bool has = read & OMEN_WORD_SET && has_segment (shadow, read);
    uint32_t now = has ? read : join (shadow, read);
    *entry = now;
  }
  shadow->from = read;
  return shadow->to = *entry;
}

/* ---- pages ---- */

/* What blocks that have no pages yet say of it. */
static void
fill (omen_shadow *shadow, omen_shadow_page *page)
{
  for (size_t k = 0; k < shadow->large.count; k++) {
    const omen_large_block *block = &shadow->large.data[k];
    uint64_t address = page->number << 12;
    for (unsigned i = 0; i < OMEN_SHADOW_PAGE; i++, address += 8)
      if (address + 7 >= block->start && address < block->end
          && page->words[i].write != OMEN_WORD_OPEN)
        page->words[i].write = block->open ? OMEN_WORD_OPEN : block->write;
  }
}

static omen_shadow_page *
make_page (omen_shadow *shadow, uint64_t number)
{
  omen_shadow_page *page = omen_zalloc (1, sizeof *page);
  page->number = number;
  fill (shadow, page);
  OMEN_VEC_PUSH (shadow->pages, page);
  return page;
}

static omen_shadow_page *
page_of (omen_shadow *shadow, uint64_t number)
{
  uint32_t *entry;
  if (OMEN_LIKELY (shadow->last && shadow->last->number == number))
    return shadow->last;
  entry = omen_map_at (&shadow->index, number);
  if (*entry == OMEN_NONE) {
    *entry = (uint32_t)shadow->pages.count;
    make_page (shadow, number);
  }
  return shadow->last = shadow->pages.data[*entry];
}

/* ---- single words ---- */

/* Does the last write come before, and is it no other thread's local, nor freed
   by one? */
static bool
follows (const omen_shadow *shadow, const omen_word_use *word)
{
  uint32_t segment = word->write & OMEN_WORD_SEGMENT;
  return is_before (shadow, segment)
         && (word->write == segment
             || shadow->segments.data[segment].thread == shadow->thread);
}

static inline void
read_word (omen_shadow *shadow, omen_word_use *word)
{
  if (OMEN_LIKELY (word->read == shadow->segment)
      || word->write == shadow->segment || word->write == OMEN_WORD_OPEN)
    return;
  if (!follows (shadow, word)) {
    word->write = OMEN_WORD_OPEN;
    return;
  }
  if (!(word->read & OMEN_WORD_SET) && is_before (shadow, word->read))
    word->read = shadow->segment;
  else
    word->read = joined (shadow, word->read);
}

static inline void
write_word (omen_shadow *shadow, omen_word_use *word)
{
  if (OMEN_LIKELY ((word->write & OMEN_WORD_SEGMENT) == shadow->segment
                   && (!word->read || word->read == shadow->segment)))
    return;
  if (word->write == OMEN_WORD_OPEN)
    return;
  if (!follows (shadow, word) || !are_before (shadow, word->read)) {
    word->write = OMEN_WORD_OPEN;
    return;
  }
  word->write = shadow->segment | (word->write & ~OMEN_WORD_SEGMENT);
  word->read = 0;
}

/* The block that it is in begins or ends: what it was before ended, too. */
static inline void
renew_word (omen_shadow *shadow, omen_word_use *word, uint32_t write)
{
  if (word->write == OMEN_WORD_OPEN)
    return;
  if (!is_before (shadow, word->write & OMEN_WORD_SEGMENT)
      || !are_before (shadow, word->read))
    write = OMEN_WORD_OPEN;
  word->write = write;
  word->read = 0;
}

static omen_word_use *
word_of (omen_shadow *shadow, uint64_t word)
{
  return &page_of (shadow, word / OMEN_SHADOW_PAGE)
              ->words[word % OMEN_SHADOW_PAGE];
}

/* ---- all that an access has ---- */

static void
straddle (omen_shadow *shadow, uint64_t address, uint64_t length)
{
  if (address % 8 + length > 8)
    *omen_map_at (&shadow->straddled, address / 8) = 1;
}

void
omen_shadow_read (omen_shadow *shadow, uint64_t address, uint64_t length)
{
  uint64_t word = address / 8, last = (address + length - 1) / 8;
  if (!length)
    return;
  if (length <= 8)
    straddle (shadow, address, length);
  for (; word <= last; word++)
    read_word (shadow, &page_of (shadow, word / OMEN_SHADOW_PAGE)
                            ->words[word % OMEN_SHADOW_PAGE]);
}

static void
renew_page (omen_shadow *shadow, omen_shadow_page *page,
            const omen_large_block *block)
{
  uint64_t at = page->number << 12;
  if (at >= block->end || at + 4096 <= block->start)
    return;
  for (unsigned k = 0; k < OMEN_SHADOW_PAGE && at < block->end; k++, at += 8)
    if (at + 7 >= block->start)
      renew_word (shadow, &page->words[k], block->write);
}

/* Pages that are there already, and a word about those that may come; that of
   blocks within it is not needed any more. */
static void
renew_large (omen_shadow *shadow, uint64_t address, uint64_t length,
             uint32_t write)
{
  omen_large_block block = { address, address + length, write, false };
  size_t left = 0;
  for (size_t k = 0; k < shadow->large.count; k++) {
    const omen_large_block old = shadow->large.data[k];
    if (old.start < block.end && block.start < old.end)
      block.open
          |= old.open || !is_before (shadow, old.write & OMEN_WORD_SEGMENT);
    if (old.start < block.start || old.end > block.end)
      shadow->large.data[left++] = old;
  }
  shadow->large.count = left;
  for (size_t i = 0; i < shadow->pages.count; i++)
    renew_page (shadow, shadow->pages.data[i], &block);
  OMEN_VEC_PUSH (shadow->large, block);
}

void
omen_shadow_write (omen_shadow *shadow, uint64_t address, uint64_t length)
{
  uint64_t word = address / 8, last = (address + length - 1) / 8;
  if (!length)
    return;
  if (length <= 8)
    straddle (shadow, address, length);
  for (; word <= last; word++)
    write_word (shadow, word_of (shadow, word));
}

static void
renew (omen_shadow *shadow, uint64_t address, uint64_t length, uint32_t flag)
{
  uint64_t word = address / 8, last = (address + length - 1) / 8;
  uint32_t write = shadow->segment | flag;
  if (length >= LARGE && shadow->large.count < MOST_LARGE) {
    renew_large (shadow, address, length, write);
    return;
  }
  for (; length && word <= last; word++)
    renew_word (shadow, word_of (shadow, word), write);
}

void
omen_shadow_make (omen_shadow *shadow, uint64_t address, uint64_t length,
                  bool local)
{
  renew (shadow, address, length, local ? OMEN_WORD_LOCAL : 0);
}

void
omen_shadow_end (omen_shadow *shadow, uint64_t address, uint64_t length)
{
  renew (shadow, address, length, OMEN_WORD_FREED);
}

void
omen_shadow_open (omen_shadow *shadow, uint64_t address, uint64_t length)
{
  uint64_t word = address / 8, last = (address + length - 1) / 8;
  for (; length && word <= last; word++)
    word_of (shadow, word)->write = OMEN_WORD_OPEN;
}
