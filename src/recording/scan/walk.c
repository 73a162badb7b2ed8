#include "recording/scan/walk.h"

/* ---- walkers ---- */

static void
join_clocks (omen_scan_walk *w, uint32_t *to, const uint32_t *from)
{
  for (uint32_t i = 0; i < w->room; i++)
    if (to[i] < from[i])
      to[i] = from[i];
}

/* OMEN_NONE: no room, since the file has threads without a FORK. */
static uint32_t
walker_of (omen_scan_walk *w, uint32_t id)
{
  uint32_t *entry = omen_map_at (&w->index, id);
  omen_walker new = { .born = true };
  if (*entry != OMEN_NONE)
    return *entry;
  if (w->walkers.count == w->room) {
    w->failed = true;
    return OMEN_NONE;
  }
  *entry = (uint32_t)w->walkers.count;
  new.clocks = omen_zalloc (w->room, sizeof *new.clocks);
  new.clocks[*entry] = 1;
  omen_map_init (&new.rounds);
  OMEN_VEC_PUSH (w->walkers, new);
  return *entry;
}

void
omen_walk_resume (omen_scan_walk *w)
{
  omen_word_histories *histories = &w->shadow.histories;
  const omen_walker *m = omen_walk_me (w);
  omen_histories_set (histories,
                      omen_histories_segment (histories, w->now,
                                              m->clocks[w->now], m->holder.set),
                      m->clocks);
}

/* Starts a new segment, as the set that a segment comes after is fixed. */
static void
next_segment (omen_scan_walk *w)
{
  omen_walk_me (w)->clocks[w->now]++;
  omen_walk_resume (w);
}

/* ---- what orders threads ---- */

static void
see_fork (omen_scan_walk *w, const omen_item *item)
{
  uint32_t child = walker_of (w, (uint32_t)item->a);
  if (child == OMEN_NONE || child == w->now)
    return;
  join_clocks (w, w->walkers.data[child].clocks, omen_walk_me (w)->clocks);
  w->walkers.data[child].born = w->walkers.data[child].forked = true;
  next_segment (w);
}

/* False: it must wait for the thread's end. A log of all threads is in order
   already. */
static bool
see_join (omen_scan_walk *w, const omen_item *item, bool one_log)
{
  uint32_t child = omen_map_get (&w->index, item->a);
  if (child == OMEN_NONE || child == w->now)
    return true;
  if (!one_log && !w->walkers.data[child].over)
    return false;
  if (omen_walk_me (w)->holder.held.count)
    w->candidates |= OMEN_MAY_DEADLOCK;
  join_clocks (w, omen_walk_me (w)->clocks, w->walkers.data[child].clocks);
  next_segment (w);
  return true;
}

static omen_walk_round *
round_of (omen_scan_walk *w, uint32_t first, uint32_t size)
{
  uint32_t *entry = omen_map_at (&w->rounds, first);
  if (*entry == OMEN_NONE) {
    uint32_t *clocks = omen_zalloc (w->room, sizeof *clocks);
    *entry = (uint32_t)w->round_list.count;
    OMEN_VEC_PUSH (w->round_list, ((omen_walk_round){ size, size, clocks }));
  }
  return &w->round_list.data[*entry];
}

static void
see_arrive (omen_scan_walk *w, const omen_item *item)
{
  uint32_t size, first;
  omen_walk_round *r;
  first = omen_barriers_round (w->barriers, item->a, item->b, &size);
  *omen_map_at (&omen_walk_me (w)->rounds, item->a) = first;
  if (first == OMEN_NONE || omen_walk_me (w)->holder.held.count
      || w->barriers->list.count > 1 || omen_walk_me (w)->rounds.count > 1)
    w->candidates |= OMEN_MAY_DEADLOCK;
  if (first == OMEN_NONE)
    return;
  r = round_of (w, first, size);
  if (!r->missing || !r->clocks) {
    w->failed = true; /* two arrivals have the same number */
    return;
  }
  join_clocks (w, r->clocks, omen_walk_me (w)->clocks);
  r->missing--;
  next_segment (w);
}

static bool
see_depart (omen_scan_walk *w, const omen_item *item)
{
  uint32_t first = omen_map_get (&omen_walk_me (w)->rounds, item->a);
  omen_walk_round *r;
  if (first == OMEN_NONE)
    return true;
  r = &w->round_list.data[omen_map_get (&w->rounds, first)];
  if (r->missing)
    return false;
  *omen_map_at (&omen_walk_me (w)->rounds, item->a) = OMEN_NONE;
  join_clocks (w, omen_walk_me (w)->clocks, r->clocks);
  next_segment (w);
  if (!--r->leaving) {
    omen_free (r->clocks);
    r->clocks = NULL;
  }
  return true;
}

/* As many users as participants: then all arrive equally often. */
bool
omen_walk_is_even (const omen_scan_walk *w)
{
  uint32_t users = 0, size = 0;
  for (size_t i = 0; i < w->walkers.count; i++)
    users += w->walkers.data[i].rounds.count > 0;
  for (size_t i = 0; i < w->barriers->list.count; i++)
    size = w->barriers->list.data[i].size;
  return users == size;
}

