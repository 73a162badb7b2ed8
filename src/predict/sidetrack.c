#include "predict/sidetrack_state.h"
#include "base/seeded.h"

#include <string.h>

/* A moment of one thread: its own component of its clock then. */
typedef struct epoch {
  omen_tid thread; /* OMEN_NONE: never */
  uint32_t time;
} epoch;

typedef struct lock {
  omen_tid holder;
  uint32_t depth;
  epoch acquired; /* A of the paper */
  epoch released; /* R; the whole clock is in release_clocks */
  epoch window;   /* V */
  omen_site last;                        /* the last acquire */
  omen_site window_first, window_second; /* of the window */
  uint32_t window_node;                  /* blame */
  uint64_t window_step;
} lock;

static const lock fresh = { .holder = OMEN_NONE,
                            .acquired = { OMEN_NONE, 0 },
                            .released = { OMEN_NONE, 0 },
                            .window = { OMEN_NONE, 0 },
                            .window_node = OMEN_NONE };

/* An acquire that a concurrent one preceded, first in the blocks with a serial
   above `low` up to `high`: I of the paper. */
typedef struct risk {
  uint64_t low, high;
  omen_site first, culprit;
} risk;

/* One thread's last acquire of one lock, and its risks: H of the paper. */
typedef struct hold {
  uint64_t serial; /* of the thread then; 0: no block was open */
  uint32_t saved;  /* depth while waiting for a condition */
  omen_site last;
  OMEN_VEC (risk) risks; /* innermost last */
} hold;

struct omen_sidetrack {
  omen_sidetrack_options options;
  omen_side_blocks blocks;
  OMEN_VEC (omen_side_thread) threads;
  OMEN_VEC (lock) locks;
  uint32_t stride, lock_room; /* of clocks */
  uint32_t *clocks;           /* C: threads x stride */
  uint32_t *release_clocks;   /* R: locks x stride */
  uint32_t *hold_ids;         /* locks x stride: in holds, 0: none yet */
  OMEN_VEC (hold) holds;
  omen_blame blame;
  omen_map reported;
  uint64_t step;
};

omen_sidetrack *
omen_sidetrack_new (const omen_sidetrack_options *options)
{
  omen_sidetrack *s = omen_zalloc (1, sizeof *s);
  OMEN_REQUIRE (options->atomic && options->found);
  s->options = *options;
  OMEN_VEC_PUSH (s->holds, ((hold){ 0 }));
  omen_map_init (&s->reported);
  return s;
}

void
omen_sidetrack_free (omen_sidetrack *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->threads.count; i++)
    OMEN_VEC_FINI (s->threads.data[i].frames);
  for (size_t i = 0; i < s->holds.count; i++)
    OMEN_VEC_FINI (s->holds.data[i].risks);
  OMEN_VEC_FINI (s->threads);
  OMEN_VEC_FINI (s->locks);
  OMEN_VEC_FINI (s->holds);
  OMEN_VEC_FINI (s->blame);
  OMEN_VEC_FINI (s->blocks.nodes);
  OMEN_VEC_FINI (s->blocks.unused);
  OMEN_VEC_FINI (s->blocks.chosen[0]);
  OMEN_VEC_FINI (s->blocks.chosen[1]);
  omen_map_fini (&s->reported);
  omen_free (s->clocks);
  omen_free (s->release_clocks);
  omen_free (s->hold_ids);
  omen_free (s);
}

/* ---- room ---- */

static uint32_t *
clock_of (const omen_sidetrack *s, omen_tid t)
{
  return s->clocks + (size_t)t * s->stride;
}

static uint32_t *
widened (const uint32_t *old, size_t rows, size_t room, uint32_t from,
         uint32_t to)
{
  uint32_t *new = omen_zalloc (room * to + 1, sizeof *new);
  for (size_t i = 0; i < rows; i++)
    memcpy (new + i * to, old + i * from, from * sizeof *new);
  return new;
}

