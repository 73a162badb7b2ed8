/* omen check [--] PROGRAM */
#include "cmd/cmd.h"
#include "cmd/options.h"

#include <stdlib.h>
#include <unistd.h>

static char docs[]
    = "Run a program once and foretell what other runs can do.\v"
      "Records PROGRAM (which omen cc or omen c++ compiled), looks for races, "
      "uses of what another thread has freed, deadlocks, atomicity violations "
      "and misuse of locks in the runs that the same events allow, verifies "
      "the schedule of each, forces it onto the program to see it happen, and "
      "reports. The program's standard input and output are its own; omen's "
      "words go to standard error.\n\n"
      "DIR is left with findings.json, report.html, report.sarif, the traces "
      "and witness/N, the schedule of finding N. omen report prints them "
      "again; omen replay makes one happen again.\n\n"
      "All woven programs that PROGRAM starts are looked at: omen check -- "
      "make test gives one report for all of them. To confirm what was found "
      "PROGRAM is run again for each finding, and the schedule is forced onto "
      "the one process that it is about; errors first, the shorter schedule "
      "before the longer, for --confirm-time at most: what was not tried by "
      "then is verified, not confirmed.\n\n"
      "One run does not show everything, so there are three more, under random "
      "schedules with fixed seeds, and what replays record is looked at, too. "
      "Together these runs may take three times as long as the first one took, "
      "but at least 5 s and at most 10 s; a run that is cut short is used as "
      "far as it was recorded, and no further run is made once their analysis "
      "has taken 30 s. The summary says so. --runs N makes N runs in all, "
      "however long they take. There is only one with --no-confirm, or if "
      "standard input is a pipe, unless --runs says otherwise. What all runs "
      "but the first print is discarded, standard input from a file is read "
      "again by each, and is empty if it is no file. Files that PROGRAM writes "
      "are written by every run.\n\n"
      "Reports are written as findings come. SIGTERM and SIGHUP end omen check "
      "and everything that it started at once; the reports have what was known "
      "by then, and findings.json says that it is not complete. SIGINT does "
      "so, too, except during the first run: there it is for the program, and "
      "what was recorded until then is analysed.\n\n"
      "With --spec, verdicts of the monitors of a property file that other "
      "runs reach are findings, too. Events are what the recording has: "
      "accesses, calls, locks, threads, and all events of the file that the "
      "program was compiled with (omen cc --spec FILE). A pointcut that no "
      "event matched is named in a warning. The files are copied to DIR/spec, "
      "where omen replay looks for them.\n\n"
      "Findings are errors, warnings or notes. Warnings are functions that are "
      "not atomic but are not marked as atomic either; blocks that the program "
      "marks (OMEN_ATOMIC_BEGIN) are errors. Notes are nondeterministic reads, "
      "which are looked for with --nondet. All else is an error, and so is a "
      "recorded run that dies of a signal (a failure), unless the signal came "
      "from another process. Errors make the exit code 1; --fail-on says "
      "otherwise.\n\n"
      "What has one cause is one finding with instances: races on the elements "
      "of an array, in the copies of a template, on the fields of a struct "
      "that two functions use; all pairs of variables by which a function is "
      "not atomic. The schedule of one instance is witness/N, those of the "
      "others are witness/N.2 and so on. If the replay of the first goes "
      "another way, other schedules of it and a few of the others are tried.\n\n"
      "A program that deadlocks while it is recorded is ended, once every "
      "thread waits for another one and nothing from outside can help, and the "
      "deadlock is reported.\n\n"
      "--suppress takes a file in the syntax of ThreadSanitizer's "
      "suppressions: a line such as race:list_add leaves out races in which a "
      "function, file or variable matches; kinds are race, lifetime, deadlock, "
      "misuse, atomicity, nondet, property and failure. --baseline takes the "
      "DIR or findings.json of an earlier check: what is in it is not reported "
      "again.\n\n"
      "A finding whose replay went another way is reported, but does not make "
      "the exit code 1 unless --strict is given: the input or the time may "
      "have been different, or something that omen does not see (a file, code "
      "that is not woven) may keep its events apart. A finding that a library "
      "may rule out is unverified, and counts only if the replay confirms it: "
      "in a library that was not compiled by omen cc, locks made of atomics "
      "are not recorded.\n\n"
      "On a terminal a line shows how far it is; elsewhere each phase (record, "
      "predict, confirm) is a line. --quiet leaves both out.\n\n"
      "Exit: 1 if an error was found (or what --fail-on says), 0 if not, 4 if "
      "not and candidates stayed undecided; 128 and the number of the signal "
      "that ended it; 126 or 127 if the program did not start. The program's "
      "own exit code is printed, not passed on, unless --program-exit is "
      "given: for tools that run tests by a wrapper. There, each check needs a "
      "folder of its own: -o omen.out/%n-%p.";

enum {
  KEY_RUNS = 0x100,
  KEY_CONFIRM_TIME,
  KEY_NO_CONFIRM,
  KEY_SUPPRESS,
  KEY_BASELINE,
  KEY_NONDET,
  KEY_STRICT,
  KEY_PROGRAM_EXIT,
  KEY_COLOUR
};

