/* omen report FINDINGS */
#include "cmd/cmd.h"
#include "base/print.h"
#include "cmd/options.h"
#include "driver/output.h"
#include "report/read.h"
#include "symbols/symbols.h"

#include <string.h>

static char docs[]
    = "Print findings again, in another form.\v"
      "FINDINGS is the folder that omen check leaves, its findings.json, or "
      "what omen predict prints with --format json and --witness-dir. The "
      "trace and the witnesses that it names must still be there.\n\n"
      "Forms: text (a paragraph a finding), json (as in the file), sarif "
      "(SARIF 2.1.0, schedules as code flows, for editors and code hosts), "
      "html (one page that needs nothing else: the schedules as diagrams to "
      "step through).\n\n"
      "Exit: 0, also if there are findings; 2 or 3 if something cannot be read.";

static const struct argp_option options[] = {
  { "format", 'f', "FORM", 0, "text (the default), json, sarif or html" },
  { 0 },
};

typedef struct request {
  const char *path, *format, *output;
  omen_source_paths source_paths;
  unsigned form;
} request;

#define SHARED(X) X (output, output) X (source_paths, source_paths)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_TEXT ('f', "--format", format),
        OMEN_TEXT (ARGP_KEY_ARG, "FINDINGS", path),
        { 0 } };

static bool
write_text (const omen_report *report, FILE *out, omen_err *err)
{
  size_t count = 0;
  for (size_t k = 0; k < report->count; k++) {
    const omen_report_run *run = &report->runs[k];
    omen_reporter *reporter = omen_reporter_new (run->trace);
    for (size_t i = 0; i < run->findings->count; i++)
      omen_report_text (reporter, &run->findings->data[i],
                        run->first + (unsigned)i, out);
    count += run->findings->count;
    omen_reporter_free (reporter);
  }
  omen_print (out, "%zu finding%s\n", count, omen_s (count));
  return !ferror (out) || omen_err_io (err, "", "cannot write the report");
}

static void
add_findings (json_t *list, const omen_report_run *run)
{
  omen_reporter *reporter = omen_reporter_new (run->trace);
  for (size_t i = 0; i < run->findings->count; i++)
    json_array_append_new (list,
                           omen_report_json (reporter, &run->findings->data[i],
                                             run->first + (unsigned)i));
  omen_reporter_free (reporter);
}

static bool
write_json (const omen_report *report, FILE *out, omen_err *err)
{
  json_t *root = json_object (), *list = json_array ();
  for (size_t k = 0; k < report->count; k++)
    add_findings (list, &report->runs[k]);
  json_object_set_new (root, "findings", list);
  json_dumpf (root, out, JSON_COMPACT | JSON_ENSURE_ASCII);
  fputc ('\n', out);
  json_decref (root);
  return !ferror (out) || omen_err_io (err, "", "cannot write the report");
}

static const char *const forms[] = { "text", "json", "sarif", "html" };
static bool (*const writers[]) (const omen_report *report, FILE *out,
                                omen_err *err)
    = { write_text, write_json, omen_report_sarif, omen_report_html };

static error_t
parse_report_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  if (key != ARGP_KEY_END)
    return ARGP_ERR_UNKNOWN;
  if (!r->path)
    omen_cmd_error (state, "no findings given");
  omen_option_word (state, "--format", r->format, forms, OMEN_COUNT (forms),
                    &r->form);
  return 0;
}

static const struct argp argp
    = { options, parse_report_option, "FINDINGS", docs, children };

static bool
write_report (const omen_report *report, const request *r, omen_err *err)
{
  omen_output output;
  if (!omen_output_open (&output, r->output ? r->output : "-", false, err))
    return false;
  if (!writers[r->form](report, output.file, err))
    return omen_output_abandon (&output, err);
  return omen_output_commit (&output, err);
}

static int
run_report (int argc, char **argv)
{
  request r = { 0 };
  omen_report_file file;
  omen_err err = { 0 };
  int code;
  bool ok;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  if (!omen_report_read (&file, r.path, &err))
    return omen_fail (OMEN_EXIT_INPUT, &err);
  for (size_t i = 0; i < file.sources.count; i++)
    omen_symbols_trust (file.sources.data[i].trace);
  file.report.source_paths = &r.source_paths;
  ok = write_report (&file.report, &r, &err);
  omen_report_file_fini (&file);
  OMEN_VEC_FINI (r.source_paths);
  return ok ? omen_finish (OMEN_EXIT_NOTHING)
            : omen_fail (OMEN_EXIT_USAGE, &err);
}

const omen_cmd omen_cmd_report
    = { "report", "print findings in another form", run_report, &argp };
