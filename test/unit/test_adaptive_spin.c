/* runtime/hooks/adaptive_spin.h: which waits come depends on what was of use.
 */
#include "unit.h"

#include "runtime/hooks/adaptive_spin.h"

enum { MANY = 100 };

/* Meets others at a lock, which is free after `free_after` waits; how many
   waits there were. */
static unsigned
meet (const void *lock, unsigned free_after)
{
  omen_adaptive_spin spin = omen_adaptive_spin_begin (lock);
  unsigned waits = 0;
  while (waits < free_after && omen_adaptive_spin_wait (&spin))
    waits++;
  omen_adaptive_spin_end (&spin, lock, waits == free_after);
  return waits;
}

static bool
is_for_short_waits (const void *lock)
{
  omen_adaptive_spin spin = omen_adaptive_spin_begin (lock);
  return spin.waits && spin.grows;
}

static void
new_locks_get_short_waits (void **state)
{
  static int locks[2];
  for (unsigned i = 0; i < MANY; i++) {
    assert_true (is_for_short_waits (&locks[i % 2]));
    meet (&locks[i % 2], i % 3);
  }
}

static void
a_lock_that_is_always_held_gets_few (void **state)
{
  static int lock;
  unsigned waits = 0;
  meet (&lock, MANY);
  for (unsigned i = 0; i < MANY; i++)
    waits += meet (&lock, MANY);
  assert_in_range (waits, 1, MANY / 8);
}

static void
a_lock_that_is_mostly_free_gets_more (void **state)
{
  static int lock;
  meet (&lock, 1);
  for (unsigned i = 0; i < MANY; i++)
    assert_int_equal (meet (&lock, 1), 1);
  assert_true (omen_adaptive_spin_begin (&lock).waits > 4);
  assert_false (is_for_short_waits (&lock));
}

/* It is looked at again, and found to be worth waiting for. */
static void
what_was_held_may_become_free (void **state)
{
  static int lock;
  unsigned waits = 0;
  for (unsigned i = 0; i < MANY; i++)
    meet (&lock, MANY);
  for (unsigned i = 0; i < MANY; i++)
    waits += meet (&lock, 1);
  assert_true (waits > MANY / 2);
}

UNIT_MAIN (UNIT (new_locks_get_short_waits),
           UNIT (a_lock_that_is_always_held_gets_few),
           UNIT (a_lock_that_is_mostly_free_gets_more),
           UNIT (what_was_held_may_become_free))