static const struct argp_option options[] = {
  { "nondet", KEY_NONDET, NULL, 0,
    "Look for nondeterministic reads, too, which are no mistake in most "
    "programs",
    0 },
  { "output", 'o', "DIR", 0,
    "Where everything goes (omen.out): a folder that is new, empty, or an "
    "earlier check's; %n is the name of the program, %p the number of omen's "
    "process",
    0 },
  { "runs", KEY_RUNS, "N", 0,
    "Record N runs, the first as it comes, the others silently under random "
    "schedules; without it there are 4, within a time limit",
    0 },
  { "no-confirm", KEY_NO_CONFIRM, NULL, 0,
    "Do not force the schedules onto the program", 0 },
  { "confirm-time", KEY_CONFIRM_TIME, "SECONDS", 0,
    "Force schedules onto the program for so long, all together (60)", 0 },
  { "suppress", KEY_SUPPRESS, "FILE", 0, "Leave out what FILE says", 0 },
  { "baseline", KEY_BASELINE, "FILE", 0,
    "Report only what is not in this earlier findings.json", 0 },
  { "program-exit", KEY_PROGRAM_EXIT, NULL, 0,
    "If the exit code would be 0, end with that of the program", 0 },
  { "strict", KEY_STRICT, NULL, 0,
    "Findings whose replay went another way make the exit code 1, too", 0 },
  { "color", KEY_COLOUR, "WHEN", 0,
    "auto (the default: on a terminal, unless NO_COLOR is set), always, never",
    0 },
  OMEN_OPTIONS_HEAD ("Analysis:", OMEN_ANALYSIS_OPTIONS),
  OMEN_OPTIONS_HEAD ("Recording:", OMEN_RECORDING_OPTIONS),
  { 0 },
};

typedef struct request {
  omen_check_request check;
  omen_option_choice model, group;
  const char *runs, *confirm_time, *colour; /* as typed */
} request;

#define SHARED(X)                                                              \
  X (specs, check.specs)                                                       \
  X (all, check.all)                                                           \
  X (source_paths, check.source_paths)                                         \
  X (quiet, check.quiet)                                                       \
  X (fail_on, check.fail_on)                                                   \
  X (model, model)                                                             \
  X (group, group)                                                             \
  X (timeout, check.options.timeout)                                           \
  X (memory, check.memory)                                                     \
  X (jobs, check.options.jobs)                                                 \
  X (recording, check.record)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_TEXT ('o', "--output", check.folder),
        OMEN_TEXT (KEY_RUNS, "--runs", runs),
        OMEN_TEXT (KEY_CONFIRM_TIME, "--confirm-time", confirm_time),
        OMEN_TEXT (KEY_SUPPRESS, "--suppress", check.suppress),
        OMEN_TEXT (KEY_BASELINE, "--baseline", check.baseline),
        OMEN_TEXT (KEY_COLOUR, "--color", colour),
        OMEN_FLAG (KEY_NO_CONFIRM, check.no_confirm),
        OMEN_FLAG (KEY_STRICT, check.strict),
        OMEN_FLAG (KEY_PROGRAM_EXIT, check.program_exit),
        OMEN_FLAG (KEY_NONDET, check.nondet),
        { 0 } };

static bool
in_colour (struct argp_state *state, const char *typed)
{
  static const char *const words[] = { "auto", "always", "never" };
  const char *no = secure_getenv ("NO_COLOR");
  unsigned word = 0;
  omen_option_word (state, "--color", typed, words, OMEN_COUNT (words), &word);
  return word ? word == 1 : isatty (STDERR_FILENO) && !(no && *no);
}

static error_t
parse_check_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  omen_check_request *check = &r->check;
  uint64_t n;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  if (key != ARGP_KEY_END)
    return ARGP_ERR_UNKNOWN;
  if (!check->folder)
    check->folder = "omen.out";
  if (omen_option_number (state, "--runs", r->runs, 1, 10000, &n))
    check->runs = (unsigned)n;
  omen_option_seconds (state, "--confirm-time", r->confirm_time,
                       &check->confirm_time);
  check->colour = in_colour (state, r->colour);
  omen_option_analysis (state, &r->model, &r->group, check);
  return 0;
}

static const struct argp argp
    = { options, parse_check_option, "[--] PROGRAM [ARGUMENT...]", docs,
        children };

static int
run_check (int argc, char **argv)
{
  request r
      = { .check = { .confirm_time = 60,
                     .fail_on = OMEN_FAIL_ON_ERRORS,
                     .record.end_stuck = true,
                     .options
                     = { .jobs = (unsigned)sysconf (_SC_NPROCESSORS_ONLN),
                         .timeout = 60,
                         .asks = OMEN_DEFAULT_ASKS,
                         .engine = { .budget = { .steps = OMEN_DEFAULT_STEPS },
                                     .z3_seconds = 2 } } },
          .group.value = OMEN_GROUP_CAUSE };
  int code;
  if (omen_cmd_parse_program (&argp, argc, argv, &r, &code))
    code = omen_check_request_run (&r.check, omen_check_program);
  return code;
}

const omen_cmd omen_cmd_check
    = { "check", "run a program once, foretell what other runs can do",
        run_check, &argp };
