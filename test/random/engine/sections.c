#include "sections.h"
#include "base/defs.h"
#include "gen.h"

#include <stdio.h>

enum { THREADS = 3, CONDITIONS = 2, NOBODY = -1 };

typedef struct drawing {
  oracle_random random;
  sections_kind kind;
  FILE *out;
  unsigned events;
  unsigned value[2]; /* of x and y */
  unsigned fresh;    /* a value that nobody has written */
  bool freed;
  struct {
    int asleep; /* at this condition, or NOBODY */
    bool woken;
    char lock;
  } thread[THREADS];
} drawing;

static bool
chance (drawing *d, unsigned in_hundred)
{
  return oracle_chance (&d->random, in_hundred);
}

static void
touch (drawing *d, unsigned t)
{
  unsigned v = chance (d, 30), what = oracle_below (&d->random, 10);
  d->events++;
  if (d->kind.block && what >= 7)
    fprintf (d->out, "T%u|%c(b+0:4=1)\n", t, chance (d, 70) ? 'r' : 'w');
  else if (what < 5)
    fprintf (d->out, "T%u|r(%c=%u)\n", t, "xy"[v], d -> value[v]);
  else {
    d->value[v] = chance (d, 60) ? d->fresh++ : oracle_below (&d->random, 2);
    fprintf (d->out, "T%u|w(%c=%u)\n", t, "xy"[v], d -> value[v]);
  }
}

static void
maybe_free (drawing *d, unsigned t)
{
  if (d->freed || !d->kind.block || !chance (d, 25))
    return;
  d->events++;
  d->freed = true;
  fprintf (d->out, "T%u|free(b)\n", t);
}

static void
maybe_notify (drawing *d, unsigned t)
{
  int c = (int)oracle_below (&d->random, CONDITIONS);
  bool all = chance (d, 25);
  unsigned first = oracle_below (&d->random, THREADS);
  if (!d->kind.conditions || !chance (d, 45))
    return;
  d->events++;
  fprintf (d->out, "T%u|%s(c%d)\n", t, all ? "notifyall" : "notify", c);
  for (unsigned i = 0; i < THREADS; i++) {
    unsigned u = (first + i) % THREADS;
    if (d->thread[u].asleep != c || d->thread[u].woken)
      continue;
    d->thread[u].woken = true;
    if (!all)
      return;
  }
}

/* A section, from acquire or wake to release or wait; a second one may be
   inside. */
static void
section (drawing *d, unsigned t)
{
  bool shared = chance (d, 25), inner;
  char lock = chance (d, 85) ? 'l' : 'm';
  unsigned touches = 1 + oracle_below (&d->random, 2);
  int c = (int)oracle_below (&d->random, CONDITIONS);
  d->events += 2;
  if (d->thread[t].woken) {
    lock = d->thread[t].lock;
    shared = false;
    fprintf (d->out, "T%u|wake(c%d,%c)\n", t, d->thread[t].asleep, lock);
    d->thread[t].asleep = NOBODY;
    d->thread[t].woken = false;
  } else
    fprintf (d->out, "T%u|%sacq(%c)\n", t, shared ? "r" : "", lock);
  for (unsigned i = 0; i < touches; i++)
    touch (d, t);
  inner = lock == 'l' && chance (d, 20);
  if (inner) {
    fprintf (d->out, "T%u|%sacq(m)\n", t, shared ? "r" : "");
    touch (d, t);
    d->events += 2;
  }
  maybe_free (d, t);
  maybe_notify (d, t);
  if (inner)
    fprintf (d->out, "T%u|%srel(m)\n", t, shared ? "r" : "");
  if (d->kind.conditions && !shared && chance (d, 30)) {
    fprintf (d->out, "T%u|wait(c%d,%c)\n", t, c, lock);
    d->thread[t].asleep = c;
    d->thread[t].lock = lock;
  } else
    fprintf (d->out, "T%u|%srel(%c)\n", t, shared ? "r" : "", lock);
}

char *
sections_draw (uint64_t seed, sections_kind kind)
{
  drawing d = { .random = { seed ^ 0x5ec7 }, .kind = kind, .fresh = 2 };
  unsigned most = 8 + oracle_below (&d.random, 6);
  char *text;
  size_t size;
  d.out = open_memstream (&text, &size);
  OMEN_REQUIRE (d.out);
  for (unsigned t = 0; t < THREADS; t++)
    d.thread[t].asleep = NOBODY;
  fputs ("*|init(x=0)|\n*|init(y=0)|\n", d.out);
  for (unsigned tries = 0; d.events < most && tries < 40; tries++) {
    unsigned t = oracle_below (&d.random, THREADS);
    if (d.thread[t].asleep != NOBODY && !d.thread[t].woken)
      continue;
    if (chance (&d, 85) || d.thread[t].woken)
      section (&d, t);
    else {
      touch (&d, t);
      maybe_free (&d, t);
    }
  }
  OMEN_REQUIRE (!fclose (d.out));
  return text;
}
