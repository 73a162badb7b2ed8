/* omen record [--] PROGRAM */
#include "cmd/cmd.h"
#include "base/print.h"
#include "cmd/options.h"
#include "driver/recorded.h"
#include "driver/recording.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char docs[]
    = "Run a program and write down what its threads do.\v"
      "PROGRAM is one that omen cc or omen c++ compiled. Of any other program "
      "only synchronisation is recorded, which is enough for deadlocks and "
      "misuse of locks. Statically linked programs cannot be recorded. "
      "Standard input, output and error, signals and the exit status are the "
      "program's own; omen's words go to standard error.\n\n"
      "The trace is readable by its owner only. If the program crashes or is "
      "killed, the trace has what was written until then. A process that the "
      "program forks, or a woven program that it starts, records to a file of "
      "its own beside the first: run.omen.PID. Files that an earlier recording "
      "left under these names are removed first; other files are never "
      "overwritten. A device or a named pipe is written to as it is.\n\n"
      "Schedules: free leaves the threads to the machine. The others let one "
      "thread run at a time; the trace is exact then, and the same schedule "
      "gives the same run again. random:SEED switches at random places, "
      "pct:SEED,D seldom and at D - 1 decisive ones, for errors that need D "
      "events in a certain order, rr goes round in short turns. A thread that "
      "blocks in the kernel does not hold up the others.\n\n"
      "With --spec, accesses to variables that a property file speaks of stay "
      "in the trace for later, also those that one thread alone uses.\n\n"
      "A program that something else starts takes the same options from the "
      "environment:\n\n"
      "  OMEN_OPTIONS=\"-o /tmp/run.omen --schedule random:7\"\n\n"
      "The exit status is the program's, or 0 if it died of the SIGTERM of "
      "--for. It is 127 if there is no such program and 126 if it cannot be "
      "run or recorded.";

enum {
  KEY_STREAM = 0x100,
  KEY_GLOBAL,
  KEY_SYNC,
  KEY_RING,
  KEY_VALUES,
  KEY_SAMPLED,
  KEY_STUCK
};

static const struct argp_option options[] = {
  OMEN_OPTIONS_HEAD ("Recording:", OMEN_RECORDING_OPTIONS),
  { "ring", KEY_RING, NULL, 0,
    "With --max-size: keep the newest part, not the oldest. It is analysed "
    "from "
    "a moment on at which all threads stood still: a woven program that runs "
    "freely is stopped for less than a millisecond now and then, unless some "
    "thread stays in code that is not woven",
    0 },
  { "sync-only", KEY_SYNC, NULL, 0, "Only synchronisation: no memory accesses",
    0 },
  { "no-values", KEY_VALUES, NULL, 0,
    "Leave the values of accesses out of the trace", 0 },
  { "sampled", KEY_SAMPLED, NULL, 0,
    "Record parts compiled with -fsanitize=thread without a schedule, too: "
    "their values are then what memory held shortly before or after",
    0 },
  { "end-stuck", KEY_STUCK, NULL, 0,
    "End the program when every thread waits for another one's lock, end, "
    "notification or post, and nothing from outside can help (omen check "
    "always does)",
    0 },
  { "stream", KEY_STREAM, NULL, 0,
    "Write early, for a reader of the trace while the program runs", 0 },
  { "global-log", KEY_GLOBAL, NULL, 0,
    "One log for all threads under a lock: slower, as older tools record", 0 },
  { 0 }
};

typedef struct request {
  omen_record_request record;
  omen_spec_list specs;
  bool quiet;
} request;

#define SHARED(X)                                                              \
  X (recorded, record.output)                                                  \
  X (specs, specs)                                                             \
  X (quiet, quiet)                                                             \
  X (recording, record)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_FLAG (KEY_STREAM, record.stream),
        OMEN_FLAG (KEY_GLOBAL, record.global_log),
        OMEN_FLAG (KEY_SYNC, record.sync_only),
        OMEN_FLAG (KEY_RING, record.ring),
        OMEN_FLAG (KEY_VALUES, record.no_values),
        OMEN_FLAG (KEY_SAMPLED, record.sampled),
        OMEN_FLAG (KEY_STUCK, record.end_stuck),
        { 0 } };

