/* atomicity_pass [EVENTS [THREADS [-b]]]: SideTrack's rules and the
   observed-run check over a generated run, in memory.

   The run: functions that take one lock, two, or one of them twice, read and
   write variables in between, and call each other; threads take turns after a
   few events. Two lines: name, lock events, events, CPU seconds of the best of
   five passes, and what was found. With -b, the run itself instead, as a binary
   trace. */
#include "base/now.h"
#include "predict/predict.h"
#include "predict/serial.h"
#include "predict/sidetrack.h"
#include "io/binary.h"

#include <stdio.h>
#include <stdlib.h>

#define LOCKS 64u
#define VARIABLES 512u
#define FUNCTIONS 32u
#define DEPTH 3u

typedef struct worker {
  uint32_t lock;  /* held, or OMEN_NONE */
  unsigned left;  /* accesses before it is released */
  unsigned depth; /* functions entered */
  uint32_t stack[DEPTH];
} worker;

typedef struct generator {
  omen_trace *trace;
  worker *workers;
  uint32_t threads, holder[LOCKS];
  uint64_t random;
} generator;

static uint32_t
below (generator *g, uint32_t limit)
{
  g->random ^= g->random << 13;
  g->random ^= g->random >> 7;
  g->random ^= g->random << 17;
  return (uint32_t)((g->random >> 11) % limit);
}

static uint32_t
named (generator *g, omen_operand table, const char *stem, uint32_t number)
{
  char text[24];
  int length = snprintf (text, sizeof text, "%s%u", stem, number);
  return omen_trace_name (g->trace, table, text, (size_t)length);
}

static void
add (generator *g, unsigned kind, omen_tid t, uint32_t object)
{
  /* every lock, function and variable is used in one place of each function */
  omen_event event = { .kind = (uint8_t)kind,
                       .thread = t,
                       .object = object,
                       .location = object % 200 };
  omen_trace_add (g->trace, &event);
}

/* Variables belong to locks, and are used inside them. */
static void
use_variable (generator *g, omen_tid t, uint32_t lock)
{
  uint32_t v = below (g, VARIABLES / LOCKS) * LOCKS + lock;
  add (g, below (g, 3) ? OMEN_READ : OMEN_WRITE, t, v);
}

static void
call_or_return (generator *g, omen_tid t)
{
  worker *w = &g->workers[t];
  if (w->depth && (w->depth == DEPTH || below (g, 3)))
    add (g, OMEN_EXIT, t, w->stack[--w->depth]);
  else {
    w->stack[w->depth] = below (g, FUNCTIONS);
    add (g, OMEN_ENTER, t, w->stack[w->depth++]);
  }
}

/* A function mostly works with two locks. */
static uint32_t
pick_lock (generator *g, const worker *w)
{
  if (!w->depth || !below (g, 8))
    return below (g, LOCKS);
  return (2 * w->stack[w->depth - 1] + below (g, 2)) % LOCKS;
}

static void
step (generator *g, omen_tid t, unsigned accesses)
{
  worker *w = &g->workers[t];
  uint32_t lock = pick_lock (g, w);
  if (w->lock != OMEN_NONE && !w->left) {
    add (g, OMEN_RELEASE, t, w->lock);
    g->holder[w->lock] = OMEN_NONE;
    w->lock = OMEN_NONE;
  } else if (w->lock != OMEN_NONE) {
    w->left--;
    use_variable (g, t, w->lock);
  } else if (g->holder[lock] == OMEN_NONE && below (g, 5)) {
    g->holder[lock] = t;
    w->lock = lock;
    w->left = accesses ? below (g, accesses) : 0;
    add (g, OMEN_ACQUIRE, t, lock);
  } else
    call_or_return (g, t);
}

static void
name_all (generator *g)
{
  for (uint32_t i = 0; i < 200; i++) {
    char text[24];
    int length = snprintf (text, sizeof text, "file.c:%u", i + 1);
    omen_names_id (&g->trace->locations, text, (size_t)length);
  }
  for (uint32_t i = 0; i < LOCKS; i++)
    named (g, OMEN_OPERAND_LOCK, "m", i);
  for (uint32_t i = 0; i < FUNCTIONS; i++)
    named (g, OMEN_OPERAND_FUNCTION, "f", i);
  for (uint32_t i = 0; i < VARIABLES; i++)
    omen_trace_place (g->trace, named (g, OMEN_OPERAND_VARIABLE, "v", i), 0,
                      OMEN_WHOLE);
  for (uint32_t t = 0; t < g->threads; t++) {
    char text[24];
    int length = snprintf (text, sizeof text, "T%u", t);
    omen_trace_thread (g->trace, text, (size_t)length);
  }
}

