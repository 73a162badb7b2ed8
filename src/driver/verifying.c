#include "driver/verifying.h"
#include "base/crew.h"
#include "driver/message.h"
#include "driver/spec_list.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Number of events to verify that justifies another thread; also limits the
   queue. */
#define WORTHWHILE OMEN_HARD_OR (2u, 100000u)

typedef struct waiting {
  omen_finding finding;
  omen_err err;
  omen_refusal refusal;
} waiting;

typedef struct worker {
  omen_verifying *verifying;
  omen_verifier *verifier;
} worker;

struct omen_verifying {
  omen_verified verified;
  void *context;
  unsigned jobs;
  worker *workers; /* the first one is the calling thread */
  OMEN_VEC (waiting) queue;
  uint64_t steps; /* in the witnesses of the queue */
  _Atomic size_t next;
  omen_names wrong; /* properties whose monitors disagree with their formulas */
  bool stopped;
};

omen_verifying *
omen_verifying_new (const omen_trace *trace, unsigned jobs,
                    omen_verified verified, void *context, omen_err *err)
{
  omen_verifier *first = omen_verifier_new (trace, err);
  omen_verifying *v;
  OMEN_REQUIRE (jobs > 0);
  if (!first)
    return NULL;
  v = omen_zalloc (1, sizeof *v);
  v->verified = verified;
  v->context = context;
  v->jobs = jobs;
  v->workers = omen_zalloc (jobs, sizeof *v->workers);
  omen_names_init (&v->wrong);
  for (unsigned i = 0; i < jobs; i++)
    v->workers[i] = (worker){ .verifying = v, .verifier = i ? NULL : first };
  return v;
}

void
omen_verifying_specs (omen_verifying *v, const omen_spec_list *specs)
{
  OMEN_REQUIRE (!v->queue.count);
  omen_spec_list_give (specs, v->workers[0].verifier);
}

/* The first verifier is freed last, since the others share its tables. */
void
omen_verifying_free (omen_verifying *v)
{
  if (!v)
    return;
  for (unsigned i = v->jobs; i-- > 0;)
    omen_verifier_free (v->workers[i].verifier);
  for (size_t i = 0; i < v->queue.count; i++)
    omen_finding_fini (&v->queue.data[i].finding);
  OMEN_VEC_FINI (v->queue);
  omen_names_fini (&v->wrong);
  omen_free (v->workers);
  omen_free (v);
}

static void *
verify_queue (void *arg)
{
  worker *w = arg;
  omen_verifying *v = w->verifying;
  for (;;) {
    size_t i = atomic_fetch_add (&v->next, 1);
    waiting *one;
    bool holds;
    if (i >= v->queue.count)
      return NULL;
    one = &v->queue.data[i];
    if (!omen_finding_has_witness (&one->finding))
      continue;
    holds = omen_verify (w->verifier, &one->finding.witness, &one->err);
    OMEN_ASSERT (holds != one->err.set);
    one->refusal = omen_verify_refusal (w->verifier);
  }
}

/* Passes a finding on; false: stop. */
static bool
hand_on (omen_verifying *v, waiting *one)
{
  if (one->refusal == OMEN_REFUSED_VERDICT) {
    const omen_about *about = one->finding.witness.claim.about;
    uint32_t before = v->wrong.count;
    if (omen_names_id (&v->wrong, about->property, strlen (about->property))
        == before)
      omen_warn ("property %s: a %s of its monitor is not reported: by its "
                 "definition the formula has none there",
                 about->property, about->category);
    return true;
  }
  if (one->refusal == OMEN_REFUSED_UNJUDGED) {
    /* not an error */
    static const char prefix[] = "claim: ";
    const char *why = one->err.what;
    char text[sizeof one->err.what + 32];
    if (!strncmp (why, prefix, strlen (prefix)))
      why += strlen (prefix);
    snprintf (text, sizeof text, "not verified: %s", why);
    omen_free (one->finding.note);
    one->finding.note = omen_strdup (text);
    one->finding.status = OMEN_STATUS_UNVERIFIED;
    one->err = (omen_err){ 0 };
  }
  return v->verified (v->context, &one->finding, &one->err);
}

bool
omen_verifying_finish (omen_verifying *v)
{
  if (v->queue.count && !v->stopped) {
    /* use as many threads as are worthwhile, with this one */
    uint64_t worth = 1 + v->steps / WORTHWHILE;
    unsigned jobs = worth < v->jobs ? (unsigned)worth : v->jobs;
    atomic_store (&v->next, 0);
    if (jobs > v->queue.count)
      jobs = (unsigned)v->queue.count;
    for (unsigned i = 1; i < jobs; i++)
      if (!v->workers[i].verifier)
        v->workers[i].verifier = omen_verifier_share (v->workers[0].verifier);
    omen_crew_run (v->workers, sizeof *v->workers, jobs, verify_queue);
  }
  for (size_t i = 0; i < v->queue.count; i++) {
    waiting *one = &v->queue.data[i];
    if (!v->stopped)
      v->stopped = !hand_on (v, one);
    omen_finding_fini (&one->finding);
  }
  OMEN_VEC_CLEAR (v->queue);
  v->steps = 0;
  return !v->stopped;
}

bool
omen_verifying_take (omen_verifying *v, omen_finding *finding)
{
  waiting one = { .finding = *finding };
  OMEN_VEC_PUSH (v->queue, one);
  v->steps += finding->witness.sequence.count + 1;
  return (v->jobs > 1 && v->steps < v->jobs * (uint64_t)WORTHWHILE)
         || omen_verifying_finish (v);
}
