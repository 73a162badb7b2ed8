#include "gen.h"
#include "script.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers: splitmix64 ---- */
uint64_t
oracle_next (oracle_random *random)
{
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

unsigned
oracle_below (oracle_random *random, unsigned n)
{
  OMEN_REQUIRE (n);
  return (unsigned)(oracle_next (random) >> 33) % n;
}

bool
oracle_chance (oracle_random *random, unsigned in_hundred)
{
  return oracle_below (random, 100) < in_hundred;
}

/* ---- profiles ---- */
/* Themes: each trace has some of them on top of its profile, so that every
   kind of synchronisation meets every other one. */
static void
add_themes (oracle_knobs *k, oracle_random *random)
{
#define THEME(idiom, in_hundred)                                               \
  if (oracle_chance (random, in_hundred))                                      \
  k->idiom += ORACLE_SURE
  THEME (rwlock, 8);
  THEME (attempt, 38);
  THEME (wait, 25);
  THEME (bare_wait, 33);
  THEME (semaphore, 16);
  THEME (sem_attempt, 24);
  THEME (barrier, 26);
  THEME (child, 22);
  THEME (signal, 15);
  THEME (atomic, 6);
  THEME (publish, 15);
  THEME (rmw, 14);
  THEME (fence, 9);
  THEME (heap, 22);
  THEME (external, 13);
  THEME (block, 37);
  THEME (function, 35);
  THEME (nested, 11);
  THEME (irregular, 4);
  THEME (branch, 17);
  THEME (emit, 4);
  THEME (gated, 8);
  THEME (waiters, 9);
#undef THEME
  k->dependence = k->branch ? 90 : 2;
}

/* What the trace is mostly about. */
static void
set_profile (oracle_knobs *k, oracle_random *random)
{
  k->access = 10;
  k->spine = 60;
  switch (oracle_below (random, 8)) {
  case 0: /* sections to be swapped */
  case 1:
  case 2:
    k->section = ORACLE_SURE + 24;
    k->access = 5;
    k->guarded = 60;
    k->spine = 0;
    break;
  case 3: /* deadlocks */
  case 4:
    k->crossing = ORACLE_SURE + 5;
    k->guarded = 50;
    k->spine = 20;
    break;
  case 5: /* everything in its lock */
  case 6:
    k->guarded = 95;
    break;
  default: /* nothing in its lock */
    k->guarded = 10;
    k->spine = 70;
    k->variables++;
    break;
  }
}

void
oracle_knobs_default (oracle_knobs *k, uint64_t seed)
{
  oracle_random random = { seed };
  memset (k, 0, sizeof *k);
  k->seed = oracle_next (&random);
  k->threads = 3 + oracle_below (&random, 2);
  k->locks = 2 + oracle_below (&random, 2);
  k->variables = 1 + oracle_chance (&random, 60);
  k->values = 2 + oracle_below (&random, 2);
  k->shortest = 10;
  k->longest = 16;
  k->known = oracle_chance (&random, 75) ? 100 : oracle_below (&random, 101);
  k->impatience = 45;
  k->init = oracle_below (&random, 50);
  k->seminit = 38;
  k->weak = 60;
  k->ranges = oracle_chance (&random, 15) ? 80 : 0;
  k->request = oracle_chance (&random, 23) ? 50 : 0;
  k->stay = 20 + oracle_below (&random, 70);
  k->cut = 12;
  k->destroy = 18;
  k->wrap = 5;
  set_profile (k, &random);
  add_themes (k, &random);
}

bool
oracle_knobs_set (oracle_knobs *k, const char *setting)
{
  const struct {
    const char *name;
    unsigned *value;
  } knobs[] = {
#define KNOB(name) { #name, &k->name },
    ORACLE_SIZES (KNOB) ORACLE_CHANCES (KNOB) ORACLE_IDIOMS (KNOB)
#undef KNOB
  };
  const char *equals = strchr (setting, '=');
  for (size_t i = 0; equals && i < OMEN_COUNT (knobs); i++)
    if (strlen (knobs[i].name) == (size_t)(equals - setting)
        && !memcmp (knobs[i].name, setting, (size_t)(equals - setting))) {
      *knobs[i].value = (unsigned)strtoul (equals + 1, NULL, 0);
      return true;
    }
  return false;
}

/* ---- one trace ---- */
static void
put_inits (gen *g)
{
  static const char name[][16] = { "x0", "x1", "x2", "x3", "x4" };
  for (unsigned v = 0; v < g->knobs->variables && v < OMEN_COUNT (name); v++) {
    char line[128];
    if (g->type[v] != OMEN_VALUE_INT
        || !oracle_chance (&g->random, g->knobs->init))
      continue;
    g->memory[v] = oracle_below (&g->random, g->knobs->values);
    snprintf (line, sizeof line, "*|init(%s=%u)|\n", name[v],
              (unsigned)g->memory[v]);
    for (const char *p = line; *p; p++)
      OMEN_VEC_PUSH (g->text, *p);
  }
}

static void
prepare (gen *g, const oracle_knobs *knobs)
{
  g->knobs = knobs;
  g->dependences = oracle_chance (&g->random, knobs->dependence);
  g->barrier_size = 2 + (knobs->threads > 2 && oracle_chance (&g->random, 25));
  g->semaphore = oracle_below (&g->random, 2);
  for (unsigned v = 0; v < GEN_OBJECTS; v++) {
    g->ranged[v] = oracle_chance (&g->random, knobs->ranges);
    g->type[v] = OMEN_VALUE_INT;
    if (!g->ranged[v] && oracle_chance (&g->random, 8))
      g->type[v] = oracle_chance (&g->random, 50) ? OMEN_VALUE_SYMBOL
                                                  : OMEN_VALUE_POINTER;
  }
}

/* True if the run was long enough. */
static bool
try_once (gen *g, const oracle_knobs *knobs, uint64_t seed)
{
  unsigned most = knobs->longest;
  memset (g, 0, sizeof *g);
  g->random.state = seed;
  prepare (g, knobs);
  put_inits (g);
  script_write (g, (knobs->shortest + 6 * knobs->longest) / 7, most);
  if (oracle_chance (&g->random, knobs->cut))
    most -= oracle_below (&g->random, knobs->longest - knobs->shortest + 1);
  script_run (g, most);
  return g->events >= knobs->shortest;
}

omen_trace *
oracle_generate (const oracle_knobs *knobs)
{
  oracle_random seeds = { knobs->seed };
  unsigned tries = 0;
  omen_trace *trace;
  omen_err err = { 0 };
  gen g;
  OMEN_REQUIRE (knobs->threads && knobs->threads <= GEN_THREADS);
  OMEN_REQUIRE (knobs->locks && knobs->locks <= GEN_OBJECTS);
  OMEN_REQUIRE (knobs->variables + GEN_FLAGS + GEN_BLOCKS <= GEN_OBJECTS);
  OMEN_REQUIRE (knobs->values && knobs->shortest <= knobs->longest);
  while (!try_once (&g, knobs, oracle_next (&seeds)) && ++tries < 100)
    OMEN_VEC_FINI (g.text);
  trace = omen_text_parse ("random", g.text.data, g.text.count, &err);
  OMEN_VEC_FINI (g.text);
  OMEN_ASSERT (trace);
  return trace;
}
