/* Finds the words whose accesses race: one walk in an order that the sequence
   numbers allow, with a clock for each thread and, for each word, its last
   writer and the readers since. A second walk collects the writes to these
   words. */
#include "recording/merge/races.h"
#include "wire/abi.h"

#include <stdlib.h>

/* A larger range is memory that is allocated or freed, not a value. */
#define MOST_BYTES ((uint64_t)1 << 16)
/* Limits: words, bytes of clocks, and comparisons. */
#define MOST_WORDS ((size_t)1 << 25)
#define MOST_TIMES ((size_t)1 << 30)
#define MOST_JOINS ((uint64_t)1 << 34)

/* The last write of a word, and the last read since, or those of all
   threads. */
typedef struct word_use {
  uint32_t writer, write_clock;
  uint32_t reader, read_clock;
  uint32_t *reads; /* by thread: clock; NULL: only `reader` */
} word_use;

/* What comes before the next item of a queue. */
typedef struct queue_clock {
  uint32_t *clocks; /* NULL: nothing */
  uint64_t number;  /* the highest number joined into it */
} queue_clock;

typedef struct finding {
  omen_notes_file *file;
  omen_races *races;
  uint32_t threads;
  uint32_t **clocks;   /* by thread: its vector clock */
  queue_clock *queues; /* by queue: of all operations so far */
  queue_clock *reads;  /* the same for operations that only read the atomic */
  omen_map index;      /* thread id -> index */
  omen_map words;      /* word -> entry of uses */
  OMEN_VEC (word_use) uses;
  omen_note_cursor *cursors;
  bool *ended; /* by thread: its end was the last item seen */
  omen_arena arena;
  uint64_t block; /* the last one that was looked up, */
  bool shared;    /* and whether several threads use it */
  uint64_t joins; /* clocks compared so far */
  bool collects;  /* the second walk */
} finding;

/* ---- clocks ---- */

static uint32_t *
new_clocks (finding *f)
{
  return OMEN_ARENA_NEW (&f->arena, uint32_t, f->threads);
}

/* Does the walk go on, despite its cost? Always if nothing is known without
   it. */
static bool
walk_goes_on (const finding *f)
{
  return f->file->late
         || (f->uses.count < MOST_WORDS && f->joins < MOST_JOINS
             && f->races->times.count * f->threads < MOST_TIMES / 4);
}

static void
join (uint32_t *to, const uint32_t *from, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (to[i] < from[i])
      to[i] = from[i];
}

static void
next_clock (finding *f, uint32_t t, uint64_t next)
{
  f->clocks[t][t]++;
  if (!f->collects)
    OMEN_VEC_PUSH (f->races->ticks[t].at, next);
}

/* The walk may reach an item after one with a higher number (a failed try, two
   waits in a cycle): that one does not come before it, so it is not joined. */
static bool
is_in_turn (const queue_clock *v, uint64_t number)
{
  return !v->clocks || v->number <= number;
}

static void
release_to (finding *f, uint32_t t, queue_clock *v, uint64_t number)
{
  if (!is_in_turn (v, number))
    return;
  if (!v->clocks)
    v->clocks = new_clocks (f);
  join (v->clocks, f->clocks[t], f->threads);
  f->joins += f->threads;
  v->number = number;
}

static void
acquire_from (finding *f, uint32_t t, const queue_clock *v, uint64_t number)
{
  if (v->clocks && is_in_turn (v, number))
    join (f->clocks[t], v->clocks, f->threads);
}

/* Joins what came before the item: earlier items of its queues, forks and
   joins. Readers of an atomic are not ordered among each other. */
