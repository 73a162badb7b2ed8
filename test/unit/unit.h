/* What every unit test includes: cmocka, and the leak check.

     static void finds_what_was_added (void **state) { … }
     UNIT_MAIN (UNIT (finds_what_was_added))

   Each test starts and ends with omen_mem_live () == 0. */
#ifndef OMEN_TEST_UNIT_H
#define OMEN_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"

static inline int
unit_no_leak (void **state)
{
  (void)state;
  assert_int_equal (omen_mem_live (), 0);
  return 0;
}

#define UNIT(test)                                                             \
  cmocka_unit_test_setup_teardown (test, unit_no_leak, unit_no_leak)
#define UNIT_MAIN(...)                                                         \
  int main (void)                                                              \
  {                                                                            \
    const struct CMUnitTest tests[] = { __VA_ARGS__ };                         \
    return cmocka_run_group_tests (tests, NULL, NULL);                         \
  }

#endif