static void
widen (omen_sidetrack *s, uint32_t threads)
{
  uint32_t stride = s->stride ? s->stride : OMEN_HARD_OR (1u, 16u);
  uint32_t *clocks, *releases, *ids;
  while (stride < threads)
    stride *= 2;
  clocks = widened (s->clocks, s->threads.count, stride, s->stride, stride);
  releases = widened (s->release_clocks, s->locks.count, s->lock_room,
                      s->stride, stride);
  ids = widened (s->hold_ids, s->locks.count, s->lock_room, s->stride, stride);
  omen_free (s->clocks);
  omen_free (s->release_clocks);
  omen_free (s->hold_ids);
  s->clocks = clocks;
  s->release_clocks = releases;
  s->hold_ids = ids;
  s->stride = stride;
}

static omen_side_thread *
thread_of (omen_sidetrack *s, omen_tid t)
{
  if (OMEN_LIKELY (t < s->threads.count))
    return &s->threads.data[t];
  if (t >= s->stride)
    widen (s, t + 1);
  while (s->threads.count <= t) {
    omen_tid new = (omen_tid)s->threads.count;
    OMEN_VEC_PUSH (s->threads, ((omen_side_thread){ 0 }));
    clock_of (s, new)[new] = 1; /* first steps are not ordered */
  }
  return &s->threads.data[t];
}

static void
add_locks (omen_sidetrack *s)
{
  size_t count = s->locks.count;
  uint32_t room = s->lock_room ? 2 * s->lock_room : 8;
  uint32_t *releases
      = widened (s->release_clocks, count, room, s->stride, s->stride);
  uint32_t *ids = widened (s->hold_ids, count, room, s->stride, s->stride);
  omen_free (s->release_clocks);
  omen_free (s->hold_ids);
  s->release_clocks = releases;
  s->hold_ids = ids;
  s->lock_room = room;
}

static lock *
lock_of (omen_sidetrack *s, omen_lid l)
{
  if (OMEN_LIKELY (l < s->locks.count))
    return &s->locks.data[l];
  while (s->locks.count <= l) {
    if (s->locks.count == s->lock_room)
      add_locks (s);
    OMEN_VEC_PUSH (s->locks, fresh);
  }
  return &s->locks.data[l];
}

static hold *
hold_of (omen_sidetrack *s, omen_tid t, omen_lid l)
{
  uint32_t *id = &s->hold_ids[(size_t)l * s->stride + t];
  if (OMEN_UNLIKELY (!*id)) {
    *id = (uint32_t)s->holds.count;
    OMEN_VEC_PUSH (s->holds, ((hold){ 0 }));
  }
  return &s->holds.data[*id];
}

/* ---- clocks ---- */

/* Is the moment before what the clock has seen? */
static bool
seen (const uint32_t *clock, epoch at)
{
  return at.thread == OMEN_NONE || at.time <= clock[at.thread];
}

static void
join_clock (const omen_sidetrack *s, uint32_t *restrict clock,
            const uint32_t *restrict more)
{
  uint32_t count = s->stride;
  for (uint32_t i = 0; i < count; i++)
    clock[i] = clock[i] > more[i] ? clock[i] : more[i];
}

/* All moments so far become "before": nothing is reported of them any more, and
   the clocks start again. Clocks of 32 bits are full after hours. */
static void
start_again (omen_sidetrack *s)
{
  const epoch never = { OMEN_NONE, 0 };
  memset (s->clocks, 0, s->threads.count * s->stride * sizeof *s->clocks);
  memset (s->release_clocks, 0,
          s->locks.count * s->stride * sizeof *s->release_clocks);
  for (omen_tid t = 0; t < s->threads.count; t++)
    clock_of (s, t)[t] = 1;
  for (size_t i = 0; i < s->locks.count; i++) {
    lock *l = &s->locks.data[i];
    l->acquired = l->released = l->window = never;
  }
}

static void
tick (omen_sidetrack *s, omen_tid t)
{
  uint32_t last = s->options.horizon ? s->options.horizon : UINT32_MAX;
  if (OMEN_UNLIKELY (++clock_of (s, t)[t] == last))
    start_again (s);
}

/* ---- reports ---- */

