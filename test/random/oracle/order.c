#include "order.h"
#include "space.h"

#include <string.h>

#define MOST_MARKED (3 + MOST_ATOMS / 4 + ORACLE_EVENTS / 8)

typedef struct marker {
  const machine *m;
  unsigned a;
  event_set from[ORACLE_EVENTS]; /* edges that do not depend on σ's order */
  event_set listed;              /* ups and notifies: their order counts */
  uint8_t chain_of[MOST_ATOMS];  /* atoms read by atomics, or NOBODY */
  unsigned chains, words;
} marker;

typedef struct marked {
  state base;
  event_set reached; /* from a, a included; 0 before a */
  event_set used;    /* notifies that serve a return */
  uint64_t unfenced; /* threads that read a mark without acquiring it */
  uint16_t chain[MOST_ATOMS];  /* threads that head a marked release sequence */
  uint8_t list[ORACLE_EVENTS]; /* of `listed`, in the order of σ */
} marked;

/* ---- edges that only ask who is in σ ---- */
static event_set
section_ends (const facts *f, unsigned e)
{
  event_set ends = 0;
  for (unsigned i = 0; i < f->count; i++) {
    if (f->lock[i] != f->lock[e])
      continue;
    if (f->action[i] == LOCK_LEAVE
        && (f->action[e] == LOCK_TAKE || f->action[e] == LOCK_SHARE))
      ends |= ONE (i);
    if (f->action[i] == LOCK_UNSHARE && f->action[e] == LOCK_TAKE)
      ends |= ONE (i);
  }
  return ends;
}

/* Pairs that keep the order of the trace, as need[] says: ext among accesses,
   what precedes a seminit, one round of a barrier and the next. */
static bool
keeps_place (const facts *f, unsigned i, unsigned e)
{
  return HAS (f->need[e], i)
         && (f->kind[i] == OMEN_EXTERNAL || f->kind[e] == OMEN_EXTERNAL
             || f->kind[e] == OMEN_SEM_INIT
             || (f->kind[i] == OMEN_ARRIVE && f->kind[e] == OMEN_ARRIVE));
}

/* Does i come before e in synchronised order whenever both are in σ, i first?
   Kinds and objects decide. */
static bool
always_orders (const facts *f, unsigned i, unsigned e)
{
  const omen_event *x = facts_event (f, i), *y = facts_event (f, e);
  bool same = x->object == y->object;
  switch (f->kind[i]) {
  case OMEN_FORK:
    return x->object == y->thread || (f->kind[e] == OMEN_JOIN && same);
  case OMEN_HAPPENS_BEFORE:
    return f->kind[e] == OMEN_HAPPENS_AFTER && same;
  case OMEN_ALLOC:
    return HAS (f->overlaps[i], e);
  case OMEN_ARRIVE:
    return f->kind[e] == OMEN_DEPART && same && HAS (f->need[e], i);
  case OMEN_SEM_INIT:
    return omen_kind_operand (f->kind[e]) == OMEN_OPERAND_SEMAPHORE && same;
  default:
    return false;
  }
}

static bool
is_failed_try (const facts *f, unsigned e)
{
  return f->kind[e] == OMEN_TRY_FAIL || f->kind[e] == OMEN_READ_TRY_FAIL;
}

/* Operations of one irregular lock, in their order; failed tries order
   nothing. */
static bool
same_irregular_lock (const facts *f, unsigned i, unsigned e)
{
  return HAS (f->irregular_use, i) && HAS (f->irregular_use, e)
         && f->lock[i] == f->lock[e] && f->rank[i] < f->rank[e]
         && !is_failed_try (f, i) && !is_failed_try (f, e);
}

static event_set
edges_to (const facts *f, unsigned e)
{
  event_set from = section_ends (f, e);
  if (f->previous[e] != NOBODY)
    from |= ONE (f->previous[e]);
  if (f->kind[e] == OMEN_JOIN)
    from |= f->of_thread[facts_event (f, e)->object];
  for (unsigned i = 0; i < f->count; i++)
    if (i != e
        && (always_orders (f, i, e) || keeps_place (f, i, e)
            || same_irregular_lock (f, i, e)))
      from |= ONE (i);
  return from;
}

static void
marker_init (marker *k, const machine *m, unsigned a)
{
  const facts *f = m->facts;
  memset (k, 0, sizeof *k);
  k->m = m;
  k->a = a;
  memset (k->chain_of, NOBODY, sizeof k->chain_of);
  for (unsigned e = 0; e < f->count; e++) {
    k->from[e] = edges_to (f, e);
    if (f->kind[e] == OMEN_SEM_UP || f->kind[e] == OMEN_NOTIFY
        || f->kind[e] == OMEN_NOTIFY_ALL)
      k->listed |= ONE (e);
    if (f->kind[e] == OMEN_ATOMIC_READ || f->kind[e] == OMEN_ATOMIC_RMW)
      for (unsigned i = 0; i < f->atoms[e]; i++)
        if (k->chain_of[f->first_atom[e] + i] == NOBODY)
          k->chain_of[f->first_atom[e] + i] = (uint8_t)k->chains++;
  }
  k->words = m->words + 3 + (k->chains + 3) / 4
             + ((unsigned)__builtin_popcountll (k->listed) + 7) / 8;
}

