#include "report/read.h"
#include "report/reporter.h"
#include "load/load.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* State while a file is read. */
typedef struct reading {
  omen_report_file *file;
  char *path;   /* of the JSON file */
  char *folder; /* its directory with a final slash, or "" */
  omen_err *err;
  size_t current; /* index in the file's sources */
} reading;

/* The source (process) of the current finding. */
static omen_report_source *
current (const reading *r)
{
  OMEN_REQUIRE (r->current < r->file->sources.count);
  return &r->file->sources.data[r->current];
}

static char *
join_texts (const char *before, const char *after)
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

/* The path of `name` in the directory of the file if it exists there, else in
   the current directory. NULL, and an error: a terminal, pipe or device, which
   the file's author could have us wait for, or read without end. */
static char *
resolve (const reading *r, const char *name)
{
  char *path = join_texts (name[0] == '/' ? "" : r->folder, name);
  struct stat status;
  if (stat (path, &status)) {
    omen_free (path);
    path = omen_strdup (name);
  }
  if (strcmp (path, "-") && (stat (path, &status) || S_ISREG (status.st_mode)))
    return path;
  omen_free (path);
  omen_err_set (r->err, r->path, "it names '%s', which is no file", name);
  return NULL;
}

/* Make the trace of this name the current one; load it if necessary. */
static bool
use_trace (reading *r, const char *name)
{
  omen_report_source source = { 0 };
  char *path;
  for (size_t i = 0; i < r->file->sources.count; i++)
    if (!strcmp (r->file->sources.data[i].name, name)) {
      r->current = i;
      return true;
    }
  path = resolve (r, name);
  source.trace = path ? omen_load (path, NULL, r->err) : NULL;
  omen_free (path);
  if (!source.trace)
    return false;
  source.name = omen_strdup (name);
  r->current = r->file->sources.count;
  OMEN_VEC_PUSH (r->file->sources, source);
  return true;
}

static char *
read_text (const json_t *json, const char *key)
{
  const char *text = json_string_value (json_object_get (json, key));
  return text ? omen_strdup (text) : NULL;
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
    if (s != OMEN_STATUS_PREDICTED && !strcmp (omen_status_text (s), text)) {
      *status = s;
      return true;
    }
  return omen_err_set (r->err, r->path, "finding %zu: status '%s' is not known",
                       i + 1, text ? text : "");
}

/* Does the claim of the witness suit this kind of finding? The reports rely on
   the events of the claim. */
static bool
claims_it (const omen_finding *finding, const omen_trace *trace)
{
#define CLAIM(name) (1u << OMEN_CLAIM_##name)
  static const unsigned claims[OMEN_FINDINGS] = {
    [OMEN_FINDING_RACE] = CLAIM (RACE) | CLAIM (RACE_ORDER),
    [OMEN_FINDING_DEADLOCK] = CLAIM (DEADLOCK) | CLAIM (STUCK),
    [OMEN_FINDING_MISUSE] = CLAIM (MISUSE),
    [OMEN_FINDING_ATOMICITY] = CLAIM (ATOMICITY) | CLAIM (PATTERN),
    [OMEN_FINDING_NONDET] = CLAIM (NONDET) | CLAIM (FINAL),
    [OMEN_FINDING_PROPERTY] = CLAIM (PROPERTY),
    [OMEN_FINDING_FAILURE] = CLAIM (PATTERN),
    [OMEN_FINDING_LIFETIME] = CLAIM (LIFETIME),
  };
#undef CLAIM
  const omen_claim *claim = &finding->witness.claim;
  return claims[finding->kind] >> claim->kind & 1 && claim->events.count
         && (finding->writer == OMEN_NONE
             || finding->writer < trace->events.count);
}

/* The witness may belong to the recording loaded in full, with settled
   accesses; then all witnesses do. */
static bool
load_witness (reading *r, const char *path, omen_witness *witness)
{
  omen_load_options all = { .rebuild.whole = true };
  omen_report_source *source = current (r);
  omen_err err = { 0 };
  omen_trace *trace;
  if (omen_witness_load (witness, source->trace, path, r->err))
    return true;
  if (!source->trace->rebuilt.settled || source->findings.count)
    return false;
  char *name = omen_strdup (
      omen_names_text (&source->trace->strings, source->trace->path));
  trace = omen_load (name, &all, &err);
  omen_free (name);
  omen_witness_fini (witness);
  omen_witness_init (witness);
  if (!trace || !omen_witness_load (witness, trace, path, &err)) {
    omen_trace_free (trace);
    return false;
  }
  omen_trace_free (source->trace);
  source->trace = trace;
  *r->err = (omen_err){ 0 };
  return true;
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
  ok = path && load_witness (r, path, &finding->witness);
  if (ok && !claims_it (finding, current (r)->trace))
    ok = omen_err_set (r->err, r->path,
                       "finding %zu: its witness claims something else", i + 1);
  if (ok && !r->file->witness_dir)
    r->file->witness_dir = folder_of (path);
  omen_free (path);
  return ok;
}

