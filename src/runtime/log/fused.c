#include "runtime/log/fused.h"

omen_fused_block omen_fused_code[OMEN_ITEM_END - OMEN_ITEM_FIRST];

/* Where an item and its PART are as members of a block. */
typedef struct place {
  enum omen_item_kind kind;
  uint8_t base,
      word; /* of the object and of the number; arg and pc come next */
} place;

static omen_member *
put_member (omen_code_block *block, omen_member *m, enum omen_item_kind kind,
            unsigned base, unsigned word)
{
  const char *site = (const char *)OMEN_ITEM_SITE (kind);
  m->site = (int32_t)(site - (const char *)block);
  m->base = (uint8_t)base;
  m->word = (uint8_t)word;
  return m + 1;
}

static void
make_block (omen_code_block *block, const place *places, unsigned count,
            unsigned bases)
{
  omen_member *m = block->members;
  block->kind = OMEN_SITE_BLOCK;
  block->words = (uint8_t)(1 + bases + 2 * count);
  block->bases = (uint8_t)bases;
  block->count = 2 * count;
  for (unsigned i = 0; i < count; i++) {
    const place *p = &places[i];
    m = put_member (block, m, p->kind, p->base, p->word);
    m = put_member (block, m, OMEN_ITEM_PART, p->base + 1u, p->word + 1u);
  }
}

void
omen_fused_start (void)
{
  const place alone[]
      = { { OMEN_ITEM_ACQUIRE, 1, 3 }, { OMEN_ITEM_RELEASE, 1, 5 } };
  make_block (&omen_fused_code[0].head, alone, OMEN_COUNT (alone), 2);
  for (unsigned i = 1; i < OMEN_COUNT (omen_fused_code); i++) {
    const place around[OMEN_FUSED_ITEMS]
        = { { OMEN_ITEM_ACQUIRE, 1, 5 },
            { (enum omen_item_kind) (OMEN_ITEM_FIRST + i), 3, 7 },
            { OMEN_ITEM_RELEASE, 1, 9 } };
    make_block (&omen_fused_code[i].head, around, OMEN_COUNT (around), 4);
  }
}

/* The kind of the one-PART item that begins the record; PART: it is none. */
static enum omen_item_kind
short_item_of (const uint64_t *note)
{
  const omen_code_block *block = (const omen_code_block *)note[0];
  enum omen_item_kind kind = OMEN_ITEM_PART;
  if (block->kind == OMEN_SITE_BLOCK && omen_is_item_block (block))
    kind = ((const omen_site *)((const char *)block + block->members[0].site))
               ->kind;
  return block == omen_item_block (kind, 2) ? kind : OMEN_ITEM_PART;
}

uint64_t *
omen_fused_around (uint64_t *note, uint64_t number, uint64_t pc)
{
  const uint64_t *item = note + OMEN_ITEM_WORDS;
  enum omen_item_kind kind = short_item_of (item);
  if (kind == OMEN_ITEM_PART)
    return NULL;
  const uint64_t taken = note[3], taken_pc = note[4], between = item[3],
                 between_pc = item[4];
  note[0] = (uintptr_t)&omen_fused_code[kind - OMEN_ITEM_FIRST].head;
  note[3] = item[1];
  note[4] = item[2];
  note[5] = taken;
  note[6] = taken_pc;
  note[7] = between;
  note[8] = between_pc;
  note[9] = number;
  note[10] = pc;
  return note + 11;
}
