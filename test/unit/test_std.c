/* trace: export to RAPID's STD form. */
#include "imported.h"

#include "io/std_write.h"
#include "io/text_read.h"

static char *
exported (const char *text, bool lossy, omen_std_report *report, omen_err *err)
{
  omen_trace *trace = imported (omen_text_parse, text);
  omen_std_options options = { lossy, report };
  char *written;
  size_t size;
  FILE *out = open_memstream (&written, &size);
  bool ok = omen_std_write (trace, out, &options, err);
  fclose (out);
  omen_trace_free (trace);
  if (ok)
    return written;
  assert_int_equal (size, 0);
  free (written);
  return NULL;
}

static void
becomes (const char *text, bool lossy, const char *want)
{
  omen_err err = { 0 };
  omen_trace *again;
  char *written = exported (text, lossy, NULL, &err);
  if (!written)
    fail_msg ("%s", err.what);
  assert_string_equal (written, want);
  again = imported (omen_text_parse, written); /* STD is a part of our text */
  omen_trace_free (again);
  free (written);
}

static void
says (const char *text, const char *const *notes)
{
  omen_std_report report;
  omen_err err = { 0 };
  char note[100];
  unsigned i = 0;
  char *written = exported (text, true, &report, &err);
  assert_non_null (written);
  free (written);
  for (; omen_std_note (&report, i, note, sizeof note); i++) {
    assert_non_null (notes[i]);
    assert_string_equal (note, notes[i]);
  }
  assert_null (notes[i]);
}

static void
cannot (const char *text, const char *why)
{
  omen_err err = { 0 };
  assert_null (exported (text, false, NULL, &err));
  if (!strstr (err.what, why))
    fail_msg ("'%s' does not say '%s'", err.what, why);
}

static void
what_std_says_is_kept (void **state)
{
  const char *std = "T0|r(V123)|345\nT1|w(V234.23[0])|456\nT0|fork(T2)|123\n"
                    "T2|acq(L34)|120\nT2|rel(L34)|130\nT2|begin(A)|1\n"
                    "T2|end(A)|2\nT0|join(T2)|134\n";
  becomes (std, false, std);
  becomes ("", false, "");
}

static void
names_are_made_safe (void **state)
{
  becomes ("main|w(a b)|\nmain|w(a_b)|\nmain|fork(w1)|\nw1|acq(a b)|\n", false,
           "T0|w(a_b)|0\nT0|w(a_b_2)|0\nT0|fork(T1)|0\nT1|acq(a_b)|0\n");
  becomes ("T1|w(x)|f.c:3\nT1|w(y)|f.c:4\nT1|r(x)|f.c:3\n", false,
           "T1|w(x)|0\nT1|w(y)|1\nT1|r(x)|0\n");
}

static void
ranges_are_variables (void **state)
{
  becomes ("T1|w(x+0:4)|1\nT1|r(x+4:4)|2\n", false,
           "T1|w(x.0)|1\nT1|r(x.4)|2\n");
  cannot ("T1|w(x+0:8)|1\nT1|r(x+4:4)|2\n",
          "event 0 (T1:0 w(x+0:8) at 1): STD has no byte ranges that overlap");
  becomes ("T1|w(x+0:8)|1\nT1|r(x+4:4)|2\n", true,
           "T1|w(x.0)|1\nT1|w(x.4)|1\nT1|r(x.4)|2\n");
}

static void
what_std_lacks_is_refused (void **state)
{
  cannot ("T1|w(x)|1\nT1|ar(y)|\n", "event 1 (T1:1 ar(y)): STD has no atomics");
  cannot ("T1|racq(l)|1\n", "read-write locks");
  cannot ("T1|acq(l)|1\nT1|wait(c,l)|1\n", "condition variables");
  cannot ("T1|up(s)|1\n", "semaphores");
  cannot ("T1|arrive(b,1)|1\n", "barriers");
  cannot ("T1|alloc(p,8)|1\n", "memory blocks");
  cannot ("T1|branch()|1\n", "such events");
}

static void
or_lowered (void **state)
{
  static const char text[]
      = "T1|w(x=1)|1\nT1|aw(y=1)|2\nT2|ar(y)|3\nT2|rmw(y=1:2)|4\n"
        "T2|free(x)|5\nT1|acq(l)|6\nT1|wait(c,l)|7\nT2|notify(c)|8\n"
        "T1|wake(c,l)|9\nT1|rel(l)|10\n";
  static const char *const notes[] = { "1 ar written as r",
                                       "1 aw written as w",
                                       "1 rmw written as r and w",
                                       "1 wait written as rel",
                                       "1 wake written as acq",
                                       "1 notify left out",
                                       "1 free written as w",
                                       "values left out",
                                       NULL };
  becomes (text, true,
           "T1|w(x)|1\nT1|w(y)|2\nT2|r(y)|3\nT2|r(y)|4\nT2|w(y)|4\n"
           "T2|w(x)|5\nT1|acq(l)|6\nT1|rel(l)|7\nT1|acq(l)|9\nT1|rel(l)|10\n");
  says (text, notes);
}

/* STD has no readers side by side: the second one goes without. */
static void
readers_exclude_each_other (void **state)
{
  static const char *const notes[]
      = { "1 racq left out", "2 racq written as acq", "1 rrel left out",
          "2 rrel written as rel", NULL };
  static const char text[] = "T1|racq(l)|1\nT2|racq(l)|2\nT1|rrel(l)|3\n"
                             "T2|rrel(l)|4\nT2|racq(l)|5\nT2|rrel(l)|6\n";
  becomes (text, true, "T1|acq(l)|1\nT1|rel(l)|3\nT2|acq(l)|5\nT2|rel(l)|6\n");
  says (text, notes);
}

UNIT_MAIN (UNIT (what_std_says_is_kept), UNIT (names_are_made_safe),
           UNIT (ranges_are_variables), UNIT (what_std_lacks_is_refused),
           UNIT (or_lowered), UNIT (readers_exclude_each_other))