static void
come_after (finding *f, uint32_t t, const omen_item *item)
{
  omen_item_need keys[2];
  unsigned count = omen_item_keys (f->file, item, keys);
  uint32_t child = item->kind == OMEN_ITEM_JOIN
                       ? omen_map_get (&f->index, item->a)
                       : OMEN_NONE;
  for (unsigned i = 0; i < count; i++) {
    acquire_from (f, t, &f->queues[keys[i].queue], keys[i].number);
    if (!keys[i].reads)
      acquire_from (f, t, &f->reads[keys[i].queue], keys[i].number);
  }
  if (child != OMEN_NONE)
    join (f->clocks[t], f->clocks[child], f->threads);
}

/* Publishes the thread's clock to what comes after the item. */
static void
come_before (finding *f, uint32_t t, const omen_item *item)
{
  omen_item_need keys[2];
  unsigned count = omen_item_keys (f->file, item, keys);
  bool forks = item->kind == OMEN_ITEM_FORK;
  uint32_t child = forks ? omen_map_get (&f->index, item->a) : OMEN_NONE;
  for (unsigned i = 0; i < count; i++)
    release_to (f, t, &(keys[i].reads ? f->reads : f->queues)[keys[i].queue],
                keys[i].number);
  if (child != OMEN_NONE)
    join (f->clocks[child], f->clocks[t], f->threads);
  if (count || forks)
    next_clock (f, t, omen_cursor_position (&f->cursors[t]) + item->notes);
}

/* ---- words ---- */

static bool
is_after (const finding *f, uint32_t t, uint32_t other, uint32_t clock)
{
  return other == OMEN_NONE || other == t || clock <= f->clocks[t][other];
}

static bool
reads_are_known (const finding *f, uint32_t t, const word_use *use)
{
  for (uint32_t other = 0; use->reads && other < f->threads; other++)
    if (!is_after (f, t, other, use->reads[other]))
      return false;
  return is_after (f, t, use->reader, use->read_clock);
}

/* A second reader that is not ordered after the first one. */
static void
add_reader (finding *f, uint32_t t, word_use *use)
{
  if (!use->reads && !is_after (f, t, use->reader, use->read_clock)) {
    use->reads = new_clocks (f);
    use->reads[use->reader] = use->read_clock;
  }
  if (use->reads)
    use->reads[t] = f->clocks[t][t];
  use->reader = t;
  use->read_clock = f->clocks[t][t];
}

static word_use *
use_of (finding *f, uint64_t word)
{
  uint32_t *entry = omen_map_at (&f->words, word);
  if (*entry == OMEN_NONE) {
    *entry = (uint32_t)f->uses.count;
    OMEN_VEC_PUSH (f->uses, ((word_use){ OMEN_NONE, 0, OMEN_NONE, 0, NULL }));
  }
  return &f->uses.data[*entry];
}

static bool
is_shared (finding *f, uint64_t word)
{
  uint64_t block = word >> (OMEN_RACE_BLOCK_BITS - 3);
  if (block != f->block) {
    f->block = block;
    f->shared = omen_map_get (&f->races->users, block) == OMEN_RACE_SHARED;
  }
  return f->shared;
}

static void
see_word (finding *f, uint32_t t, uint64_t word, bool writes)
{
  word_use *use = is_shared (f, word) ? use_of (f, word) : NULL;
  uint32_t now = f->clocks[t][t];
  if (!use)
    return;
  if (writes ? use->writer == t && use->write_clock == now
                   && use->reader == OMEN_NONE
             : use->reader == t && use->read_clock == now)
    return;
  if (!is_after (f, t, use->writer, use->write_clock)
      || (writes && !reads_are_known (f, t, use)))
    *omen_map_at (&f->races->racing, word) = 0;
  if (!writes) {
    add_reader (f, t, use);
    return;
  }
  use->writer = t;
  use->write_clock = now;
  use->reader = OMEN_NONE;
  use->reads = NULL;
}

/* ---- the writes ---- */