/* ---- edges that ask for the order of σ ---- */
/* The earliest of `among` in σ, or NOBODY. */
static unsigned
earliest (const marker *k, const marked *s, event_set among)
{
  unsigned count = (unsigned)__builtin_popcountll (k->listed & s->base.CUT);
  for (unsigned i = 0; i < count; i++)
    if (HAS (among, s->list[i]))
      return s->list[i];
  return NOBODY;
}

/* The notify that serves the return e. */
static bool
notify_orders (const marker *k, const marked *s, unsigned e, marked *to)
{
  const machine *m = k->m;
  unsigned w = m->facts->wait_of[e], by;
  event_set since;
  if (w == NOBODY || !m->facts->wait[w].needs)
    return false;
  since = s->base.word[m->since + w];
  by = earliest (k, s, since & m->facts->wait[w].alls);
  if (by == NOBODY) {
    by = earliest (k, s, since & ~s->used);
    OMEN_ASSERT (by != NOBODY);
    to->used |= ONE (by);
  }
  return HAS (s->reached, by);
}

/* The down e is the (n+k)-th: did the k-th up reach it? */
static bool
up_orders (const marker *k, const marked *s, unsigned e)
{
  const facts *f = k->m->facts;
  const epoch *now = NULL;
  event_set left;
  int64_t number;
  if (f->kind[e] != OMEN_SEM_DOWN)
    return false;
  for (unsigned i = 0; i < f->epoch_count; i++)
    if (HAS (f->epoch[i].downs, e))
      now = &f->epoch[i];
  OMEN_ASSERT (now);
  number = __builtin_popcountll (now->downs & s->base.CUT) + 1 - now->count;
  left = now->ups;
  for (unsigned up; number > 0; left &= ~ONE (up)) {
    up = earliest (k, s, left);
    OMEN_ASSERT (up != NOBODY);
    if (!--number)
      return HAS (s->reached, up);
  }
  return false;
}

/* A plain read after the plain write that it sees; a itself apart. */
static bool
plain_write_orders (const marker *k, const marked *s, unsigned e, bool *sees_a)
{
  const facts *f = k->m->facts;
  if (f->kind[e] != OMEN_READ)
    return false;
  for (unsigned i = 0; i < f->atoms[e]; i++) {
    unsigned w = machine_writer (k->m, &s->base, f->first_atom[e] + i);
    if (w == NOBODY || f->kind[w] != OMEN_WRITE || !HAS (s->reached, w))
      continue;
    if (w != k->a)
      return true;
    *sees_a = true;
  }
  return false;
}

static bool
acquires (const facts *f, unsigned e)
{
  unsigned order = facts_event (f, e)->order;
  return order == OMEN_ORDER_SC || order == OMEN_ORDER_ACQUIRE
         || order == OMEN_ORDER_ACQ_REL;
}

static bool
releases (const facts *f, unsigned e)
{
  unsigned order = facts_event (f, e)->order;
  return order == OMEN_ORDER_SC || order == OMEN_ORDER_RELEASE
         || order == OMEN_ORDER_ACQ_REL;
}

/* An atomic read of a marked release sequence, or the acquire fence after
   one. */
static bool
chain_orders (const marker *k, const marked *s, unsigned e, marked *to)
{
  const facts *f = k->m->facts;
  bool marked_read = false;
  if (f->kind[e] == OMEN_FENCE)
    return acquires (f, e) && HAS (s->unfenced, f->thread[e]);
  if (f->kind[e] != OMEN_ATOMIC_READ && f->kind[e] != OMEN_ATOMIC_RMW)
    return false;
  for (unsigned i = 0; i < f->atoms[e]; i++)
    if (s->chain[k->chain_of[f->first_atom[e] + i]])
      marked_read = true;
  if (marked_read)
    to->unfenced |= ONE (f->thread[e]);
  return marked_read && acquires (f, e);
}

/* Does the atomic write e head a release sequence that carries the mark: by
   itself, or by a release fence before it in its thread? */
static bool
heads_marked (const facts *f, event_set reached, unsigned e)
{
  if (releases (f, e) && HAS (reached, e))
    return true;
  for (unsigned i = f->previous[e]; i != NOBODY; i = f->previous[i])
    if (f->kind[i] == OMEN_FENCE && releases (f, i) && HAS (reached, i))
      return true;
  return false;
}

