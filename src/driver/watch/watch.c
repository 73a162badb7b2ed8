#include "driver/watch/watch.h"
#include "base/print.h"
#include "driver/message.h"
#include "driver/recorded.h"
#include "driver/recording.h"
#include "driver/scratch.h"
#include "driver/watch/end.h"
#include "driver/watch/online.h"
#include "driver/watch/spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct watch {
  const omen_watch_request *request;
  omen_record_request record;
  omen_scratch scratch; /* for the trace if it is not kept */
  char temporary[PATH_MAX + 16];
  omen_recording recording;
  omen_watch_action action;
  omen_online online;
  omen_watch_spec spec;
} watch;

static unsigned
look_at_recordings (void *context)
{
  watch *w = context;
  return omen_online_look (&w->online, w->recording.run.pid);
}

static bool
choose_output (watch *w, omen_err *err)
{
  if (w->record.output)
    return true;
  if (!omen_scratch_open (&w->scratch, NULL, err))
    return false;
  omen_scratch_file (&w->scratch, "run.omen", w->temporary,
                     sizeof w->temporary);
  w->record.output = w->temporary;
  return true;
}

/* ---- the end ---- */

static unsigned
reports (const watch *w)
{
  return w->online.keys.count;
}

static void
print_watch_end (const watch *w, const omen_watch_end *end)
{
  unsigned lost = omen_watch_lost (end);
  omen_print (stderr, "omen: %u finding%s", end->verified,
              omen_s (end->verified));
  if (end->unverified + lost)
    omen_print (stderr, ", %u unverified", end->unverified + lost);
  if (end->refuted)
    omen_print (stderr, ", %u refuted", end->refuted);
  omen_print (stderr, "; %u report%s while the program ran", reports (w),
              omen_s (reports (w)));
  if (lost && !w->request->no_verify)
    omen_print (stderr, ", %u not in the finished trace", lost);
  fputc ('\n', stderr);
}

/* Judge the reports on the finished recordings. */
static int
judge_recordings (watch *w)
{
  omen_watch_end end;
  omen_recorded_files files = { 0 };
  int code = OMEN_EXIT_NOTHING, bad;
  omen_recorded_find (&files, w->record.output);
  omen_watch_end_init (&end, &w->online.keys, w->request->atomic,
                       w->request->timeout);
  for (size_t i = 0; i < files.count && !w->request->no_verify; i++)
    if (!omen_watch_judge (&end, files.data[i], &bad) && bad == OMEN_EXIT_BUG)
      code = OMEN_EXIT_BUG;
  if (end.verified && code == OMEN_EXIT_NOTHING)
    code = OMEN_EXIT_FINDINGS;
  if (!w->request->quiet)
    print_watch_end (w, &end);
  omen_watch_end_fini (&end);
  omen_recorded_files_fini (&files);
  return code;
}

/* ---- atomicity ---- */

static int
run_watched (watch *w)
{
  int code = OMEN_EXIT_NOTHING;
  bool kept = w->request->record.output;
  omen_action_init (&w->action, w->request->on_finding);
  omen_online_init (&w->online, w->record.output, w->request->atomic,
                    &w->action, w->request->no_verify && !kept);
  w->recording.beside = look_at_recordings;
  w->recording.context = w;
  if (omen_recording_run (&w->recording, &w->record, &code)) {
    omen_online_finish (&w->online, w->recording.run.pid);
    omen_action_finish (&w->action);
    code = judge_recordings (w);
    omen_scratch_close (&w->scratch); /* what follows may not return */
    if (code == OMEN_EXIT_NOTHING)
      code = omen_run_end (&w->recording.run);
  }
  omen_online_fini (&w->online);
  return code;
}

/* ---- properties ---- */

static unsigned
look_at_spec (void *context)
{
  watch *w = context;
  return omen_watch_spec_look (&w->spec, w->recording.run.pid);
}

static int
run_spec (watch *w)
{
  int code = OMEN_EXIT_NOTHING;
  omen_action_init (&w->action, w->request->on_finding);
  omen_watch_spec_init (&w->spec, w->request, w->record.output, &w->action);
  w->recording.beside = look_at_spec;
  w->recording.specs = &w->request->specs;
  w->recording.context = w;
  if (omen_recording_run (&w->recording, &w->record, &code)) {
    omen_watch_spec_finish (&w->spec, w->recording.run.pid);
    omen_action_finish (&w->action);
    omen_watch_spec_judge (&w->spec, &code);
    omen_scratch_close (&w->scratch); /* what follows may not return */
    if (code == OMEN_EXIT_NOTHING)
      code = omen_run_end (&w->recording.run);
  }
  omen_watch_spec_fini (&w->spec);
  return code;
}

int
omen_watch_program (const omen_watch_request *request)
{
  watch w = { .request = request, .record = request->record };
  omen_err err = { 0 };
  int code;
  w.record.stream = true;
  if (!choose_output (&w, &err))
    return omen_fail (OMEN_EXIT_USAGE, &err);
  if (omen_recording_prepare (&w.recording, request->record.program[0],
                              request->quiet, &code))
    code = request->specs.paths.count ? run_spec (&w) : run_watched (&w);
  omen_recording_fini (&w.recording);
  omen_scratch_close (&w.scratch);
  return code;
}
