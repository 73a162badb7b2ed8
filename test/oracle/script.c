/* Idioms: what small programs are made of. Most are an interplay of two
   threads, the first of which is t. */
#include "script.h"

#include <string.h>

static unsigned
pick (gen *g, unsigned n)
{
  return oracle_below (&g->random, n);
}

static bool
chance (gen *g, unsigned in_hundred)
{
  return oracle_chance (&g->random, in_hundred);
}

static gen_step *
add (gen_thread *t, unsigned kind, unsigned object)
{
  gen_step *step
      = &t->steps[t->count < GEN_STEPS - 1 ? t->count++ : GEN_STEPS - 1];
  *step = (gen_step){ .kind = (uint8_t)kind, .object = (uint8_t)object };
  return step;
}

static gen_thread *
another (gen *g, const gen_thread *t)
{
  unsigned self = (unsigned)(t - g->thread);
  if (g->knobs->threads == 1)
    return &g->thread[0];
  return &g->thread[(self + 1 + pick (g, g->knobs->threads - 1))
                    % g->knobs->threads];
}

static unsigned
a_lock (gen *g)
{
  return pick (g, g->knobs->locks);
}

static unsigned
a_variable (gen *g)
{
  return pick (g, g->knobs->variables);
}

static unsigned
a_flag (gen *g)
{
  return g->knobs->variables + pick (g, GEN_FLAGS);
}

static unsigned
an_order (gen *g, unsigned kind)
{
  static const uint8_t reads[] = { OMEN_ORDER_RELAXED, OMEN_ORDER_ACQUIRE };
  static const uint8_t writes[] = { OMEN_ORDER_RELAXED, OMEN_ORDER_RELEASE };
  if (!chance (g, g->knobs->weak))
    return OMEN_ORDER_SC;
  if (kind == OMEN_ATOMIC_READ)
    return reads[pick (g, 2)];
  if (kind == OMEN_ATOMIC_WRITE)
    return writes[pick (g, 2)];
  return OMEN_ORDER_RELAXED + pick (g, 4);
}

/* ---- accesses ---- */
static void
choose_range (gen *g, gen_step *step)
{
  static const uint8_t ranges[][2]
      = { { 0, 4 }, { 4, 4 }, { 0, 8 }, { 2, 4 }, { 0, 2 }, { 0, 0 } };
  const uint8_t *range = ranges[pick (g, 6)];
  if (g->ranged[step->object]) {
    step->offset = range[0];
    step->size = range[1];
  }
}

static void
access_to (gen *g, gen_thread *t, unsigned kind, unsigned variable)
{
  choose_range (g, add (t, kind, variable));
}

/* A read or write without its lock. */
static void
touch (gen *g, gen_thread *t, unsigned v)
{
  access_to (g, t, chance (g, 50) ? OMEN_READ : OMEN_WRITE, v);
}

static void
acquire (gen *g, gen_thread *t, unsigned l)
{
  if (chance (g, g->knobs->request))
    add (t, OMEN_REQUEST, l);
  add (t, OMEN_ACQUIRE, l);
}

/* One or two accesses in the lock of the variable. */
static void
guarded (gen *g, gen_thread *t, unsigned v)
{
  unsigned l = v % g->knobs->locks;
  acquire (g, t, l);
  touch (g, t, v);
  if (chance (g, 40))
    touch (g, t, chance (g, 70) ? v : a_variable (g));
  add (t, OMEN_RELEASE, l);
}

static void
access (gen *g, gen_thread *t)
{
  if (chance (g, g->knobs->guarded))
    guarded (g, t, a_variable (g));
  else
    touch (g, t, a_variable (g));
}

/* Perhaps an access, in the middle of something else. */
static void
perhaps (gen *g, gen_thread *t)
{
  if (chance (g, 30))
    touch (g, t, a_variable (g));
}

/* ---- atomics ---- */
static void
atomic_to (gen *g, gen_thread *t, unsigned kind, unsigned v)
{
  gen_step *step = add (t, kind, v);
  step->order = (uint8_t)an_order (g, kind);
  choose_range (g, step);
}

