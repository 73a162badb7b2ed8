/* Finds the words of memory that lie in a heap block or stack of one thread and
   are used by that thread alone.

     omen_owned_init (&own);
     omen_owned_find (&own, &plans, file)       walks all notes
     omen_owned_has (&own, address, 8)

   Accesses to those of them that are settled can be dropped, unless a kept read
   has marked the word as wanted.

   Cost: an eighth of the memory that is used, and a quarter more during
   omen_owned_find. */
#ifndef OMEN_RECORDING_SCAN_OWNED_H
#define OMEN_RECORDING_SCAN_OWNED_H

#include "recording/scan/pieces.h"

#define OMEN_OWNED_WORDS 512u /* of a page */
#define OMEN_OWNED_NEAR 64u   /* size of the cache of pages */

typedef struct omen_owned_page {
  uint64_t number; /* word / OMEN_OWNED_WORDS */
  uint16_t *users; /* by word; NULL after omen_owned_find */
  uint64_t own[OMEN_OWNED_WORDS / 64], wanted[OMEN_OWNED_WORDS / 64];
} omen_owned_page;

/* A large block; its pages are allocated on first use. */
typedef struct omen_owned_large {
  uint64_t first, end; /* words */
  uint16_t user;
} omen_owned_large;

typedef struct omen_owned {
  OMEN_VEC (omen_owned_page *) pages;
  omen_map index; /* number -> page */
  omen_owned_page *near[OMEN_OWNED_NEAR];
  OMEN_VEC (omen_owned_large) large;
} omen_owned;

void omen_owned_init (omen_owned *own);
/* False: too many threads, or a limit of the file was reached. */
bool omen_owned_find (omen_owned *own, const omen_plans *plans,
                      const omen_notes_file *file);
void omen_owned_fini (omen_owned *own);

omen_owned_page *omen_owned_page_of (omen_owned *own, uint64_t number);

static inline omen_owned_page *
omen_owned_near (omen_owned *own, uint64_t number)
{
  omen_owned_page *page = own->near[number % OMEN_OWNED_NEAR];
  return OMEN_LIKELY (page && page->number == number)
             ? page
             : omen_owned_page_of (own, number);
}

static inline bool
omen_owned_word (omen_owned *own, uint64_t word)
{
  const omen_owned_page *page = omen_owned_near (own, word / OMEN_OWNED_WORDS);
  return page->own[word / 64 % (OMEN_OWNED_WORDS / 64)] >> word % 64 & 1;
}

/* Is all of the range owned by one thread, and settled? */
static inline bool
omen_owned_has (omen_owned *own, uint64_t address, uint64_t length)
{
  uint64_t last = (address + length - 1) / 8;
  for (uint64_t word = address / 8; length && word <= last; word++)
    if (!omen_owned_word (own, word))
      return false;
  return true;
}

/* The same, and no kept read needs any of it? */
bool omen_owned_free (omen_owned *own, uint64_t address, uint64_t length);
/* A kept read needs this range. True: parts of it were not wanted before. */
bool omen_owned_want (omen_owned *own, uint64_t address, uint64_t length);

#endif
