#include "spec/bdd.h"

#define NODES_MAX 100000 /* below 2^20, for the keys */
#define WORK_MAX 20000000
#define NO_VARIABLE UINT32_MAX

void
omen_bdds_init (omen_bdds *b)
{
  omen_bdd_node leaf = { NO_VARIABLE, 0, 0 };
  *b = (omen_bdds){ 0 };
  omen_map_init (&b->index);
  omen_map_init (&b->choose);
  OMEN_VEC_PUSH (b->nodes, leaf);
  OMEN_VEC_PUSH (b->nodes, leaf);
}

void
omen_bdds_fini (omen_bdds *b)
{
  OMEN_VEC_FINI (b->nodes);
  omen_map_fini (&b->index);
  omen_map_fini (&b->choose);
}

static uint64_t
key (uint32_t a, uint32_t b, uint32_t c)
{
  OMEN_ASSERT (a < 1u << 20 && b < 1u << 20 && c < 1u << 20);
  return (uint64_t)a << 40 | (uint64_t)b << 20 | c;
}

static uint32_t
make_node (omen_bdds *b, uint32_t variable, uint32_t low, uint32_t high)
{
  omen_bdd_node added = { variable, low, high };
  uint32_t *slot;
  /* variables are in order from the root down */
  OMEN_ASSERT (variable < b->nodes.data[low].variable
               && variable < b->nodes.data[high].variable);
  if (low == high)
    return low;
  slot = omen_map_at (&b->index, key (variable, low, high));
  if (*slot != OMEN_NONE)
    return *slot;
  if (b->nodes.count >= NODES_MAX) {
    b->full = true;
    return *slot = OMEN_BDD_FALSE;
  }
  *slot = (uint32_t)b->nodes.count;
  OMEN_VEC_PUSH (b->nodes, added);
  return *slot;
}

uint32_t
omen_bdd_variable (omen_bdds *b, uint32_t variable)
{
  return make_node (b, variable, OMEN_BDD_FALSE, OMEN_BDD_TRUE);
}

static uint32_t
top (const omen_bdds *b, uint32_t f, uint32_t least)
{
  uint32_t variable = b->nodes.data[f].variable;
  return variable < least ? variable : least;
}

static uint32_t
half (const omen_bdds *b, uint32_t f, uint32_t variable, bool high)
{
  const omen_bdd_node *n = &b->nodes.data[f];
  return n->variable != variable ? f : high ? n->high : n->low;
}

/* Recursion is as deep as there are variables, which are few. */
uint32_t
omen_bdd_choose (omen_bdds *b, uint32_t f, uint32_t g, uint32_t h)
{
  uint32_t variable, low, high, known;
  OMEN_ASSERT (f < b->nodes.count && g < b->nodes.count && h < b->nodes.count);
  if (f == OMEN_BDD_TRUE || g == h)
    return g;
  if (f == OMEN_BDD_FALSE)
    return h;
  if (g == OMEN_BDD_TRUE && h == OMEN_BDD_FALSE)
    return f;
  known = omen_map_get (&b->choose, key (f, g, h));
  b->full |= ++b->work > WORK_MAX;
  if (known != OMEN_NONE || b->full)
    return known != OMEN_NONE ? known : OMEN_BDD_FALSE;
  variable = top (b, f, top (b, g, top (b, h, NO_VARIABLE)));
  OMEN_ASSERT (variable != NO_VARIABLE);
  low = omen_bdd_choose (b, half (b, f, variable, false),
                         half (b, g, variable, false),
                         half (b, h, variable, false));
  high = omen_bdd_choose (b, half (b, f, variable, true),
                          half (b, g, variable, true),
                          half (b, h, variable, true));
  known = make_node (b, variable, low, high);
  *omen_map_at (&b->choose, key (f, g, h)) = known;
  return known;
}

static uint32_t
substitute (omen_bdds *b, omen_map *done, uint32_t f, const uint32_t *values)
{
  omen_bdd_node n = b->nodes.data[f];
  uint32_t known, low, high;
  if (f <= OMEN_BDD_TRUE || b->full)
    return f;
  known = omen_map_get (done, f);
  if (known != OMEN_NONE)
    return known;
  low = substitute (b, done, n.low, values);
  high = substitute (b, done, n.high, values);
  known = omen_bdd_choose (b, values[n.variable], high, low);
  *omen_map_at (done, f) = known;
  return known;
}

uint32_t
omen_bdd_substitute (omen_bdds *b, uint32_t f, const uint32_t *values)
{
  omen_map done;
  uint32_t result;
  omen_map_init (&done);
  result = substitute (b, &done, f, values);
  omen_map_fini (&done);
  return result;
}

bool
omen_bdd_at_zero (const omen_bdds *b, uint32_t f)
{
  OMEN_REQUIRE (f < b->nodes.count);
  while (f > OMEN_BDD_TRUE)
    f = b->nodes.data[f].low;
  return f == OMEN_BDD_TRUE;
}