/* A positive number, or else `otherwise`. */
static uint32_t
read_positive (const json_t *json, const char *key, uint32_t otherwise)
{
  json_int_t number = json_integer_value (json_object_get (json, key));
  return number > 0 && number < UINT32_MAX ? (uint32_t)number : otherwise;
}

/* Atomicity: the blamed blocks, given by their opening events. */
static bool
read_blame (const reading *r, const json_t *json, size_t i,
            omen_finding *finding)
{
  const json_t *list = json_object_get (json, "opened"), *item;
  size_t k;
  if (finding->kind != OMEN_FINDING_ATOMICITY)
    return true;
  json_array_foreach (list, k, item)
  {
    json_int_t e = json_integer_value (item);
    const omen_trace *trace = current (r)->trace;
    if (!json_is_integer (item) || e < 0 || (uint64_t)e >= trace->events.count
        || !omen_reporter_opens (omen_trace_event (trace, (omen_eid)e)->kind))
      return omen_err_set (r->err, r->path,
                           "finding %zu: a block opened by no event", i + 1);
    OMEN_VEC_PUSH (finding->blame, (omen_eid)e);
  }
  finding->blame_more = read_positive (json, "blame_more", 0);
  finding->pattern = read_text (json, "pattern");
  return finding->blame.count
         || omen_err_set (r->err, r->path, "finding %zu blames no block",
                          i + 1);
}

static omen_eid
read_writer (const json_t *json)
{
  const json_t *writer = json_object_get (json, "writer");
  return json_is_integer (writer) ? (omen_eid)json_integer_value (writer)
                                  : OMEN_NONE;
}

/* Reads an instance of finding i, which may be of another trace. */
static bool
read_pair (reading *r, const json_t *json, size_t i, omen_finding *lead)
{
  const char *name = json_string_value (json_object_get (json, "trace"));
  size_t own = r->current, other = own;
  omen_finding pair = { .kind = lead->kind,
                        .count = read_positive (json, "count", 1),
                        .writer = read_writer (json),
                        .signal = lead->signal,
                        .note = read_text (json, "note"),
                        .outcome = read_text (json, "outcome") };
  bool ok = !name || use_trace (r, name);
  omen_witness_init (&pair.witness);
  other = r->current;
  pair.trace = other != own ? current (r)->trace : NULL;
  ok = ok && read_status (r, json, i, &pair.status)
       && read_witness (r, json, i, &pair) && read_blame (r, json, i, &pair);
  if (ok
      && (pair.witness.claim.kind == OMEN_CLAIM_ATOMICITY)
             != (lead->witness.claim.kind == OMEN_CLAIM_ATOMICITY))
    ok = omen_err_set (r->err, r->path,
                       "finding %zu: a pair claims something else", i + 1);
  r->current = own;
  if (ok)
    OMEN_VEC_PUSH (lead->more, pair);
  else
    omen_finding_fini (&pair);
  return ok;
}

/* Reads the instances; the first one is the finding itself. */
static bool
read_pairs (reading *r, const json_t *json, size_t i, omen_finding *finding)
{
  const json_t *list = omen_report_json_instances (json), *item;
  size_t k;
  if (!json_is_array (list) || !json_array_size (list)) {
    /* Was it grouped by cause? Then it has the cause's fingerprint. */
    const char *stored
        = json_string_value (json_object_get (json, "fingerprint"));
    omen_reporter *reporter = omen_reporter_new (current (r)->trace);
    char *alone = omen_report_fingerprint (reporter, finding);
    finding->by_cause = stored && strcmp (stored, alone);
    omen_free (alone);
    omen_reporter_free (reporter);
    return true;
  }
  if (json_object_get (json, "pairs")
      && finding->witness.claim.kind != OMEN_CLAIM_ATOMICITY)
    return omen_err_set (r->err, r->path,
                         "finding %zu has pairs, but is about no block", i + 1);
  finding->by_cause = true;
  finding->left_out
      = (uint32_t)json_integer_value (json_object_get (json, "left_out"));
  finding->count = read_positive (json_array_get (list, 0), "count", 1);
  json_array_foreach (
      list, k, item) if (k && !read_pair (r, item, i, finding)) return false;
  return true;
}

