#include "cmd/check_options.h"
#include "cmd/numbers.h"

#include <string.h>
#include <unistd.h>

static char docs[]
    = "Run a program once and foretell what other runs can do.\v"
      "Records PROGRAM (which omen cc or omen c++ compiled), looks for races, "
      "deadlocks, atomicity violations, misuse of locks and nondeterministic "
      "reads in the runs that the same events allow, verifies the schedule of "
      "each, forces it onto the program to see it happen, and reports. The "
      "program's standard input and output are its own; omen's words go to "
      "standard error.\n\n"
      "DIR is left with findings.json, report.html, report.sarif, the traces "
      "and witness/N, the schedule of finding N. omen report tells them again; "
      "omen replay makes one happen again.\n\n"
      "All woven programs that PROGRAM starts are looked at: omen check -- "
      "make test gives one report for all of them. To confirm what was found "
      "PROGRAM is run again for each finding, and the schedule is forced onto "
      "the one process that it is about; --no-confirm runs it only once. "
      "Standard input from a file is read again by each of these runs; what "
      "comes through a pipe only the first one gets.\n\n"
      "With --spec, verdicts of the monitors of a property file that other runs "
      "reach are findings, too. Events are what the recording has: accesses, "
      "calls, locks, threads, and all events of the file that the program was "
      "compiled with (omen cc --spec FILE). A pointcut that nothing was is told. "
      "The files are copied to DIR/spec, where omen replay looks for them.\n\n"
      "A function that is not atomic is one finding, with the pairs of variables "
      "by which it is not: the schedule of one of them is witness/N, those of "
      "the others are witness/N.2 and so on. If the replay of the first goes "
      "another way, a few of the others are tried.\n\n"
      "A program that deadlocks while it is recorded is ended, once every thread "
      "waits for another one and nothing from outside can help, and the "
      "deadlock is reported.\n\n"
      "--suppress takes a file in the syntax of ThreadSanitizer's "
      "suppressions: a line such as race:list_add leaves out races in which a "
      "function, file or variable matches; kinds are race, deadlock, misuse, "
      "atomicity, nondet and property. --baseline takes the DIR or "
      "findings.json of an earlier check: what is in it is not reported "
      "again.\n\n"
      "A finding that the replay did not confirm is told, but does not make the "
      "exit code 1 unless --strict is given: the input or the time may have "
      "been others, or something that omen does not see (a file, code that is "
      "not woven) keeps its events apart.\n\n"
      "On a terminal a line shows how far it is; elsewhere each phase (record, "
      "predict, confirm) is a line. --quiet leaves both out.\n\n"
      "Exit: 1 if something was found (of the kinds of --fail-on, if given), "
      "0 if not, 4 if candidates stayed undecided and nothing was found; 126 "
      "or 127 if the program did not start. The program's own exit code is "
      "told, not passed on.";

enum {
  KEY_RUNS = 0x100,
  KEY_NO_CONFIRM,
  KEY_SUPPRESS,
  KEY_BASELINE,
  KEY_FAIL_ON,
  KEY_STRICT,
  KEY_COLOUR,
  KEY_TIMEOUT,
  KEY_SCHEDULE,
  KEY_FOR,
  KEY_SIZE,
  KEY_GROUP,
  KEY_SPEC
};

static const struct argp_option options[] = {
  { "output", 'o', "DIR", 0, "Where everything goes (omen.out)" },
  { "model", 'm', "MODEL", 0, "rf, value or sliced: what a read must see (value); "
    "sliced knows more of programs compiled with omen cc --depend" },
  { "spec", KEY_SPEC, "FILE", 0,
    "A property file: which verdicts can other runs reach? May be given "
    "again" },
  { "runs", KEY_RUNS, "N", 0,
    "Record N runs, the first as it comes, the others under random schedules" },
  { "no-confirm", KEY_NO_CONFIRM, NULL, 0,
    "Do not force the schedules onto the program" },
  { "suppress", KEY_SUPPRESS, "FILE", 0, "Leave out what FILE says" },
  { "baseline", KEY_BASELINE, "FILE", 0,
    "Report only what is not in this earlier findings.json" },
  { "fail-on", KEY_FAIL_ON, "KINDS", 0,
    "Only these make the exit code 1: race,deadlock,…" },
  { "strict", KEY_STRICT, NULL, 0,
    "Findings whose replay went another way make the exit code 1, too" },
  { "group", KEY_GROUP, "BY", 0,
    "Of functions that are not atomic: one finding for each function (block, the "
    "default), or for each function and pair of variables (variable)" },
  { "schedule", KEY_SCHEDULE, "KIND", 0,
    "Of the first run: free (the default), random:SEED, pct:SEED,D or rr" },
  { "for", KEY_FOR, "TIME", 0,
    "End the program with SIGTERM after TIME: 30s, 2m" },
  { "max-size", KEY_SIZE, "BYTES", 0, "Stop recording at this size: 100M" },
  { "timeout", KEY_TIMEOUT, "SECONDS", 0,
    "For the questions of a kind about a trace (default: 60); what is open then "
    "is undecided" },
  { "jobs", 'j', "N", 0, "Worker threads (default: the processors there are)" },
  { "color", KEY_COLOUR, "WHEN", 0,
    "auto (the default: on a terminal, unless NO_COLOR is set), always, "
    "never" },
  { "quiet", 'q', NULL, 0, "Only the summary line" },
  { 0 },
};

