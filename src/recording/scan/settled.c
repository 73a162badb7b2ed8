#include "recording/scan/settled.h"
#include "recording/scan/outside.h"
#include "recording/scan/shadow.h"
#include "wire/abi.h"

/* ---- what is found ---- */

typedef struct open_page {
  uint64_t words[OMEN_SHADOW_PAGE / 64]; /* by bit: not settled */
} open_page;

struct omen_settled {
  OMEN_VEC (open_page) pages;
  omen_map index;     /* word / OMEN_SHADOW_PAGE -> page */
  omen_map straddled; /* word -> 1: an access has this one and the next */
};

static bool
is_open (const omen_settled *settled, uint64_t word)
{
  uint32_t page = omen_map_get (&settled->index, word / OMEN_SHADOW_PAGE);
  unsigned bit = word % OMEN_SHADOW_PAGE;
  return page != OMEN_NONE
         && settled->pages.data[page].words[bit / 64] >> bit % 64 & 1;
}

bool
omen_settled_is (const omen_settled *settled, uint64_t address, uint64_t length)
{
  uint64_t last = (address + length - 1) / 8;
  if (!settled)
    return false;
  for (uint64_t word = address / 8; length && word <= last; word++)
    if (is_open (settled, word))
      return false;
  return true;
}

static void
set_open (omen_settled *settled, uint64_t word)
{
  uint32_t *page = omen_map_at (&settled->index, word / OMEN_SHADOW_PAGE);
  unsigned bit = word % OMEN_SHADOW_PAGE;
  if (*page == OMEN_NONE) {
    *page = (uint32_t)settled->pages.count;
    OMEN_VEC_PUSH (settled->pages, ((open_page){ { 0 } }));
  }
  settled->pages.data[*page].words[bit / 64] |= UINT64_C (1) << bit % 64;
}

static bool
is_straddled (const omen_settled *settled, uint64_t word)
{
  return omen_map_get (&settled->straddled, word) != OMEN_NONE;
}

/* An access stays or goes as a whole: so the words before and after that share
   one with an open word are open, too. */
static void
open_word (omen_settled *settled, uint64_t word)
{
  set_open (settled, word);
  for (uint64_t w = word; is_straddled (settled, w); w++)
    set_open (settled, w + 1);
  for (uint64_t w = word; is_straddled (settled, w - 1); w--)
    set_open (settled, w - 1);
}

void
omen_settled_open (omen_settled *settled, uint64_t address, uint64_t length)
{
  uint64_t last = (address + length - 1) / 8;
  for (uint64_t word = address / 8; length && word <= last; word++)
    open_word (settled, word);
}

void
omen_settled_free (omen_settled *settled)
{
  if (!settled)
    return;
  OMEN_VEC_FINI (settled->pages);
  omen_map_fini (&settled->index);
  omen_map_fini (&settled->straddled);
  omen_free (settled);
}

static omen_settled *
settled_by (omen_shadow *shadow)
{
  omen_settled *settled = omen_zalloc (1, sizeof *settled);
  omen_map_init (&settled->index);
  settled->straddled = shadow->straddled;
  omen_map_init (&shadow->straddled);
  for (size_t i = 0; i < shadow->pages.count; i++) {
    const omen_shadow_page *page = shadow->pages.data[i];
    uint64_t first = page->number * OMEN_SHADOW_PAGE;
    for (unsigned k = 0; k < OMEN_SHADOW_PAGE; k++)
      if (page->words[k].write == OMEN_WORD_OPEN
          && !is_open (settled, first + k))
        open_word (settled, first + k);
  }
  return settled;
}

/* ---- the walk ---- */

/* A thread of the program. */
typedef struct walker {
  uint32_t
      *clocks; /* by thread: how far it comes after each, itself included */
  uint32_t segment;
  bool born, over;
  bool looked;     /* at an atomic, and it has written nothing since */
  uint64_t blocks; /* marked atomic ones that are open */
  omen_map rounds; /* barrier -> the round that it arrived in last */
} walker;

/* Those that have arrived in a round, and what they come after. */
typedef struct round {
  uint32_t missing, leaving;
  uint32_t *clocks;
} round;