static uint32_t
time_now (finding *f, uint32_t t)
{
  omen_races *races = f->races;
  uint32_t now = f->clocks[t][t], *after;
  uint32_t *entry = omen_map_at (&races->time_of, OMEN_PAIR (t, now));
  if (*entry != OMEN_NONE)
    return *entry;
  after = OMEN_ARENA_NEW (&races->arena, uint32_t, f->threads);
  join (after, f->clocks[t], f->threads);
  *entry = (uint32_t)races->times.count;
  OMEN_VEC_PUSH (races->times, ((omen_race_time){ now, after }));
  return *entry;
}

static void
collect_write (finding *f, uint32_t t, const omen_item *item,
               omen_extent extent, uint64_t word, bool writes)
{
  omen_race_write write;
  if (OMEN_LIKELY (omen_map_get (&f->races->racing, word) == OMEN_NONE))
    return;
  write
      = (omen_race_write){ .word = word,
                           .position = omen_cursor_position (&f->cursors[t]),
                           .value = omen_item_written (item, extent, 8 * word),
                           .thread = t,
                           .time = time_now (f, t),
                           .mask = (uint8_t)omen_extent_mask (extent, 8 * word),
                           .any = omen_item_obscures (item) };
  if (writes)
    OMEN_VEC_PUSH (f->races->writes, write);
}

/* ---- items ---- */

/* The memory that an item uses, if any. ALLOC races if it leaves zeros; one
   that leaves unknown contents counts as a write, since a read there may have
   seen them. */
static omen_extent
extent_of (const finding *f, const omen_item *item, bool *writes)
{
  omen_extent extent = omen_item_extent (f->file, item);
  *writes = omen_item_writes (f->file, item);
  if (item->kind == OMEN_SITE_STACK_ALLOC) {
    extent = (omen_extent){ item->a, item->b };
    *writes = true;
  }
  if (!f->collects
      && (item->kind == OMEN_SITE_STACK_ALLOC
          || (item->kind == OMEN_ITEM_ALLOC
              && (extent.length > MOST_BYTES || omen_item_obscures (item)))))
    extent.length = 0;
  if (f->file->late && extent.length > MOST_BYTES)
    extent.length = MOST_BYTES;
  return extent;
}

/* ---- blocks ---- */

/* t uses the memory; *last: the block that was looked up last. */
static void
use_blocks (omen_map *users, uint32_t t, omen_extent extent, uint64_t *last)
{
  uint64_t block = extent.address >> OMEN_RACE_BLOCK_BITS;
  uint64_t end = (extent.address + extent.length - 1) >> OMEN_RACE_BLOCK_BITS;
  if (block == end && block == *last)
    return;
  for (; block <= end; block++) {
    uint32_t *user = omen_map_at (users, block);
    *user = *user == OMEN_NONE || *user == t ? t : OMEN_RACE_SHARED;
  }
  *last = end;
}

static void
find_users_in (omen_races *races, uint32_t t)
{
  finding f = { .file = races->file };
  omen_note_cursor cursor;
  omen_item item;
  uint64_t used = UINT64_MAX, written = UINT64_MAX;
  omen_cursor_init (&cursor, races->file, &races->file->threads.data[t]);
  for (; omen_cursor_peek (&cursor, &item); omen_cursor_pass (&cursor, &item)) {
    bool writes;
    omen_extent extent = extent_of (&f, &item, &writes);
    if (!extent.length)
      continue;
    use_blocks (&races->users, t, extent, &used);
    if (writes)
      use_blocks (&races->writers, t, extent, &written);
  }
  omen_cursor_fini (&cursor);
}

/* In a large block, fewer words race than it has: visit those. */
static void
collect_large (finding *f, uint32_t t, const omen_item *item,
               omen_extent extent)
{
  const omen_map *racing = &f->races->racing;
  uint64_t first = extent.address / 8,
           last = (extent.address + extent.length - 1) / 8;
  for (uint32_t i = 0; racing->count && i <= racing->mask; i++) {
    uint64_t word = racing->entries[i].key;
    if (word != OMEN_MAP_NO_KEY && word >= first && word <= last)
      collect_write (f, t, item, extent, word, true);
  }
}

