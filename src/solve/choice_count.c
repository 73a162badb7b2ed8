/* How many choices the nondeterminism paper would count for a query: pairs of
   sections of one resource that closure leaves unordered, on a path from x to y
   where the query says "y before x".

   Paths follow the known order, may jump between the sections of an unordered
   pair, and may leave a section anywhere once they are in it (the lock
   abstraction graph). The nodes that a path from x reaches are a suffix of each
   chain, those that reach y a prefix: two numbers a chain. */
#include "solve/state.h"
#include "solve/choice_count.h"

#include <string.h>

typedef struct counting {
  const omen_state *s;
  const omen_problem *p;
  uint32_t *from; /* by chain: least index reached from x */
  uint32_t *upto; /* by chain: one past the last index that reaches y */
  uint8_t *seen;  /* by pair */
  bool changed;
  OMEN_VEC (omen_edge) pairs; /* of sections */
} counting;

static bool
section_is_over (const omen_state *s, const omen_node_section *sec)
{
  return sec->start != OMEN_PAST && sec->end != OMEN_NONE
         && omen_taken (s, sec->end);
}

static void
find_pairs (counting *c)
{
  const omen_problem *p = c->p;
  for (uint32_t i = 0; i < p->sections.count; i++)
    for (uint32_t j = i + 1;
         j < p->sections.count
         && p->sections.data[j].resource == p->sections.data[i].resource;
         j++) {
      const omen_node_section *a = &p->sections.data[i];
      const omen_node_section *b = &p->sections.data[j];
      if (omen_sections_conflict (p, i, j) && !a->implied
          && section_is_over (c->s, a) && section_is_over (c->s, b)
          && !omen_before (c->s, a->end, b->start)
          && !omen_before (c->s, b->end, a->start))
        OMEN_VEC_PUSH (c->pairs, ((omen_edge){ i, j, false }));
    }
}

/* All nodes that n is known to precede are reached from x. */
static void
reach_from (counting *c, omen_node n)
{
  const omen_problem *p = c->p;
  uint32_t own = p->chain_of[n], index = p->index_of[n];
  OMEN_ASSERT (omen_taken (c->s, n));
  if (c->from[own] <= index)
    return;
  c->changed = true;
  for (uint32_t chain = 0; chain < p->chains; chain++) {
    uint32_t low = 0, high = c->s->cut[chain];
    if (chain == own)
      low = high = index;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      omen_node m = omen_problem_node (p, chain, middle);
      if (omen_row (c->s, m)[own] > index)
        high = middle;
      else
        low = middle + 1;
    }
    if (low < c->from[chain])
      c->from[chain] = low;
  }
}

/* All nodes known to precede n reach y. */
static void
reach_to (counting *c, omen_node n)
{
  const omen_problem *p = c->p;
  uint32_t own = p->chain_of[n], index = p->index_of[n];
  OMEN_ASSERT (omen_taken (c->s, n));
  if (c->upto[own] > index)
    return;
  c->changed = true;
  for (uint32_t chain = 0; chain < p->chains; chain++) {
    uint32_t count = chain == own ? index + 1 : omen_row (c->s, n)[chain];
    if (c->upto[chain] < count)
      c->upto[chain] = count;
  }
}

static bool
is_reached (const counting *c, uint32_t section)
{
  const omen_node_section *sec = &c->p->sections.data[section];
  return c->p->index_of[sec->end] >= c->from[sec->chain];
}

static bool
reaches (const counting *c, uint32_t section)
{
  const omen_node_section *sec = &c->p->sections.data[section];
  return c->p->index_of[sec->start] < c->upto[sec->chain];
}

static void
reach_sections (counting *c, uint32_t a, uint32_t b)
{
  const omen_node_section *x = &c->p->sections.data[a];
  const omen_node_section *y = &c->p->sections.data[b];
  OMEN_ASSERT (x->resource == y->resource && x->chain != y->chain);
  if (is_reached (c, a)) {
    reach_from (c, x->start);
    reach_from (c, y->start);
  }
  if (reaches (c, a)) {
    reach_to (c, x->end);
    reach_to (c, y->end);
  }
}

/* Pairs on paths from x to y. */
static void
mark_pairs (counting *c, omen_node x, omen_node y)
{
  memset (c->from, 0xff, c->p->chains * sizeof *c->from);
  memset (c->upto, 0, c->p->chains * sizeof *c->upto);
  reach_from (c, x);
  reach_to (c, y);
  do {
    c->changed = false;
    for (size_t i = 0; i < c->pairs.count; i++) {
      reach_sections (c, c->pairs.data[i].from, c->pairs.data[i].to);
      reach_sections (c, c->pairs.data[i].to, c->pairs.data[i].from);
    }
  } while (c->changed);
  for (size_t i = 0; i < c->pairs.count; i++) {
    uint32_t a = c->pairs.data[i].from, b = c->pairs.data[i].to;
    c->seen[i] |= (is_reached (c, a) && reaches (c, b))
                  || (is_reached (c, b) && reaches (c, a));
  }
}

uint32_t
omen_choice_count (const omen_state *s, const omen_edge *orders, uint32_t count)
{
  counting c = { .s = s, .p = s->p };
  uint32_t sum = 0;
  OMEN_REQUIRE (!s->conflict);
  find_pairs (&c);
  c.from = omen_alloc (s->p->chains * sizeof *c.from);
  c.upto = omen_alloc (s->p->chains * sizeof *c.upto);
  c.seen = omen_zalloc (c.pairs.count, 1);
  for (uint32_t i = 0; i < count && c.pairs.count; i++)
    mark_pairs (&c, orders[i].to, orders[i].from);
  for (size_t i = 0; i < c.pairs.count; i++)
    sum += c.seen[i];
  omen_free (c.from);
  omen_free (c.upto);
  omen_free (c.seen);
  OMEN_VEC_FINI (c.pairs);
  return sum;
}
