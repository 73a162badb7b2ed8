/* omen spec dot SPEC */
#include "cmd/cmd.h"
#include "cmd/spec_file.h"
#include "spec/draw.h"

#include <stdio.h>

static char docs[]
    = "Draw the formulas of a property file for Graphviz.\v"
      "Prints one graph with a box for each formula: the least automaton that "
      "gives the same verdicts after every word of events (an fsm: as written), "
      "a grammar's rules, or a pattern's steps. States that match (or where a "
      "temporal formula is decided to hold) have two circles.\n\n"
      "Example\n\n"
      "  omen spec dot iter.mop | dot -Tsvg >iter.svg";

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  const char **path = state->input;
  switch (key) {
  case ARGP_KEY_ARG:
    return omen_cmd_once (state, "SPEC", path, arg) ? 0 : EINVAL;
  case ARGP_KEY_NO_ARGS:
    argp_error (state, "no property file given");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = { NULL, parse_option, "SPEC", docs };

static int
run (int argc, char **argv)
{
  const char *path = NULL;
  omen_spec_file file;
  omen_err err = { 0 };
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &path, &code)
      || !omen_spec_file_load (&file, path, &code))
    return code;
  if (omen_spec_draw (file.spec, stdout, &err))
    code = omen_cmd_finish (OMEN_EXIT_NOTHING);
  else
    code = omen_cmd_fail (OMEN_EXIT_INPUT, &err);
  omen_spec_file_fini (&file);
  return code;
}

const omen_cmd omen_cmd_spec_dot
    = { "spec dot", "formulas as automata, for Graphviz", run, &argp };
