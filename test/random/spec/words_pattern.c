/* pattern: every way to choose events of a word for its steps. */
#include "words.h"

#include <string.h>

enum { STEP, PARALLEL, DISORDER, MAYBE }; /* MAYBE: `?`, `*` alike: or not */

typedef struct step {
  unsigned event;
  int thread, region; /* -1: none; region: 0 begins, 1 ends */
} step;

typedef struct item {
  int what;
  step a, b;
} item;

#define ITEMS 6
#define PARTS 3
static item items[PARTS][ITEMS];
static unsigned counts[PARTS], parts;
static bool both; /* parts are joined by `and`, else by `or` */

static step
make_step (dice *d, unsigned events)
{
  step s = { roll (d, events), (int)roll (d, 3) - 1, -1 };
  return s;
}

static void
write_step (const step *s, page *p)
{
  page_put (p, "e%u", s->event);
  if (s->region >= 0)
    page_put (p, "(t%d,%sr1)", s->thread + 1, s->region ? ">" : "<");
  else if (s->thread >= 0)
    page_put (p, "(t%d)", s->thread + 1);
}

static void
write_item (const item *i, page *p)
{
  page_put (p, i->what == DISORDER ? " !(" : " ");
  write_step (&i->a, p);
  if (i->what == PARALLEL || i->what == DISORDER) {
    page_put (p, i->what == PARALLEL ? " || " : " ");
    write_step (&i->b, p);
  }
  page_put (p, i->what == DISORDER ? ")" : i->what == MAYBE ? "*" : "");
}

static void
make_part (dice *d, unsigned events, unsigned part)
{
  unsigned n = 0, inner = 1 + roll (d, 3);
  bool region = part == 0 && roll (d, 3) == 0;
  if (region)
    items[part][n++] = (item){ STEP, { 0, 0, 0 }, { 0 } };
  for (unsigned i = 0; i < inner; i++) {
    item *at = &items[part][n++];
    unsigned what = roll (d, 8);
    at->what = what == 0   ? PARALLEL
               : what == 1 ? DISORDER
               : what == 2 ? MAYBE
                           : STEP;
    at->a = make_step (d, events);
    at->b = make_step (d, events);
  }
  if (region)
    items[part][n++] = (item){ STEP, { 1, 0, 1 }, { 0 } };
  counts[part] = n;
}

static void
make (dice *d, unsigned events, page *p)
{
  parts = 1 + (roll (d, 4) == 0);
  both = roll (d, 2);
  for (unsigned part = 0; part < parts; part++) {
    make_part (d, events, part);
    page_put (p, part ? both ? " and" : " or" : "");
    for (unsigned i = 0; i < counts[part]; i++)
      write_item (&items[part][i], p);
  }
}

/* ---- choosing ---- */

typedef struct choice {
  const word *w;
  int threads[2]; /* -1: not bound */
  int region;     /* where r1 began, or -1 */
  bool uses_last; /* the last event of the word is chosen */
} choice;

/* The begin that the end at j pairs with, by the nesting in its thread. */
static int
begin_of (const word *w, unsigned j)
{
  int open[WORD_MAX], depth = 0;
  for (unsigned i = 0; i < j; i++) {
    if (w->thread[i] != w->thread[j])
      continue;
    if (w->event[i] == 0)
      open[depth++] = (int)i;
    else if (w->event[i] == 1 && depth)
      depth--;
  }
  return depth ? open[depth - 1] : -1;
}

static bool
take (choice *c, const step *s, unsigned j)
{
  int thread = c->w->thread[j];
  if (c->w->event[j] != s->event)
    return false;
  if (s->thread >= 0 && c->threads[s->thread] != thread) {
    if (c->threads[s->thread] >= 0 || c->threads[!s->thread] == thread)
      return false;
    c->threads[s->thread] = thread;
  }
  if (s->region == 0)
    c->region = (int)j;
  if (s->region == 1 && begin_of (c->w, j) != c->region)
    return false;
  c->uses_last |= j + 1 == c->w->length;
  return true;
}

static bool match_part (choice c, unsigned part, unsigned i, unsigned from);

static bool
go_on (choice c, unsigned part)
{
  if (both && part + 1 < parts)
    return match_part (c, part + 1, 0, 0);
  return c.uses_last;
}

static bool
same_step (const step *a, const step *b)
{
  return a->event == b->event && a->thread == b->thread;
}

static bool
match_two (choice c, unsigned part, unsigned i, unsigned j)
{
  const item *at = &items[part][i];
  bool parallel = at->what == PARALLEL;
  unsigned last = parallel ? j + 2 : c.w->length;
  for (unsigned k = j + 1; k < last && k < c.w->length; k++) {
    choice x = c, y = c;
    if (parallel && take (&x, &at->a, j) && take (&x, &at->b, k)
        && match_part (x, part, i + 1, k + 1))
      return true;
    if ((parallel || !same_step (&at->a, &at->b)) && take (&y, &at->b, j)
        && take (&y, &at->a, k) && match_part (y, part, i + 1, k + 1))
      return true;
  }
  return false;
}

static bool
match_part (choice c, unsigned part, unsigned i, unsigned from)
{
  const item *at = &items[part][i];
  if (i == counts[part])
    return go_on (c, part);
  if (at->what == MAYBE && match_part (c, part, i + 1, from))
    return true;
  for (unsigned j = from; j < c.w->length; j++) {
    choice x = c;
    if (at->what == PARALLEL || at->what == DISORDER) {
      if (match_two (c, part, i, j))
        return true;
    } else if (take (&x, &at->a, j)
               && (match_part (x, part, i + 1, j + 1)
                   || (at->what == MAYBE && match_part (x, part, i, j + 1))))
      return true;
  }
  return false;
}

/* A match that ends with the last event. */
static bool
holds (const word *w)
{
  for (unsigned part = 0; part < (both ? 1 : parts); part++) {
    choice c = { w, { -1, -1 }, -1, false };
    if (match_part (c, part, 0, 0))
      return true;
  }
  return false;
}

const judge judge_pattern = { "pattern", make, holds };
