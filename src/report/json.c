/* Findings as JSON (doc/json.md). */
#include "witness/lifetime.h"
#include "report/because.h"
#include "report/objects.h"
#include "report/pairs.h"
#include "report/words.h"

#include <stdlib.h>
#include <string.h>

static json_t *
locks_of (omen_reporter *reporter, omen_eid e)
{
  json_t *list = json_array ();
  omen_reporter_locks (reporter, e);
  for (size_t i = 0; i < reporter->locks.count; i++)
    json_array_append_new (list, omen_words_text (omen_names_text (
                                     &reporter->trace->names[OMEN_OPERAND_LOCK],
                                     reporter->locks.data[i])));
  return list;
}

static json_t *
frame_of (const omen_trace *trace, const omen_frame *frame)
{
  json_t *entry = json_object ();
  if (frame->function != OMEN_NONE)
    json_object_set_new (
        entry, "function",
        omen_words_text (omen_names_text (&trace->names[OMEN_OPERAND_FUNCTION],
                                          frame->function)));
  if (frame->location != OMEN_NONE)
    json_object_set_new (
        entry, "location",
        omen_words_text (omen_names_text (&trace->locations, frame->location)));
  return entry;
}

/* The stacks of a finding (instances may be of several traces), each once. */
struct omen_json_stacks {
  json_t *list;
  omen_names texts; /* by index in the list */
};

/* Set in `object` the index of reporter->stack in the finding's list; nothing
   if the stack is unknown. */
static void
add_stack (omen_reporter *reporter, json_t *object)
{
  omen_json_stacks *stacks = reporter->stacks;
  size_t count = reporter->stack.count;
  size_t shown = count < OMEN_FRAMES_MAX ? count : OMEN_FRAMES_MAX;
  json_t *stack = json_object (), *frames = json_array ();
  if (!count) {
    json_decref (stack);
    json_decref (frames);
    return;
  }
  for (size_t i = 0; i < shown; i++)
    json_array_append_new (
        frames, frame_of (reporter->trace, &reporter->stack.data[i]));
  json_object_set_new (stack, "frames", frames);
  if (count > shown)
    json_object_set_new (stack, "more",
                         json_integer ((json_int_t)(count - shown)));
  char *text = json_dumps (stack, JSON_COMPACT);
  uint32_t id = omen_names_id (&stacks->texts, text, strlen (text));
  if (id == json_array_size (stacks->list))
    json_array_append (stacks->list, stack);
  json_object_set_new (object, "stack", json_integer (id));
  json_decref (stack);
  free (text);
}

static json_t *
access_of (omen_reporter *reporter, omen_eid e)
{
  const omen_trace *trace = reporter->trace;
  const omen_event *event = omen_trace_event (trace, e);
  const char *location = omen_trace_location (trace, e);
  const char *function = omen_reporter_function (trace, e);
  omen_lid wanted = omen_reporter_wanted (trace, e);
  unsigned long line;
  size_t file = omen_reporter_file (location, &line);
  json_t *access = json_object ();
  json_object_set_new (access, "event", json_integer (e));
  json_object_set_new (
      access, "thread",
      omen_words_text (omen_trace_thread_name (trace, event->thread)));
  json_object_set_new (access, "index", json_integer (trace->index[e]));
  json_object_set_new (access, "op",
                       omen_words_text (omen_kind_text (event->kind)));
  if (wanted != OMEN_NONE)
    json_object_set_new (access, "lock",
                         omen_words_text (omen_names_text (
                             &trace->names[OMEN_OPERAND_LOCK], wanted)));
  json_object_set_new (access, "file", omen_words_text_n (location, file));
  json_object_set_new (access, "line", json_integer ((json_int_t)line));
  if (function)
    json_object_set_new (access, "function", omen_words_text (function));
  json_object_set_new (access, "locks", locks_of (reporter, e));
  omen_reporter_stack (reporter, e);
  add_stack (reporter, access);
  return access;
}

