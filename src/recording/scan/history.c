#include "recording/scan/history.h"

#include <stdlib.h>
#include <string.h>

/* Beyond these limits all further histories become open. */
#define MOST_HISTORIES (1u << 22)
#define MOST_MEMBERS (1u << 24)
/* The most uses in one history; beyond it the uses of each thread are merged
   into one that holds no lock. */
#define MANY_MEMBERS OMEN_HARD_OR (4u, 48u)
#define ATOMIC_LOCK 0u

static const omen_history_step no_step
    = { OMEN_NONE, { OMEN_NONE, OMEN_NONE, OMEN_NONE, OMEN_NONE, OMEN_NONE } };

void
omen_histories_init (omen_word_histories *h)
{
  *h = (omen_word_histories){ 0 };
  omen_map_init (&h->index);
  omen_map_init (&h->segment_of);
  omen_map_init (&h->set_of);
  omen_map_init (&h->moves);
  for (unsigned i = OMEN_HISTORY_NONE; i <= OMEN_HISTORY_OPEN; i++) {
    OMEN_VEC_PUSH (h->list, ((omen_history){ 0 }));
    OMEN_VEC_PUSH (h->steps, no_step);
  }
  OMEN_VEC_PUSH (h->sets, ((omen_history_set){ 0, 0 }));
}

void
omen_histories_fini (omen_word_histories *h)
{
  OMEN_VEC_FINI (h->list);
  OMEN_VEC_FINI (h->steps);
  OMEN_VEC_FINI (h->members);
  omen_map_fini (&h->index);
  OMEN_VEC_FINI (h->segments);
  omen_map_fini (&h->segment_of);
  OMEN_VEC_FINI (h->sets);
  OMEN_VEC_FINI (h->locks);
  omen_map_fini (&h->set_of);
  omen_map_fini (&h->moves);
  OMEN_VEC_FINI (h->room);
  OMEN_VEC_FINI (h->last);
}

/* ---- by content ---- */

