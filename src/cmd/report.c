/* omen report FINDINGS */
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "report/read.h"

#include <string.h>

static char docs[]
    = "Tell findings again, in another form.\v"
      "FINDINGS is the folder that omen check leaves, its findings.json, or "
      "what omen predict prints with --format json and --witness-dir. The "
      "trace and the witnesses that it names must still be there.\n\n"
      "Forms: text (a paragraph a finding), json (as in the file), sarif "
      "(SARIF 2.1.0, schedules as code flows, for editors and code hosts), "
      "html (one page that needs nothing else: the schedules as diagrams to "
      "step through).\n\n"
      "Exit: 0, also if there are findings; 2 or 3 if something cannot be "
      "read.";

static const struct argp_option options[] = {
  { "format", 'f', "FORM", 0, "text (the default), json, sarif or html" },
  { "output", 'o', "OUT", 0, "where to write (default: standard output)" },
  { 0 },
};

typedef struct request {
  const char *path, *format, *output;
} request;

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
  fprintf (out, "%zu finding%s\n", count, omen_s (count));
  return !ferror (out) || omen_err_io (err, "", "cannot write the report");
}

static void
add_findings (json_t *list, const omen_report_run *run)
{
  omen_reporter *reporter = omen_reporter_new (run->trace);
  for (size_t i = 0; i < run->findings->count; i++)
    json_array_append_new (list,
                           omen_report_json (reporter,
                                             &run->findings->data[i],
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
  json_dumpf (root, out, JSON_COMPACT);
  fputc ('\n', out);
  json_decref (root);
  return !ferror (out) || omen_err_io (err, "", "cannot write the report");
}

static const struct {
  const char *name;
  bool (*write) (const omen_report *report, FILE *out, omen_err *err);
} forms[] = {
  { "text", write_text },
  { "json", write_json },
  { "sarif", omen_report_sarif },
  { "html", omen_report_html },
};

static size_t
find_form (const char *name)
{
  size_t form = 0;
  while (form < OMEN_COUNT (forms) && strcmp (forms[form].name, name))
    form++;
  return form;
}

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  switch (key) {
  case 'f':
    omen_cmd_once (state, "--format", &r->format, arg);
    return 0;
  case 'o':
    omen_cmd_once (state, "--output", &r->output, arg);
    return 0;
  case ARGP_KEY_ARG:
    omen_cmd_once (state, "FINDINGS", &r->path, arg);
    return 0;
  case ARGP_KEY_END:
    if (!r->path)
      argp_error (state, "no findings given");
    else if (r->format && find_form (r->format) == OMEN_COUNT (forms))
      argp_error (state, "--format is text, json, sarif or html, not '%s'",
                  r->format);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = { options, parse_option, "FINDINGS", docs };

static bool
write_report (const omen_report *report, const request *r, omen_err *err)
{
  size_t form = find_form (r->format ? r->format : "text");
  omen_output output;
  if (!omen_output_open (&output, r->output ? r->output : "-", false, err))
    return false;
  if (!forms[form].write (report, output.file, err))
    return omen_output_abandon (&output, err);
  return omen_output_commit (&output, err);
}

static int
run (int argc, char **argv)
{
  request r = { 0 };
  omen_report_file file;
  omen_err err = { 0 };
  int code;
  bool ok;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  if (!omen_report_read (&file, r.path, &err))
    return omen_cmd_fail (OMEN_EXIT_INPUT, &err);
  ok = write_report (&file.report, &r, &err);
  omen_report_file_fini (&file);
  return ok ? omen_cmd_finish (OMEN_EXIT_NOTHING)
            : omen_cmd_fail (OMEN_EXIT_USAGE, &err);
}

const omen_cmd omen_cmd_report = { "report", "tell findings in another form",
                                   run, &argp };
