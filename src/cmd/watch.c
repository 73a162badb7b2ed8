/* omen watch [--] PROGRAM */
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "driver/predict/atomic_list.h"
#include "driver/watch/watch.h"

enum { KEY_ON_FINDING = 0x100, KEY_NO_VERIFY, KEY_STATS, KEY_WHOLE };

static char docs[]
    = "Run a program and report atomicity violations, or verdicts of "
      "properties, while it runs.\v"
      "PROGRAM is one that omen cc or omen c++ compiled. While it runs, "
      "SideTrack's rules look at its lock operations: each function (or other "
      "block, see --atomic) that takes a lock twice, and that another thread "
      "could have entered in between, is reported at once, in a line on "
      "standard error. These reports are unverified: the rules look neither at "
      "memory nor at values, and rely on the program having no races.\n\n"
      "When the program has ended, each report is put to the engine, with the "
      "accesses that were recorded. Verified ones are findings, with a "
      "schedule that shows them. Others stay unverified, and those that no run "
      "can show are refuted. If there are races in the trace omen says so.\n\n"
      "The trace grows while the program runs. With --no-verify and without -o "
      "what has been looked at is given back, so that a program can be watched "
      "for any length of time; all reports stay unverified then.\n\n"
      "With --spec, the properties of a file are watched instead: again and "
      "again all runs that consist of the same events (--model lattice of omen "
      "predict) are explored, and each verdict that one of them reaches is "
      "reported at once, verified on what has happened so far. --breadth "
      "limits this to runs that are close to the observed one. What has been "
      "explored is forgotten, but for the last events and what properties "
      "speak of, so that memory does not grow with the run. The recording is "
      "read once, as it grows; if more happens than can be explored meanwhile, "
      "some runs of it wait for the end (omen says so). When the program has "
      "ended, the whole run is explored, and the findings are printed with "
      "their schedules and with the number of cuts and complete runs (if a "
      "property reads variables whose value does not matter to it, runs that "
      "end with such a read are counted, too, which the lattice does not "
      "have). With --no-verify, and if the run is longer than --whole says, "
      "only what is new is explored, since a whole run takes some 160 bytes of "
      "memory for each event. A report may be missing among the findings: "
      "later reads of the program can rule out the run that it was about.\n\n"
      "--on-finding runs a command by the shell when a report is made, one at "
      "a time, with standard error as its output and no input. These "
      "environment variables describe the report:\n\n"
      "  OMEN_PID       the process that was watched\n"
      "  OMEN_FINDING   the line that was printed\n"
      "  OMEN_KIND      atomicity\n"
      "  OMEN_ERROR     before, in or after\n"
      "  OMEN_BLOCK     the block that is not atomic\n"
      "  OMEN_LOCK      the lock\n"
      "  OMEN_FIRST, OMEN_SECOND   where the block takes it\n"
      "  OMEN_CULPRIT   where the other thread does\n\n"
      "With --spec, OMEN_KIND is property, and instead of the last six there "
      "are\n\n"
      "  OMEN_PROPERTY, OMEN_CATEGORY   which verdict\n"
      "  OMEN_BINDING   of the parameters: c=1, i=7\n"
      "  OMEN_LOCATION  of the event that leads to it\n\n"
      "Standard input and output, signals and the exit status are the "
      "program's own, as for omen record; but the exit status is 1 if a "
      "finding was verified.";

static const struct argp_option options[] = {
  { "on-finding", KEY_ON_FINDING, "COMMAND", 0,
    "Run COMMAND at each report, while the program runs", 0 },
  { "no-verify", KEY_NO_VERIFY, NULL, 0, "Do not judge the reports at the end",
    0 },
  { "stats", KEY_STATS, NULL, 0,
    "With --spec: say at the end how often and how much was looked at", 0 },
  OMEN_OPTIONS_HEAD ("Analysis:", OMEN_ANALYSIS_OPTIONS),
  { "whole", KEY_WHOLE, "N", 0,
    "With --spec: at the end, walk the whole run if it has at most N recorded "
    "items (default 8000000)",
    0 },
  OMEN_OPTIONS_HEAD ("Recording:", OMEN_RECORDING_OPTIONS),
  { 0 }
};

typedef struct request {
  omen_watch_request watch;
  omen_option_choice breadth;
  const char *atomic, *whole; /* as typed */
} request;

#define SHARED(X)                                                              \
  X (specs, watch.specs)                                                       \
  X (recorded, watch.record.output)                                            \
  X (quiet, watch.quiet)                                                       \
  X (atomic, atomic)                                                           \
  X (breadth, breadth)                                                         \
  X (timeout, watch.timeout)                                                   \
  X (recording, watch.record)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_TEXT (KEY_WHOLE, "--whole", whole),
        OMEN_TEXT (KEY_ON_FINDING, "--on-finding", watch.on_finding),
        OMEN_FLAG (KEY_NO_VERIFY, watch.no_verify),
        OMEN_FLAG (KEY_STATS, watch.stats),
        { 0 } };

static error_t
parse_watch_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  omen_watch_request *watch = &r->watch;
  bool specs = watch->specs.paths.count;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  if (key != ARGP_KEY_END)
    return ARGP_ERR_UNKNOWN;
  if (watch->on_finding && !*watch->on_finding)
    omen_cmd_error (state, "--on-finding needs a command");
  if (r->breadth.text && !specs)
    omen_cmd_error (state, "--breadth goes with --spec");
  if (watch->stats && !specs)
    omen_cmd_error (state, "--stats goes with --spec");
  if (r->whole && !specs)
    omen_cmd_error (state, "--whole goes with --spec");
  if (r->atomic && specs)
    omen_cmd_error (state, "--atomic does not go with --spec");
  omen_option_number (state, "--whole", r->whole, 0, UINT64_MAX, &watch->whole);
  watch->breadth = r->breadth.value;
  return 0;
}

static const struct argp argp
    = { options, parse_watch_option, "[--] PROGRAM [ARGUMENT...]", docs,
        children };

static int
run_watch (int argc, char **argv)
{
  request r = { .watch.whole = OMEN_WATCH_WHOLE,
                .breadth.value = OMEN_WATCH_BREADTH };
  omen_atomic atomic;
  int code;
  if (!omen_cmd_parse_program (&argp, argc, argv, &r, &code))
    return code;
  r.watch.atomic = &atomic;
  if (omen_atomic_load (r.atomic, &atomic, &code)
      && omen_spec_list_load (&r.watch.specs, &code))
    code = omen_watch_program (&r.watch);
  omen_atomic_fini (&atomic);
  omen_spec_list_fini (&r.watch.specs);
  return code;
}

const omen_cmd omen_cmd_watch
    = { "watch", "report atomicity or property violations while a program runs",
        run_watch, &argp };
