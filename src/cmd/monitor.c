/* omen monitor --spec FILE -- PROGRAM */
#include "cmd/cmd.h"
#include "base/print.h"
#include "cmd/options.h"
#include "driver/module/symbol_server.h"
#include "driver/home.h"
#include "driver/module/build.h"
#include "driver/module/plan_text.h"
#include "driver/program.h"
#include "driver/run.h"
#include "driver/module/tally.h"
#include "driver/module/woven_specs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static char docs[]
    = "Run a program with monitors in it.\v"
      "The monitors of the properties in FILE run inside the program, in the "
      "thread of each event; when an instance lands in a category its handler "
      "is called before the program goes on. Without a handler the verdict is "
      "printed on standard error.\n\n"
      "A program that omen cc --spec FILE compiled has all events of FILE. In "
      "any other program calls of library functions are events "
      "(call(fopen(..)), call(pthread_mutex_*(m, ..))), and so are acquire, "
      "release, fork, join, wait, wake, notify, alloc and free; for that the C "
      "of FILE is compiled by clang now. OMEN_EVENT counts in any program of "
      "omen cc. FILE must be the very file that the program was compiled with; "
      "if it differs, a message says so. A pointcut that fits nothing in the "
      "program is named in a warning.\n\n"
      "At the end there is a line for each formula: events, instances created, "
      "live and collected (because an object of theirs was freed, or said to "
      "be dead by OMEN_DEAD), and verdicts. The exit status is the program's; "
      "127 if there is no such program, 126 if it cannot be run. "
      "doc/monitoring.md has the details.";

enum { KEY_FAIL = 1000 };

static const struct argp_option options[]
    = { { "fail-on-verdict", KEY_FAIL, NULL, 0,
          "Exit with 1 if there was a verdict", 0 },
        { 0 } };

typedef struct request {
  omen_spec_list specs;
  const char *spec; /* the first one */
  bool fail, quiet;
  char **program;
} request;

#define SHARED(X) X (specs, specs) X (quiet, quiet)
static const struct argp_child children[] = { SHARED (OMEN_CHILD){ 0 } };
static const omen_option_slot slots[]
    = { SHARED (OMEN_INPUT) OMEN_FLAG (KEY_FAIL, fail), { 0 } };

