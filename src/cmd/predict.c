/* omen predict [KIND] TRACE */
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "driver/predict/atomic_list.h"
#include "driver/predict/run.h"

#include <string.h>

static char docs[]
    = "Foretell the errors of other runs that a trace allows.\v"
      "KIND is race, lifetime, deadlock, atomicity, nondet, property, failure "
      "or all; without it, all but nondet, which is no error in most programs, "
      "as omen check does. Properties need --spec. A failure is a recorded run "
      "that died of a signal. Misuse of locks that the trace shows (taken "
      "twice, released by another thread, destroyed while held, waited on "
      "without its lock, held at thread exit) is reported in the same pass. "
      "TRACE is a text trace or a recorded file; - is standard input.\n\n"
      "A lifetime error is a use, or a second free, of what another thread has "
      "freed before; a race with a free is reported as a lifetime error.\n\n"
      "A finding is a claim with a schedule that shows it: a reordering of the "
      "events of the trace, checked by omen verify before it is printed. What "
      "may change in a reordering is the model: under rf every read sees the "
      "very write it saw in the trace, under value a write of the same value, "
      "under sliced that too, but only if the claim or synchronisation depends "
      "on it, as far as the trace says what depends on what. Under lattice "
      "every read sees the very write it saw, and a write and its reads stay "
      "together: no other access to the variable comes between them. The "
      "default is value if the trace has values and rf otherwise.\n\n"
      "With --spec, the monitors of a property file are followed through other "
      "runs: a verdict that some run reaches (match, fail, violation, "
      "validation, a state of an fsm, as far as the file has handlers for "
      "them) is a finding, for each binding of the property's parameters by "
      "itself. One report is made for each formula, category and source "
      "location; --group none gives every binding.\n\n"
      "The model lattice (races, lifetimes and properties only) walks all runs "
      "at once, level by level, from one set of events that can have happened "
      "to the next; --stats says how many such cuts and complete runs there "
      "are. Its steps are accesses, locks and the like, and what the property "
      "speaks of: not forks, joins and functions, nor what main does before "
      "and after all other threads. --breadth keeps only the N cuts of a level "
      "that are nearest to the observed run: 1 is that run alone.\n\n"
      "A candidate whose question needs more than the budget, or that only a "
      "larger window could refute, is undecided: it is counted, never reported "
      "as found or as absent.\n\n"
      "Findings are errors, warnings (functions that are not atomic) or notes "
      "(nondeterministic reads). The exit code is 1 if there are errors, or "
      "anything of a KIND that was given; --fail-on says otherwise. What has "
      "one cause is one finding with instances: races on one variable, on the "
      "elements of an array, in the copies of a template, on the fields of a "
      "struct that two functions use.\n\n"
      "With --group location a race is grouped by its pair of source "
      "locations, so that each pair is reported once; event gives one report "
      "for each access that races with an earlier one, none gives every pair "
      "of events.\n\n"
      "An atomic block is violated if between two of its accesses another "
      "thread can do what conflicts with both, in one event or one block. One "
      "report is made for each block, with all its pairs of variables; --group "
      "location gives one for each block and pair of source locations in it, "
      "event one for each time the block ran, variable one for each block and "
      "pair of variables, none every combination of events. Blocks are what "
      "--atomic says; with a FILE, a line is the name of an atomic function, "
      "-NAME leaves one out, and * means every function.\n\n"
      "What holds only if a library that was not compiled by omen cc does not "
      "synchronise there is unverified: it is shown, names the library, and "
      "does not count. omen check replays it.\n\n"
      "--engine sidetrack looks at lock operations alone: a lock that a block "
      "acquires twice, and an acquire by another thread that may have come "
      "between (before-, in- and after-errors). It is quick, but relies on "
      "programs without races, and can be wrong where the other thread would "
      "be stuck; so each error is put to the engine. Verified ones are "
      "findings; unverified and refuted ones are shown but do not count. "
      "--engine observed asks whether the run itself was serializable, "
      "whatever the number of blocks in a cycle.\n\n"
      "Processes that mpirun starts share the questions: the first one prints "
      "what one process would.\n\n"
      "A read is nondeterministic if it can see another write than the one it "
      "saw (under value: of another value). One report is made for each read "
      "and such write (--group cause: for each variable), by source location "
      "of the read, with an order: wcr, the write it saw, then the other one, "
      "then the read; crw, the write it saw can still follow the read; cr, it "
      "cannot. --group none has a report for each order that is possible, as "
      "the table of --table counts them.";