static void
atomic (gen *g, gen_thread *t)
{
  unsigned v = chance (g, 85) ? a_flag (g) : a_variable (g);
  atomic_to (g, t, OMEN_ATOMIC_WRITE, v);
  atomic_to (g, another (g, t), OMEN_ATOMIC_READ, v);
}

static void
rmw (gen *g, gen_thread *t)
{
  unsigned v = a_flag (g);
  atomic_to (g, t, OMEN_ATOMIC_RMW, v);
  if (chance (g, 70))
    atomic_to (g, another (g, t), OMEN_ATOMIC_RMW, v);
}

static void
fence (gen *g, gen_thread *t)
{
  add (t, OMEN_FENCE, 0)->order = (uint8_t)an_order (g, OMEN_FENCE);
}

/* w, aw in one thread, ar, r in the other. */
static void
publish (gen *g, gen_thread *t)
{
  unsigned v = a_variable (g), flag = a_flag (g), fences = pick (g, 5);
  gen_thread *u = another (g, t);
  access_to (g, t, OMEN_WRITE, v);
  if (fences == 1 || fences == 2)
    fence (g, t);
  atomic_to (g, t, OMEN_ATOMIC_WRITE, flag);
  atomic_to (g, u, OMEN_ATOMIC_READ, flag);
  if (fences == 2 || fences == 3)
    fence (g, u);
  touch (g, u, v);
}

/* ---- locks ---- */
/* Inside its section in one thread, after the section in the other. */
static void
section (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), v = a_variable (g);
  gen_thread *u = another (g, t);
  g->first = t;
  acquire (g, t, l);
  touch (g, t, v);
  if (chance (g, 30))
    touch (g, t, a_variable (g));
  add (t, OMEN_RELEASE, l);
  acquire (g, u, l);
  add (u, OMEN_RELEASE, l);
  touch (g, u, v);
}

static void
nested (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), shared = chance (g, 30);
  add (t, shared ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE, l);
  add (t, shared ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE, l);
  perhaps (g, t);
  add (t, shared ? OMEN_READ_RELEASE : OMEN_RELEASE, l);
  add (t, shared ? OMEN_READ_RELEASE : OMEN_RELEASE, l);
}

/* Lock b inside lock a. */
static void
inside (gen *g, gen_thread *t, unsigned a, unsigned b)
{
  acquire (g, t, a);
  acquire (g, t, b);
  if (chance (g, 20))
    touch (g, t, a_variable (g));
  add (t, OMEN_RELEASE, b);
  add (t, OMEN_RELEASE, a);
}

/* Two locks in both orders, or three in a circle. Sometimes one thread goes
   first for another reason, so that nothing can happen. */
static void
crossing (gen *g, gen_thread *t)
{
  unsigned n = g->knobs->locks, a = a_lock (g), b = (a + 1) % n;
  unsigned x = a_variable (g), reason = pick (g, 5);
  gen_thread *u = another (g, t), *v = another (g, u);
  inside (g, t, a, b);
  if (n > 2 && v != t && chance (g, 15)) {
    inside (g, u, b, (b + 1) % n);
    inside (g, v, (b + 1) % n, a);
    return;
  }
  if (reason == 0) {
    access_to (g, t, OMEN_WRITE, x);
    access_to (g, u, OMEN_READ, x);
  } else if (reason == 1) {
    add (t, OMEN_HAPPENS_BEFORE, 0);
    add (u, OMEN_HAPPENS_AFTER, 0);
  } else if (reason == 2 && u > t && !u->forked) {
    add (t, OMEN_FORK, (unsigned)(u - g->thread));
    u->forked = true;
  }
  inside (g, u, b, a);
}

/* The same with a third lock: around both it prevents the deadlock; around one
   it must be taken in time by the other. */
