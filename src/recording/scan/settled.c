#include "recording/scan/settled.h"
#include "recording/scan/walk.h"

/* ---- what is found ---- */

typedef struct open_page {
  uint64_t words[OMEN_SHADOW_PAGE / 64]; /* by bit: not settled */
} open_page;

struct omen_settled {
  OMEN_VEC (open_page) pages;
  omen_map index;      /* word / OMEN_SHADOW_PAGE -> page */
  omen_map straddled;  /* word -> 1: an access spans this word and the next */
  unsigned candidates; /* omen_candidates */
  bool guarded;        /* some conflicting accesses are guarded by locks */
  bool lent;           /* threads use locals of other threads */
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

/* An access is kept or dropped as a whole, so words that an access spans
   together with an open word are open, too. */
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

/* Opens the words that events are needed for and collects the findings that
   they make possible. */
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

/* A lock guards nothing if other uses of its memory (another lock, an earlier
   block) are not ordered with its own. */
static bool
locks_are_good (omen_scan_walk *w)
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

/* One walk. True: finished, also if it failed; false: repeat it without the
   locks that turned out to guard nothing. */
static bool
walk_once (omen_notes_file *file, omen_notes_summary *summary,
           const omen_barriers *barriers, omen_locks *locks,
           omen_settled **settled)
{
  omen_scan_walk w = {
    .file = file, .summary = summary, .barriers = barriers, .locks = *locks
  };
  bool done = true;
  if (omen_walk_begin (&w) && omen_walk_go (&w)) {
    done = locks_are_good (&w);
    *settled = done ? settled_by (&w.shadow) : NULL;
    if (!omen_walk_is_even (&w) || omen_locks_cycle (&w.locks)
        || file->stuck.count || file->helped)
      w.candidates |= OMEN_MAY_DEADLOCK;
    if (*settled && !(*settled)->guarded) /* sections hold nothing relevant */
      w.candidates &= ~(unsigned)OMEN_MAY_VIOLATE;
    if ((*settled && (*settled)->lent && w.landed) || (w.uses && w.destroys))
      w.candidates |= OMEN_MAY_RACE;
    if (*settled)
      (*settled)->candidates |= w.candidates;
  }
  *locks = w.locks;
  omen_walk_end (&w);
  return done;
}

#define MOST_THREADS 4096u /* each pair of threads needs a clock */
#define MOST_WALKS 3u
#define SCAN_SHARE 0.5 /* of the limits; the rest is for the merge */

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
    file->limits->hit = OMEN_LIMIT_NONE; /* the merge has limits of its own */
  return settled;
}

unsigned
omen_settled_candidates (const omen_settled *settled)
{
  return settled->candidates;
}
