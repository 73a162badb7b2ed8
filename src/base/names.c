#include "base/names.h"

#include <string.h>

#define FIRST_SLOTS OMEN_HARD_OR (2, 64)

void
omen_names_init (omen_names *names)
{
  memset (names, 0, sizeof *names);
  names->mask = FIRST_SLOTS - 1;
  names->slots = omen_zalloc (FIRST_SLOTS, sizeof *names->slots);
  omen_arena_init (&names->arena);
}

void
omen_names_fini (omen_names *names)
{
  omen_free (names->names);
  omen_free (names->slots);
  omen_arena_fini (&names->arena);
  memset (names, 0, sizeof *names);
}

/* Hashes eight bytes at a time. As multiplication carries only upwards, each
   product is folded, so that the last byte affects the bits that choose the
   slot. */
static uint32_t
hash_of_name (const char *text, size_t length)
{
  const uint64_t odd = 0x9e3779b97f4a7c15u;
  uint64_t h = length * odd, word;
  while (length >= 8) {
    memcpy (&word, text, 8);
    h = (h ^ word) * odd;
    h ^= h >> 32;
    text += 8, length -= 8;
  }
  word = 0;
  memcpy (&word, text, length);
  h = (h ^ word) * odd;
  h = (h ^ h >> 32) * odd;
  return (uint32_t)(h >> 32);
}

static bool
is_text (const omen_name *name, uint32_t hash, const char *text, size_t length)
{
  return name->hash == hash && name->length == length
         && !memcmp (name->text, text, length);
}

/* The slot of the string, or the empty one where it would be added. */
static uint32_t *
slot_of_name (const omen_names *names, uint32_t hash, const char *text,
              size_t length)
{
  uint32_t i = hash & names->mask;
  while (names->slots[i]
         && !is_text (&names->names[names->slots[i] - 1], hash, text, length))
    i = (i + 1) & names->mask;
  return &names->slots[i];
}

static void
double_slots (omen_names *names)
{
  uint32_t size = 2 * (names->mask + 1);
  uint32_t *old = names->slots;
  uint32_t old_size = names->mask + 1;
  names->mask = size - 1;
  names->slots = omen_zalloc (size, sizeof *names->slots);
  for (uint32_t s = 0; s < old_size; s++)
    if (old[s]) {
      uint32_t i = names->names[old[s] - 1].hash & names->mask;
      while (names->slots[i])
        i = (i + 1) & names->mask;
      names->slots[i] = old[s];
    }
  omen_free (old);
}

static uint32_t
append_text (omen_names *names, uint32_t hash, const char *text, size_t length)
{
  OMEN_REQUIRE (names->count < OMEN_NONE - 1 && length < OMEN_NONE);
  if (names->count == names->room) {
    names->room
        = OMEN_HARD_OR (names->room + 1, names->room ? 2 * names->room : 32);
    names->names
        = omen_realloc (names->names, names->room * sizeof *names->names);
  }
  names->names[names->count]
      = (omen_name){ omen_arena_strndup (&names->arena, text, length),
                     (uint32_t)length, hash };
  return names->count++;
}

uint32_t
omen_names_id (omen_names *names, const char *text, size_t length)
{
  uint32_t hash = hash_of_name (text, length);
  uint32_t *slot = slot_of_name (names, hash, text, length);
  if (*slot)
    return *slot - 1;
  *slot = append_text (names, hash, text, length) + 1;
  if (names->count > names->mask / 2)
    double_slots (names);
  return names->count - 1;
}

uint32_t
omen_names_find (const omen_names *names, const char *text, size_t length)
{
  uint32_t *slot
      = slot_of_name (names, hash_of_name (text, length), text, length);
  return *slot ? *slot - 1 : OMEN_NONE;
}

uint32_t
omen_names_again (omen_names *names, const char *text, size_t length)
{
  uint32_t hash = hash_of_name (text, length);
  uint32_t *slot = slot_of_name (names, hash, text, length);
  if (!*slot)
    return omen_names_id (names, text, length);
  *slot = append_text (names, hash, text, length) + 1;
  return names->count - 1;
}

const char *
omen_names_text (const omen_names *names, uint32_t id)
{
  OMEN_REQUIRE (id < names->count);
  return names->names[id].text;
}
