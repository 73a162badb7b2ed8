#include "runtime/section.h"

omen_section_block omen_section_code[OMEN_ITEM_END - OMEN_ITEM_FIRST],
    omen_own_section_code[OMEN_ITEM_END - OMEN_ITEM_FIRST], omen_own_taken,
    omen_own_given;

/* An item and its PART as members of a block. */
typedef struct place {
  enum omen_item_kind kind;
  uint8_t object, arg; /* words; arg 0: it is 0 */
  uint8_t number, pc;
  uint8_t add; /* to the number */
} place;

static omen_member *
put_member (omen_code_block *block, omen_member *m, enum omen_item_kind kind,
            uint8_t base, uint8_t word)
{
  const char *site = (const char *)OMEN_ITEM_SITE (kind);
  m->site = (int32_t)(site - (const char *)block);
  m->base = base;
  m->word = word;
  return m + 1;
}

static void
make_block (omen_code_block *block, const place *places, unsigned count,
            uint8_t bases, uint8_t words)
{
  omen_member *m = block->members;
  block->kind = OMEN_SITE_BLOCK;
  block->words = words;
  block->bases = bases;
  block->count = 2 * count;
  for (unsigned i = 0; i < count; i++) {
    const place *p = &places[i];
    m->weight = p->add;
    m = put_member (block, m, p->kind, p->object, p->number);
    m = put_member (block, m, OMEN_ITEM_PART, p->arg, p->pc);
  }
}

static void
make_own (void)
{
  const place taken = { OMEN_ITEM_ACQUIRE, 1, 0, 2, 3, 0 },
              given = { OMEN_ITEM_RELEASE, 1, 0, 2, 3, 0 };
  const place alone[] = { taken, { OMEN_ITEM_RELEASE, 1, 0, 2, 4, 1 } };
  make_block (&omen_own_taken.head, &taken, 1, 1, OMEN_OWN_WORDS);
  make_block (&omen_own_given.head, &given, 1, 1, OMEN_OWN_WORDS);
  make_block (&omen_own_section_code[0].head, alone, OMEN_COUNT (alone), 1, 5);
}

void
omen_sections_start (void)
{
  const place alone[] = { { OMEN_ITEM_ACQUIRE, 1, 2, 3, 4, 0 },
                          { OMEN_ITEM_RELEASE, 1, 2, 5, 6, 0 } };
  make_block (&omen_section_code[0].head, alone, OMEN_COUNT (alone), 2, 7);
  make_own ();
  for (unsigned i = 1; i < OMEN_COUNT (omen_section_code); i++) {
    enum omen_item_kind kind = (enum omen_item_kind)(OMEN_ITEM_FIRST + i);
    const place around[OMEN_SECTION_ITEMS]
        = { { OMEN_ITEM_ACQUIRE, 1, 2, 5, 6, 0 },
            { kind, 3, 4, 7, 8, 0 },
            { OMEN_ITEM_RELEASE, 1, 2, 9, 10, 0 } };
    const place own[OMEN_SECTION_ITEMS]
        = { { OMEN_ITEM_ACQUIRE, 1, 0, 4, 5, 0 },
            { kind, 2, 3, 6, 7, 0 },
            { OMEN_ITEM_RELEASE, 1, 0, 4, 8, 1 } };
    make_block (&omen_section_code[i].head, around, OMEN_COUNT (around), 4, 11);
    make_block (&omen_own_section_code[i].head, own, OMEN_COUNT (own), 3, 9);
  }
}

/* The kind of an item of one PART that a note begins with; PART: it is none. */
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

/* What an item says goes around number and pc of the ACQUIRE before it, which are at
   `at`: {object, arg, number, pc, number, pc}. The end. */
static uint64_t *
take_in (uint64_t *at, const uint64_t *item)
{
  const uint64_t number = at[0], pc = at[1], between = item[3],
                 between_pc = item[4];
  at[0] = item[1];
  at[1] = item[2];
  at[2] = number;
  at[3] = pc;
  at[4] = between;
  at[5] = between_pc;
  return at + 6;
}

uint64_t *
omen_section_around (uint64_t *note, uint64_t number, uint64_t pc)
{
  const uint64_t *item = note + OMEN_ITEM_WORDS;
  enum omen_item_kind kind = short_item_of (item);
  if (kind == OMEN_ITEM_PART)
    return NULL;
  uint64_t *end = take_in (note + 3, item);
  note[0] = (uintptr_t)&omen_section_code[kind - OMEN_ITEM_FIRST].head;
  *end++ = number;
  *end++ = pc;
  return end;
}

uint64_t *
omen_own_section_around (uint64_t *note, uint64_t pc)
{
  const uint64_t *item = note + OMEN_OWN_WORDS;
  enum omen_item_kind kind = short_item_of (item);
  if (kind == OMEN_ITEM_PART)
    return NULL;
  uint64_t *end = take_in (note + 2, item);
  note[0] = (uintptr_t)&omen_own_section_code[kind - OMEN_ITEM_FIRST].head;
  *end++ = pc;
  return end;
}
