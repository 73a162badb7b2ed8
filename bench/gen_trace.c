/* Writes a large legal trace of a program that never was: the first thread
   forks the others, all of them take locks and access variables, the first
   joins them. Locks exclude, reads see the last write.

     gen_trace --events 10000000 --threads 16 --locks 64 >big.t */
#include "io/binary.h"
#include "trace/text.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option options[] = {
  { "events", 'e', "N", 0, "events in all (default 1000000)" },
  { "threads", 't', "N", 0, "threads (16)" },
  { "locks", 'l', "N", 0, "locks (64)" },
  { "variables", 'v', "N", 0, "variables (20000)" },
  { "locations", 'p', "N", 0, "source locations (2000)" },
  { "seed", 's', "N", 0, "another seed, another trace (1)" },
  { "binary", 'b', NULL, 0, "write the binary form" },
  { 0 },
};

typedef struct knobs {
  uint64_t events, threads, locks, variables, locations, seed;
  bool binary;
} knobs;

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  knobs *k = state->input;
  uint64_t *knob = key == 'e'   ? &k->events
                   : key == 't' ? &k->threads
                   : key == 'l' ? &k->locks
                   : key == 'v' ? &k->variables
                   : key == 'p' ? &k->locations
                   : key == 's' ? &k->seed
                                : NULL;
  char *end;
  if (key == 'b')
    k->binary = true;
  if (!knob)
    return key == 'b' ? 0 : ARGP_ERR_UNKNOWN;
  *knob = strtoull (arg, &end, 10);
  if (*end || !*arg || !*knob || *knob >= OMEN_NONE)
    argp_error (state, "'%s' is no number from 1 to 2^32 - 2", arg);
  return 0;
}

static const struct argp argp
    = { options, parse_option, "",
        "Write a large legal trace on standard output." };

typedef struct worker {
  uint32_t lock; /* held, or OMEN_NONE */
  unsigned left; /* accesses before it is released */
} worker;

typedef struct generator {
  knobs k;
  omen_trace *trace;
  worker *workers;
  uint32_t *holder; /* by lock */
  uint64_t *value;  /* by variable */
  uint64_t random;
} generator;

static uint64_t
below (generator *g, uint64_t limit)
{
  g->random ^= g->random << 13;
  g->random ^= g->random >> 7;
  g->random ^= g->random << 17;
  return (g->random >> 11) % limit;
}

static void
add (generator *g, unsigned kind, omen_tid t, uint32_t object)
{
  char text[32];
  uint64_t place = below (g, g->k.locations);
  int length = snprintf (text, sizeof text, "file%u.c:%u",
                         (unsigned)(place / 100), (unsigned)(place % 997 + 1));
  omen_event event = { .kind = (uint8_t)kind, .thread = t, .object = object };
  event.location = omen_names_id (&g->trace->locations, text, (size_t)length);
  omen_trace_add (g->trace, &event);
}

static uint32_t
lock_id (generator *g, uint64_t lock)
{
  char text[24];
  int length = snprintf (text, sizeof text, "mutex%u", (unsigned)lock);
  return omen_trace_name (g->trace, OMEN_OPERAND_LOCK, text, (size_t)length);
}

static omen_pid
place_id (generator *g, uint64_t variable)
{
  char text[24];
  int length = snprintf (text, sizeof text, "var%u", (unsigned)variable);
  return omen_trace_place (
      g->trace,
      omen_trace_name (g->trace, OMEN_OPERAND_VARIABLE, text, (size_t)length),
      0, OMEN_WHOLE);
}

/* A variable is used under the lock of its class, or now and then not. */
static void
access_variable (generator *g, omen_tid t)
{
  worker *w = &g->workers[t];
  uint64_t v = below (g, g->k.variables);
  bool writes = below (g, 3) == 0;
  omen_event *event;
  if (w->lock != OMEN_NONE && g->k.variables > g->k.locks)
    v -= v % g->k.locks, v += w->lock;
  v %= g->k.variables;
  if (writes)
    g->value[v] = below (g, 100000);
  add (g, writes ? OMEN_WRITE : OMEN_READ, t, place_id (g, v));
  event = &OMEN_VEC_LAST (g->trace->events);
  event->value_kind = OMEN_VALUE_INT;
  event->value = g->value[v];
}

static void
release (generator *g, omen_tid t)
{
  worker *w = &g->workers[t];
  g->holder[w->lock] = OMEN_NONE;
  add (g, OMEN_RELEASE, t, lock_id (g, w->lock));
  w->lock = OMEN_NONE;
}

static void
step (generator *g, omen_tid t)
{
  worker *w = &g->workers[t];
  uint32_t lock = (uint32_t)below (g, g->k.locks);
  if (w->lock != OMEN_NONE && !w->left)
    release (g, t);
  else if (w->lock == OMEN_NONE && g->holder[lock] == OMEN_NONE
           && below (g, 4)) {
    g->holder[lock] = t;
    *w = (worker){ lock, (unsigned)below (g, 8) + 1 };
    add (g, OMEN_ACQUIRE, t, lock_id (g, lock));
  } else {
    w->left -= w->left > 0;
    access_variable (g, t);
  }
}

static void
start (generator *g)
{
  char text[24];
  for (omen_tid t = 0; t < g->k.threads; t++) {
    int length = snprintf (text, sizeof text, "T%u", t);
    omen_trace_thread (g->trace, text, (size_t)length);
    if (t)
      add (g, OMEN_FORK, 0, t);
  }
}

/* Runs of a few events, as a scheduler would. What is left over when all locks
   are released goes to the first thread. */
static void
generate (generator *g)
{
  uint64_t end = g->k.threads * 2, t = 0;
  start (g);
  while (g->trace->events.count + end < g->k.events) {
    if (!below (g, 6))
      t = below (g, g->k.threads);
    step (g, (omen_tid)t);
  }
  for (t = 0; t < g->k.threads; t++)
    if (g->workers[t].lock != OMEN_NONE)
      release (g, (omen_tid)t);
  while (g->trace->events.count + g->k.threads - 1 < g->k.events)
    access_variable (g, 0);
  for (t = 1; t < g->k.threads; t++)
    add (g, OMEN_JOIN, 0, (omen_tid)t);
}

static void
generator_init (generator *g)
{
  g->trace = omen_trace_new ("generated");
  g->random = g->k.seed * 0x9e3779b97f4a7c15u;
  g->workers = omen_alloc (g->k.threads * sizeof *g->workers);
  for (uint64_t t = 0; t < g->k.threads; t++)
    g->workers[t] = (worker){ OMEN_NONE, 0 };
  g->holder = omen_alloc (g->k.locks * sizeof *g->holder);
  memset (g->holder, 0xff, g->k.locks * sizeof *g->holder);
  g->value = omen_zalloc (g->k.variables, sizeof *g->value);
}

static void
generator_fini (generator *g)
{
  omen_free (g->workers);
  omen_free (g->holder);
  omen_free (g->value);
  omen_trace_free (g->trace);
}

int
main (int argc, char **argv)
{
  generator g = { .k = { 1000000, 16, 64, 20000, 2000, 1, false } };
  omen_err err = { 0 };
  bool ok;
  argp_parse (&argp, argc, argv, 0, NULL, &g.k);
  generator_init (&g);
  generate (&g);
  ok = omen_trace_seal (g.trace, &err)
       && (g.k.binary ? omen_binary_write : omen_text_write) (g.trace, stdout,
                                                              &err);
  generator_fini (&g);
  if (!ok)
    fprintf (stderr, "gen_trace: %s\n", err.what);
  return ok ? 0 : 2;
}
