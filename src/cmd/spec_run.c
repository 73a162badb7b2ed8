/* omen spec run SPEC TRACE */
#include "cmd/cmd.h"
#include "base/print.h"
#include "cmd/options.h"
#include "driver/monitors.h"
#include "driver/spec_coverage.h"
#include "driver/module/handlers.h"
#include "driver/spec_speaks.h"
#include "trace/wellformed.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static char docs[]
    = "Run the properties of a file over a trace.\v"
      "Monitors read the events of the trace in their order and print a line "
      "each time one of their instances reaches a category that has a handler "
      "(without handlers: match, violation, or fail of an fsm). Handlers are "
      "not run, but __RESET in one starts the instance's monitor anew; with "
      "--handlers they are compiled and run, each after its verdict. What they "
      "print goes to stderr; parameters are the integers of the trace, and "
      "other values are numbers that can only be compared; what they need of "
      "the program is not there. The C of `monitor: \"file.c\"` is compiled "
      "and run in any case: do not run specs that you do not trust.\n\n"
      "Events come from the trace: get and set from accesses to variables and, "
      "in recordings of programs compiled with -g, to their fields (cfg.port, "
      "table[3].key), call and execution from enter and exit, acquire, "
      "release, fork, join, wait, notify, begin, end, alloc and free from what "
      "they say; events whose arguments only the program knows from "
      "emit(event,parameter=value). A pointcut that nothing in the trace is "
      "gives a warning.\n\n"
      "The exit status is 1 if there was a verdict.";

static const struct argp_option options[] = {
  { "handlers", 'H', NULL, 0, "Run the handlers, too" },
  { "stats", 's', NULL, 0,
    "Print also events, monitors made, live and collected, and verdicts of "
    "each formula" },
  { 0 },
};

typedef struct request {
  const char *spec, *trace;
  bool json, stats, handlers;
} request;

#define SHARED(X) X (format, json)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[] = {
  SHARED (OMEN_INPUT) OMEN_FLAG ('H', handlers), OMEN_FLAG ('s', stats), { 0 }
};

