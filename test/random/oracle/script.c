/* Scripts: idioms chosen by weight, and what goes around them. */
#include "script.h"

#include <string.h>

gen_step *
script_add (gen_thread *t, unsigned kind, unsigned object)
{
  gen_step *step
      = &t->steps[t->count < GEN_STEPS - 1 ? t->count++ : GEN_STEPS - 1];
  *step = (gen_step){ .kind = (uint8_t)kind, .object = (uint8_t)object };
  return step;
}

static void
weights_of (const oracle_knobs *knobs, unsigned weights[ORACLE_IDIOM_COUNT])
{
  unsigned i = 0;
#define WEIGHT(name) weights[i++] = knobs->name;
  ORACLE_IDIOMS (WEIGHT)
#undef WEIGHT
}

/* Of a try that hopes to fail only the failure counts. */
static unsigned
steps_so_far (const gen *g)
{
  unsigned count = 0;
  for (unsigned t = 0; t < g->knobs->threads; t++) {
    const gen_thread *own = &g->thread[t];
    count += own->count;
    for (unsigned i = 0; i < own->count; i++)
      if (own->steps[i].how & GEN_HOPING)
        count -= own->steps[i].skip;
  }
  return count;
}

/* Play an idiom, unless it makes the whole too long. */
static void
play (gen *g, size_t i, unsigned most)
{
  gen_thread before[GEN_THREADS];
  memcpy (before, g->thread, sizeof before);
  script_idioms[i](g, &g->thread[gen_pick (g, g->knobs->threads)]);
  if (steps_so_far (g) > most)
    memcpy (g->thread, before, sizeof before);
}

/* What must be there once, in random order. */
static void
play_sure (gen *g, const unsigned *weights, unsigned most)
{
  size_t from = gen_pick (g, ORACLE_IDIOM_COUNT);
  for (size_t k = 0; k < ORACLE_IDIOM_COUNT; k++) {
    size_t i = (from + k * 11) % ORACLE_IDIOM_COUNT;
    if (weights[i] >= ORACLE_SURE)
      play (g, i, most);
  }
}

static size_t
choose_idiom (gen *g, const unsigned *weights)
{
  unsigned sum = 0, at;
  for (size_t i = 0; i < ORACLE_IDIOM_COUNT; i++)
    sum += weights[i] % ORACLE_SURE;
  OMEN_REQUIRE (sum);
  at = gen_pick (g, sum);
  for (size_t i = 0;; at -= weights[i++] % ORACLE_SURE)
    if (at < weights[i] % ORACLE_SURE)
      return i;
}

/* ---- what goes around scripts ---- */
static void
insert (gen_thread *t, unsigned at, unsigned kind, unsigned object)
{
  script_add (t, kind, object);
  memmove (&t->steps[at + 1], &t->steps[at],
           (t->count - 1 - at) * sizeof (gen_step));
  t->steps[at] = (gen_step){ .kind = (uint8_t)kind, .object = (uint8_t)object };
}

/* May something stand before step `at`? Not in a body that a failed try leaves
   out, nor between a wait and its wake. */
static bool
is_outside (const gen_thread *t, unsigned at)
{
  if (at < t->count && t->steps[at].kind == OMEN_WAKE)
    return false;
  for (unsigned i = 0; i < at; i++)
    if (at <= i + t->steps[i].skip)
      return false;
  return true;
}

/* One thread does all of its work in a lock, others pass the lock first: where
   it goes first, much of what can happen needs the sections swapped. */
static void
add_spine (gen *g, gen_thread *other)
{
  unsigned l = gen_pick (g, g->knobs->locks);
  g->first = script_another (g, other);
  for (unsigned i = 0; i < g->knobs->threads; i++) {
    gen_thread *t = &g->thread[i];
    if (t != g->first && t != other && gen_chance (g, 60))
      continue;
    insert (t, 0, OMEN_ACQUIRE, l);
    insert (t, t == g->first ? t->count : 1, OMEN_RELEASE, l);
  }
}

/* A block or function around some of a thread's steps. */
static void
add_wrap (gen *g)
{
  gen_thread *t = &g->thread[gen_pick (g, g->knobs->threads)];
  bool block = gen_chance (g, 50);
  unsigned name = gen_pick (g, 2), from, to;
  if (t->count < 2)
    return;
  from = gen_pick (g, t->count - 1);
  to = from + 2 + gen_pick (g, t->count - from - 1);
  if (!is_outside (t, from) || !is_outside (t, to))
    return;
  insert (t, to, block ? OMEN_END : OMEN_EXIT, name);
  insert (t, from, block ? OMEN_BEGIN : OMEN_ENTER, name);
}

static void
add_seminit (gen *g)
{
  gen_thread *t = &g->thread[gen_pick (g, g->knobs->threads)];
  unsigned at = gen_pick (g, t->count + 1);
  insert (t, is_outside (t, at) && gen_chance (g, 30) ? at : 0, OMEN_SEM_INIT,
          0);
}

/* In a thread of its own choice, drawn from a copy of the generator, which
   leaves the rest of the trace as it is without. */
static void
add_destroy (gen *g)
{
  oracle_random ahead = g->random;
  gen_thread *t;
  unsigned at;
  if (!oracle_chance (&ahead, g->knobs->destroy))
    return;
  t = &g->thread[oracle_below (&ahead, g->knobs->threads)];
  at = oracle_below (&ahead, t->count + 1);
  if (is_outside (t, at))
    insert (t, at, OMEN_DESTROY, oracle_below (&ahead, g->knobs->locks));
}

void
script_write (gen *g, unsigned least, unsigned most)
{
  bool spine = gen_chance (g, g->knobs->spine);
  bool seminit = g->knobs->semaphore + g->knobs->sem_attempt
                 && gen_chance (g, g->knobs->seminit);
  unsigned wraps = gen_chance (g, g->knobs->wrap) ? 1 + gen_pick (g, 2) : 0;
  unsigned around = (spine ? 5 : 0) + seminit + 2 * wraps;
  unsigned weights[ORACLE_IDIOM_COUNT];
  most = most > around ? most - around : 1;
  least = least > around ? least - around : 1;
  weights_of (g->knobs, weights);
  play_sure (g, weights, most);
  for (unsigned tries = 0; steps_so_far (g) < least && tries < 100; tries++)
    play (g, choose_idiom (g, weights), most);
  if (seminit)
    add_seminit (g);
  while (wraps--)
    add_wrap (g);
  if (spine)
    add_spine (g, &g->thread[gen_pick (g, g->knobs->threads)]);
  add_destroy (g);
}
