/* Brzozowski's derivatives on expressions kept in a normal form. */
#include "spec/ere.h"

#define NODES_MAX 60000
#define WORK_MAX 20000000

void
omen_eres_init (omen_eres *e)
{
  *e = (omen_eres){ 0 };
  omen_map_init (&e->index);
  omen_map_init (&e->derivatives);
  omen_ere_node fixed[] = { { OMEN_ERE_IS_EMPTY, 0, 0, false },
                            { OMEN_ERE_IS_EPSILON, 0, 0, true },
                            { OMEN_ERE_IS_NOT, OMEN_ERE_EMPTY, 0, true } };
  for (size_t i = 0; i < OMEN_COUNT (fixed); i++)
    OMEN_VEC_PUSH (e->nodes, fixed[i]);
  OMEN_ASSERT (e->nodes.data[OMEN_ERE_EPSILON].kind == OMEN_ERE_IS_EPSILON
               && e->nodes.data[OMEN_ERE_ALL].kind == OMEN_ERE_IS_NOT);
}

void
omen_eres_fini (omen_eres *e)
{
  OMEN_VEC_FINI (e->nodes);
  omen_map_fini (&e->index);
  omen_map_fini (&e->derivatives);
}

static const omen_ere_node *
node (const omen_eres *e, uint32_t n)
{
  OMEN_ASSERT (n < e->nodes.count);
  return &e->nodes.data[n];
}

static bool
works (omen_eres *e)
{
  e->full |= ++e->work > WORK_MAX;
  return !e->full;
}

static uint32_t
intern_ere (omen_eres *e, omen_ere_kind kind, uint32_t a, uint32_t b,
            bool nullable)
{
  omen_ere_node added = { kind, a, b, nullable };
  uint64_t key = (uint64_t)kind << 60 | (uint64_t)a << 30 | b;
  uint32_t *slot;
  OMEN_ASSERT (a < 1u << 30 && b < 1u << 30);
  if (!works (e))
    return OMEN_ERE_EMPTY;
  slot = omen_map_at (&e->index, key);
  if (*slot != OMEN_NONE)
    return *slot;
  if (e->nodes.count >= NODES_MAX) {
    e->full = true;
    return *slot = OMEN_ERE_EMPTY;
  }
  *slot = (uint32_t)e->nodes.count;
  OMEN_VEC_PUSH (e->nodes, added);
  return *slot;
}

uint32_t
omen_ere_event (omen_eres *e, uint32_t event)
{
  return intern_ere (e, OMEN_ERE_IS_EVENT, event, 0, false);
}

/* Concatenation, built from the right: the parts of a, then b. */
uint32_t
omen_ere_cat (omen_eres *e, uint32_t a, uint32_t b)
{
  omen_ids parts = { 0 };
  if (a == OMEN_ERE_EMPTY || b == OMEN_ERE_EMPTY)
    return OMEN_ERE_EMPTY;
  for (; node (e, a)->kind == OMEN_ERE_IS_CAT && works (e); a = node (e, a)->b)
    OMEN_VEC_PUSH (parts, node (e, a)->a);
  OMEN_VEC_PUSH (parts, a);
  while (parts.count) {
    a = OMEN_VEC_POP (parts);
    if (b == OMEN_ERE_EPSILON)
      b = a;
    else if (a != OMEN_ERE_EPSILON && !(a == OMEN_ERE_ALL && b == OMEN_ERE_ALL))
      b = intern_ere (e, OMEN_ERE_IS_CAT, a, b,
                      node (e, a)->nullable && node (e, b)->nullable);
  }
  OMEN_VEC_FINI (parts);
  return b;
}

/* The smaller of the first parts of a and b, which is removed from them. */
static uint32_t
next_part (const omen_eres *e, omen_ere_kind kind, uint32_t *a, uint32_t *b)
{
  uint32_t x = OMEN_NONE, y = OMEN_NONE, least;
  if (*a != OMEN_NONE)
    x = node (e, *a)->kind == kind ? node (e, *a)->a : *a;
  if (*b != OMEN_NONE)
    y = node (e, *b)->kind == kind ? node (e, *b)->a : *b;
  least = x < y ? x : y;
  OMEN_ASSERT (least != OMEN_NONE); /* there is one left */
  if (x == least)
    *a = node (e, *a)->kind == kind ? node (e, *a)->b : OMEN_NONE;
  if (y == least)
    *b = node (e, *b)->kind == kind ? node (e, *b)->b : OMEN_NONE;
  return least;
}

/* OR or AND of sorted chains: `none` is the neutral element, `all` the
   absorbing one. */
