/* lattice_walk [EVENTS [SEED]]: how fast the lattice of a trace of 4 threads
   and 16 variables is walked. Each thread makes EVENTS accesses (default 44);
   four variables are its own business most of the time, and now and then it
   uses another thread's or a lock, so that there is something to keep apart.

   One line for each way to walk (bare; with a monitor's states; with the runs
   counted): cuts, CPU seconds, cuts a second, bytes for each cut of the two
   levels that are in memory where they are widest. */
#include "base/now.h"
#include "model/lattice.h"
#include "io/text_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define VARIABLES 16

typedef struct maker {
  uint64_t random;
  unsigned left[THREADS], in_lock[THREADS];
  int holder; /* of the lock, or -1 */
  OMEN_VEC (char) text;
} maker;

static unsigned
below (maker *m, unsigned limit)
{
  m->random ^= m->random << 13;
  m->random ^= m->random >> 7;
  m->random ^= m->random << 17;
  return (unsigned)((m->random >> 11) % limit);
}

static void
line (maker *m, unsigned t, const char *op, const char *operand,
      unsigned number)
{
  char text[64];
  int length = snprintf (text, sizeof text, "T%u|%s(%s%u)|a.c:%u\n", t, op,
                         operand, number, number + 1);
  for (int i = 0; i < length; i++)
    OMEN_VEC_PUSH (m->text, text[i]);
}

static void
event (maker *m, unsigned t)
{
  unsigned own = t * (VARIABLES / THREADS) + below (m, VARIABLES / THREADS);
  unsigned x = below (m, 12) ? own : below (m, VARIABLES);
  if (m->holder == (int)t && !--m->in_lock[t]) {
    m->holder = -1;
    line (m, t, "rel", "l", 0);
  } else if (m->holder < 0 && !below (m, 10)) {
    m->holder = (int)t;
    m->in_lock[t] = 3;
    line (m, t, "acq", "l", 0);
  } else
    line (m, t, below (m, 2) ? "w" : "r", "x", x);
  m->left[t]--;
}

static omen_trace *
make_trace (unsigned events, uint64_t seed, omen_err *err)
{
  maker m = { .random = seed, .holder = -1 };
  omen_trace *trace;
  unsigned all = events * THREADS;
  for (unsigned t = 0; t < THREADS; t++)
    m.left[t] = events;
  while (all) {
    unsigned t = below (&m, THREADS);
    if (!m.left[t])
      continue;
    event (&m, t);
    all--;
  }
  trace = omen_text_parse ("made", m.text.data, m.text.count, err);
  OMEN_VEC_FINI (m.text);
  return trace;
}

/* A monitor of four states that every access moves. */
static uint32_t
step (void *context, uint32_t state, uint32_t letter)
{
  (void)context;
  return letter == state ? state + 1 : letter ? state : 0;
}

static void
measure (const omen_lattice *lattice, const char *name,
         const omen_lattice_options *options)
{
  double start = omen_used (), seconds;
  omen_lattice_counts counts;
  uint64_t widest = 1;
  omen_lattice_walk (lattice, options, &counts);
  seconds = omen_used () - start;
  for (size_t i = 1; i < counts.widths.count; i++)
    if (counts.widths.data[i - 1] + counts.widths.data[i] > widest)
      widest = counts.widths.data[i - 1] + counts.widths.data[i];
  printf ("%-8s %10" PRIu64 " cuts %7.3f s %11.0f cuts/s %6.1f bytes/cut%s%s\n",
          name, counts.cuts, seconds, (double)counts.cuts / seconds,
          (double)counts.peak / (double)widest, counts.runs ? "  runs " : "",
          counts.runs ? counts.runs : "");
  omen_lattice_counts_fini (&counts);
}

int
main (int argc, char **argv)
{
  unsigned events = argc > 1 ? (unsigned)atoi (argv[1]) : 44;
  uint64_t seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  uint32_t start = 1;
  omen_err err = { 0 };
  omen_trace *trace = make_trace (events, seed, &err);
  omen_model *model = trace ? omen_model_new (trace, &err) : NULL;
  omen_lattice *lattice;
  omen_ids letters = { 0 };
  omen_state_machine machine
      = { .step = step, .starts = &start, .start_count = 1 };
  if (!model)
    return fprintf (stderr, "%s: %s\n", err.where, err.what), 3;
  for (omen_eid e = 0; e < model->event_count; e++)
    OMEN_VEC_PUSH (letters, omen_model_event (model, e)->object % 4);
  machine.letters = letters.data;
  lattice = omen_lattice_new (model, NULL);
  measure (lattice, "bare", &(omen_lattice_options){ 0 });
  measure (lattice, "monitor", &(omen_lattice_options){ .machine = &machine });
  measure (lattice, "runs", &(omen_lattice_options){ .runs = true });
  omen_lattice_free (lattice);
  OMEN_VEC_FINI (letters);
  omen_model_free (model);
  omen_trace_free (trace);
  return 0;
}
