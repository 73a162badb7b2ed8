/* omen-oracle: random traces, and brute-force answers about small ones.

     omen-oracle print [--seed S] [--count N]     random traces
     omen-oracle share [--seed S] [--count N]     what they cover
     omen-oracle answer [--model M] FILE          all true claims of a trace */
#include "gen.h"
#include "oracle.h"
#include "share.h"
#include "load/load.h"
#include "trace/text.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  const char *command, *file;
  uint64_t seed, count;
  omen_model_name model;
  const char *knobs[32];
  unsigned knob_count;
} options;

static const char *const models[] = { "rf", "value", "sliced", "lattice" };

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  options *o = state->input;
  unsigned m = 0;
  switch (key) {
  case 's':
    o->seed = strtoull (arg, NULL, 0);
    return 0;
  case 'n':
    o->count = strtoull (arg, NULL, 0);
    return 0;
  case 'm':
    while (m < OMEN_MODELS && strcmp (arg, models[m]))
      m++;
    if (m == OMEN_MODELS)
      argp_error (state, "no model '%s': rf, value, sliced or lattice", arg);
    o->model = m;
    return 0;
  case 'k':
    if (o->knob_count == OMEN_COUNT (o->knobs)
        || !oracle_knobs_set (&(oracle_knobs){ 0 }, arg))
      argp_error (state, "no knob '%s'", arg);
    o->knobs[o->knob_count++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (state->arg_num > 1)
      argp_usage (state);
    *(state->arg_num ? &o->file : &o->command) = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->command)
      argp_usage (state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static omen_trace *
random_trace (const options *o, uint64_t seed)
{
  oracle_knobs knobs;
  oracle_knobs_default (&knobs, seed);
  for (unsigned i = 0; i < o->knob_count; i++)
    oracle_knobs_set (&knobs, o->knobs[i]);
  return oracle_generate (&knobs);
}

static int
print_traces (const options *o)
{
  for (uint64_t i = 0; i < o->count; i++) {
    omen_trace *trace = random_trace (o, o->seed + i);
    omen_err err = { 0 };
    printf ("# seed %llu\n", (unsigned long long)(o->seed + i));
    omen_text_write (trace, stdout, &err);
    omen_trace_free (trace);
  }
  return 0;
}

static int
print_shares (const options *o)
{
  oracle_shares shares = { 0 };
  for (uint64_t i = 0; i < o->count; i++) {
    omen_trace *trace = random_trace (o, o->seed + i);
    oracle_shares_add (&shares, trace, o->seed + i);
    omen_trace_free (trace);
  }
  return !oracle_shares_print (&shares, stdout);
}

static void
print_shape (const oracle_shape *shape)
{
  printf ("states %llu", (unsigned long long)shape->states);
  if (shape->levels) {
    printf (", cuts %llu, runs %llu, widths", (unsigned long long)shape->cuts,
            (unsigned long long)shape->runs);
    for (unsigned i = 0; i < shape->levels; i++)
      printf (" %llu", (unsigned long long)shape->width[i]);
  }
  printf ("\n");
}

static void
print_answers (oracle *o)
{
  omen_witness witness = { 0 };
  for (size_t i = 0; i < oracle_count (o); i++) {
    char text[160];
    oracle_claim_text (oracle_claim_at (o, i), text, sizeof text);
    printf ("%-24s:", text);
    if (!oracle_witness (o, oracle_claim_at (o, i), &witness))
      printf (" NO WITNESS");
    for (size_t k = 0; k < witness.sequence.count; k++)
      printf (" %u", witness.sequence.data[k]);
    printf ("\n");
  }
  print_shape (oracle_shape_of (o));
  oracle_witness_fini (&witness);
}

static int
answer_file (const options *asked)
{
  omen_err err = { 0 };
  oracle_request request = { .claims = ORACLE_ALL };
  omen_trace *trace = omen_load (asked->file ? asked->file : "-", NULL, &err);
  oracle *o = trace ? oracle_new (trace, asked->model, &request, &err) : NULL;
  if (o)
    print_answers (o);
  else
    fprintf (stderr, "omen-oracle: %s: %s\n", err.where, err.what);
  oracle_free (o);
  omen_trace_free (trace);
  return o ? 0 : 3;
}

int
main (int argc, char **argv)
{
  static const struct argp_option table[]
      = { { "seed", 's', "S", 0, "the first seed (1)", 0 },
          { "count", 'n', "N", 0, "how many traces (1)", 0 },
          { "knob", 'k', "NAME=N", 0, "turn a knob of gen.h", 0 },
          { "model", 'm', "M", 0, "rf, value, sliced or lattice (rf)", 0 },
          { 0 } };
  static const struct argp argp
      = { table,
          parse_option,
          "print|share|answer [FILE]",
          "Random traces, and brute-force answers about small ones.",
          NULL,
          NULL,
          NULL };
  options o = { .seed = 1, .count = 1 };
  argp_err_exit_status = 2;
  argp_parse (&argp, argc, argv, 0, NULL, &o);
  if (!strcmp (o.command, "print"))
    return print_traces (&o);
  if (!strcmp (o.command, "share"))
    return print_shares (&o);
  if (!strcmp (o.command, "answer"))
    return answer_file (&o);
  fprintf (stderr, "omen-oracle: no command '%s'\n", o.command);
  return 2;
}