enum {
  KEY_STATS = 0x100,
  KEY_WITNESS_DIR,
  KEY_SOLVER,
  KEY_BUDGET,
  KEY_WINDOW,
  KEY_FINAL,
  KEY_ENGINE,
  KEY_TABLE
};

static const struct argp_option options[] = {
  { "table", KEY_TABLE, NULL, 0,
    "With nondet or --engine sidetrack: only count, in the columns of the "
    "paper; nondet takes several traces and sums them up",
    0 },
  { "final", KEY_FINAL, NULL, 0,
    "With nondet: also variables whose final value depends on the schedule",
    0 },
  { "witness-dir", KEY_WITNESS_DIR, "DIR", 0,
    "Write the witness of finding N to DIR/N", 0 },
  { "stats", KEY_STATS, NULL, 0, "Print what the engine did", 0 },
  OMEN_OPTIONS_HEAD ("Analysis:", OMEN_ANALYSIS_OPTIONS),
  { "window", KEY_WINDOW, "N", 0,
    "Reorder at most N consecutive events in a search (default 16384, for "
    "properties 131072); quick answers always see the whole trace",
    0 },
  { "budget", KEY_BUDGET, "N", 0,
    "Decisions of a search before it goes to Z3 (default 4000)", 0 },
  { "solver", KEY_SOLVER, "WHICH", 0,
    "native (the default) or z3, which gets every question that is asked", 0 },
  { "engine", KEY_ENGINE, "WHICH", 0,
    "How atomicity violations are found: search (by definition, the default), "
    "sidetrack (from lock operations, then judged), observed (the run itself)",
    0 },
  { 0 },
};

typedef struct request {
  omen_predict_request predict;
  omen_option_choice model, group, breadth;
  const char *window, *budget, *solver, *engine, *atomic; /* as typed */
} request;

#define SHARED(X)                                                              \
  X (specs, predict.specs)                                                     \
  X (all, predict.all)                                                         \
  X (format, predict.json)                                                     \
  X (fail_on, predict.fail_on)                                                 \
  X (model, model)                                                             \
  X (group, group)                                                             \
  X (atomic, atomic)                                                           \
  X (breadth, breadth)                                                         \
  X (timeout, predict.options.timeout)                                         \
  X (memory, predict.memory)                                                   \
  X (jobs, predict.options.jobs)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_TEXT (KEY_WINDOW, "--window", window),
        OMEN_TEXT (KEY_BUDGET, "--budget", budget),
        OMEN_TEXT (KEY_SOLVER, "--solver", solver),
        OMEN_TEXT (KEY_ENGINE, "--engine", engine),
        OMEN_TEXT (KEY_WITNESS_DIR, "--witness-dir", predict.witness_dir),
        OMEN_FLAG (KEY_TABLE, predict.table),
        OMEN_FLAG (KEY_FINAL, predict.final),
        OMEN_FLAG (KEY_STATS, predict.stats),
        { 0 } };

static void
read_values (struct argp_state *state, request *r)
{
  static const char *const engines[] = { "search", "sidetrack", "observed" };
  static const char *const solvers[] = { "native", "z3" };
  omen_predict_options *o = &r->predict.options;
  unsigned word;
  uint64_t n;
  if (omen_option_number (state, "--window", r->window, 2, UINT32_MAX - 1, &n))
    o->window = (uint32_t)n;
  if (omen_option_number (state, "--budget", r->budget, 1, UINT64_MAX, &n))
    o->engine.budget.steps = n;
  if (omen_option_word (state, "--solver", r->solver, solvers,
                        OMEN_COUNT (solvers), &word))
    o->engine.z3_only = word;
  if (omen_option_word (state, "--engine", r->engine, engines,
                        OMEN_COUNT (engines), &word))
    r->predict.engine = (omen_atomicity_engine)word;
  r->predict.by_cause
      = r->group.value == OMEN_GROUP_CAUSE
        && (r->group.text || r->predict.engine == OMEN_ENGINE_SEARCH);
  r->predict.nondet_by_cause = r->group.text;
  if (r->group.value != OMEN_GROUP_CAUSE)
    o->group = (omen_group_by)r->group.value;
  r->predict.model_given = r->model.text;
  o->model = (omen_model_name)r->model.value;
  o->breadth = r->breadth.value;
  o->runs = r->predict.stats || r->predict.json;
  if (r->predict.fail_on.least == OMEN_SEVERITIES)
    r->predict.fail_on.least
        = r->predict.detectors ? OMEN_SEVERITY_NOTE : OMEN_SEVERITY_ERROR;
}

