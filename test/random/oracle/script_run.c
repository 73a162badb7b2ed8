/* The machine that runs the scripts, one step at a time. */
#include "script.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what can go ---- */
static bool
held_by_others (const gen *g, const gen_thread *t, unsigned l, bool readers_too)
{
  for (unsigned i = 0; i < g->knobs->threads; i++)
    if (&g->thread[i] != t
        && (g->thread[i].write[l] || (readers_too && g->thread[i].read[l])))
      return true;
  return false;
}

/* Would the lock be granted? */
static bool
lock_is_free (const gen *g, const gen_thread *t, const gen_step *step,
              unsigned l)
{
  return !held_by_others (g, t, l, step->kind != OMEN_READ_ACQUIRE);
}

static bool
is_finished (const gen_thread *t)
{
  return t->at == t->count;
}

static bool
step_can_go (const gen *g, const gen_thread *t, const gen_step *step)
{
  switch (step->kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    return step->how & OMEN_MODE_TRY || lock_is_free (g, t, step, step->object);
  case OMEN_RELEASE:
    return !(step->how & GEN_FOREIGN)
           || held_by_others (g, t, step->object, false);
  case OMEN_WAKE:
    return step->how & GEN_BARE || lock_is_free (g, t, step, step->lock);
  case OMEN_SEM_DOWN:
    return step->how & OMEN_MODE_TRY || g->semaphore;
  case OMEN_DEPART:
    return g->arrived >= (t->round + 1) * g->barrier_size;
  case OMEN_JOIN:
    return g->thread[step->object].started
           && is_finished (&g->thread[step->object]);
  default:
    return true;
  }
}

static bool
can_go (const gen *g, const gen_thread *t)
{
  const gen_step *step = &t->steps[t->at];
  if (!t->started || is_finished (t))
    return false;
  if (t->waiting >= 0 && !t->notified
      && !(step->kind == OMEN_WAKE
           && step->how & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS)))
    return false;
  return step_can_go (g, t, step);
}

/* Is this the moment that the step hopes for? */
static bool
moment_has_come (const gen *g, const gen_thread *t, const gen_step *step)
{
  switch (step->kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    return !lock_is_free (g, t, step, step->object);
  case OMEN_SEM_DOWN:
    return !g->semaphore;
  default:
    for (unsigned i = 0; i < g->knobs->threads; i++)
      if (g->thread[i].waiting >= 0 && !g->thread[i].notified)
        return true;
    return false;
  }
}

/* How much the thread wants to go. */
static unsigned
zeal (gen *g, const gen_thread *t)
{
  const gen_step *step = &t->steps[t->at];
  if (!(step->how & GEN_HOPING))
    return 1;
  return !moment_has_come (g, t, step) ? 0 : gen_chance (g, 80) ? 2 : 1;
}

/* ---- text ---- */
static void
put (gen *g, const char *format, ...)
{
  char buffer[128];
  va_list args;
  int length;
  va_start (args, format);
  length = vsnprintf (buffer, sizeof buffer, format, args);
  va_end (args);
  OMEN_ASSERT (length >= 0 && (size_t)length < sizeof buffer);
  for (int i = 0; i < length; i++)
    OMEN_VEC_PUSH (g->text, buffer[i]);
}

/* Blocks have the names of locks: that says nothing of either. */
static void
put_variable (gen *g, unsigned v)
{
  if (v < g->knobs->variables)
    put (g, "x%u", v);
  else if (v < g->knobs->variables + GEN_FLAGS)
    put (g, "f%u", v - g->knobs->variables);
  else
    put (g, "l%u", g->block_name);
}

static void
put_place (gen *g, const gen_step *step)
{
  put_variable (g, step->object);
  if (step->size)
    put (g, "+%u:%u", step->offset, step->size);
}

static void
put_value (gen *g, unsigned type, uint64_t value)
{
  if (type == OMEN_VALUE_SYMBOL)
    put (g, "s%u", (unsigned)value);
  else if (type == OMEN_VALUE_POINTER)
    put (g, "&x%u+%u", (unsigned)value & 1, (unsigned)value & 2);
  else
    put (g, "%lld", (long long)value);
}

/* ---- steps ---- */
static uint64_t
mask_of (const gen_step *step)
{
  unsigned size = step->size ? step->size : 8;
  return (size < 8 ? (1ull << 8 * size) - 1 : UINT64_MAX) << 8 * step->offset;
}

static uint64_t
new_value (gen *g)
{
  return gen_pick (g, g->knobs->values);
}

static uint64_t
load (const gen *g, const gen_step *step)
{
  return (g->memory[step->object] & mask_of (step)) >> 8 * step->offset;
}

static void
store (gen *g, const gen_step *step, uint64_t value)
{
  uint64_t mask = mask_of (step);
  g->memory[step->object]
      = (g->memory[step->object] & ~mask) | (value << 8 * step->offset & mask);
}

static void
put_order (gen *g, const gen_step *step)
{
  if (step->order != OMEN_ORDER_SC)
    put (g, ".%s", omen_order_text (step->order));
}

