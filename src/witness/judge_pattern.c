/* TRUSTED. pattern: is there a choice of letters for its steps? All choices are
   tried by backtracking, none twice from the same position; the first that fits
   is the answer. */
#include "witness/judge_logic.h"

#include <string.h>

enum { NAMES_MAX = 8, REGIONS_MAX = 8, STEPS_MAX = 8, MEMORIES_MAX = 100000 };
#define ENDED (OMEN_NONE - 1)

/* What is still to be matched: an item, then another rest. For a !( … ): which
   of its steps are matched, and whether in the order of the pattern. */
typedef struct rest {
  uint32_t node, then; /* then: another rest, or OMEN_NONE */
  uint32_t taken;
  bool ordered;
} rest;

/* What the names of threads and regions are bound to so far. */
typedef struct memory {
  uint32_t threads[NAMES_MAX];   /* OMEN_NONE: free */
  uint32_t regions[REGIONS_MAX]; /* letter where it began; OMEN_NONE: unused;
                                    ENDED */
} memory;

typedef struct pattern {
  OMEN_VEC (rest) rests;
  OMEN_VEC (memory) memories;
  const omen_letter *word; /* the word being matched */
  uint32_t count;
  uint32_t *begin_of;    /* by letter: the begin that this end pairs with */
  omen_map seen;         /* positions already tried: (rest, memory, from …) */
  uint64_t begins, ends; /* sets of events that begin, or end, a region */
} pattern;

static const omen_written_node *
node_at (const omen_judging *j, uint32_t n)
{
  return &j->written->nodes[n];
}

/* ---- the formula ---- */

static bool
may_be_empty (const omen_judging *j, uint32_t n)
{
  const omen_written_node *at = node_at (j, n);
  switch (at->kind) {
  case OMEN_W_OPTION:
  case OMEN_W_STAR:
    return true;
  case OMEN_W_PLUS:
    return may_be_empty (j, at->a);
  case OMEN_W_CAT:
    return may_be_empty (j, at->a) && may_be_empty (j, at->b);
  case OMEN_W_OR:
    return may_be_empty (j, at->a) || may_be_empty (j, at->b);
  default:
    return false;
  }
}

/* Collect the steps of !( … ), in order; returns their number. */
static uint32_t
steps_of (const omen_judging *j, uint32_t n, uint32_t steps[STEPS_MAX])
{
  const omen_written_node *at = node_at (j, n);
  uint32_t count;
  if (at->kind == OMEN_W_STEP) {
    steps[0] = n;
    return 1;
  }
  count = steps_of (j, at->a, steps);
  OMEN_REQUIRE (count < STEPS_MAX);
  steps[count] = at->b;
  return count + 1;
}

static bool
same_step (const omen_judging *j, uint32_t a, uint32_t b)
{
  const omen_written_node *x = node_at (j, a), *y = node_at (j, b);
  return x->a == y->a && x->b == y->b && x->c == y->c;
}

static void
begin_pattern (omen_judging *j)
{
  pattern *p = omen_zalloc (1, sizeof *p);
  j->own = p;
  for (uint32_t i = 0; i < j->written->count; i++) {
    const omen_written_node *n = node_at (j, i);
    bool step = n->kind == OMEN_W_STEP;
    if (step && n->c != OMEN_NONE)
      *(n->c % 2 ? &p->ends : &p->begins) |= (uint64_t)1 << n->a;
  }
}

static void
end_pattern (omen_judging *j)
{
  pattern *p = j->own;
  OMEN_VEC_FINI (p->rests);
  OMEN_VEC_FINI (p->memories);
  omen_free (p);
}

/* ---- interned rests and memories ---- */

