/* For test_notes.c, whose sites, blocks and loops these make: blocks as a
   weaver could make them. */
#ifndef OMEN_TEST_NOTES_BLOCKS_H
#define OMEN_TEST_NOTES_BLOCKS_H

/* Some loads are stored as they were, and have the word of the store. */
static void
place_copies (uint64_t *random, omen_code_block *block)
{
  for (unsigned i = 0; i < block->count; i++) {
    unsigned k = (unsigned)below (random, block->count);
    if (site_of (block, i)->kind == OMEN_SITE_LOAD
        && site_of (block, k)->kind != OMEN_SITE_LOAD) {
      block->members[i].word = block->members[k].word;
      block->members[i].shift = block->members[k].shift;
    }
  }
}

static void
place_loads (omen_code_block *block)
{
  unsigned bits = 0, shift = 0, weight = 0;
  for (unsigned i = 0; i < block->count; i++)
    if (site_of (block, i)->kind == OMEN_SITE_LOAD && !block->members[i].word)
      bits += 8 * site_of (block, i)->size;
  for (unsigned i = 0; i < block->count; i++) {
    omen_member *m = &block->members[i];
    if (site_of (block, i)->kind != OMEN_SITE_LOAD || m->word)
      continue;
    m->word = block->words;
    m->weight = (uint8_t)(bits > 64 ? ++weight : 0);
    m->shift = (uint8_t)(bits > 64 ? 0 : shift);
    shift += 8u * site_of (block, i)->size;
    block->loads++;
  }
  block->words += block->loads > 0;
}

/* Steps, or some bits. */
static uint32_t
random_way (uint64_t *random, unsigned bases)
{
  unsigned step = 1 + below (random, bases), shift = below (random, 64);
  return below (random, 2)
             ? OMEN_MEMBER_STEPS (step, 1 + below (random, 15))
             : OMEN_MEMBER_NEAR (step, shift, 1 + below (random, 64 - shift));
}

static void
make_block (uint64_t *random, omen_code_block *block, bool small)
{
  unsigned most = small ? 3 : OMEN_BLOCK_NOTES;
  block->kind = OMEN_SITE_BLOCK;
  block->count = (uint32_t)(2 + below (random, most - 1));
  block->bases = (uint8_t)(1 + below (random, block->count));
  block->words = (uint8_t)(1 + block->bases);
  unsigned shift = 0;
  uint8_t word = 0;
  for (unsigned i = 0, loads = 0; i < block->count; i++) {
    omen_site *site;
    do
      site = &sites[below (random, SITES)];
    while (site->kind == OMEN_SITE_LOAD && loads == LOADS_AT_ONCE);
    omen_member *m = &block->members[i];
    m->site = (int32_t)((char *)site - (char *)block);
    m->offset = (int32_t)next_random (random);
    m->base = (uint8_t)(1 + below (random, block->bases));
    if (site->kind != OMEN_SITE_LOAD && !below (random, 8)) {
      m->base = 0; /* as depths of inlined functions are */
      m->offset = (int32_t)(1 + below (random, 9));
    }
    loads += site->kind == OMEN_SITE_LOAD;
    if (site->kind == OMEN_SITE_LOAD)
      continue;
    unsigned bits = 8u * site->size;
    if (bits < 64 && word && shift + bits <= 64 && below (random, 2)) {
      m->word = word;
      m->shift = (uint8_t)shift;
      shift += bits;
    } else if (below (random, small ? 2 : 3)) {
      m->word = word = block->words++;
      shift = bits;
    } else
      m->constant = (uint32_t)next_random (random);
  }
  place_copies (random, block);
  place_loads (block);
  for (unsigned i = 0; i < block->count; i++)
    if (block->members[i].word && block->members[i].base && !below (random, 4))
      block->members[i].constant = random_way (random, block->bases);
}

/* Each base goes in steps of a word of its own, or in the same ones. */
static void
make_loop (uint64_t *random, omen_code_block *loop)
{
  unsigned bases = 1 + (unsigned)below (random, 3);
  loop->kind = OMEN_SITE_BLOCK;
  loop->loads = OMEN_BLOCK_LOOP;
  loop->count = 1 + (uint32_t)below (random, 6);
  loop->words = (uint8_t)(2 + 2 * bases);
  loop->bases = (uint8_t)(loop->words - 1);
  for (unsigned i = 0; i < loop->count; i++) {
    omen_member *m = &loop->members[i];
    omen_site *site = &sites[below (random, SITES)];
    m->site = (int32_t)((char *)site - (char *)loop);
    m->offset = (int32_t)next_random (random);
    m->base = (uint8_t)(1 + below (random, bases));
    m->word = (uint8_t)(m->base % 2 ? bases + m->base : 0);
    m->constant = (uint32_t)(-8 * m->base);
  }
}

static void
make_program (void)
{
  uint64_t random = 2;
  if (sites[0].size)
    return;
  for (unsigned i = 0; i < SITES; i++) {
    sites[i].kind
        = (uint8_t)(below (&random, 2) ? OMEN_SITE_LOAD : OMEN_SITE_STORE);
    sites[i].size = (uint8_t)(1 << below (&random, 4));
  }
  for (unsigned i = 0; i < LOOPS; i++)
    make_loop (&random, &loops[i].head);
  unsigned short_ones = 0;
  for (unsigned i = 0; i < BLOCKS; i++) {
    make_block (&random, &blocks[i].head, i % 2);
    short_ones |= 1u << (blocks[i].head.words < 6 ? blocks[i].head.words : 6);
  }
  assert_int_equal (short_ones, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6);
}

/* The table, and with it the ids. */
static void
forget_table (void)
{
  omen_notes_blocks_fini (&table);
  block_ids = 0;
  for (unsigned i = 0; i < BLOCKS; i++)
    blocks[i].head.id = 0;
  for (unsigned i = 0; i < LOOPS; i++)
    loops[i].head.id = 0;
}

#endif
