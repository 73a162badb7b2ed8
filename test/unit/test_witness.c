/* witness: the text form, there and back. */
#include "unit.h"

#include "io/text_read.h"
#include "witness/witness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static omen_trace *
trace_of (const char *text)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("t", text, strlen (text), &err);
  if (!trace)
    fail_msg ("%s: %s", err.where, err.what);
  return trace;
}

static const char small[] = "T1|w(x)|f.c:1\nT1|w(y)\nT2|r(x)\nT 3|w(z)\n"
                            "a\\x5cb\\x09c|w(z)\n\\-|w(z)\n";

/* "omen-witness 1", the right trace line, then `rest`. */
static char *
witness_text (const omen_trace *trace, const char *rest)
{
  static char text[4096];
  snprintf (text, sizeof text, "omen-witness 1\ntrace %016" PRIx64 " %zu\n%s",
            omen_trace_identity (trace), trace->events.count, rest);
  return text;
}

static bool
parse (omen_witness *w, const omen_trace *trace, const char *text,
       omen_err *err)
{
  *err = (omen_err){ 0 };
  omen_witness_init (w);
  return omen_witness_parse (w, trace, "f.w", text, strlen (text), err);
}

static void
reads_all_its_parts (void **state)
{
  omen_trace *trace = trace_of (small);
  omen_witness w;
  omen_err err;
  const char *text = witness_text (
      trace, "# a comment\nmodel sliced\n\nclaim nondet 2 -1 crw\n"
             "run T2 0 1\r\n  run\tT1 0 2\nend\n\n# the end\n");
  assert_true (parse (&w, trace, text, &err));
  assert_int_equal (w.identity, omen_trace_identity (trace));
  assert_int_equal (w.trace_events, 6);
  assert_int_equal (w.model, OMEN_MODEL_SLICED);
  assert_int_equal (w.claim.kind, OMEN_CLAIM_NONDET);
  assert_int_equal (w.claim.word, OMEN_CRW);
  assert_int_equal (w.claim.events.count, 2);
  assert_int_equal (w.claim.events.data[0], 2);
  assert_int_equal (w.claim.events.data[1], OMEN_NONE);
  assert_int_equal (w.sequence.count, 3);
  assert_int_equal (w.sequence.data[0], 2);
  assert_int_equal (w.sequence.data[1], 0);
  assert_int_equal (w.sequence.data[2], 1);
  omen_witness_fini (&w);
  omen_trace_free (trace);
}

