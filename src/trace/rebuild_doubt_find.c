/* Which words have accesses that race: one walk in an order that the numbers
   allow, with a clock for each thread and, for each word, who wrote it last and
   who has read it since. A second walk collects the writes to these words. */
#include "trace/rebuild_doubt.h"
#include "runtime/abi.h"

#include <stdlib.h>

/* More than that at once is memory that is given out or taken, not a value. */
#define MOST_BYTES ((uint64_t)1 << 16)

/* The last write of a word, and the last read since, or those of all threads.
 */
typedef struct word_use {
  uint32_t writer, write_clock;
  uint32_t reader, read_clock;
  uint32_t *reads; /* by thread: clock; NULL: only `reader` */
} word_use;

/* What is known to who comes next in a queue. */
typedef struct voice {
  uint32_t *clocks; /* NULL: nothing */
  uint64_t number;  /* the highest that told something */
} voice;

typedef struct finding {
  omen_notes_file *file;
  omen_doubt *doubt;
  uint32_t threads;
  uint32_t **clocks; /* by thread: how far it knows of each, itself included */
  voice *queues;     /* by queue: of all who passed */
  voice *looks;      /* … and of who only looked */
  omen_map index;    /* thread id -> index */
  omen_map words;    /* word -> entry of uses */
  OMEN_VEC (word_use) uses;
  omen_note_cursor *cursors;
  omen_arena arena;
  bool collects; /* the second walk */
} finding;

/* ---- clocks ---- */

static uint32_t *
new_clocks (finding *f)
{
  return OMEN_ARENA_NEW (&f->arena, uint32_t, f->threads);
}

static void
join (uint32_t *to, const uint32_t *from, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (to[i] < from[i])
      to[i] = from[i];
}

static void
tick (finding *f, uint32_t t, uint64_t next)
{
  f->clocks[t][t]++;
  if (!f->collects)
    OMEN_VEC_PUSH (f->doubt->ticks[t].at, next);
}

/* The walk may come to an item later than to one with a higher number (a try
   that failed, two waits in a circle): what that one told is none of its past,
   and it tells nothing itself. */
static bool
is_in_turn (const voice *v, uint64_t number)
{
  return !v->clocks || v->number <= number;
}

static void
tell (finding *f, uint32_t t, voice *v, uint64_t number)
{
  if (!is_in_turn (v, number))
    return;
  if (!v->clocks)
    v->clocks = new_clocks (f);
  join (v->clocks, f->clocks[t], f->threads);
  v->number = number;
}

static void
hear (finding *f, uint32_t t, const voice *v, uint64_t number)
{
  if (v->clocks && is_in_turn (v, number))
    join (f->clocks[t], v->clocks, f->threads);
}

/* What came before the item, in its queues and by forks and joins, is known
   from here on. Those who only look do not know of each other. */
static void
come_after (finding *f, uint32_t t, const omen_item *item)
{
  omen_need keys[2];
  unsigned count = omen_item_keys (f->file, item, keys);
  uint32_t child = item->kind == OMEN_ITEM_JOIN
                       ? omen_map_get (&f->index, item->a)
                       : OMEN_NONE;
  for (unsigned i = 0; i < count; i++) {
    hear (f, t, &f->queues[keys[i].queue], keys[i].number);
    if (!keys[i].looks)
      hear (f, t, &f->looks[keys[i].queue], keys[i].number);
  }
  if (child != OMEN_NONE)
    join (f->clocks[t], f->clocks[child], f->threads);
}

/* The item, and all before it, is known to what comes after it. */
static void
come_before (finding *f, uint32_t t, const omen_item *item)
{
  omen_need keys[2];
  unsigned count = omen_item_keys (f->file, item, keys);
  bool forks = item->kind == OMEN_ITEM_FORK;
  uint32_t child = forks ? omen_map_get (&f->index, item->a) : OMEN_NONE;
  for (unsigned i = 0; i < count; i++)
    tell (f, t, &(keys[i].looks ? f->looks : f->queues)[keys[i].queue],
          keys[i].number);
  if (child != OMEN_NONE)
    join (f->clocks[child], f->clocks[t], f->threads);
  if (count || forks)
    tick (f, t, omen_cursor_position (&f->cursors[t]) + item->notes);
}

/* ---- words ---- */

static bool
is_known (const finding *f, uint32_t t, uint32_t other, uint32_t clock)
{
  return other == OMEN_NONE || other == t || clock <= f->clocks[t][other];
}

