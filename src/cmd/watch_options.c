#include "cmd/watch_options.h"
#include "cmd/numbers.h"
#include "cmd/watch_spec.h"

#include <string.h>

enum {
  KEY_ATOMIC = 1000,
  KEY_ON_FINDING,
  KEY_SCHEDULE,
  KEY_FOR,
  KEY_SIZE,
  KEY_NO_VERIFY,
  KEY_TIMEOUT,
  KEY_SPEC,
  KEY_BREADTH,
  KEY_STATS,
  KEY_WHOLE
};

static char docs[]
    = "Run a program and tell of atomicity violations, or of verdicts of "
      "properties, while it runs.\v"
      "PROGRAM is one that omen cc or omen c++ compiled. While it runs, "
      "SideTrack's rules look at its lock operations: each function (or other "
      "block, see --atomic) that takes a lock twice, and that another thread "
      "could have entered in between, is told of at once, in a line on "
      "standard "
      "error. These reports are unverified: the rules look neither at memory "
      "nor at values, and rely on the program having no races.\n\n"
      "When the program has ended, each report is put to the engine, with the "
      "accesses that were recorded. Verified ones are findings, with a "
      "schedule "
      "that shows them. Others stay unverified, and those that no run can show "
      "are refuted. If there are races in the trace omen says so.\n\n"
      "The trace grows while the program runs. With --no-verify and without -o "
      "what has been looked at is given back, so that a program can be watched "
      "for any length of time; all reports stay unverified then.\n\n"
      "With --spec, the properties of a file are watched instead: again and "
      "again all runs that are made of the same events (--model lattice of omen "
      "predict) are walked, and each verdict that one of them comes to is told "
      "at once, verified on what has happened so far. --breadth keeps the walk "
      "near the run itself. What has been walked is past, but for the last "
      "events, and is forgotten, so that memory does not grow with the run; what "
      "properties speak of is remembered. The recording is read once, as it "
      "grows; if more happens than can be walked meanwhile some runs of it wait "
      "for the end (omen says so). When "
      "the program has ended the whole run is walked, "
      "the findings are told with their schedules, and how many cuts and "
      "complete runs there are; with --no-verify, and if the run is longer than "
      "--whole says, only what is new is looked at once more, since a whole run "
      "takes some 160 bytes of memory for each event. A report may not be among the findings: the program "
      "may have gone on to read something that must be read before, which the "
      "lattice holds to.\n\n"
      "--on-finding runs a command by the shell when a report is made, one at "
      "a "
      "time, with standard error as its output and no input. It is told what "
      "it "
      "is about by these variables:\n\n"
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
      "program's "
      "own, as for omen record; but the exit status is 1 if a finding was "
      "verified.";

static const struct argp_option options[] = {
  { "atomic", KEY_ATOMIC, "WHICH", 0,
    "Blocks meant to be atomic: all (the default: marked ones and every "
    "function but main and the first of a thread), marked, or a file that "
    "lists functions to include or, with -, to leave out",
    0 },
  { "spec", KEY_SPEC, "FILE", 0,
    "A property file: tell of verdicts that other runs come to; may be given "
    "more than once", 0 },
  { "breadth", KEY_BREADTH, "N", 0,
    "With --spec: at most N cuts a level (default 10000), or all", 0 },
  { "whole", KEY_WHOLE, "N", 0,
    "With --spec: at the end, walk the whole run if it has at most N recorded "
    "items (default 8000000)",
    0 },
  { "stats", KEY_STATS, NULL, 0,
    "With --spec: say at the end how often and how much was looked at", 0 },
  { "on-finding", KEY_ON_FINDING, "COMMAND", 0,
    "Run COMMAND at each report, while the program runs", 0 },
  { "output", 'o', "FILE", 0, "Keep the trace in FILE", 0 },
  { "no-verify", KEY_NO_VERIFY, NULL, 0, "Do not judge the reports at the end",
    0 },
  { "timeout", KEY_TIMEOUT, "SECONDS", 0,
    "For judging the reports; what is open then stays unverified", 0 },
  { "schedule", KEY_SCHEDULE, "KIND", 0,
    "free (the default), random:SEED, pct:SEED,D or rr", 0 },
  { "for", KEY_FOR, "TIME", 0,
    "End the program with SIGTERM after TIME: 30s, 500ms, 2m, 1h", 0 },
  { "max-size", KEY_SIZE, "BYTES", 0,
    "Stop recording, and watching, when the trace is that large: 100M, 2G", 0 },
  { "quiet", 'q', NULL, 0, "Reports and findings only: no summary", 0 },
  { 0 }
};

