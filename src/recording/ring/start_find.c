/* Infers the initial state in one walk over the rest of the recording, in its
   order. */
#include "recording/ring/start.h"

enum { WRITES, READS, MODES };

/* Which thread may have held a lock at the start, given the items so far. */
#define ANY_THREAD (OMEN_NONE - 1)
#define NO_THREAD OMEN_NONE

typedef struct seen_lock {
  uint64_t address;
  uint32_t open; /* a thread, ANY_THREAD or NO_THREAD */
  bool read;     /* if anybody: readers */
} seen_lock;

/* A thread and a lock: how often it holds it now, and held it at the start. */
typedef struct seen_hold {
  uint32_t lock, thread;
  uint32_t now[MODES], first[MODES];
} seen_hold;

typedef struct seen_barrier {
  uint64_t size, count;
  uint32_t round;
} seen_barrier;

typedef struct finding {
  omen_notes_file *file;
  omen_start *start;
  OMEN_VEC (seen_lock) locks;
  OMEN_VEC (seen_hold) holds;
  OMEN_VEC (seen_barrier) barriers;
  omen_map lock_of;        /* address -> entry of locks */
  omen_map hold_of;        /* (lock, thread) -> entry of holds */
  omen_map barrier_of;     /* address -> entry of barriers */
  omen_map arrived;        /* (barrier, thread) -> round */
  omen_map known_counts;   /* address of a semaphore -> 1 */
  omen_map waits;          /* thread -> depth at which it released its lock */
  omen_map forked;         /* thread -> 1 */
  omen_map begun;          /* thread -> 1: begun after the start */
  omen_map ignores;        /* thread -> depth of ignored regions now */
  omen_map seen;           /* thread -> 1: it has items, */
  OMEN_VEC (uint32_t) ids; /* these have */
  uint32_t thread;         /* whose item it is */
} finding;

static void
keep_order (finding *f, uint64_t address)
{
  if (address != OMEN_MAP_NO_KEY)
    *omen_map_at (&f->start->ordered, address) = 1;
}

/* ---- locks ---- */

static uint32_t
lock_at (finding *f, uint64_t address)
{
  uint32_t *lock = omen_map_at (&f->lock_of, address);
  if (*lock == OMEN_NONE) {
    *lock = (uint32_t)f->locks.count;
    OMEN_VEC_PUSH (f->locks, ((seen_lock){ address, ANY_THREAD, false }));
  }
  return *lock;
}

static seen_hold *
hold_of (finding *f, uint32_t lock)
{
  uint32_t *hold = omen_map_at (&f->hold_of, OMEN_PAIR (lock, f->thread));
  if (*hold == OMEN_NONE) {
    *hold = (uint32_t)f->holds.count;
    OMEN_VEC_PUSH (f->holds,
                   ((seen_hold){ .lock = lock, .thread = f->thread }));
  }
  return &f->holds.data[*hold];
}

/* Released without having been acquired: held at the start, if possible. */
static void
had (finding *f, seen_lock *lock, seen_hold *hold, unsigned mode)
{
  bool may = mode == READS ? lock->open == ANY_THREAD
                           : (lock->open == ANY_THREAD && !lock->read)
                                 || lock->open == f->thread;
  if (!may || omen_map_get (&f->begun, f->thread) != OMEN_NONE) {
    *omen_map_at (&f->file->opaque, lock->address) = 1;
    return;
  }
  hold->first[mode]++;
  if (mode == READS)
    lock->read = true;
  else
    lock->open = f->thread;
}

static void
see_acquire (finding *f, const omen_item *item)
{
  uint32_t l = lock_at (f, item->a);
  seen_hold *hold = hold_of (f, l);
  seen_lock *lock = &f->locks.data[l];
  if (omen_item_arg (item) & OMEN_LOCK_ERROR)
    return;
  if (item->kind == OMEN_ITEM_READ_ACQUIRE) {
    hold->now[READS]++;
    lock->read = true;
    return;
  }
  hold->now[WRITES]++;
  if (omen_item_arg (item) & OMEN_LOCK_RECURSIVE
      && ((lock->open == ANY_THREAD && !lock->read) || lock->open == f->thread))
    lock->open = f->thread; /* it may have had it */
  else
    lock->open = NO_THREAD;
}

static void
see_release (finding *f, const omen_item *item)
{
  uint32_t l = lock_at (f, item->a);
  seen_hold *hold = hold_of (f, l);
  unsigned mode = item->kind == OMEN_ITEM_READ_RELEASE ? READS : WRITES;
  if (omen_item_arg (item) & OMEN_LOCK_ERROR)
    return;
  if (!hold->now[mode] && hold->now[!mode])
    mode = !mode;
  if (hold->now[mode])
    hold->now[mode]--;
  else
    had (f, &f->locks.data[l], hold, mode);
}

