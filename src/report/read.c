#include "report/read.h"
#include "trace/load.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One reading. */
typedef struct reading {
  omen_report_file *file;
  char *path;   /* of the file itself */
  char *folder; /* that it is in, with the slash, or "" */
  omen_err *err;
} reading;

static char *
join (const char *before, const char *after)
{
  size_t size = strlen (before) + strlen (after) + 1;
  char *path = omen_alloc (size);
  snprintf (path, size, "%s%s", before, after);
  return path;
}

static char *
folder_of (const char *path)
{
  char *folder = omen_strdup (path), *slash = strrchr (folder, '/');
  if (slash)
    slash[1] = 0;
  else
    folder[0] = 0;
  return folder;
}

/* `name` from the folder of the file if it is there, else from here. */
static char *
resolve (const reading *r, const char *name)
{
  char *path = join (name[0] == '/' ? "" : r->folder, name);
  if (!access (path, F_OK))
    return path;
  omen_free (path);
  return omen_strdup (name);
}

static bool
read_kind (const reading *r, const json_t *json, size_t i,
           omen_finding_kind *kind)
{
  const char *text = json_string_value (json_object_get (json, "kind"));
  for (int k = 0; text && k < OMEN_FINDINGS; k++)
    if (!strcmp (omen_finding_kind_text (k), text)) {
      *kind = k;
      return true;
    }
  return omen_err_set (r->err, r->path, "finding %zu: kind '%s' is not known",
                       i + 1, text ? text : "");
}

static bool
read_status (const reading *r, const json_t *json, size_t i,
             omen_status *status)
{
  const char *text = json_string_value (json_object_get (json, "status"));
  for (int s = 0; text && s < OMEN_STATUSES; s++)
    if (!strcmp (omen_status_text (s), text)) {
      *status = s;
      return true;
    }
  return omen_err_set (r->err, r->path,
                       "finding %zu: status '%s' is not known", i + 1,
                       text ? text : "");
}

static bool
read_witness (reading *r, const json_t *json, size_t i, omen_finding *finding)
{
  const char *name = json_string_value (json_object_get (json, "witness"));
  char *path;
  bool ok;
  if (!name)
    return omen_err_set (r->err, r->path,
                         "finding %zu names no witness file (omen predict "
                         "writes them with --witness-dir)",
                         i + 1);
  path = resolve (r, name);
  ok = omen_witness_load (&finding->witness, r->file->trace, path, r->err);
  if (ok && !i)
    r->file->witness_dir = folder_of (path);
  omen_free (path);
  return ok;
}

/* Atomicity: the blocks to blame, by the events that opened them. */
static bool
read_blame (const reading *r, const json_t *json, size_t i,
            omen_finding *finding)
{
  const json_t *list = json_object_get (json, "opened"), *item;
  const char *pattern = json_string_value (json_object_get (json, "pattern"));
  size_t k;
  if (finding->kind != OMEN_FINDING_ATOMICITY)
    return true;
  json_array_foreach (list, k, item) {
    json_int_t e = json_integer_value (item);
    if (!json_is_integer (item) || e < 0
        || (uint64_t)e >= r->file->trace->events.count)
      return omen_err_set (r->err, r->path,
                           "finding %zu: a block opened by no event", i + 1);
    OMEN_VEC_PUSH (finding->blame, (omen_eid)e);
  }
  finding->pattern = pattern ? omen_strdup (pattern) : NULL;
  return finding->blame.count
         || omen_err_set (r->err, r->path, "finding %zu blames no block",
                          i + 1);
}

static bool
read_finding (reading *r, const json_t *json, size_t i)
{
  const char *note = json_string_value (json_object_get (json, "note"));
  json_int_t count = json_integer_value (json_object_get (json, "count"));
  omen_finding finding = { .count = count > 0 && count < UINT32_MAX
                                        ? (uint32_t)count
                                        : 1 };
  omen_witness_init (&finding.witness);
  if (!read_kind (r, json, i, &finding.kind)
      || !read_status (r, json, i, &finding.status))
    return false;
  if (finding.status == OMEN_STATUS_UNVERIFIED
      && !json_object_get (json, "witness"))
    return true; /* nobody could decide it: there is nothing to show */
  if (!read_witness (r, json, i, &finding)
      || !read_blame (r, json, i, &finding)) {
    omen_finding_fini (&finding);
    return false;
  }
  finding.writer
      = json_is_integer (json_object_get (json, "writer"))
            ? (omen_eid)json_integer_value (json_object_get (json, "writer"))
            : OMEN_NONE;
  finding.note = note ? omen_strdup (note) : NULL;
  OMEN_VEC_PUSH (r->file->findings, finding);
  return true;
}

static bool
read_trace (reading *r, const json_t *root)
{
  const char *name = json_string_value (json_object_get (root, "trace"));
  char *path;
  if (!name)
    return omen_err_set (r->err, r->path, "it does not name its trace");
  path = resolve (r, name);
  r->file->trace = omen_trace_load (path, r->err);
  omen_free (path);
  return r->file->trace;
}

static bool
read_root (reading *r, const json_t *root)
{
  const json_t *list = json_object_get (root, "findings"), *item;
  size_t i;
  if (!json_is_array (list))
    return omen_err_set (r->err, r->path, "it has no list of findings");
  if (!read_trace (r, root))
    return false;
  json_array_foreach (list, i, item)
    if (!read_finding (r, item, i))
      return false;
  r->file->undecided = (uint64_t)json_integer_value (
      json_object_get (root, "undecided"));
  return true;
}

static bool
read_json (reading *r)
{
  json_error_t error;
  json_t *root;
  bool ok;
  if (access (r->path, R_OK))
    return omen_err_io (r->err, r->path, "cannot be read");
  root = json_load_file (r->path, JSON_REJECT_DUPLICATES, &error);
  if (!root)
    return omen_err_at (r->err, r->path, (unsigned long)error.line, "%s",
                        error.text);
  ok = read_root (r, root);
  json_decref (root);
  return ok;
}

bool
omen_report_read (omen_report_file *file, const char *path, omen_err *err)
{
  struct stat info;
  bool folder = !stat (path, &info) && S_ISDIR (info.st_mode);
  reading r = { file, join (path, folder ? "/findings.json" : ""), NULL, err };
  bool ok;
  *file = (omen_report_file){ 0 };
  r.folder = folder_of (r.path);
  ok = read_json (&r);
  file->report
      = (omen_report){ file->trace, &file->findings, file->witness_dir };
  omen_free (r.folder);
  omen_free (r.path);
  if (!ok)
    omen_report_file_fini (file);
  return ok;
}

void
omen_report_file_fini (omen_report_file *file)
{
  for (size_t i = 0; i < file->findings.count; i++)
    omen_finding_fini (&file->findings.data[i]);
  OMEN_VEC_FINI (file->findings);
  omen_free (file->witness_dir);
  omen_trace_free (file->trace);
  *file = (omen_report_file){ 0 };
}