/* What does not go together. */
static void
check_words (struct argp_state *state, const request *all)
{
  const omen_predict_request *r = &all->predict;
  omen_model_name model = r->options.model;
  if (r->table && r->engine != OMEN_ENGINE_SIDETRACK
      && r->detectors != OMEN_DETECT_NONDET)
    omen_cmd_error (state, "--table goes with nondet or --engine sidetrack");
  if (r->final && r->table)
    omen_cmd_error (state,
                    "--table counts reads; it has no column for --final");
  if (r->final && !(r->detectors & OMEN_DETECT_NONDET))
    omen_cmd_error (state, "--final goes with nondet");
  if (r->more.count && !r->table)
    omen_cmd_error (
        state,
        "one kind and one trace, please: '%s' or '%s'? Kinds are race, "
        "lifetime, deadlock, atomicity, nondet, property, failure and all",
        r->trace, r->more.data[0]);
  if (model == OMEN_MODEL_LATTICE && r->detectors != OMEN_DETECT_RACE
      && r->detectors != OMEN_DETECT_LIFETIME
      && r->detectors != OMEN_DETECT_PROPERTY)
    omen_cmd_error (state,
                    "--model lattice goes with race, lifetime or property");
  if (r->detectors == OMEN_DETECT_PROPERTY && !r->specs.paths.count)
    omen_cmd_error (state, "property needs a --spec FILE");
  if (r->specs.paths.count && r->detectors && r->detectors != OMEN_DETECT_ALL
      && r->detectors != OMEN_DETECT_PROPERTY)
    omen_cmd_error (state, "--spec goes with property or all");
  if (r->by_cause && all->group.text && r->engine != OMEN_ENGINE_SEARCH)
    omen_cmd_error (state, "--group cause goes with --engine search");
  if (all->breadth.text && model != OMEN_MODEL_LATTICE)
    omen_cmd_error (state, "--breadth goes with --model lattice");
}

static void
take_argument (omen_predict_request *r, const char *arg)
{
  static const struct {
    const char *name;
    unsigned detectors;
  } kinds[] = { { "race", OMEN_DETECT_RACE },
                { "lifetime", OMEN_DETECT_LIFETIME },
                { "deadlock", OMEN_DETECT_DEADLOCK },
                { "atomicity", OMEN_DETECT_ATOMICITY },
                { "nondet", OMEN_DETECT_NONDET },
                { "property", OMEN_DETECT_PROPERTY },
                { "failure", OMEN_DETECT_FAILURE },
                { "all", OMEN_DETECT_ALL } };
  for (size_t i = 0; !r->detectors && i < OMEN_COUNT (kinds); i++)
    if (!strcmp (arg, kinds[i].name) && !r->trace) {
      r->detectors = kinds[i].detectors;
      return;
    }
  if (r->trace)
    OMEN_VEC_PUSH (r->more, arg);
  else
    r->trace = arg;
}

static error_t
parse_predict_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  switch (key) {
  case ARGP_KEY_ARG:
    take_argument (&r->predict, arg);
    return 0;
  case ARGP_KEY_END:
    if (!r->predict.trace)
      omen_cmd_error (state, "no trace given");
    read_values (state, r);
    check_words (state, r);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp
    = { options, parse_predict_option, "[KIND] TRACE", docs, children };

static int
run_predict (int argc, char **argv)
{
  request r = { .group.value = OMEN_GROUP_CAUSE,
                .predict.fail_on.least = OMEN_SEVERITIES, /* not given */
                .predict.options
                = { .jobs = 1,
                    .asks = OMEN_DEFAULT_ASKS,
                    .engine = { .budget = { .steps = OMEN_DEFAULT_STEPS },
                                .z3_seconds = 2 } } };
  omen_atomic atomic;
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  r.predict.options.atomic = &atomic;
  if (!r.atomic && r.predict.engine == OMEN_ENGINE_SEARCH)
    r.atomic = "steady"; /* the other engines use the blocks of their papers */
  if (omen_atomic_load (r.atomic, &atomic, &code)
      && omen_spec_list_load (&r.predict.specs, &code))
    code = omen_predict_run (&r.predict);
  omen_atomic_fini (&atomic);
  OMEN_VEC_FINI (r.predict.more);
  omen_spec_list_fini (&r.predict.specs);
  return code;
}

const omen_cmd omen_cmd_predict
    = { "predict", "foretell the errors of other runs", run_predict, &argp };
