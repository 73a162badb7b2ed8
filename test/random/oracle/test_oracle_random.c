/* The oracle on random traces: what must be true of generator and enumerator
   whatever the trace. Seeds are fixed; OMEN_CAMPAIGN=long makes a long run of
   it, OMEN_ORACLE_TRACES=100000 one of that size. */
#include "check.h"
#include "expect.h"
#include "gen.h"
#include "share.h"
#include "size.h"
#include "trace/text.h"
#include "io/text_read.h"
#include "trace/wellformed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many traces, in a run that would have `usual` of them. */
static uint64_t
traces (uint64_t usual)
{
  const char *wanted = getenv ("OMEN_ORACLE_TRACES");
  return wanted ? strtoull (wanted, NULL, 0) * usual / 2000
                : campaign_scaled (usual, 50 * usual);
}

static omen_trace *
random_trace (uint64_t seed)
{
  oracle_knobs knobs;
  oracle_knobs_default (&knobs, seed);
  return oracle_generate (&knobs);
}

static oracle *
random_oracle (const omen_trace *trace, omen_model_name model, unsigned claims,
               const oracle_claims *patterns)
{
  omen_err err = { 0 };
  oracle_request request = { .claims = claims };
  oracle *o;
  if (patterns) {
    request.patterns = patterns->data;
    request.pattern_count = patterns->count;
  }
  o = oracle_new (trace, model, &request, &err);
  if (!o)
    fail_msg ("%s", err.what);
  return o;
}

static void
complain (const omen_trace *trace, uint64_t seed, const oracle_claim *claim,
          const char *what)
{
  char text[160];
  omen_err err = { 0 };
  oracle_claim_text (claim, text, sizeof text);
  omen_text_write (trace, stderr, &err);
  fail_msg ("seed %llu: %s %s", (unsigned long long)seed, text, what);
}

/* ---- the generator ---- */
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
traces_are_legal_and_of_the_promised_size (void **state)
{
  for (uint64_t seed = 1; seed <= traces (2000); seed++) {
    omen_trace *trace = random_trace (seed), *again;
    omen_err err = { 0 };
    omen_base_order base;
    char *text = text_of (trace);
    if (!omen_wellformed (trace, &base, &err))
      fail_msg ("seed %llu: %s\n%s", (unsigned long long)seed, err.what, text);
    assert_null (base.order);
    omen_base_order_fini (&base);
    assert_in_range (trace->events.count, 10, 16);
    assert_in_range (trace->threads.count, 1, 4);
    again = omen_text_parse ("again", text, strlen (text), &err);
    assert_non_null (again);
    assert_int_equal (omen_trace_identity (trace), omen_trace_identity (again));
    omen_trace_free (again);
    omen_trace_free (trace);
    free (text);
  }
}

static void
the_same_seed_gives_the_same_trace (void **state)
{
  omen_trace *one = random_trace (7), *two = random_trace (7);
  omen_trace *other = random_trace (8);
  assert_int_equal (omen_trace_identity (one), omen_trace_identity (two));
  assert_int_not_equal (omen_trace_identity (one), omen_trace_identity (other));
  omen_trace_free (one);
  omen_trace_free (two);
  omen_trace_free (other);
}

static void
traces_cover_what_they_should (void **state)
{
  enum { LEAST = 2000 }; /* shares of fewer say little */
  oracle_shares shares = { 0 };
  uint64_t count = traces (LEAST) > LEAST ? traces (LEAST) : LEAST;
  for (uint64_t seed = 1; seed <= count; seed++) {
    omen_trace *trace = random_trace (seed);
    oracle_shares_add (&shares, trace, seed);
    omen_trace_free (trace);
  }
  assert_true (oracle_shares_print (&shares, stdout));
}

/* ---- models ---- */
/* Whatever `fewer` says, `more` says too. */
static void
expect_subset (const omen_trace *trace, uint64_t seed, oracle *fewer,
               oracle *more, const oracle_claims *patterns)
{
  for (size_t i = 0; i < oracle_count (fewer); i++)
    if (!expect_listed (more, oracle_claim_at (fewer, i)))
      complain (trace, seed, oracle_claim_at (fewer, i), "only in fewer runs");
  for (size_t i = 0; i < patterns->count; i++)
    if (oracle_pattern (fewer, i) && !oracle_pattern (more, i))
      complain (trace, seed, &patterns->data[i], "only in fewer runs");
}