/* "race,deadlock" as bits. */
static void
read_kinds (struct argp_state *state, const char *text, unsigned *kinds)
{
  *kinds = 0;
  if (!*text)
    argp_error (state, "--fail-on needs a kind of finding");
  while (*text) {
    size_t length = strcspn (text, ",");
    unsigned kind = 0;
    while (kind < OMEN_FINDINGS
           && (strlen (omen_finding_kind_text (kind)) != length
               || strncmp (omen_finding_kind_text (kind), text, length)))
      kind++;
    if (kind == OMEN_FINDINGS)
      argp_error (state, "--fail-on: '%.*s' is no kind of finding",
                  (int)length, text);
    else
      *kinds |= 1u << kind;
    text += length + (text[length] == ',');
  }
}

static void
finish (struct argp_state *state, omen_check_request *r)
{
  uint64_t n;
  r->record.output = "";
  r->record.end_stuck = true;
  omen_record_check (&r->record, state);
  r->folder = r->folder ? r->folder : "omen.out";
  r->runs = 1;
  if (omen_number (state, "--runs", r->runs_text, 1, 10000, &n))
    r->runs = (unsigned)n;
  r->options.jobs = (unsigned)sysconf (_SC_NPROCESSORS_ONLN);
  if (omen_number (state, "--jobs", r->jobs, 1, 1024, &n))
    r->options.jobs = (unsigned)n;
  r->options.timeout = 60;
  omen_seconds (state, "--timeout", r->timeout, &r->options.timeout);
  if (r->fail_on)
    read_kinds (state, r->fail_on, &r->fail_kinds);
  else
    r->fail_kinds = ~0u;
  r->model_given = r->model;
  if (r->model && (!omen_model_parse (r->model, &r->options.model)
                   || r->options.model > OMEN_MODEL_SLICED))
    argp_error (state, "--model is rf, value or sliced, not '%s'", r->model);
  r->by_block = !r->group || !strcmp (r->group, "block");
  if (!r->by_block && strcmp (r->group, "variable"))
    argp_error (state, "--group is block or variable, not '%s'", r->group);
  if (r->colour && strcmp (r->colour, "auto") && strcmp (r->colour, "always")
      && strcmp (r->colour, "never"))
    argp_error (state, "--color is auto, always or never, not '%s'",
                r->colour);
}

static const omen_cmd_slot slots[] = {
#define SLOT(key, name, field) OMEN_SLOT (omen_check_request, key, name, field)
  SLOT ('o', "--output", folder),
  SLOT ('m', "--model", model),
  SLOT ('j', "--jobs", jobs),
  SLOT (KEY_RUNS, "--runs", runs_text),
  SLOT (KEY_SUPPRESS, "--suppress", suppress),
  SLOT (KEY_BASELINE, "--baseline", baseline),
  SLOT (KEY_FAIL_ON, "--fail-on", fail_on),
  SLOT (KEY_GROUP, "--group", group),
  SLOT (KEY_COLOUR, "--color", colour),
  SLOT (KEY_TIMEOUT, "--timeout", timeout),
  SLOT (KEY_SCHEDULE, "--schedule", record.schedule),
  SLOT (KEY_FOR, "--for", record.time),
  SLOT (KEY_SIZE, "--max-size", record.max_size),
#undef SLOT
};

static error_t
parse (int key, char *arg, struct argp_state *state)
{
  omen_check_request *r = state->input;
  if (omen_cmd_keep (state, slots, OMEN_COUNT (slots), key, arg))
    return 0;
  if (key == KEY_SPEC)
    OMEN_VEC_PUSH (r->specs.paths, arg);
  else if (key == KEY_NO_CONFIRM)
    r->no_confirm = true;
  else if (key == KEY_STRICT)
    r->strict = true;
  else if (key == 'q')
    r->quiet = true;
  else if (key == ARGP_KEY_ARG) { /* the rest is the program's */
    r->record.program = state->argv + state->next - 1;
    state->next = state->argc;
  } else if (key == ARGP_KEY_END)
    finish (state, r);
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

const struct argp omen_check_argp
    = { options, parse, "[--] PROGRAM [ARGUMENT...]", docs };
