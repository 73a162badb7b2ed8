#include "share.h"

#include <string.h>

/* ---- features of a trace ---- */
static const struct feature {
  const char *name;
  uint8_t kind; /* an event of this kind … */
  uint8_t mode; /* … with this bit of the mode, if any */
} features[] = {
  { "mutex", OMEN_ACQUIRE, 0 },
  { "rwlock", OMEN_READ_ACQUIRE, 0 },
  { "tryfail", OMEN_TRY_FAIL, 0 },
  { "rtryfail", OMEN_READ_TRY_FAIL, 0 },
  { "semfail", OMEN_SEM_FAIL, 0 },
  { "lockfail", OMEN_LOCK_FAIL, 0 },
  { "req", OMEN_REQUEST, 0 },
  { "wait", OMEN_WAIT, 0 },
  { "wake", OMEN_WAKE, 0 },
  { "timeout", OMEN_WAKE, OMEN_MODE_TIMEOUT },
  { "spurious", OMEN_WAKE, OMEN_MODE_SPURIOUS },
  { "notify", OMEN_NOTIFY, 0 },
  { "notifyall", OMEN_NOTIFY_ALL, 0 },
  { "up", OMEN_SEM_UP, 0 },
  { "down", OMEN_SEM_DOWN, 0 },
  { "seminit", OMEN_SEM_INIT, 0 },
  { "arrive", OMEN_ARRIVE, 0 },
  { "depart", OMEN_DEPART, 0 },
  { "fork", OMEN_FORK, 0 },
  { "join", OMEN_JOIN, 0 },
  { "hb", OMEN_HAPPENS_BEFORE, 0 },
  { "ha", OMEN_HAPPENS_AFTER, 0 },
  { "maybe", OMEN_HAPPENS_AFTER, OMEN_MODE_MAYBE },
  { "ar", OMEN_ATOMIC_READ, 0 },
  { "aw", OMEN_ATOMIC_WRITE, 0 },
  { "rmw", OMEN_ATOMIC_RMW, 0 },
  { "fence", OMEN_FENCE, 0 },
  { "alloc", OMEN_ALLOC, 0 },
  { "free", OMEN_FREE, 0 },
  { "ext", OMEN_EXTERNAL, 0 },
  { "begin", OMEN_BEGIN, 0 },
  { "enter", OMEN_ENTER, 0 },
  { "branch", OMEN_BRANCH, 0 },
  { "destroy", OMEN_DESTROY, 0 },
};

static bool
has_kind (const omen_trace *trace, const struct feature *feature)
{
  for (size_t e = 0; e < trace->events.count; e++)
    if (trace->events.data[e].kind == feature->kind
        && (!feature->mode || trace->events.data[e].mode & feature->mode))
      return true;
  return false;
}

/* Features that are more than a kind. */
static bool
has_weak_order (const omen_trace *trace)
{
  for (size_t e = 0; e < trace->events.count; e++)
    if (trace->events.data[e].order != OMEN_ORDER_SC)
      return true;
  return false;
}

static bool
has_range (const omen_trace *trace)
{
  for (size_t i = 0; i < trace->places.count; i++)
    if (trace->places.data[i].size != OMEN_WHOLE)
      return true;
  return false;
}

static bool
has_bare_wait (const omen_trace *trace)
{
  for (size_t e = 0; e < trace->events.count; e++)
    if (trace->events.data[e].kind == OMEN_WAIT
        && trace->events.data[e].value == OMEN_NONE)
      return true;
  return false;
}

static bool
has_uncounted_semaphore (const omen_trace *trace)
{
  bool used = false;
  for (size_t e = 0; e < trace->events.count; e++) {
    if (trace->events.data[e].kind == OMEN_SEM_INIT)
      return false;
    if (omen_kind_operand (trace->events.data[e].kind)
        == OMEN_OPERAND_SEMAPHORE)
      used = true;
  }
  return used;
}