static void
models_allow_more_and_more (void **state)
{
  static const omen_model_name order[]
      = { OMEN_MODEL_LATTICE, OMEN_MODEL_RF, OMEN_MODEL_VALUE,
          OMEN_MODEL_SLICED };
  for (uint64_t seed = 1; seed <= traces (1000); seed++) {
    omen_trace *trace = random_trace (seed);
    oracle_random random = { seed };
    oracle_claims patterns = { 0 };
    oracle *o[OMEN_MODELS];
    oracle_patterns (trace, &random, 8, &patterns);
    for (unsigned m = 0; m < OMEN_MODELS; m++)
      o[m] = random_oracle (trace, order[m], ORACLE_ALL & ~ORACLE_NONDET,
                            &patterns);
    for (unsigned m = 0; m + 1 < OMEN_MODELS; m++)
      expect_subset (trace, seed, o[m], o[m + 1], &patterns);
    for (unsigned m = 0; m < OMEN_MODELS; m++)
      oracle_free (o[m]);
    OMEN_VEC_FINI (patterns);
    omen_trace_free (trace);
  }
}

/* ---- two ways to an answer ---- */
static void
the_walk_agrees_with_single_searches (void **state)
{
  for (uint64_t seed = 1; seed <= traces (100); seed++) {
    omen_trace *trace = random_trace (seed);
    oracle_random random = { seed };
    oracle_claims patterns = { 0 };
    oracle_patterns (trace, &random, 8, &patterns);
    for (unsigned model = 0; model < OMEN_MODELS; model++) {
      oracle *o = random_oracle (trace, model, ORACLE_ALL, &patterns);
      expect_agreement (trace, o, ORACLE_ALL, seed);
      for (size_t i = 0; i < patterns.count; i++)
        assert_int_equal (oracle_pattern (o, i),
                          oracle_holds (o, &patterns.data[i]));
      oracle_free (o);
    }
    OMEN_VEC_FINI (patterns);
    omen_trace_free (trace);
  }
}

/* ---- the definition itself ---- */
static void
witnesses_show_their_claims (void **state)
{
  for (uint64_t seed = 1; seed <= traces (200); seed++) {
    omen_trace *trace = random_trace (seed);
    omen_witness witness = { 0 };
    for (unsigned model = 0; model < OMEN_MODELS; model++) {
      oracle *o = random_oracle (trace, model, ORACLE_ALL, NULL);
      for (size_t i = 0; i < oracle_count (o); i++) {
        const oracle_claim *claim = oracle_claim_at (o, i);
        if (!oracle_witness (o, claim, &witness))
          complain (trace, seed, claim, "has no witness");
        if (!oracle_check (trace, &witness))
          complain (trace, seed, claim, "has a witness that shows nothing");
      }
      oracle_free (o);
    }
    oracle_witness_fini (&witness);
    omen_trace_free (trace);
  }
}

/* All sequences that respect the threads' own orders, each judged for each
   claim that has not been shown yet. */
typedef struct naive {
  const omen_trace *trace;
  const oracle_claims *claims;
  bool *shown;
  omen_witness witness; /* its sequence is the one being built */
} naive;

static void
judge (naive *n)
{
  for (size_t i = 0; i < n->claims->count; i++) {
    const oracle_claim *claim = &n->claims->data[i];
    if (n->shown[i])
      continue;
    n->witness.claim.kind = claim->kind;
    n->witness.claim.word = claim->word;
    OMEN_VEC_CLEAR (n->witness.claim.events);
    for (unsigned k = 0; k < claim->count; k++)
      OMEN_VEC_PUSH (n->witness.claim.events, claim->events[k]);
    n->shown[i] = oracle_check (n->trace, &n->witness);
  }
}

static void
extend (naive *n, unsigned *done)
{
  judge (n);
  for (unsigned t = 0; t < n->trace->threads.count; t++) {
    if (done[t] == n->trace->threads.data[t].count)
      continue;
    OMEN_VEC_PUSH (n->witness.sequence,
                   omen_trace_nth (n->trace, t, done[t]++));
    extend (n, done);
    n->witness.sequence.count--;
    done[t]--;
  }
}

