#include "space.h"

#include <string.h>

#define FIRST_SLOTS OMEN_HARD_OR (4, 1024)

void
space_init (space *sp, unsigned words)
{
  memset (sp, 0, sizeof *sp);
  sp->words = words;
  sp->mask = FIRST_SLOTS - 1;
  sp->slots = omen_zalloc (FIRST_SLOTS, sizeof *sp->slots);
}

void
space_fini (space *sp)
{
  omen_free (sp->slots);
  OMEN_VEC_FINI (sp->data);
  OMEN_VEC_FINI (sp->parent);
  OMEN_VEC_FINI (sp->by);
}

static uint32_t
hash_words (const uint64_t *words, unsigned count)
{
  uint64_t h = 0;
  for (unsigned i = 0; i < count; i++) {
    h = (h ^ words[i]) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return (uint32_t)h;
}

static uint32_t *
slot_of (const space *sp, const uint64_t *words)
{
  uint32_t i = hash_words (words, sp->words) & sp->mask;
  while (sp->slots[i]
         && memcmp (space_at (sp, sp->slots[i] - 1), words,
                    sp->words * sizeof *words))
    i = (i + 1) & sp->mask;
  return &sp->slots[i];
}

static void
double_slots (space *sp)
{
  omen_free (sp->slots);
  sp->mask = 2 * sp->mask + 1;
  sp->slots = omen_zalloc ((size_t)sp->mask + 1, sizeof *sp->slots);
  for (uint32_t i = 0; i < sp->count; i++)
    *slot_of (sp, space_at (sp, i)) = i + 1;
}

uint32_t
space_add (space *sp, const uint64_t *words, uint32_t parent, uint32_t by,
           bool *fresh)
{
  uint32_t *slot = slot_of (sp, words);
  *fresh = !*slot;
  if (*slot)
    return *slot - 1;
  for (unsigned i = 0; i < sp->words; i++)
    OMEN_VEC_PUSH (sp->data, words[i]);
  OMEN_VEC_PUSH (sp->parent, parent);
  OMEN_VEC_PUSH (sp->by, by);
  *slot = ++sp->count;
  if (sp->count > sp->mask / 2)
    double_slots (sp);
  return sp->count - 1;
}

void
space_path (const space *sp, uint32_t i, omen_ids *path)
{
  OMEN_VEC_CLEAR (*path);
  for (; sp->parent.data[i] != OMEN_NONE; i = sp->parent.data[i])
    OMEN_VEC_PUSH (*path, sp->by.data[i]);
  for (size_t k = 0; k < path->count / 2; k++) {
    uint32_t other = path->data[k];
    path->data[k] = path->data[path->count - 1 - k];
    path->data[path->count - 1 - k] = other;
  }
}