static uint32_t
rest_of (omen_judging *j, uint32_t node, uint32_t then, uint32_t taken,
         bool ordered)
{
  pattern *p = j->own;
  rest added = { node, then, taken, ordered };
  for (uint32_t i = 0; i < p->rests.count; i++) {
    const rest *r = &p->rests.data[i];
    if (r->node == node && r->then == then && r->taken == taken
        && r->ordered == ordered)
      return i;
  }
  omen_judging_works (j, p->rests.count);
  OMEN_VEC_PUSH (p->rests, added);
  return (uint32_t)p->rests.count - 1;
}

static uint32_t
memory_of (omen_judging *j, const memory *m)
{
  pattern *p = j->own;
  for (size_t i = p->memories.count; i-- > 0;)
    if (!memcmp (&p->memories.data[i], m, sizeof *m))
      return (uint32_t)i;
  omen_judging_works (j, p->memories.count);
  if (p->memories.count == MEMORIES_MAX && !j->beyond)
    j->beyond = "there are too many ways to name threads and regions";
  if (j->beyond)
    return 0;
  OMEN_VEC_PUSH (p->memories, *m);
  return (uint32_t)p->memories.count - 1;
}

/* ---- choosing ---- */

/* Can the step match the letter? If so, the memory gets its names. */
static bool
take_letter (const omen_judging *j, const omen_written_node *step, uint32_t at,
             memory *m)
{
  const pattern *p = j->own;
  uint32_t thread = p->word[at].thread, *region;
  if (p->word[at].event != step->a)
    return false;
  if (step->b != OMEN_NONE && m->threads[step->b] != thread) {
    if (m->threads[step->b] != OMEN_NONE)
      return false;
    for (uint32_t i = 0; i < NAMES_MAX; i++)
      if (m->threads[i] == thread)
        return false; /* different names, different threads */
    m->threads[step->b] = thread;
  }
  if (step->c == OMEN_NONE)
    return true;
  region = &m->regions[step->c / 2];
  if (step->c % 2) {
    if (p->begin_of[at] == OMEN_NONE || p->begin_of[at] != *region)
      return false;
    *region = ENDED;
    return true;
  }
  if (*region != OMEN_NONE && *region != ENDED)
    return false;
  *region = at;
  return true;
}

/* `parts`: of an `and`, those to be matched after this one. `used`: some part
   has matched the last letter. */
typedef struct choice {
  uint32_t rest, from, memory, parts;
  bool used;
} choice;

static bool match (omen_judging *j, choice c);

/* Match the step at a letter in [from, to), then the rest. */
static bool
match_step (omen_judging *j, choice c, uint32_t node, uint32_t then,
            uint32_t to)
{
  pattern *p = j->own;
  for (uint32_t at = c.from; at < to && omen_judging_works (j, 1); at++) {
    memory m = p->memories.data[c.memory];
    choice next = c;
    if (!take_letter (j, node_at (j, node), at, &m))
      continue;
    next.rest = then;
    next.from = at + 1;
    next.memory = memory_of (j, &m);
    if (match (j, next))
      return true;
  }
  return false;
}

/* Match both steps, in either order, at two neighbouring letters, the second of
   which is not `apart`. */
static bool
match_parallel (omen_judging *j, choice c, uint32_t then)
{
  pattern *p = j->own;
  const omen_written_node *n = node_at (j, p->rests.data[c.rest].node);
  for (uint32_t at = c.from; at + 1 < p->count && omen_judging_works (j, 1);
       at++)
    for (unsigned turned = 0; turned < 2 && !p->word[at + 1].apart; turned++) {
      memory m = p->memories.data[c.memory];
      choice next = c;
      if (!take_letter (j, node_at (j, turned ? n->b : n->a), at, &m)
          || !take_letter (j, node_at (j, turned ? n->a : n->b), at + 1, &m))
        continue;
      next.rest = then;
      next.from = at + 2;
      next.memory = memory_of (j, &m);
      if (match (j, next))
        return true;
    }
  return false;
}

/* Match any remaining step, unless all steps would then be in order. Of equal
   steps the first is matched first. */