static void
gated (gen *g, gen_thread *t)
{
  unsigned n = g->knobs->locks, gate = a_lock (g);
  unsigned a = (gate + 1) % n, b = (gate + 2) % n;
  gen_thread *u = another (g, t);
  bool both = chance (g, 60);
  acquire (g, t, gate);
  inside (g, t, a, b);
  add (t, OMEN_RELEASE, gate);
  acquire (g, u, gate);
  if (!both)
    add (u, OMEN_RELEASE, gate);
  inside (g, u, b, a);
  if (both)
    add (u, OMEN_RELEASE, gate);
}

/* What makes a lock irregular: released by another thread, or upgraded. */
static void
irregular (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g);
  if (chance (g, 50)) {
    add (t, OMEN_ACQUIRE, l);
    touch (g, t, a_variable (g));
    add (t, OMEN_RELEASE, l);
    add (another (g, t), OMEN_RELEASE, l)->how = GEN_FOREIGN;
    return;
  }
  add (t, OMEN_READ_ACQUIRE, l);
  add (t, OMEN_ACQUIRE, l);
  touch (g, t, a_variable (g));
  add (t, OMEN_RELEASE, l);
  add (t, OMEN_READ_RELEASE, l);
}

static void
rwlock (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), v = a_variable (g);
  bool writer = chance (g, 60);
  gen_thread *u = another (g, t);
  add (t, OMEN_READ_ACQUIRE, l);
  touch (g, t, v);
  add (t, OMEN_READ_RELEASE, l);
  add (u, writer ? OMEN_ACQUIRE : OMEN_READ_ACQUIRE, l);
  touch (g, u, v);
  add (u, writer ? OMEN_RELEASE : OMEN_READ_RELEASE, l);
}

/* A lock that may be refused; the body is left out then. */
static void
refusable (gen *g, gen_thread *t, unsigned l, bool reader, unsigned how)
{
  unsigned first = t->count;
  add (t, reader ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE, l)->how
      = (uint8_t)(OMEN_MODE_TRY | how | (chance (g, 75) ? GEN_HOPING : 0));
  perhaps (g, t);
  add (t, reader ? OMEN_READ_RELEASE : OMEN_RELEASE, l);
  t->steps[first].skip = (uint8_t)(t->count - first - 1);
}

/* A holder, and others that cannot have the lock: one tries, one tries to
   share it, one runs out of time. */
static void
attempt (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g);
  acquire (g, t, l);
  perhaps (g, t);
  add (t, OMEN_RELEASE, l);
  refusable (g, another (g, t), l, false, 0);
  refusable (g, another (g, t), l, true, 0);
  refusable (g, another (g, t), l, chance (g, 20), GEN_TIMED);
}

/* ---- conditions ---- */
static void
notify (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), which = pick (g, 5);
  bool locked = chance (g, 15);
  if (locked)
    acquire (g, t, l);
  if (chance (g, 20))
    touch (g, t, a_variable (g));
  if (which < 3)
    add (t, OMEN_NOTIFY, 0)->how = GEN_HOPING;
  if (which > 1)
    add (t, OMEN_NOTIFY_ALL, 0)->how = GEN_HOPING;
  if (locked)
    add (t, OMEN_RELEASE, l);
}

static void
wait (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), how = 0;
  gen_step *step;
  if (chance (g, g->knobs->impatience))
    how = chance (g, 50) ? OMEN_MODE_TIMEOUT : OMEN_MODE_SPURIOUS;
  acquire (g, t, l);
  add (t, OMEN_WAIT, 0)->lock = (uint8_t)l;
  step = add (t, OMEN_WAKE, 0);
  step->lock = (uint8_t)l;
  step->how = (uint8_t)how;
  perhaps (g, t);
  add (t, OMEN_RELEASE, l);
  if (!how || chance (g, 50))
    notify (g, another (g, t));
}