static bool
reads_are_known (const finding *f, uint32_t t, const word_use *use)
{
  for (uint32_t other = 0; use->reads && other < f->threads; other++)
    if (!is_known (f, t, other, use->reads[other]))
      return false;
  return is_known (f, t, use->reader, use->read_clock);
}

/* A second reader that the first one is not known to. */
static void
add_reader (finding *f, uint32_t t, word_use *use)
{
  if (!use->reads && !is_known (f, t, use->reader, use->read_clock)) {
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

static void
see_word (finding *f, uint32_t t, uint64_t word, bool writes)
{
  word_use *use = use_of (f, word);
  uint32_t now = f->clocks[t][t];
  if (writes ? use->writer == t && use->write_clock == now
                   && use->reader == OMEN_NONE
             : use->reader == t && use->read_clock == now)
    return;
  if (!is_known (f, t, use->writer, use->write_clock)
      || (writes && !reads_are_known (f, t, use)))
    *omen_map_at (&f->doubt->racing, word) = 0;
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
  omen_doubt *doubt = f->doubt;
  uint32_t now = f->clocks[t][t], *after;
  uint32_t *entry = omen_map_at (&doubt->time_of, OMEN_PAIR (t, now));
  if (*entry != OMEN_NONE)
    return *entry;
  after = OMEN_ARENA_NEW (&doubt->arena, uint32_t, f->threads);
  join (after, f->clocks[t], f->threads);
  *entry = (uint32_t)doubt->times.count;
  OMEN_VEC_PUSH (doubt->times, ((omen_doubt_time){ now, after }));
  return *entry;
}

/* What the item leaves in the word at `address`: some of its bytes are the
   item's. */
static uint64_t
value_of (const omen_item *item, omen_extent extent, uint64_t address)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < 8; i++) {
    uint64_t at = address + i - extent.address, word = at & ~UINT64_C (7), b;
    if (address + i < extent.address || at >= extent.length)
      continue;
    if (item->kind == OMEN_SITE_STORE)
      b = item->b >> 8 * at;
    else if (item->kind == OMEN_ITEM_ATOMIC)
      b = item->parts[1 + at / 8].b >> 8 * (at - word);
    else if (item->kind == OMEN_ITEM_RANGE_WRITE)
      b = omen_item_bytes (item, word, omen_item_piece (item, word))
          >> 8 * (at - word);
    else
      b = 0;
    value |= (b & 0xff) << 8 * i;
  }
  return value;
}

static unsigned
mask_of (omen_extent extent, uint64_t address)
{
  unsigned mask = 0;
  for (unsigned i = 0; i < 8; i++)
    if (address + i >= extent.address
        && address + i - extent.address < extent.length)
      mask |= 1u << i;
  return mask;
}

static void
collect (finding *f, uint32_t t, const omen_item *item, omen_extent extent,
         uint64_t word, bool writes)
{
  omen_doubt_write write;
  if (OMEN_LIKELY (omen_map_get (&f->doubt->racing, word) == OMEN_NONE))
    return;
  write = (omen_doubt_write){ .word = word,
                              .position = omen_cursor_position (&f->cursors[t]),
                              .value = value_of (item, extent, 8 * word),
                              .thread = t,
                              .time = time_now (f, t),
                              .mask = (uint8_t)mask_of (extent, 8 * word),
                              .any = item->kind == OMEN_SITE_EXTERNAL
                                     || item->kind == OMEN_ITEM_EXTERNAL };
  if (writes)
    OMEN_VEC_PUSH (f->doubt->writes, write);
}

/* ---- items ---- */

/* Memory that the item uses, if it does. ALLOC counts if it leaves zeros. */
static omen_extent
extent_of (const finding *f, const omen_item *item, bool *writes)
{
  const omen_merge of = { .file = f->file };
  omen_extent extent = omen_item_extent (&of, item);
  *writes = omen_item_writes (&of, item);
  if (item->kind == OMEN_ITEM_ALLOC
      && !(omen_item_arg (item) >> 56 & OMEN_ALLOC_ZERO))
    extent.length = 0;
  if (extent.length > MOST_BYTES)
    extent.length = item->kind == OMEN_ITEM_ALLOC ? 0 : MOST_BYTES;
  return extent;
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
  for (uint64_t word = extent.address / 8; extent.length && word <= last;
       word++)
    if (f->collects)
      collect (f, t, item, extent, word, writes);
    else
      see_word (f, t, word, writes);
  if (orders)
    come_before (f, t, item);
}