static bool
match_disorder (omen_judging *j, choice c)
{
  pattern *p = j->own;
  rest r = p->rests.data[c.rest];
  uint32_t steps[STEPS_MAX];
  uint32_t count = steps_of (j, node_at (j, r.node)->a, steps);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t taken = r.taken | 1u << i, then;
    bool ordered = r.ordered && !(taken & (taken + 1));
    bool free = !(r.taken >> i & 1);
    for (uint32_t k = 0; k < i; k++)
      free &= r.taken >> k & 1 || !same_step (j, steps[i], steps[k]);
    if (!free || (ordered && taken == (1u << count) - 1))
      continue;
    then = taken == (1u << count) - 1
               ? r.then
               : rest_of (j, r.node, r.then, taken, ordered);
    if (match_step (j, c, steps[i], then, p->count))
      return true;
  }
  return false;
}

/* A part is matched. After the last one, some part must have used the last
   letter. */
static bool
match_next_part (omen_judging *j, choice c)
{
  const pattern *p = j->own;
  c.used |= c.from == p->count;
  if (c.parts == OMEN_NONE)
    return c.used;
  c.rest = c.parts;
  c.parts = p->rests.data[c.rest].then;
  c.rest = rest_of (j, p->rests.data[c.rest].node, OMEN_NONE, 0, true);
  c.from = 0;
  return match (j, c);
}

static bool
match_instead (omen_judging *j, choice c, uint32_t node, uint32_t then)
{
  c.rest = rest_of (j, node, then, 0, true);
  return match (j, c);
}

static bool
match_then (omen_judging *j, choice c, uint32_t then)
{
  c.rest = then;
  return match (j, c);
}

static bool
match_item (omen_judging *j, choice c)
{
  pattern *p = j->own;
  rest r = p->rests.data[c.rest];
  const omen_written_node *n = node_at (j, r.node);
  switch (n->kind) {
  case OMEN_W_STEP:
    return match_step (j, c, r.node, r.then, p->count);
  case OMEN_W_PARALLEL:
    return match_parallel (j, c, r.then);
  case OMEN_W_DISORDER:
    return match_disorder (j, c);
  case OMEN_W_CAT:
    return match_instead (j, c, n->a, rest_of (j, n->b, r.then, 0, true));
  case OMEN_W_OR:
    return match_instead (j, c, n->a, r.then)
           || match_instead (j, c, n->b, r.then);
  case OMEN_W_OPTION:
    return match_then (j, c, r.then) || match_instead (j, c, n->a, r.then);
  case OMEN_W_STAR:
    return match_then (j, c, r.then) || match_instead (j, c, n->a, c.rest);
  default:
    OMEN_ASSERT (n->kind == OMEN_W_PLUS);
    return match_instead (j, c, n->a, r.then)
           || match_instead (j, c, n->a, c.rest);
  }
}

static bool
match (omen_judging *j, choice c)
{
  pattern *p = j->own;
  uint64_t key;
  if (!omen_judging_works (j, 1))
    return false;
  if (c.rest == OMEN_NONE)
    return match_next_part (j, c);
  key = ((uint64_t)c.rest << 24 | c.memory) << 24 | c.from;
  key = key << 1 | c.used;
  if (c.rest >= 1 << 15 || c.from >= 1 << 24)
    j->beyond = "the pattern is too large";
  if (j->beyond || omen_map_get (&p->seen, key) == c.parts + 1)
    return false;
  *omen_map_at (&p->seen, key) = c.parts + 1;
  return match_item (j, c);
}

/* ---- the word ---- */

