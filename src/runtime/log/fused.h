/* Fused notes: a lock that is taken and given up, with at most one item in
   between, is one note. Most uses of locks are such, one note costs half as
   much to encode as two, and many of the same kind in a row cost next to
   nothing.

     {ACQUIRE, lock, arg, number, pc}                    when it is taken
     {fused, lock, arg, number, pc, number, pc}          when it is given up

   or, with an item of one PART in between,

     {ACQUIRE, lock, arg, number, pc}{ITEM, object, arg, number, pc}
     {fused, lock, arg, object, arg, number, pc, number, pc, number, pc}

   A fused note is a block like those of woven code (abi.h): to a reader it is
   the same items. The ACQUIRE is a whole note from the start, and another
   thread may write it to the file while it is `open`. That thread stores
   `sealed`, executes a full barrier, and loads `busy` of the owner. The owner
   stores `busy`, takes the number of the RELEASE, which is a locked instruction
   and so a full barrier on x86, and loads `sealed`. At least one of the two
   sees what the other stored: the note is not written, or it does not grow. */
#ifndef OMEN_RUNTIME_LOG_FUSED_H
#define OMEN_RUNTIME_LOG_FUSED_H

#include "runtime/log/item.h"

enum { OMEN_FUSED_ITEMS = 3 };
_Static_assert (OMEN_FUSED_OPEN == 2 * OMEN_ITEM_WORDS,
                "two items of one PART");
/* By the item in between; PART: none. */
typedef union omen_fused_block {
  omen_code_block head;
  char room[sizeof (omen_code_block)
            + 2 * OMEN_FUSED_ITEMS * sizeof (omen_member)];
} omen_fused_block;
extern omen_fused_block omen_fused_code[OMEN_ITEM_END - OMEN_ITEM_FIRST];
void omen_fused_start (void);

/* Fuses the ACQUIRE at `note`, the item after it, and the RELEASE. Returns the
   end; NULL: the item has more than one PART. */
uint64_t *omen_fused_around (uint64_t *note, uint64_t number, uint64_t pc);

/* Logs an ACQUIRE as omen_item does. The number is taken where no signal
   handler can run, which would log a higher one first. */
OMEN_INLINE void
omen_fused_begin (const volatile void *lock, uint64_t arg, uint64_t pc)
{
  uint64_t *at = omen_item_begin (), number = omen_number (lock);
  __atomic_store_n (&omen_thread_log_of (at)->open, at, __ATOMIC_RELAXED);
  omen_item_end (omen_item_put (at, OMEN_ITEM_ACQUIRE, lock, number, arg, pc));
}

/* Makes the open record and a RELEASE one record. Returns its end; NULL: they
   cannot be one. */
OMEN_INLINE uint64_t *
omen_fused_grow (uint64_t *note, const uint64_t *at, uint64_t number,
                 uint64_t pc)
{
  if (at - note != OMEN_ITEM_WORDS)
    return omen_fused_around (note, number, pc);
  note[0] = (uintptr_t)&omen_fused_code[0].head;
  note[5] = number;
  note[6] = pc;
  return note + 7;
}

/* Logs a RELEASE as omen_item does; the number likewise. */
OMEN_INLINE void
omen_fused_end (const volatile void *lock, uint64_t arg, uint64_t pc)
{
  uint64_t *at = omen_item_begin (), *end = NULL;
  omen_thread_log *log = omen_thread_log_of (at);
  uint64_t *note = log->open, number = omen_number (lock); /* barrier */
  if (note && at - note <= OMEN_FUSED_OPEN
      && note[0] == (uintptr_t)omen_item_block (OMEN_ITEM_ACQUIRE, 2)
      && note[1] == (uintptr_t)lock && note[2] == arg
      && OMEN_LIKELY (note != __atomic_load_n (&log->sealed, __ATOMIC_RELAXED)))
    end = omen_fused_grow (note, at, number, pc);
  if (!end)
    end = omen_item_put (at, OMEN_ITEM_RELEASE, lock, number, arg, pc);
  __atomic_store_n (omen_rt_cursor, end, __ATOMIC_RELEASE);
  __atomic_store_n (&log->open, NULL, __ATOMIC_RELEASE);
  omen_busy_end ();
}

#endif
