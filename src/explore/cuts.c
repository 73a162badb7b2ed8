#include "explore/cuts.h"

#include <string.h>

#define FIRST OMEN_NONE /* came from nowhere */

typedef struct searching {
  omen_cuts *cuts;
  const omen_cuts_options *options;
  uint32_t *slots, mask; /* states by hash, + 1 */
  omen_ids open;
  omen_map lists;             /* by thread, step and observation: in `chains` */
  OMEN_VEC (omen_ids) chains; /* of forks: none is below another */
  uint32_t *room;             /* a state */
} searching;

/* ---- states ---- */

static uint64_t
hash_words (const uint32_t *words, uint32_t count)
{
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++)
    hash = (hash ^ words[i]) * UINT64_C (0x9e3779b97f4a7c15) + (hash >> 29);
  return hash ^ hash >> 32;
}

static uint32_t *
slot_of_state (searching *s, const uint32_t *words)
{
  uint32_t count = s->cuts->replica->words;
  uint32_t at = (uint32_t)hash_words (words, count) & s->mask;
  while (s->slots[at]
         && memcmp (omen_cuts_state (s->cuts, s->slots[at] - 1), words,
                    count * sizeof *words)
                != 0)
    at = (at + 1) & s->mask;
  return &s->slots[at];
}

static uint32_t
count_states (const searching *s)
{
  return (uint32_t)s->cuts->came.count;
}

static void
make_room (searching *s)
{
  uint32_t count = count_states (s);
  if (s->slots && 2 * count < s->mask)
    return;
  omen_free (s->slots);
  s->mask = s->mask ? 2 * s->mask + 1 : 1023;
  s->slots = omen_zalloc ((size_t)s->mask + 1, sizeof *s->slots);
  for (uint32_t i = 0; i < count; i++)
    *slot_of_state (s, omen_cuts_state (s->cuts, i)) = i + 1;
}

/* The state of s->room. */
static void
reach_cut (searching *s, uint32_t from, omen_tid by)
{
  omen_cuts *c = s->cuts;
  uint32_t words = c->replica->words;
  make_room (s);
  uint32_t *slot = slot_of_state (s, s->room);
  if (*slot)
    return;
  if (count_states (s) >= s->options->most_states) {
    c->all = false;
    return;
  }
  OMEN_VEC_RESERVE (c->words, c->words.count + words + 1); /* it may be none */
  memcpy (c->words.data + c->words.count, s->room, words * sizeof *s->room);
  c->words.count += words;
  OMEN_VEC_PUSH (s->open, count_states (s));
  OMEN_VEC_PUSH (c->came, OMEN_PAIR (from, by));
  *slot = count_states (s);
}

/* ---- forks ---- */

/* Are the steps of the one all taken in the other? */
static bool
is_below (const searching *s, uint32_t a, uint32_t b)
{
  const uint32_t *x = omen_cuts_state (s->cuts, a);
  const uint32_t *y = omen_cuts_state (s->cuts, b);
  for (omen_tid t = 0; t < s->cuts->replica->threads; t++)
    if (x[t] > y[t])
      return false;
  return true;
}

static void
add_fork (searching *s, uint32_t state, omen_tid t, const omen_other *other)
{
  omen_cuts *c = s->cuts;
  uint64_t key = omen_hash_mix (
      omen_hash_mix (t, omen_cuts_state (c, state)[t]), other->observed);
  uint32_t *list = omen_map_at (&s->lists, key);
  if (*list == OMEN_NONE) {
    *list = (uint32_t)s->chains.count;
    OMEN_VEC_PUSH (s->chains, (omen_ids){ 0 });
  }
  omen_ids *chain = &s->chains.data[*list];
  size_t kept = 0;
  for (size_t i = 0; i < chain->count; i++) {
    omen_cut_fork *fork = &c->forks.data[chain->data[i]];
    if (is_below (s, state, fork->state))
      return;
    if (is_below (s, fork->state, state))
      fork->state = OMEN_NONE;
    else
      chain->data[kept++] = chain->data[i];
  }
  chain->count = kept;
  OMEN_VEC_PUSH (*chain, (uint32_t)c->forks.count);
  OMEN_VEC_PUSH (c->forks, ((omen_cut_fork){ state, t, *other }));
}

/* ---- all states ---- */

static void
restore (searching *s, uint32_t state)
{
  memcpy (s->room, omen_cuts_state (s->cuts, state),
          s->cuts->replica->words * sizeof *s->room);
}