static error_t
parse_monitor_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  switch (key) {
  case ARGP_KEY_ARGS:
    r->program = state->argv + state->next;
    return 0;
  case ARGP_KEY_END:
    if (!r->specs.paths.count)
      omen_cmd_error (state, "no property file given: --spec FILE");
    else if (!r->program)
      omen_cmd_error (state, "no program given");
    else
      r->spec = r->specs.paths.data[0];
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = { options, parse_monitor_option,
                                  "-- PROGRAM [ARGUMENT...]", docs, children };

/* ---- preparing ---- */

typedef struct job {
  const request *request;
  omen_spec_file file;
  omen_program program;
  omen_workshop shop;
  char *preload;
  omen_run run;
} job;

static bool
find_program (job *j, int *code)
{
  omen_err err = { 0 };
  if (!omen_program_find (&j->program, j->request->program[0], &err))
    return omen_succeeded (
        &err, j->program.missing ? OMEN_RUN_MISSING : OMEN_RUN_CANNOT, code);
  if (j->program.kind != OMEN_PROGRAM_STATIC)
    return true;
  omen_err_io (&err, j->program.path,
               "is linked statically, and cannot be monitored");
  return omen_succeeded (&err, OMEN_RUN_CANNOT, code);
}

/* Builds a module to preload into a program that has none. */
static bool
make_preload (job *j, int *code)
{
  omen_program_names imports = { 0 };
  omen_texts names = { 0 };
  omen_module_order order
      = { &j->file, OMEN_MODULE_PRELOADED, false, NULL, &names };
  omen_err err = { 0 };
  char *runtime = omen_home_find (OMEN_HOME_RUNTIME, &err);
  bool good = runtime != NULL, woven = j->program.kind == OMEN_PROGRAM_WOVEN;
  if (!good)
    return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
  omen_program_imports (j->program.path, &imports);
  for (size_t i = 0; i < imports.count; i++)
    OMEN_VEC_PUSH (names, (const char *)imports.data[i]);
  good = omen_module_build (&j->shop, &order, code);
  if (good) {
    size_t room = strlen (j->shop.module) + strlen (runtime) + 2;
    j->preload = omen_alloc (room);
    snprintf (j->preload, room, "%s%s%s", j->shop.module, woven ? "" : ":",
              woven ? "" : runtime);
  }
  for (size_t i = 0; i < imports.count; i++)
    omen_free (imports.data[i]);
  OMEN_VEC_FINI (imports);
  OMEN_VEC_FINI (names);
  omen_free (runtime);
  return good;
}

static bool
prepare_job (job *j, int *code)
{
  omen_woven_specs woven;
  bool has_wanted, has_other;
  if (j->program.kind == OMEN_PROGRAM_OTHER) {
    if (!j->request->quiet)
      omen_print (
          stderr,
          "omen: %s is a script: programs that it starts are monitored if "
          "they are compiled with --spec %s\n",
          j->program.path, j->request->spec);
    return true;
  }
  omen_woven_specs_read (&woven, j->program.path);
  has_wanted = omen_woven_specs_has (&woven, omen_spec_hash (j->file.spec));
  has_other = woven.hashes.count;
  omen_woven_specs_fini (&woven);
  if (has_wanted)
    return true;
  if (has_other)
    omen_warn ("%s was compiled with another version of %s, or with other "
               "properties: only calls of library functions and OMEN_EVENT "
               "are seen; compile it again",
               j->program.path, j->request->spec);
  return make_preload (j, code);
}

/* ---- running ---- */

static bool
run_program (job *j, int *code)
{
  omen_err err = { 0 };
  char words[2 * sizeof j->shop.state + sizeof "--monitor="];
  omen_symbol_server server;
  bool started;
  j->run = (omen_run){ .path = j->program.path,
                       .argv = j->request->program,
                       .options = words,
                       .preload = j->preload };
  omen_run_word (stpcpy (words, "--monitor="), j->shop.state);
  omen_symbol_server_start (&server, j->shop.state);
  started = omen_run_program (&j->run, code, &err);
  omen_symbol_server_stop (&server);
  if (!started)
    omen_fail (*code, &err);
  return started;
}

/* ---- the command ---- */

/* True: the program ran and the verdicts were printed; otherwise *code. */
static bool
run_monitored (job *j, uint64_t *verdicts, int *code)
{
  omen_err err = { 0 };
  if (!omen_workshop_open (&j->shop, &err))
    return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
  if (!prepare_job (j, code))
    return false;
  if (!omen_tally_make (j->shop.state, &j->file, &err))
    return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
  if (!run_program (j, code))
    return false;
  *verdicts = omen_tally_print (j->shop.state, &j->file, j->program.path,
                                j->request->quiet);
  return true;
}

static int
run_monitor (int argc, char **argv)
{
  request r = { 0 };
  job j = { .request = &r };
  uint64_t verdicts = 0;
  int code;
  bool ran;
  ran = omen_cmd_parse_program (&argp, argc, argv, &r, &code)
        && omen_spec_list_expand (&r.specs, &code)
        && omen_spec_file_load_all (&j.file, r.specs.paths.data,
                                    r.specs.paths.count, &code)
        && omen_spec_file_weavable (&j.file, &code) && find_program (&j, &code)
        && run_monitored (&j, &verdicts, &code);
  if (*j.shop.scratch.folder)
    omen_workshop_close (&j.shop);
  omen_free (j.preload);
  omen_spec_file_fini (&j.file);
  omen_spec_list_fini (&r.specs);
  if (!ran)
    return code;
  if (r.fail && verdicts)
    return OMEN_EXIT_FINDINGS;
  return omen_run_end (&j.run);
}

const omen_cmd omen_cmd_monitor
    = { "monitor", "run a program with monitors in it", run_monitor, &argp };
