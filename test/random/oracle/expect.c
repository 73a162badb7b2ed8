#include "expect.h"

#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

omen_trace *
expect_trace (const char *text)
{
  omen_err err = { 0 };
  char *lines = omen_strdup (text);
  omen_trace *trace;
  for (char *p = lines; (p = strchr (p, ';'));)
    *p = '\n';
  trace = omen_text_parse ("test", lines, strlen (lines), &err);
  omen_free (lines);
  if (!trace)
    fail_msg ("%s: %s: %s", err.where, err.what, text);
  return trace;
}

static oracle *
make_oracle (const omen_trace *trace, omen_model_name model,
             const oracle_request *request)
{
  omen_err err = { 0 };
  oracle *o = oracle_new (trace, model, request, &err);
  if (!o)
    fail_msg ("%s", err.what);
  return o;
}

static int
compare_claims (const void *a, const void *b)
{
  const oracle_claim *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  for (unsigned i = 0; i < x->count && i < y->count; i++) {
    int64_t d = (int64_t)(int32_t)x->events[i] - (int32_t)y->events[i];
    if (d)
      return d < 0 ? -1 : 1;
  }
  return (int)x->count - (int)y->count;
}

static void
list_claims (const oracle *o, char *buffer, size_t room)
{
  size_t count = oracle_count (o), used = 0;
  oracle_claim *claims = omen_alloc ((count + 1) * sizeof *claims);
  buffer[0] = 0;
  for (size_t i = 0; i < count; i++)
    claims[i] = *oracle_claim_at (o, i);
  qsort (claims, count, sizeof *claims, compare_claims);
  for (size_t i = 0; i < count; i++) {
    char text[160];
    oracle_claim_text (&claims[i], text, sizeof text);
    used += (size_t)snprintf (buffer + used, room - used, "%s%s", i ? "; " : "",
                              text);
    assert_true (used < room);
  }
  omen_free (claims);
}

bool
expect_listed (const oracle *o, const oracle_claim *claim)
{
  const omen_eid *e = claim->events;
  switch (claim->kind) {
  case OMEN_CLAIM_RACE:
    return oracle_race (o, e[0], e[1]);
  case OMEN_CLAIM_RACE_ORDER:
    return oracle_race_order (o, e[0], e[1]);
  case OMEN_CLAIM_DEADLOCK:
    return oracle_deadlock (o, e, claim->count);
  case OMEN_CLAIM_NONDET:
    return oracle_nondet (o, e[0], e[1]) >> claim->word & 1;
  default:
    for (size_t i = 0; i < oracle_count (o); i++)
      if (!compare_claims (oracle_claim_at (o, i), claim))
        return true;
    return false;
  }
}

static void
disagree (const omen_trace *trace, const oracle_claim *claim, uint64_t seed,
          bool listed)
{
  char text[160];
  omen_err err = { 0 };
  oracle_claim_text (claim, text, sizeof text);
  omen_text_write (trace, stderr, &err);
  fail_msg ("seed %llu: '%s' is %s, but not in a search of its own",
            (unsigned long long)seed, text, listed ? "listed" : "not listed");
}

void
expect_agreement (const omen_trace *trace, oracle *o, unsigned kinds,
                  uint64_t seed)
{
  oracle_claims asked = { 0 };
  size_t listed = 0;
  for (unsigned kind = 0; kind < OMEN_CLAIM_PATTERN; kind++)
    if (kinds >> kind & 1)
      oracle_candidates (trace, kind, &asked);
  for (size_t i = 0; i < asked.count; i++) {
    const oracle_claim *claim = &asked.data[i];
    bool holds = expect_listed (o, claim);
    if (holds != oracle_holds (o, claim))
      disagree (trace, claim, seed, holds);
    listed += holds
              && (claim->kind != OMEN_CLAIM_NONDET
                  || !(oracle_nondet (o, claim->events[0], claim->events[1])
                       & ((1u << claim->word) - 1)));
  }
  assert_int_equal (listed, oracle_count (o)); /* nothing but candidates */
  OMEN_VEC_FINI (asked);
}

static void
expect (const char *text, omen_model_name model, const oracle_request *request,
        const char *expected)
{
  omen_trace *trace = expect_trace (text);
  oracle *o = make_oracle (trace, model, request);
  char buffer[4096];
  list_claims (o, buffer, sizeof buffer);
  assert_string_equal (buffer, expected);
  expect_agreement (trace, o, request->claims, 0);
  oracle_free (o);
  omen_trace_free (trace);
}

void
expect_claims (const char *text, omen_model_name model, unsigned kinds,
               const char *expected)
{
  expect (text, model, &(oracle_request){ .claims = kinds }, expected);
}

void
expect_kept_claims (const char *text, omen_model_name model, unsigned kinds,
                    const char *expected)
{
  expect (text, model,
          &(oracle_request){ .claims = kinds, .keep_sections = true },
          expected);
}

void
expect_pattern (const char *text, omen_model_name model, const char *events,
                bool expected)
{
  oracle_claim claim = { OMEN_CLAIM_PATTERN, 0, 0, { 0 } };
  oracle_request request = { .patterns = &claim, .pattern_count = 1 };
  omen_trace *trace = expect_trace (text);
  oracle *o;
  for (const char *p = events; *p; p += strcspn (p, " "), p += strspn (p, " "))
    claim.events[claim.count++] = (omen_eid)strtoul (p, NULL, 10);
  o = make_oracle (trace, model, &request);
  if (oracle_pattern (o, 0) != expected)
    fail_msg ("pattern %s is %s\n%s", events, expected ? "false" : "true",
              text);
  assert_int_equal (oracle_holds (o, &claim), expected);
  oracle_free (o);
  omen_trace_free (trace);
}