static char *
written (const omen_witness *w, const omen_trace *trace)
{
  omen_err err = { 0 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  assert_true (omen_witness_write (w, trace, out, &err));
  fclose (out);
  return text;
}

static void
assert_same (const omen_witness *a, const omen_witness *b)
{
  assert_int_equal (a->identity, b->identity);
  assert_int_equal (a->trace_events, b->trace_events);
  assert_int_equal (a->model, b->model);
  assert_int_equal (a->claim.kind, b->claim.kind);
  assert_int_equal (a->claim.word, b->claim.word);
  assert_int_equal (a->claim.events.count, b->claim.events.count);
  for (size_t i = 0; i < a->claim.events.count; i++)
    assert_int_equal (a->claim.events.data[i], b->claim.events.data[i]);
  assert_int_equal (a->sequence.count, b->sequence.count);
  for (size_t i = 0; i < a->sequence.count; i++)
    assert_int_equal (a->sequence.data[i], b->sequence.data[i]);
}

/* Every claim, every model and word; threads with strange names. */
static void
writes_what_it_reads (void **state)
{
  static const char *const claims[] = { "race 0 2",
                                        "race-order 0 2",
                                        "deadlock 0 1 2",
                                        "nondet 2 -1 wcr",
                                        "nondet 2 0 cr",
                                        "atomicity 0 1 2 -1 4 4",
                                        "pattern 3 4 5",
                                        "misuse 1 taken-twice",
                                        "misuse 1 not-holder",
                                        "misuse 1 destroyed-held",
                                        "misuse 1 wait-without-lock",
                                        "misuse 1 held-at-exit" };
  static const char *const models[] = { "rf", "value", "sliced", "lattice" };
  omen_trace *trace = trace_of (small);
  for (size_t i = 0; i < OMEN_COUNT (claims); i++) {
    char rest[300], *text;
    omen_witness first, second;
    omen_err err;
    snprintf (rest, sizeof rest,
              "model %s\nclaim %s\nrun T1 0 1\nrun T\\x203 0 1\n"
              "run a\\x5Cb\\x09c 0 1\nrun \\- 0 1\nrun T2 0 1\nrun T1 1 2\n"
              "end\n",
              models[i % 4], claims[i]);
    assert_true (parse (&first, trace, witness_text (trace, rest), &err));
    assert_int_equal (first.sequence.count, 6);
    text = written (&first, trace);
    if (!parse (&second, trace, text, &err))
      fail_msg ("%s: %s\n%s", err.where, err.what, text);
    assert_same (&first, &second);
    free (text);
    omen_witness_fini (&first);
    omen_witness_fini (&second);
  }
  omen_trace_free (trace);
}

static void
writes_runs_of_a_thread (void **state)
{
  omen_trace *trace = trace_of ("T1|w(x)|f.c:1\nT1|w(x)\nT2|w(x)|f.c:2\n"
                                "T1|w(x)\nT1|w(x)\n");
  omen_witness w;
  char *text, wanted[400];
  omen_witness_init (&w);
  w.identity = omen_trace_identity (trace);
  w.trace_events = 5;
  OMEN_VEC_PUSH (w.claim.events, 0);
  OMEN_VEC_PUSH (w.claim.events, 2);
  static const omen_eid order[] = { 0, 1, 2, 3, 4 };
  for (size_t i = 0; i < OMEN_COUNT (order); i++)
    OMEN_VEC_PUSH (w.sequence, order[i]);
  text = written (&w, trace);
  snprintf (wanted, sizeof wanted,
            "omen-witness 1\ntrace %016" PRIx64 " 5\nmodel rf\nclaim race 0 2\n"
            "# 0: T1:0 w(x) at f.c:1\n# 2: T2:0 w(x) at f.c:2\n"
            "run T1 0 2\nrun T2 0 1\nrun T1 2 4\nend\n",
            w.identity);
  assert_string_equal (text, wanted);
  free (text);
  omen_witness_fini (&w);
  omen_trace_free (trace);
}

/* What is wrong, where, and the words that say so. */
static const struct {
  const char *rest, *where, *words;
} wrong[] = {
  { "", "f.w:3", "ends before its 'model' line" },
  { "model rf\n", "f.w:4", "ends before its 'claim' line" },
  { "claim race 0 2\n", "f.w:3", "'model' should come here, not 'claim'" },
  { "model sc\n", "f.w:3", "unknown model 'sc'" },
  { "model rf value\n", "f.w:3", "too much on the line: 'value'" },
  { "model rf\nclaim\n", "f.w:4", "unknown claim ''" },
  { "model rf\nclaim rice 0 2\n", "f.w:4", "unknown claim 'rice'" },
  { "model rf\nclaim race 0\nend\n", "f.w:4", "takes 2 events, not 1" },
  { "model rf\nclaim race 0 1 2\nend\n", "f.w:4", "takes 2 events, not 3" },
  { "model rf\nclaim deadlock 0\nend\n", "f.w:4", "takes 2 events or more" },
  { "model rf\nclaim race 0 6\nend\n", "f.w:4", "no event '6'" },
  { "model rf\nclaim race 0 x\nend\n", "f.w:4", "not an event: 'x'" },
  { "model rf\nclaim race 0 -1\nend\n", "f.w:4", "-1 stands for" },
  { "model rf\nclaim race 0 -2\nend\n", "f.w:4", "not an event: '-2'" },
  { "model rf\nclaim race 0 99999999999999999999\n", "f.w:4", "not an event" },
  { "model rf\nclaim race 0 4294967296\n", "f.w:4", "no event '4294967296'" },
  { "model rf\nclaim nondet 2 0\nend\n", "f.w:4", "wcr, crw or cr, not '0'" },
  { "model rf\nclaim nondet\nend\n", "f.w:4", "ends without its word" },
  { "model rf\nclaim misuse 2 bad\nend\n", "f.w:4", "unknown misuse 'bad'" },
  { "model rf\nclaim race 0 2\n", "f.w:5", "without 'end': it is cut short" },
  { "model rf\nclaim race 0 2\nrun T1 0 1\n", "f.w:6", "without 'end'" },
  { "model rf\nclaim race 0 2\nrun T9 0 1\nend\n", "f.w:5", "no thread 'T9'" },
  { "model rf\nclaim race 0 2\nrun T1 0\nend\n", "f.w:5", "not an index" },
  { "model rf\nclaim race 0 2\nrun T1 a 1\nend\n", "f.w:5", "not an index" },
  { "model rf\nclaim race 0 2\nrun T1 1 1\nend\n", "f.w:5", "an empty run" },
  { "model rf\nclaim race 0 2\nrun T1 0 3\nend\n", "f.w:5",
    "the thread has 2 events, the run ends before 3" },
  { "model rf\nclaim race 0 2\nrun T1 0 1 2\nend\n", "f.w:5", "too much" },
  { "model rf\nclaim race 0 2\nrun T1 0 2\nrun T1 0 2\nrun T1 0 2\n"
    "run T1 0 2\nend\n",
    "f.w:8", "more events than the trace has" },
  { "model rf\nclaim race 0 2\nend\nrun T1 0 1\n", "f.w:6", "after 'end'" },
  { "model rf\nclaim race 0 2\nend end\n", "f.w:5", "too much on the line" },
  { "model rf\nclaim race 0 2\nEND\n", "f.w:5", "'run' or 'end'" },
};

static void
refuses_what_is_wrong (void **state)
{
  omen_trace *trace = trace_of (small);
  for (size_t i = 0; i < OMEN_COUNT (wrong); i++) {
    omen_witness w;
    omen_err err;
    const char *text = witness_text (trace, wrong[i].rest);
    if (parse (&w, trace, text, &err) || strcmp (err.where, wrong[i].where)
        || !strstr (err.what, wrong[i].words))
      fail_msg ("%s\ngives %s: %s", wrong[i].rest, err.where, err.what);
    omen_witness_fini (&w);
  }
  omen_trace_free (trace);
}

static void
refuses_other_heads (void **state)
{
  static const char *const texts[][2] = {
    { "", "an empty witness" },
    { "\n# nothing\n", "an empty witness" },
    { "T1|w(x)\n", "not a witness" },
    { "omen-witness 2\n", "version 2 of the witness format" },
    { "omen-witness\n", "not a version" },
    { "omen-witness x\n", "not a version: 'x'" },
    { "omen-witness 1\ntrace 12 6\n", "16 hexadecimal digits" },
    { "omen-witness 1\ntrace 00000000000000zz 6\n", "hexadecimal" },
    { "omen-witness 1\ntrace 0000000000000000 x\n", "not a number of events" },
    { "omen-witness 1\ntrace 0000000000000000 6\n",
      "a witness of another trace: 0000000000000000 with 6 events" },
  };
  omen_trace *trace = trace_of (small);
  for (size_t i = 0; i < OMEN_COUNT (texts); i++) {
    omen_witness w;
    omen_err err;
    assert_false (parse (&w, trace, texts[i][0], &err));
    if (!strstr (err.what, texts[i][1]))
      fail_msg ("%s\ngives %s: %s", texts[i][0], err.where, err.what);
    omen_witness_fini (&w);
  }
  omen_trace_free (trace);
}

static void
refuses_a_nul (void **state)
{
  omen_trace *trace = trace_of (small);
  char *text = witness_text (trace, "model rf\nclaim race 0 ?2\nend\n");
  size_t size = strlen (text);
  omen_witness w;
  omen_err err = { 0 };
  *strchr (text, '?') = 0;
  omen_witness_init (&w);
  assert_false (omen_witness_parse (&w, trace, "f.w", text, size, &err));
  assert_string_equal (err.where, "f.w:4");
  assert_non_null (strstr (err.what, "not an event: '?2'"));
  omen_witness_fini (&w);
  omen_trace_free (trace);
}

static void
names_have_texts (void **state)
{
  assert_string_equal (omen_model_text (OMEN_MODEL_RF), "rf");
  assert_string_equal (omen_claim_text (OMEN_CLAIM_RACE_ORDER), "race-order");
  assert_string_equal (omen_nondet_text (OMEN_CR), "cr");
  assert_string_equal (omen_misuse_text (OMEN_MISUSE_HELD_AT_EXIT),
                       "held-at-exit");
}

static void
unreadable_files_are_told_apart (void **state)
{
  omen_trace *trace = trace_of (small);
  omen_witness w;
  omen_err err = { 0 };
  omen_witness_init (&w);
  assert_false (omen_witness_load (&w, trace, "/nowhere/at/all", &err));
  assert_true (err.io);
  err = (omen_err){ 0 };
  assert_false (omen_witness_load (&w, trace, "/", &err));
  assert_true (err.io);
  err = (omen_err){ 0 };
  assert_false (omen_witness_load (&w, trace, "/dev/null", &err));
  assert_false (err.io);
  omen_trace_free (trace);
}

UNIT_MAIN (UNIT (reads_all_its_parts), UNIT (writes_what_it_reads),
           UNIT (writes_runs_of_a_thread), UNIT (refuses_what_is_wrong),
           UNIT (refuses_other_heads), UNIT (refuses_a_nul),
           UNIT (names_have_texts), UNIT (unreadable_files_are_told_apart))
