/* A trace of a campaign, with its model and the verifier, and how a wrong
   answer about it is told. */
#ifndef OMEN_TEST_ENGINE_JUDGED_H
#define OMEN_TEST_ENGINE_JUDGED_H

#include "model/model.h"
#include "oracle.h"
#include "trace/text.h"
#include "witness/verify.h"

#include <stdio.h>

typedef struct judged {
  omen_trace *trace;
  omen_model *model;
  omen_verifier *verifier;
} judged;

/* Takes the trace over; false, with the reason printed: it is refused. */
static inline bool
judged_init (judged *j, uint64_t seed, omen_trace *trace)
{
  omen_err err = { 0 };
  *j = (judged){ .trace = trace };
  j->model = omen_model_new (trace, &err);
  j->verifier = j->model ? omen_verifier_new (trace, &err) : NULL;
  if (!j->verifier)
    printf ("# seed %llu: %s\n", (unsigned long long)seed, err.what);
  return j->verifier;
}

static inline void
judged_fini (judged *j)
{
  omen_verifier_free (j->verifier);
  omen_model_free (j->model);
  omen_trace_free (j->trace);
}

/* What is wrong about the claim (NULL: all of them), and the trace. */
static inline void
judged_complain (uint64_t seed, const omen_trace *trace, omen_model_name model,
                 const oracle_claim *claim, const char *what)
{
  char text[128] = "all";
  if (claim)
    oracle_claim_text (claim, text, sizeof text);
  printf ("# seed %llu, model %s, %s: %s\n", (unsigned long long)seed,
          omen_model_text (model), text, what);
  fflush (stdout);
  omen_text_write (trace, stdout, NULL);
}

#endif