static void
see_item (finding *f, uint32_t t, const omen_item *item)
{
  bool writes;
  omen_extent extent = extent_of (f, item, &writes);
  uint64_t last = (extent.address + extent.length - 1) / 8;
  bool orders = item->kind >= OMEN_ITEM_FIRST;
  if (orders)
    come_after (f, t, item);
  if (f->collects && writes && extent.length > MOST_BYTES) {
    collect_large (f, t, item, extent);
    extent.length = 0;
  }
  for (uint64_t word = extent.address / 8; extent.length && word <= last;
       word++)
    if (f->collects)
      collect_write (f, t, item, extent, word, writes);
    else
      see_word (f, t, word, writes);
  if (orders)
    come_before (f, t, item);
}

/* Is it forked by nothing that is left of the file? Then what is lost of its
   parent comes first. */
static bool
begins_later (const finding *f, uint32_t t)
{
  const omen_notes_thread *thread = &f->file->threads.data[t];
  bool later = thread->shortened && !thread->notes && thread->forked;
  for (uint32_t other = 0; later && other < f->threads; other++)
    later = other == t || !f->clocks[t][other];
  return later;
}

/* Records of t are lost after the current clock. */
static void
lose_thread (finding *f, uint32_t t)
{
  omen_races *races = f->races;
  uint32_t *clocks;
  if (races->lost[t] || begins_later (f, t))
    return;
  clocks = OMEN_ARENA_NEW (&races->arena, uint32_t, f->threads);
  join (clocks, f->clocks[t], f->threads);
  races->lost[t] = clocks;
}

static void
see_notes (finding *f, uint32_t t, uint64_t end)
{
  omen_note_cursor *cursor = &f->cursors[t];
  omen_item item;
  while (omen_cursor_position (cursor) < end && walk_goes_on (f)
         && omen_cursor_peek (cursor, &item)) {
    if (item.kind == OMEN_ITEM_GAP
        && omen_cursor_position (cursor) != cursor->thread->start)
      lose_thread (f, t);
    f->ended[t] = item.kind == OMEN_ITEM_THREAD_END;
    see_item (f, t, &item);
    omen_cursor_pass (cursor, &item);
  }
}

/* ---- walks ---- */

/* Resets all state to the start. */
static void
start_walk (finding *f)
{
  for (uint32_t t = 0; t < f->threads; t++) {
    for (uint32_t other = 0; other < f->threads; other++)
      f->clocks[t][other] = t == other;
    omen_cursor_init (&f->cursors[t], f->file, &f->file->threads.data[t]);
  }
  for (uint32_t q = 0; q < OMEN_QUEUES; q++)
    f->queues[q] = f->reads[q] = (queue_clock){ 0 };
}

/* Items that are not in the order happened, too, but have no place in it. */
static void
walk (finding *f, const omen_rebuilt *order)
{
  start_walk (f);
  for (size_t i = 0; i < order->runs.count; i++) {
    uint32_t t = order->runs.data[i].thread;
    see_notes (f, t,
               omen_cursor_position (&f->cursors[t])
                   + order->runs.data[i].notes);
  }
  for (uint32_t t = 0; t < f->threads; t++) {
    see_notes (f, t, UINT64_MAX);
    if (f->file->reader->lossy && !f->ended[t])
      lose_thread (f, t);
    omen_cursor_fini (&f->cursors[t]);
  }
}

static int
compare_writes (const void *left, const void *right)
{
  const omen_race_write *a = left, *b = right;
  if (a->word != b->word)
    return a->word < b->word ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return a->position < b->position ? -1 : a->position > b->position;
}

static void
sort_writes (omen_races *races)
{
  OMEN_VEC_SORT (races->writes, compare_writes);
  for (size_t i = races->writes.count; i-- > 0;)
    *omen_map_at (&races->racing, races->writes.data[i].word) = (uint32_t)i;
}

