#include "cmd/predict_options.h"
#include "cmd/numbers.h"
#include "cmd/values.h"

#include <stdlib.h>
#include <string.h>

static char docs[]
    = "Foretell the errors of other runs that a trace allows.\v"
      "KIND is race, deadlock, atomicity, nondet, property or all; without it, "
      "all but nondet, which is no error in most programs. Properties need "
      "--spec. Misuse of locks that the "
      "trace shows (taken twice, released by another thread, destroyed while "
      "held, waited on without its lock, held at thread exit) is reported in "
      "the same pass. TRACE is a text trace or a recorded file; - is standard "
      "input.\n\n"
      "A finding is a claim with a schedule that shows it: a reordering of the "
      "events of the trace, checked by omen verify before it is printed. What "
      "may change in a reordering is the model: under rf every read sees the "
      "very write it saw in the trace, under value a write of the same value, "
      "under sliced that too, but only if the claim or synchronisation depends "
      "on it, as far as the trace tells what depends on what. Under lattice "
      "every read sees the very write it saw, and a write and its reads stay "
      "together: no other access to the variable comes between them. "
      "The default is value if the trace has values and rf otherwise.\n\n"
      "With --spec, the monitors of a property file are followed through other "
      "runs: a verdict that some run reaches (match, fail, violation, "
      "validation, a state of an fsm, as far as the file has handlers for them) "
      "is a finding, for each binding of the property's parameters by itself. "
      "One report is made for each formula, category and source location; "
      "--group none gives every binding.\n\n"
      "The model lattice (races and properties only) walks all runs at once, level by level, "
      "from one set of events that can have happened to the next; --stats says "
      "how many such cuts and complete runs there are. Its steps are accesses, "
      "locks and the like, and what the property speaks of: not forks, joins and "
      "functions, nor what main does before and after all other threads. "
      "--breadth keeps only the "
      "N cuts of a level that are nearest to the observed run: 1 is that run "
      "alone.\n\n"
      "A candidate whose question needs more than the budget, or that only a "
      "larger window could refute, is undecided: it is counted, never reported "
      "as found or as absent.\n\n"
      "A race is grouped by its pair of source locations, so that each pair is "
      "reported once; --group event gives one report for each access that "
      "races with an earlier one, none gives every pair of events.\n\n"
      "An atomic block is violated if between two of its accesses another "
      "thread can do what conflicts with both, in one event or one block. "
      "One report is made for each block and pair of source locations in it; "
      "--group event gives one for each time the block ran, variable one for "
      "each block and pair of variables, none every combination of events; "
      "block gives one for each block, with all its pairs of variables. "
      "Blocks are what --atomic says; with a FILE, a line is the name of an "
      "atomic function, -NAME leaves one out, and * means every function.\n\n"
      "--engine sidetrack looks at lock operations alone: a lock that a block "
      "acquires twice, and an acquire by another thread that may have come "
      "between (before-, in- and after-errors). It is quick, but relies on "
      "programs without races, and can be wrong where the other thread would "
      "be stuck; so each error is put to the engine. Verified ones are "
      "findings; unverified and refuted ones are shown but do not count. "
      "--engine observed asks whether the run itself was serializable, "
      "whatever the number of blocks in a cycle.\n\n"
      "A read is nondeterministic if it can see another write than the one it "
      "saw (under value: of another value). One report is made for each read "
      "and such write, by source location of the read, with an order: wcr, the "
      "write it saw, then the other one, then the read; crw, the write it saw "
      "can still follow the read; cr, it cannot.";

enum {
  KEY_STATS = 0x100,
  KEY_WITNESS_DIR,
  KEY_SOLVER,
  KEY_TIMEOUT,
  KEY_BUDGET,
  KEY_WINDOW,
  KEY_GROUP,
  KEY_ATOMIC,
  KEY_FINAL,
  KEY_ENGINE,
  KEY_TABLE,
  KEY_BREADTH,
  KEY_SPEC
};

