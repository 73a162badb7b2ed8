/* omen verify TRACE WITNESS… */
#include "cmd/cmd.h"
#include "driver/spec_speaks.h"
#include "base/print.h"
#include "cmd/options.h"
#include "report/words.h"
#include "witness/lifetime.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static char docs[]
    = "Judge witnesses: is each a reordering of the trace that shows its "
      "claim?\v"
      "A witness is a claim about a trace (two accesses race, two acquires "
      "deadlock, ...) and the sequence of events that shows it, as omen "
      "predict writes it with --witness-dir. This command trusts nothing that "
      "found it: it walks the sequence step by step over the raw trace and "
      "checks every rule of doc/semantics.md, then the claim.\n\n"
      "One line a WITNESS says ok and what was shown, or the first step that "
      "breaks a rule and why. Steps are counted from 0; T2:17 is the event "
      "with index 17 of thread T2.\n\n"
      "A witness of a property claims that a monitor gets somewhere: --spec "
      "names its property file, and the monitor is run over the sequence.\n\n"
      "Exit: 0 if all witnesses hold, 1 if one does not; 2 or 3 ends it at the "
      "first file that cannot be read, or is no witness of this trace.";

typedef struct request {
  bool json;
  omen_spec_list specs;
  char **paths; /* the trace, then the witnesses */
  int count;
} request;

#define SHARED(X) X (format, json) X (specs, specs)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[] = { SHARED (OMEN_INPUT){ 0 } };