/* A settled step is the only one that needs to be examined here. */
static bool
take_settled (searching *s, uint32_t state)
{
  const omen_replica *replica = s->cuts->replica;
  for (omen_tid t = 0; t < replica->threads; t++) {
    omen_other other;
    restore (s, state);
    if (omen_replica_is_settled (replica, s->room, t)
        && omen_replica_choices (replica, s->room, t) == 1
        && omen_replica_step (replica, s->room, t, 0, &other)
               == OMEN_MOVE_TAKEN) {
      reach_cut (s, state, t);
      return true;
    }
  }
  return false;
}

static bool
run_is_over (const omen_replica *replica, const uint32_t *words)
{
  for (omen_tid t = 0; t < replica->threads; t++)
    if (words[t] < replica->steps->threads[t].count)
      return false;
  return true;
}

/* It would go on spinning, which cannot be distinguished from what it did. */
static bool
is_another_turn (const omen_replica *replica, const uint32_t *words, omen_tid t,
                 const omen_other *other)
{
  const omen_run_step *next = omen_replica_next (replica, words, t);
  return !next->pending
         && replica->steps->histories->again[next->event] == other->observed;
}

static void
try_moves (searching *s, uint32_t state)
{
  const omen_replica *replica = s->cuts->replica;
  bool moved = false;
  if (take_settled (s, state))
    return;
  for (omen_tid t = 0; t < replica->threads; t++) {
    uint32_t choices
        = omen_replica_choices (replica, omen_cuts_state (s->cuts, state), t);
    for (uint32_t i = 0; i < choices; i++) {
      omen_other other = { 0 };
      restore (s, state);
      switch (omen_replica_step (replica, s->room, t, i, &other)) {
      case OMEN_MOVE_TAKEN:
        reach_cut (s, state, t);
        moved = true;
        break;
      case OMEN_MOVE_OTHER:
        if (!is_another_turn (replica, s->room, t, &other))
          add_fork (s, state, t, &other);
        moved = true;
        break;
      case OMEN_MOVE_BLOCKED:
        break;
      }
    }
  }
  restore (s, state);
  if (!moved && !run_is_over (replica, s->room))
    OMEN_VEC_PUSH (s->cuts->forks,
                   ((omen_cut_fork){ state, OMEN_NONE, { 0 } }));
}

omen_cuts *
omen_cuts_new (const omen_steps *steps, const omen_cuts_options *options)
{
  omen_cuts *c = omen_zalloc (1, sizeof *c);
  searching s = { .cuts = c, .options = options };
  c->steps = steps;
  c->all = true;
  c->replica = omen_replica_new (steps, options->spurious);
  s.room = omen_alloc ((c->replica->words + 1) * sizeof *s.room);
  omen_map_init (&s.lists);
  omen_replica_start (c->replica, s.room);
  reach_cut (&s, FIRST, FIRST);
  while (s.open.count)
    try_moves (&s, OMEN_VEC_POP (s.open));
  size_t kept = 0;
  for (size_t i = 0; i < c->forks.count; i++)
    if (c->forks.data[i].state != OMEN_NONE)
      c->forks.data[kept++] = c->forks.data[i];
  c->forks.count = kept;
  for (size_t i = 0; i < s.chains.count; i++)
    OMEN_VEC_FINI (s.chains.data[i]);
  OMEN_VEC_FINI (s.chains);
  OMEN_VEC_FINI (s.open);
  omen_map_fini (&s.lists);
  omen_free (s.slots);
  omen_free (s.room);
  return c;
}

void
omen_cuts_free (omen_cuts *c)
{
  if (!c)
    return;
  omen_replica_free (c->replica);
  OMEN_VEC_FINI (c->words);
  OMEN_VEC_FINI (c->came);
  OMEN_VEC_FINI (c->forks);
  omen_free (c);
}

void
omen_cuts_path (const omen_cuts *c, uint32_t state, omen_ids *events)
{
  size_t first = events->count;
  for (uint64_t came; (came = c->came.data[state]) >> 32 != FIRST;) {
    omen_tid t = (omen_tid)came;
    state = (uint32_t)(came >> 32);
    const omen_run_step *step
        = omen_replica_next (c->replica, omen_cuts_state (c, state), t);
    OMEN_VEC_PUSH (*events, step->event);
  }
  for (size_t i = first, j = events->count; i + 1 < j; i++, j--) {
    omen_eid swap = events->data[i];
    events->data[i] = events->data[j - 1];
    events->data[j - 1] = swap;
  }
}
