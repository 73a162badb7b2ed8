/* omen predict nondet --table TRACE…: Tables A1 and I of the paper. */
#include "driver/input.h"
#include "base/print.h"
#include "driver/predict/tables.h"
#include "predict/nondet_table.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

typedef struct statistics {
  uint64_t threads, events, lock_events, locks, accesses, variables, waits;
} statistics;

/* Sums over the traces without choices in any witness, or over those with some.
 */
typedef struct category {
  uint64_t traces;
  omen_nondet_table sum;
} category;

static statistics
statistics_of (const omen_trace *trace)
{
  statistics s = { .threads = trace->threads.count,
                   .events = trace->events.count,
                   .locks = trace->names[OMEN_OPERAND_LOCK].count };
  uint8_t *seen = omen_zalloc (trace->names[OMEN_OPERAND_VARIABLE].count, 1);
  for (size_t i = 0; i < trace->events.count; i++) {
    const omen_event *event = &trace->events.data[i];
    unsigned kind = event->kind;
    s.lock_events += kind == OMEN_ACQUIRE || kind == OMEN_RELEASE
                     || kind == OMEN_READ_ACQUIRE || kind == OMEN_READ_RELEASE;
    s.waits
        += kind == OMEN_WAIT || kind == OMEN_NOTIFY || kind == OMEN_NOTIFY_ALL;
    if (omen_kind_class (kind) != OMEN_CLASS_ACCESS)
      continue;
    s.accesses++;
    seen[trace->places.data[event->object].variable] = 1;
  }
  for (uint32_t v = 0; v < trace->names[OMEN_OPERAND_VARIABLE].count; v++)
    s.variables += seen[v];
  omen_free (seen);
  return s;
}

/* ---- text ---- */

static double
in_hundred (uint64_t part, uint64_t all)
{
  return all ? 100.0 * (double)part / (double)all : 0;
}

static double
per (double sum, uint64_t count)
{
  return count ? sum / (double)count : 0;
}

/* Number of graphs explored for each witness: one, or more with choices. */
static double
graphs_each (const omen_nondet_table *t)
{
  return per ((double)(t->refuted + t->direct + t->graphs), t->possible);
}

static void
print_columns (const omen_nondet_table *t)
{
  const uint64_t shares[] = { t->refuted, t->direct, t->chosen };
  omen_print (stdout, " %9" PRIu64, t->possible);
  for (int i = 0; i < 3; i++)
    omen_print (stdout, " %9" PRIu64 " (%4.1f)", shares[i],
                in_hundred (shares[i], t->possible));
  if (t->chosen)
    omen_print (stdout, " %9.4g %9.4g", per (t->graphs_possible, t->chosen),
                per ((double)t->graphs, t->chosen));
  else
    omen_print (stdout, " %9s %9s", "-", "-");
  omen_print (
      stdout, " %8.3fs %9" PRIu64 " (%4.1f) %9" PRIu64 " (%4.1f) %8.4g\n",
      t->seconds, t->feasible, in_hundred (t->feasible, t->possible),
      t->infeasible, in_hundred (t->infeasible, t->possible), graphs_each (t));
}

static void
print_heads (const char *first)
{
  omen_print (stdout, "%-24s %9s %16s %16s %16s %9s %9s %9s %16s %16s %8s\n",
              first, "possible", "refuted (%)", "direct (%)", "choices (%)",
              "graphs", "explored", "time", "feasible (%)", "infeasible (%)",
              "graphs");
  omen_print (stdout, "%-24s %9s %16s %16s %16s %9s %9s %9s %16s %16s %8s\n",
              "", "witnesses", "", "", "", "possible", "", "", "", "", "each");
}

static void
print_row (const char *path, const statistics *s, const omen_nondet_table *t)
{
  omen_print (stdout, "%-24s", path);
  print_columns (t);
  omen_print (stdout,
              "  thrds: %" PRIu64 ", evs: %" PRIu64 ", l-evs: %" PRIu64
              ", l-vars: %" PRIu64 ", rw-evs: %" PRIu64 ", rw-vars: %" PRIu64
              ", wn-evs: %" PRIu64 "\n",
              s->threads, s->events, s->lock_events, s->locks, s->accesses,
              s->variables, s->waits);
  if (t->undecided)
    omen_print (stdout, "  undecided: %" PRIu64 "\n", t->undecided);
}

static void
print_summary (const category *categories)
{
  static const char *const names[] = { "without choices", "with choices" };
  putchar ('\n');
  print_heads ("summary");
  for (int i = 0; i < 2; i++) {
    char text[64];
    snprintf (text, sizeof text, "%s (%" PRIu64 ")", names[i],
              categories[i].traces);
    omen_print (stdout, "%-24s", text);
    print_columns (&categories[i].sum);
  }
}

