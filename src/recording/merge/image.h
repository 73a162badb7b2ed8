/* Memory of the recorded program as the items merged so far leave it: words of
   8 bytes, of each byte whether it is known, and the recent past.

     omen_image_write (image, &doer, 0x1000, 4, 7);
     omen_image_fits (image, 0x1000, 4, 7)      true
     omen_image_fits (image, 0x1000, 4, 8)      false
     omen_image_fits (image, 0x2000, 4, 8)      true: nothing is known there

   Pages are made when they are first touched, with what the file says of the
   memory at the beginning. In memory that others may write unseen
   (omen_mappings_exposed) nothing fits a byte that is not known. In the stack
   of a thread only what STACK_ALLOC covers is remembered; everything fits the
   rest.

   The past: the last OMEN_IMAGE_PAST changes, each linked to the one before of
   the same word. Cost: one hash probe, mostly in cache, and 48 bytes of the
   past a write. */
#ifndef OMEN_RECORDING_MERGE_IMAGE_H
#define OMEN_RECORDING_MERGE_IMAGE_H

#include "recording/log/file.h"

#define OMEN_PAGE_BITS 12
#define OMEN_PAGE_WORDS (1u << (OMEN_PAGE_BITS - 3))
#define OMEN_IMAGE_PAST OMEN_HARD_OR ((uint64_t)1 << 12, (uint64_t)1 << 20)

typedef struct omen_page {
  uint64_t number; /* address >> OMEN_PAGE_BITS */
  uint64_t words[OMEN_PAGE_WORDS];
  uint32_t last[OMEN_PAGE_WORDS];   /* number of the word's last change
                                       (omen_change) */
  uint8_t known[OMEN_PAGE_WORDS];   /* by bits: which bytes are */
  uint8_t covered[OMEN_PAGE_WORDS]; /* … are of a stack variable */
  bool stack, exposed;
} omen_page;

/* The previous contents of a word, and which thread changed it. */
typedef struct omen_change {
  uint64_t address; /* of the word */
  uint64_t old;
  uint64_t step;     /* of the order, when */
  uint64_t position; /* of the item in its thread */
  uint32_t thread;
  uint32_t before; /* number of the word's previous change, + 1 */
  uint8_t known, covered;
} omen_change;

typedef struct omen_stack_range {
  uint32_t thread;
  uint64_t start, end;
} omen_stack_range;

/* Blocks too large to visit each of their pages. */
typedef struct omen_large_range {
  uint64_t start, end;
  unsigned fresh;
} omen_large_range;

typedef struct omen_image {
  const omen_notes_file *file;
  struct omen_page_slot *slots;
  uint64_t mask, count;
  uint64_t last_number; /* the page used last */
  omen_page *last_page;
  omen_change *past; /* a ring, or its beginning */
  uint64_t room;     /* grows to PAST: most recordings are short */
  uint64_t changes;  /* so far: the next one is stored at changes % PAST */
  uint64_t oldest;   /* the past begins here */
  OMEN_VEC (omen_stack_range) stacks;
  OMEN_VEC (omen_large_range) large;
} omen_image;

/* The item that changes memory now. */
typedef struct omen_doer {
  uint64_t step, position;
  uint32_t thread;
} omen_doer;

void omen_image_init (omen_image *image, const omen_notes_file *file);
void omen_image_fini (omen_image *image);

omen_page *omen_image_find (omen_image *image, uint64_t number);

static inline omen_page *
omen_image_page (omen_image *image, uint64_t address)
{
  uint64_t number = address >> OMEN_PAGE_BITS;
  return OMEN_LIKELY (number == image->last_number)
             ? image->last_page
             : omen_image_find (image, number);
}

/* The bytes of a word that a mask selects. */
static inline uint64_t
omen_image_bits (unsigned mask)
{
  uint64_t spread
      = (mask * UINT64_C (0x0101010101010101)) & UINT64_C (0x8040201008040201);
  return ((spread + UINT64_C (0x7f7f7f7f7f7f7f7f)) >> 7
          & UINT64_C (0x0101010101010101))
         * 0xff;
}

/* Part of a word: `mask` selects bytes, `value` has them in place. */
bool omen_image_word_fits (omen_image *image, uint64_t address, unsigned mask,
                           uint64_t value);

/* Is a byte of it exposed and not known? */
bool omen_image_exposed (omen_image *image, uint64_t address, uint64_t length);

/* 1 to 8 bytes anywhere. */
bool omen_image_fits (omen_image *image, uint64_t address, unsigned size,
                      uint64_t value);
void omen_image_write (omen_image *image, const omen_doer *doer,
                       uint64_t address, unsigned size, uint64_t value);
/* Reads what is there, unknown bytes as 0; returns which are known. */
unsigned omen_image_read (omen_image *image, uint64_t address, unsigned size,
                          uint64_t *value);
/* A read that fits determines the value of bytes that were unknown. */
void omen_image_learn (omen_image *image, const omen_doer *doer,
                       uint64_t address, unsigned size, uint64_t value);
void omen_image_learn_word (omen_image *image, const omen_doer *doer,
                            uint64_t address, unsigned mask, uint64_t value);

/* [address, address + length) becomes unknown, or 0. */
void omen_image_forget (omen_image *image, const omen_doer *doer,
                        uint64_t address, uint64_t length, bool zero);
/* A stack variable begins or ends. */
void omen_image_cover (omen_image *image, const omen_doer *doer,
                       uint64_t address, uint64_t length, bool covered);
/* The thread's stack is [start, end); start = end: it has none. */
void omen_image_stack (omen_image *image, uint32_t thread, uint64_t start,
                       uint64_t end);

/* The change of the word before the `number`-th (for 0: its last one), as
   number + 1; NULL if it is no longer in the history. */
const omen_change *omen_image_change (const omen_image *image, uint64_t address,
                                      uint32_t number);
#endif