static omen_trace *
generate (uint64_t events, uint32_t threads, unsigned accesses)
{
  generator g = { .trace = omen_trace_new ("bench"),
                  .threads = threads,
                  .random = 0x9e3779b97f4a7c15u };
  omen_err err = { 0 };
  omen_tid t = 0;
  bool sealed;
  g.workers = omen_zalloc (threads, sizeof *g.workers);
  for (uint32_t i = 0; i < threads; i++)
    g.workers[i].lock = OMEN_NONE;
  for (uint32_t i = 0; i < LOCKS; i++)
    g.holder[i] = OMEN_NONE;
  name_all (&g);
  while (g.trace->events.count < events) {
    if (!below (&g, 6))
      t = below (&g, threads);
    step (&g, t, accesses);
  }
  omen_free (g.workers);
  sealed = omen_trace_seal (g.trace, &err);
  OMEN_REQUIRE (sealed);
  return g.trace;
}

/* ---- measuring ---- */

static bool
every_block (void *context, unsigned kind, uint32_t name, bool entry)
{
  (void)context, (void)kind, (void)name, (void)entry;
  return true;
}

static void
count_report (void *context, const omen_sidetrack_report *report)
{
  (void)report;
  ++*(uint64_t *)context;
}

static bool
count_cycle (void *context, uint32_t block, omen_eid e)
{
  (void)block, (void)e;
  ++*(uint64_t *)context;
  return true;
}

static double
run_sidetrack (const omen_trace *trace, uint64_t *found)
{
  omen_sidetrack_options options
      = { every_block, count_report, found, .all = false };
  double start = omen_used ();
  omen_sidetrack *s = omen_sidetrack_new (&options);
  for (size_t e = 0; e < trace->events.count; e++)
    omen_sidetrack_push (s, &trace->events.data[e], (omen_eid)e);
  omen_sidetrack_free (s);
  return omen_used () - start;
}

static double
run_serial (const omen_model *model, const uint8_t *chosen, uint64_t *found)
{
  omen_serial_options options = { chosen, count_cycle, found };
  double start = omen_used ();
  omen_serial_check (model, &options);
  return omen_used () - start;
}

static void
print_best (const char *name, const omen_trace *trace, const double *seconds,
            uint64_t found)
{
  uint64_t locks = 0;
  double best = seconds[0];
  for (int i = 1; i < 5; i++)
    best = seconds[i] < best ? seconds[i] : best;
  for (size_t e = 0; e < trace->events.count; e++)
    locks += trace->events.data[e].kind == OMEN_ACQUIRE
             || trace->events.data[e].kind == OMEN_RELEASE;
  printf ("%s %llu %zu %.6f %llu\n", name, (unsigned long long)locks,
          trace->events.count, best, (unsigned long long)found);
}

int
main (int argc, char **argv)
{
  uint64_t events = argc > 1 ? strtoull (argv[1], NULL, 10) : 4000000;
  uint32_t threads = argc > 2 ? (uint32_t)strtoul (argv[2], NULL, 10) : 16;
  omen_trace *locks = generate (events, threads, 0);
  omen_trace *trace = generate (events, threads, 6);
  omen_atomic every;
  omen_err err = { 0 };
  omen_model *model = omen_model_new (trace, &err);
  uint8_t *chosen;
  double seconds[5];
  uint64_t found = 0;
  OMEN_REQUIRE (model && threads);
  if (argc > 3)
    return omen_binary_write (trace, stdout, &err) ? 0 : 2;
  omen_atomic_init (&every, OMEN_ATOMIC_LISTED);
  every.every = true;
  chosen = omen_atomic_blocks (&every, model);
  for (int i = 0; i < 5; i++)
    seconds[i] = run_sidetrack (locks, (found = 0, &found));
  print_best ("sidetrack", locks, seconds, found);
  for (int i = 0; i < 5; i++)
    seconds[i] = run_serial (model, chosen, (found = 0, &found));
  print_best ("observed", trace, seconds, found);
  omen_free (chosen);
  omen_atomic_fini (&every);
  omen_model_free (model);
  omen_trace_free (trace);
  omen_trace_free (locks);
  return 0;
}