static const struct argp_option options[] = {
  { "model", 'm', "MODEL", 0, "rf, value, sliced or lattice: what a read must see" },
  { "spec", KEY_SPEC, "FILE", 0,
    "a property file: which verdicts can other runs reach? May be given "
    "again" },
  { "breadth", KEY_BREADTH, "N", 0,
    "with --model lattice: at most N cuts a level; all is the default" },
  { "group", KEY_GROUP, "BY", 0,
    "one report for each location (pair, the default), event, variable, or "
    "none; of atomicity violations also for each block" },
  { "window", KEY_WINDOW, "N", 0,
    "reorder at most N consecutive events in a search (default 16384, for "
    "properties 131072); quick "
    "answers always see the whole trace" },
  { "budget", KEY_BUDGET, "N", 0,
    "decisions of a search before it goes to Z3 (default 4000)" },
  { "timeout", KEY_TIMEOUT, "SECONDS", 0,
    "for all questions together; what is open then is undecided" },
  { "solver", KEY_SOLVER, "WHICH", 0,
    "native (the default) or z3, which gets every question that is asked" },
  { "atomic", KEY_ATOMIC, "WHICH", 0,
    "blocks meant to be atomic: all (marked blocks and all functions but main "
    "and thread entries, the default), steady (the same without functions in "
    "which a thread waited for another), marked (begin … end only), or as a "
    "FILE says" },
  { "engine", KEY_ENGINE, "WHICH", 0,
    "how atomicity violations are found: search (by definition, the default), "
    "sidetrack (from lock operations, then judged), observed (the run itself)" },
  { "table", KEY_TABLE, NULL, 0,
    "with nondet or --engine sidetrack: only count, in the columns of the "
    "paper; nondet takes several traces and sums them up" },
  { "final", KEY_FINAL, NULL, 0,
    "with nondet: also variables whose final value depends on the schedule" },
  { "jobs", 'j', "N", 0, "worker threads (default 1)" },
  { "witness-dir", KEY_WITNESS_DIR, "DIR", 0,
    "write the witness of finding N to DIR/N" },
  { "format", 'f', "FORMAT", 0, "text (the default) or json" },
  { "stats", KEY_STATS, NULL, 0, "print what the engine did" },
  { 0 },
};

static size_t
word (struct argp_state *state, const char *name, const char *text,
      const char *const *words, size_t count)
{
  char known[200];
  size_t length = 0;
  for (size_t i = 0; i < count; i++)
    if (!strcmp (text, words[i]))
      return i;
  for (size_t i = 0; i < count; i++) {
    length += (size_t)snprintf (known + length, sizeof known - length, "%s%s",
                                !i              ? ""
                                : i < count - 1 ? ", "
                                                : " or ",
                                words[i]);
    OMEN_ASSERT (length < sizeof known);
  }
  argp_error (state, "%s is %s, not '%s'", name, known, text);
  return 0;
}

static void
finish_numbers (struct argp_state *state, omen_predict_request *r)
{
  omen_predict_options *o = &r->options;
  uint64_t n;
  if (omen_number (state, "--window", r->window, 2, UINT32_MAX - 1, &n))
    o->window = (uint32_t)n;
  if (omen_number (state, "--budget", r->budget, 1, UINT64_MAX, &n))
    o->engine.budget.steps = n;
  if (omen_number (state, "--jobs", r->jobs, 1, 256, &n))
    o->jobs = (unsigned)n;
  if (r->breadth && strcmp (r->breadth, "all")
      && omen_number (state, "--breadth", r->breadth, 1, UINT32_MAX, &n))
    o->breadth = (uint32_t)n;
  omen_seconds (state, "--timeout", r->timeout, &o->timeout);
}

static void
finish_words (struct argp_state *state, omen_predict_request *r)
{
  static const char *const groups[]
      = { "location", "event", "variable", "none", "block" };
  static const char *const engines[] = { "search", "sidetrack", "observed" };
  static const char *const solvers[] = { "native", "z3" };
  static const char *const formats[] = { "text", "json" };
  static const char *const models[] = { "rf", "value", "sliced", "lattice" };
  omen_predict_options *o = &r->options;
  if (r->group) {
    size_t group = word (state, "--group", r->group, groups,
                         OMEN_COUNT (groups));
    r->by_block = group == OMEN_GROUPS;
    o->group = r->by_block ? OMEN_GROUP_LOCATION : (omen_group_by)group;
  }
  if (r->solver)
    o->engine.z3_only
        = word (state, "--solver", r->solver, solvers, OMEN_COUNT (solvers));
  if (r->format)
    r->json = word (state, "--format", r->format, formats,
                    OMEN_COUNT (formats));
  if (r->engine_word)
    r->engine = (omen_atomicity_engine)word (state, "--engine", r->engine_word,
                                             engines, OMEN_COUNT (engines));
  r->model_given = r->model != NULL;
  if (r->model)
    o->model = (omen_model_name)word (state, "--model", r->model, models,
                                      OMEN_COUNT (models));
}

