/* predict/windows: where an extent lies, against all windows there are. */
#include "unit.h"
#include "modelled.h"

#include "predict/windows.h"

#define EVENTS 12u

static const char *const twelve
    = "T|w(x=1) T|w(x=2) T|w(x=3) T|w(x=4) T|w(x=5) T|w(x=6) "
      "T|w(x=7) T|w(x=8) T|w(x=9) T|w(x=10) T|w(x=11) T|w(x=12)";

static void
windows_overlap_by_half_and_cover_all (void **state)
{
  modelled f = modelled_init (twelve);
  for (uint32_t size = 1; size < EVENTS + 3; size++) {
    omen_windows w = omen_windows_of (f.m, size);
    uint32_t end = 0;
    for (uint32_t i = 0; end < EVENTS; i++) {
      omen_range range = omen_windows_range (&w, i);
      assert_true (range.from <= end && range.to > end);
      assert_true (range.to - range.from == size || range.to == EVENTS);
      end = range.to;
    }
  }
  modelled_fini (&f);
}

/* In the window that begins last before it, if that has all of it. */
static void
an_extent_is_found_where_it_is (void **state)
{
  modelled f = modelled_init (twelve);
  for (uint32_t size = 1; size < EVENTS + 3; size++)
    for (uint32_t low = 0; low < EVENTS; low++)
      for (uint32_t high = low; high < EVENTS; high++) {
        omen_windows w = omen_windows_of (f.m, size);
        uint32_t at = omen_windows_find (&w, (omen_position_span){ low, high });
        omen_range range;
        if (at == OMEN_NONE) {
          assert_true (high - low >= size - size / 2);
          continue;
        }
        range = omen_windows_range (&w, at);
        assert_true (range.from <= low && high < range.to);
      }
  modelled_fini (&f);
}

static void
what_is_before_the_trace_is_at_its_beginning (void **state)
{
  modelled f = modelled_init (twelve);
  omen_position_span x = OMEN_SPAN_OF_NONE;
  omen_extent_widen (&x, f.m, 7);
  omen_extent_widen (&x, f.m, 4);
  assert_int_equal (x.low, 4);
  assert_int_equal (x.high, 7);
  omen_extent_widen (&x, f.m, OMEN_NONE);
  assert_int_equal (x.low, 0);
  assert_int_equal (x.high, 7);
  modelled_fini (&f);
}

UNIT_MAIN (UNIT (windows_overlap_by_half_and_cover_all),
           UNIT (an_extent_is_found_where_it_is),
           UNIT (what_is_before_the_trace_is_at_its_beginning))
