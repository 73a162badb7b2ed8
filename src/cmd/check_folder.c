#include "cmd/check_folder.h"
#include "cmd/output.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct path {
  char text[4096];
} path;

static path
inside (const char *folder, const char *name)
{
  path p;
  int length = snprintf (p.text, sizeof p.text, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof p.text)
    p.text[0] = 0; /* which no file is */
  return p;
}

/* Witnesses of an earlier check are files whose names are numbers: 3, 3.2. */
static bool
is_witness (const char *name)
{
  return isdigit ((unsigned char)name[0])
         && !name[strspn (name, "0123456789.")];
}

static bool
is_spec (const char *name)
{
  return strspn (name, "0123456789abcdef") == 16 && !strcmp (name + 16, ".mop");
}

/* What an earlier check left there. */
static void
remove_files (const char *folder, bool (*is_ours) (const char *name))
{
  DIR *open = opendir (folder);
  struct dirent *entry;
  if (!open)
    return;
  while ((entry = readdir (open)))
    if (is_ours (entry->d_name))
      unlink (inside (folder, entry->d_name).text);
  closedir (open);
}

bool
omen_check_folder_make (const char *folder, omen_err *err)
{
  static const char *const files[]
      = { "findings.json", "report.html", "report.sarif" };
  path witnesses = inside (folder, "witness");
  if (!omen_output_folder (folder, err)
      || !omen_output_folder (witnesses.text, err))
    return false;
  remove_files (witnesses.text, is_witness);
  remove_files (inside (folder, "spec").text, is_spec);
  for (size_t i = 0; i < OMEN_COUNT (files); i++)
    unlink (inside (folder, files[i]).text);
  return true;
}

/* ---- one file ---- */

typedef struct writing {
  const omen_report *report;
  const char *folder;
  uint64_t undecided;
  const omen_report_run *run; /* of a witness */
  const omen_finding *finding; /* or one of the pairs of one */
  const omen_spec *spec;
} writing;

typedef bool (*writer) (const writing *w, FILE *out, omen_err *err);

static bool
write_file (const writing *w, const char *name, writer write, omen_err *err)
{
  path p = inside (w->folder, name);
  omen_output output;
  if (!omen_output_open (&output, p.text, false, err))
    return false;
  if (!write (w, output.file, err))
    return omen_output_abandon (&output, err);
  return omen_output_commit (&output, err);
}

static bool
write_witness (const writing *w, FILE *out, omen_err *err)
{
  return omen_witness_write (&w->finding->witness,
                             w->finding->trace ? w->finding->trace
                                               : w->run->trace,
                             out, err);
}

static bool
write_spec (const writing *w, FILE *out, omen_err *err)
{
  return fwrite (w->spec->text, 1, w->spec->size, out) == w->spec->size
         || omen_err_io (err, "", "cannot write the property file");
}

static bool
write_html (const writing *w, FILE *out, omen_err *err)
{
  return omen_report_html (w->report, out, err);
}

static bool
write_sarif (const writing *w, FILE *out, omen_err *err)
{
  return omen_report_sarif (w->report, out, err);
}

/* Paths in findings.json are from its own folder. */
static void
set_trace (json_t *json, const omen_trace *trace)
{
  const char *name = omen_names_text (&trace->strings, trace->path);
  const char *slash = strrchr (name, '/');
  json_object_set_new (json, "trace", json_string (slash ? slash + 1 : name));
}

static void
add_findings (json_t *list, const omen_report_run *run)
{
  omen_reporter *reporter = omen_reporter_new (run->trace);
  for (size_t i = 0; i < run->findings->count; i++) {
    const omen_finding *finding = &run->findings->data[i];
    unsigned number = run->first + (unsigned)i;
    json_t *json = omen_report_json (reporter, finding, number);
    OMEN_ASSERT (!finding->by_block
                 || json_array_size (json_object_get (json, "pairs"))
                        == omen_finding_pairs (finding));
    set_trace (json, run->trace);
    for (size_t k = 1; k < omen_finding_pairs (finding); k++)
      if (omen_finding_pair (finding, k)->trace)
        set_trace (json_array_get (json_object_get (json, "pairs"), k),
                   omen_finding_pair (finding, k)->trace);
    omen_report_json_witness (json, "witness", number);
    json_array_append_new (list, json);
  }
  omen_reporter_free (reporter);
}

static bool
write_json (const writing *w, FILE *out, omen_err *err)
{
  json_t *root = json_object (), *list = json_array ();
  for (size_t i = 0; i < w->report->count; i++)
    add_findings (list, &w->report->runs[i]);
  json_object_set_new (root, "findings", list);
  json_object_set_new (root, "undecided",
                       json_integer ((json_int_t)w->undecided));
  json_object_set_new (root, "stats", json_object ());
  json_dumpf (root, out, JSON_INDENT (1));
  fputc ('\n', out);
  json_decref (root);
  return !ferror (out) || omen_err_io (err, "", "cannot write the findings");
}

/* ---- all of them ---- */

void
omen_check_folder_spec (const char *folder, uint64_t identity,
                        char text[OMEN_SPEC_COPY_MAX])
{
  char name[40];
  path p;
  snprintf (name, sizeof name, "spec/%016" PRIx64 ".mop", identity);
  p = inside (folder, name);
  _Static_assert (sizeof p.text <= OMEN_SPEC_COPY_MAX, "a path fits");
  memcpy (text, p.text, sizeof p.text);
}

bool
omen_check_folder_specs (const char *folder, const omen_spec_list *specs,
                         omen_err *err)
{
  writing w = { .folder = folder };
  if (specs->files.count
      && !omen_output_folder (inside (folder, "spec").text, err))
    return false;
  for (size_t i = 0; i < specs->files.count; i++) {
    char name[40];
    snprintf (name, sizeof name, "spec/%016" PRIx64 ".mop",
              specs->files.data[i].identity);
    w.spec = specs->files.data[i].spec;
    if (!write_file (&w, name, write_spec, err))
      return false;
  }
  return true;
}

/* Of a finding, and of each pair that it stands for. */
static bool
write_witnesses (writing *w, const omen_finding *finding, unsigned number,
                 omen_err *err)
{
  for (size_t k = 0; k < omen_finding_pairs (finding); k++) {
    char name[32], file[48];
    omen_report_witness_name (number, k, name);
    snprintf (file, sizeof file, "witness/%s", name);
    w->finding = omen_finding_pair (finding, k);
    if (!write_file (w, file, write_witness, err))
      return false;
  }
  return true;
}

bool
omen_check_folder_witnesses (const char *folder, const omen_report *report,
                             omen_err *err)
{
  writing w = { .report = report, .folder = folder };
  for (size_t k = 0; k < report->count; k++) {
    w.run = &report->runs[k];
    for (size_t i = 0; i < w.run->findings->count; i++)
      if (!write_witnesses (&w, &w.run->findings->data[i],
                            w.run->first + (unsigned)i, err))
        return false;
  }
  return true;
}

bool
omen_check_folder_reports (const char *folder, const omen_report *report,
                           uint64_t undecided, omen_err *err)
{
  writing w
      = { .report = report, .folder = folder, .undecided = undecided };
  return write_file (&w, "findings.json", write_json, err)
         && write_file (&w, "report.sarif", write_sarif, err)
         && write_file (&w, "report.html", write_html, err);
}