static error_t
parse_verify_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  switch (key) {
  case ARGP_KEY_ARGS:
    r->paths = state->argv + state->next;
    r->count = state->argc - state->next;
    return 0;
  case ARGP_KEY_END:
    if (r->count < 2)
      omen_cmd_error (state, r->count ? "no witness given" : "no trace given");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp
    = { NULL, parse_verify_option, "TRACE WITNESS...", docs, children };

/* ---- what was shown, in words ---- */
static void
print_event (const omen_trace *trace, const char *before, omen_eid e)
{
  char text[OMEN_WITNESS_EVENT_MAX];
  omen_print (stdout, "%s%s", before, omen_witness_event (trace, e, text));
}

static void
print_events (const omen_trace *trace, const omen_ids *events)
{
  for (size_t i = 0; i < events->count; i++)
    print_event (trace,
                 !i                      ? ""
                 : i + 1 < events->count ? ", "
                                         : " and ",
                 events->data[i]);
}

static void
print_nondet (const omen_trace *trace, const omen_claim *claim)
{
  print_event (trace, "", claim->events.data[0]);
  if (claim->events.data[1] == OMEN_NONE)
    omen_print (stdout, " can see the initial value");
  else
    print_event (trace, " can see ", claim->events.data[1]);
  omen_print (stdout, " (%s)", omen_nondet_text (claim->word));
}

static void
print_claim (const omen_trace *trace, const omen_claim *claim)
{
  static const char *const starts[] = { "race of ",
                                        "race by order of ",
                                        "deadlock of ",
                                        "nondeterministic read: ",
                                        "atomicity violation of ",
                                        "pattern of ",
                                        "misuse ",
                                        "final value: ",
                                        "property ",
                                        "stuck: ",
                                        "lifetime " };
  _Static_assert (OMEN_COUNT (starts) == OMEN_CLAIMS, "a text a claim");
  omen_print (stdout, "%s", starts[claim->kind]);
  switch (claim->kind) {
  case OMEN_CLAIM_NONDET:
    print_nondet (trace, claim);
    break;
  case OMEN_CLAIM_ATOMICITY:
    print_event (trace, "", claim->events.data[0]);
    print_event (trace, ": ", claim->events.data[1]);
    print_event (trace, " before ", claim->events.data[4]);
    print_event (trace, ", ", claim->events.data[5]);
    print_event (trace, " before ", claim->events.data[2]);
    break;
  case OMEN_CLAIM_PROPERTY:
    omen_print (stdout, "%s: %s by ", claim->about->property,
                claim->about->category);
    print_events (trace, &claim->events);
    break;
  case OMEN_CLAIM_FINAL:
    print_events (trace, &claim->events);
    fputs (" can be the last write", stdout);
    break;
  case OMEN_CLAIM_MISUSE:
    omen_print (stdout, "(%s) by ", omen_misuse_text (claim->word));
    print_events (trace, &claim->events);
    break;
  case OMEN_CLAIM_LIFETIME:
    omen_print (stdout, "(%s) by ",
                omen_lifetime_text (omen_lifetime_of (trace, claim)));
    print_events (trace, &claim->events);
    break;
  default:
    print_events (trace, &claim->events);
    break;
  }
}

static void
print_verdict (const char *path, const omen_trace *trace,
               const omen_witness *witness, bool unjudged, const omen_err *err)
{
  omen_print (stdout, "%s: %s: ", path,
              unjudged   ? "not judged"
              : err->set ? "not valid"
                         : "ok");
  if (err->set)
    omen_print (stdout, "%s", err->what);
  else
    print_claim (trace, &witness->claim);
  putchar ('\n');
}

/* ---- json ---- */
static json_t *
verdict_json (const char *path, const omen_trace *trace,
              const omen_witness *witness, const omen_err *err)
{
  const omen_claim *claim = &witness->claim;
  json_t *object = json_object (), *events = json_array ();
  for (size_t i = 0; i < claim->events.count; i++)
    json_array_append_new (
        events, json_integer (claim->events.data[i] == OMEN_NONE
                                  ? -1
                                  : (json_int_t)claim->events.data[i]));
  json_object_set_new (object, "witness", omen_words_text (path));
  json_object_set_new (object, "valid", json_boolean (!err->set));
  if (err->set)
    json_object_set_new (object, "reason", omen_words_text (err->what));
  json_object_set_new (object, "model",
                       json_string (omen_model_text (witness->model)));
  json_object_set_new (object, "kind",
                       json_string (omen_claim_text (claim->kind)));
  json_object_set_new (object, "events", events);
  if (claim->kind == OMEN_CLAIM_NONDET)
    json_object_set_new (object, "order",
                         json_string (omen_nondet_text (claim->word)));
  if (claim->kind == OMEN_CLAIM_MISUSE)
    json_object_set_new (object, "misuse",
                         json_string (omen_misuse_text (claim->word)));
  if (claim->kind == OMEN_CLAIM_LIFETIME)
    json_object_set_new (
        object, "what",
        json_string (omen_lifetime_text (omen_lifetime_of (trace, claim))));
  if (claim->kind == OMEN_CLAIM_PROPERTY) {
    json_object_set_new (object, "property",
                         omen_words_text (claim->about->property));
    json_object_set_new (object, "category",
                         omen_words_text (claim->about->category));
  }
  json_object_set_new (object, "steps",
                       json_integer ((json_int_t)witness->sequence.count));
  return object;
}

/* ---- the command ---- */
/* Judges one witness; the exit code it asks for. */
static int
judge_witness (omen_verifier *verifier, const omen_trace *trace,
               uint64_t identity, const char *path, json_t *all)
{
  omen_witness witness;
  omen_err err = { 0 };
  int code;
  omen_witness_init (&witness);
  witness.identity = identity;
  if (omen_witness_load (&witness, trace, path, &err)) {
    bool ok = omen_verify (verifier, &witness, &err);
    bool unjudged = omen_verify_refusal (verifier) == OMEN_REFUSED_UNJUDGED;
    code = ok ? OMEN_EXIT_NOTHING : OMEN_EXIT_FINDINGS;
    if (all)
      json_array_append_new (all, verdict_json (path, trace, &witness, &err));
    else
      print_verdict (path, trace, &witness, unjudged, &err);
  } else
    code = omen_fail (OMEN_EXIT_INPUT, &err);
  omen_witness_fini (&witness);
  return code;
}

static int
judge_all (const omen_trace *trace, const omen_spec_list *specs, char **paths,
           int count, json_t *all)
{
  omen_err err = { 0 };
  omen_verifier *verifier = omen_verifier_new (trace, &err);
  uint64_t identity = omen_trace_identity (trace);
  int code = 0;
  if (!verifier)
    return omen_input_refused (&err);
  omen_spec_list_give (specs, verifier);
  for (int i = 0; i < count && code <= OMEN_EXIT_FINDINGS; i++) {
    int one = judge_witness (verifier, trace, identity, paths[i], all);
    code = one > code ? one : code;
  }
  omen_verifier_free (verifier);
  return code;
}

static int
run_verify (int argc, char **argv)
{
  request r = { 0 };
  omen_load_options load = { .rebuild = { .whole = true,
                                          .watches = omen_spec_list_watches,
                                          .context = &r.specs } };
  omen_trace *trace = NULL;
  json_t *all = NULL;
  int code;
  if (omen_cmd_parse (&argp, argc, argv, &r, &code)
      && omen_spec_list_load (&r.specs, &code))
    trace = omen_input_load_for (r.paths[0], r.paths[1], &load, &code);
  if (!trace) {
    omen_spec_list_fini (&r.specs);
    return code;
  }
  if (r.json)
    all = json_array ();
  code = judge_all (trace, &r.specs, r.paths + 1, r.count - 1, all);
  omen_trace_free (trace);
  omen_spec_list_fini (&r.specs);
  if (all && code <= OMEN_EXIT_FINDINGS) {
    json_t *root = json_pack ("{s:o}", "witnesses", all);
    json_dumpf (root, stdout, JSON_INDENT (1) | JSON_ENSURE_ASCII);
    putchar ('\n');
    json_decref (root);
  } else
    json_decref (all);
  return omen_finish (code);
}

const omen_cmd omen_cmd_verify
    = { "verify", "judge witnesses against their trace", run_verify, &argp };