static error_t
parse_run_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  switch (key) {
  case ARGP_KEY_ARG:
    if (!r->spec)
      r->spec = arg;
    else if (r->trace)
      omen_cmd_error (state, "TRACE given twice");
    else
      r->trace = arg;
    return 0;
  case ARGP_KEY_END:
    if (!r->trace)
      omen_cmd_error (state, "%s given",
                      r->spec ? "no trace" : "no property file");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp
    = { options, parse_run_option, "SPEC TRACE", docs, children };

/* ---- monitors ---- */

/* Where verdicts go. */
typedef struct omen_printer {
  bool json, stats;
  omen_handlers *handlers; /* to be run, or NULL */
  uint64_t verdicts;
} omen_printer;

/* A property that is run over the trace. */
typedef struct runner {
  omen_printer *out;
  const omen_trace *trace;
  uint32_t number; /* of the property */
  omen_property_monitors monitors;
} runner;

static json_t *
text_json (const char *text)
{
  json_t *s = json_string (text);
  return s ? s : json_string ("?"); /* no UTF-8 */
}

static void
report_json (const runner *r, const char *category,
             const omen_landing_report *report)
{
  const omen_property *p = r->monitors.property;
  json_t *binding = json_object (), *verdict = json_object ();
  for (uint32_t i = 0; i < p->parameters; i++)
    if (report->bound >> i & 1)
      json_object_set_new (binding, p->parameter[i],
                           text_json (omen_observer_text (r->monitors.observer,
                                                          report->values[i])));
  json_object_set_new (verdict, "property", json_string (p->name));
  json_object_set_new (verdict, "logic", json_integer (r->monitors.formula));
  json_object_set_new (verdict, "category", json_string (category));
  json_object_set_new (verdict, "event", json_integer (r->monitors.event));
  json_object_set_new (verdict, "binding", binding);
  fputs (r->out->verdicts ? ",\n" : "{\"verdicts\":[\n", stdout);
  json_dumpf (verdict, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
  json_decref (verdict);
}

static void
report_text (const runner *r, const char *category,
             const omen_landing_report *report)
{
  const omen_property *p = r->monitors.property;
  char name[OMEN_EVENT_NAME_MAX];
  const char *comma = "";
  omen_print (stdout, "%s, %s: %s at event %u (%s, %s), <", p->name,
              p->formula[r->monitors.formula].logic, category,
              r->monitors.event,
              omen_trace_event_name (r->trace, r->monitors.event, name),
              omen_trace_location (r->trace, r->monitors.event));
  for (uint32_t i = 0; i < p->parameters; i++)
    if (report->bound >> i & 1) {
      omen_print (stdout, "%s%s=%s", comma, p->parameter[i],
                  omen_observer_text (r->monitors.observer, report->values[i]));
      comma = ", ";
    }
  omen_print (stdout, ">\n");
}

static void
handle (const runner *r, uint32_t category, const omen_landing_report *report)
{
  omen_handler_landing landing
      = { .property = r->number,
          .formula = r->monitors.formula,
          .category = category,
          .event = r->monitors.event,
          .where = omen_trace_location (r->trace, r->monitors.event),
          .report = report,
          .observer = r->monitors.observer };
  omen_handlers_call (r->out->handlers, &landing);
}

static bool
report (void *self, const omen_landing_report *report)
{
  runner *r = self;
  const omen_formula *f = &r->monitors.property->formula[r->monitors.formula];
  for (uint32_t c = 0; c < f->categories; c++) {
    if (!(report->categories >> c & 1))
      continue;
    if (r->out->json)
      report_json (r, f->category[c], report);
    else
      report_text (r, f->category[c], report);
    r->out->verdicts++;
    if (r->out->handlers)
      handle (r, c, report);
  }
  return report->categories & f->resets;
}

static void
stats_text (const runner *r, uint32_t formula, const omen_slicer_counts *c)
{
  omen_print (stdout,
              "%s, %s: %" PRIu64 " event%s, %" PRIu64
              " monitor%s made, %" PRIu64 " live, %" PRIu64
              " collected, %" PRIu64 " step%s, %" PRIu64 " report%s\n",
              r->monitors.property->name,
              r->monitors.property->formula[formula].logic, c->events,
              omen_s (c->events), c->created, omen_s (c->created), c->live,
              c->collected, c->steps, omen_s (c->steps), c->reports,
              omen_s (c->reports));
}

static json_t *
stats_json (const runner *r, uint32_t formula, const omen_slicer_counts *c)
{
  return json_pack ("{s:s, s:i, s:I, s:I, s:I, s:I, s:I, s:I}", "property",
                    r->monitors.property->name, "logic", (int)formula, "events",
                    (json_int_t)c->events, "created", (json_int_t)c->created,
                    "live", (json_int_t)c->live, "collected",
                    (json_int_t)c->collected, "steps", (json_int_t)c->steps,
                    "reports", (json_int_t)c->reports);
}

/* What comes after the verdicts. */
static void
print_end (const omen_printer *out, const runner *runners, uint32_t count)
{
  json_t *list = json_array ();
  if (out->json && !out->verdicts)
    fputs ("{\"verdicts\":[", stdout);
  for (uint32_t i = 0; out->stats && i < count; i++)
    for (uint32_t f = 0; f < runners[i].monitors.property->formulas; f++) {
      omen_slicer_counts c = omen_slicer_count (runners[i].monitors.slicers[f]);
      if (out->json)
        json_array_append_new (list, stats_json (&runners[i], f, &c));
      else
        stats_text (&runners[i], f, &c);
    }
  if (out->json) {
    fputs (out->stats ? "],\n\"stats\":" : "]}\n", stdout);
    if (out->stats) {
      json_dumpf (list, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
      fputs ("}\n", stdout);
    }
  } else if (!out->stats)
    omen_print (stdout, "%" PRIu64 " verdict%s\n", out->verdicts,
                omen_s (out->verdicts));
  json_decref (list);
}

/* ---- all of it ---- */

static void
run_all (omen_printer *out, const omen_trace *trace, const omen_spec_file *file)
{
  uint32_t count = file->compiled->count;
  runner *runners = omen_zalloc (count, sizeof *runners);
  omen_spec_coverage coverage;
  for (uint32_t i = 0; i < count; i++) {
    runners[i] = (runner){ .out = out, .trace = trace, .number = i };
    omen_monitors_init (&runners[i].monitors, trace,
                        &file->compiled->properties[i]);
  }
  for (omen_eid e = 0; e < trace->events.count; e++)
    for (uint32_t i = 0; i < count; i++)
      omen_monitors_event (&runners[i].monitors, e, report, &runners[i]);
  print_end (out, runners, count);
  omen_spec_coverage_init (&coverage, file);
  for (uint32_t i = 0; i < count; i++) {
    omen_spec_coverage_add (&coverage, i, runners[i].monitors.observer);
    omen_monitors_fini (&runners[i].monitors);
  }
  omen_spec_coverage_warn (&coverage);
  omen_spec_coverage_fini (&coverage);
  omen_free (runners);
}

/* Keeps variables of single threads if properties use them; nothing is
   predicted here, so event numbers need not match those of another load. */
static omen_trace *
load_for_spec (const char *path, const omen_spec_file *file, int *code)
{
  omen_spec_list list = { 0 };
  omen_load_options load_options
      = { .rebuild = { .keeps = omen_spec_list_speaks_of,
                       .watches = omen_spec_list_watches,
                       .context = &list } };
  omen_predict_spec all
      = { file->compiled->properties, file->compiled->count, file->identity };
  omen_trace *trace;
  OMEN_VEC_PUSH (list.predict, all);
  trace = omen_input_load (path, &load_options, code);
  OMEN_VEC_FINI (list.predict);
  return trace;
}

/* Loads a file, or all files of a folder. */
static bool
load_spec (const char *path, omen_spec_file *file, int *code)
{
  omen_spec_list list = { 0 };
  bool good;
  OMEN_VEC_PUSH (list.paths, path);
  good = omen_spec_list_expand (&list, code)
         && omen_spec_file_load_all (file, list.paths.data, list.paths.count,
                                     code);
  omen_spec_list_fini (&list);
  return good;
}

static int
run_spec_run (int argc, char **argv)
{
  request r = { 0 };
  omen_spec_file file;
  omen_trace *trace;
  omen_handlers handlers;
  omen_err err = { 0 };
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code)
      || !load_spec (r.spec, &file, &code))
    return code;
  trace = load_for_spec (r.trace, &file, &code);
  if (trace && !omen_wellformed (trace, NULL, &err))
    code = omen_input_refused (&err);
  else if (trace && omen_input_has_beginning (trace, &code)
           && (!r.handlers || omen_handlers_open (&handlers, &file, &code))) {
    omen_printer out = { r.json, r.stats, r.handlers ? &handlers : NULL, 0 };
    run_all (&out, trace, &file);
    if (r.handlers)
      omen_handlers_close (&handlers);
    code = omen_finish (out.verdicts ? OMEN_EXIT_FINDINGS : OMEN_EXIT_NOTHING);
  }
  omen_trace_free (trace);
  omen_spec_file_fini (&file);
  return code;
}

const omen_cmd omen_cmd_spec_run
    = { "spec run", "run properties over a trace", run_spec_run, &argp };