static void
see_notes (finding *f, uint32_t t, uint64_t end)
{
  omen_note_cursor *cursor = &f->cursors[t];
  omen_item item;
  while (omen_cursor_position (cursor) < end
         && omen_cursor_peek (cursor, &item)) {
    see_item (f, t, &item);
    omen_cursor_pass (cursor, &item);
  }
}

/* ---- walks ---- */

/* Everything is as at the start. */
static void
start_walk (finding *f)
{
  for (uint32_t t = 0; t < f->threads; t++) {
    for (uint32_t other = 0; other < f->threads; other++)
      f->clocks[t][other] = t == other;
    omen_cursor_init (&f->cursors[t], f->file, &f->file->threads.data[t]);
  }
  for (uint32_t q = 0; q < OMEN_QUEUES; q++)
    f->queues[q] = f->looks[q] = (voice){ 0 };
}

/* What is not in the order happened, too; nothing orders it any more. */
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
    omen_cursor_fini (&f->cursors[t]);
  }
}

static int
compare_writes (const void *left, const void *right)
{
  const omen_doubt_write *a = left, *b = right;
  if (a->word != b->word)
    return a->word < b->word ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return a->position < b->position ? -1 : a->position > b->position;
}

static void
sort_writes (omen_doubt *doubt)
{
  if (doubt->writes.count)
    qsort (doubt->writes.data, doubt->writes.count, sizeof *doubt->writes.data,
           compare_writes);
  for (size_t i = doubt->writes.count; i-- > 0;)
    *omen_map_at (&doubt->racing, doubt->writes.data[i].word) = (uint32_t)i;
}

/* As the numbers say, whatever the values are. */
static bool
order_by_numbers (omen_notes_file *file, omen_rebuilt *order)
{
  omen_notes_summary summary;
  omen_merge merge;
  bool good = omen_notes_scan (file, &summary);
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

static void
find (omen_doubt *doubt, omen_notes_file *file, const omen_rebuilt *order)
{
  finding f = { .file = file, .doubt = doubt, .threads = doubt->threads };
  omen_arena_init (&f.arena);
  omen_map_init (&f.index);
  omen_map_init (&f.words);
  f.clocks = OMEN_ARENA_NEW (&f.arena, uint32_t *, f.threads);
  f.queues = OMEN_ARENA_NEW (&f.arena, voice, OMEN_QUEUES);
  f.looks = OMEN_ARENA_NEW (&f.arena, voice, OMEN_QUEUES);
  f.cursors = OMEN_ARENA_NEW (&f.arena, omen_note_cursor, f.threads);
  for (uint32_t t = 0; t < f.threads; t++) {
    f.clocks[t] = new_clocks (&f);
    *omen_map_at (&f.index, file->threads.data[t].id) = t;
  }
  walk (&f, order);
  f.collects = true;
  walk (&f, order);
  sort_writes (doubt);
  omen_map_fini (&f.index);
  omen_map_fini (&f.words);
  OMEN_VEC_FINI (f.uses);
  omen_arena_fini (&f.arena);
}

omen_doubt *
omen_doubt_new (omen_notes_file *file)
{
  omen_rebuilt order = { 0 };
  omen_doubt *doubt = omen_zalloc (1, sizeof *doubt);
  bool good = order_by_numbers (file, &order);
  doubt->threads = (uint32_t)file->threads.count;
  doubt->ticks = omen_zalloc (doubt->threads, sizeof *doubt->ticks);
  omen_map_init (&doubt->racing);
  omen_map_init (&doubt->time_of);
  omen_arena_init (&doubt->arena);
  if (good)
    find (doubt, file, &order);
  omen_rebuilt_fini (&order);
  if (good)
    return doubt;
  omen_doubt_free (doubt);
  return NULL;
}

void
omen_doubt_free (omen_doubt *doubt)
{
  if (!doubt)
    return;
  for (uint32_t t = 0; t < doubt->threads; t++)
    OMEN_VEC_FINI (doubt->ticks[t].at);
  omen_free (doubt->ticks);
  omen_map_fini (&doubt->racing);
  omen_map_fini (&doubt->time_of);
  OMEN_VEC_FINI (doubt->writes);
  OMEN_VEC_FINI (doubt->times);
  omen_arena_fini (&doubt->arena);
  omen_free (doubt);
}
