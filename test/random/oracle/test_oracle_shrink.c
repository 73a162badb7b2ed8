/* The shrinker: how small it gets, and that what it returns still fails. */
#include "expect.h"
#include "gen.h"
#include "shrink.h"
#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static oracle *
ask (const omen_trace *trace, unsigned kinds)
{
  omen_err err = { 0 };
  oracle *o = oracle_new (trace, OMEN_MODEL_VALUE,
                          &(oracle_request){ .claims = kinds }, &err);
  assert_non_null (o);
  return o;
}

/* Something of these kinds is found. */
static bool
finds (const omen_trace *trace, void *kinds)
{
  oracle *o = ask (trace, *(unsigned *)kinds);
  bool found = oracle_count (o) > 0;
  oracle_free (o);
  return found;
}

static char *
text_of (const omen_trace *trace)
{
  omen_err err = { 0 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  assert_true (omen_text_write (trace, out, &err));
  fclose (out);
  return text;
}

static void
expect_shrunk_by (const char *from, oracle_fails *fails, void *context,
                  const char *to)
{
  omen_trace *trace = expect_trace (from);
  omen_trace *small = oracle_shrink (trace, fails, context);
  char *text = text_of (small);
  assert_string_equal (text, to);
  free (text);
  omen_trace_free (small);
  omen_trace_free (trace);
}

static void
expect_shrunk (const char *from, unsigned kinds, const char *to)
{
  expect_shrunk_by (from, finds, &kinds, to);
}

static void
a_race_is_two_events (void **state)
{
  expect_shrunk ("main|fork(one)|a.c:1; main|fork(two)|a.c:2; "
                 "one|acq(mutex)|b.c:1; one|w(count=1)|b.c:2; "
                 "one|rel(mutex)|b.c:3; two|r(count=1)|b.c:9; "
                 "two|branch()|b.c:9<-0; two|w(other=2)|b.c:10^1; "
                 "main|join(one)|a.c:3; main|join(two)|a.c:4",
                 ORACLE_RACE, "T1|w(x)|\nT2|r(x)|\n");
}

static void
a_deadlock_is_six_events (void **state)
{
  expect_shrunk ("T0|fork(T1)|; T0|w(z)|; T1|acq(a)|; T1|w(x)|; T1|acq(b)|; "
                 "T1|rel(b)|; T1|w(y)|; T1|rel(a)|; T2|acq(b)|; T2|r(x)|; "
                 "T2|acq(a)|; T2|rel(a)|; T2|rel(b)|; T0|join(T1)|",
                 ORACLE_DEADLOCK,
                 "T1|acq(l)|\nT1|acq(m)|\nT1|rel(m)|\nT1|rel(l)|\n"
                 "T2|acq(m)|\nT2|acq(l)|\n");
}

static void
what_is_not_needed_goes (void **state)
{
  expect_shrunk ("*|init(x=7)|; *|init(y=7)|; T1|r(x=7)|; T2|w(x=8)|; "
                 "T3|w(x=7)|; T3|r(y=7)",
                 ORACLE_NONDET, "T1|r(x)|\nT2|w(x)|\n");
  expect_shrunk ("T1|w(x=1)|; T1|aw.rlx(f=1)|; T2|ar.acq(f=1)|; T2|w(x=2)|",
                 ORACLE_RACE_ORDER, "T1|w(x)|\nT2|w(x)|\n");
}

/* Races by order, and no other ones. */
static bool
races_by_order_only (const omen_trace *trace, void *context)
{
  unsigned race = ORACLE_RACE, order = ORACLE_RACE_ORDER;
  return finds (trace, &order) && !finds (trace, &race);
}

/* A race that value allows and rf does not. */
static bool
needs_values (const omen_trace *trace, void *context)
{
  omen_err err = { 0 };
  oracle_request request = { .claims = ORACLE_RACE };
  oracle *rf = oracle_new (trace, OMEN_MODEL_RF, &request, &err);
  oracle *value = oracle_new (trace, OMEN_MODEL_VALUE, &request, &err);
  bool more = oracle_count (value) > oracle_count (rf);
  oracle_free (rf);
  oracle_free (value);
  return more;
}

static void
what_is_needed_stays (void **state)
{
  expect_shrunk_by ("T1|w(y=1)|f.c:1; T1|w(x=1)|f.c:2; T1|aw.rlx(f=1)|f.c:3; "
                    "T2|ar.acq(f=1)|f.c:4; T2|w(x=2)|f.c:5; T1|fence.acq()",
                    races_by_order_only, NULL,
                    "T1|w(x)|\nT1|aw.rlx(y)|\nT2|ar.acq(y)|\nT2|w(x)|\n");
  expect_shrunk_by ("T0|fork(T1)|; T1|w(a=1)|; T2|w(b=1)|; T2|w(a=1)|; "
                    "T3|r(a=1)|; T3|w(b=2)|; T0|w(c=3)|",
                    needs_values, NULL,
                    "T1|w(x=1)|\nT2|w(y=1)|\nT2|w(x=1)|\nT3|r(x=1)|\n"
                    "T3|w(y=2)|\n");
}

/* No event can be left out any more. */
static void
expect_minimal (const omen_trace *trace, unsigned kinds)
{
  char *text = text_of (trace);
  size_t lines = trace->events.count;
  assert_true (finds (trace, &kinds));
  for (size_t skip = 0;
       skip < lines && !strchr (text, '^') && !strstr (text, "<-"); skip++) {
    char *copy = strdup (text), *p = copy;
    omen_trace *fewer;
    omen_err err = { 0 };
    for (size_t i = 0; i < skip || *p == '*'; i += *p != '*')
      p = strchr (p, '\n') + 1;
    memmove (p, strchr (p, '\n') + 1, strlen (strchr (p, '\n') + 1) + 1);
    fewer = omen_text_parse ("fewer", copy, strlen (copy), &err);
    if (fewer) {
      oracle *o = oracle_new (fewer, OMEN_MODEL_VALUE,
                              &(oracle_request){ .claims = kinds }, &err);
      assert_true (!o || !oracle_count (o) || copy[0] == '*');
      oracle_free (o);
    }
    omen_trace_free (fewer);
    free (copy);
  }
  free (text);
}

static void
random_traces_shrink_to_the_core (void **state)
{
  static const unsigned kinds[]
      = { ORACLE_RACE, ORACLE_DEADLOCK, ORACLE_NONDET, ORACLE_ATOMICITY };
  unsigned shrunk = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    unsigned kind = kinds[seed % OMEN_COUNT (kinds)];
    oracle_knobs knobs;
    omen_trace *trace, *small;
    oracle_knobs_default (&knobs, seed);
    trace = oracle_generate (&knobs);
    if (finds (trace, &kind)) {
      small = oracle_shrink (trace, finds, &kind);
      assert_true (small->events.count <= 10);
      expect_minimal (small, kind);
      omen_trace_free (small);
      shrunk++;
    }
    omen_trace_free (trace);
  }
  assert_true (shrunk >= 20);
}

static void
what_was_shrunk_is_kept (void **state)
{
  omen_trace *trace = expect_trace ("T1|w(x)|; T2|r(x)|");
  char line[64] = "", path[] = "oracle.kept.t";
  omen_err err = { 0 };
  FILE *in;
  assert_true (oracle_keep (trace, ".", "oracle.kept", "a note", &err));
  in = fopen (path, "r");
  assert_non_null (in);
  assert_non_null (fgets (line, sizeof line, in));
  assert_string_equal (line, "# a note\n");
  assert_non_null (fgets (line, sizeof line, in));
  assert_string_equal (line, "T1|w(x)|\n");
  fclose (in);
  remove (path);
  assert_false (oracle_keep (trace, "/nonexistent", "x", "y", &err));
  omen_trace_free (trace);
}

UNIT_MAIN (UNIT (a_race_is_two_events), UNIT (a_deadlock_is_six_events),
           UNIT (what_is_not_needed_goes), UNIT (what_is_needed_stays),
           UNIT (random_traces_shrink_to_the_core),
           UNIT (what_was_shrunk_is_kept))