typedef struct walk {
  omen_notes_file *file;
  omen_notes_summary *summary;
  omen_shadow shadow;
  omen_barriers barriers;
  OMEN_VEC (walker) walkers;
  uint32_t room;   /* for walkers: entries of clocks */
  omen_map index;  /* thread id -> walker */
  omen_map rounds; /* round -> entry of round_list */
  OMEN_VEC (round) round_list;
  omen_map sizes; /* of heap blocks, by address: entry of size_list */
  OMEN_VEC (uint64_t) size_list;
  omen_map outside; /* pc -> omen_outside_code */
  uint32_t now;     /* the walker at work */
  uint64_t items;
  bool failed;
} walk;

static void
join_clocks (walk *w, uint32_t *to, const uint32_t *from)
{
  for (uint32_t i = 0; i < w->room; i++)
    if (to[i] < from[i])
      to[i] = from[i];
}

static walker *
me (walk *w)
{
  return &w->walkers.data[w->now];
}

/* OMEN_NONE: there is no room, as there are threads that nobody forked. */
static uint32_t
walker_of (walk *w, uint32_t id)
{
  uint32_t *entry = omen_map_at (&w->index, id);
  walker new = { .born = true };
  if (*entry != OMEN_NONE)
    return *entry;
  if (w->walkers.count == w->room) {
    w->failed = true;
    return OMEN_NONE;
  }
  *entry = (uint32_t)w->walkers.count;
  new.clocks = omen_zalloc (w->room, sizeof *new.clocks);
  new.clocks[*entry] = 1;
  new.segment = omen_shadow_segment (&w->shadow, *entry, 1);
  omen_map_init (&new.rounds);
  OMEN_VEC_PUSH (w->walkers, new);
  return *entry;
}

static void
resume (walk *w)
{
  omen_shadow_set (&w->shadow, me (w)->segment, me (w)->clocks);
}

static void
tick (walk *w)
{
  uint32_t clock = ++me (w)->clocks[w->now];
  me (w)->segment = omen_shadow_segment (&w->shadow, w->now, clock);
  resume (w);
}

/* ---- what orders threads ---- */

static void
see_fork (walk *w, const omen_item *item)
{
  uint32_t child = walker_of (w, (uint32_t)item->a);
  if (child == OMEN_NONE || child == w->now)
    return;
  join_clocks (w, w->walkers.data[child].clocks, me (w)->clocks);
  w->walkers.data[child].born = true;
  tick (w);
}

/* False: it has to wait. In one log everything is in its place. */
static bool
see_join (walk *w, const omen_item *item, bool one_log)
{
  uint32_t child = omen_map_get (&w->index, item->a);
  if (child == OMEN_NONE || child == w->now)
    return true;
  if (!one_log && !w->walkers.data[child].over)
    return false;
  join_clocks (w, me (w)->clocks, w->walkers.data[child].clocks);
  resume (w);
  return true;
}

static round *
round_of (walk *w, uint32_t first, uint32_t size)
{
  uint32_t *entry = omen_map_at (&w->rounds, first);
  if (*entry == OMEN_NONE) {
    uint32_t *clocks = omen_zalloc (w->room, sizeof *clocks);
    *entry = (uint32_t)w->round_list.count;
    OMEN_VEC_PUSH (w->round_list, ((round){ size, size, clocks }));
  }
  return &w->round_list.data[*entry];
}

static void
see_arrive (walk *w, const omen_item *item)
{
  uint32_t size, first;
  round *r;
  first = omen_barriers_round (&w->barriers, item->a, item->b, &size);
  *omen_map_at (&me (w)->rounds, item->a) = first;
  if (first == OMEN_NONE)
    return;
  r = round_of (w, first, size);
  if (!r->missing || !r->clocks) {
    w->failed = true; /* two items have the same number */
    return;
  }
  join_clocks (w, r->clocks, me (w)->clocks);
  r->missing--;
  tick (w);
}

static bool
see_depart (walk *w, const omen_item *item)
{
  uint32_t first = omen_map_get (&me (w)->rounds, item->a);
  round *r;
  if (first == OMEN_NONE)
    return true;
  r = &w->round_list.data[omen_map_get (&w->rounds, first)];
  if (r->missing)
    return false;
  *omen_map_at (&me (w)->rounds, item->a) = OMEN_NONE;
  join_clocks (w, me (w)->clocks, r->clocks);
  resume (w);
  if (!--r->leaving) {
    omen_free (r->clocks);
    r->clocks = NULL;
  }
  return true;
}

/* ---- what uses memory ---- */

/* In a marked block accesses matter even if their order with others is always
   the same: another block may come between, all of it. */
