/* TRUSTED. ere: an automaton for each part of the expression, built as needed.
   A state of a part is a row of numbers made of states of its operands:

     a b    the state of a, and those of b, begun wherever a was complete
     a*     whether nothing was read yet, and states of a, likewise
     a | b  a & b  ~a    the states of both; of a */
#include "witness/judge_logic.h"

#include <string.h>

enum { STATES_MAX = 5000, PARTS_MAX = 4000 };

/* The states of leaves. */
enum { FRESH, DONE, DEAD };

typedef struct state {
  uint32_t first, count; /* its row, in part->rows */
  bool accepts;
} state;

typedef struct part {
  omen_written_kind kind; /* EVENT EPSILON EMPTY CAT OR AND NOT STAR */
  uint32_t a, b;
  uint32_t start;
  omen_ids rows;
  OMEN_VEC (state) states;
  omen_ids next; /* by state and event; OMEN_NONE: not computed yet */
} part;

typedef struct ere {
  OMEN_VEC (part) parts; /* operands before their operators */
} ere;

static part *
part_at (const omen_judging *j, uint32_t p)
{
  return &((ere *)j->own)->parts.data[p];
}

/* ---- states ---- */

static bool
state_accepts (const omen_judging *j, uint32_t p, uint32_t s)
{
  return part_at (j, p)->states.data[s].accepts;
}

static bool
any_accepts (const omen_judging *j, uint32_t p, const omen_ids *row,
             size_t from)
{
  for (size_t i = from; i < row->count; i++)
    if (state_accepts (j, p, row->data[i]))
      return true;
  return false;
}

static bool
row_accepts (const omen_judging *j, uint32_t p, const omen_ids *row)
{
  const part *at = part_at (j, p);
  switch (at->kind) {
  case OMEN_W_EVENT:
    return row->data[0] == DONE;
  case OMEN_W_EPSILON:
    return row->data[0] == FRESH;
  case OMEN_W_CAT:
    return any_accepts (j, at->b, row, 1);
  case OMEN_W_OR:
    return state_accepts (j, at->a, row->data[0])
           || state_accepts (j, at->b, row->data[1]);
  case OMEN_W_AND:
    return state_accepts (j, at->a, row->data[0])
           && state_accepts (j, at->b, row->data[1]);
  case OMEN_W_NOT:
    return !state_accepts (j, at->a, row->data[0]);
  case OMEN_W_STAR:
    return row->data[0] || any_accepts (j, at->a, row, 1);
  default:
    return false;
  }
}

/* The state with this row. */
static uint32_t
ere_state (omen_judging *j, uint32_t p, const omen_ids *row)
{
  part *at = part_at (j, p);
  state added = { (uint32_t)at->rows.count, (uint32_t)row->count, false };
  for (uint32_t s = 0; s < at->states.count; s++)
    if (at->states.data[s].count == row->count
        && !memcmp (&at->rows.data[at->states.data[s].first], row->data,
                    row->count * sizeof *row->data))
      return s;
  omen_judging_works (j, at->states.count + 1);
  if (at->states.count == STATES_MAX && !j->beyond)
    j->beyond = "the ere has too many states";
  if (j->beyond)
    return 0;
  added.accepts = row_accepts (j, p, row);
  for (size_t i = 0; i < row->count; i++)
    OMEN_VEC_PUSH (at->rows, row->data[i]);
  for (uint32_t e = 0; e < j->events; e++)
    OMEN_VEC_PUSH (at->next, OMEN_NONE);
  OMEN_VEC_PUSH (at->states, added);
  return (uint32_t)at->states.count - 1;
}

/* Insert into the sorted tail of a row, unless it is there. */
static void
add_to (omen_ids *row, size_t from, uint32_t s)
{
  size_t i = from;
  while (i < row->count && row->data[i] < s)
    i++;
  if (i < row->count && row->data[i] == s)
    return;
  OMEN_VEC_PUSH (*row, s);
  for (size_t k = row->count - 1; k > i; k--)
    row->data[k] = row->data[k - 1];
  row->data[i] = s;
}

