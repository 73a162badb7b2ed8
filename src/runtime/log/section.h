/* Sections: a lock that is taken and given up, with at most one item in
   between, is one note. That is what locks are for, and one note costs half as
   much to encode as two; many of the same kind in a row next to nothing.

     {ACQUIRE, lock, arg, number, pc}                    when it is taken
     {section, lock, arg, number, pc, number, pc}        when it is given up

   or, with an item of one PART in between,

     {ACQUIRE, lock, arg, number, pc}{ITEM, object, arg, number, pc}
     {section, lock, arg, object, arg, number, pc, number, pc, number, pc}

   A section is a block like those of woven code (abi.h): to a reader it is the
   same items. The ACQUIRE is a whole note from the start, and another thread
   may write it to the file while it is `taken`. That thread stores `shut`,
   executes a full barrier, and loads `busy` of the owner. The owner stores
   `busy`, takes the number of the RELEASE, which is a locked instruction and so
   a full barrier on x86, and loads `shut`. At least one of the two sees what
   the other stored: the note is not written, or it does not grow. */
#ifndef OMEN_RUNTIME_LOG_SECTION_H
#define OMEN_RUNTIME_LOG_SECTION_H

#include "runtime/log/item.h"

enum { OMEN_SECTION_ITEMS = 3 };
_Static_assert (OMEN_SECTION_OPEN == 2 * OMEN_ITEM_WORDS,
                "two items of one PART");
/* By the item in between; PART: nothing is. */
typedef union omen_section_block {
  omen_code_block head;
  char room[sizeof (omen_code_block)
            + 2 * OMEN_SECTION_ITEMS * sizeof (omen_member)];
} omen_section_block;
extern omen_section_block omen_section_code[OMEN_ITEM_END - OMEN_ITEM_FIRST];
void omen_sections_start (void);

/* The ACQUIRE at `note` and the item after it, and the RELEASE; its end, or
   NULL: that is no item of one PART. */
uint64_t *omen_section_around (uint64_t *note, uint64_t number, uint64_t pc);

/* As omen_item of an ACQUIRE. The number is taken here, where no signal handler
   can run that would log a higher one first. */
OMEN_INLINE void
omen_section_begin (const volatile void *lock, uint64_t arg, uint64_t pc)
{
  uint64_t *at = omen_item_begin (), number = omen_number (lock);
  __atomic_store_n (&omen_tape_of (at)->taken, at, __ATOMIC_RELAXED);
  omen_item_end (omen_item_put (at, OMEN_ITEM_ACQUIRE, lock, number, arg, pc));
}

/* The end of the section; NULL: it cannot be one note. */
OMEN_INLINE uint64_t *
omen_section_grow (uint64_t *note, const uint64_t *at, uint64_t number,
                   uint64_t pc)
{
  if (at - note != OMEN_ITEM_WORDS)
    return omen_section_around (note, number, pc);
  note[0] = (uintptr_t)&omen_section_code[0].head;
  note[5] = number;
  note[6] = pc;
  return note + 7;
}

/* As omen_item of a RELEASE; likewise. */
OMEN_INLINE void
omen_section_end (const volatile void *lock, uint64_t arg, uint64_t pc)
{
  uint64_t *at = omen_item_begin (), *end = NULL;
  omen_tape *tape = omen_tape_of (at);
  uint64_t *note = tape->taken, number = omen_number (lock); /* barrier */
  if (note && at - note <= OMEN_SECTION_OPEN
      && note[0] == (uintptr_t)omen_item_block (OMEN_ITEM_ACQUIRE, 2)
      && note[1] == (uintptr_t)lock && note[2] == arg
      && OMEN_LIKELY (note != __atomic_load_n (&tape->shut, __ATOMIC_RELAXED)))
    end = omen_section_grow (note, at, number, pc);
  if (!end)
    end = omen_item_put (at, OMEN_ITEM_RELEASE, lock, number, arg, pc);
  __atomic_store_n (omen_rt_cursor, end, __ATOMIC_RELEASE);
  __atomic_store_n (&tape->taken, NULL, __ATOMIC_RELEASE);
  omen_busy_end ();
}

#endif