static void
finish_spec (omen_watch_request *r, struct argp_state *state)
{
  uint64_t n;
  if (r->breadth && !r->specs.paths.count)
    argp_error (state, "--breadth goes with --spec");
  if (r->stats && !r->specs.paths.count)
    argp_error (state, "--stats goes with --spec");
  if (r->whole && !r->specs.paths.count)
    argp_error (state, "--whole goes with --spec");
  r->whole_items = OMEN_WATCH_WHOLE;
  if (omen_number (state, "--whole", r->whole, 0, UINT64_MAX, &n))
    r->whole_items = n;
  if (r->atomic && r->specs.paths.count)
    argp_error (state, "--atomic does not go with --spec");
  r->breadth_cuts = OMEN_WATCH_BREADTH;
  if (r->breadth && !strcmp (r->breadth, "all"))
    r->breadth_cuts = 0;
  else if (omen_number (state, "--breadth", r->breadth, 1, UINT32_MAX, &n))
    r->breadth_cuts = (uint32_t)n;
}

static void
finish (omen_watch_request *r, struct argp_state *state)
{
  bool kept = r->record.output;
  if (kept && !*r->record.output)
    argp_error (state, "--output needs the name of a file");
  if (r->on_finding && !*r->on_finding)
    argp_error (state, "--on-finding needs a command");
  finish_spec (r, state);
  omen_seconds (state, "--timeout", r->timeout, &r->timeout_seconds);
  r->record.stream = true;
  r->record.quiet = r->quiet;
  omen_record_check (&r->record, state);
}

static const omen_cmd_slot slots[] = {
#define SLOT(key, name, field) OMEN_SLOT (omen_watch_request, key, name, field)
  SLOT (KEY_ATOMIC, "--atomic", atomic),
  SLOT (KEY_BREADTH, "--breadth", breadth),
  SLOT (KEY_WHOLE, "--whole", whole),
  SLOT (KEY_ON_FINDING, "--on-finding", on_finding),
  SLOT ('o', "--output", record.output),
  SLOT (KEY_TIMEOUT, "--timeout", timeout),
  SLOT (KEY_SCHEDULE, "--schedule", record.schedule),
  SLOT (KEY_FOR, "--for", record.time),
  SLOT (KEY_SIZE, "--max-size", record.max_size),
#undef SLOT
};

static error_t
parse (int key, char *arg, struct argp_state *state)
{
  omen_watch_request *r = state->input;
  if (omen_cmd_keep (state, slots, OMEN_COUNT (slots), key, arg))
    return 0;
  switch (key) {
  case KEY_SPEC:
    OMEN_VEC_PUSH (r->specs.paths, arg);
    return 0;
  case KEY_NO_VERIFY:
    r->no_verify = true;
    return 0;
  case KEY_STATS:
    r->stats = true;
    return 0;
  case 'q':
    r->quiet = true;
    return 0;
  case ARGP_KEY_ARG: /* the rest is the program's */
    r->record.program = state->argv + state->next - 1;
    state->next = state->argc;
    return 0;
  case ARGP_KEY_END:
    finish (r, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp omen_watch_argp
    = { options, parse, "[--] PROGRAM [ARGUMENT...]", docs };
