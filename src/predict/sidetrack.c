#include "predict/sidetrack_state.h"

#include <string.h>

/* ---- clocks ---- */

/* Does the clock cover this epoch? */
static bool
seen (const uint32_t *clock, omen_side_epoch at)
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

/* Make all epochs so far happen-before everything, and restart the clocks,
   whose 32 bits overflow after hours. Nothing before is reported any more. */
static void
start_again (omen_sidetrack *s)
{
  const omen_side_epoch never = { OMEN_NONE, 0 };
  memset (s->clocks, 0, s->threads.count * s->stride * sizeof *s->clocks);
  memset (s->release_clocks, 0,
          s->locks.count * s->stride * sizeof *s->release_clocks);
  for (omen_tid t = 0; t < s->threads.count; t++)
    omen_side_clock_of (s, t)[t] = 1;
  for (size_t i = 0; i < s->locks.count; i++) {
    omen_side_lock *l = &s->locks.data[i];
    l->acquired = l->released = l->window = never;
  }
}

static void
advance_clock (omen_sidetrack *s, omen_tid t)
{
  uint32_t last = s->options.horizon ? s->options.horizon : UINT32_MAX;
  if (OMEN_UNLIKELY (++omen_side_clock_of (s, t)[t] == last))
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

/* Report an error with the window from `first` to `second`; both are in the
   block `node`, which was open at `step`. */
static void
report_error (omen_sidetrack *s, omen_sidetrack_report *r, uint32_t node,
              uint64_t step)
{
  OMEN_ASSERT (node < s->blocks.nodes.count);
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
check_after (omen_sidetrack *s, const omen_side_lock *l, omen_lid id,
             omen_sidetrack_site now)
{
  omen_sidetrack_report r = { .error = OMEN_AFTER_ERROR,
                              .lock = id,
                              .first = l->window_first,
                              .culprit = now,
                              .second = l->window_second };
  OMEN_ASSERT (l->window.thread != now.thread);
  report_error (s, &r, l->window_node, l->window_step);
}

/* Check the before-errors for which the blocks are still open. */
static void
check_before (omen_sidetrack *s, omen_lid id, omen_side_hold *h,
              omen_sidetrack_site now)
{
  const omen_side_thread *t = &s->threads.data[now.thread];
  for (size_t i = h->risks.count; i-- > 0;) {
    const omen_side_risk *k = &h->risks.data[i];
    omen_side_frame frame = omen_side_innermost (t, k->high);
    omen_sidetrack_report r = { .error = OMEN_BEFORE_ERROR,
                                .lock = id,
                                .first = k->first,
                                .culprit = k->culprit,
                                .second = now };
    if (frame.node != OMEN_NONE && frame.serial > k->low)
      report_error (s, &r, frame.node, s->step);
    else { /* the blocks have ended */
      memmove (h->risks.data + i, h->risks.data + i + 1,
               (--h->risks.count - i) * sizeof *h->risks.data);
    }
  }
}

/* ---- the rules ---- */

/* The lock was acquired before in an atomic block that is still open. */
static void
second_acquire (omen_sidetrack *s, omen_side_lock *l, omen_lid id,
                omen_side_hold *h, omen_sidetrack_site now)
{
  const uint32_t *clock = omen_side_clock_of (s, now.thread);
  omen_side_frame frame
      = omen_side_innermost (&s->threads.data[now.thread], h->serial);
  OMEN_ASSERT (frame.node != OMEN_NONE && l->holder == now.thread);
  if (h->risks.count)
    check_before (s, id, h, now);
  if (!seen (clock, l->released)) {
    omen_sidetrack_report r = { .error = OMEN_IN_ERROR,
                                .lock = id,
                                .first = h->last,
                                .culprit = l->last,
                                .second = now };
    report_error (s, &r, frame.node, s->step);
  }
  if (l->window_node != OMEN_NONE)
    omen_side_unuse (&s->blocks, l->window_node);
  omen_side_use (&s->blocks, frame.node);
  l->window = (omen_side_epoch){ now.thread, clock[now.thread] };
  l->window_first = h->last;
  l->window_second = now;
  l->window_node = frame.node;
  l->window_step = s->step;
}

static void
sidetrack_acquire (omen_sidetrack *s, omen_lid id, omen_sidetrack_site now,
                   uint32_t depth)
{
  omen_side_lock *l = omen_side_lock_of (s, id);
  omen_side_thread *t = &s->threads.data[now.thread];
  uint32_t *clock = omen_side_clock_of (s, now.thread);
  omen_side_hold *h;
  if (l->holder == now.thread) {
    l->depth += depth;
    return;
  }
  l->holder = now.thread;
  l->depth = depth;
  h = omen_side_hold_of (s, now.thread, id);
  if (OMEN_UNLIKELY (!seen (clock, l->window)))
    check_after (s, l, id, now);
  if (t->atomic && t->bottom <= h->serial)
    second_acquire (s, l, id, h, now);
  if (t->atomic && t->top > h->serial && !seen (clock, l->acquired)) {
    omen_side_risk k = { h->serial, t->serial, now, l->last };
    OMEN_VEC_PUSH (h->risks, k);
  }
  if (!seen (clock, l->released))
    join_clock (s, clock, omen_side_release_of (s, id));
  l->acquired = (omen_side_epoch){ now.thread, clock[now.thread] };
  l->last = h->last = now;
  h->serial = t->serial;
}

static void
release_lock (omen_sidetrack *s, omen_lid id, omen_tid t, uint32_t depth)
{
  omen_side_lock *l = omen_side_lock_of (s, id);
  uint32_t *clock = omen_side_clock_of (s, t);
  if (l->holder != t)
    return; /* released by another thread than its holder: ignored */
  l->depth = l->depth > depth ? l->depth - depth : 0;
  if (l->depth)
    return;
  l->holder = OMEN_NONE;
  memcpy (omen_side_release_of (s, id), clock, s->stride * sizeof *clock);
  l->released = (omen_side_epoch){ t, clock[t] };
  advance_clock (s, t);
}

static void
wait_for (omen_sidetrack *s, omen_lid id, omen_tid t)
{
  omen_side_lock *l = omen_side_lock_of (s, id);
  omen_side_hold_of (s, t, id)->saved = l->holder == t ? l->depth : 1;
  release_lock (s, id, t, UINT32_MAX);
}

/* The wait may be missing if the analysis starts in the middle of a run. */
static void
wake_from_wait (omen_sidetrack *s, omen_lid id, omen_sidetrack_site now)
{
  uint32_t saved;
  omen_side_lock_of (s, id);
  saved = omen_side_hold_of (s, now.thread, id)->saved;
  sidetrack_acquire (s, id, now, saved ? saved : 1);
}

static void
fork_thread (omen_sidetrack *s, omen_tid t, omen_tid child)
{
  omen_side_thread *thread = omen_side_thread_of (s, child);
  thread->forked = true;
  thread->entered = false; /* thread ids may be reused */
  join_clock (s, omen_side_clock_of (s, child), omen_side_clock_of (s, t));
  advance_clock (s, t);
}

static void
join_thread (omen_sidetrack *s, omen_tid t, omen_tid child)
{
  omen_side_thread_of (s, child);
  join_clock (s, omen_side_clock_of (s, t), omen_side_clock_of (s, child));
  advance_clock (s, child);
}

void
omen_sidetrack_push (omen_sidetrack *s, const omen_event *event, omen_eid e)
{
  omen_side_thread *t = omen_side_thread_of (s, event->thread);
  omen_sidetrack_site now = { e, event->thread, event->location };
  s->step++;
  switch (event->kind) {
  case OMEN_ACQUIRE:
    sidetrack_acquire (s, event->object, now, 1);
    break;
  case OMEN_RELEASE:
    release_lock (s, event->object, now.thread, 1);
    break;
  case OMEN_WAIT:
    if (event->value != OMEN_NONE)
      wait_for (s, (omen_lid)event->value, now.thread);
    break;
  case OMEN_WAKE:
    if (event->value != OMEN_NONE)
      wake_from_wait (s, (omen_lid)event->value, now);
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

const char *
omen_sidetrack_text (omen_sidetrack_error error)
{
  static const char *const texts[] = { "before", "in", "after" };
  OMEN_REQUIRE (error < OMEN_SIDETRACK_ERRORS);
  return texts[error];
}
