#include "recording/events/blocks.h"

#define PAGED 0x80000000u
#define PAGE_BITS 12
#define PAGE_SIZE ((uint64_t)1 << PAGE_BITS)
#define GRAINS (1u << (PAGE_BITS - 3))
#define LARGE ((uint64_t)1 << OMEN_HARD_OR (14, 24))

void
omen_blocks_init (omen_blocks *blocks)
{
  *blocks = (omen_blocks){ 0 };
  omen_map_init (&blocks->pages);
}

void
omen_blocks_fini (omen_blocks *blocks)
{
  for (size_t i = 0; i < blocks->paged.count; i++)
    omen_free (blocks->paged.data[i]);
  OMEN_VEC_FINI (blocks->blocks);
  OMEN_VEC_FINI (blocks->entries);
  OMEN_VEC_FINI (blocks->paged);
  OMEN_VEC_FINI (blocks->splits);
  OMEN_VEC_FINI (blocks->large);
  omen_map_fini (&blocks->pages);
}

/* ---- looking ---- */

/* Returns the index + 1 of the newest large block at the address; 0: there is
   none. */
static uint32_t
large_at (const omen_blocks *blocks, uint64_t address)
{
  for (size_t i = blocks->large.count; i-- > 0;) {
    uint32_t b = blocks->large.data[i];
    const omen_block *block = &blocks->blocks.data[b];
    if (address - block->base < block->size)
      return b + 1;
  }
  return 0;
}

static uint32_t
entry_at (const omen_blocks *blocks, uint64_t address)
{
  uint32_t i = omen_map_get (&blocks->pages, address >> PAGE_BITS), entry;
  if (i == OMEN_NONE)
    return blocks->large.count ? large_at (blocks, address) : 0;
  entry = blocks->entries.data[i];
  if (!(entry & PAGED))
    return entry;
  entry = blocks->paged.data[entry & ~PAGED][address / 8 % GRAINS];
  return entry & PAGED ? blocks->splits.data[8 * (entry & ~PAGED) + address % 8]
                       : entry;
}

uint32_t
omen_blocks_find (const omen_blocks *blocks, uint64_t address)
{
  return entry_at (blocks, address) - 1;
}

/* ---- changing ---- */

static void set_part (omen_blocks *blocks, uint64_t start, uint64_t end,
                      uint32_t owner);

/* The entry of a page that exists, for a block. */
static void
set_share (omen_blocks *blocks, uint64_t number, const omen_block *block,
           uint32_t owner)
{
  uint64_t start = number << PAGE_BITS, stop = start + PAGE_SIZE;
  uint64_t end = block->base + block->size;
  if (stop <= block->base || start >= end)
    return;
  set_part (blocks, start < block->base ? block->base : start,
            stop < end ? stop : end, owner);
}

/* A new page gets the large blocks that cover it: these did not create
   pages. */
static uint32_t *
entry_for (omen_blocks *blocks, uint64_t number)
{
  uint32_t *i = omen_map_at (&blocks->pages, number), entry;
  if (*i != OMEN_NONE)
    return &blocks->entries.data[*i];
  entry = *i = (uint32_t)blocks->entries.count;
  OMEN_VEC_PUSH (blocks->entries, 0);
  for (size_t k = 0; k < blocks->large.count; k++)
    set_share (blocks, number, &blocks->blocks.data[blocks->large.data[k]],
               blocks->large.data[k] + 1);
  return &blocks->entries.data[entry];
}

/* Converts the page to one entry for each 8 bytes. */
static uint32_t *
page_of (omen_blocks *blocks, uint32_t *entry)
{
  uint32_t *page;
  if (*entry & PAGED)
    return blocks->paged.data[*entry & ~PAGED];
  page = omen_alloc (GRAINS * sizeof *page);
  for (unsigned i = 0; i < GRAINS; i++)
    page[i] = *entry;
  *entry = (uint32_t)blocks->paged.count | PAGED;
  OMEN_VEC_PUSH (blocks->paged, page);
  return page;
}

/* Converts an entry to one for each of its eight bytes. */
static void
set_bytes (omen_blocks *blocks, uint32_t *grain, unsigned from, unsigned to,
           uint32_t owner)
{
  uint32_t *split;
  if (!(*grain & PAGED)) {
    uint32_t index = (uint32_t)(blocks->splits.count / 8);
    for (unsigned i = 0; i < 8; i++)
      OMEN_VEC_PUSH (blocks->splits, *grain);
    *grain = index | PAGED;
  }
  split = &blocks->splits.data[8 * (*grain & ~PAGED)];
  for (unsigned i = from; i < to; i++)
    split[i] = owner;
}

/* Within one page. */
static void
set_part (omen_blocks *blocks, uint64_t start, uint64_t end, uint32_t owner)
{
  uint32_t *entry = entry_for (blocks, start >> PAGE_BITS);
  uint32_t *page;
  OMEN_ASSERT (start < end && start >> PAGE_BITS == (end - 1) >> PAGE_BITS);
  if (end - start == PAGE_SIZE && !(*entry & PAGED)) {
    *entry = owner;
    return;
  }
  page = page_of (blocks, entry);
  while (start < end) {
    uint64_t next = (start | 7) + 1;
    uint64_t stop = next < end ? next : end;
    uint32_t *grain = &page[start / 8 % GRAINS];
    if (stop - start == 8)
      *grain = owner;
    else
      set_bytes (blocks, grain, start % 8, (unsigned)(stop - (start & ~7ull)),
                 owner);
    start = stop;
  }
}

static void
set_range (omen_blocks *blocks, uint64_t start, uint64_t end, uint32_t owner)
{
  while (start < end) {
    uint64_t next = (start | (PAGE_SIZE - 1)) + 1;
    uint64_t stop = next < end ? next : end;
    set_part (blocks, start, stop, owner);
    start = stop;
  }
}

/* Existing pages; others are covered by large_at. */
static void
set_large (omen_blocks *blocks, const omen_block *block, uint32_t owner)
{
  for (uint64_t i = 0; i <= blocks->pages.mask; i++)
    if (blocks->pages.entries[i].key != OMEN_MAP_NO_KEY)
      set_share (blocks, blocks->pages.entries[i].key, block, owner);
}

uint32_t
omen_blocks_add (omen_blocks *blocks, uint64_t base, uint64_t size,
                 omen_block_kind kind, omen_vid variable)
{
  uint32_t b = (uint32_t)blocks->blocks.count;
  omen_block block
      = { base, size, variable, OMEN_NONE, (uint8_t)kind, false, OMEN_NONE };
  OMEN_REQUIRE (b < PAGED - 2 && size && base <= UINT64_MAX - size);
  OMEN_VEC_PUSH (blocks->blocks, block);
  if (kind == OMEN_BLOCK_REGION)
    return b; /* found by other means: it hides nothing */
  if (size < LARGE)
    set_range (blocks, base, base + size, b + 1);
  else {
    OMEN_VEC_PUSH (blocks->large, b);
    set_large (blocks, &block, b + 1);
  }
  OMEN_CHECK (omen_blocks_find (blocks, base + size - 1) == b);
  return b;
}

void
omen_blocks_remove (omen_blocks *blocks, uint32_t b)
{
  const omen_block *block = &blocks->blocks.data[b];
  if (block->size >= LARGE) {
    for (size_t i = 0; i < blocks->large.count; i++)
      if (blocks->large.data[i] == b) {
        blocks->large.data[i] = OMEN_VEC_LAST (blocks->large);
        blocks->large.count--;
      }
    set_large (blocks, block, 0);
  } else
    set_range (blocks, block->base, block->base + block->size, 0);
}
