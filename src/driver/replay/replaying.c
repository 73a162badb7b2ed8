#include "driver/replay/replaying.h"
#include "driver/spec_speaks.h"
#include "driver/replay/plan.h"
#include "driver/recorded.h"
#include "driver/scratch.h"
#include "load/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct attempt {
  omen_replay *replay;
  omen_recording *recording;
  omen_origin_way way; /* how the process is named */
  omen_scratch scratch;
  char plan[PATH_MAX + 16], trace[PATH_MAX + 16], reports[PATH_MAX + 16];
} attempt;

static bool
write_plan (const attempt *a, omen_err *err)
{
  const omen_replay *r = a->replay;
  const omen_property *property = NULL;
  char process[OMEN_ORIGIN_NAME];
  FILE *file = omen_scratch_write (a->plan);
  bool ok;
  if (!file)
    return omen_err_io (err, a->plan, "cannot be written: %s",
                        strerror (errno));
  omen_origin_name (r->origin, a->way, process);
  if (r->witness->claim.kind == OMEN_CLAIM_PROPERTY)
    property = omen_spec_list_property (r->specs, r->witness->claim.about);
  ok = omen_plan_write (r->trace, r->witness, property, process, r->then,
                        r->spin_limit_ms, file, err);
  if (fclose (file) && ok)
    ok = omen_err_io (err, a->plan, "cannot be written: %s", strerror (errno));
  return ok;
}

static bool
run_program (const attempt *a, omen_err *err)
{
  char schedule[sizeof a->plan + 8];
  omen_record_request request = { .output = a->trace,
                                  .schedule = schedule,
                                  .end_stuck = true,
                                  .exit_grace = "0",
                                  .limit_ms = a->replay->limit_ms,
                                  .program = a->replay->program };
  int code;
  snprintf (schedule, sizeof schedule, "replay:%s", a->plan);
  a->recording->silent = a->replay->silent;
  a->recording->with_us = true;
  a->recording->reports = a->reports;
  return omen_recording_run (a->recording, &request, &code)
         || omen_err_io (err, a->replay->program[0], "did not start");
}

#define MOST_SAID 16384u

/* Cut the report after its summary; a memory dump follows. */
static void
cut_report (char *text)
{
  char *summary = strstr (text, "\nSUMMARY: ");
  char *end = summary ? strchr (summary + 1, '\n') : NULL;
  if (end)
    end[1] = 0;
}

/* Read the reports of AddressSanitizer in the program and its children. */
static void
read_reports (attempt *a)
{
  DIR *folder = opendir (a->scratch.folder);
  struct dirent *entry;
  while (folder && !a->replay->said && (entry = readdir (folder))) {
    char path[PATH_MAX + 300], text[MOST_SAID + 1];
    FILE *in;
    if (strncmp (entry->d_name, "report.", 7))
      continue;
    snprintf (path, sizeof path, "%s/%s", a->scratch.folder, entry->d_name);
    in = fopen (path, "rbe");
    text[in ? fread (text, 1, MOST_SAID, in) : 0] = 0;
    if (in)
      fclose (in);
    if (!strstr (text, "==ERROR: AddressSanitizer: "))
      continue;
    cut_report (text);
    a->replay->said = omen_strdup (text);
  }
  if (folder)
    closedir (folder);
}

static void
judge_recording (omen_replay *r, const char *path)
{
  /* shared memory may now be used by one thread alone */
  omen_load_options options
      = { .rebuild
          = { .all = true,
              .watches = r->specs ? omen_spec_list_watches : NULL,
              .context = r->specs,
              .afterlife = r->witness->claim.kind == OMEN_CLAIM_LIFETIME } };
  omen_err err = { 0 };
  omen_trace *replayed = omen_load (path, &options, &err);
  if (replayed)
    omen_judge (&r->judgement, r->trace, r->witness, replayed, r->specs,
                r->said);
  else
    snprintf (r->judgement.text, sizeof r->judgement.text,
              "diverged: its trace cannot be read: %.300s", err.what);
  omen_trace_free (replayed);
}

/* The recording of the process, among the files of the run (its children have
   files, too); NULL: there is none. */
static const char *
find_process (const attempt *a, const omen_recorded_files *files)
{
  for (size_t i = 0; i < files->count; i++)
    if (a->way == OMEN_NAME_FIRST
            ? !strcmp (files->data[i], a->trace)
            : omen_origin_is (a->replay->origin, a->way, files->data[i]))
      return files->data[i];
  return NULL;
}

/* By absolute paths, since the process may run in another directory. */
static bool
name_files (attempt *a, omen_err *err)
{
  const char *output = a->replay->output;
  if (!omen_scratch_open (&a->scratch, NULL, err))
    return false;
  omen_scratch_file (&a->scratch, "plan", a->plan, sizeof a->plan);
  omen_scratch_file (&a->scratch, "run.omen", a->trace, sizeof a->trace);
  omen_scratch_file (&a->scratch, "report", a->reports, sizeof a->reports);
  if (output) {
    char *path = *output == '/' ? NULL : realpath (".", NULL);
    snprintf (a->trace, sizeof a->trace, "%s%s%s", path ? path : "",
              path ? "/" : "", output);
    free (path);
  }
  return true;
}

/* Did the program exit by itself, while the recording of its first process has
   no end? Then the disk was full, and missing events mean nothing. */
static bool
was_cut (const attempt *a, const char *trace)
{
  const omen_run *run = &a->recording->run;
  return !strcmp (trace, a->trace) && WIFEXITED (run->status)
         && !run->ended_by_us && omen_recorded_is_cut (trace);
}

/* *came: whether there was such a process. */
static bool
try_once (attempt *a, bool *came, omen_err *err)
{
  omen_recorded_files files = { 0 };
  bool ok = name_files (a, err) && write_plan (a, err) && run_program (a, err);
  read_reports (a);
  omen_recorded_find (&files, a->trace);
  const char *trace = ok ? find_process (a, &files) : NULL;
  *came = trace;
  if (trace)
    judge_recording (a->replay, trace);
  if (trace && !a->replay->judgement.confirmed && was_cut (a, trace))
    ok = omen_err_set (err, "", "no room was left to record its replay");
  omen_recorded_files_fini (&files);
  a->recording->reports = NULL;
  omen_scratch_close (&a->scratch); /* removes plan, tickets, and a recording
                                       that is not kept */
  return ok;
}

bool
omen_replay_run (omen_replay *r, omen_recording *recording, omen_err *err)
{
  attempt a = { .replay = r, .recording = recording };
  bool came = false, ok;
  OMEN_REQUIRE (r->trace && r->witness && r->origin);
  r->judgement = (omen_judgement){ 0 };
  bool first = r->origin->first && !r->starts_others;
  a.way = first || !r->origin->exact ? OMEN_NAME_FIRST : OMEN_NAME_EXACT;
  ok = try_once (&a, &came, err);
  if (ok && !came && a.way == OMEN_NAME_EXACT) {
    a.way = OMEN_NAME_LOOSE;
    ok = try_once (&a, &came, err);
  }
  if (ok && !came)
    snprintf (r->judgement.text, sizeof r->judgement.text,
              "diverged: the process of the witness was not started");
  OMEN_ASSERT (!ok || *r->judgement.text);
  return ok;
}
