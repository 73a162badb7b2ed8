#include "report/baseline.h"
#include "report/words.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct omen_baseline {
  omen_names fingerprints;
};

/* Collects the fingerprints of findings and of their instances, which may be
   looked up by themselves. */
static void
take_findings (omen_baseline *baseline, const json_t *list)
{
  const json_t *item;
  size_t i;
  json_array_foreach (list, i, item)
  {
    const json_t *text = json_object_get (item, "fingerprint");
    if (json_is_string (text))
      omen_names_id (&baseline->fingerprints, json_string_value (text),
                     json_string_length (text));
    take_findings (baseline, omen_report_json_instances (item));
  }
}

static json_t *
read_file (const char *path, omen_err *err)
{
  json_error_t error;
  json_t *root;
  if (access (path, R_OK)) {
    omen_err_io (err, path, "cannot be read: %s", strerror (errno));
    return NULL;
  }
  root = json_load_file (path, 0, &error);
  if (!root)
    omen_err_at (err, path, (unsigned long)error.line, "this is no JSON: %s",
                 error.text);
  else if (!json_is_array (json_object_get (root, "findings"))) {
    omen_err_set (err, path, "it has no list of findings");
    json_decref (root);
    root = NULL;
  }
  return root;
}

omen_baseline *
omen_baseline_load (const char *path, omen_err *err)
{
  omen_baseline *baseline;
  char inside[4096];
  struct stat info;
  json_t *root;
  if (!stat (path, &info) && S_ISDIR (info.st_mode)) {
    snprintf (inside, sizeof inside, "%s/findings.json", path);
    path = inside;
  }
  root = read_file (path, err);
  if (!root)
    return NULL;
  baseline = omen_zalloc (1, sizeof *baseline);
  omen_names_init (&baseline->fingerprints);
  take_findings (baseline, json_object_get (root, "findings"));
  json_decref (root);
  return baseline;
}

void
omen_baseline_free (omen_baseline *baseline)
{
  if (!baseline)
    return;
  omen_names_fini (&baseline->fingerprints);
  omen_free (baseline);
}

bool
omen_baseline_has (const omen_baseline *baseline, omen_reporter *reporter,
                   const omen_finding *finding)
{
  json_t *text;
  bool known;
  if (!baseline)
    return false;
  text = omen_words_fingerprint_json (reporter, finding);
  known = omen_names_find (&baseline->fingerprints, json_string_value (text),
                           json_string_length (text))
          != OMEN_NONE;
  json_decref (text);
  return known;
}
