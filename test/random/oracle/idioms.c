/* Idioms: what small programs are made of. Most are an interplay of two
   threads, the first of which is t. */
#include "script.h"

#include <string.h>

gen_thread *
script_another (gen *g, const gen_thread *t)
{
  unsigned self = (unsigned)(t - g->thread);
  if (g->knobs->threads == 1)
    return &g->thread[0];
  return &g->thread[(self + 1 + gen_pick (g, g->knobs->threads - 1))
                    % g->knobs->threads];
}

static unsigned
a_lock (gen *g)
{
  return gen_pick (g, g->knobs->locks);
}

static unsigned
a_variable (gen *g)
{
  return gen_pick (g, g->knobs->variables);
}

static unsigned
a_flag (gen *g)
{
  return g->knobs->variables + gen_pick (g, GEN_FLAGS);
}

static unsigned
an_order (gen *g, unsigned kind)
{
  static const uint8_t reads[] = { OMEN_ORDER_RELAXED, OMEN_ORDER_ACQUIRE };
  static const uint8_t writes[] = { OMEN_ORDER_RELAXED, OMEN_ORDER_RELEASE };
  if (!gen_chance (g, g->knobs->weak))
    return OMEN_ORDER_SC;
  if (kind == OMEN_ATOMIC_READ)
    return reads[gen_pick (g, 2)];
  if (kind == OMEN_ATOMIC_WRITE)
    return writes[gen_pick (g, 2)];
  return OMEN_ORDER_RELAXED + gen_pick (g, 4);
}

/* ---- accesses ---- */
static void
choose_range (gen *g, gen_step *step)
{
  static const uint8_t ranges[][2]
      = { { 0, 4 }, { 4, 4 }, { 0, 8 }, { 2, 4 }, { 0, 2 }, { 0, 0 } };
  const uint8_t *range = ranges[gen_pick (g, 6)];
  if (g->ranged[step->object]) {
    step->offset = range[0];
    step->size = range[1];
  }
}

static void
access_to (gen *g, gen_thread *t, unsigned kind, unsigned variable)
{
  choose_range (g, script_add (t, kind, variable));
}

/* A read or write without its lock. */
static void
touch (gen *g, gen_thread *t, unsigned v)
{
  access_to (g, t, gen_chance (g, 50) ? OMEN_READ : OMEN_WRITE, v);
}

static void
acquire (gen *g, gen_thread *t, unsigned l)
{
  if (gen_chance (g, g->knobs->request))
    script_add (t, OMEN_REQUEST, l);
  script_add (t, OMEN_ACQUIRE, l);
}

/* One or two accesses in the lock of the variable. */
static void
guarded (gen *g, gen_thread *t, unsigned v)
{
  unsigned l = v % g->knobs->locks;
  acquire (g, t, l);
  touch (g, t, v);
  if (gen_chance (g, 40))
    touch (g, t, gen_chance (g, 70) ? v : a_variable (g));
  script_add (t, OMEN_RELEASE, l);
}

static void
access (gen *g, gen_thread *t)
{
  if (gen_chance (g, g->knobs->guarded))
    guarded (g, t, a_variable (g));
  else
    touch (g, t, a_variable (g));
}

/* Perhaps an access, in the middle of something else. */
static void
perhaps (gen *g, gen_thread *t)
{
  if (gen_chance (g, 30))
    touch (g, t, a_variable (g));
}

/* ---- atomics ---- */
static void
atomic_to (gen *g, gen_thread *t, unsigned kind, unsigned v)
{
  gen_step *step = script_add (t, kind, v);
  step->order = (uint8_t)an_order (g, kind);
  choose_range (g, step);
}

static void
atomic (gen *g, gen_thread *t)
{
  unsigned v = gen_chance (g, 85) ? a_flag (g) : a_variable (g);
  atomic_to (g, t, OMEN_ATOMIC_WRITE, v);
  atomic_to (g, script_another (g, t), OMEN_ATOMIC_READ, v);
}

static void
rmw (gen *g, gen_thread *t)
{
  unsigned v = a_flag (g);
  atomic_to (g, t, OMEN_ATOMIC_RMW, v);
  if (gen_chance (g, 70))
    atomic_to (g, script_another (g, t), OMEN_ATOMIC_RMW, v);
}

static void
fence (gen *g, gen_thread *t)
{
  script_add (t, OMEN_FENCE, 0)->order = (uint8_t)an_order (g, OMEN_FENCE);
}