/* The whole of a variable that is also accessed in parts carries no value: the
   parts would have to agree with it. */
static void
run_access (gen *g, const gen_step *step)
{
  bool known = gen_chance (g, g->knobs->known)
               && (step->size || !g->ranged[step->object]);
  uint64_t old = load (g, step), new = new_value (g);
  if (step->kind == OMEN_ATOMIC_READ && g->knobs->mixed
      && gen_chance (g, g->knobs->mixed))
    put (g, "r");
  else {
    put (g, "%s", omen_kind_text (step->kind));
    put_order (g, step);
  }
  if (step->kind == OMEN_ATOMIC_RMW && (old ^ new) % 2)
    put (g, ".cas");
  put (g, "(");
  put_place (g, step);
  if (step->kind == OMEN_ATOMIC_RMW) {
    if (known) {
      put (g, "=");
      put_value (g, g->type[step->object], old);
      put (g, ":");
      put_value (g, g->type[step->object], new);
    }
  } else if (known && step->kind != OMEN_EXTERNAL) {
    put (g, "=");
    put_value (g, g->type[step->object],
               omen_kind_reads (step->kind) ? old : new);
  }
  put (g, ")");
  if (omen_kind_writes (step->kind))
    store (g, step, new);
}

static void
run_heap (gen *g, const gen_step *step)
{
  put (g, "%s(", omen_kind_text (step->kind));
  put_variable (g, step->object);
  put (g, step->kind == OMEN_ALLOC ? ",8)" : ")");
  store (g, step, new_value (g));
}

/* A try that is refused leaves its body out. */
static bool
run_refused (gen *g, gen_thread *t, const gen_step *step)
{
  bool shared = step->kind == OMEN_READ_ACQUIRE;
  if (!(step->how & OMEN_MODE_TRY) || lock_is_free (g, t, step, step->object))
    return false;
  put (g, "%s(l%u)",
       step->how & GEN_TIMED ? "lockfail"
       : shared              ? "rtryfail"
                             : "tryfail",
       step->object);
  t->at += step->skip;
  return true;
}

static void
run_lock (gen *g, gen_thread *t, const gen_step *step)
{
  unsigned l = step->object;
  if (run_refused (g, t, step))
    return;
  put (g, "%s(l%u%s)", omen_kind_text (step->kind), l,
       step->how & OMEN_MODE_TRY ? ",try" : "");
  t->write[l] += step->kind == OMEN_ACQUIRE;
  t->write[l] -= step->kind == OMEN_RELEASE && !(step->how & GEN_FOREIGN);
  t->read[l] += step->kind == OMEN_READ_ACQUIRE;
  t->read[l] -= step->kind == OMEN_READ_RELEASE;
}

static void
run_wait (gen *g, gen_thread *t, const gen_step *step)
{
  t->waiting = step->object;
  t->notified = false;
  if (step->how & GEN_BARE)
    put (g, "wait(c%u)", step->object);
  else {
    put (g, "wait(c%u,l%u)", step->object, step->lock);
    t->depth = t->write[step->lock];
    t->write[step->lock] = 0;
  }
}

static void
run_wake (gen *g, gen_thread *t, const gen_step *step)
{
  put (g, "wake(c%u", step->object);
  if (!(step->how & GEN_BARE)) {
    put (g, ",l%u", step->lock);
    t->write[step->lock] = t->depth;
  }
  put (g, "%s)",
       step->how & OMEN_MODE_TIMEOUT    ? ",timeout"
       : step->how & OMEN_MODE_SPURIOUS ? ",spurious"
                                        : "");
}

static void
run_notify (gen *g, const gen_step *step)
{
  gen_thread *woken = NULL;
  unsigned waiters = 0;
  put (g, "%s(c%u)", omen_kind_text (step->kind), step->object);
  for (unsigned i = 0; i < g->knobs->threads; i++) {
    gen_thread *t = &g->thread[i];
    if (t->waiting != step->object || t->notified)
      continue;
    if (step->kind == OMEN_NOTIFY_ALL)
      t->notified = true;
    else if (!gen_pick (g, ++waiters))
      woken = t;
  }
  if (woken)
    woken->notified = true;
}

static void
run_semaphore (gen *g, gen_thread *t, const gen_step *step)
{
  switch (step->kind) {
  case OMEN_SEM_INIT:
    g->semaphore = gen_pick (g, 2);
    put (g, "seminit(s0,%u)", g->semaphore);
    break;
  case OMEN_SEM_UP:
    g->semaphore++;
    put (g, "up(s0)");
    break;
  default:
    if (g->semaphore) {
      g->semaphore--;
      put (g, "down(s0)");
    } else {
      put (g, "semfail(s0)");
      t->at += step->skip;
    }
  }
}

