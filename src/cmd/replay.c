/* omen replay WITNESS -- PROGRAM */
#include "driver/check/spec_copy.h"
#include "driver/spec_speaks.h"
#include "base/print.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "driver/replay/replaying.h"
#include "load/load.h"
#include "trace/maybe.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char docs[]
    = "Make a predicted error happen.\v"
      "Runs PROGRAM under the schedule of WITNESS (witness/N in the folder "
      "that omen check leaves): each thread is held until its turn comes, so "
      "that the claimed events meet. Says confirmed and what was seen, or "
      "where the program went another way. Threads are known by how they were "
      "made, and their events by number, so that addresses and times do not "
      "matter; a program that depends on something else from outside (input, "
      "the clock) may diverge.\n\n"
      "A witness of a process that PROGRAM starts (a script, make test) is "
      "forced onto that process; the others run as they like. It is known by "
      "its program, folder and arguments, else by its program alone.\n\n"
      "After the schedule the program runs on: free, as it likes, or serial, "
      "one thread at a time. After a deadlock it is ended. With --gdb it is "
      "started in gdb, which stops at the place where the claimed events are "
      "next, all threads in place; PROGRAM is then the process itself.\n\n"
      "The trace of the witness is looked for where omen check puts it, beside "
      "the folder of the witness; --trace names another. The property file of "
      "a witness about a property is looked for there, too; --spec names it. "
      "Its monitor is run over the replay, and confirms what it says there: do "
      "not replay witnesses of folders that you do not trust. A "
      "witness that does not hold (omen verify) is not replayed.\n\n"
      "The exit status is the program's.";

enum { KEY_GDB = 0x100, KEY_THEN, KEY_TRACE, KEY_LIMIT };

static const struct argp_option options[] = {
  { "trace", KEY_TRACE, "TRACE", 0, "The trace that the witness is about" },
  { "then", KEY_THEN, "HOW", 0,
    "After the schedule: free (default) or serial" },
  { "gdb", KEY_GDB, NULL, 0, "In gdb, stopped where the events meet" },
  { "wait", KEY_LIMIT, "SECONDS", 0,
    "End a program that takes longer than this (60)" },
  { 0 },
};

typedef struct request {
  const char *witness, *trace, *then, *wait;
  bool gdb;
  omen_spec_list specs;
  char copy[PATH_MAX]; /* path of a property copy found beside the trace */
  double seconds;
  char **program;
} request;

#define SHARED(X) X (specs, specs)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_TEXT (KEY_TRACE, "--trace", trace),
        OMEN_TEXT (KEY_THEN, "--then", then),
        OMEN_TEXT (KEY_LIMIT, "--wait", wait),
        OMEN_FLAG (KEY_GDB, gdb),
        { 0 } };