static uint64_t
mix (uint64_t hash, uint64_t more)
{
  hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static bool
is_new (omen_sidetrack *s, const omen_sidetrack_report *r,
        const omen_blamed *block)
{
  uint64_t key = mix (0, OMEN_PAIR (block->kind * 4 + r->error, block->name));
  uint32_t *slot;
  key = mix (key, OMEN_PAIR (r->first.location, r->second.location));
  key = mix (key, r->culprit.location);
  slot = omen_map_at (&s->reported, key >> 1);
  if (*slot != OMEN_NONE)
    return false;
  *slot = 1;
  return true;
}

/* An error in the window from first to second, both in the block `node`, which
   was open at the step. */
static void
tell (omen_sidetrack *s, omen_sidetrack_report *r, uint32_t node,
      uint64_t step)
{
  OMEN_ASSERT (s->blocks.nodes.data[node].closed >= step);
  if (!s->options.all && !is_new (s, r, &s->blocks.nodes.data[node].block))
    return;
  OMEN_VEC_CLEAR (s->blame);
  omen_side_list (&s->blocks, node, step, &s->blame);
  r->blame = s->blame.data;
  r->blames = (uint32_t)s->blame.count;
  s->options.found (s->options.context, r);
}

static void
check_after (omen_sidetrack *s, const lock *l, omen_lid id, omen_site now)
{
  omen_sidetrack_report r = { .error = OMEN_AFTER_ERROR,
                              .lock = id,
                              .first = l->window_first,
                              .culprit = now,
                              .second = l->window_second };
  OMEN_ASSERT (l->window.thread != now.thread);
  tell (s, &r, l->window_node, l->window_step);
}

/* Risks of blocks that are still open. */
static void
check_before (omen_sidetrack *s, omen_lid id, hold *h, omen_site now)
{
  const omen_side_thread *t = &s->threads.data[now.thread];
  for (size_t i = h->risks.count; i-- > 0;) {
    const risk *k = &h->risks.data[i];
    omen_side_frame frame = omen_side_innermost (t, k->high);
    omen_sidetrack_report r = { .error = OMEN_BEFORE_ERROR,
                                .lock = id,
                                .first = k->first,
                                .culprit = k->culprit,
                                .second = now };
    if (frame.node != OMEN_NONE
        && (frame.serial > k->low || OMEN_BUG (210)))
      tell (s, &r, frame.node, s->step);
    else { /* those blocks are gone */
      memmove (h->risks.data + i, h->risks.data + i + 1,
               (--h->risks.count - i) * sizeof *h->risks.data);
    }
  }
}

/* ---- the rules ---- */

/* The lock was acquired before in a block that is still open. */
static void
second_acquire (omen_sidetrack *s, lock *l, omen_lid id, hold *h,
                omen_site now)
{
  const uint32_t *clock = clock_of (s, now.thread);
  omen_side_frame frame
      = omen_side_innermost (&s->threads.data[now.thread], h->serial);
  OMEN_ASSERT (frame.node != OMEN_NONE);
  if (h->risks.count)
    check_before (s, id, h, now);
  if (!seen (clock, l->released)) {
    omen_sidetrack_report r = { .error = OMEN_IN_ERROR,
                                .lock = id,
                                .first = h->last,
                                .culprit = l->last,
                                .second = now };
    tell (s, &r, frame.node, s->step);
  }
  if (l->window_node != OMEN_NONE)
    omen_side_unuse (&s->blocks, l->window_node);
  omen_side_use (&s->blocks, frame.node);
  l->window = (epoch){ now.thread, clock[now.thread] };
  l->window_first = h->last;
  l->window_second = now;
  l->window_node = frame.node;
  l->window_step = s->step;
}

static void
acquire (omen_sidetrack *s, omen_lid id, omen_site now, uint32_t depth)
{
  lock *l = lock_of (s, id);
  omen_side_thread *t = &s->threads.data[now.thread];
  uint32_t *clock = clock_of (s, now.thread);
  hold *h;
  if (l->holder == now.thread) {
    l->depth += depth;
    return;
  }
  l->holder = now.thread;
  l->depth = depth;
  h = hold_of (s, now.thread, id);
  if (OMEN_UNLIKELY (!seen (clock, l->window)))
    check_after (s, l, id, now);
  if (t->atomic && t->bottom <= h->serial)
    second_acquire (s, l, id, h, now);
  if (t->atomic && t->top > h->serial && !seen (clock, l->acquired)) {
    risk k = { h->serial, t->serial, now, l->last };
    OMEN_VEC_PUSH (h->risks, k);
  }
  if (!seen (clock, l->released))
    join_clock (s, clock, s->release_clocks + (size_t)id * s->stride);
  l->acquired = (epoch){ now.thread, clock[now.thread] };
  l->last = h->last = now;
  h->serial = t->serial;
}

static void
release (omen_sidetrack *s, omen_lid id, omen_tid t, uint32_t depth)
{
  lock *l = lock_of (s, id);
  uint32_t *clock = clock_of (s, t);
  if (l->holder != t)
    return; /* another thread's: nothing is known of such locks */
  l->depth = l->depth > depth ? l->depth - depth : 0;
  if (l->depth)
    return;
  l->holder = OMEN_NONE;
  memcpy (s->release_clocks + (size_t)id * s->stride, clock,
          s->stride * sizeof *clock);
  l->released = (epoch){ t, clock[t] };
  if (!OMEN_BUG (209))
    tick (s, t);
}

static void
wait_for (omen_sidetrack *s, omen_lid id, omen_tid t)
{
  lock *l = lock_of (s, id);
  hold_of (s, t, id)->saved = l->holder == t ? l->depth : 1;
  release (s, id, t, UINT32_MAX);
}

static void
wake (omen_sidetrack *s, omen_lid id, omen_site now)
{
  uint32_t saved = hold_of (s, now.thread, id)->saved;
  if (!OMEN_BUG (211))
    acquire (s, id, now, saved ? saved : 1);
}

static void
fork_thread (omen_sidetrack *s, omen_tid t, omen_tid child)
{
  omen_side_thread *thread = thread_of (s, child);
  thread->forked = true;
  thread->entered = false; /* an id may be used again */
  join_clock (s, clock_of (s, child), clock_of (s, t));
  tick (s, t);
}

static void
join_thread (omen_sidetrack *s, omen_tid t, omen_tid child)
{
  thread_of (s, child);
  join_clock (s, clock_of (s, t), clock_of (s, child));
  tick (s, child);
}

void
omen_sidetrack_push (omen_sidetrack *s, const omen_event *event, omen_eid e)
{
  omen_side_thread *t = thread_of (s, event->thread);
  omen_site now = { e, event->thread, event->location };
  s->step++;
  switch (event->kind) {
  case OMEN_ACQUIRE:
    acquire (s, event->object, now, 1);
    break;
  case OMEN_RELEASE:
    release (s, event->object, now.thread, 1);
    break;
  case OMEN_WAIT:
    if (event->value != OMEN_NONE)
      wait_for (s, (omen_lid)event->value, now.thread);
    break;
  case OMEN_WAKE:
    if (event->value != OMEN_NONE)
      wake (s, (omen_lid)event->value, now);
    break;
  case OMEN_FORK:
    fork_thread (s, now.thread, event->object);
    break;
  case OMEN_JOIN:
    join_thread (s, now.thread, event->object);
    break;
  case OMEN_BEGIN:
  case OMEN_ENTER:
    omen_side_open (&s->blocks, &s->options, t, event, e);
    break;
  case OMEN_END:
  case OMEN_EXIT:
    omen_side_close (&s->blocks, t, event, s->step);
    break;
  default:
    break;
  }
}

static void
forget_hold (hold *h)
{
  OMEN_VEC_FINI (h->risks);
  h->serial = 0;
  h->saved = 0;
}

void
omen_sidetrack_forget (omen_sidetrack *s, omen_lid id)
{
  if (id >= s->locks.count)
    return;
  if (s->locks.data[id].window_node != OMEN_NONE)
    omen_side_unuse (&s->blocks, s->locks.data[id].window_node);
  s->locks.data[id] = fresh;
  for (uint32_t t = 0; t < s->threads.count; t++) {
    uint32_t h = s->hold_ids[(size_t)id * s->stride + t];
    if (h)
      forget_hold (&s->holds.data[h]);
  }
}

const char *
omen_sidetrack_text (omen_sidetrack_error error)
{
  static const char *const texts[] = { "before", "in", "after" };
  OMEN_REQUIRE (error < OMEN_SIDETRACK_ERRORS);
  return texts[error];
}