static bool
read_finding (reading *r, const json_t *json, size_t i)
{
  omen_finding finding = { .count = read_positive (json, "count", 1),
                           .writer = read_writer (json),
                           .signal = (uint32_t)json_integer_value (
                               json_object_get (json, "signal")) };
  omen_witness_init (&finding.witness);
  if (!read_kind (r, json, i, &finding.kind)
      || !read_status (r, json, i, &finding.status))
    return false;
  if (finding.status == OMEN_STATUS_UNVERIFIED
      && !json_object_get (json, "witness"))
    return true; /* not judged, so there is no witness */
  if (!read_witness (r, json, i, &finding) || !read_blame (r, json, i, &finding)
      || !read_pairs (r, json, i, &finding)) {
    omen_finding_fini (&finding);
    return false;
  }
  finding.outcome = read_text (json, "outcome");
  finding.note = read_text (json, "note");
  finding.ending = read_text (json, "ending");
  finding.said = read_text (json, "said");
  OMEN_VEC_PUSH (current (r)->findings, finding);
  return true;
}

static bool
use_trace_of (reading *r, const json_t *json, size_t i, const char *trace)
{
  const char *own = json_string_value (json_object_get (json, "trace"));
  if (!own && !trace)
    return omen_err_set (r->err, r->path, "finding %zu names no trace", i + 1);
  return use_trace (r, own ? own : trace);
}

/* First load the traces in the order of the findings, so that findings keep
   their numbers, whatever traces their instances need. */
static bool
read_list (reading *r, const json_t *list, const char *trace)
{
  const json_t *item;
  size_t i;
  json_array_foreach (list, i,
                      item) if (!use_trace_of (r, item, i, trace)) return false;
  json_array_foreach (list, i,
                      item) if (!use_trace_of (r, item, i, trace)
                                || !read_finding (r, item, i)) return false;
  return true;
}

static bool
read_root (reading *r, const json_t *root)
{
  const json_t *list = json_object_get (root, "findings");
  const char *trace = json_string_value (json_object_get (root, "trace"));
  if (!json_is_array (list))
    return omen_err_set (r->err, r->path, "it has no list of findings");
  if (trace && !use_trace (r, trace))
    return false;
  if (!read_list (r, list, trace))
    return false;
  r->file->undecided
      = (uint64_t)json_integer_value (json_object_get (root, "undecided"));
  return true;
}

static bool
read_json (reading *r)
{
  json_error_t error;
  json_t *root;
  bool ok;
  if (access (r->path, R_OK))
    return omen_err_io (r->err, r->path, "cannot be read: %s",
                        strerror (errno));
  root = json_load_file (r->path, JSON_REJECT_DUPLICATES, &error);
  if (!root)
    return omen_err_at (r->err, r->path, (unsigned long)error.line,
                        "this is no JSON: %s", error.text);
  ok = read_root (r, root);
  json_decref (root);
  return ok;
}

bool
omen_report_read (omen_report_file *file, const char *path, omen_err *err)
{
  struct stat info;
  bool folder = !stat (path, &info) && S_ISDIR (info.st_mode);
  reading r = { .file = file,
                .path = join_texts (path, folder ? "/findings.json" : ""),
                .err = err };
  bool ok;
  *file = (omen_report_file){ 0 };
  r.folder = folder_of (r.path);
  ok = read_json (&r);
  unsigned first = 1;
  file->runs = omen_zalloc (file->sources.count + 1, sizeof *file->runs);
  for (size_t i = 0; i < file->sources.count; i++) {
    const omen_report_source *source = &file->sources.data[i];
    file->runs[i]
        = (omen_report_run){ source->trace, &source->findings, first };
    first += (unsigned)source->findings.count;
  }
  file->report
      = (omen_report){ file->runs, file->sources.count, file->witness_dir };
  omen_free (r.folder);
  omen_free (r.path);
  if (!ok)
    omen_report_file_fini (file);
  return ok;
}

static void
source_fini (omen_report_source *source)
{
  for (size_t i = 0; i < source->findings.count; i++)
    omen_finding_fini (&source->findings.data[i]);
  OMEN_VEC_FINI (source->findings);
  omen_trace_free (source->trace);
  omen_free (source->name);
}

void
omen_report_file_fini (omen_report_file *file)
{
  for (size_t i = 0; i < file->sources.count; i++)
    source_fini (&file->sources.data[i]);
  OMEN_VEC_FINI (file->sources);
  omen_free (file->runs);
  omen_free (file->witness_dir);
  *file = (omen_report_file){ 0 };
}
