#include "witness/witness.h"

#include "trace/text.h"

#include <string.h>

static const char *const models[] = { "rf", "value", "sliced", "lattice" };
static const char *const claims[]
    = { "race",   "race-order", "deadlock", "nondet", "atomicity", "pattern",
        "misuse", "final",      "property", "stuck",  "lifetime" };
static const char *const nondet_orders[] = { "wcr", "crw", "cr" };
static const char *const misuses[]
    = { "taken-twice", "not-holder", "destroyed-held", "wait-without-lock",
        "held-at-exit" };

_Static_assert (OMEN_COUNT (models) == OMEN_MODELS, "a text a model");
_Static_assert (OMEN_COUNT (claims) == OMEN_CLAIMS, "a text a claim");
_Static_assert (OMEN_COUNT (nondet_orders) == OMEN_NONDET_ORDERS,
                "a text an order");
_Static_assert (OMEN_COUNT (misuses) == OMEN_MISUSES, "a text a misuse");

void
omen_witness_init (omen_witness *witness)
{
  *witness = (omen_witness){ 0 };
}

static void
about_free (omen_about *about)
{
  if (!about)
    return;
  for (size_t i = 0; i < about->binding.count; i++) {
    omen_free (about->binding.data[i].name);
    omen_free (about->binding.data[i].value);
  }
  OMEN_VEC_FINI (about->binding);
  omen_free (about->property);
  omen_free (about->category);
  omen_free (about->logic);
  omen_free (about);
}

void
omen_witness_fini (omen_witness *witness)
{
  OMEN_VEC_FINI (witness->claim.events);
  OMEN_VEC_FINI (witness->sequence);
  about_free (witness->claim.about);
  witness->claim.about = NULL;
}

size_t
omen_witness_observed (const omen_witness *witness)
{
  const omen_ids *sequence = &witness->sequence;
  size_t count = sequence->count > 0;
  while (count < sequence->count
         && sequence->data[count - 1] < sequence->data[count])
    count++;
  return count;
}

const char *
omen_model_text (omen_model_name model)
{
  OMEN_REQUIRE (model < OMEN_MODELS);
  return models[model];
}

const char *
omen_claim_text (omen_claim_kind kind)
{
  OMEN_REQUIRE (kind < OMEN_CLAIMS);
  return claims[kind];
}

const char *
omen_nondet_text (omen_nondet_order order)
{
  OMEN_REQUIRE (order < OMEN_NONDET_ORDERS);
  return nondet_orders[order];
}

const char *
omen_misuse_text (omen_misuse misuse)
{
  OMEN_REQUIRE (misuse < OMEN_MISUSES);
  return misuses[misuse];
}

char *
omen_witness_event (const omen_trace *trace, omen_eid e,
                    char buffer[OMEN_WITNESS_EVENT_MAX])
{
  char name[OMEN_EVENT_NAME_MAX], operation[96];
  const char *location = omen_trace_location (trace, e);
  OMEN_REQUIRE (e < trace->events.count);
  omen_trace_event_name (trace, e, name);
  omen_text_operation (trace, e, operation, sizeof operation);
  snprintf (buffer, OMEN_WITNESS_EVENT_MAX, "%s %s%s%.80s", name, operation,
            *location ? " at " : "", location);
  return buffer;
}
