/* runtime/hash.h: every form is XXH3-64, of any length and at any address. */
#include "unit.h"

#include "splitmix.h"

#include "runtime/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

/* Short ones of each length: the code depends on it up to 240 bytes. */
enum { LONGEST = 50000, SHORT = 600 };

static void
forms_agree (void **state)
{
  uint8_t *bytes = malloc (LONGEST);
  uint64_t random = 1;
  omen_hash_form *form;
  for (size_t i = 0; i < LONGEST; i++)
    bytes[i] = (uint8_t)next_random (&random);
  for (size_t size = 0; size <= LONGEST - 3;
       size += size < SHORT ? 1 : 1 + size / 9) {
    const uint8_t *at = bytes + size % 3;
    uint64_t wanted = XXH3_64bits (at, size);
    assert_int_equal (omen_hash (at, size), wanted);
    for (unsigned i = 0; (form = omen_hash_form_at (i)); i++)
      assert_int_equal (form (at, size), wanted);
  }
  free (bytes);
}

static void
there_is_always_one (void **state)
{
  unsigned forms = 0;
  while (omen_hash_form_at (forms))
    forms++;
  assert_in_range (forms, 1, 3);
  assert_ptr_equal (omen_hash_form_at (forms - 1), omen_hash_any);
}

UNIT_MAIN (UNIT (forms_agree), UNIT (there_is_always_one))
