/* omen spec check SPEC… */
#include "cmd/cmd.h"
#include "base/print.h"
#include "driver/spec_list.h"
#include "driver/message.h"
#include "driver/spec_file.h"
#include "witness/judge.h"

#include <stdio.h>
#include <string.h>

static char docs[]
    = "Check property files.\v"
      "Reads each SPEC, compiles its formulas and prints what they are: for "
      "each property its parameters and events, for each formula the "
      "categories that have handlers, the events that make monitors, and how "
      "large the machine is. - is standard input. The language is described in "
      "doc/properties.md.\n\n"
      "The C of `monitor: \"file.c\"` is compiled, and nothing of it is run.\n\n"
      "A mistake is reported with its place, the line and what was expected "
      "there; the exit status is 3.";

typedef struct request {
  const char **paths;
  omen_spec_list files;
  size_t count;
} request;

static error_t
parse_check_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  switch (key) {
  case ARGP_KEY_ARGS:
    r->paths = (const char **)state->argv + state->next;
    r->count = (size_t)(state->argc - state->next);
    return 0;
  case ARGP_KEY_NO_ARGS:
    omen_cmd_error (state, "no property file given");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = { NULL, parse_check_option, "SPEC…", docs };

static void
print_event (const omen_property *p, uint32_t e)
{
  const char *comma = "";
  omen_print (stdout, "  event %s(", p->event[e].name);
  for (uint32_t i = 0; i < p->parameters; i++)
    if (p->event[e].binds >> i & 1) {
      omen_print (stdout, "%s%s", comma, p->parameter[i]);
      comma = ", ";
    }
  omen_print (stdout, ")\n");
}

static void
print_formula (const omen_property *p, const omen_formula *f)
{
  const char *comma = "";
  omen_print (stdout, "  %s:", f->logic);
  for (uint32_t i = 0; i < f->categories; i++)
    omen_print (stdout, " @%s", f->category[i]);
  if (f->machine.engine == &omen_engine_table)
    omen_print (stdout, ", %u state%s", f->machine.words[0],
                omen_s (f->machine.words[0]));
  omen_print (stdout, ", made by ");
  for (uint32_t e = 0; e < p->events; e++)
    if (f->creation >> e & 1) {
      omen_print (stdout, "%s%s", comma, p->event[e].name);
      comma = ", ";
    }
  omen_print (stdout, "%s\n",
              *comma ? "" : "nothing: no category can be reached");
}

/* Warns of events that a formula ignores: marks take precedence over what the
   formula needs, so events that matter to it from the start but create no
   monitor are left out of slices that begin with them. */
static void
warn_of_ignored (const omen_spec_file *file, uint32_t property,
                 uint32_t formula)
{
  const omen_property *p = &file->compiled->properties[property];
  omen_written unmarked = file->compiled->written[property];
  const char *why;
  uint64_t ignored;
  if (!unmarked.marked)
    return;
  unmarked.marked = 0;
  ignored = omen_formula_creation (p, &unmarked, formula, &why)
            & ~p->formula[formula].creation;
  for (uint32_t e = 0; !why && e < p->events; e++)
    if (ignored >> e & 1)
      omen_warn ("%s: %s, %s: event '%s' is ignored before a creation event, "
                 "though the formula depends on it; mark it creation, too, or "
                 "none",
                 file->spec->path, p->name, p->formula[formula].logic,
                 p->event[e].name);
}

static void
print_property (const omen_spec_file *file, uint32_t number)
{
  const omen_property *p = &file->compiled->properties[number];
  omen_print (stdout, "property %s(", p->name);
  for (uint32_t i = 0; i < p->parameters; i++)
    omen_print (stdout, "%s%s", i ? ", " : "", p->parameter[i]);
  omen_print (stdout, ")\n");
  for (uint32_t e = 0; e < p->events; e++)
    print_event (p, e);
  for (uint32_t i = 0; i < p->formulas; i++)
    print_formula (p, &p->formula[i]);
  for (uint32_t i = 0; i < p->formulas; i++)
    warn_of_ignored (file, number, i);
}

static bool
check_all (omen_spec_list *files, int *code)
{
  if (!omen_spec_list_expand (files, code))
    return false;
  for (size_t i = 0; i < files->paths.count; i++) {
    omen_spec_file file;
    if (!omen_spec_file_look (&file, files->paths.data[i], code))
      return false;
    for (uint32_t j = 0; j < file.compiled->count; j++)
      print_property (&file, j);
    omen_spec_file_fini (&file);
  }
  return true;
}

static int
run_spec_check (int argc, char **argv)
{
  request r = { 0 };
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  for (size_t i = 0; i < r.count; i++)
    OMEN_VEC_PUSH (r.files.paths, r.paths[i]);
  if (check_all (&r.files, &code))
    code = omen_finish (OMEN_EXIT_NOTHING);
  omen_spec_list_fini (&r.files);
  return code;
}

const omen_cmd omen_cmd_spec_check
    = { "spec check", "check property files", run_spec_check, &argp };