/* w, aw in one thread, ar, r in the other. */
static void
publish (gen *g, gen_thread *t)
{
  unsigned v = a_variable (g), flag = a_flag (g), fences = gen_pick (g, 5);
  gen_thread *u = script_another (g, t);
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
  gen_thread *u = script_another (g, t);
  g->first = t;
  acquire (g, t, l);
  touch (g, t, v);
  if (gen_chance (g, 30))
    touch (g, t, a_variable (g));
  script_add (t, OMEN_RELEASE, l);
  acquire (g, u, l);
  script_add (u, OMEN_RELEASE, l);
  touch (g, u, v);
}

static void
nested (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), shared = gen_chance (g, 30);
  script_add (t, shared ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE, l);
  script_add (t, shared ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE, l);
  perhaps (g, t);
  script_add (t, shared ? OMEN_READ_RELEASE : OMEN_RELEASE, l);
  script_add (t, shared ? OMEN_READ_RELEASE : OMEN_RELEASE, l);
}

/* Lock b inside lock a. */
static void
inside (gen *g, gen_thread *t, unsigned a, unsigned b)
{
  acquire (g, t, a);
  acquire (g, t, b);
  if (gen_chance (g, 20))
    touch (g, t, a_variable (g));
  script_add (t, OMEN_RELEASE, b);
  script_add (t, OMEN_RELEASE, a);
}

/* Two locks in both orders, or three in a circle. Sometimes one thread goes
   first for another reason, so that nothing can happen. */
static void
crossing (gen *g, gen_thread *t)
{
  unsigned n = g->knobs->locks, a = a_lock (g), b = (a + 1) % n;
  unsigned x = a_variable (g), reason = gen_pick (g, 5);
  gen_thread *u = script_another (g, t), *v = script_another (g, u);
  inside (g, t, a, b);
  if (n > 2 && v != t && gen_chance (g, 15)) {
    inside (g, u, b, (b + 1) % n);
    inside (g, v, (b + 1) % n, a);
    return;
  }
  if (reason == 0) {
    access_to (g, t, OMEN_WRITE, x);
    access_to (g, u, OMEN_READ, x);
  } else if (reason == 1) {
    script_add (t, OMEN_HAPPENS_BEFORE, 0);
    script_add (u, OMEN_HAPPENS_AFTER, 0);
  } else if (reason == 2 && u > t && !u->forked) {
    script_add (t, OMEN_FORK, (unsigned)(u - g->thread));
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
  gen_thread *u = script_another (g, t);
  bool both = gen_chance (g, 60);
  acquire (g, t, gate);
  inside (g, t, a, b);
  script_add (t, OMEN_RELEASE, gate);
  acquire (g, u, gate);
  if (!both)
    script_add (u, OMEN_RELEASE, gate);
  inside (g, u, b, a);
  if (both)
    script_add (u, OMEN_RELEASE, gate);
}

/* wait(c,l) by a thread that does not have l: it may be another one's, or
   nobody's. It wakes by itself. */
static void
careless_wait (gen *g, gen_thread *t, unsigned l)
{
  gen_step *step;
  script_add (t, OMEN_WAIT, 0)->lock = (uint8_t)l;
  step = script_add (t, OMEN_WAKE, 0);
  step->lock = (uint8_t)l;
  step->how = OMEN_MODE_TIMEOUT;
  touch (g, t, a_variable (g));
}

/* What makes a lock irregular: released by another thread, waited on without
   having it, or upgraded. */
static void
irregular (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), which = gen_pick (g, 5);
  if (which == 4) {
    careless_wait (g, t, l);
    return;
  }
  if (which < 2) {
    script_add (t, OMEN_ACQUIRE, l);
    touch (g, t, a_variable (g));
    script_add (t, OMEN_RELEASE, l);
    script_add (script_another (g, t), OMEN_RELEASE, l)->how = GEN_FOREIGN;
    return;
  }
  script_add (t, OMEN_READ_ACQUIRE, l);
  script_add (t, OMEN_ACQUIRE, l);
  touch (g, t, a_variable (g));
  script_add (t, OMEN_RELEASE, l);
  script_add (t, OMEN_READ_RELEASE, l);
}

static void
rwlock (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), v = a_variable (g);
  bool writer = gen_chance (g, 60);
  gen_thread *u = script_another (g, t);
  script_add (t, OMEN_READ_ACQUIRE, l);
  touch (g, t, v);
  script_add (t, OMEN_READ_RELEASE, l);
  script_add (u, writer ? OMEN_ACQUIRE : OMEN_READ_ACQUIRE, l);
  touch (g, u, v);
  script_add (u, writer ? OMEN_RELEASE : OMEN_READ_RELEASE, l);
}

