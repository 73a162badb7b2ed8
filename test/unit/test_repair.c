/* trace: whatever is read becomes a run when it is repaired, and a run stays as
   it is. (test/data/repair has what is done to which offence.) */
#include "unit.h"

#include "trace/repair.h"
#include "trace/wellformed.h"
#include "io/text_read.h"

#include <stdio.h>
#include <string.h>

#ifdef OMEN_EXPENSIVE
#define SEEDS 4000
#else
#define SEEDS 20000
#endif

static const char *const operations[] = {
  "r(x)",       "r(x=0)",       "r(x=1)",      "w(x)",         "w(x=0)",
  "w(x=1)",     "w(y=1)",       "r(y=2)",      "ar.rel(x=1)",  "aw.acq(x=0)",
  "rmw(x=0:1)", "rmw(x=1:2)",   "acq(l)",      "acq(l)",       "rel(l)",
  "rel(l)",     "acq(m)",       "rel(m)",      "racq(l)",      "rrel(l)",
  "tryfail(l)", "rtryfail(m)",  "req(l)",      "wait(c,l)",    "wait(c,l)",
  "wake(c,l)",  "wake(c,l)",    "wait(c)",     "wake(c)",      "wake(c,m)",
  "notify(c)",  "notifyall(c)", "fork(T0)",    "fork(T1)",     "fork(T2)",
  "join(T0)",   "join(T1)",     "join(T2)",    "seminit(s,1)", "up(s)",
  "down(s)",    "semfail(s)",   "arrive(b,2)", "arrive(b,1)",  "depart(b)",
  "begin(B)",   "end(B)",       "enter(f)",    "exit(f)",      "alloc(p,8)",
  "free(p)",    "w(p+0:4=1)",   "ext(x)",      "branch()",     "emit(e,k=1)",
};

static uint64_t state;

static unsigned
roll (unsigned below)
{
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  return (unsigned)((z ^ z >> 31) >> 33) % below;
}

/* Events of three threads that have nothing to do with each other; of some
   traces few sorts, so that there are many of each. */
static omen_trace *
random_trace (uint64_t seed)
{
  char text[4096];
  size_t used = 0, sorts = OMEN_COUNT (operations);
  unsigned events, first, some;
  omen_err err = { 0 };
  state = seed;
  events = 1 + roll (30);
  first = roll ((unsigned)sorts);
  some = roll (2) ? (unsigned)sorts : 2 + roll (12);
  for (unsigned i = 0; i < events; i++) {
    unsigned depends = roll (20);
    used += (size_t)snprintf (text + used, sizeof text - used, "T%u|%s|f.c:%u",
                              roll (3),
                              operations[(first + roll (some)) % sorts], i);
    if (depends < 2)
      used += (size_t)snprintf (text + used, sizeof text - used, "%s%u",
                                depends ? "<-" : "^", roll (4));
    used += (size_t)snprintf (text + used, sizeof text - used, "\n");
  }
  return omen_text_parse ("t", text, used, &err);
}

static void
anything_becomes_a_run (void **test)
{
  unsigned tried = 0, repaired = 0;
  (void)test;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    omen_trace *trace = random_trace (seed);
    omen_repairs repairs = { 0 };
    omen_err err = { 0 };
    bool was;
    uint64_t identity;
    if (!trace)
      continue; /* a block that was never allocated, … */
    was = omen_wellformed (trace, NULL, NULL);
    identity = omen_trace_identity (trace);
    trace = omen_trace_repair_take (trace, &repairs, &err);
    if (!trace)
      fail_msg ("seed %llu: %s", (unsigned long long)seed, err.what);
    assert_true (omen_wellformed (trace, NULL, NULL));
    assert_int_equal (was, !repairs.list.count);
    if (was)
      assert_true (omen_trace_identity (trace) == identity);
    tried++;
    repaired += !was;
    omen_repairs_fini (&repairs);
    omen_trace_free (trace);
  }
  assert_true (tried > SEEDS / 4 && repaired > tried / 2
               && tried - repaired > SEEDS / 400);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { UNIT (anything_becomes_a_run) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