static void
see_renewal (finding *f, const omen_item *item)
{
  uint32_t *barrier = omen_map_at (&f->barrier_of, item->a);
  f->locks.data[lock_at (f, item->a)].open = NO_THREAD;
  *omen_map_at (&f->known_counts, item->a) = OMEN_NONE;
  *barrier = OMEN_NONE;
}

/* ---- conditions ---- */

static void
see_wait (finding *f, const omen_item *item)
{
  uint32_t l = lock_at (f, item->parts[1].a);
  seen_hold *hold = hold_of (f, l);
  if (!hold->now[WRITES]) {
    had (f, &f->locks.data[l], hold, WRITES);
    hold->now[WRITES] = 1;
  }
  *omen_map_at (&f->waits, f->thread) = hold->now[WRITES];
  hold->now[WRITES] = 0;
  f->locks.data[l].open = NO_THREAD;
}

static void
see_wake (finding *f, const omen_item *item)
{
  uint32_t *depth = omen_map_at (&f->waits, f->thread);
  uint32_t l = lock_at (f, item->parts[1].a);
  if (*depth == OMEN_NONE) {
    keep_order (f, item->a);
    *depth = 1;
  }
  hold_of (f, l)->now[WRITES] = *depth;
  f->locks.data[l].open = NO_THREAD;
  *depth = OMEN_NONE;
}

/* ---- semaphores, barriers ---- */

static void
see_semaphore (finding *f, const omen_item *item)
{
  if (item->kind == OMEN_ITEM_SEM_INIT)
    *omen_map_at (&f->known_counts, item->a) = 1;
  else if (item->kind == OMEN_ITEM_SEM_FAIL
           && omen_map_get (&f->known_counts, item->a) == OMEN_NONE)
    keep_order (f, item->a);
}

static uint32_t
barrier_at (finding *f, uint64_t address)
{
  uint32_t *barrier = omen_map_at (&f->barrier_of, address);
  if (*barrier == OMEN_NONE) {
    *barrier = (uint32_t)f->barriers.count;
    OMEN_VEC_PUSH (f->barriers, ((seen_barrier){ 0 }));
  }
  return *barrier;
}

/* Rounds as events/sync.c makes them; if one does not come out, some threads
   had arrived before the start. */
static void
see_barrier (finding *f, const omen_item *item)
{
  uint32_t b = barrier_at (f, item->a);
  seen_barrier *barrier = &f->barriers.data[b];
  uint64_t key = OMEN_PAIR (b, f->thread);
  if (item->kind == OMEN_ITEM_DEPART) {
    uint32_t round = omen_map_get (&f->arrived, key);
    if (round == OMEN_NONE || round >= barrier->round)
      keep_order (f, item->a);
    return;
  }
  if (barrier->count && barrier->size != (uint32_t)omen_item_arg (item))
    keep_order (f, item->a);
  barrier->size = (uint32_t)omen_item_arg (item);
  *omen_map_at (&f->arrived, key) = barrier->round;
  if (++barrier->count >= barrier->size) {
    barrier->count = 0;
    barrier->round++;
  }
}

/* ---- ignored regions ---- */

static uint32_t *
counter (omen_map *map, uint32_t thread)
{
  uint32_t *count = omen_map_at (map, thread);
  if (*count == OMEN_NONE)
    *count = 0;
  return count;
}

static void
see_ignore (finding *f, const omen_item *item)
{
  uint32_t *now = counter (&f->ignores, f->thread);
  if (item->kind == OMEN_ITEM_IGNORE_BEGIN)
    ++*now;
  else if (*now)
    --*now;
  else
    ++*counter (&f->start->ignoring, f->thread);
}

/* ---- the walk ---- */

static void
see_runtime (finding *f, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_ITEM_FORK:
    *omen_map_at (&f->forked, item->a) = 1;
    *omen_map_at (&f->begun, item->a) = 1;
    return;
  case OMEN_ITEM_THREAD_BEGIN:
    *omen_map_at (&f->begun, f->thread) = 1;
    return;
  case OMEN_ITEM_ACQUIRE:
  case OMEN_ITEM_READ_ACQUIRE:
    see_acquire (f, item);
    return;
  case OMEN_ITEM_RELEASE:
  case OMEN_ITEM_READ_RELEASE:
    see_release (f, item);
    return;
  case OMEN_ITEM_LOCK_INIT:
  case OMEN_ITEM_LOCK_DESTROY:
    see_renewal (f, item);
    return;
  case OMEN_ITEM_WAIT:
    see_wait (f, item);
    return;
  case OMEN_ITEM_WAKE:
    see_wake (f, item);
    return;
  case OMEN_ITEM_SEM_INIT:
  case OMEN_ITEM_SEM_FAIL:
    see_semaphore (f, item);
    return;
  case OMEN_ITEM_ARRIVE:
  case OMEN_ITEM_DEPART:
    see_barrier (f, item);
    return;
  case OMEN_ITEM_IGNORE_BEGIN:
  case OMEN_ITEM_IGNORE_END:
    see_ignore (f, item);
    return;
  default:
    return;
  }
}

