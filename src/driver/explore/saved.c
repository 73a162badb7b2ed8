#include "driver/explore/session_state.h"
#include "driver/check/folder.h"
#include "driver/message.h"
#include "driver/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Interval between saves, and the share of time that they may take (1/20). */
#define SAVE_SECONDS 5.0
#define SAVE_SHARE 20

static void
archive_ending (omen_archive *archive, omen_ending *ending)
{
  char **texts[]
      = { &ending->how, &ending->said, &ending->violated, &ending->bound };
  for (size_t i = 0; i < OMEN_COUNT (texts); i++) {
    char *text = *texts[i];
    size_t length = text ? strlen (text) : 0;
    omen_archive_text (archive, &text, &length);
    if (!archive->reading)
      continue;
    *texts[i] = text ? omen_strdup (text) : NULL;
    free (text);
  }
  omen_archive_bool (archive, &ending->died);
}

static void
archive_kept (omen_session *s, omen_archive *archive)
{
  size_t count = omen_archive_count (archive, s->kept.count);
  for (size_t i = 0; i < count && archive->ok; i++) {
    if (archive->reading)
      OMEN_VEC_PUSH (s->kept, (omen_kept_run){ 0 });
    omen_archive_bytes (archive, &s->kept.data[i].status, sizeof (int));
    archive_ending (archive, &s->kept.data[i].ending);
  }
}

static void
archive_failures (omen_session *s, omen_archive *archive)
{
  size_t count = omen_archive_count (archive, s->failures.count);
  for (size_t i = 0; i < count && archive->ok; i++) {
    omen_failed its = { 0 };
    if (!archive->reading)
      its = s->failures.data[i];
    size_t length = its.how ? strlen (its.how) : 0;
    char *how = its.how;
    omen_archive_bytes (archive, &its, sizeof its);
    omen_archive_text (archive, &how, &length);
    if (!archive->reading)
      continue;
    its.how = omen_strdup (how ? how : "");
    free (how);
    OMEN_VEC_PUSH (s->failures, its);
  }
}

static void
archive_curve (omen_session *s, omen_archive *archive)
{
  size_t count = omen_archive_count (archive, s->curve.count);
  omen_archive_bytes (archive, &s->stride, sizeof s->stride);
  if (archive->reading) {
    OMEN_VEC_RESERVE (s->curve, count);
    s->curve.count = count;
  }
  omen_archive_bytes (archive, s->curve.data, count * sizeof *s->curve.data);
}

static void
archive_failing (omen_session *s, omen_archive *archive)
{
  omen_failing *f = &s->failing;
  char *printed = f->printed;
  omen_archive_bytes (archive, &f->begun, sizeof f->begun);
  omen_archive_bytes (archive, &f->status, sizeof f->status);
  omen_archive_text (archive, &printed, &f->length);
  if (archive->reading && printed) {
    f->printed = omen_alloc (f->length + 1);
    memcpy (f->printed, printed, f->length + 1);
    free (printed);
  }
}

/* Plans of current runs are saved, too, to be run again. */
static void
archive_running (omen_session *s, omen_archive *archive)
{
  size_t count = 0;
  for (unsigned i = 0; !archive->reading && i < s->jobs; i++)
    count += s->runners[i].busy && !s->again;
  count = omen_archive_count (archive, count);
  for (size_t i = 0; archive->reading && archive->ok && i < count; i++) {
    omen_explore_plan plan = { 0 };
    omen_explore_plan_archive (&plan, archive);
    if (archive->ok)
      omen_explore_return (s->x, &plan);
    omen_explore_plan_fini (&plan);
  }
  for (unsigned i = 0; !archive->reading && i < s->jobs; i++)
    if (s->runners[i].busy && !s->again)
      omen_explore_plan_archive (&s->plans[i], archive);
}

static void
archive_all (omen_session *s, omen_archive *archive)
{
  omen_archive_bytes (archive, &s->first, sizeof s->first);
  omen_archive_bytes (archive, &s->result->failures,
                      sizeof s->result->failures);
  omen_archive_bytes (archive, &s->result->first_failure,
                      sizeof s->result->first_failure);
  archive_failing (s, archive);
  omen_archive_map (archive, &s->failed);
  archive_kept (s, archive);
  archive_failures (s, archive);
  archive_curve (s, archive);
  omen_explore_archive (s->x, archive);
  archive_running (s, archive);
}

/* Identifies the version of omen, and what is explored. */
static char *
title_of (const omen_session *s)
{
  char *title = NULL;
  size_t size;
  FILE *out = open_memstream (&title, &size);
  OMEN_REQUIRE (out);
  fprintf (out, "omen exploration %s%s%s:", OMEN_VERSION,
           s->options->output ? " --output" : "",
           s->options->spurious ? " --spurious" : "");
  for (size_t i = 0; i < s->failing.specs->predict.count; i++)
    fprintf (out, " --spec %" PRIx64,
             s->failing.specs->predict.data[i].identity);
  for (char **word = s->check->request->record.program; *word; word++)
    fprintf (out, " %zu %s", strlen (*word), *word);
  fclose (out);
  return title;
}

static char *
path_of_state (const omen_session *s)
{
  char *path = NULL;
  OMEN_REQUIRE (
      asprintf (&path, "%s/" OMEN_EXPLORATION_FILE, s->check->request->folder)
      >= 0);
  return path;
}

void
omen_session_save (omen_session *s, bool last)
{
  omen_err err = { 0 };
  omen_output out;
  double now = omen_now ();
  if (!last && now < s->save_at)
    return;
  char *path = path_of_state (s), *title = title_of (s);
  size_t length = strlen (title);
  bool ok = omen_output_open (&out, path, true, &err);
  if (ok) {
    omen_archive archive = { out.file, false, true };
    omen_archive_text (&archive, &title, &length);
    archive_all (s, &archive);
    ok = omen_output_commit (&out, &err);
  }
  if (!ok && last)
    omen_warn ("%s: %s; it cannot be resumed", err.where, err.what);
  s->save_at = omen_now () + SAVE_SECONDS + SAVE_SHARE * (omen_now () - now);
  free (path);
  free (title);
}

bool
omen_session_go_on (omen_session *s, int *code)
{
  char *path = path_of_state (s), *title = title_of (s), *its = NULL;
  omen_err err = { 0 };
  size_t length = 0;
  FILE *in = fopen (path, "rbe");
  omen_archive archive = { in, true, in != NULL };
  if (in)
    omen_archive_text (&archive, &its, &length);
  bool same = its && !strcmp (its, title);
  if (same)
    archive_all (s, &archive);
  if (!same || !archive.ok)
    omen_err_io (&err, path,
                 same ? "is damaged"
                      : "is of another program, other arguments or options, or "
                        "another omen");
  if (in)
    fclose (in);
  free (its);
  free (path);
  free (title);
  if (err.set)
    return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
  s->before = omen_explore_count (s->x).runs;
  for (unsigned n = 0; n < s->kept.count; n++)
    if (!omen_session_look (s, n, code))
      return false;
  return true;
}
