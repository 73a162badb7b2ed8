/* omen trace dump TRACE */
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "trace/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char docs[]
    = "Print a trace, or some of its events, as text.\v"
      "TRACE is a text trace or a recorded file, whatever its name; - is "
      "standard input. The output is the text form (one event a line, "
      "thread|operation(arguments)|location) and can be read again. Filters "
      "combine: an event is printed if all of them let it pass. The trace is "
      "not checked, so that a bad one can be looked at.\n\n"
      "Initial values are printed first, unless --thread or --range is given. "
      "With --all indices are not those of other commands.\n\n"
      "Example: what the first hundred events do to balance\n\n"
      "  omen trace dump --var balance --range :100 run.omen";

static const struct argp_option options[] = {
  { "thread", 't', "T", 0, "Only events of thread T" },
  { "range", 'r', "A:B", 0,
    "Only events A to B - 1 (A: to the end, :B from the start, A just one)" },
  { "var", 'v', "X", 0, "Only accesses to the variable X, or to parts of it" },
  { "index", 'i', NULL, 0,
    "Print the index of each event and a tab before it" },
  { "all", 'a', NULL, 0, OMEN_OPTION_ALL },
  { 0 },
};

typedef struct request {
  const char *thread, *range, *variable, *path;
  bool index;
  uint64_t first, end; /* of the range */
  omen_load_options load;
} request;

static const omen_option_slot slots[] = {
  OMEN_TEXT ('t', "--thread", thread),     OMEN_TEXT ('r', "--range", range),
  OMEN_TEXT ('v', "--var", variable),      OMEN_FLAG ('a', load.rebuild.all),
  OMEN_TEXT (ARGP_KEY_ARG, "TRACE", path), { 0 }
};

/* Reads digits at `*text` and advances it; false if there are none or the
   number is too large. */
static bool
read_index (const char **text, uint64_t *index)
{
  char *end;
  if (!isdigit ((unsigned char)**text))
    return false;
  errno = 0;
  *index = strtoull (*text, &end, 10);
  *text = end;
  return !errno;
}

static bool
read_range (const char *text, uint64_t *first, uint64_t *end)
{
  *first = 0;
  *end = UINT64_MAX;
  if (*text != ':' && !read_index (&text, first))
    return false;
  if (!*text && *first < UINT64_MAX) {
    *end = *first + 1;
    return true;
  }
  if (*text++ != ':')
    return false;
  return (!*text || read_index (&text, end)) && !*text && *first <= *end;
}

static error_t
parse_dump_option (int key, char *arg, struct argp_state *state)
{
  request *r = state->input;
  if (omen_option_take (state, slots, key, arg))
    return 0;
  switch (key) {
  case 'i':
    if (r->index)
      omen_cmd_error (state, "--index given twice");
    r->index = true;
    return 0;
  case ARGP_KEY_END:
    if (!r->path)
      omen_cmd_error (state, "no trace given");
    if (r->range && !read_range (r->range, &r->first, &r->end))
      omen_cmd_error (state, "--range is A:B with A not above B, not '%s'",
                      r->range);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = { options, parse_dump_option, "TRACE", docs };

typedef struct filter {
  const omen_trace *trace;
  omen_tid thread; /* OMEN_NONE: any */
  uint64_t first, end;
  bool inits;
  const char *variable; /* NULL: any event */
} filter;

/* Covers all blocks of that name: it may have been allocated repeatedly. */
static bool
is_variable (const filter *f, omen_pid place)
{
  omen_vid v = f->trace->places.data[place].variable;
  return !strcmp (omen_trace_variable_name (f->trace, v), f->variable);
}

static bool
passes (void *data, omen_eid e)
{
  const filter *f = data;
  const omen_event *event = omen_trace_event (f->trace, e);
  if (e < f->first || e >= f->end)
    return false;
  if (f->thread != OMEN_NONE && event->thread != f->thread)
    return false;
  return !f->variable
         || (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS
             && is_variable (f, event->object));
}

static bool
init_passes (void *data, size_t i)
{
  const filter *f = data;
  return f->inits
         && (!f->variable || is_variable (f, f->trace->inits.data[i].place));
}

/* A name that the trace does not have is a usage error. */
static bool
known (const omen_trace *trace, omen_operand table, const char *what,
       const char *name, uint32_t *id, omen_err *err)
{
  if (!name)
    return true;
  *id = omen_names_find (&trace->names[table], name, strlen (name));
  return *id != OMEN_NONE
         || omen_err_set (err, omen_names_text (&trace->strings, trace->path),
                          "no %s '%s' in this trace", what, name);
}

static int
dump (const omen_trace *trace, const request *r)
{
  filter f = { trace,      OMEN_NONE, 0, UINT64_MAX, !r->thread && !r->range,
               r->variable };
  omen_text_choice choice = { passes, init_passes, &f, r->index };
  omen_vid variable;
  omen_err err = { 0 };
  if (!known (trace, OMEN_OPERAND_THREAD, "thread", r->thread, &f.thread, &err)
      || !known (trace, OMEN_OPERAND_VARIABLE, "variable", r->variable,
                 &variable, &err))
    return omen_fail (OMEN_EXIT_USAGE, &err);
  if (r->range) {
    f.first = r->first;
    f.end = r->end;
  }
  if (!omen_text_write_some (trace, &choice, stdout, &err))
    return omen_fail (OMEN_EXIT_USAGE, &err);
  return omen_finish (OMEN_EXIT_NOTHING);
}

static int
run_trace_dump (int argc, char **argv)
{
  request r = { 0 };
  omen_trace *trace;
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, &r, &code))
    return code;
  trace = omen_input_load (r.path, &r.load, &code);
  if (!trace)
    return code;
  code = dump (trace, &r);
  omen_trace_free (trace);
  return code;
}

const omen_cmd omen_cmd_trace_dump
    = { "trace dump", "a trace as text, whole or filtered", run_trace_dump,
        &argp };