static void
run_other (gen *g, gen_thread *t, const gen_step *step)
{
  const char *word = omen_kind_text (step->kind);
  switch (step->kind) {
  case OMEN_FENCE:
    put (g, "fence");
    put_order (g, step);
    put (g, "()");
    break;
  case OMEN_FORK:
    g->thread[step->object].started = true; /* fall through */
  case OMEN_JOIN:
    put (g, "%s(T%u)", word, step->object);
    break;
  case OMEN_ARRIVE:
    t->round = g->arrived++ / g->barrier_size;
    put (g, "arrive(b0,%u)", g->barrier_size);
    break;
  case OMEN_DEPART:
    put (g, "depart(b0)");
    break;
  case OMEN_BRANCH:
    put (g, "branch()");
    break;
  case OMEN_EMIT:
    put (g, "emit(e%u,p=%u)", step->object, gen_pick (g, g->knobs->values));
    break;
  case OMEN_HAPPENS_BEFORE:
  case OMEN_HAPPENS_AFTER:
    put (g, "%s(A%u%s)", word, step->object,
         step->how & OMEN_MODE_MAYBE ? ",maybe" : "");
    break;
  case OMEN_REQUEST:
  case OMEN_DESTROY:
    put (g, "%s(l%u)", word, step->object);
    break;
  default: /* blocks, functions */
    put (g, "%s(A%u)", word, step->object);
  }
}

static void
run_step (gen *g, gen_thread *t, const gen_step *step)
{
  switch (step->kind) {
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
    run_lock (g, t, step);
    break;
  case OMEN_WAIT:
    run_wait (g, t, step);
    break;
  case OMEN_WAKE:
    run_wake (g, t, step);
    break;
  case OMEN_NOTIFY:
  case OMEN_NOTIFY_ALL:
    run_notify (g, step);
    break;
  case OMEN_SEM_INIT:
  case OMEN_SEM_UP:
  case OMEN_SEM_DOWN:
    run_semaphore (g, t, step);
    break;
  case OMEN_ALLOC:
  case OMEN_FREE:
    run_heap (g, step);
    break;
  default:
    if (omen_kind_class (step->kind) == OMEN_CLASS_ACCESS)
      run_access (g, step);
    else
      run_other (g, t, step);
  }
}

/* ---- dependences ---- */
static void
put_dependences (gen *g, gen_thread *t, const gen_step *step)
{
  uint64_t reads = 0;
  bool first = true;
  if (!g->dependences)
    return;
  if (step->kind == OMEN_BRANCH && t->reads)
    reads = 1ull << (63 - __builtin_clzll (t->reads));
  else if ((omen_kind_writes (step->kind) || step->kind == OMEN_BEGIN
            || step->kind == OMEN_ENTER)
           && gen_chance (g, 60))
    reads = t->reads & oracle_next (&g->random);
  for (unsigned i = 0; i < 64; i++)
    if (reads >> i & 1) {
      put (g, "%s%u", first ? "<-" : ",", i);
      first = false;
    }
  if (t->branch >= 0 && gen_chance (g, 70))
    put (g, "^%d", t->branch);
}

static void
note_event (gen_thread *t, const gen_step *step)
{
  if (omen_kind_reads (step->kind) && t->events < 64)
    t->reads |= 1ull << t->events;
  if (step->kind == OMEN_BRANCH)
    t->branch = (int)t->events;
  t->events++;
}

/* ---- the run ---- */
/* The thread to go, or NULL: one of those that want it most. */
static gen_thread *
choose_thread (gen *g, gen_thread *last)
{
  gen_thread *ready[GEN_THREADS];
  unsigned count = 0, most = 0;
  for (unsigned i = 0; i < g->knobs->threads; i++) {
    gen_thread *t = &g->thread[i];
    unsigned z;
    if (!can_go (g, t))
      continue;
    z = zeal (g, t);
    if (z > most)
      most = z, count = 0;
    if (z == most)
      ready[count++] = t;
  }
  if (!count)
    return NULL;
  for (unsigned i = 0; i < count; i++)
    if (ready[i] == last && gen_chance (g, g->knobs->stay))
      return last;
  return ready[gen_pick (g, count)];
}

/* The first lock that a script takes. */
static unsigned
a_lock_taken (const gen *g)
{
  for (unsigned i = 0; i < g->knobs->threads; i++)
    for (unsigned k = 0; k < g->thread[i].count; k++)
      if (g->thread[i].steps[k].kind == OMEN_ACQUIRE)
        return g->thread[i].steps[k].object;
  return 0;
}

static void
start (gen *g)
{
  g->block_name = a_lock_taken (g);
  for (unsigned i = 0; i < g->knobs->threads; i++) {
    gen_thread *t = &g->thread[i];
    t->started = !t->forked;
    t->waiting = t->branch = -1;
  }
}

void
script_run (gen *g, unsigned events)
{
  gen_thread *t = g->first;
  start (g);
  while (g->events < events && (t = choose_thread (g, t))) {
    const gen_step step = t->steps[t->at];
    put (g, "T%u|", (unsigned)(t - g->thread));
    t->waiting = -1;
    run_step (g, t, &step);
    put (g, "|%c.c:%u", 'a' + (int)(t - g->thread), t->at + 1);
    put_dependences (g, t, &step);
    put (g, "\n");
    note_event (t, &step);
    t->at++;
    g->events++;
  }
}
