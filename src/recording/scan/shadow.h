/* The history of each used word (8 bytes) of memory.

     omen_histories_set (&shadow->histories, segment, clocks);
     omen_shadow_write (shadow, 0x1000, 4);      by the current segment

   Cost: 4 bytes for each used word, a nanosecond or two an access. */
#ifndef OMEN_RECORDING_SCAN_SHADOW_H
#define OMEN_RECORDING_SCAN_SHADOW_H

#include "recording/scan/history.h"

#define OMEN_SHADOW_PAGE 512u /* words; 4 KiB of memory */
#define OMEN_SHADOW_NEAR 64u  /* size of the cache of pages */

typedef struct omen_shadow_page {
  uint64_t number; /* address >> 12 */
  uint32_t words[OMEN_SHADOW_PAGE];
} omen_shadow_page;

/* A large block; its pages are allocated on first use. */
typedef struct omen_large_block {
  uint64_t start, end;
  uint32_t history; /* of it as a whole */
} omen_large_block;

typedef struct omen_shadow {
  omen_word_histories histories;
  OMEN_VEC (omen_shadow_page *) pages;
  omen_map index; /* number -> page */
  omen_shadow_page *near[OMEN_SHADOW_NEAR];
  OMEN_VEC (omen_large_block) large;
  omen_map straddled; /* word -> 1: an access spans this word and the next */
  bool failed;        /* an address is none */
} omen_shadow;

void omen_shadow_init (omen_shadow *shadow);
void omen_shadow_fini (omen_shadow *shadow);

/* Uses all words of [address, address + length); `done`: OMEN_DONE_…. */
void omen_shadow_do (omen_shadow *shadow, uint64_t address, uint64_t length,
                     unsigned done);
/* The same for adjacent plain accesses that cover every word. */
void omen_shadow_run (omen_shadow *shadow, uint64_t address, uint64_t length,
                      unsigned done);
void omen_shadow_open (omen_shadow *shadow, uint64_t address, uint64_t length);
uint32_t omen_shadow_history (omen_shadow *shadow, uint64_t address);

/* ---- single accesses ---- */

omen_shadow_page *omen_shadow_find (omen_shadow *shadow, uint64_t number);
void omen_shadow_straddle (omen_shadow *shadow, uint64_t address,
                           unsigned done);

/* A plain access of 1 to 8 bytes. */
static inline void
omen_shadow_access (omen_shadow *shadow, uint64_t address, unsigned size,
                    unsigned done)
{
  uint64_t number = address >> 12;
  omen_shadow_page *page = shadow->near[number % OMEN_SHADOW_NEAR];
  uint32_t *word;
  if (OMEN_UNLIKELY (!page || page->number != number))
    page = omen_shadow_find (shadow, number);
  word = &page->words[address >> 3 & (OMEN_SHADOW_PAGE - 1)];
  *word = omen_history_after (&shadow->histories, *word, done);
  if (OMEN_UNLIKELY ((address & 7) + size > 8))
    omen_shadow_straddle (shadow, address, done);
}

#endif