/* A lock that may be refused; the body is left out then. */
static void
refusable (gen *g, gen_thread *t, unsigned l, bool reader, unsigned how)
{
  unsigned first = t->count;
  script_add (t, reader ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE, l)->how
      = (uint8_t)(OMEN_MODE_TRY | how | (gen_chance (g, 75) ? GEN_HOPING : 0));
  perhaps (g, t);
  script_add (t, reader ? OMEN_READ_RELEASE : OMEN_RELEASE, l);
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
  script_add (t, OMEN_RELEASE, l);
  refusable (g, script_another (g, t), l, false, 0);
  refusable (g, script_another (g, t), l, true, 0);
  refusable (g, script_another (g, t), l, gen_chance (g, 20), GEN_TIMED);
}

/* ---- conditions ---- */
static void
notify (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), which = gen_pick (g, 5);
  bool locked = gen_chance (g, 15);
  if (locked)
    acquire (g, t, l);
  if (gen_chance (g, 20))
    touch (g, t, a_variable (g));
  if (which < 3)
    script_add (t, OMEN_NOTIFY, 0)->how = GEN_HOPING;
  if (which > 1)
    script_add (t, OMEN_NOTIFY_ALL, 0)->how = GEN_HOPING;
  if (locked)
    script_add (t, OMEN_RELEASE, l);
}

static void
wait (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), how = 0;
  gen_step *step;
  if (gen_chance (g, g->knobs->impatience))
    how = gen_chance (g, 50) ? OMEN_MODE_TIMEOUT : OMEN_MODE_SPURIOUS;
  acquire (g, t, l);
  script_add (t, OMEN_WAIT, 0)->lock = (uint8_t)l;
  step = script_add (t, OMEN_WAKE, 0);
  step->lock = (uint8_t)l;
  step->how = (uint8_t)how;
  perhaps (g, t);
  script_add (t, OMEN_RELEASE, l);
  if (!how || gen_chance (g, 50))
    notify (g, script_another (g, t));
}

/* A return that is itself an operation on the condition. */
static void
return_to_condition (gen_thread *t, oracle_random *random)
{
  switch (oracle_below (random, 3)) {
  case 0:
    script_add (t, OMEN_NOTIFY, 0);
    break;
  case 1:
    script_add (t, OMEN_NOTIFY_ALL, 0);
    break;
  default:
    script_add (t, OMEN_WAIT, 0)->how = GEN_BARE;
  }
}

/* wait(c) with a return that needs a notify, or two that do not. Whether the
   return is an operation on c is read off a copy of the generator, which leaves
   the traces where it is not as they are. */
static void
bare_wait (gen *g, gen_thread *t)
{
  gen_thread *u = script_another (g, t);
  oracle_random ahead;
  script_add (t, OMEN_WAIT, 0)->how = GEN_BARE;
  if (gen_chance (g, g->knobs->impatience)) {
    script_add (u, OMEN_WAIT, 0)->how = GEN_BARE;
    script_add (t, OMEN_WAKE, 0)->how = GEN_BARE | OMEN_MODE_TIMEOUT;
    script_add (u, OMEN_WAKE, 0)->how = GEN_BARE | OMEN_MODE_SPURIOUS;
    return;
  }
  ahead = g->random;
  if (oracle_chance (&ahead, 8))
    return_to_condition (t, &ahead);
  else if (gen_chance (g, 30))
    script_add (t, OMEN_WAKE, 0)->how = GEN_BARE;
  else
    touch (g, t, a_variable (g));
  notify (g, u);
}

/* A return that wants lock b holding a, or accesses x. */
static void
returning (gen *g, gen_thread *t, bool locks, unsigned a, unsigned b,
           unsigned x)
{
  if (locks)
    script_add (t, OMEN_ACQUIRE, a);
  script_add (t, OMEN_WAIT, 0)->how = GEN_BARE;
  if (!locks) {
    touch (g, t, x);
    return;
  }
  script_add (t, OMEN_ACQUIRE, b);
  script_add (t, OMEN_RELEASE, b);
  script_add (t, OMEN_RELEASE, a);
}

/* Two returns that could be next together, had each been notified. The second
   notify comes from the same thread as the first, or from one that returned. */
static void
waiters (gen *g, gen_thread *t)
{
  gen_thread *u = script_another (g, t), *v = script_another (g, u);
  unsigned n = g->knobs->locks, a = a_lock (g), b = (a + 1) % n;
  unsigned x = a_variable (g);
  bool locks = a != b && gen_chance (g, 40);
  while (g->knobs->threads > 2 && v == t)
    v = script_another (g, u);
  returning (g, t, locks, a, b, x);
  returning (g, u, locks, b, a, x);
  script_add (v, gen_chance (g, 20) ? OMEN_NOTIFY_ALL : OMEN_NOTIFY, 0)->how
      = GEN_HOPING;
  if (gen_chance (g, 50))
    v = t;
  perhaps (g, v);
  script_add (v, OMEN_NOTIFY, 0)->how = GEN_HOPING;
}

