/* Which challengers of a read count in a recording. */
#include "unit.h"
#include "words.h"

#include "predict/nondet_kept.h"

/* Events 0 and 1 take and give the word, 2 takes it again, 3 reads it, 4 goes
   on from there. */
static const char *const word = "T1|rmw(f=0:1) T1|aw(f=0) T2|rmw(f=0:1) "
                                "T3|ar(f=1) T4|rmw(f=1:2)";

static bool
kept (bool recorded, bool by_value, const omen_eid *sequence, size_t count,
      omen_eid challenger)
{
  omen_trace *trace = words_parse (word);
  omen_err err = { 0 };
  omen_model *model;
  omen_ids ids = { 0 };
  bool answer;
  if (recorded)
    for (size_t e = 0; e < trace->events.count; e++)
      OMEN_VEC_PUSH (trace->items, e);
  model = omen_model_new (trace, &err);
  assert_non_null (model);
  for (size_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (ids, sequence[i]);
  answer = omen_challenger_kept (model, &ids, challenger, by_value);
  OMEN_VEC_FINI (ids);
  omen_model_free (model);
  omen_trace_free (trace);
  return answer;
}

static void
a_compare_that_fails_writes_nothing (void **state)
{
  const omen_eid taken[] = { 0, 2, 3 }, free[] = { 0, 1, 2, 3 };
  (void)state;
  assert_false (kept (true, true, taken, 3, 2));
  assert_true (kept (true, true, free, 4, 2));
}

static void
equal_values_do_under_value_only (void **state)
{
  const omen_eid first[] = { 2, 3 };
  (void)state;
  assert_true (kept (true, true, first, 2, 2));
  assert_false (kept (true, false, first, 2, 2));
}

/* What a failed compare leaves is not what it left. */
static void
wrong_goes_on (void **state)
{
  const omen_eid failed[] = { 0, 2, 4 }, right[] = { 0, 1, 2, 4 };
  (void)state;
  assert_false (kept (true, true, failed, 3, 4));
  assert_true (kept (true, true, right, 4, 4));
}

static void
others_always_count (void **state)
{
  const omen_eid taken[] = { 0, 2, 3 };
  (void)state;
  assert_true (kept (false, true, taken, 3, 2));
  assert_true (kept (true, true, taken, 3, OMEN_NONE));
  assert_true (kept (true, true, taken, 3, 1));
}

UNIT_MAIN (UNIT (a_compare_that_fails_writes_nothing),
           UNIT (equal_values_do_under_value_only), UNIT (wrong_goes_on),
           UNIT (others_always_count))