/* Begins and ends pair by nesting in their thread. */
static void
pair_regions (pattern *p)
{
  for (uint32_t at = 0; at < p->count; at++) {
    uint32_t depth = 0;
    p->begin_of[at] = OMEN_NONE;
    if (!(p->ends >> p->word[at].event & 1)
        || p->begins >> p->word[at].event & 1)
      continue;
    for (uint32_t i = at; i-- > 0 && p->begin_of[at] == OMEN_NONE;) {
      if (p->word[i].thread != p->word[at].thread)
        continue;
      if (p->begins >> p->word[i].event & 1) {
        if (!depth--)
          p->begin_of[at] = i;
      } else if (p->ends >> p->word[i].event & 1 && p->begin_of[i] != OMEN_NONE)
        depth++;
    }
  }
}

/* One alternative: parts that are joined by `and`, CATs of their own. */
static bool
match_alternative (omen_judging *j, uint32_t n)
{
  pattern *p = j->own;
  memory none;
  choice c = { .parts = OMEN_NONE };
  memset (&none, 0xff, sizeof none);
  while (node_at (j, n)->kind == OMEN_W_AND) {
    c.parts = rest_of (j, node_at (j, n)->b, c.parts, 0, true);
    n = node_at (j, n)->a;
  }
  c.memory = memory_of (j, &none);
  c.rest = rest_of (j, n, OMEN_NONE, 0, true);
  (void)p;
  return match (j, c);
}

static bool
match_any (omen_judging *j, uint32_t n)
{
  const omen_written_node *at = node_at (j, n);
  return at->kind == OMEN_W_OR ? match_any (j, at->a) || match_any (j, at->b)
                               : match_alternative (j, n);
}

static bool
pattern_lands (omen_judging *j, const omen_letter *word, size_t count,
               const char *category)
{
  pattern *p = j->own;
  bool yes;
  OMEN_REQUIRE (!strcmp (category, "match"));
  if (!omen_judging_works (j, count))
    return false;
  p->word = word;
  p->count = (uint32_t)count;
  p->begin_of = omen_alloc (count * sizeof *p->begin_of);
  omen_map_init (&p->seen);
  OMEN_VEC_CLEAR (p->memories);
  OMEN_VEC_CLEAR (p->rests);
  pair_regions (p);
  yes = match_any (j, j->written->count - 1);
  omen_map_fini (&p->seen);
  omen_free (p->begin_of);
  return yes;
}

/* ---- what can begin a match ---- */

static bool
all_same (const omen_judging *j, const uint32_t *steps, uint32_t count)
{
  for (uint32_t i = 1; i < count; i++)
    if (!same_step (j, steps[0], steps[i]))
      return false;
  return true;
}

/* The first step can come first only if the others can be out of order. */
static uint64_t
first_of_disorder (const omen_judging *j, uint32_t n)
{
  uint32_t steps[STEPS_MAX], count = steps_of (j, node_at (j, n)->a, steps);
  uint64_t set = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool free = i > 0 || !all_same (j, steps + 1, count - 1);
    for (uint32_t k = 0; k < i; k++)
      free &= !same_step (j, steps[i], steps[k]);
    if (free)
      set |= (uint64_t)1 << node_at (j, steps[i])->a;
  }
  return set;
}

static uint64_t
first_of (const omen_judging *j, uint32_t n)
{
  const omen_written_node *at = node_at (j, n);
  switch (at->kind) {
  case OMEN_W_STEP:
    return (uint64_t)1 << at->a;
  case OMEN_W_DISORDER:
    return first_of_disorder (j, n);
  case OMEN_W_CAT:
    return first_of (j, at->a)
           | (may_be_empty (j, at->a) ? first_of (j, at->b) : 0);
  case OMEN_W_OR:
  case OMEN_W_AND:
  case OMEN_W_PARALLEL:
    return first_of (j, at->a) | first_of (j, at->b);
  default:
    return first_of (j, at->a);
  }
}

static uint64_t
pattern_creation (omen_judging *j)
{
  return first_of (j, j->written->count - 1);
}

const omen_judging_logic omen_judging_pattern
    = { "pattern", begin_pattern, end_pattern, pattern_lands,
        pattern_creation };