static error_t
parse_record_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  if (key != ARGP_KEY_END)
    return ARGP_ERR_UNKNOWN;
  if (r->record.ring && !r->record.max_size)
    omen_cmd_error (state, "--ring needs --max-size");
  return 0;
}

static const struct argp argp
    = { options, parse_record_option, "[--] PROGRAM [ARGUMENT...]", docs,
        children };

/* ---- after ---- */

/* Libraries whose functions the runtime intercepts, or that do not matter. */
static bool
is_standard_library (const char *path)
{
  static const char *const known[]
      = { "libc.",      "libm.",      "libpthread.", "libdl.",
          "librt.",     "libgcc_s.",  "libstdc++.",  "libc++.",
          "libc++abi.", "libunwind.", "libomen-rt.", "ld-linux" };
  const char *slash = strrchr (path, '/'), *name = slash ? slash + 1 : path;
  for (size_t i = 0; i < OMEN_COUNT (known); i++)
    if (!strncmp (name, known[i], strlen (known[i])))
      return true;
  return false;
}

static void
name_unwoven (const omen_recorded *recorded)
{
  unsigned count = 0;
  for (size_t i = 1; i < recorded->modules.count; i++) {
    const char *path = recorded->modules.data[i];
    if (is_standard_library (path) || omen_program_is_woven (path))
      continue;
    omen_print (stderr, "%s%s", count++ ? ", " : "omen: not woven: ", path);
  }
  if (count)
    omen_print (stderr, "\n");
}

static const char *
size_text (uint64_t bytes, char text[32])
{
  static const char units[] = "KMGT";
  double size = (double)bytes / 1024;
  unsigned unit = 0;
  if (bytes < 10240)
    snprintf (text, 32, "%llu byte%s", (unsigned long long)bytes,
              omen_s (bytes));
  else {
    for (; size >= 1024 && unit < 3; unit++)
      size /= 1024;
    snprintf (text, 32, "%.1f %ciB", size, units[unit]);
  }
  return text;
}

/* A pipe or device, whose content cannot be inspected afterwards. */
static bool
is_special (const char *path)
{
  struct stat info;
  return !stat (path, &info) && !S_ISREG (info.st_mode);
}

static void
print_recorded (const char *output, bool preloaded)
{
  omen_recorded_files files = { 0 };
  omen_recorded_find (&files, output);
  for (size_t i = 0; i < files.count; i++) {
    omen_recorded r;
    char size[32];
    if (!omen_recorded_count (&r, files.data[i]))
      continue;
    if (i < 4 || i + 1 == files.count)
      omen_print (stderr, "omen: %s: %llu note%s of %llu thread%s, %s%s\n",
                  files.data[i], (unsigned long long)r.notes, omen_s (r.notes),
                  (unsigned long long)r.threads, omen_s (r.threads),
                  size_text (r.bytes, size), r.complete ? "" : ", cut short");
    else if (i == 4)
      omen_print (stderr, "omen: …\n");
    if (!i && !preloaded)
      name_unwoven (&r);
    omen_recorded_fini (&r);
  }
  if (!files.count && !is_special (output))
    omen_print (stderr, "omen: %s: nothing was recorded\n", output);
  omen_recorded_files_fini (&files);
}

/* ---- the command ---- */

static int
record_request (const request *r)
{
  omen_recording recording;
  int code;
  if (omen_recording_prepare (&recording, r->record.program[0], r->quiet,
                              &code)) {
    recording.specs = &r->specs;
    if (omen_recording_run (&recording, &r->record, &code)) {
      if (!r->quiet)
        print_recorded (r->record.output, recording.preload);
      code = omen_run_end (&recording.run);
    }
  }
  omen_recording_fini (&recording);
  return code;
}

static int
run_record (int argc, char **argv)
{
  request r = { .record.output = "run.omen" };
  int code;
  if (omen_cmd_parse_program (&argp, argc, argv, &r, &code)
      && omen_spec_list_load (&r.specs, &code))
    code = record_request (&r);
  omen_spec_list_fini (&r.specs);
  return code;
}

const omen_cmd omen_cmd_record
    = { "record", "run a program and write down what its threads do",
        run_record, &argp };
