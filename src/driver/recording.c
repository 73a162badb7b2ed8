#include "driver/recording.h"
#include "base/print.h"
#include "driver/home.h"
#include "driver/message.h"
#include "driver/recorded.h"
#include "driver/spec_speaks.h"
#include "symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What to preload, or NULL. False: the program cannot be recorded. */
static bool
choose_preload (const omen_program *program, bool quiet, char **preload,
                omen_err *err)
{
  switch (program->kind) {
  case OMEN_PROGRAM_STATIC:
    return omen_err_io (err, program->path,
                        "is linked statically, and cannot be recorded");
  case OMEN_PROGRAM_PLAIN:
    *preload = omen_home_find (OMEN_HOME_RUNTIME, err);
    if (*preload && !quiet)
      omen_print (stderr,
                  "omen: %s was not compiled by omen cc: only its "
                  "synchronisation is recorded\n",
                  program->path);
    return *preload;
  case OMEN_PROGRAM_OTHER:
    if (!quiet)
      omen_print (stderr,
                  "omen: %s is a script: the woven programs that it starts are "
                  "recorded\n",
                  program->path);
    return true;
  default:
    return !omen_program_only_events (program->path)
           || omen_err_io (err, program->path,
                           "was compiled with --only-events, and so can be "
                           "monitored, but not recorded; compile it without");
  }
}

bool
omen_recording_prepare (omen_recording *recording, const char *name, bool quiet,
                        int *code)
{
  omen_err err = { 0 };
  *recording = (omen_recording){ 0 };
  if (!omen_program_find (&recording->program, name, &err)) {
    omen_fail (0, &err);
    *code = recording->program.missing ? OMEN_RUN_MISSING : OMEN_RUN_CANNOT;
    return false;
  }
  if (choose_preload (&recording->program, quiet, &recording->preload, &err))
    return true;
  omen_fail (0, &err);
  *code = OMEN_RUN_CANNOT;
  return false;
}

static char *
put_option (char *to, const char *name, const char *value)
{
  to = stpcpy (stpcpy (to, " "), name);
  return value ? omen_run_word (stpcpy (to, " "), value) : to;
}

/* The OMEN_OPTIONS for the program, spelt like options of omen record; see
   src/runtime/core/options.c. Caller frees. */
static char *
program_options (const omen_record_request *r)
{
  const struct {
    bool set;
    const char *name, *value;
  } options[] = { { r->max_size, "--max-size", r->max_size },
                  { r->schedule, "--schedule", r->schedule },
                  { r->global_log, "--global-log", NULL },
                  { r->sync_only, "--sync-only", NULL },
                  { r->ring, "--ring", NULL },
                  { r->no_values, "--no-values", NULL },
                  { r->stream, "--stream", NULL },
                  { r->sampled, "--sampled", NULL },
                  { r->end_stuck, "--end-stuck", NULL },
                  { r->exact_loops, "--exact-loops", NULL },
                  { r->exit_grace, "--exit-grace", r->exit_grace } };
  char *folder = *r->output == '/' ? NULL : getcwd (NULL, 0);
  size_t room = 256 + 2 * strlen (r->output)
                + 2 * (folder ? strlen (folder) : 0)
                + 2 * (r->max_size ? strlen (r->max_size) : 0)
                + 2 * (r->schedule ? strlen (r->schedule) : 0)
                + 2 * (r->exit_grace ? strlen (r->exit_grace) : 0);
  char *text = omen_alloc (room), *to = stpcpy (text, "--output ");
  if (folder)
    to = stpcpy (omen_run_word (to, folder), "/");
  to = omen_run_word (to, r->output);
  for (size_t i = 0; i < OMEN_COUNT (options); i++)
    if (options[i].set)
      to = put_option (to, options[i].name, options[i].value);
  free (folder);
  return text;
}

void
omen_recording_add_names (const char *output, const omen_spec_list *specs)
{
  omen_symbols_keep keep
      = { omen_spec_list_speaks_of, omen_spec_list_watches, specs };
  omen_recorded_files files = { 0 };
  omen_recorded_find (&files, output);
  for (size_t i = 0; i < files.count; i++) {
    omen_err err = { 0 };
    if (!omen_symbols_add (files.data[i], OMEN_SYMBOLS_LIMIT,
                           specs ? &keep : NULL, &err)
        && err.io)
      omen_fail (0, &err);
  }
  omen_recorded_files_fini (&files);
}

bool
omen_recording_run (omen_recording *recording,
                    const omen_record_request *request, int *code)
{
  omen_err err = { 0 };
  omen_record_request full = *request;
  char *options;
  bool started;
  OMEN_REQUIRE (request->output && request->program);
  if (!omen_recorded_clear (request->output, &err))
    return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
  /* values of accesses in loops may be needed */
  full.exact_loops |= recording->specs && recording->specs->paths.count;
  options = program_options (&full);
  recording->run = (omen_run){ .path = recording->program.path,
                               .argv = request->program,
                               .options = options,
                               .preload = recording->preload,
                               .reports = recording->reports,
                               .silent = recording->silent,
                               .with_us = recording->with_us,
                               .stop = recording->stop,
                               .beside = recording->beside,
                               .context = recording->context,
                               .limit_ms = request->limit_ms };
  started = omen_run_program (&recording->run, code, &err);
  omen_free (options);
  recording->run.options = NULL;
  if (!started)
    omen_fail (*code, &err);
  else if (!recording->run.interrupted)
    omen_recording_add_names (request->output, recording->specs);
  return started;
}

void
omen_recording_fini (omen_recording *recording)
{
  omen_free (recording->preload);
  recording->preload = NULL;
}
