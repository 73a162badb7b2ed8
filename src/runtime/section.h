/* Sections: a lock that is taken and given up, with at most one item in between,
   is one note. That is what locks are for, and one note costs half as much to
   encode as two; many of the same kind in a row next to nothing.

     {ACQUIRE, lock, arg, number, pc}                    when it is taken
     {section, lock, arg, number, pc, number, pc}        when it is given up

   or, with an item of one PART in between,

     {ACQUIRE, lock, arg, number, pc}{ITEM, object, arg, number, pc}
     {section, lock, arg, object, arg, number, pc, number, pc, number, pc}

   The numbers of a mutex that has a stripe for itself (own.h) follow each other, and
   its arg is 0, so its notes are shorter:

     {ACQUIRE, lock, number, pc}         {RELEASE, lock, number, pc}
     {section, lock, number, pc, pc}
     {section, lock, object, arg, number, pc, number, pc, pc}

   A section is a block like those of woven code (abi.h): to a reader it is the
   same items. The ACQUIRE is a whole note from the start, and others may want to
   write it to the file while it is `taken`. They say that it is `shut`, and wait
   for longer than that can be on its way; then they look whether its thread is
   busy. The thread is busy, then looks at `shut`, and makes no barrier: if what it
   sees is from before, it was busy before, which the others see by then. So the
   note is not written, or it does not grow. */
#ifndef OMEN_RUNTIME_SECTION_H
#define OMEN_RUNTIME_SECTION_H

#include "runtime/item.h"
#include "runtime/own.h"

enum { OMEN_SECTION_ITEMS = 3 };
_Static_assert (OMEN_SECTION_OPEN == 2 * OMEN_ITEM_WORDS,
                "two items of one PART");
/* By the item in between; PART: nothing is. */
typedef union omen_section_block {
  omen_code_block head;
  char room[sizeof (omen_code_block)
            + 2 * OMEN_SECTION_ITEMS * sizeof (omen_member)];
} omen_section_block;
extern omen_section_block omen_section_code[OMEN_ITEM_END - OMEN_ITEM_FIRST],
    omen_own_section_code[OMEN_ITEM_END - OMEN_ITEM_FIRST], omen_own_taken,
    omen_own_given;
enum { OMEN_OWN_WORDS = 4 }; /* of the last two */
void omen_sections_start (void);

/* The ACQUIRE at `note` and the item after it, and the RELEASE; its end, or NULL:
   that is no item of one PART. */
uint64_t *omen_section_around (uint64_t *note, uint64_t number, uint64_t pc);
uint64_t *omen_own_section_around (uint64_t *note, uint64_t pc);

/* As omen_item of an ACQUIRE. */
OMEN_INLINE void
omen_section_begin (const volatile void *lock, uint64_t number, uint64_t arg,
                    uint64_t pc)
{
  uint64_t *at = omen_item_begin ();
  __atomic_store_n (&omen_tape_of (at)->taken, at, __ATOMIC_RELAXED);
  omen_item_end (
      omen_item_put (at, OMEN_ITEM_ACQUIRE, lock, number, arg, pc));
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

/* As omen_item of a RELEASE, whose number is taken here. */
OMEN_INLINE void
omen_section_end (const volatile void *lock, uint64_t arg, uint64_t pc)
{
  uint64_t *at = omen_item_begin (), *end = NULL;
  omen_tape *tape = omen_tape_of (at);
  uint64_t *note = tape->taken, number = omen_number (lock);
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

/* ---- the same of a mutex that has a stripe for itself ---- */

OMEN_INLINE uint64_t *
omen_own_put (uint64_t *at, const omen_section_block *kind,
              const volatile void *mutex, uint64_t number, uint64_t pc)
{
  at[0] = (uintptr_t)kind;
  at[1] = (uintptr_t)mutex;
  at[2] = number;
  at[3] = pc;
  return at + OMEN_OWN_WORDS;
}

/* Numbers are taken when no handler of a signal can come any more, who would look at
   a later one first. */
OMEN_INLINE void
omen_own_begin (omen_stripe_state *stripe, const volatile void *mutex,
                uint64_t pc)
{
  uint64_t *at = omen_item_begin (), number = omen_own_number (stripe);
  __atomic_store_n (&omen_tape_of (at)->taken, at, __ATOMIC_RELAXED);
  omen_item_end (omen_own_put (at, &omen_own_taken, mutex, number, pc));
}

OMEN_INLINE uint64_t *
omen_own_grow (uint64_t *note, const uint64_t *at, uint64_t pc)
{
  if (at - note != OMEN_OWN_WORDS)
    return omen_own_section_around (note, pc);
  note[0] = (uintptr_t)&omen_own_section_code[0];
  note[4] = pc;
  return note + 5;
}

OMEN_INLINE void
omen_own_end (omen_stripe_state *stripe, const volatile void *mutex,
              uint64_t pc)
{
  uint64_t *at = omen_item_begin (), *end = NULL;
  omen_tape *tape = omen_tape_of (at);
  uint64_t *note = tape->taken, number = omen_own_number (stripe);
  if (note && at - note <= OMEN_SECTION_OPEN
      && note[0] == (uintptr_t)&omen_own_taken && note[1] == (uintptr_t)mutex
      && note[2] + 1 == number
      && OMEN_LIKELY (note != __atomic_load_n (&tape->shut, __ATOMIC_RELAXED)))
    end = omen_own_grow (note, at, pc);
  if (!end)
    end = omen_own_put (at, &omen_own_given, mutex, number, pc);
  __atomic_store_n (omen_rt_cursor, end, __ATOMIC_RELEASE);
  __atomic_store_n (&tape->taken, NULL, __ATOMIC_RELEASE);
  omen_busy_end ();
}

#endif
