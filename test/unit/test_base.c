/* base: arenas, vectors, names, big numbers, crews. */
#include "unit.h"

#include "base/big.h"
#include "base/crew.h"
#include "base/names.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void
arena_keeps_what_it_gave (void **state)
{
  omen_arena arena;
  char *kept;
  omen_arena_init (&arena);
  kept = omen_arena_strndup (&arena, "kept", 4);
  for (int i = 0; i < 1000; i++)
    memset (omen_arena_alloc (&arena, (size_t)i * 17), 0xaa, (size_t)i * 17);
  assert_string_equal (kept, "kept");
  omen_arena_fini (&arena);
}

static void
vector_grows_and_keeps (void **state)
{
  omen_ids ids = { 0 };
  for (uint32_t i = 0; i < 10000; i++)
    OMEN_VEC_PUSH (ids, i * 3);
  for (uint32_t i = 0; i < 10000; i++)
    assert_int_equal (ids.data[i], i * 3);
  assert_int_equal (OMEN_VEC_POP (ids), 9999 * 3);
  OMEN_VEC_FINI (ids);
}

static void
names_are_dense_and_stable (void **state)
{
  omen_names names;
  char text[32];
  omen_names_init (&names);
  for (uint32_t i = 0; i < 5000; i++) {
    int n = snprintf (text, sizeof text, "variable_%u", i);
    assert_int_equal (omen_names_find (&names, text, (size_t)n), OMEN_NONE);
    assert_int_equal (omen_names_id (&names, text, (size_t)n), i);
  }
  for (uint32_t i = 0; i < 5000; i++) {
    int n = snprintf (text, sizeof text, "variable_%u", i);
    assert_int_equal (omen_names_id (&names, text, (size_t)n), i);
    assert_string_equal (omen_names_text (&names, i), text);
  }
  omen_names_fini (&names);
}

static void
a_name_can_be_reused_for_a_new_id (void **state)
{
  omen_names names;
  omen_names_init (&names);
  assert_int_equal (omen_names_id (&names, "p", 1), 0);
  assert_int_equal (omen_names_again (&names, "p", 1), 1);
  assert_int_equal (omen_names_find (&names, "p", 1), 1);
  for (char c = 'a'; c < 'm'; c++)
    omen_names_id (&names, &c, 1);
  assert_int_equal (omen_names_find (&names, "p", 1), 1);
  assert_string_equal (omen_names_text (&names, 0), "p");
  omen_names_fini (&names);
}

static void
expect_text (const uint64_t *number, size_t words, const char *wanted)
{
  char *text = omen_big_text (number, words);
  assert_string_equal (text, wanted);
  omen_free (text);
}

static void
big_numbers_carry_and_print (void **state)
{
  uint64_t two_to_64[2] = { UINT64_MAX, 0 }, one = 1;
  uint64_t full[2] = { UINT64_MAX, UINT64_MAX };
  uint64_t billions[1] = { 5000000000u };
  expect_text (NULL, 0, "0");
  expect_text (&one, 1, "1");
  expect_text (billions, 1, "5000000000");
  assert_false (omen_big_add (two_to_64, 2, &one, 1));
  expect_text (two_to_64, 2, "18446744073709551616");
  expect_text (full, 2, "340282366920938463463374607431768211455");
  assert_true (omen_big_add (full, 2, &one, 1));
  expect_text (full, 2, "0");
}

typedef struct worker {
  _Atomic uint32_t *next;
  uint8_t *done;
} worker;

#define PORTIONS 5000u

static void *
take_portions (void *arg)
{
  worker *w = arg;
  uint32_t i;
  while ((i = atomic_fetch_add (w->next, 1)) < PORTIONS)
    w->done[i]++;
  return NULL;
}

static void
a_crew_does_everything_once (void **state)
{
  for (unsigned count = 1; count <= 5; count++) {
    _Atomic uint32_t next = 0;
    uint8_t done[PORTIONS] = { 0 };
    worker workers[5];
    for (unsigned i = 0; i < 5; i++)
      workers[i] = (worker){ &next, done };
    omen_crew_run (workers, sizeof *workers, count, take_portions);
    for (uint32_t i = 0; i < PORTIONS; i++)
      assert_int_equal (done[i], 1);
    assert_int_equal (next, PORTIONS + count);
  }
}

UNIT_MAIN (UNIT (arena_keeps_what_it_gave), UNIT (vector_grows_and_keeps),
           UNIT (big_numbers_carry_and_print),
           UNIT (names_are_dense_and_stable),
           UNIT (a_crew_does_everything_once),
           UNIT (a_name_can_be_reused_for_a_new_id))