static uint32_t
merge_eres (omen_eres *e, omen_ere_kind kind, uint32_t a, uint32_t b,
            uint32_t none, uint32_t all)
{
  omen_ids parts = { 0 };
  uint32_t whole = none;
  if (a == b || b == none || a == all)
    return a;
  if (a == none || b == all)
    return b;
  while ((a != OMEN_NONE || b != OMEN_NONE) && works (e))
    OMEN_VEC_PUSH (parts, next_part (e, kind, &a, &b));
  while (parts.count) {
    uint32_t part = OMEN_VEC_POP (parts);
    bool nullable = node (e, part)->nullable;
    if (whole == none)
      whole = part;
    else
      whole = intern_ere (e, kind, part, whole,
                          kind == OMEN_ERE_IS_OR
                              ? nullable || node (e, whole)->nullable
                              : nullable && node (e, whole)->nullable);
  }
  OMEN_VEC_FINI (parts);
  return whole;
}

uint32_t
omen_ere_or (omen_eres *e, uint32_t a, uint32_t b)
{
  return merge_eres (e, OMEN_ERE_IS_OR, a, b, OMEN_ERE_EMPTY, OMEN_ERE_ALL);
}

uint32_t
omen_ere_and (omen_eres *e, uint32_t a, uint32_t b)
{
  return merge_eres (e, OMEN_ERE_IS_AND, a, b, OMEN_ERE_ALL, OMEN_ERE_EMPTY);
}

uint32_t
omen_ere_not (omen_eres *e, uint32_t a)
{
  if (a == OMEN_ERE_EMPTY)
    return OMEN_ERE_ALL;
  if (node (e, a)->kind == OMEN_ERE_IS_NOT)
    return node (e, a)->a;
  return intern_ere (e, OMEN_ERE_IS_NOT, a, 0, !node (e, a)->nullable);
}

uint32_t
omen_ere_star (omen_eres *e, uint32_t a)
{
  if (a == OMEN_ERE_EMPTY || a == OMEN_ERE_EPSILON)
    return OMEN_ERE_EPSILON;
  if (a == OMEN_ERE_ALL || node (e, a)->kind == OMEN_ERE_IS_STAR)
    return a;
  return intern_ere (e, OMEN_ERE_IS_STAR, a, 0, true);
}

/* The derivative of a chain of | or &, in a loop, so that only nesting
   recurses. */
static uint32_t
after_parts (omen_eres *e, uint32_t n, uint32_t event)
{
  omen_ere_kind kind = node (e, n)->kind;
  bool or = kind == OMEN_ERE_IS_OR, last = false;
  uint32_t whole = or ? OMEN_ERE_EMPTY : OMEN_ERE_ALL;
  while (!last && works (e)) {
    uint32_t part = n;
    last = node (e, n)->kind != kind;
    if (!last) {
      part = node (e, n)->a;
      n = node (e, n)->b;
    }
    part = omen_ere_after (e, part, event);
    whole = or ? omen_ere_or (e, whole, part) : omen_ere_and (e, whole, part);
  }
  return whole;
}

/* The derivative of a CAT: along its parts as far as they may be empty. */
static uint32_t
after_cat (omen_eres *e, uint32_t n, uint32_t event)
{
  uint32_t whole = OMEN_ERE_EMPTY;
  bool on = true;
  while (on && works (e)) {
    omen_ere_node cat = *node (e, n);
    if (cat.kind != OMEN_ERE_IS_CAT)
      return omen_ere_or (e, whole, omen_ere_after (e, n, event));
    whole = omen_ere_or (
        e, whole, omen_ere_cat (e, omen_ere_after (e, cat.a, event), cat.b));
    on = node (e, cat.a)->nullable;
    n = cat.b;
  }
  return whole;
}

static uint32_t
derive (omen_eres *e, uint32_t n, uint32_t event)
{
  omen_ere_node at = *node (e, n);
  switch (at.kind) {
  case OMEN_ERE_IS_EVENT:
    return at.a == event ? OMEN_ERE_EPSILON : OMEN_ERE_EMPTY;
  case OMEN_ERE_IS_CAT:
    return after_cat (e, n, event);
  case OMEN_ERE_IS_OR:
  case OMEN_ERE_IS_AND:
    return after_parts (e, n, event);
  case OMEN_ERE_IS_NOT:
    return omen_ere_not (e, omen_ere_after (e, at.a, event));
  case OMEN_ERE_IS_STAR:
    return omen_ere_cat (e, omen_ere_after (e, at.a, event), n);
  default:
    return OMEN_ERE_EMPTY;
  }
}

uint32_t
omen_ere_after (omen_eres *e, uint32_t n, uint32_t event)
{
  uint64_t key = OMEN_PAIR (n, event);
  uint32_t known = omen_map_get (&e->derivatives, key);
  if (known != OMEN_NONE || !works (e))
    return known != OMEN_NONE ? known : OMEN_ERE_EMPTY;
  known = derive (e, n, event);
  *omen_map_at (&e->derivatives, key) = known;
  return known;
}
