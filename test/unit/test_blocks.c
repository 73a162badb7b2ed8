/* Blocks of memory, large ones beside small ones. */
#include "unit.h"

#include "recording/events/blocks.h"

/* More than fits into pages, in every mode. */
#define LARGE ((uint64_t)1 << 24)

static uint32_t
add (omen_blocks *blocks, uint64_t base, uint64_t size)
{
  return omen_blocks_add (blocks, base, size, OMEN_BLOCK_HEAP, 0);
}

static void
small_ones_beside_a_large_one (void **state)
{
  const uint64_t base = 0x10000810, end = base + LARGE + 20;
  omen_blocks blocks;
  uint32_t large, before, behind;
  omen_blocks_init (&blocks);
  large = add (&blocks, base, end - base);
  before = add (&blocks, base - 64, 24);
  behind = add (&blocks, end + 64, 24);
  assert_int_equal (omen_blocks_find (&blocks, base - 64), before);
  assert_int_equal (omen_blocks_find (&blocks, base - 1), OMEN_NONE);
  assert_int_equal (omen_blocks_find (&blocks, base), large);
  assert_int_equal (omen_blocks_find (&blocks, base + 4096), large);
  assert_int_equal (omen_blocks_find (&blocks, end - 1), large);
  assert_int_equal (omen_blocks_find (&blocks, end), OMEN_NONE);
  assert_int_equal (omen_blocks_find (&blocks, end + 64), behind);
  omen_blocks_fini (&blocks);
}

static void
a_large_one_over_small_ones (void **state)
{
  const uint64_t base = 0x10000810;
  omen_blocks blocks;
  uint32_t small, large;
  omen_blocks_init (&blocks);
  small = add (&blocks, base - 8, 16);
  large = add (&blocks, base, LARGE);
  assert_int_equal (omen_blocks_find (&blocks, base - 1), small);
  assert_int_equal (omen_blocks_find (&blocks, base), large);
  omen_blocks_remove (&blocks, large);
  assert_int_equal (omen_blocks_find (&blocks, base - 1), small);
  assert_int_equal (omen_blocks_find (&blocks, base), OMEN_NONE);
  assert_int_equal (omen_blocks_find (&blocks, base + 8192), OMEN_NONE);
  omen_blocks_fini (&blocks);
}

UNIT_MAIN (UNIT (small_ones_beside_a_large_one),
           UNIT (a_large_one_over_small_ones))