static bool
has_nested (const omen_trace *trace)
{
  for (size_t t = 0; t < trace->threads.count; t++) {
    int held[64] = { 0 };
    for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
      const omen_event *event
          = omen_trace_event (trace, omen_trace_nth (trace, (omen_tid)t, i));
      if (event->object >= 64)
        continue;
      if ((event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE)
          && held[event->object]++)
        return true;
      if (event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE)
        held[event->object]--;
    }
  }
  return false;
}

/* A block of the name that a lock has, too. */
static bool
has_shared_name (const omen_trace *trace)
{
  const omen_names *names = &trace->names[OMEN_OPERAND_VARIABLE];
  for (uint32_t v = 0; v < names->count; v++)
    if (omen_names_find (&trace->names[OMEN_OPERAND_LOCK], names->names[v].text,
                         names->names[v].length)
        != OMEN_NONE)
      return true;
  return false;
}

static bool
has_dependences (const omen_trace *trace)
{
  return trace->flags & OMEN_TRACE_DEPENDENCES;
}

static bool
has_inits (const omen_trace *trace)
{
  return trace->inits.count;
}

static const struct {
  const char *name;
  bool (*has) (const omen_trace *trace);
} more[] = {
  { "weak order", has_weak_order },
  { "byte range", has_range },
  { "wait(c)", has_bare_wait },
  { "semaphore without seminit", has_uncounted_semaphore },
  { "nested lock", has_nested },
  { "block named like a lock", has_shared_name },
  { "dependences", has_dependences },
  { "init", has_inits },
};

_Static_assert (OMEN_COUNT (features) + OMEN_COUNT (more) <= ORACLE_FEATURES,
                "room for every feature");

static void
count_features (oracle_shares *shares, const omen_trace *trace)
{
  unsigned i = 0;
  for (size_t k = 0; k < OMEN_COUNT (features); k++)
    shares->features[i++] += has_kind (trace, &features[k]);
  for (size_t k = 0; k < OMEN_COUNT (more); k++)
    shares->features[i++] += more[k].has (trace);
}

/* ---- claims ---- */
/* Events of different threads, not in the order of the trace. */
static bool
is_interesting (const omen_trace *trace, const oracle_claim *claim)
{
  uint64_t threads = 0;
  bool reversed = false;
  for (unsigned i = 0; i < claim->count; i++) {
    threads |= 1ull << trace->events.data[claim->events[i]].thread % 64;
    reversed |= i && claim->events[i] < claim->events[i - 1];
  }
  return reversed && (unsigned)__builtin_popcountll (threads) == claim->count;
}

void
oracle_patterns (const omen_trace *trace, oracle_random *random, unsigned count,
                 oracle_claims *claims)
{
  unsigned events = (unsigned)trace->events.count;
  for (unsigned tries = 0; count && tries < 1000; tries++) {
    oracle_claim claim
        = { OMEN_CLAIM_PATTERN, 0, 2 + oracle_below (random, 2), { 0 } };
    for (unsigned i = 0; i < claim.count; i++)
      claim.events[i] = oracle_below (random, events);
    if (is_interesting (trace, &claim)) {
      OMEN_VEC_PUSH (*claims, claim);
      count--;
    }
  }
}

static bool
claim_holds (const oracle *o, const oracle_claim *claim)
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
      if (!memcmp (oracle_claim_at (o, i), claim, sizeof *claim))
        return true;
    return false;
  }
}

static void
count_answer (oracle_shares *shares, omen_claim_kind kind, bool holds,
              bool kept)
{
  shares->questions[kind]++;
  shares->positives[kind] += holds;
  shares->swapped[kind] += holds && !kept;
}

