/* omen spec dot SPEC */
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "driver/spec_file.h"
#include "spec/draw.h"

#include <stdio.h>

static char docs[]
    = "Draw the formulas of a property file for Graphviz.\v"
      "Prints one graph with a box for each formula: the least automaton that "
      "gives the same verdicts after every word of events (an fsm: as "
      "written), a grammar's rules, or a pattern's steps. States that match "
      "(or where a temporal formula is decided to hold) have two circles.\n\n"
      "Example\n\n"
      "  omen spec dot iter.mop | dot -Tsvg >iter.svg";

typedef struct request {
  const char *path;
} request;

static const omen_option_slot slots[]
    = { OMEN_TEXT (ARGP_KEY_ARG, "SPEC", path), { 0 } };

static error_t
parse_dot_option (int key, char *arg, struct argp_state *state)
{
  if (omen_option_take (state, slots, key, arg))
    return 0;
  if (key != ARGP_KEY_NO_ARGS)
    return ARGP_ERR_UNKNOWN;
  omen_cmd_error (state, "no property file given");
  return 0;
}

static const struct argp argp = { NULL, parse_dot_option, "SPEC", docs };

static int
run_spec_dot (int argc, char **argv)
{
  request r = { 0 };
  omen_spec_file file;
  omen_err err = { 0 };
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code)
      || !omen_spec_file_look (&file, r.path, &code))
    return code;
  if (omen_spec_draw (file.spec, stdout, &err))
    code = omen_finish (OMEN_EXIT_NOTHING);
  else
    code = omen_fail (OMEN_EXIT_INPUT, &err);
  omen_spec_file_fini (&file);
  return code;
}

const omen_cmd omen_cmd_spec_dot
    = { "spec dot", "formulas as automata, for Graphviz", run_spec_dot, &argp };