static uint32_t step_part (omen_judging *j, uint32_t p, uint32_t s,
                           uint32_t event);

static void
step_row (omen_judging *j, uint32_t p, const omen_ids *old, uint32_t event,
          omen_ids *row)
{
  const part *at = part_at (j, p);
  bool taken;
  switch (at->kind) {
  case OMEN_W_CAT:
    OMEN_VEC_PUSH (*row, step_part (j, at->a, old->data[0], event));
    for (size_t i = 1; i < old->count; i++)
      add_to (row, 1, step_part (j, at->b, old->data[i], event));
    if (state_accepts (j, at->a, row->data[0]))
      add_to (row, 1, part_at (j, at->b)->start);
    return;
  case OMEN_W_STAR:
    OMEN_VEC_PUSH (*row, 0u);
    for (size_t i = 1; i < old->count; i++)
      add_to (row, 1, step_part (j, at->a, old->data[i], event));
    if (old->data[0] || any_accepts (j, at->a, old, 1))
      add_to (row, 1, step_part (j, at->a, part_at (j, at->a)->start, event));
    return;
  case OMEN_W_OR:
  case OMEN_W_AND:
    OMEN_VEC_PUSH (*row, step_part (j, at->a, old->data[0], event));
    OMEN_VEC_PUSH (*row, step_part (j, at->b, old->data[1], event));
    return;
  case OMEN_W_NOT:
    OMEN_VEC_PUSH (*row, step_part (j, at->a, old->data[0], event));
    return;
  default:
    taken = at->kind == OMEN_W_EVENT && old->data[0] == FRESH && at->a == event;
    OMEN_VEC_PUSH (*row, taken ? (uint32_t)DONE : (uint32_t)DEAD);
  }
}

static uint32_t
step_part (omen_judging *j, uint32_t p, uint32_t s, uint32_t event)
{
  part *at = part_at (j, p);
  size_t slot = (size_t)s * j->events + event;
  omen_ids old = { 0 }, row = { 0 };
  uint32_t to;
  if (at->next.data[slot] != OMEN_NONE || !omen_judging_works (j, 1))
    return j->beyond ? 0 : at->next.data[slot];
  for (uint32_t i = 0; i < at->states.data[s].count; i++)
    OMEN_VEC_PUSH (old, at->rows.data[at->states.data[s].first + i]);
  step_row (j, p, &old, event, &row);
  to = ere_state (j, p, &row);
  at->next.data[slot] = to;
  OMEN_VEC_FINI (old);
  OMEN_VEC_FINI (row);
  return to;
}

/* ---- the expression ---- */

static uint32_t
add_part (omen_judging *j, omen_written_kind kind, uint32_t a, uint32_t b)
{
  ere *e = j->own;
  part added = { .kind = kind, .a = a, .b = b };
  uint32_t p = (uint32_t)e->parts.count;
  omen_ids row = { 0 };
  if (p == PARTS_MAX && !j->beyond)
    j->beyond = "the ere has too many parts";
  if (j->beyond)
    return 0;
  OMEN_VEC_PUSH (e->parts, added);
  if (kind == OMEN_W_STAR)
    OMEN_VEC_PUSH (row, 1u);
  else if (kind == OMEN_W_EVENT || kind == OMEN_W_EPSILON
           || kind == OMEN_W_EMPTY)
    OMEN_VEC_PUSH (row, (uint32_t)FRESH);
  else
    OMEN_VEC_PUSH (row, part_at (j, a)->start);
  if (kind == OMEN_W_OR || kind == OMEN_W_AND
      || (kind == OMEN_W_CAT && state_accepts (j, a, row.data[0])))
    OMEN_VEC_PUSH (row, part_at (j, b)->start);
  e->parts.data[p].start = ere_state (j, p, &row);
  OMEN_VEC_FINI (row);
  return p;
}

