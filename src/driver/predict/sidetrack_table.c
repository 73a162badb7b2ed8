#include "driver/input.h"
#include "base/print.h"
#include "driver/predict/tables.h"
#include "witness/verify.h"

#include <stdio.h>

json_t *
omen_sidetrack_json (const omen_sidetrack_table *t)
{
  return json_pack ("{si si si si si si si si si si}", "methods", t->methods,
                    "before", t->errors[0], "in", t->errors[1], "after",
                    t->errors[2], "predicted_before", t->predicted_before,
                    "predicted_after", t->predicted_after, "predicted",
                    t->predicted, "verified", t->verified, "unverified",
                    t->unverified, "refuted", t->refuted);
}

/* The path is the last column, as its length varies. */
static void
print_heads (void)
{
  omen_print (stdout, "%7s %7s %7s %7s %7s %7s %9s %9s %10s %8s\n", "", "", "",
              "", "before", "after", "", "", "", "");
  omen_print (stdout, "%7s %7s %7s %7s %7s %7s %9s %9s %10s %8s  %s\n",
              "methods", "before", "in", "after", "only", "only", "predicted",
              "verified", "unverified", "refuted", "trace");
}

static void
print_row (const char *name, const omen_sidetrack_table *t)
{
  omen_print (stdout, "%7u %7u %7u %7u %7u %7u %9u %9u %10u %8u  %s\n",
              t->methods, t->errors[0], t->errors[1], t->errors[2],
              t->predicted_before, t->predicted_after, t->predicted,
              t->verified, t->unverified, t->refuted, name);
}

static void
add_table (omen_sidetrack_table *sum, const omen_sidetrack_table *t)
{
  sum->methods += t->methods;
  for (int i = 0; i < 3; i++)
    sum->errors[i] += t->errors[i];
  sum->predicted_before += t->predicted_before;
  sum->predicted_after += t->predicted_after;
  sum->predicted += t->predicted;
  sum->verified += t->verified;
  sum->unverified += t->unverified;
  sum->refuted += t->refuted;
}

/* ---- counting ---- */

typedef struct judge {
  omen_verifier *verifier;
  omen_err err; /* set if a witness does not verify */
} judge;

static bool
verify_and_drop (void *context, omen_finding *finding)
{
  judge *j = context;
  bool ok = finding->status != OMEN_STATUS_PREDICTED
            || omen_verify (j->verifier, &finding->witness, &j->err);
  omen_finding_fini (finding);
  return ok;
}

static int
count_in (const omen_predict_request *request, const omen_trace *trace,
          omen_sidetrack_table *t)
{
  omen_predict_options options = request->options;
  omen_predict_stats stats = { 0 };
  omen_err err = { 0 };
  omen_model *model = omen_model_new (trace, &err);
  judge j = { .verifier = model ? omen_verifier_new (trace, &err) : NULL };
  omen_sink sink = { verify_and_drop, NULL, &j };
  int code = OMEN_EXIT_NOTHING;
  options.model = omen_predict_model (request, trace);
  options.identity = omen_trace_identity (trace);
  if (!j.verifier)
    code = omen_input_refused (&err);
  else if (!omen_predict_sidetrack (model, &options, &sink, &stats, t))
    code = omen_fail (OMEN_EXIT_BUG, &j.err);
  omen_verifier_free (j.verifier);
  omen_model_free (model);
  return code;
}

static bool
count_trace (const omen_predict_request *request, const char *path,
             omen_sidetrack_table *t, int *code)
{
  omen_load_options all = { .rebuild.whole = true };
  omen_trace *trace = omen_input_load (path, &all, code);
  if (!trace)
    return false;
  *code = count_in (request, trace, t);
  omen_trace_free (trace);
  return *code == OMEN_EXIT_NOTHING;
}

static void
print_json (json_t *rows, const omen_sidetrack_table *sum)
{
  json_t *root = json_pack ("{sO so}", "table", rows, "total",
                            omen_sidetrack_json (sum));
  json_dumpf (root, stdout, JSON_INDENT (1) | JSON_ENSURE_ASCII);
  putchar ('\n');
  json_decref (root);
}

int
omen_sidetrack_table_print (const omen_predict_request *request)
{
  omen_sidetrack_table sum = { 0 };
  json_t *rows = json_array ();
  int code = OMEN_EXIT_NOTHING;
  bool good = true;
  for (size_t i = 0; good && i <= request->more.count; i++) {
    const char *path = i ? request->more.data[i - 1] : request->trace;
    omen_sidetrack_table t = { 0 };
    json_t *row;
    good = count_trace (request, path, &t, &code);
    if (!good)
      break;
    add_table (&sum, &t);
    row = omen_sidetrack_json (&t);
    json_object_set_new (row, "trace", json_string (path));
    json_array_append_new (rows, row);
    if (!i && !request->json)
      print_heads ();
    if (!request->json)
      print_row (path, &t);
  }
  if (good && request->json)
    print_json (rows, &sum);
  else if (good && request->more.count)
    print_row ("total", &sum);
  json_decref (rows);
  if (good)
    code = sum.verified ? OMEN_EXIT_FINDINGS : OMEN_EXIT_NOTHING;
  return good ? omen_finish (code) : code;
}
