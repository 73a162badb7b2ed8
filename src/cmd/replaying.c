#include "cmd/replaying.h"
#include "cmd/plan.h"
#include "cmd/recorded.h"
#include "trace/load.h"
#include "trace/rebuild.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct paths {
  char plan[4096], trace[4096];
} paths;

static bool
write_plan (const omen_replay *r, const char *path, omen_err *err)
{
  FILE *file = fopen (path, "we");
  bool ok;
  if (!file)
    return omen_err_io (err, path, "cannot be written: %s", strerror (errno));
  ok = omen_plan_write (r->trace, r->witness, r->then, file, err);
  if (fclose (file) && ok)
    ok = omen_err_io (err, path, "cannot be written: %s", strerror (errno));
  return ok;
}

static bool
run_program (const omen_replay *r, const paths *p, omen_recording *recording,
             omen_err *err)
{
  char schedule[sizeof p->plan + 8];
  omen_record_request request = { .output = p->trace,
                                  .schedule = schedule,
                                  .limit_ms = r->limit_ms,
                                  .program = r->program };
  int code;
  snprintf (schedule, sizeof schedule, "replay:%s", p->plan);
  recording->silent = r->silent;
  return omen_recording_run (recording, &request, &code)
         || omen_err_io (err, r->program[0], "did not start");
}

static void
judge (omen_replay *r, const char *path)
{
  omen_err err = { 0 };
  omen_trace *replayed;
  omen_rebuild_all = true; /* what was shared then may be one thread's now */
  replayed = omen_trace_load (path, &err);
  omen_rebuild_all = false;
  if (replayed)
    omen_judge (&r->judgement, r->trace, r->witness, replayed);
  else
    snprintf (r->judgement.text, sizeof r->judgement.text,
              "diverged: its trace cannot be read: %.300s", err.what);
  omen_trace_free (replayed);
}

bool
omen_replay_run (omen_replay *r, omen_recording *recording, omen_err *err)
{
  omen_recorded_files files = { 0 };
  paths p;
  bool ok;
  snprintf (p.plan, sizeof p.plan, "%s/replay-%d.plan", r->folder, getpid ());
  snprintf (p.trace, sizeof p.trace, "%s/replay-%d.omen", r->folder,
            getpid ());
  r->judgement = (omen_judgement){ 0 };
  ok = write_plan (r, p.plan, err) && run_program (r, &p, recording, err);
  if (ok)
    judge (r, p.trace);
  unlink (p.plan);
  omen_recorded_find (&files, p.trace);
  for (size_t i = 0; i < files.count; i++)
    unlink (files.data[i]);
  omen_recorded_files_fini (&files);
  return ok;
}