static void
move_chains (const marker *k, unsigned e, marked *to)
{
  const facts *f = k->m->facts;
  uint16_t own = (uint16_t)ONE (f->thread[e]);
  if (!HAS (f->writers, e))
    return;
  for (unsigned i = 0; i < f->atoms[e]; i++) {
    unsigned chain = k->chain_of[f->first_atom[e] + i];
    if (chain == NOBODY)
      continue;
    if (!omen_kind_atomic (f->kind[e]))
      to->chain[chain] = 0;
    else if (f->kind[e] == OMEN_ATOMIC_WRITE)
      to->chain[chain] &= own;
    if (omen_kind_atomic (f->kind[e]) && heads_marked (f, to->reached, e))
      to->chain[chain] |= own;
  }
}

/* ---- the search ---- */
/* *apart says whether there is no path from a to e, but for e seeing a. */
static bool
marked_step (const marker *k, const marked *s, unsigned e, marked *to,
             bool *apart)
{
  bool reached, sees_a = false;
  *to = *s;
  if (!machine_step (k->m, &s->base, e, &to->base))
    return false;
  reached = e == k->a || (k->from[e] & s->reached);
  reached |= notify_orders (k, s, e, to);
  reached |= up_orders (k, s, e);
  reached |= plain_write_orders (k, s, e, &sees_a);
  reached |= chain_orders (k, s, e, to);
  *apart = !reached;
  if (reached || sees_a)
    to->reached |= ONE (e);
  if (HAS (k->listed, e))
    to->list[__builtin_popcountll (k->listed & s->base.CUT)] = (uint8_t)e;
  move_chains (k, e, to);
  return true;
}

static void
pack (const marker *k, const marked *s, uint64_t *words)
{
  unsigned w = k->m->words, listed = 0;
  memset (words, 0, k->words * sizeof *words);
  memcpy (words, s->base.word, w * sizeof *words);
  words[w++] = s->reached;
  words[w++] = s->used;
  words[w++] = s->unfenced;
  for (unsigned i = 0; i < k->chains; i++)
    words[w + i / 4] |= (uint64_t)s->chain[i] << 16 * (i % 4);
  w += (k->chains + 3) / 4;
  for (event_set left = k->listed & s->base.CUT; left;
       left &= left - 1, listed++)
    words[w + listed / 8] |= (uint64_t)s->list[listed] << 8 * (listed % 8);
}

static void
unpack (const marker *k, const uint64_t *words, marked *s)
{
  unsigned w = k->m->words, listed = 0;
  memcpy (s->base.word, words, w * sizeof *words);
  s->reached = words[w++];
  s->used = words[w++];
  s->unfenced = words[w++];
  for (unsigned i = 0; i < k->chains; i++)
    s->chain[i] = (uint16_t)(words[w + i / 4] >> 16 * (i % 4));
  w += (k->chains + 3) / 4;
  for (event_set left = k->listed & s->base.CUT; left;
       left &= left - 1, listed++)
    s->list[listed] = (uint8_t)(words[w + listed / 8] >> 8 * (listed % 8));
}

/* The targets that can still be shown from here: not in σ, and their thread not
   yet reached from a. */
static event_set
still_open (const marker *k, const marked *s, event_set targets)
{
  event_set open = targets & ~s->base.CUT;
  for (unsigned t = 0; t < k->m->facts->threads; t++) {
    event_set own = k->m->facts->of_thread[t];
    if (s->reached & own)
      open &= ~own;
  }
  return open;
}

event_set
order_search (const machine *m, unsigned a, event_set targets, omen_ids *path)
{
  const facts *f = m->facts;
  uint64_t words[MOST_WORDS + MOST_MARKED];
  event_set found = 0;
  marked s = { 0 }, to;
  marker k;
  space sp;
  bool fresh;
  marker_init (&k, m, a);
  space_init (&sp, k.words);
  machine_start (m, &s.base);
  pack (&k, &s, words);
  space_add (&sp, words, OMEN_NONE, 0, &fresh);
  for (uint32_t i = 0; i < sp.count && !(path && found); i++) {
    unpack (&k, space_at (&sp, i), &s);
    if (!still_open (&k, &s, targets & ~found))
      continue;
    for (unsigned t = 0; t < f->threads; t++) {
      unsigned e = machine_next (m, &s.base, t);
      uint32_t at;
      bool apart;
      if (e == NOBODY || !machine_follows (m, &s.base, e)
          || !machine_enabled (m, &s.base, e)
          || !marked_step (&k, &s, e, &to, &apart))
        continue;
      pack (&k, &to, words);
      at = space_add (&sp, words, i, e, &fresh);
      if (!HAS (targets & ~found, e) || !HAS (s.base.CUT, a) || !apart
          || !machine_conflict (m, &to.base, a, e)
          || !machine_sound (m, &to.base, ONE (a) | ONE (e)))
        continue;
      found |= ONE (e);
      if (path) {
        space_path (&sp, at, path);
        break;
      }
    }
  }
  space_fini (&sp);
  return found;
}