static error_t
parse_replay_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  switch (key) {
  case ARGP_KEY_ARG:
    if (!r->witness)
      r->witness = arg;
    else { /* the rest is the program's */
      r->program = state->argv + state->next - 1;
      state->next = state->argc;
    }
    return 0;
  case ARGP_KEY_END:
    r->seconds = 60;
    omen_option_seconds (state, "--wait", r->wait, &r->seconds);
    if (!r->witness)
      omen_cmd_error (state, "no witness given");
    else if (!r->program)
      omen_cmd_error (state, "no program given");
    if (r->then && strcmp (r->then, "free") && strcmp (r->then, "serial"))
      omen_cmd_error (state, "--then is free or serial, not '%s'", r->then);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp
    = { options, parse_replay_option, "WITNESS [--] PROGRAM [ARGUMENT...]",
        docs, children };

/* ---- the trace of a witness ---- */

/* "out/witness/3" -> "out". */
static char *
folder_of_check (const char *witness)
{
  char *path = realpath (witness, NULL), *folder;
  for (int i = 0; path && i < 2; i++) {
    char *slash = strrchr (path, '/');
    if (slash)
      *slash = 0;
  }
  folder = omen_strdup (path && *path ? path : ".");
  free (path);
  return folder;
}

static omen_trace *
try_with (const char *path, const omen_load_options *load,
          const char *witness_path, omen_witness *witness, omen_err *err)
{
  omen_trace *trace;
  *err = (omen_err){ 0 };
  trace = omen_load (path, load, err);
  if (trace && omen_witness_load (witness, trace, witness_path, err))
    return trace;
  omen_trace_free (trace);
  omen_witness_fini (witness);
  omen_witness_init (witness);
  return NULL;
}

/* Loads the trace in each form that the witness may refer to: with settled
   memory or without, and with the variables of the properties. */
static omen_trace *
try_trace (const request *r, const char *path, omen_witness *witness,
           omen_err *err)
{
  const omen_load_options all = { .rebuild.whole = true };
  const omen_load_options watched = {
    .rebuild
    = { .whole = true, .watches = omen_spec_list_watches, .context = &r->specs }
  };
  const omen_load_options *tries[] = { NULL, &all, &watched };
  omen_trace *trace = NULL;
  for (size_t i = 0; !trace && i < OMEN_COUNT (tries); i++)
    trace = try_with (path, tries[i], r->witness, witness, err);
  return trace;
}

/* The recordings of a check are named run… .omen…; the witness says which of
   them it belongs to. */
static omen_trace *
search_traces (const request *r, const char *folder, omen_witness *witness,
               omen_err *err)
{
  DIR *open = opendir (folder);
  struct dirent *entry;
  omen_trace *trace = NULL;
  omen_err_io (err, folder,
               "there is no trace of this witness here: name one "
               "with --trace");
  while (!trace && open && (entry = readdir (open))) {
    char path[4096];
    omen_err why;
    if (strncmp (entry->d_name, "run", 3) || !strstr (entry->d_name, ".omen"))
      continue;
    int length = snprintf (path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length < 0 || (size_t)length >= sizeof path)
      continue;
    trace = try_trace (r, path, witness, &why);
  }
  if (open)
    closedir (open);
  return trace;
}

static omen_trace *
find_trace (const request *r, omen_witness *witness, omen_err *err)
{
  omen_trace *trace;
  char *folder;
  if (access (r->witness, R_OK)) {
    omen_err_io (err, r->witness, "cannot be read: %s", strerror (errno));
    return NULL;
  }
  if (r->trace)
    return try_trace (r, r->trace, witness, err);
  folder = folder_of_check (r->witness);
  trace = search_traces (r, folder, witness, err);
  omen_free (folder);
  return trace;
}

/* Finds the witness's property among those that omen check copied; if there is
   none, only the order of events is replayed. */
static bool
find_spec (request *r, const omen_witness *witness, int *code)
{
  char *folder;
  if (witness->claim.kind == OMEN_CLAIM_PROPERTY && !r->specs.paths.count) {
    folder = folder_of_check (r->witness);
    omen_spec_copy_find (folder, witness->claim.about->spec, r->copy);
    omen_free (folder);
    if (*r->copy)
      OMEN_VEC_PUSH (r->specs.paths, r->copy);
  }
  return r->specs.files.count || omen_spec_list_load (&r->specs, code);
}

/* A schedule is forced only if its trace allows it, except for orders that an
   uninstrumented library may or may not exclude. A monitor's state cannot be
   checked without its property. */
static bool
holds (const request *r, const omen_trace *trace, const omen_witness *witness,
       int *code)
{
  omen_err err = { 0 }, why = { 0 };
  omen_verifier *verifier;
  omen_trace loose;
  if (witness->claim.kind == OMEN_CLAIM_PROPERTY
      && !omen_spec_list_property (&r->specs, witness->claim.about))
    return true;
  omen_trace_loosen (&loose, trace);
  verifier = omen_verifier_new (&loose, &err);
  if (verifier) {
    omen_spec_list_give (&r->specs, verifier);
    if (!omen_verify (verifier, witness, &why)
        && omen_verify_refusal (verifier) != OMEN_REFUSED_UNJUDGED)
      omen_err_set (&err, r->witness, "the witness does not hold: %s",
                    why.what);
    omen_verifier_free (verifier);
  }
  omen_trace_loosen_end (&loose);
  return omen_succeeded (&err, OMEN_EXIT_INPUT, code);
}

/* ---- running ---- */

/* The command line that runs gdb on the program. */
static char **
gdb_arguments (const request *r)
{
  static const char *const before[] = { "gdb",   "-q",
                                        "-ex",   "set breakpoint pending on",
                                        "-ex",   "break omen_replay_reached",
                                        "-ex",   "run",
                                        "--args" };
  size_t count = 0, own = OMEN_COUNT (before);
  while (r->program[count])
    count++;
  char **list = omen_zalloc (own + count + 1, sizeof *list);
  for (size_t i = 0; i < own; i++)
    list[i] = (char *)before[i];
  for (size_t i = 0; i < count; i++)
    list[own + i] = r->program[i];
  return list;
}

static int
replay (const request *r, const omen_trace *trace, const omen_witness *witness)
{
  omen_recording recording;
  omen_err err = { 0 };
  char **program = r->gdb ? gdb_arguments (r) : NULL;
  omen_origin origin;
  omen_replay replay
      = { .trace = trace,
          .witness = witness,
          .origin = &origin,
          .specs = &r->specs,
          .then = r->gdb    ? "stop"
                  : r->then ? r->then
                            : "free",
          .program = program ? program : r->program,
          .limit_ms = r->gdb ? 0 : (uint64_t)(r->seconds * 1000) };
  int code;
  omen_origin_find (&origin, omen_names_text (&trace->strings, trace->path));
  if (omen_recording_prepare (&recording, replay.program[0], true, &code)) {
    replay.starts_others = recording.program.kind == OMEN_PROGRAM_OTHER;
    if (r->gdb) { /* gdb itself is not recorded, only the program that it starts
                   */
      omen_free (recording.preload);
      recording.preload = NULL;
      origin.first = true;
    }
    if (omen_replay_run (&replay, &recording, &err)) {
      /* indented: what the program is called must not look like omen's words */
      omen_print_lines (stderr, "  ", replay.said ? replay.said : "");
      omen_print (stderr, "omen: %s%s\n",
                  replay.judgement.confirmed ? "confirmed: " : "",
                  replay.judgement.text);
      code = omen_run_end (&recording.run);
    } else
      code = omen_fail (OMEN_EXIT_INPUT, &err);
  }
  omen_recording_fini (&recording);
  omen_free (replay.said);
  omen_free (program);
  return code;
}

static int
run_replay (int argc, char **argv)
{
  request r = { 0 };
  omen_witness witness;
  omen_err err = { 0 };
  omen_trace *trace;
  int code;
  if (!omen_cmd_parse_program (&argp, argc, argv, &r, &code))
    return code;
  omen_witness_init (&witness);
  if (r.specs.paths.count && !omen_spec_list_load (&r.specs, &code)) {
    omen_spec_list_fini (&r.specs);
    return code;
  }
  trace = find_trace (&r, &witness, &err);
  if (!trace)
    code = omen_fail (OMEN_EXIT_INPUT, &err);
  else if (find_spec (&r, &witness, &code)
           && holds (&r, trace, &witness, &code))
    code = replay (&r, trace, &witness);
  omen_spec_list_fini (&r.specs);
  omen_witness_fini (&witness);
  omen_trace_free (trace);
  return code;
}

const omen_cmd omen_cmd_replay
    = { "replay", "make a predicted error happen", run_replay, &argp };