/* Keys of the maps must not be the one that they have no room for. */
static bool
has_key (const omen_item *item)
{
  return item->a != OMEN_MAP_NO_KEY
         && (item->notes < 3 || item->parts[1].a != OMEN_MAP_NO_KEY);
}

static void
see_thread (finding *f)
{
  uint32_t *seen = omen_map_at (&f->seen, f->thread);
  if (*seen == OMEN_NONE)
    OMEN_VEC_PUSH (f->ids, f->thread);
  *seen = 1;
}

static void
see_run (finding *f, omen_note_cursor *cursor, uint32_t *thread, uint64_t notes)
{
  uint64_t end = omen_cursor_position (cursor) + notes;
  omen_item item;
  while (omen_cursor_position (cursor) < end
         && omen_cursor_peek (cursor, &item)) {
    if (item.kind == OMEN_ITEM_SWITCH)
      *thread = (uint32_t)item.a;
    f->thread = *thread;
    if (item.kind != OMEN_ITEM_SWITCH)
      see_thread (f);
    if (item.kind >= OMEN_ITEM_FIRST && has_key (&item))
      see_runtime (f, &item);
    omen_cursor_pass (cursor, &item);
  }
}

static void
see_all (finding *f, const omen_rebuilt *order)
{
  size_t count = f->file->threads.count;
  omen_note_cursor *cursors = omen_zalloc (count, sizeof *cursors);
  uint32_t *threads = omen_alloc (count * sizeof *threads);
  for (size_t t = 0; t < count; t++) {
    const omen_notes_thread *thread = &f->file->threads.data[t];
    omen_cursor_init (&cursors[t], f->file, thread);
    threads[t] = thread->id == OMEN_NONE ? 0 : thread->id;
  }
  for (size_t i = 0; i < order->runs.count; i++) {
    const omen_order_slice *run = &order->runs.data[i];
    see_run (f, &cursors[run->thread], &threads[run->thread], run->notes);
  }
  for (size_t t = 0; t < count; t++)
    omen_cursor_fini (&cursors[t]);
  omen_free (cursors);
  omen_free (threads);
}

/* ---- the answer ---- */

static void
list_holds (const finding *f)
{
  for (size_t i = 0; i < f->holds.count; i++) {
    const seen_hold *hold = &f->holds.data[i];
    for (unsigned mode = 0; mode < MODES; mode++)
      if (hold->first[mode])
        OMEN_VEC_PUSH (
            f->start->holds,
            ((omen_start_hold){ f->locks.data[hold->lock].address, hold->thread,
                                hold->first[mode], mode == READS }));
  }
}

static void
list_threads (const finding *f)
{
  for (size_t i = 0; i < f->ids.count; i++)
    if (omen_map_get (&f->forked, f->ids.data[i]) == OMEN_NONE)
      OMEN_VEC_PUSH (f->start->threads, f->ids.data[i]);
}

static omen_map *
map_number (finding *f, unsigned i)
{
  omen_map *maps[] = { &f->lock_of, &f->hold_of, &f->barrier_of,
                       &f->arrived, &f->waits,   &f->known_counts,
                       &f->forked,  &f->ignores, &f->seen,
                       &f->begun };
  return i < OMEN_COUNT (maps) ? maps[i] : NULL;
}

void
omen_start_find (omen_notes_file *file, const omen_rebuilt *order,
                 omen_start *start)
{
  finding f = { .file = file, .start = start };
  omen_map *map;
  OMEN_REQUIRE (file->late);
  for (unsigned i = 0; (map = map_number (&f, i)); i++)
    omen_map_init (map);
  see_all (&f, order);
  list_holds (&f);
  list_threads (&f);
  for (unsigned i = 0; (map = map_number (&f, i)); i++)
    omen_map_fini (map);
  OMEN_VEC_FINI (f.locks);
  OMEN_VEC_FINI (f.holds);
  OMEN_VEC_FINI (f.barriers);
  OMEN_VEC_FINI (f.ids);
}

void
omen_start_init (omen_start *start)
{
  *start = (omen_start){ 0 };
  omen_map_init (&start->ordered);
  omen_map_init (&start->ignoring);
}

void
omen_start_fini (omen_start *start)
{
  OMEN_VEC_FINI (start->holds);
  OMEN_VEC_FINI (start->threads);
  omen_map_fini (&start->ordered);
  omen_map_fini (&start->ignoring);
}