/* ---- other synchronisation ---- */
static void
semaphore (gen *g, gen_thread *t)
{
  gen_thread *u = script_another (g, t);
  perhaps (g, t);
  script_add (t, OMEN_SEM_UP, 0);
  script_add (u, OMEN_SEM_DOWN, 0);
  perhaps (g, u);
}

static void
sem_attempt (gen *g, gen_thread *t)
{
  unsigned first = t->count;
  script_add (t, OMEN_SEM_DOWN, 0)->how = OMEN_MODE_TRY | GEN_HOPING;
  touch (g, t, a_variable (g));
  t->steps[first].skip = 1;
}

static void
barrier (gen *g, gen_thread *t)
{
  gen_thread *u = t;
  for (unsigned i = 0; i < g->barrier_size; i++) {
    perhaps (g, u);
    script_add (u, OMEN_ARRIVE, 0);
    script_add (u, OMEN_DEPART, 0);
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
  c = self + 1 + gen_pick (g, g->knobs->threads - self - 1);
  if (g->knobs->threads == 1 || g->thread[c].forked)
    return;
  t = &g->thread[self];
  g->thread[c].forked = true;
  perhaps (g, t);
  script_add (t, OMEN_FORK, c);
  perhaps (g, t);
  if (gen_chance (g, 90)) {
    script_add (gen_chance (g, 75) ? t : script_another (g, &g->thread[c]),
                OMEN_JOIN, c);
    perhaps (g, t);
  }
}

/* Orders of libraries are orders, unless they are left out. */
static void
signal (gen *g, gen_thread *t)
{
  unsigned o = gen_pick (g, 2);
  const uint8_t how = OMEN_MODE_MAYBE;
  gen_thread *u = script_another (g, t);
  perhaps (g, t);
  script_add (t, OMEN_HAPPENS_BEFORE, o)->how |= how;
  script_add (u, OMEN_HAPPENS_AFTER, o)->how |= how;
  perhaps (g, u);
}

/* ---- memory, blocks, marks ---- */
static void
heap (gen *g, gen_thread *t)
{
  unsigned p = g->knobs->variables + GEN_FLAGS + gen_pick (g, GEN_BLOCKS);
  gen_thread *u = script_another (g, t);
  script_add (t, OMEN_ALLOC, p);
  touch (g, t, p);
  touch (g, u, p);
  if (gen_chance (g, 90))
    script_add (gen_chance (g, 50) ? t : u, OMEN_FREE, p);
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
  unsigned name = gen_pick (g, 2), v = a_variable (g);
  gen_thread *u = script_another (g, t);
  script_add (t, open, name);
  if (gen_chance (g, g->knobs->guarded / 3)) {
    guarded (g, t, v);
    guarded (g, t, v);
    guarded (g, u, v);
  } else {
    touch (g, t, v);
    touch (g, t, v);
    access_to (g, u, gen_chance (g, 75) ? OMEN_WRITE : OMEN_READ, v);
  }
  if (gen_chance (g, 80))
    script_add (t, close, name);
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

/* A block that is one section, and one of several: the first can come inside
   the other, and a part of the other into it. */
static void
pieces (gen *g, gen_thread *t)
{
  unsigned l = a_lock (g), x = a_variable (g);
  unsigned y = (x + 1) % g->knobs->variables, most = 2 + gen_pick (g, 3);
  gen_thread *u = script_another (g, t);
  script_add (t, OMEN_BEGIN, 0);
  acquire (g, t, l);
  touch (g, t, x);
  touch (g, t, y);
  script_add (t, OMEN_RELEASE, l);
  script_add (t, OMEN_END, 0);
  script_add (u, OMEN_BEGIN, 1);
  for (unsigned i = 0; i < most; i++) {
    bool locked = gen_chance (g, 65);
    if (locked)
      acquire (g, u, l);
    touch (g, u, i + 1 == most ? x : gen_chance (g, 70) ? y : x);
    if (locked)
      script_add (u, OMEN_RELEASE, l);
  }
  script_add (u, OMEN_END, 1);
}

static void
branch (gen *g, gen_thread *t)
{
  access_to (g, t, OMEN_READ, a_variable (g));
  script_add (t, OMEN_BRANCH, 0);
  touch (g, t, a_variable (g));
}

static void
emit (gen *g, gen_thread *t)
{
  script_add (t, OMEN_EMIT, gen_pick (g, 2));
}

/* ---- all of them ---- */
script_idiom *const script_idioms[ORACLE_IDIOM_COUNT] = {
#define IDIOM(name) name,
  ORACLE_IDIOMS (IDIOM)
#undef IDIOM
};