/* In the order of the numbers, whatever the values are. */
static bool
order_by_numbers (omen_notes_file *file, omen_rebuilt *order)
{
  omen_notes_summary summary;
  omen_merge merge;
  omen_limits *limits = file->limits;
  bool good;
  file->limits = NULL; /* of the scan: all is needed */
  good = omen_notes_scan (file, &summary);
  file->limits = limits;
  if (good) {
    omen_merge_init (&merge, file, &summary, order,
                     (uint32_t)file->threads.count);
    merge.values = false;
    omen_merge_run (&merge);
    omen_merge_report (&merge);
    omen_merge_fini (&merge);
  }
  omen_notes_summary_fini (&summary);
  return good && !file->reader->failed;
}

/* ---- all ---- */

/* False: it costs too much. */
static bool
walk_order (omen_races *races, omen_notes_file *file, const omen_rebuilt *order)
{
  bool whole;
  finding f = {
    .file = file, .races = races, .threads = races->threads, .block = UINT64_MAX
  };
  omen_arena_init (&f.arena);
  omen_map_init (&f.index);
  omen_map_init (&f.words);
  f.clocks = OMEN_ARENA_NEW (&f.arena, uint32_t *, f.threads);
  f.queues = OMEN_ARENA_NEW (&f.arena, queue_clock, OMEN_QUEUES);
  f.reads = OMEN_ARENA_NEW (&f.arena, queue_clock, OMEN_QUEUES);
  f.cursors = OMEN_ARENA_NEW (&f.arena, omen_note_cursor, f.threads);
  f.ended = OMEN_ARENA_NEW (&f.arena, bool, f.threads);
  for (uint32_t t = 0; t < f.threads; t++) {
    f.clocks[t] = new_clocks (&f);
    *omen_map_at (&f.index, file->threads.data[t].id) = t;
  }
  walk (&f, order);
  f.collects = true;
  f.joins = 0;
  walk (&f, order);
  whole = walk_goes_on (&f);
  sort_writes (races);
  omen_map_fini (&f.index);
  omen_map_fini (&f.words);
  OMEN_VEC_FINI (f.uses);
  omen_arena_fini (&f.arena);
  return whole;
}

omen_races *
omen_races_new (omen_notes_file *file)
{
  omen_races *races = omen_zalloc (1, sizeof *races);
  races->file = file;
  races->threads = (uint32_t)file->threads.count;
  races->ticks = omen_zalloc (races->threads, sizeof *races->ticks);
  races->lost = omen_zalloc (races->threads, sizeof *races->lost);
  omen_map_init (&races->users);
  omen_map_init (&races->writers);
  omen_map_init (&races->racing);
  omen_map_init (&races->time_of);
  omen_arena_init (&races->arena);
  omen_image_init (&races->start, file);
  for (uint32_t t = 0; t < races->threads; t++)
    find_users_in (races, t);
  return races;
}

bool
omen_races_find (omen_races *races)
{
  omen_rebuilt order = { 0 };
  if (races->found || races->failed)
    return races->found;
  races->found = order_by_numbers (races->file, &order)
                 && walk_order (races, races->file, &order);
  races->failed = !races->found;
  omen_rebuilt_fini (&order);
  return races->found;
}

void
omen_races_free (omen_races *races)
{
  if (!races)
    return;
  for (uint32_t t = 0; t < races->threads; t++)
    OMEN_VEC_FINI (races->ticks[t].at);
  omen_free (races->ticks);
  omen_free (races->lost);
  omen_image_fini (&races->start);
  omen_map_fini (&races->users);
  omen_map_fini (&races->writers);
  omen_map_fini (&races->racing);
  omen_map_fini (&races->time_of);
  OMEN_VEC_FINI (races->writes);
  OMEN_VEC_FINI (races->times);
  omen_arena_fini (&races->arena);
  omen_free (races);
}