static void
see_read (walk *w, uint64_t address, uint64_t length)
{
  if (OMEN_UNLIKELY (me (w)->blocks))
    omen_shadow_open (&w->shadow, address, length);
  else
    omen_shadow_read (&w->shadow, address, length);
}

/* Who writes between two looks at an atomic does not wait for it
   (predict/atomic_waits.c): the first write of these is told. */
static void
see_write (walk *w, uint64_t address, uint64_t length)
{
  if (OMEN_UNLIKELY (me (w)->blocks || me (w)->looked)) {
    me (w)->looked = false;
    omen_shadow_open (&w->shadow, address, length);
  } else
    omen_shadow_write (&w->shadow, address, length);
}

static void
see_alloc (walk *w, const omen_item *item)
{
  uint64_t size = omen_item_arg (item) & OMEN_ALLOC_SIZE;
  uint32_t *entry = omen_map_at (&w->sizes, item->a);
  if (*entry == OMEN_NONE) {
    *entry = (uint32_t)w->size_list.count;
    OMEN_VEC_PUSH (w->size_list, 0);
  }
  w->size_list.data[*entry] = size;
  omen_shadow_make (&w->shadow, item->a, size, false);
}

static void
see_free (walk *w, const omen_item *item)
{
  uint32_t entry = omen_map_get (&w->sizes, item->a);
  if (entry == OMEN_NONE)
    return;
  omen_shadow_end (&w->shadow, item->a, w->size_list.data[entry]);
  w->size_list.data[entry] = 0;
}

/* Ranges that a library names are told as changes (events/memory.c). */
static bool
is_of_library (walk *w, const omen_item *item)
{
  uint64_t pc = omen_item_pc (item);
  uint32_t *known;
  if (!pc || pc == OMEN_MAP_NO_KEY || omen_item_arg (item) >> 63)
    return false;
  known = omen_map_at (&w->outside, pc);
  if (*known == OMEN_NONE)
    *known = omen_notes_outside (w->file, pc);
  return *known == OMEN_OUTSIDE_LIBRARY;
}

static void
see_range (walk *w, const omen_item *item)
{
  bool writes = item->kind == OMEN_ITEM_RANGE_WRITE || is_of_library (w, item);
  (writes ? see_write : see_read) (w, item->a, omen_item_length (item));
}

static void
see_atomic (walk *w, const omen_item *item)
{
  const omen_file_site *site
      = omen_notes_site (w->file, (uint32_t)omen_item_arg (item));
  me (w)->looked = site->kind != OMEN_SITE_ATOMIC_STORE;
  omen_shadow_open (&w->shadow, item->a, site->size);
}

/* Thread-local variables are made by the thread that begins. */
static void
see_begin (walk *w, const omen_item *item)
{
  omen_own_memory own = omen_item_own_memory (item);
  if (own.locals)
    omen_shadow_make (&w->shadow, own.locals, own.locals_end - own.locals,
                      true);
}

/* False: it has to wait. */
static bool
see_runtime (walk *w, const omen_item *item, bool one_log)
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
  case OMEN_ITEM_ALLOC:
    see_alloc (w, item);
    return true;
  case OMEN_ITEM_FREE:
    see_free (w, item);
    return true;
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    see_range (w, item);
    return true;
  case OMEN_ITEM_EXTERNAL:
    see_write (w, item->a, omen_item_arg (item));
    return true;
  case OMEN_ITEM_ATOMIC:
    see_atomic (w, item);
    return true;
  case OMEN_ITEM_THREAD_BEGIN:
    see_begin (w, item);
    return true;
  case OMEN_ITEM_BLOCK_BEGIN:
    me (w)->blocks++;
    return true;
  case OMEN_ITEM_BLOCK_END:
    me (w)->blocks -= me (w)->blocks > 0;
    return true;
  case OMEN_ITEM_SWITCH:
    w->now = walker_of (w, (uint32_t)item->a);
    if (!w->failed)
      resume (w);
    return true;
  default:
    return true;
  }
}

static bool
see_item (walk *w, const omen_item *item, bool one_log)
{
  switch (item->kind) {
  case OMEN_SITE_LOAD:
    see_read (w, item->a, item->size);
    return true;
  case OMEN_SITE_STORE:
    see_write (w, item->a, item->size);
    return true;
  case OMEN_SITE_STACK_ALLOC:
    omen_shadow_make (&w->shadow, item->a, item->b, true);
    return true;
  case OMEN_SITE_STACK_FREE:
    omen_shadow_end (&w->shadow, item->a, item->b);
    return true;
  case OMEN_SITE_EXTERNAL:
    see_write (w, item->a, item->b);
    return true;
  default:
    return item->kind < OMEN_ITEM_FIRST || see_runtime (w, item, one_log);
  }
}