/* wait(c) with a return that needs a notify, or two that do not. */
static void
bare_wait (gen *g, gen_thread *t)
{
  gen_thread *u = another (g, t);
  add (t, OMEN_WAIT, 0)->how = GEN_BARE;
  if (chance (g, g->knobs->impatience)) {
    add (u, OMEN_WAIT, 0)->how = GEN_BARE;
    add (t, OMEN_WAKE, 0)->how = GEN_BARE | OMEN_MODE_TIMEOUT;
    add (u, OMEN_WAKE, 0)->how = GEN_BARE | OMEN_MODE_SPURIOUS;
    return;
  }
  if (chance (g, 30))
    add (t, OMEN_WAKE, 0)->how = GEN_BARE;
  else
    touch (g, t, a_variable (g));
  notify (g, u);
}

/* ---- other synchronisation ---- */
static void
semaphore (gen *g, gen_thread *t)
{
  gen_thread *u = another (g, t);
  perhaps (g, t);
  add (t, OMEN_SEM_UP, 0);
  add (u, OMEN_SEM_DOWN, 0);
  perhaps (g, u);
}

static void
sem_attempt (gen *g, gen_thread *t)
{
  unsigned first = t->count;
  add (t, OMEN_SEM_DOWN, 0)->how = OMEN_MODE_TRY | GEN_HOPING;
  touch (g, t, a_variable (g));
  t->steps[first].skip = 1;
}

static void
barrier (gen *g, gen_thread *t)
{
  gen_thread *u = t;
  for (unsigned i = 0; i < g->barrier_size; i++) {
    perhaps (g, u);
    add (u, OMEN_ARRIVE, 0);
    add (u, OMEN_DEPART, 0);
    perhaps (g, u);
    u = &g->thread[((unsigned)(u - g->thread) + 1) % g->knobs->threads];
  }
}

/* Fork a thread that nobody forks yet. It must come later in the table, so that
   forks make no circle. */
static void
child (gen *g, gen_thread *t)
{
  unsigned self = (unsigned)(t - g->thread), c;
  if (self == g->knobs->threads - 1)
    self = 0;
  c = self + 1 + pick (g, g->knobs->threads - self - 1);
  if (g->knobs->threads == 1 || g->thread[c].forked)
    return;
  t = &g->thread[self];
  g->thread[c].forked = true;
  perhaps (g, t);
  add (t, OMEN_FORK, c);
  perhaps (g, t);
  if (chance (g, 90)) {
    add (chance (g, 75) ? t : another (g, &g->thread[c]), OMEN_JOIN, c);
    perhaps (g, t);
  }
}

static void
signal (gen *g, gen_thread *t)
{
  unsigned o = pick (g, 2);
  gen_thread *u = another (g, t);
  perhaps (g, t);
  add (t, OMEN_HAPPENS_BEFORE, o);
  add (u, OMEN_HAPPENS_AFTER, o);
  perhaps (g, u);
}

/* ---- memory, blocks, marks ---- */
static void
heap (gen *g, gen_thread *t)
{
  unsigned p = g->knobs->variables + GEN_FLAGS + pick (g, GEN_BLOCKS);
  gen_thread *u = another (g, t);
  add (t, OMEN_ALLOC, p);
  touch (g, t, p);
  touch (g, u, p);
  if (chance (g, 90))
    add (chance (g, 50) ? t : u, OMEN_FREE, p);
}

static void
external (gen *g, gen_thread *t)
{
  access_to (g, t, OMEN_EXTERNAL, a_variable (g));
}

/* Two accesses in one block, each perhaps in its own section, and one of
   another thread that may come between. */
static void
span (gen *g, gen_thread *t, unsigned open, unsigned close)
{
  unsigned name = pick (g, 2), v = a_variable (g);
  gen_thread *u = another (g, t);
  add (t, open, name);
  if (chance (g, g->knobs->guarded / 3)) {
    guarded (g, t, v);
    guarded (g, t, v);
    guarded (g, u, v);
  } else {
    touch (g, t, v);
    touch (g, t, v);
    access_to (g, u, chance (g, 75) ? OMEN_WRITE : OMEN_READ, v);
  }
  if (chance (g, 80))
    add (t, close, name);
}

static void
block (gen *g, gen_thread *t)
{
  span (g, t, OMEN_BEGIN, OMEN_END);
}