static uint32_t
add_power (omen_judging *j, uint32_t a, uint32_t times)
{
  uint32_t whole = add_part (j, OMEN_W_EPSILON, 0, 0);
  for (uint32_t i = 0; i < times && !j->beyond; i++)
    whole = add_part (j, OMEN_W_CAT, a, whole);
  return whole;
}

static uint32_t
add_node (omen_judging *j, const omen_written_node *n, const uint32_t *parts)
{
  switch (n->kind) {
  case OMEN_W_EVENT:
    return add_part (j, n->kind, n->a, 0);
  case OMEN_W_EPSILON:
  case OMEN_W_EMPTY:
    return add_part (j, n->kind, 0, 0);
  case OMEN_W_PLUS:
    return add_part (j, OMEN_W_CAT, parts[n->a],
                     add_part (j, OMEN_W_STAR, parts[n->a], 0));
  case OMEN_W_OPTION:
    return add_part (j, OMEN_W_OR, parts[n->a],
                     add_part (j, OMEN_W_EPSILON, 0, 0));
  case OMEN_W_POWER:
    return add_power (j, parts[n->a], n->b);
  case OMEN_W_NOT:
  case OMEN_W_STAR:
    return add_part (j, n->kind, parts[n->a], 0);
  default:
    return add_part (j, n->kind, parts[n->a], parts[n->b]);
  }
}

/* The whole expression is the last part. */
static void
begin_ere (omen_judging *j)
{
  uint32_t *parts = omen_zalloc (j->written->count + 1, sizeof *parts);
  j->own = omen_zalloc (1, sizeof (ere));
  for (uint32_t i = 0; i < j->written->count && !j->beyond; i++)
    parts[i] = add_node (j, &j->written->nodes[i], parts);
  omen_free (parts);
}

static void
end_ere (omen_judging *j)
{
  ere *e = j->own;
  for (size_t i = 0; i < e->parts.count; i++) {
    OMEN_VEC_FINI (e->parts.data[i].rows);
    OMEN_VEC_FINI (e->parts.data[i].states);
    OMEN_VEC_FINI (e->parts.data[i].next);
  }
  OMEN_VEC_FINI (e->parts);
  omen_free (e);
}

/* ---- answers ---- */

static uint32_t
root (const omen_judging *j)
{
  return (uint32_t)((ere *)j->own)->parts.count - 1;
}

static uint32_t
step_root (omen_judging *j, uint32_t s, uint32_t event)
{
  return step_part (j, root (j), s, event);
}

static uint32_t
root_accepts (omen_judging *j, uint32_t s)
{
  return state_accepts (j, root (j), s);
}

static omen_judging_automaton
judged_automaton (omen_judging *j)
{
  return (omen_judging_automaton){ j, j->events, step_root, root_accepts };
}

static bool
ere_lands (omen_judging *j, const omen_letter *word, size_t count,
           const char *category)
{
  omen_judging_automaton a = judged_automaton (j);
  uint32_t s = part_at (j, root (j))->start;
  for (size_t i = 0; i < count && omen_judging_works (j, 1); i++)
    s = step_root (j, s, word[i].event);
  if (j->beyond)
    return false;
  if (!strcmp (category, "match"))
    return root_accepts (j, s);
  return omen_judging_reaches (&a, s) == !strcmp (category, "nonfail");
}

/* Events that can begin a word; and events that bind nothing, if some word ends
   in another verdict after them. */
static uint64_t
ere_creation (omen_judging *j)
{
  omen_judging_automaton a = judged_automaton (j);
  uint32_t start = part_at (j, root (j))->start;
  uint64_t set = 0;
  for (uint32_t e = 0; e < j->events && !j->beyond; e++) {
    uint32_t to = step_root (j, start, e);
    if (omen_judging_reaches (&a, to)
        || (!j->property->event[e].binds
            && omen_judging_differ (&a, start, to)))
      set |= (uint64_t)1 << e;
  }
  return set;
}

const omen_judging_logic omen_judging_ere
    = { "ere", begin_ere, end_ere, ere_lands, ere_creation };
