/* omen explore [--] PROGRAM */
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "driver/explore/session.h"

#include <unistd.h>

static char docs[]
    = "Run a program again and again, until nothing new can happen.\v"
      "Runs PROGRAM (which omen cc or omen c++ compiled) one thread at a time, "
      "predicts from each run what others can observe, and forces these to "
      "happen, until every behaviour was seen, or the budget is spent. Two runs "
      "are one behaviour if every thread reads the same values, its operations "
      "come out the same, and it ends the same way.\n\n"
      "Each failing run (a signal, a failed assertion, a deadlock, with --spec "
      "a violated property) is a finding, with the schedule that leads there; omen replay makes it happen "
      "again. All that omen check finds in these runs is reported, too, each "
      "once.\n\n"
      "The ending is one of: complete (all behaviours of this input were seen: "
      "a proof, for programs that end and depend on nothing but their input "
      "and the schedule, under sequential consistency); budget (there are "
      "plans that were not tried); limited (all plans were tried, but "
      "something may have hidden others; it is said what).\n\n"
      "Processes that mpirun starts share the runs: the first one has DIR, and "
      "says what is found. With mpirun --enable-recovery the others may die.\n\n"
      "Exit: 1 if an error was found, 0 if not, 4 if not and the exploration is "
      "not complete.";

enum {
  KEY_RUNS = 0x100,
  KEY_TIME,
  KEY_UNTIL_FAILURE,
  KEY_NO_CHECK,
  KEY_NO_SHRINK,
  KEY_RESUME,
  KEY_OUTPUT,
  KEY_SPURIOUS,
  KEY_TRACE_RUNS,
  KEY_STATES
};

static const struct argp_option options[] = {
  { "folder", 'o', "DIR", 0,
    "Where everything goes (omen.out): a folder that is new, empty, or an "
    "earlier check's; %n is the name of the program, %p the number of omen's "
    "process",
    0 },
  { "output", KEY_OUTPUT, NULL, 0,
    "What PROGRAM writes to standard output counts: another output than that of "
    "the first run is a failure",
    0 },
  { "resume", KEY_RESUME, "DIR", 0,
    "Go on with the exploration of the same PROGRAM that was ended in DIR, where "
    "everything goes again",
    0 },
  { "runs", KEY_RUNS, "COUNT", 0, "Run the program so often at most", 0 },
  { "time", KEY_TIME, "SECONDS", 0, "Begin no run after so long", 0 },
  { "until-failure", KEY_UNTIL_FAILURE, NULL, 0, "End with the first failure",
    0 },
  { "no-check", KEY_NO_CHECK, NULL, 0,
    "Report failing runs only, not what omen check finds in the others", 0 },
  { "no-shrink", KEY_NO_SHRINK, NULL, 0,
    "Report failing runs as they were seen, and do not look for others that fail "
    "in the same way with fewer switches between threads",
    0 },
  { "spurious", KEY_SPURIOUS, NULL, 0,
    "Waits at conditions may end without a notify, once in each thread", 0 },
  { "states", KEY_STATES, "N", 0,
    "Look at N orders of the steps of a run at most (200000)", 0 },
  { "trace-runs", KEY_TRACE_RUNS, NULL, OPTION_HIDDEN,
    "Print a line for each run", 0 },
  OMEN_OPTIONS_HEAD ("Analysis:", OMEN_ANALYSIS_OPTIONS),
  { 0 },
};

typedef struct request {
  omen_check_request check;
  omen_explore_options explore;
  omen_option_choice model, group;
  const char *resume, *runs, *seconds, *states; /* as typed */
} request;

#define SHARED(X)                                                              \
  X (specs, check.specs)                                                       \
  X (source_paths, check.source_paths)                                         \
  X (quiet, check.quiet)                                                       \
  X (fail_on, check.fail_on)                                                   \
  X (model, model)                                                             \
  X (group, group)                                                             \
  X (timeout, check.options.timeout)                                           \
  X (memory, check.memory)                                                     \
  X (jobs, explore.jobs)                                                       \
  X (recording, check.record)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_TEXT ('o', "--folder", check.folder),
        OMEN_TEXT (KEY_RESUME, "--resume", resume),
        OMEN_TEXT (KEY_RUNS, "--runs", runs),
        OMEN_TEXT (KEY_TIME, "--time", seconds),
        OMEN_TEXT (KEY_STATES, "--states", states),
        OMEN_FLAG (KEY_UNTIL_FAILURE, explore.until_failure),
        OMEN_FLAG (KEY_NO_CHECK, explore.no_check),
        OMEN_FLAG (KEY_NO_SHRINK, explore.no_shrink),
        OMEN_FLAG (KEY_OUTPUT, explore.output),
        OMEN_FLAG (KEY_SPURIOUS, explore.spurious),
        OMEN_FLAG (KEY_TRACE_RUNS, explore.trace_runs),
        { 0 } };

static error_t
parse (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  omen_check_request *check = &r->check;
  uint64_t n;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  if (key != ARGP_KEY_END)
    return ARGP_ERR_UNKNOWN;
  if (check->folder && r->resume)
    omen_cmd_error (state, "--resume says where everything goes, not --folder");
  r->explore.resume = r->resume;
  if (r->resume)
    check->folder = r->resume;
  if (!check->folder)
    check->folder = "omen.out";
  if (omen_option_number (state, "--runs", r->runs, 1, 1000000000, &n))
    r->explore.runs = (unsigned)n;
  if (omen_option_number (state, "--states", r->states, 1, 100000000, &n))
    r->explore.most_states = (uint32_t)n;
  omen_option_seconds (state, "--time", r->seconds, &r->explore.seconds);
  check->colour = isatty (STDERR_FILENO);
  omen_option_analysis (state, &r->model, &r->group, check);
  return 0;
}

static const struct argp argp
    = { options, parse, "[--] PROGRAM [ARGUMENT...]", docs, children };

static int
explore_command (int argc, char **argv)
{
  request r
      = { .check = { .fail_on = OMEN_FAIL_ON_ERRORS,
                     .no_confirm = true,
                     .record.end_stuck = true,
                     .options
                     = { .jobs = 1,
                         .timeout = 10,
                         .asks = OMEN_DEFAULT_ASKS,
                         .engine = { .budget = { .steps = OMEN_DEFAULT_STEPS },
                                     .z3_seconds = 2 } } },
          .explore = { .jobs = 1, .most_states = 200000 },
          .group.value = OMEN_GROUP_CAUSE };
  int code;
  r.check.explore = &r.explore;
  if (omen_cmd_parse_program (&argp, argc, argv, &r, &code))
    code = omen_check_request_run (&r.check, omen_explore_program);
  return code;
}

const omen_cmd omen_cmd_explore
    = { "explore", "run a program until nothing new can happen",
        explore_command, &argp };