static void
ask_all (const omen_trace *trace, omen_model_name model, uint64_t seed)
{
  oracle_claims claims = { 0 };
  oracle_random random = { seed };
  oracle *o = random_oracle (trace, model, ORACLE_ALL, NULL);
  naive n = { trace, &claims, NULL, { .model = model } };
  unsigned done[16] = { 0 };
  for (unsigned kind = 0; kind < OMEN_CLAIM_PATTERN; kind++)
    oracle_candidates (trace, kind, &claims);
  oracle_patterns (trace, &random, 4, &claims);
  n.shown = omen_zalloc (claims.count + 1, sizeof (bool));
  n.witness.identity = omen_trace_identity (trace);
  n.witness.trace_events = (uint32_t)trace->events.count;
  extend (&n, done);
  for (size_t i = 0; i < claims.count; i++)
    if (n.shown[i] != oracle_holds (o, &claims.data[i]))
      complain (trace, seed, &claims.data[i],
                n.shown[i] ? "is missed" : "is not shown by any sequence");
  omen_free (n.shown);
  oracle_witness_fini (&n.witness);
  oracle_free (o);
  OMEN_VEC_FINI (claims);
}

/* What seven events seldom have by chance: dependences, conditions, atomics. */
static void
tiny_knobs (oracle_knobs *knobs, uint64_t seed)
{
  oracle_knobs_default (knobs, seed);
  knobs->threads = 3;
  knobs->shortest = 5;
  knobs->longest = 7;
  if (seed % 4 == 1) {
    knobs->branch += ORACLE_SURE + 10;
    knobs->dependence = 100;
    knobs->guarded = 0;
  } else if (seed % 4 == 2)
    knobs->publish += ORACLE_SURE + 10;
  else if (seed % 4 == 3)
    knobs->bare_wait += ORACLE_SURE + 10;
}

static void
nothing_is_missed_on_tiny_traces (void **state)
{
  for (uint64_t seed = 1; seed <= traces (400); seed++) {
    oracle_knobs knobs;
    omen_trace *trace;
    tiny_knobs (&knobs, seed);
    trace = oracle_generate (&knobs);
    for (unsigned model = 0; model < OMEN_MODELS; model++)
      ask_all (trace, model, seed);
    omen_trace_free (trace);
  }
}

/* ---- names ---- */
static bool
is_word (char c)
{
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
         || (c >= 'A' && c <= 'Z');
}

/* Every name of the generator is a letter and a digit. */
static char *
rename_all (const char *text)
{
  char *renamed = omen_alloc (3 * strlen (text) + 1), *out = renamed;
  for (const char *p = text; *p; p++) {
    bool name = is_word (p[0]) && p[0] > '9' && p[1] >= '0' && p[1] <= '9'
                && !is_word (p[2]) && (p == text || !is_word (p[-1]));
    if (name) {
      *out++ = 'n';
      *out++ = (char)('0' + '9' - *++p);
      *out++ = p[-1];
    } else
      *out++ = *p;
  }
  *out = 0;
  return renamed;
}

static void
names_do_not_matter (void **state)
{
  for (uint64_t seed = 1; seed <= traces (300); seed++) {
    omen_trace *trace = random_trace (seed), *other;
    char *text = text_of (trace), *renamed = rename_all (text);
    oracle *o, *p;
    omen_err err = { 0 };
    other = omen_text_parse ("renamed", renamed, strlen (renamed), &err);
    if (!other)
      fail_msg ("seed %llu: %s\n%s", (unsigned long long)seed, err.what,
                renamed);
    o = random_oracle (trace, OMEN_MODEL_VALUE, ORACLE_ALL, NULL);
    p = random_oracle (other, OMEN_MODEL_VALUE, ORACLE_ALL, NULL);
    assert_int_equal (oracle_count (o), oracle_count (p));
    for (size_t i = 0; i < oracle_count (o); i++)
      assert_memory_equal (oracle_claim_at (o, i), oracle_claim_at (p, i),
                           sizeof (oracle_claim));
    oracle_free (o);
    oracle_free (p);
    omen_trace_free (trace);
    omen_trace_free (other);
    omen_free (renamed);
    free (text);
  }
}

UNIT_MAIN (UNIT (traces_are_legal_and_of_the_promised_size),
           UNIT (the_same_seed_gives_the_same_trace),
           UNIT (traces_cover_what_they_should),
           UNIT (models_allow_more_and_more),
           UNIT (the_walk_agrees_with_single_searches),
           UNIT (witnesses_show_their_claims),
           UNIT (nothing_is_missed_on_tiny_traces), UNIT (names_do_not_matter))
