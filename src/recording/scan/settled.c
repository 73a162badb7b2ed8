#include "recording/scan/settled.h"
#include "recording/scan/locks.h"
#include "recording/scan/outside.h"
#include "recording/scan/pieces.h"
#include "recording/scan/shadow.h"
#include "wire/abi.h"

#include <string.h>

/* ---- what is found ---- */

typedef struct open_page {
  uint64_t words[OMEN_SHADOW_PAGE / 64]; /* by bit: not settled */
} open_page;

struct omen_settled {
  OMEN_VEC (open_page) pages;
  omen_map index;      /* word / OMEN_SHADOW_PAGE -> page */
  omen_map straddled;  /* word -> 1: an access has this one and the next */
  unsigned candidates; /* omen_candidates */
  bool guarded;        /* a lock keeps accesses to some of it apart */
  bool lent;           /* threads use locals of others */
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
omen_settled_widen (const omen_settled *settled, uint64_t *first, uint64_t *end)
{
  uint64_t low = *first / 8, high = (*end + 7) / 8;
  while (is_straddled (settled, low - 1))
    low--;
  while (is_straddled (settled, high - 1))
    high++;
  *first = 8 * low;
  *end = 8 * high;
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

/* Of words that nobody may use in another order nothing is told. */
static void
take_page (omen_settled *settled, const omen_shadow *shadow,
           const omen_shadow_page *page)
{
  const unsigned wanted = OMEN_DONE_ATOMIC | OMEN_DONE_GUARDED | OMEN_DONE_TOLD;
  uint64_t first = page->number * OMEN_SHADOW_PAGE;
  for (unsigned k = 0; k < OMEN_SHADOW_PAGE; k++) {
    uint32_t history = page->words[k];
    unsigned done = shadow->histories.list.data[history].done;
    if (history == OMEN_HISTORY_OPEN)
      settled->candidates |= OMEN_MAY_RACE;
    else if (!(done & wanted))
      continue;
    settled->guarded |= (done & (OMEN_DONE_GUARDED | OMEN_DONE_ATOMIC)) != 0;
    settled->lent |= (done & OMEN_DONE_TOLD) != 0;
    if (done & OMEN_DONE_GUARDED && done & OMEN_DONE_FOLLOWED)
      settled->candidates |= OMEN_MAY_RACE;
    if (!is_open (settled, first + k))
      open_word (settled, first + k);
  }
}

static omen_settled *
settled_by (omen_shadow *shadow)
{
  omen_settled *settled = omen_zalloc (1, sizeof *settled);
  omen_map_init (&settled->index);
  settled->straddled = shadow->straddled;
  omen_map_init (&shadow->straddled);
  for (size_t i = 0; i < shadow->pages.count; i++)
    take_page (settled, shadow, shadow->pages.data[i]);
  return settled;
}

/* ---- the walk ---- */

/* Those that have arrived in a round, and what they come after. */
typedef struct round {
  uint32_t missing, leaving;
  uint32_t *clocks;
} round;

/* A thread of the program. */
typedef struct walker {
  uint32_t
      *clocks; /* by thread: how far it comes after each, itself included */
  omen_holder holder;
  bool born, over, forked;
  bool looked;     /* at an atomic, and it has written nothing since */
  uint64_t blocks; /* marked atomic ones that are open */
  omen_map rounds; /* barrier -> the round that it arrived in last */
} walker;

typedef struct walk {
  omen_notes_file *file;
  omen_notes_summary *summary;
  omen_plans plans;
  omen_shadow shadow;
  omen_locks locks;
  const omen_barriers *barriers;
  OMEN_VEC (walker) walkers;
  uint32_t room;   /* for walkers: entries of clocks */
  omen_map index;  /* thread id -> walker */
  omen_map rounds; /* round -> entry of round_list */
  OMEN_VEC (round) round_list;
  omen_map sizes; /* of heap blocks, by address: entry of size_list */
  OMEN_VEC (uint64_t) size_list;
  omen_map outside; /* pc -> omen_outside_code */
  uint32_t now;     /* the walker at work */
  uint64_t items, looks;
  bool arrives, destroys; /* who arrives at a barrier uses it */
  unsigned candidates;
  bool landed; /* functions were left, and maybe not all that was in them */
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
  omen_map_init (&new.rounds);
  OMEN_VEC_PUSH (w->walkers, new);
  return *entry;
}

static void
resume (walk *w)
{
  omen_word_histories *histories = &w->shadow.histories;
  const walker *m = me (w);
  omen_histories_set (histories,
                      omen_histories_segment (histories, w->now,
                                              m->clocks[w->now], m->holder.set),
                      m->clocks);
}

/* What a segment comes after does not change. */
static void
tick (walk *w)
{
  me (w)->clocks[w->now]++;
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
  w->walkers.data[child].born = w->walkers.data[child].forked = true;
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
  if (me (w)->holder.held.count)
    w->candidates |= OMEN_MAY_DEADLOCK;
  join_clocks (w, me (w)->clocks, w->walkers.data[child].clocks);
  tick (w);
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
  first = omen_barriers_round (w->barriers, item->a, item->b, &size);
  *omen_map_at (&me (w)->rounds, item->a) = first;
  if (first == OMEN_NONE || me (w)->holder.held.count
      || w->barriers->list.count > 1 || me (w)->rounds.count > 1)
    w->candidates |= OMEN_MAY_DEADLOCK;
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
  tick (w);
  if (!--r->leaving) {
    omen_free (r->clocks);
    r->clocks = NULL;
  }
  return true;
}

/* As many threads as it is for: each arrives as often as the others. */
static bool
barriers_are_even (const walk *w)
{
  uint32_t users = 0, size = 0;
  for (size_t i = 0; i < w->walkers.count; i++)
    users += w->walkers.data[i].rounds.count > 0;
  for (size_t i = 0; i < w->barriers->list.count; i++)
    size = w->barriers->list.data[i].size;
  return users == size;
}

/* ---- what uses memory ---- */

/* In a marked block accesses matter even if their order with others is always
   the same: another block may come between, all of it. Who writes between two
   looks at an atomic does not wait for it (predict/atomic_waits.c): the first
   write of these is told. */
static bool
is_told (walk *w, unsigned done)
{
  bool told = me (w)->blocks || (me (w)->looked && done == OMEN_DONE_WRITE);
  if (told && done == OMEN_DONE_WRITE)
    me (w)->looked = false;
  return told;
}

static void
see_use (walk *w, uint64_t address, uint64_t length, unsigned done)
{
  if (OMEN_UNLIKELY (is_told (w, done)))
    omen_shadow_open (&w->shadow, address, length);
  else
    omen_shadow_do (&w->shadow, address, length, done);
}

/* What nothing is in yet may be read too early, whatever locks are held. */
static void
see_alloc (walk *w, const omen_item *item)
{
  bool raw = !(omen_item_arg (item) >> 56 & OMEN_ALLOC_ZERO);
  uint64_t size = omen_item_arg (item) & OMEN_ALLOC_SIZE;
  uint32_t *entry = omen_map_at (&w->sizes, item->a);
  if (*entry == OMEN_NONE) {
    *entry = (uint32_t)w->size_list.count;
    OMEN_VEC_PUSH (w->size_list, 0);
  }
  w->size_list.data[*entry] = size;
  omen_shadow_do (&w->shadow, item->a, size,
                  raw ? OMEN_DONE_RAW : OMEN_DONE_MAKE);
}

static void
see_free (walk *w, const omen_item *item)
{
  uint32_t entry = omen_map_get (&w->sizes, item->a);
  const omen_holder *holder = &me (w)->holder;
  if (entry == OMEN_NONE)
    return;
  for (size_t i = 0; i < holder->held.count; i++)
    if (holder->held.data[i].address - item->a < w->size_list.data[entry])
      w->candidates |= OMEN_MAY_MISUSE;
  omen_shadow_do (&w->shadow, item->a, w->size_list.data[entry], OMEN_DONE_END);
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
  see_use (w, item->a, omen_item_length (item),
           writes ? OMEN_DONE_WRITE : OMEN_DONE_READ);
}

static void
see_atomic (walk *w, const omen_item *item)
{
  const omen_file_site *site
      = omen_notes_site (w->file, (uint32_t)omen_item_arg (item));
  bool reads = omen_item_atomic_reads (w->file, item);
  me (w)->looked = site->kind != OMEN_SITE_ATOMIC_STORE;
  w->candidates |= omen_holder_atomic (&me (w)->holder);
  if (me (w)->blocks)
    omen_shadow_open (&w->shadow, item->a, site->size);
  else
    omen_shadow_do (&w->shadow, item->a, site->size,
                    OMEN_DONE_ATOMIC
                        | (reads ? OMEN_DONE_READ : OMEN_DONE_WRITE));
}

/* Thread-local variables are made by the thread that begins; nobody says when
   they are gone. */
static void
see_begin (walk *w, const omen_item *item)
{
  omen_own_memory own = omen_item_own_memory (item);
  if (own.locals)
    omen_shadow_do (&w->shadow, own.locals, own.locals_end - own.locals,
                    OMEN_DONE_END);
}

/* A file descriptor is a block that closing it ends, where no memory is. */
static void
see_descriptor (walk *w, const omen_item *item)
{
  static const unsigned done[] = { [OMEN_DESCRIPTOR_MADE] = OMEN_DONE_MAKE,
                                   [OMEN_DESCRIPTOR_USED] = OMEN_DONE_READ,
                                   [OMEN_DESCRIPTOR_CLOSED] = OMEN_DONE_END };
  uint64_t use = omen_item_arg (item);
  if (use < OMEN_COUNT (done))
    omen_shadow_do (&w->shadow, (UINT64_C (1) << 60) + 8 * (uint32_t)item->a, 1,
                    done[use]);
}

/* ---- items ---- */

static void
see_lock (walk *w, const omen_item *item)
{
  bool wait = omen_item_is_wait (item->kind);
  uint64_t address = wait ? item->parts[1].a : item->a;
  bool made = item->kind == OMEN_ITEM_LOCK_INIT
              || item->kind == OMEN_ITEM_LOCK_DESTROY;
  omen_shadow_do (&w->shadow, address, 1,
                  made ? OMEN_DONE_WRITE | OMEN_DONE_LIFE : OMEN_DONE_READ);
  w->candidates |= omen_locks_see (&w->locks, &w->shadow.histories,
                                   &me (w)->holder, item);
  resume (w);
}

/* What the passes after the scan alone know how to judge. */
static unsigned
candidates_of (const omen_item *item)
{
  switch (item->kind) {
  case OMEN_ITEM_WAIT:
  case OMEN_ITEM_SEM_INIT:
  case OMEN_ITEM_SEM_UP:
  case OMEN_ITEM_SEM_DOWN:
  case OMEN_ITEM_SEM_FAIL:
  case OMEN_ITEM_NOTIFY:
  case OMEN_ITEM_NOTIFY_ALL:
    return OMEN_MAY_DEADLOCK;
  case OMEN_ITEM_BLOCK_BEGIN:
    return OMEN_MAY_VIOLATE;
  case OMEN_ITEM_EMIT:
  case OMEN_ITEM_DEAD:
  case OMEN_ITEM_IGNORE_BEGIN:
  case OMEN_ITEM_SIGNAL_BEGIN:
  case OMEN_ITEM_EXTERNAL:
    return OMEN_MAY_MISUSE;
  default:
    return 0;
  }
}

/* False: it has to wait. */
static bool
see_runtime (walk *w, const omen_item *item, bool one_log)
{
  w->candidates |= candidates_of (item);
  w->arrives |= item->kind == OMEN_ITEM_ARRIVE;
  w->destroys |= item->kind == OMEN_ITEM_LOCK_DESTROY;
  if (omen_locks_concern (item->kind)) {
    see_lock (w, item);
    return true;
  }
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
    see_use (w, item->a, omen_item_arg (item), OMEN_DONE_WRITE);
    return true;
  case OMEN_ITEM_ATOMIC:
    see_atomic (w, item);
    return true;
  case OMEN_ITEM_DESCRIPTOR:
    see_descriptor (w, item);
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

/* ---- what is woven ---- */

/* As predict/atomic.h: main, and where threads begin. */
static bool
is_exempt (walk *w, uint32_t site)
{
  const omen_trace *trace = w->file->reader->trace;
  uint32_t function = omen_notes_site (w->file, site)->function;
  const char *name = function == OMEN_NONE
                         ? ""
                         : omen_names_text (&trace->strings, function);
  return !strncmp (name, "main\n", 5)
         || (!me (w)->holder.entered && me (w)->forked);
}

static void
see_frame (walk *w, const omen_plan_member *m, uint64_t depth)
{
  uint32_t site = m->as.as.site;
  omen_holder *holder = &me (w)->holder;
  bool exempt = m->kind == OMEN_SITE_ENTER && !holder->frames.count
                && is_exempt (w, site);
  w->landed |= m->kind == OMEN_SITE_LANDED;
  omen_holder_frame (holder, m->kind, depth,
                     omen_notes_site (w->file, site)->caller, exempt);
}

static unsigned
read_of (const omen_plan_member *m)
{
  return m->followed ? OMEN_DONE_READ | OMEN_DONE_FOLLOWED : OMEN_DONE_READ;
}

static void
see_member (walk *w, const omen_plan_member *m, const uint64_t *words)
{
  uint64_t address = omen_notes_address (&m->as, words);
  switch (m->kind) {
  case OMEN_SITE_LOAD:
    see_use (w, address, m->size, read_of (m));
    return;
  case OMEN_SITE_STORE:
    see_use (w, address, m->size, OMEN_DONE_WRITE);
    return;
  case OMEN_SITE_STACK_ALLOC:
    omen_shadow_do (&w->shadow, address, omen_plan_value (m, words),
                    OMEN_DONE_LOCAL);
    return;
  case OMEN_SITE_STACK_FREE:
    omen_shadow_do (&w->shadow, address, omen_plan_value (m, words),
                    OMEN_DONE_END);
    return;
  case OMEN_SITE_EXTERNAL:
    w->candidates |= OMEN_MAY_MISUSE;
    see_use (w, address, omen_plan_value (m, words), OMEN_DONE_WRITE);
    return;
  case OMEN_SITE_ENTER:
  case OMEN_SITE_EXIT:
  case OMEN_SITE_LANDED:
    see_frame (w, m, address);
    return;
  default:
    return;
  }
}

/* The same member of many notes: their order is of no account. */
static void
see_column (walk *w, const omen_note_piece *piece, const omen_plan_member *m)
{
  const uint64_t *base = piece->words + m->as.as.base, offset = m->as.as.offset;
  unsigned done = m->kind == OMEN_SITE_STORE, size = m->size;
  uint64_t last = *base + offset + 1;
  for (uint32_t i = 0; i < piece->notes; i++, base += piece->width) {
    uint64_t address = *base + offset;
    if (address == last)
      continue;
    last = address;
    if (OMEN_UNLIKELY (m->followed))
      omen_shadow_do (&w->shadow, address, size, read_of (m));
    else
      omen_shadow_access (&w->shadow, address, size, done);
  }
}

/* Turns without gaps use all words from the first to the last. */
static bool
is_dense (uint64_t address, uint64_t step, unsigned size)
{
  return step && step <= 8 && step % size == 0 && address % size == 0
         && !(size & (size - 1));
}

static void
see_turns (walk *w, const omen_plan_member *m, const uint64_t *words,
           uint64_t turns)
{
  const omen_file_member *f = &m->as.as;
  const omen_member as = { .constant = f->constant, .word = f->word };
  uint64_t step = omen_member_stride (&as, words);
  uint64_t address = words[f->base] + (uint64_t)(int64_t)f->offset;
  unsigned done = m->kind == OMEN_SITE_STORE;
  if (step >> 63) {
    address += step * (turns - 1);
    step = -step;
  }
  if (is_dense (address, step, m->size))
    omen_shadow_run (&w->shadow, address, step * (turns - 1) + m->size, done);
  else
    for (; turns; turns--, address += step)
      omen_shadow_access (&w->shadow, address, m->size, done);
}

static void
see_loop (walk *w, const omen_note_piece *piece,
          const omen_plan_member *members)
{
  const uint64_t *words = piece->words;
  for (uint32_t i = 0; i < piece->notes; i++, words += piece->width)
    for (uint32_t k = 0; k < piece->plan->count; k++) {
      if (OMEN_UNLIKELY (is_told (w, OMEN_DONE_WRITE)))
        w->failed = true; /* not worth it */
      see_turns (w, &members[k], words, words[piece->width - 1]);
    }
}

static void
see_plan (walk *w, const omen_note_piece *piece)
{
  const omen_plan *plan = piece->plan;
  const omen_plan_member *members = &w->plans.members.data[plan->first];
  const uint64_t *words = piece->words;
  if (plan->loop)
    see_loop (w, piece, members);
  else if (plan->accesses && !me (w)->blocks && !me (w)->looked)
    for (uint32_t k = 0; k < plan->count; k++)
      see_column (w, piece, &members[k]);
  else
    for (uint32_t i = 0; i < piece->notes; i++, words += piece->width)
      for (uint32_t k = 0; k < plan->count; k++)
        see_member (w, &members[k], words);
}

/* ---- who is next ---- */

#define LOOK_EVERY 256u /* pieces from one look at the limits to the next */

static bool
is_over (walk *w, const omen_pieces *pieces)
{
  if (OMEN_LIKELY (++w->looks % LOOK_EVERY) || !w->file->limits)
    return false;
  return omen_limits_over (w->file->limits, w->items + pieces->items,
                           w->summary->items);
}

/* As far as it goes. True: it went some way. */
static bool
go_on (walk *w, omen_pieces *pieces, uint32_t t)
{
  bool one_log = pieces->thread->id == OMEN_NONE, moved = false;
  omen_note_piece piece;
  w->now = t;
  resume (w);
  while (!w->failed && omen_pieces_peek (pieces, &piece)) {
    if (piece.plan)
      see_plan (w, &piece);
    else if (!see_runtime (w, &piece.item, one_log))
      return moved;
    w->failed |= is_over (w, pieces) || w->shadow.failed;
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

/* All threads, as they let each other go on. False: some never may. */
static bool
go (walk *w)
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

/* Each thread of the file is the walker of the same number. */
static bool
begin (walk *w)
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

static void
end (walk *w)
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

/* Memory of a lock that another one may have used before guards nothing. */
static bool
locks_are_good (walk *w)
{
  bool good = true;
  for (size_t i = 0; i < w->locks.list.count; i++) {
    omen_lock_seen *lock = &w->locks.list.data[i];
    if (omen_shadow_history (&w->shadow, lock->address) == OMEN_HISTORY_OPEN)
      lock->bad = true;
    good &= !lock->bad || !lock->guards;
  }
  return good;
}

/* All of it once. True: done, or never will be; else once more, without the
   locks that turned out to guard nothing. */
static bool
walk_once (omen_notes_file *file, omen_notes_summary *summary,
           const omen_barriers *barriers, omen_locks *locks,
           omen_settled **settled)
{
  walk w = {
    .file = file, .summary = summary, .barriers = barriers, .locks = *locks
  };
  bool done = true;
  if (begin (&w) && go (&w)) {
    done = locks_are_good (&w);
    *settled = done ? settled_by (&w.shadow) : NULL;
    if (!barriers_are_even (&w) || omen_locks_cycle (&w.locks)
        || file->stuck.count || file->helped)
      w.candidates |= OMEN_MAY_DEADLOCK;
    if (*settled && !(*settled)->guarded) /* sections with nothing in them */
      w.candidates &= ~(unsigned)OMEN_MAY_VIOLATE;
    if ((*settled && (*settled)->lent && w.landed) || (w.arrives && w.destroys))
      w.candidates |= OMEN_MAY_RACE;
    if (*settled)
      (*settled)->candidates |= w.candidates;
  }
  *locks = w.locks;
  end (&w);
  return done;
}

#define MOST_THREADS 4096u /* a clock for each pair of them */
#define MOST_WALKS 3u
#define SCAN_SHARE 0.3 /* of the limits: the merge comes after it */

omen_settled *
omen_settled_find (omen_notes_file *file, omen_notes_summary *summary)
{
  omen_settled *settled = NULL;
  omen_barriers barriers;
  omen_locks locks;
  bool done = false;
  if (file->late || file->blind || file->reader->lossy || summary->gaps
      || file->threads.count + summary->forked.count > MOST_THREADS)
    return NULL;
  omen_limits_begin (file->limits, "scanning notes", SCAN_SHARE);
  omen_barriers_init (&barriers, &summary->arrivals);
  omen_locks_init (&locks);
  for (unsigned i = 0; i < MOST_WALKS && !done; i++) {
    omen_locks_again (&locks, i + 1 == MOST_WALKS);
    done = walk_once (file, summary, &barriers, &locks, &settled);
  }
  omen_locks_fini (&locks);
  omen_barriers_fini (&barriers);
  if (file->limits && file->limits->hit != OMEN_LIMIT_STOP)
    file->limits->hit = OMEN_LIMIT_NONE; /* the merge has a share of its own */
  return settled;
}

unsigned
omen_settled_candidates (const omen_settled *settled)
{
  return settled->candidates;
}