static void
function (gen *g, gen_thread *t)
{
  span (g, t, OMEN_ENTER, OMEN_EXIT);
}

static void
branch (gen *g, gen_thread *t)
{
  access_to (g, t, OMEN_READ, a_variable (g));
  add (t, OMEN_BRANCH, 0);
  touch (g, t, a_variable (g));
}

static void
emit (gen *g, gen_thread *t)
{
  add (t, OMEN_EMIT, pick (g, 2));
}

/* ---- scripts ---- */
typedef void idiom (gen *g, gen_thread *t);

static idiom *const idioms[] = {
#define IDIOM(name) name,
  ORACLE_IDIOMS (IDIOM)
#undef IDIOM
};

static void
weights_of (const oracle_knobs *knobs, unsigned weights[OMEN_COUNT (idioms)])
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
  idioms[i](g, &g->thread[pick (g, g->knobs->threads)]);
  if (steps_so_far (g) > most)
    memcpy (g->thread, before, sizeof before);
}

/* What must be there once, in random order. */
static void
play_sure (gen *g, const unsigned *weights, unsigned most)
{
  size_t from = pick (g, OMEN_COUNT (idioms));
  for (size_t k = 0; k < OMEN_COUNT (idioms); k++) {
    size_t i = (from + k * 11) % OMEN_COUNT (idioms);
    if (weights[i] >= ORACLE_SURE)
      play (g, i, most);
  }
}

static size_t
choose_idiom (gen *g, const unsigned *weights)
{
  unsigned sum = 0, at;
  for (size_t i = 0; i < OMEN_COUNT (idioms); i++)
    sum += weights[i] % ORACLE_SURE;
  OMEN_REQUIRE (sum);
  at = pick (g, sum);
  for (size_t i = 0;; at -= weights[i++] % ORACLE_SURE)
    if (at < weights[i] % ORACLE_SURE)
      return i;
}

/* ---- what goes around scripts ---- */
static void
insert (gen_thread *t, unsigned at, unsigned kind, unsigned object)
{
  add (t, kind, object);
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
  unsigned l = a_lock (g);
  g->first = another (g, other);
  for (unsigned i = 0; i < g->knobs->threads; i++) {
    gen_thread *t = &g->thread[i];
    if (t != g->first && t != other && chance (g, 60))
      continue;
    insert (t, 0, OMEN_ACQUIRE, l);
    insert (t, t == g->first ? t->count : 1, OMEN_RELEASE, l);
  }
}

/* A block or function around some of a thread's steps. */
static void
add_wrap (gen *g)
{
  gen_thread *t = &g->thread[pick (g, g->knobs->threads)];
  bool block = chance (g, 50);
  unsigned name = pick (g, 2), from, to;
  if (t->count < 2)
    return;
  from = pick (g, t->count - 1);
  to = from + 2 + pick (g, t->count - from - 1);
  if (!is_outside (t, from) || !is_outside (t, to))
    return;
  insert (t, to, block ? OMEN_END : OMEN_EXIT, name);
  insert (t, from, block ? OMEN_BEGIN : OMEN_ENTER, name);
}

static void
add_seminit (gen *g)
{
  gen_thread *t = &g->thread[pick (g, g->knobs->threads)];
  unsigned at = pick (g, t->count + 1);
  insert (t, is_outside (t, at) && chance (g, 30) ? at : 0, OMEN_SEM_INIT, 0);
}

void
script_write (gen *g, unsigned least, unsigned most)
{
  bool spine = chance (g, g->knobs->spine);
  bool seminit = g->knobs->semaphore + g->knobs->sem_attempt
                 && chance (g, g->knobs->seminit);
  unsigned wraps = chance (g, g->knobs->wrap) ? 1 + pick (g, 2) : 0;
  unsigned around = (spine ? 5 : 0) + seminit + 2 * wraps;
  unsigned weights[OMEN_COUNT (idioms)];
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
    add_spine (g, &g->thread[pick (g, g->knobs->threads)]);
}