/* ---- who is next ---- */

#define LOOK_EVERY 4096u /* items from one look at the limits to the next */

static bool
is_over (walk *w)
{
  if (OMEN_LIKELY (++w->items % LOOK_EVERY) || !w->file->limits)
    return false;
  return omen_limits_over (w->file->limits, w->items, w->summary->items);
}

/* As far as it goes. True: it went some way. */
static bool
go_on (walk *w, omen_note_cursor *cursor, uint32_t t)
{
  bool one_log = cursor->thread->id == OMEN_NONE, moved = false;
  omen_item item;
  w->now = t;
  resume (w);
  while (!w->failed && omen_cursor_peek (cursor, &item)) {
    if (!see_item (w, &item, one_log))
      return moved;
    w->failed |= is_over (w);
    moved = true;
    omen_cursor_pass (cursor, &item);
  }
  w->walkers.data[t].over = true;
  return true;
}

/* All threads, as they let each other go on. False: some never may. */
static bool
go (walk *w)
{
  const omen_notes_file *file = w->file;
  size_t count = file->threads.count, left = count;
  omen_note_cursor *cursors = omen_zalloc (count, sizeof *cursors);
  bool moved = true;
  for (size_t t = 0; t < count; t++)
    omen_cursor_init (&cursors[t], file, &file->threads.data[t]);
  while (left && moved && !w->failed) {
    moved = false;
    for (uint32_t t = 0; t < count && !w->failed; t++) {
      if (!w->walkers.data[t].born || w->walkers.data[t].over)
        continue;
      moved |= go_on (w, &cursors[t], t);
      left -= w->walkers.data[t].over;
    }
  }
  for (size_t t = 0; t < count; t++)
    omen_cursor_fini (&cursors[t]);
  omen_free (cursors);
  return !left && !w->failed;
}

/* Each thread of the file is the walker of the same number. */
static void
begin (walk *w)
{
  const omen_notes_file *file = w->file;
  omen_shadow_init (&w->shadow);
  omen_map_init (&w->index);
  omen_map_init (&w->rounds);
  omen_map_init (&w->sizes);
  omen_map_init (&w->outside);
  omen_barriers_init (&w->barriers, &w->summary->arrivals);
  w->room = (uint32_t)file->threads.count + w->summary->forked.count + 1;
  for (size_t t = 0; t < file->threads.count; t++) {
    uint32_t id = file->threads.data[t].id;
    walker_of (w, id == OMEN_NONE ? 0 : id);
    w->walkers.data[t].born
        = id == OMEN_NONE || omen_map_get (&w->summary->forked, id) != 1;
  }
}

static void
end (walk *w)
{
  omen_shadow_fini (&w->shadow);
  omen_map_fini (&w->index);
  omen_map_fini (&w->rounds);
  omen_map_fini (&w->sizes);
  omen_map_fini (&w->outside);
  omen_barriers_fini (&w->barriers);
  for (size_t i = 0; i < w->walkers.count; i++) {
    omen_free (w->walkers.data[i].clocks);
    omen_map_fini (&w->walkers.data[i].rounds);
  }
  OMEN_VEC_FINI (w->walkers);
  for (size_t i = 0; i < w->round_list.count; i++)
    omen_free (w->round_list.data[i].clocks);
  OMEN_VEC_FINI (w->round_list);
  OMEN_VEC_FINI (w->size_list);
}

#define MOST_THREADS 4096u /* a clock for each pair of them */
#define SCAN_SHARE 0.3     /* of the limits: the merge comes after it */

omen_settled *
omen_settled_find (omen_notes_file *file, omen_notes_summary *summary)
{
  walk w = { .file = file, .summary = summary };
  omen_settled *settled = NULL;
  if (file->late || file->blind || file->reader->lossy || summary->gaps
      || file->threads.count + summary->forked.count > MOST_THREADS)
    return NULL;
  omen_limits_begin (file->limits, "scanning notes", SCAN_SHARE);
  begin (&w);
  if (go (&w))
    settled = settled_by (&w.shadow);
  end (&w);
  if (file->limits && file->limits->hit != OMEN_LIMIT_STOP)
    file->limits->hit = OMEN_LIMIT_NONE; /* the merge has a share of its own */
  return settled;
}
