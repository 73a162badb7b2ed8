/* What a walk in an order that must-order allows has seen of each word of 8
   bytes: which segment wrote it last, which have read it since, and whether two
   threads have used it in an order that another run may change.

     omen_shadow_write (shadow, 0x1000, 4);     by the segment set last
     omen_shadow_read (shadow, 0x1000, 4);

   A segment is what a thread does from one fork or barrier to the next: must-
   order has all of it before what comes after its end, or nothing. A word is
   open once a conflicting access was not ordered after an earlier one, and
   stays so.

   Cost: 8 bytes for each word that is used, a few nanoseconds an access. */
#ifndef OMEN_RECORDING_SCAN_SHADOW_H
#define OMEN_RECORDING_SCAN_SHADOW_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OMEN_SHADOW_PAGE 512u /* words; 4 KiB of memory */

typedef struct omen_word_use {
  uint32_t write; /* segment, maybe with what follows; 0: none */
  uint32_t read;  /* segment, or OMEN_WORD_SET + entry of sets; 0: none */
} omen_word_use;

#define OMEN_WORD_OPEN UINT32_MAX
#define OMEN_WORD_LOCAL (UINT32_C (1) << 31) /* a local of the writer's */
#define OMEN_WORD_FREED (UINT32_C (1) << 30) /* the writer has freed it */
#define OMEN_WORD_SEGMENT (OMEN_WORD_FREED - 1)
#define OMEN_WORD_SET (UINT32_C (1) << 31)

typedef struct omen_shadow_page {
  uint64_t number; /* address >> 12 */
  omen_word_use words[OMEN_SHADOW_PAGE];
} omen_shadow_page;

typedef struct omen_segment {
  uint32_t thread, clock;
} omen_segment;

/* Several segments that have read a word. */
typedef struct omen_word_set {
  uint32_t first, count; /* in members */
} omen_word_set;

/* A block so large that its pages are made when they are used. */
typedef struct omen_large_block {
  uint64_t start, end;
  uint32_t write; /* the last of it as a whole */
  bool open;
} omen_large_block;

typedef struct omen_shadow {
  OMEN_VEC (omen_shadow_page *) pages;
  omen_map index; /* number -> page */
  omen_shadow_page *last;
  OMEN_VEC (omen_segment) segments; /* from 1 */
  OMEN_VEC (omen_word_set) sets;
  omen_ids members;
  omen_map joined; /* (what has read, segment) -> … with the segment, too */
  OMEN_VEC (omen_large_block) large;
  omen_map straddled; /* word -> 1: an access has this one and the next */
  /* who is at work: */
  const uint32_t *clocks; /* by thread: segments up to this come before */
  uint32_t thread, segment;
  uint32_t from, to; /* the last entry of `joined` that was looked up */
  uint32_t known;    /* a set whose segments all come before */
} omen_shadow;

void omen_shadow_init (omen_shadow *shadow);
void omen_shadow_fini (omen_shadow *shadow);

/* A new segment, which is at work from now on. */
uint32_t omen_shadow_segment (omen_shadow *shadow, uint32_t thread,
                              uint32_t clock);
/* This one is at work; to be said again when the clocks have changed. */
void omen_shadow_set (omen_shadow *shadow, uint32_t segment,
                      const uint32_t *clocks);

void omen_shadow_read (omen_shadow *shadow, uint64_t address, uint64_t length);
void omen_shadow_write (omen_shadow *shadow, uint64_t address, uint64_t length);
/* A block begins: `local`, one that other threads may not use, since nothing
   says where it ends if its function is left otherwise. And it ends: who uses
   it then is told, if it is another thread. */
void omen_shadow_make (omen_shadow *shadow, uint64_t address, uint64_t length,
                       bool local);
void omen_shadow_end (omen_shadow *shadow, uint64_t address, uint64_t length);
void omen_shadow_open (omen_shadow *shadow, uint64_t address, uint64_t length);

#endif
