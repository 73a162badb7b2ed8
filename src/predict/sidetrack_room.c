/* Creation and growth of SideTrack's state; threads and locks are added when
   they appear. */
#include "predict/sidetrack_state.h"

#include <string.h>

static const omen_side_lock fresh_lock = { .holder = OMEN_NONE,
                                           .acquired = { OMEN_NONE, 0 },
                                           .released = { OMEN_NONE, 0 },
                                           .window = { OMEN_NONE, 0 },
                                           .window_node = OMEN_NONE };

omen_sidetrack *
omen_sidetrack_new (const omen_sidetrack_options *options)
{
  omen_sidetrack *s = omen_zalloc (1, sizeof *s);
  OMEN_REQUIRE (options->atomic && options->found);
  s->options = *options;
  OMEN_VEC_PUSH (s->holds, ((omen_side_hold){ 0 }));
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
widened (const uint32_t *old, size_t rows, size_t room, uint32_t from,
         uint32_t to)
{
  uint32_t *new = omen_zalloc (room * to + 1, sizeof *new);
  OMEN_ASSERT (rows <= room && from <= to);
  for (size_t i = 0; i < rows; i++)
    memcpy (new + i *to, old + i * from, from * sizeof *new);
  return new;
}

static void
widen_clocks (omen_sidetrack *s, uint32_t threads)
{
  uint32_t stride = s->stride ? s->stride : OMEN_HARD_OR (1u, 16u);
  uint32_t *clocks, *releases, *ids;
  OMEN_ASSERT (threads > s->stride && threads <= 1u << 31);
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

void
omen_side_add_threads (omen_sidetrack *s, omen_tid t)
{
  if (t >= s->stride)
    widen_clocks (s, t + 1);
  while (s->threads.count <= t) {
    omen_tid new = (omen_tid)s->threads.count;
    OMEN_VEC_PUSH (s->threads, ((omen_side_thread){ 0 }));
    omen_side_clock_of (s, new)[new] = 1; /* first events are unordered */
  }
}

static void
double_locks (omen_sidetrack *s)
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

void
omen_side_add_locks (omen_sidetrack *s, omen_lid l)
{
  while (s->locks.count <= l) {
    if (s->locks.count == s->lock_room)
      double_locks (s);
    OMEN_VEC_PUSH (s->locks, fresh_lock);
  }
}

uint32_t
omen_side_add_hold (omen_sidetrack *s)
{
  OMEN_VEC_PUSH (s->holds, ((omen_side_hold){ 0 }));
  return (uint32_t)s->holds.count - 1;
}

void
omen_sidetrack_forget (omen_sidetrack *s, omen_lid id)
{
  if (id >= s->locks.count)
    return;
  if (s->locks.data[id].window_node != OMEN_NONE)
    omen_side_unuse (&s->blocks, s->locks.data[id].window_node);
  s->locks.data[id] = fresh_lock;
  for (uint32_t t = 0; t < s->threads.count; t++) {
    uint32_t h = s->hold_ids[(size_t)id * s->stride + t];
    if (h) {
      OMEN_VEC_FINI (s->holds.data[h].risks);
      s->holds.data[h].serial = 0;
      s->holds.data[h].saved = 0;
    }
  }
}