/* The reason why a thread of a deadlock waits. */
static json_t *
because_of (const omen_trace *trace, const omen_because *why)
{
  json_t *root = json_object ();
  omen_printed p;
  json_object_set_new (root, "kind", omen_words_text (why->kind));
  json_object_set_new (root, "object", omen_words_text (why->object));
  if (why->holder != OMEN_NONE)
    json_object_set_new (
        root, "thread",
        omen_words_text (omen_trace_thread_name (trace, why->holder)));
  if (why->since != OMEN_NONE)
    json_object_set_new (root, "event", json_integer (why->since));
  if (why->lost)
    json_object_set_new (root, "lost", json_true ());
  if (why->of) {
    json_object_set_new (root, "missing",
                         json_integer ((json_int_t)why->missing));
    json_object_set_new (root, "of", json_integer ((json_int_t)why->of));
  }
  omen_because_print (trace, why, omen_printed_open (&p));
  json_object_set_new (root, "text", omen_printed_close (&p));
  return root;
}

static json_t *
schedule_of (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *list = json_array ();
  omen_reporter_schedule (reporter, &finding->witness.sequence);
  for (size_t i = 0; i < reporter->schedule.count; i++) {
    const omen_stretch *run = &reporter->schedule.data[i];
    json_t *entry = json_array ();
    json_array_append_new (entry, omen_words_text (omen_trace_thread_name (
                                      reporter->trace, run->thread)));
    json_array_append_new (entry, json_integer (run->first));
    json_array_append_new (entry, json_integer (run->end));
    json_array_append_new (list, entry);
  }
  return list;
}

static void
add_atomicity (const omen_trace *trace, const omen_finding *finding,
               json_t *root)
{
  json_t *blame = json_array (), *opened = json_array ();
  omen_ids listed = { 0 };
  size_t more = omen_reporter_blame (trace, finding, &listed);
  for (size_t i = 0; i < listed.count; i++) {
    omen_eid open = listed.data[i];
    json_array_append_new (blame,
                           omen_words_text (omen_reporter_block (trace, open)));
    json_array_append_new (opened, json_integer (open));
  }
  json_object_set (root, "block", json_array_get (blame, 0));
  if (finding->pattern)
    json_object_set_new (root, "pattern", omen_words_text (finding->pattern));
  json_object_set_new (root, "blame", blame);
  json_object_set_new (root, "opened", opened);
  if (more)
    json_object_set_new (root, "blame_more", json_integer ((json_int_t)more));
  OMEN_VEC_FINI (listed);
  if (finding->error) {
    json_object_set_new (root, "error", omen_words_text (finding->error));
    json_object_set_new (root, "acquires",
                         json_pack ("[III]", (json_int_t)finding->acquires[0],
                                    (json_int_t)finding->acquires[1],
                                    (json_int_t)finding->acquires[2]));
  }
}

static json_t *
event_or_initial (omen_eid e)
{
  return json_integer (e == OMEN_NONE ? -1 : (json_int_t)e);
}

static void
add_nondet (const omen_finding *finding, json_t *root)
{
  const omen_claim *claim = &finding->witness.claim;
  bool final = claim->kind == OMEN_CLAIM_FINAL;
  if (final)
    json_object_set_new (root, "final", json_true ());
  json_object_set_new (root, "read",
                       final ? json_null ()
                             : event_or_initial (claim->events.data[0]));
  json_object_set_new (root, "challenger",
                       event_or_initial (claim->events.data[!final]));
  json_object_set_new (root, "writer", event_or_initial (finding->writer));
  json_object_set_new (root, "order",
                       omen_words_text (omen_nondet_text (claim->word)));
}

static void
add_property (const omen_claim *claim, json_t *root)
{
  const omen_about *about = claim->about;
  json_t *binding = json_object ();
  for (size_t i = 0; i < about->binding.count; i++) {
    json_t *name = omen_words_text (about->binding.data[i].name);
    json_object_set_new (binding, json_string_value (name),
                         omen_words_text (about->binding.data[i].value));
    json_decref (name);
  }
  json_object_set_new (root, "property", omen_words_text (about->property));
  json_object_set_new (root, "logic", json_integer (claim->word));
  json_object_set_new (root, "category", omen_words_text (about->category));
  json_object_set_new (root, "binding", binding);
}