static uint64_t
mix (uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C (0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* The next key to probe after a hash collision. */
static uint64_t
next_key (uint64_t key)
{
  return key + 1 == OMEN_MAP_NO_KEY ? 0 : key + 1;
}

/* ---- sets of locks ---- */

static const uint32_t *
locks_of (const omen_word_histories *h, uint32_t set, uint32_t *count)
{
  *count = h->sets.data[set].count;
  return *count ? h->locks.data + h->sets.data[set].first : NULL;
}

/* Interns the last `count` locks of h->locks, which are sorted, as a set. */
static uint32_t
intern_set (omen_word_histories *h, uint32_t count)
{
  uint32_t first = (uint32_t)h->locks.count - count, *entry;
  uint64_t key = count;
  for (uint32_t i = 0; i < count; i++)
    key = mix (key, h->locks.data[first + i]);
  for (;; key = next_key (key)) {
    const omen_history_set *set;
    entry = omen_map_at (&h->set_of, key >> 1);
    if (*entry == OMEN_NONE)
      break;
    set = &h->sets.data[*entry];
    if (set->count == count
        && !memcmp (h->locks.data + set->first, h->locks.data + first,
                    count * sizeof *h->locks.data)) {
      h->locks.count = first;
      return *entry;
    }
  }
  *entry = (uint32_t)h->sets.count;
  OMEN_VEC_PUSH (h->sets, ((omen_history_set){ first, count }));
  return *entry;
}

static uint32_t
make_set (omen_word_histories *h, uint32_t set, uint32_t lock, bool add)
{
  omen_history_set old = h->sets.data[set];
  uint32_t count = 0;
  bool done = !add;
  for (uint32_t i = 0; i < old.count; i++) {
    uint32_t one = h->locks.data[old.first + i];
    if (!done && one > lock) {
      OMEN_VEC_PUSH (h->locks, lock);
      done = true;
      count++;
    }
    if (one == lock) {
      done = true;
      if (!add)
        continue;
    }
    OMEN_VEC_PUSH (h->locks, one);
    count++;
  }
  if (!done) {
    OMEN_VEC_PUSH (h->locks, lock);
    count++;
  }
  return count ? intern_set (h, count) : 0;
}

static uint32_t
changed_lockset (omen_word_histories *h, uint32_t set, uint32_t lock,
                 bool exclusive, bool add)
{
  uint32_t held = 2 * lock + exclusive, *entry, made;
  uint64_t key = (uint64_t)set << 33 | (uint64_t)held << 1 | add;
  entry = omen_map_at (&h->moves, key);
  if (*entry != OMEN_NONE)
    return *entry;
  made = make_set (h, set, held, add);
  return *omen_map_at (&h->moves, key) = made;
}

uint32_t
omen_histories_take (omen_word_histories *h, uint32_t set, uint32_t lock,
                     bool exclusive)
{
  return changed_lockset (h, set, lock, exclusive, true);
}

uint32_t
omen_histories_give (omen_word_histories *h, uint32_t set, uint32_t lock,
                     bool exclusive)
{
  return changed_lockset (h, set, lock, exclusive, false);
}

/* Is there a lock in both sets, held exclusively in at least one? */
static bool
share_lock (const omen_word_histories *h, uint32_t left, uint32_t right)
{
  uint32_t a, b, i = 0, k = 0;
  const uint32_t *x = locks_of (h, left, &a), *y = locks_of (h, right, &b);
  while (i < a && k < b) {
    if (x[i] >> 1 == y[k] >> 1 && ((x[i] | y[k]) & 1))
      return true;
    if (x[i] < y[k])
      i++;
    else
      k++;
  }
  return false;
}

/* Is each lock of `few` in `many`, held at least as exclusively? */
static bool
has_locks (const omen_word_histories *h, uint32_t many, uint32_t few)
{
  uint32_t a, b, i = 0;
  const uint32_t *x = locks_of (h, many, &a), *y = locks_of (h, few, &b);
  for (uint32_t k = 0; k < b; k++) {
    while (i < a && x[i] < y[k])
      i++;
    if (i == a || x[i] >> 1 != y[k] >> 1)
      return false;
  }
  return true;
}

/* ---- segments ---- */

uint32_t
omen_histories_segment (omen_word_histories *h, uint32_t thread, uint32_t clock,
                        uint32_t locks)
{
  uint64_t key = mix (mix (thread, clock), locks);
  uint32_t *entry;
  for (;; key = next_key (key)) {
    const omen_segment *s;
    entry = omen_map_at (&h->segment_of, key >> 1);
    if (*entry == OMEN_NONE)
      break;
    s = &h->segments.data[*entry];
    if (s->thread == thread && s->clock == clock && s->locks == locks)
      return *entry;
  }
  *entry = (uint32_t)h->segments.count;
  OMEN_VEC_PUSH (h->segments, ((omen_segment){ thread, clock, locks }));
  return *entry;
}

void
omen_histories_set (omen_word_histories *h, uint32_t segment,
                    const uint32_t *clocks)
{
  omen_history_step *open = &h->steps.data[OMEN_HISTORY_OPEN];
  h->segment = segment;
  h->thread = h->segments.data[segment].thread;
  h->locked = h->segments.data[segment].locks;
  h->guarded = OMEN_NONE;
  h->clocks = clocks;
  *open = (omen_history_step){ segment,
                               { OMEN_HISTORY_OPEN, OMEN_HISTORY_OPEN,
                                 OMEN_HISTORY_OPEN, OMEN_HISTORY_OPEN,
                                 OMEN_HISTORY_OPEN } };
}

static bool
is_before (const omen_word_histories *h, const omen_segment *s)
{
  return s->thread == h->thread || s->clock <= h->clocks[s->thread];
}

/* ---- histories ---- */

static int
compare (const void *left, const void *right)
{
  const omen_history_member *a = left, *b = right;
  if (a->segment != b->segment)
    return a->segment < b->segment ? -1 : 1;
  return a->done < b->done ? -1 : a->done > b->done;
}

static bool
is_same (const omen_word_histories *h, const omen_history *a,
         const omen_history *b)
{
  return a->count == b->count && a->owner == b->owner && a->done == b->done
         && !memcmp (h->members.data + a->first, h->room.data,
                     a->count * sizeof *h->room.data);
}

/* Interns the uses in h->room as a history. */
static uint32_t
intern_history (omen_word_histories *h, uint32_t owner, uint32_t done)
{
  omen_history new
      = { (uint32_t)h->members.count, (uint32_t)h->room.count, owner, done };
  uint64_t key = mix (owner, done);
  uint32_t *entry;
  for (size_t i = 0; i < h->room.count; i++)
    key = mix (mix (key, h->room.data[i].segment), h->room.data[i].done);
  for (;; key = next_key (key)) {
    entry = omen_map_at (&h->index, key >> 1);
    if (*entry == OMEN_NONE)
      break;
    if (is_same (h, &h->list.data[*entry], &new))
      return *entry;
  }
  if (h->list.count >= MOST_HISTORIES || h->members.count >= MOST_MEMBERS)
    return *entry = OMEN_HISTORY_OPEN;
  *entry = (uint32_t)h->list.count;
  for (size_t i = 0; i < h->room.count; i++)
    OMEN_VEC_PUSH (h->members, h->room.data[i]);
  OMEN_VEC_PUSH (h->list, new);
  OMEN_VEC_PUSH (h->steps, no_step);
  return (uint32_t)(h->list.count - 1);
}

/* Can the earlier use be dropped? It can if the new use, which comes after it,
   conflicts with everything that the earlier one would conflict with. */
static bool
stands_for (const omen_word_histories *h, const omen_history_member *earlier,
            unsigned done, uint32_t locks)
{
  const omen_segment *s = &h->segments.data[earlier->segment];
  uint32_t held = earlier->done & OMEN_DONE_LIFE ? 0 : s->locks;
  return ((done & OMEN_DONE_WRITE) || !(earlier->done & OMEN_DONE_WRITE))
         && ((done & OMEN_DONE_LIFE) || has_locks (h, held, locks));
}

/* Merges the uses of each thread into one: the last, without locks. */
static void
thin_out (omen_word_histories *h)
{
  size_t kept = 0;
  for (size_t i = 0; i < h->room.count; i++) {
    omen_history_member m = h->room.data[i];
    omen_segment s = h->segments.data[m.segment];
    uint32_t *last;
    while (h->last.count <= s.thread)
      OMEN_VEC_PUSH (h->last, 0);
    last = &h->last.data[s.thread];
    if (*last) {
      omen_history_member *old = &h->room.data[*last - 1];
      uint32_t clock = h->segments.data[old->segment].clock;
      m.done |= old->done;
      s.clock = clock > s.clock ? clock : s.clock;
    } else
      *last = (uint32_t)++kept;
    m.segment = omen_histories_segment (h, s.thread, s.clock, 0);
    h->room.data[*last - 1] = m;
  }
  h->room.count = kept;
  for (size_t i = 0; i < kept; i++)
    h->last.data[h->segments.data[h->room.data[i].segment].thread] = 0;
}

/* Copies the uses that remain relevant to h->room. False: the new use conflicts
   openly with one of them. */
static bool
keep_uses (omen_word_histories *h, const omen_history *before, unsigned done,
           uint32_t locks, bool *guarded)
{
  OMEN_VEC_CLEAR (h->room);
  for (uint32_t i = 0; i < before->count; i++) {
    omen_history_member m = h->members.data[before->first + i];
    const omen_segment *s = &h->segments.data[m.segment];
    if (is_before (h, s)) {
      if (!stands_for (h, &m, done, locks))
        OMEN_VEC_PUSH (h->room, m);
      continue;
    }
    if ((m.done | done) & OMEN_DONE_WRITE) {
      if (((m.done | done) & OMEN_DONE_LIFE)
          || !share_lock (h, s->locks, locks))
        return false;
      *guarded = true;
    }
    OMEN_VEC_PUSH (h->room, m);
  }
  return true;
}

static bool
has_done (const omen_word_histories *h, const omen_history *before,
          uint32_t segment, unsigned done)
{
  for (uint32_t i = 0; i < before->count; i++) {
    const omen_history_member *m = &h->members.data[before->first + i];
    if (m->segment == segment && (m->done & done) == done)
      return true;
  }
  return false;
}

static uint32_t
guarded_segment (omen_word_histories *h)
{
  const omen_segment now = h->segments.data[h->segment];
  uint32_t locks = omen_histories_take (h, now.locks, ATOMIC_LOCK, true);
  if (h->guarded == OMEN_NONE)
    h->guarded = omen_histories_segment (h, now.thread, now.clock, locks);
  return h->guarded;
}

/* The lasting flags, and those of the block that began or ended last. */
static uint32_t
flags_after (uint32_t before, unsigned done)
{
  const unsigned lasting = OMEN_DONE_ATOMIC | OMEN_DONE_GUARDED | OMEN_DONE_TOLD
                           | OMEN_DONE_FOLLOWED;
  return done & OMEN_DONE_RENEW
             ? (before & lasting) | (done & OMEN_DONE_GONE)
             : before | (done & (OMEN_DONE_ATOMIC | OMEN_DONE_FOLLOWED));
}

static uint32_t
add_use (omen_word_histories *h, const omen_history *before, uint32_t flags,
         unsigned done)
{
  const unsigned use = done & (OMEN_DONE_WRITE | OMEN_DONE_LIFE);
  uint32_t segment = done & OMEN_DONE_ATOMIC ? guarded_segment (h) : h->segment;
  uint32_t owner = before->owner, locks = h->segments.data[segment].locks;
  bool guarded = false;
  if (!keep_uses (h, before, use, locks, &guarded))
    return OMEN_HISTORY_OPEN;
  OMEN_VEC_PUSH (h->room, ((omen_history_member){ segment, use }));
  if (h->room.count > MANY_MEMBERS)
    thin_out (h);
  if (h->room.count > 1)
    qsort (h->room.data, h->room.count, sizeof *h->room.data, compare);
  if (done & OMEN_DONE_RENEW)
    owner = done & OMEN_DONE_OWN ? h->thread + 1 : 0;
  return intern_history (h, owner, flags | (guarded ? OMEN_DONE_GUARDED : 0));
}

static uint32_t
find_segment (omen_word_histories *h, uint32_t history, unsigned done)
{
  const omen_history before = h->list.data[history];
  uint32_t flags = flags_after (before.done, done);
  bool foreign = before.owner && before.owner != h->thread + 1
                 && !(done & OMEN_DONE_RENEW);
  if (history == OMEN_HISTORY_OPEN
      || (foreign && (before.done & OMEN_DONE_GONE)))
    return OMEN_HISTORY_OPEN;
  if (foreign)
    flags |= OMEN_DONE_TOLD;
  if (done <= OMEN_DONE_WRITE && flags == before.done
      && has_done (h, &before, h->segment, done))
    return history;
  return add_use (h, &before, flags, done);
}

static unsigned
slot_of_use (unsigned done)
{
  switch (done) {
  case OMEN_DONE_READ:
    return 0;
  case OMEN_DONE_WRITE:
    return 1;
  case OMEN_DONE_RAW:
    return 2;
  case OMEN_DONE_LOCAL:
    return 3;
  case OMEN_DONE_END:
    return 4;
  default:
    return 5;
  }
}

uint32_t
omen_history_find (omen_word_histories *h, uint32_t history, unsigned done)
{
  const omen_history_step *known = &h->steps.data[history];
  unsigned slot = slot_of_use (done);
  omen_history_step *step;
  uint32_t next;
  if (slot < 5 && known->segment == h->segment
      && known->next[slot] != OMEN_NONE)
    return known->next[slot];
  next = find_segment (h, history, done);
  if (slot == 5)
    return next;
  step = &h->steps.data[history];
  if (step->segment != h->segment) {
    *step = no_step;
    step->segment = h->segment;
  }
  return step->next[slot] = next;
}
