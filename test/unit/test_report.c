/* report: suppressions, baselines, stacks. */
#include "unit.h"

#include "report/baseline.h"
#include "report/reporter.h"
#include "report/suppress.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "T1|enter(main)|a.c:1\nT1|enter(deposit)|a.c:3\n"
                           "T1|w(balance=1)|a.c:5\nT1|exit(deposit)|a.c:6\n"
                           "T2|enter(audit)|b.c:3\nT2|r(balance=1)|b.c:7\n";

static omen_trace *
trace_of (const char *lines)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("t", lines, strlen (lines), &err);
  assert_non_null (trace);
  return trace;
}

static omen_finding
race (void)
{
  omen_finding finding = { .kind = OMEN_FINDING_RACE,
                           .status = OMEN_STATUS_VERIFIED,
                           .count = 1 };
  omen_witness_init (&finding.witness);
  finding.witness.claim.kind = OMEN_CLAIM_RACE;
  OMEN_VEC_PUSH (finding.witness.claim.events, 2);
  OMEN_VEC_PUSH (finding.witness.claim.events, 5);
  return finding;
}

static char *
file_of (const char *content)
{
  static char path[] = "report-XXXXXX";
  strcpy (path + sizeof path - 7, "XXXXXX");
  int fd = mkstemp (path);
  assert_true (fd >= 0);
  assert_int_equal (write (fd, content, strlen (content)), strlen (content));
  close (fd);
  return path;
}

static omen_suppressions *
load (const char *content, omen_err *err)
{
  char *path = file_of (content);
  omen_suppressions *list = omen_suppressions_load (path, err);
  unlink (path);
  return list;
}

static bool
suppresses (const char *content)
{
  omen_err err = { 0 };
  omen_trace *trace = trace_of (text);
  omen_reporter *reporter = omen_reporter_new (trace);
  omen_finding finding = race ();
  omen_suppressions *list = load (content, &err);
  assert_non_null (list);
  bool known = omen_suppressed (list, reporter, &finding);
  omen_suppressions_free (list);
  omen_finding_fini (&finding);
  omen_reporter_free (reporter);
  omen_trace_free (trace);
  return known;
}

static void
patterns_match_as_tsan_does (void **state)
{
  static const struct {
    const char *pattern, *text;
    bool fits;
  } cases[] = {
    { "foo", "foo", true },        { "foo", "a_foo_b", true },
    { "^foo", "a_foo", false },    { "^foo", "foobar", true },
    { "foo$", "foobar", false },   { "foo$", "a_foo", true },
    { "^foo$", "foo", true },      { "^foo$", "fooo", false },
    { "f*o", "a_fxxo_b", true },   { "^f*o$", "foxo", true },
    { "^f*o$", "foxx", false },    { "a*b*c", "xaxbxcx", true },
    { "a*b*c", "xaxcxbx", false }, { "*", "", true },
    { "*x$", "xxy", false },       { "*x$", "xyx", true },
    { "$", "abc", true },          { "a$b", "xa$b", true },
  };
  for (size_t i = 0; i < OMEN_COUNT (cases); i++)
    if (omen_suppress_match (cases[i].pattern, cases[i].text) != cases[i].fits)
      fail_msg ("%s on %s", cases[i].pattern, cases[i].text);
}

static void
lines_suppress_by_frame_file_and_variable (void **state)
{
  assert_true (suppresses ("race:deposit\n"));
  assert_true (suppresses ("# note\n\nrace:^main$\r\n"));
  assert_true (suppresses ("race:b.c\n"));
  assert_true (suppresses ("  race:balance"));
  assert_true (suppresses ("race_top:audit\n"));
  assert_false (suppresses ("race_top:main\n"));
  assert_false (suppresses ("race_top:balance\n"));
  assert_false (suppresses ("deadlock:deposit\n"));
  assert_false (suppresses ("race:nobody\n"));
  assert_false (suppresses ("thread:deposit\nsignal:*\ncalled_from_lib:x\n"));
  assert_false (suppresses (""));
}

static void
bad_lines_are_named (void **state)
{
  omen_err err = { 0 };
  assert_null (load ("race:x\nrice:y\n", &err));
  assert_non_null (strstr (err.where, ":2"));
  assert_non_null (strstr (err.what, "'rice'"));
  err = (omen_err){ 0 };
  assert_null (load ("race\n", &err));
  assert_non_null (strstr (err.what, "kind:pattern"));
  err = (omen_err){ 0 };
  assert_null (omen_suppressions_load ("/nowhere/file", &err));
  assert_true (err.io);
}

static bool
in_baseline (const char *before, const char *after)
{
  omen_err err = { 0 };
  omen_trace *old = trace_of (before), *new = trace_of (after);
  omen_reporter *a = omen_reporter_new (old), *b = omen_reporter_new (new);
  omen_finding finding = race ();
  json_t *root
      = json_pack ("{s[o]}", "findings", omen_report_json (a, &finding, 1));
  char *json = json_dumps (root, 0), *path = file_of (json);
  omen_baseline *baseline = omen_baseline_load (path, &err);
  assert_non_null (baseline);
  bool known = omen_baseline_has (baseline, b, &finding);
  omen_baseline_free (baseline);
  unlink (path);
  free (json);
  json_decref (root);
  omen_finding_fini (&finding);
  omen_reporter_free (a);
  omen_reporter_free (b);
  omen_trace_free (old);
  omen_trace_free (new);
  return known;
}

static void
baseline_survives_moved_lines (void **state)
{
  assert_true (in_baseline (text, text));
  assert_true (in_baseline (text,
                            "T1|enter(main)|a.c:1\nT1|enter(deposit)|a.c:9\n"
                            "T1|w(balance=4)|a.c:11\nT1|exit(deposit)|a.c:12\n"
                            "T3|enter(audit)|b.c:4\nT3|r(balance=4)|b.c:8\n"));
  assert_false (in_baseline (text,
                             "T1|enter(main)|a.c:1\nT1|enter(withdraw)|a.c:3\n"
                             "T1|w(balance=1)|a.c:5\nT1|exit(withdraw)|a.c:6\n"
                             "T2|enter(audit)|b.c:3\nT2|r(balance=1)|b.c:7\n"));
}

static void
stacks_come_from_enter_events (void **state)
{
  omen_trace *trace = trace_of (text);
  omen_reporter *reporter = omen_reporter_new (trace);
  const omen_names *names = &trace->names[OMEN_OPERAND_FUNCTION];
  omen_reporter_stack (reporter, 2);
  assert_int_equal (reporter->stack.count, 2);
  assert_string_equal (
      omen_names_text (names, reporter->stack.data[0].function), "deposit");
  assert_string_equal (
      omen_names_text (names, reporter->stack.data[1].function), "main");
  omen_reporter_stack (reporter, 0);
  assert_int_equal (reporter->stack.count, 0);
  omen_reporter_free (reporter);
  omen_trace_free (trace);
}

UNIT_MAIN (UNIT (patterns_match_as_tsan_does),
           UNIT (lines_suppress_by_frame_file_and_variable),
           UNIT (bad_lines_are_named), UNIT (baseline_survives_moved_lines),
           UNIT (stacks_come_from_enter_events))