/* Fields of particular kinds of findings and claims. */
static void
add_particulars (const omen_reporter *reporter, const omen_finding *finding,
                 json_t *root)
{
  const omen_claim *claim = &finding->witness.claim;
  if (claim->kind == OMEN_CLAIM_RACE_ORDER)
    json_object_set_new (root, "by", omen_words_text ("order"));
  if (finding->kind == OMEN_FINDING_MISUSE)
    json_object_set_new (root, "misuse",
                         omen_words_text (omen_misuse_text (claim->word)));
  if (finding->kind == OMEN_FINDING_LIFETIME)
    json_object_set_new (root, "what",
                         omen_words_text (omen_lifetime_text (
                             omen_lifetime_of (reporter->trace, claim))));
  if (finding->kind == OMEN_FINDING_FAILURE)
    json_object_set_new (root, "signal", json_integer (finding->signal));
  if (finding->ending)
    json_object_set_new (root, "ending", omen_words_text (finding->ending));
  if (finding->said)
    json_object_set_new (root, "said", omen_words_text (finding->said));
  if (finding->kind == OMEN_FINDING_ATOMICITY)
    add_atomicity (reporter->trace, finding, root);
  if (finding->kind == OMEN_FINDING_NONDET)
    add_nondet (finding, root);
  if (claim->kind == OMEN_CLAIM_STUCK)
    json_object_set_new (root, "claim", json_string ("stuck"));
  if (finding->kind == OMEN_FINDING_PROPERTY)
    add_property (claim, root);
  if (finding->note)
    json_object_set_new (root, "note", omen_words_text (finding->note));
  if (finding->outcome)
    json_object_set_new (root, "outcome", omen_words_text (finding->outcome));
}

static void
add_events (omen_reporter *reporter, const omen_finding *finding, json_t *root)
{
  json_t *events = json_array (), *accesses = json_array ();
  omen_reporter_events (reporter, finding);
  for (size_t i = 0; i < reporter->events.count; i++) {
    omen_because why
        = omen_because_of (reporter->trace, finding, reporter->events.data[i]);
    json_t *access = access_of (reporter, reporter->events.data[i]);
    if (why.kind)
      json_object_set_new (access, "because",
                           because_of (reporter->trace, &why));
    json_array_append_new (events, json_integer (reporter->events.data[i]));
    json_array_append_new (accesses, access);
  }
  json_object_set_new (root, "events", events);
  json_object_set_new (root, "accesses", accesses);
}

static json_t *
object_of (omen_reporter *reporter, const omen_reported_object *object)
{
  const char *where = omen_object_location (reporter, object);
  unsigned long line;
  size_t file = omen_reporter_file (where, &line);
  json_t *root = json_object ();
  omen_printed p;
  json_object_set_new (root, object->is_lock ? "lock" : "variable",
                       omen_words_text (omen_object_name (reporter, object)));
  json_object_set_new (root, "kind",
                       json_string (omen_object_kind (reporter, object)));
  json_object_set_new (root, "size",
                       json_integer ((json_int_t)object->home.size));
  if (!object->is_lock
      && omen_layouts_type_of (&reporter->trace->layouts, object->id)
             != OMEN_NONE)
    json_object_set_new (
        root, "type",
        omen_words_text (omen_names_text (
            &reporter->trace->strings,
            omen_layouts_type_of (&reporter->trace->layouts, object->id))));
  if (object->is_lock)
    json_object_set_new (root, "offset",
                         json_integer ((json_int_t)object->home.offset));
  json_object_set_new (root, "thread",
                       omen_words_text (omen_trace_thread_name (
                           reporter->trace, object->home.thread)));
  json_object_set_new (root, "file", omen_words_text_n (where, file));
  json_object_set_new (root, "line", json_integer ((json_int_t)line));
  omen_object_text (reporter, object, omen_printed_open (&p));
  json_object_set_new (root, "text", omen_printed_close (&p));
  omen_object_stack (reporter, object);
  add_stack (reporter, root);
  return root;
}

static json_t *
objects_of (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *list = json_array ();
  omen_reporter_objects (reporter, finding);
  for (size_t i = 0; i < reporter->objects.count; i++)
    json_array_append_new (list,
                           object_of (reporter, &reporter->objects.data[i]));
  return list;
}

/* ---- pairs ---- */

static json_t *
variables_of (const omen_reporter *reporter, const omen_finding *pair)
{
  const omen_ids *events = &pair->witness.claim.events;
  json_t *list = json_array ();
  OMEN_REQUIRE (pair->witness.claim.kind == OMEN_CLAIM_ATOMICITY);
  for (size_t i = 1; i <= 2; i++)
    json_array_append_new (list, omen_words_text (omen_reporter_variable (
                                     reporter->trace, events->data[i])));
  return list;
}