/* What does not go together. */
static void
check_words (struct argp_state *state, const omen_predict_request *r)
{
  omen_model_name model = r->options.model;
  if (r->table && r->engine != OMEN_ENGINE_SIDETRACK
      && r->detectors != OMEN_DETECT_NONDET)
    argp_error (state, "--table goes with nondet or --engine sidetrack");
  if (r->final && !(r->detectors & OMEN_DETECT_NONDET))
    argp_error (state, "--final goes with nondet");
  if (r->more.count && !r->table)
    argp_error (state,
                "one kind and one trace, please: '%s' or '%s'? Kinds are race, "
                "deadlock, atomicity, nondet, property and all",
                r->trace, r->more.data[0]);
  if (model == OMEN_MODEL_LATTICE && r->detectors != OMEN_DETECT_RACE
      && r->detectors != OMEN_DETECT_PROPERTY)
    argp_error (state, "--model lattice goes with race or property");
  if (r->detectors == OMEN_DETECT_PROPERTY && !r->specs.paths.count)
    argp_error (state, "property needs a --spec FILE");
  if (r->specs.paths.count && r->detectors && r->detectors != OMEN_DETECT_ALL
      && r->detectors != OMEN_DETECT_PROPERTY)
    argp_error (state, "--spec goes with property or all");
  if (r->by_block
      && ((r->detectors && !(r->detectors & OMEN_DETECT_ATOMICITY))
          || r->engine != OMEN_ENGINE_SEARCH))
    argp_error (state, "--group block goes with atomicity and --engine search");
  if (r->breadth && model != OMEN_MODEL_LATTICE)
    argp_error (state, "--breadth goes with --model lattice");
}

static void
take_argument (struct argp_state *state, omen_predict_request *r,
               const char *arg)
{
  static const struct {
    const char *name;
    unsigned detectors;
  } kinds[] = { { "race", OMEN_DETECT_RACE },
                { "deadlock", OMEN_DETECT_DEADLOCK },
                { "atomicity", OMEN_DETECT_ATOMICITY },
                { "nondet", OMEN_DETECT_NONDET },
                { "property", OMEN_DETECT_PROPERTY },
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

static const omen_cmd_slot slots[] = {
#define SLOT(key, name, field) OMEN_SLOT (omen_predict_request, key, name, field)
  SLOT ('m', "--model", model),
  SLOT ('j', "--jobs", jobs),
  SLOT ('f', "--format", format),
  SLOT (KEY_GROUP, "--group", group),
  SLOT (KEY_WINDOW, "--window", window),
  SLOT (KEY_BUDGET, "--budget", budget),
  SLOT (KEY_TIMEOUT, "--timeout", timeout),
  SLOT (KEY_SOLVER, "--solver", solver),
  SLOT (KEY_WITNESS_DIR, "--witness-dir", witness_dir),
  SLOT (KEY_BREADTH, "--breadth", breadth),
  SLOT (KEY_ATOMIC, "--atomic", atomic),
  SLOT (KEY_ENGINE, "--engine", engine_word),
#undef SLOT
};

static void
finish (struct argp_state *state, omen_predict_request *r)
{
  if (!r->trace)
    argp_error (state, "no trace given");
  finish_numbers (state, r);
  finish_words (state, r);
  check_words (state, r);
  r->options.runs = r->stats || r->json;
}

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  omen_predict_request *r = state->input;
  if (omen_cmd_keep (state, slots, OMEN_COUNT (slots), key, arg))
    return 0;
  switch (key) {
  case KEY_SPEC:
    OMEN_VEC_PUSH (r->specs.paths, arg);
    return 0;
  case KEY_TABLE:
    r->table = true;
    return 0;
  case KEY_FINAL:
    r->final = true;
    return 0;
  case KEY_STATS:
    r->stats = true;
    return 0;
  case ARGP_KEY_ARG:
    take_argument (state, r, arg);
    return 0;
  case ARGP_KEY_END:
    finish (state, r);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp omen_predict_argp
    = { options, parse_option, "[KIND] TRACE", docs };

omen_model_name
omen_predict_model (const omen_predict_request *request,
                    const omen_trace *trace)
{
  if (request->model_given)
    return request->options.model;
  return omen_has_values (trace) ? OMEN_MODEL_VALUE : OMEN_MODEL_RF;
}