static void
count_claims (oracle_shares *shares, const omen_trace *trace, const oracle *all,
              const oracle *kept, size_t patterns)
{
  unsigned before[OMEN_CLAIMS];
  oracle_claims asked = { 0 };
  memcpy (before, shares->positives, sizeof before);
  for (unsigned kind = 0; kind < OMEN_CLAIM_PATTERN; kind++)
    oracle_candidates (trace, kind, &asked);
  for (size_t i = 0; i < asked.count; i++)
    count_answer (shares, asked.data[i].kind, claim_holds (all, &asked.data[i]),
                  claim_holds (kept, &asked.data[i]));
  for (size_t i = 0; i < patterns; i++)
    count_answer (shares, OMEN_CLAIM_PATTERN, oracle_pattern (all, i),
                  oracle_pattern (kept, i));
  for (unsigned kind = 0; kind < OMEN_CLAIMS; kind++)
    shares->positive_traces[kind] += shares->positives[kind] > before[kind];
  OMEN_VEC_FINI (asked);
}

void
oracle_shares_add (oracle_shares *shares, const omen_trace *trace,
                   uint64_t seed)
{
  oracle_random random = { seed };
  oracle_claims patterns = { 0 };
  oracle_request request = { .claims = ORACLE_ALL };
  oracle *all, *kept;
  omen_err err = { 0 };
  oracle_patterns (trace, &random, 12, &patterns);
  request.patterns = patterns.data;
  request.pattern_count = patterns.count;
  all = oracle_new (trace, OMEN_MODEL_VALUE, &request, &err);
  request.keep_sections = true;
  kept = oracle_new (trace, OMEN_MODEL_VALUE, &request, &err);
  OMEN_REQUIRE (all && kept);
  shares->traces++;
  shares->events += (unsigned)trace->events.count;
  count_features (shares, trace);
  count_claims (shares, trace, all, kept, patterns.count);
  oracle_free (all);
  oracle_free (kept);
  OMEN_VEC_FINI (patterns);
}

/* ---- the report ---- */
static double
percent (unsigned part, unsigned of)
{
  return of ? 100.0 * part / of : 0;
}

static bool
print_feature (const oracle_shares *shares, const char *name, unsigned i,
               FILE *out)
{
  double share = percent (shares->features[i], shares->traces);
  fprintf (out, "# share %-26s %5.1f of 100 traces%s\n", name, share,
           share < 10 ? "  MISSED (10)" : "");
  return share >= 10;
}

static bool
print_claim (const oracle_shares *shares, unsigned kind, FILE *out)
{
  static const char *const names[]
      = { "race", "race-order", "deadlock", "nondet", "atomicity", "pattern" };
  bool by_question = kind == OMEN_CLAIM_DEADLOCK || kind == OMEN_CLAIM_PATTERN;
  double traces = percent (shares->positive_traces[kind], shares->traces);
  double questions = percent (shares->positives[kind], shares->questions[kind]);
  double judged = by_question ? questions : traces;
  bool good = judged >= 20 && judged <= 80;
  fprintf (out,
           "# share %-10s true in %4.1f of 100 traces, %4.1f of 100 questions "
           "(%u), %4.1f of 100 need a swap%s\n",
           names[kind], traces, questions, shares->questions[kind],
           percent (shares->swapped[kind], shares->positives[kind]),
           good ? "" : "  MISSED (20 to 80)");
  return good;
}

bool
oracle_shares_print (const oracle_shares *shares, FILE *out)
{
  unsigned i = 0, positives = 0, swapped = 0;
  bool good = true;
  fprintf (out, "# share of %u traces, %.1f events each\n", shares->traces,
           shares->traces ? (double)shares->events / shares->traces : 0);
  for (size_t k = 0; k < OMEN_COUNT (features); k++)
    good &= print_feature (shares, features[k].name, i++, out);
  for (size_t k = 0; k < OMEN_COUNT (more); k++)
    good &= print_feature (shares, more[k].name, i++, out);
  for (unsigned kind = 0; kind <= OMEN_CLAIM_PATTERN; kind++) {
    good &= print_claim (shares, kind, out);
    positives += shares->positives[kind];
    swapped += shares->swapped[kind];
  }
  fprintf (out,
           "# share %.1f of 100 true claims need critical sections "
           "swapped%s\n",
           percent (swapped, positives),
           percent (swapped, positives) < 20 ? "  MISSED (20)" : "");
  return good && percent (swapped, positives) >= 20;
}