static json_t *
pair_of (omen_reporter *reporter, const omen_finding *pair)
{
  json_t *root = json_object ();
  if (pair->kind == OMEN_FINDING_ATOMICITY) {
    json_object_set_new (root, "variables", variables_of (reporter, pair));
    add_atomicity (reporter->trace, pair, root);
  } else {
    char part[OMEN_PART_NAME_MAX];
    json_object_set_new (
        root, "variable",
        omen_words_text (omen_words_subject (reporter, pair, part)));
    add_particulars (reporter, pair, root);
  }
  json_object_set_new (root, "status",
                       omen_words_text (omen_status_text (pair->status)));
  if (pair->outcome)
    json_object_set_new (root, "outcome", omen_words_text (pair->outcome));
  add_events (reporter, pair, root);
  json_object_set_new (root, "count", json_integer (pair->count));
  json_object_set_new (root, "fingerprint",
                       omen_words_pair_fingerprint_json (reporter, pair));
  return root;
}

static json_t *
pairs_of (omen_reporter *reporter, const omen_finding *finding)
{
  json_t *list = json_array ();
  for (size_t k = 0; k < omen_finding_pairs (finding); k++) {
    const omen_finding *pair = omen_finding_pair (finding, k);
    omen_reporter *own = omen_pair_reporter (reporter, pair);
    own->stacks = reporter->stacks;
    json_array_append_new (list, pair_of (own, pair));
    omen_pair_reporter_done (reporter, own);
  }
  OMEN_ASSERT (json_array_size (list) == omen_finding_pairs (finding));
  return list;
}

void
omen_report_witness_name (unsigned number, size_t k, char name[32])
{
  if (k)
    snprintf (name, 32, "%u.%zu", number, k + 1);
  else
    snprintf (name, 32, "%u", number);
}

json_t *
omen_report_json_instances (const json_t *json)
{
  json_t *pairs = json_object_get (json, "pairs");
  return pairs ? pairs : json_object_get (json, "instances");
}

void
omen_report_json_witness (json_t *json, const char *folder, unsigned number)
{
  json_t *pair;
  char name[32];
  size_t k;
  omen_report_witness_name (number, 0, name);
  json_object_set_new (json, "witness", json_sprintf ("%s/%s", folder, name));
  json_array_foreach (omen_report_json_instances (json), k, pair)
  {
    omen_report_witness_name (number, k, name);
    json_object_set_new (pair, "witness", json_sprintf ("%s/%s", folder, name));
  }
}

/* ---- all of it ---- */

json_t *
omen_report_json (omen_reporter *reporter, const omen_finding *finding,
                  unsigned number)
{
  json_t *root = json_object ();
  omen_json_stacks stacks = { .list = json_array () };
  OMEN_REQUIRE (
      finding->status
      != OMEN_STATUS_PREDICTED); /* predicted findings are verified first */
  OMEN_REQUIRE (finding->count);
  omen_names_init (&stacks.texts);
  reporter->stacks = &stacks;
  json_object_set_new (root, "id", json_integer (number));
  json_object_set_new (
      root, "kind", omen_words_text (omen_finding_kind_text (finding->kind)));
  json_object_set_new (root, "severity",
                       omen_words_text (omen_severity_text (
                           omen_finding_severity (reporter->trace, finding))));
  json_object_set_new (root, "status",
                       omen_words_text (omen_status_text (finding->status)));
  json_object_set_new (
      root, "model",
      omen_words_text (omen_model_text (finding->witness.model)));
  json_object_set_new (
      root, "variable",
      omen_words_text (omen_reporter_subject (reporter, finding)));
  add_particulars (reporter, finding, root);
  add_events (reporter, finding, root);
  json_object_set_new (root, "objects", objects_of (reporter, finding));
  json_object_set_new (root, "schedule", schedule_of (reporter, finding));
  json_object_set_new (root, "observed",
                       json_boolean (omen_witness_observed (&finding->witness)
                                     == finding->witness.sequence.count));
  json_object_set_new (root, "count",
                       json_integer (omen_finding_instances (finding)));
  json_object_set_new (root, "fingerprint",
                       omen_words_fingerprint_json (reporter, finding));
  if (finding->more.count
      || (finding->by_cause && finding->kind == OMEN_FINDING_ATOMICITY))
    json_object_set_new (
        root, finding->kind == OMEN_FINDING_ATOMICITY ? "pairs" : "instances",
        pairs_of (reporter, finding));
  if (finding->left_out)
    json_object_set_new (root, "left_out", json_integer (finding->left_out));
  json_object_set_new (root, "stacks", stacks.list);
  omen_names_fini (&stacks.texts);
  reporter->stacks = NULL;
  return root;
}