/* ---- JSON ---- */

static json_t *
table_json (const omen_nondet_table *t)
{
  return json_pack (
      "{sI sI sI sI sf sf sf sI sI sI sf}", "possible", (json_int_t)t->possible,
      "refuted", (json_int_t)t->refuted, "direct", (json_int_t)t->direct,
      "choices", (json_int_t)t->chosen, "graphs_possible",
      per (t->graphs_possible, t->chosen), "graphs_explored",
      per ((double)t->graphs, t->chosen), "seconds", t->seconds, "feasible",
      (json_int_t)t->feasible, "infeasible", (json_int_t)t->infeasible,
      "undecided", (json_int_t)t->undecided, "graphs", graphs_each (t));
}

static json_t *
row_json (const char *path, const statistics *s, const omen_nondet_table *t)
{
  json_t *row = table_json (t), *name = json_string (path);
  json_object_set_new (row, "trace", name ? name : json_null ());
  json_object_set_new (
      row, "statistics",
      json_pack ("{sI sI sI sI sI sI sI}", "threads", (json_int_t)s->threads,
                 "events", (json_int_t)s->events, "lock_events",
                 (json_int_t)s->lock_events, "locks", (json_int_t)s->locks,
                 "accesses", (json_int_t)s->accesses, "variables",
                 (json_int_t)s->variables, "wait_notify_events",
                 (json_int_t)s->waits));
  return row;
}

static void
print_json (json_t *rows, const category *categories)
{
  json_t *root = json_object (), *summary = json_object ();
  static const char *const names[] = { "without_choices", "with_choices" };
  for (int i = 0; i < 2; i++) {
    json_t *row = table_json (&categories[i].sum);
    json_object_set_new (row, "traces",
                         json_integer ((json_int_t)categories[i].traces));
    json_object_set_new (summary, names[i], row);
  }
  json_object_set (root, "table", rows);
  json_object_set_new (root, "summary", summary);
  json_dumpf (root, stdout,
              JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION (6));
  putchar ('\n');
  json_decref (root);
}

/* ---- all traces ---- */

static void
add_table (category *c, const omen_nondet_table *t)
{
  omen_nondet_table *sum = &c->sum;
  c->traces++;
  sum->possible += t->possible;
  sum->refuted += t->refuted;
  sum->direct += t->direct;
  sum->chosen += t->chosen;
  sum->graphs_possible += t->graphs_possible;
  sum->graphs += t->graphs;
  sum->feasible += t->feasible;
  sum->infeasible += t->infeasible;
  sum->undecided += t->undecided;
  sum->seconds += t->seconds;
}

/* Compute the row of one trace; false: *code is the exit code. */
static bool
compute_row (const omen_predict_request *request, const char *path,
             statistics *s, omen_nondet_table *t, int *code)
{
  omen_predict_options options = request->options;
  omen_err err = { 0 };
  omen_load_options all = { .rebuild.whole = true };
  omen_trace *trace = omen_input_load (path, &all, code);
  omen_model *model = trace ? omen_model_new (trace, &err) : NULL;
  if (trace && !model)
    *code = omen_input_refused (&err);
  if (model) {
    options.model = omen_predict_model (request, trace);
    *s = statistics_of (trace);
    omen_nondet_count (model, &options, true, t);
  }
  omen_model_free (model);
  omen_trace_free (trace);
  return model != NULL;
}

static int
exit_code (const category *categories)
{
  uint64_t feasible = 0, undecided = 0;
  for (int i = 0; i < 2; i++) {
    feasible += categories[i].sum.feasible;
    undecided += categories[i].sum.undecided;
  }
  return feasible    ? OMEN_EXIT_FINDINGS
         : undecided ? OMEN_EXIT_BUDGET
                     : OMEN_EXIT_NOTHING;
}

int
omen_nondet_table_print (const omen_predict_request *request)
{
  category categories[2] = { 0 };
  json_t *rows = json_array ();
  int code = OMEN_EXIT_NOTHING;
  bool good = true;
  for (size_t i = 0; good && i <= request->more.count; i++) {
    const char *path = i ? request->more.data[i - 1] : request->trace;
    statistics s;
    omen_nondet_table t = { 0 };
    good = compute_row (request, path, &s, &t, &code);
    if (!good)
      break;
    if (!i && !request->json)
      print_heads ("trace");
    add_table (&categories[t.chosen > 0], &t);
    if (request->json)
      json_array_append_new (rows, row_json (path, &s, &t));
    else
      print_row (path, &s, &t);
  }
  if (good && request->json)
    print_json (rows, categories);
  else if (good && request->more.count)
    print_summary (categories);
  json_decref (rows);
  return good ? omen_finish (exit_code (categories)) : code;
}