/* False: it has to wait. */
static bool
see_order (omen_scan_walk *w, const omen_item *item, bool one_log)
{
  switch (item->kind) {
  case OMEN_ITEM_FORK:
    see_fork (w, item);
    return true;
  case OMEN_ITEM_JOIN:
    return see_join (w, item, one_log);
  case OMEN_ITEM_ARRIVE:
    see_arrive (w, item);
    return true;
  case OMEN_ITEM_DEPART:
    return see_depart (w, item);
  case OMEN_ITEM_SWITCH:
    w->now = walker_of (w, (uint32_t)item->a);
    if (!w->failed)
      omen_walk_resume (w);
    return true;
  default:
    return true;
  }
}

/* ---- the next thread ---- */

#define CHECK_EVERY 256u /* pieces between two checks of the limits */

static bool
walk_is_over (omen_scan_walk *w, const omen_pieces *pieces)
{
  if (OMEN_LIKELY (++w->steps % CHECK_EVERY) || !w->file->limits)
    return false;
  return omen_limits_over (w->file->limits, w->items + pieces->items,
                           w->summary->items);
}

/* Advances one thread until it must wait. True: it made progress. */
static bool
go_on (omen_scan_walk *w, omen_pieces *pieces, uint32_t t)
{
  bool one_log = pieces->thread->id == OMEN_NONE, moved = false;
  omen_note_piece piece;
  w->now = t;
  omen_walk_resume (w);
  while (!w->failed && omen_pieces_peek (pieces, &piece)) {
    if (piece.plan)
      omen_walk_plan (w, &piece);
    else if (see_order (w, &piece.item, one_log))
      omen_walk_use (w, &piece.item);
    else
      return moved;
    w->failed |= walk_is_over (w, pieces) || w->shadow.failed;
    moved = true;
    omen_pieces_pass (pieces);
  }
  w->failed |= pieces->wrong;
  w->items += pieces->items;
  pieces->items = 0;
  if (w->walkers.data[t].holder.held.count)
    w->candidates |= OMEN_MAY_MISUSE;
  w->walkers.data[t].over = true;
  return true;
}

/* Advances all threads in turn. False: some wait forever. */
bool
omen_walk_go (omen_scan_walk *w)
{
  const omen_notes_file *file = w->file;
  size_t count = file->threads.count, left = count;
  omen_pieces **pieces = omen_zalloc (count, sizeof *pieces);
  bool moved = true;
  while (left && moved && !w->failed) {
    moved = false;
    for (uint32_t t = 0; t < count && !w->failed; t++) {
      if (!w->walkers.data[t].born || w->walkers.data[t].over)
        continue;
      if (!pieces[t]) {
        pieces[t] = omen_alloc (sizeof **pieces);
        omen_pieces_init (pieces[t], &w->plans, &file->threads.data[t]);
      }
      moved |= go_on (w, pieces[t], t);
      if (!w->walkers.data[t].over)
        continue;
      omen_pieces_fini (pieces[t]);
      omen_free (pieces[t]);
      pieces[t] = NULL;
      left--;
    }
  }
  for (size_t t = 0; t < count; t++)
    if (pieces[t]) {
      omen_pieces_fini (pieces[t]);
      omen_free (pieces[t]);
    }
  omen_free (pieces);
  return !left && !w->failed;
}

/* Walker t is thread t of the file. */
bool
omen_walk_begin (omen_scan_walk *w)
{
  const omen_notes_file *file = w->file;
  bool planned = omen_plans_init (&w->plans, file, true);
  omen_shadow_init (&w->shadow);
  omen_map_init (&w->index);
  omen_map_init (&w->rounds);
  omen_map_init (&w->sizes);
  omen_map_init (&w->outside);
  w->room = (uint32_t)file->threads.count + w->summary->forked.count + 1;
  for (size_t t = 0; t < file->threads.count; t++) {
    uint32_t id = file->threads.data[t].id;
    walker_of (w, id == OMEN_NONE ? 0 : id);
    w->walkers.data[t].born
        = id == OMEN_NONE || omen_map_get (&w->summary->forked, id) != 1;
  }
  return planned;
}

void
omen_walk_end (omen_scan_walk *w)
{
  omen_plans_fini (&w->plans);
  omen_shadow_fini (&w->shadow);
  omen_map_fini (&w->index);
  omen_map_fini (&w->rounds);
  omen_map_fini (&w->sizes);
  omen_map_fini (&w->outside);
  for (size_t i = 0; i < w->walkers.count; i++) {
    omen_free (w->walkers.data[i].clocks);
    omen_holder_fini (&w->walkers.data[i].holder);
    omen_map_fini (&w->walkers.data[i].rounds);
  }
  OMEN_VEC_FINI (w->walkers);
  for (size_t i = 0; i < w->round_list.count; i++)
    omen_free (w->round_list.data[i].clocks);
  OMEN_VEC_FINI (w->round_list);
  OMEN_VEC_FINI (w->size_list);
}
