/* The writes that a read may have seen, judged only by sequence numbers, forks
   and joins (races.h). Of one thread's writes to a word these may have been
   seen:

     those that certainly come before the read      the last one
     those that are not ordered with the read       all
     those that come after it                       none

   Of the last writes before the read, one that comes before another of them has
   been overwritten. If nothing comes before the read, it may have seen the
   initial contents. */
#include "recording/merge/races.h"
#include "recording/scan/settled.h"

/* Limits: last writes that are compared with each other, and writes considered
   for one read. */
enum { MOST_LAST = 64, MOST_SEEN = 1 << 14 };

typedef struct sources {
  omen_races *races;
  const omen_wanted *wanted;
  unsigned bad;   /* bytes that do not fit */
  bool racing;    /* some accesses to this word race */
  bool unordered; /* a write is not ordered with the read, or with another write
                   */
  bool parts;     /* a write covers only a part of the read */
  bool whole;     /* a write stores all bytes as they were read */
  unsigned same;  /* bytes not in memory now, but stored by a write */
  const omen_race_write *last[MOST_LAST];
  unsigned lasts;
  size_t seen; /* writes examined */
  bool open;   /* there are too many */
} sources;

/* ---- time ---- */

/* Its clock at t's next item. */
static uint32_t
clock_of (const omen_races *races, const omen_merge *merge, uint32_t t)
{
  const omen_race_ticks *ticks = &races->ticks[t];
  uint64_t at = omen_cursor_position (&merge->threads[t].cursor);
  size_t low = OMEN_FIRST_NOT (i, 0, ticks->at.count, ticks->at.data[i] <= at);
  return (uint32_t)low + 1;
}

const omen_race_time *
omen_races_now (const omen_races *races, const omen_merge *merge, uint32_t t)
{
  uint32_t entry = omen_map_get (&races->time_of,
                                 OMEN_PAIR (t, clock_of (races, merge, t)));
  return entry == OMEN_NONE ? NULL : &races->times.data[entry];
}

const omen_race_write *
omen_races_writes (const omen_races *races, uint64_t word,
                   const omen_race_write **end)
{
  uint32_t first = omen_map_get (&races->racing, word);
  const omen_race_write *from, *low, *high;
  if (first == OMEN_NONE) {
    *end = NULL;
    return NULL;
  }
  from = low = races->writes.data + first;
  high = races->writes.data + races->writes.count;
  while (low < high) {
    const omen_race_write *middle = low + (high - low) / 2;
    if (middle->word == word)
      low = middle + 1;
    else
      high = middle;
  }
  *end = low;
  return from;
}

/* ---- one word ---- */

static unsigned
same_bytes (const omen_race_write *write, const omen_wanted *w)
{
  unsigned same = 0;
  for (unsigned i = 0; i < 8; i++)
    if (write->any
        || (uint8_t)(write->value >> 8 * i) == (uint8_t)(w->value >> 8 * i))
      same |= 1u << i;
  return same & write->mask & w->mask;
}

static void
may_be_seen (sources *s, const omen_race_write *write)
{
  unsigned all = s->wanted->mask, same = same_bytes (write, s->wanted);
  s->parts |= (write->mask & all) != all;
  s->whole |= same == all;
  s->same |= same & s->bad;
}

/* A thread's last writes before the read, back to where all bytes are
   covered. */
static void
add_last (sources *s, const omen_race_write *from, const omen_race_write *write)
{
  unsigned left = s->wanted->mask;
  while (left && write-- > from) {
    if (!(write->mask & left))
      continue;
    if (s->lasts == MOST_LAST) {
      s->open = true;
      return;
    }
    s->last[s->lasts++] = write;
    left &= ~(unsigned)write->mask;
  }
}

/* Is it overwritten by another of the last writes, one that comes after it and
   covers its bytes? */
static bool
is_overwritten (const sources *s, const omen_race_write *write)
{
  const omen_race_time *times = s->races->times.data;
  for (unsigned i = 0; i < s->lasts; i++) {
    const omen_race_write *other = s->last[i];
    if (other->thread != write->thread
        && times[write->time].clock <= times[other->time].after[write->thread]
        && !(write->mask & s->wanted->mask & ~(unsigned)other->mask))
      return true;
  }
  return false;
}

/* The read. */
typedef struct reader {
  uint32_t t;
  uint64_t at;
  const omen_race_time *now;
} reader;

static bool
is_before (const sources *s, const reader *r, const omen_race_write *write)
{
  return write->thread == r->t ? write->position < r->at
                               : omen_race_is_before (s->races, r->now, write);
}

static bool
is_not_after (const sources *s, const reader *r, const omen_race_write *write)
{
  return write->thread == r->t
             ? write->position < r->at
             : !omen_race_is_after (s->races, r->t, r->now, write);
}

static bool
is_same_thread (const sources *s, const reader *r, const omen_race_write *write)
{
  (void)s;
  return write->thread == r->t;
}

/* The first write in [low, high) for which `holds` is false. */
static const omen_race_write *
first_not (const sources *s, const reader *r,
           bool holds (const sources *, const reader *,
                       const omen_race_write *),
           const omen_race_write *low, const omen_race_write *high)
{
  while (low < high) {
    const omen_race_write *middle = low + (high - low) / 2;
    if (holds (s, r, middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The writes of one thread: [from, end). */
static void
add_thread (sources *s, const reader *r, const omen_race_write *from,
            const omen_race_write *end)
{
  const omen_race_write *write = first_not (s, r, is_before, from, end);
  const omen_race_write *after = first_not (s, r, is_not_after, write, end);
  s->seen += (size_t)(after - write);
  s->open |= s->seen > MOST_SEEN;
  add_last (s, from, write);
  for (; !s->open && write < after; write++)
    if (write->mask & s->wanted->mask) {
      s->unordered = true;
      may_be_seen (s, write);
    }
}

/* Adds the last writes that are not overwritten; returns the bytes that none of
   them covers. */
static unsigned
add_lasts (sources *s)
{
  const omen_race_write *left[MOST_LAST];
  unsigned count = 0, rest = s->wanted->mask;
  for (unsigned i = 0; i < s->lasts; i++) {
    const omen_race_write *write = s->last[i];
    rest &= ~(unsigned)write->mask;
    if (is_overwritten (s, write))
      continue;
    for (unsigned k = 0; k < count; k++)
      s->unordered |= left[k]->thread != write->thread
                      && left[k]->mask & write->mask & s->wanted->mask;
    left[count++] = write;
    may_be_seen (s, write);
  }
  return rest;
}

/* Adds the initial contents of bytes that no write before the read covers. */
static void
add_start (sources *s, unsigned left)
{
  omen_race_write start = { .mask = (uint8_t)left };
  unsigned known
      = omen_image_read (&s->races->start, s->wanted->address, 8, &start.value);
  unsigned unknown = left & ~known;
  start.mask &= (uint8_t)known;
  if (start.mask)
    may_be_seen (s, &start);
  start.mask = (uint8_t)unknown;
  start.any = true;
  if (unknown)
    may_be_seen (s, &start);
}

static void
add_all (sources *s, const reader *r, const omen_race_write *from,
         const omen_race_write *end)
{
  while (from < end && !s->open) {
    reader same = { .t = from->thread };
    const omen_race_write *next
        = first_not (s, &same, is_same_thread, from, end);
    add_thread (s, r, from, next);
    from = next;
  }
  add_start (s, add_lasts (s));
}

static omen_races *
races_of (omen_merge *merge)
{
  if (!merge->ambiguous && !merge->races)
    merge->races = omen_races_new (merge->file);
  return merge->ambiguous ? merge->ambiguous : merge->races;
}

/* Does no thread except t write there, with no records lost? What others write
   unseen to exposed memory is not t's doing. */
static bool
is_own (const omen_races *races, uint32_t t, uint64_t address)
{
  uint32_t writer
      = omen_map_get (&races->writers, address >> OMEN_RACE_BLOCK_BITS);
  return (writer == t || writer == OMEN_NONE) && !races->file->reader->lossy
         && !races->file->late
         && !omen_mappings_exposed (&races->file->mappings, address);
}

bool
omen_writers_own (omen_merge *merge, uint32_t t, uint64_t address,
                  uint64_t length)
{
  const omen_races *races = races_of (merge);
  uint64_t last = address + length - 1;
  for (uint64_t at = address; at <= last; at += 8)
    if (!is_own (races, t, at))
      return false;
  return is_own (races, t, last);
}

/* Are records lost that may come before the read of t? */
static bool
misses_something (const omen_races *races, const omen_merge *merge, uint32_t t)
{
  uint32_t now = clock_of (races, merge, t);
  for (uint32_t u = 0; u < races->threads; u++)
    if (u != t && races->lost[u] && races->lost[u][t] < now)
      return true;
  return false;
}

/* Collects all that the read may have seen. False: unknown. */
static bool
find_sources (sources *s, const omen_merge *merge, uint32_t t)
{
  const omen_race_write *end, *from;
  reader r = { .t = t };
  if (is_own (s->races, t, s->wanted->address))
    return true;
  if (!omen_races_find (s->races) || misses_something (s->races, merge, t))
    return false;
  from = omen_races_writes (s->races, s->wanted->address / 8, &end);
  s->racing = from;
  if (!from) /* the merged order has all writes in their places */
    return true;
  r.now = omen_races_now (s->races, merge, t);
  r.at = omen_cursor_position (&merge->threads[t].cursor);
  if (r.now)
    add_all (s, &r, from, end);
  return r.now && !s->open;
}

/* ---- all of a read ---- */

/* Is the merged order the order of the run? */
static bool
is_alone (const omen_merge *merge)
{
  return merge->one_log || merge->count == 1;
}

static unsigned
bytes_that_differ (omen_merge *merge, const omen_wanted *w)
{
  unsigned bad = 0;
  for (unsigned i = 0; i < 8; i++)
    if (w->mask >> i & 1
        && !omen_image_word_fits (&merge->image, w->address, 1u << i, w->value))
      bad |= 1u << i;
  return bad;
}

/* No write stores the bytes that differ. If every write covers all bytes of the
   read, one of them would have to store all of them. */
static bool
is_outside (omen_races *races, omen_merge *merge, uint32_t t,
            const omen_wanted *w)
{
  sources s = { .races = races, .wanted = w };
  s.bad = bytes_that_differ (merge, w);
  if (!s.bad)
    return true;
  return find_sources (&s, merge, t) && !(s.parts ? s.same : s.whole)
         && !(s.racing && omen_merge_was_outside (merge, w->address));
}

bool
omen_writers_outside (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_races *races;
  omen_wanted w;
  omen_extent all = omen_item_extent (merge->file, item);
  if (is_alone (merge)
      || omen_settled_is (merge->file->settled, all.address, all.length))
    return true;
  races = races_of (merge);
  for (uint64_t k = 0; omen_wanted_word (merge, item, k, &w); k++)
    if (!is_outside (races, merge, t, &w))
      return false;
  return true;
}

static bool
is_certain (omen_races *races, omen_merge *merge, uint32_t t, uint64_t address,
            unsigned mask)
{
  omen_wanted w = { address, 0, mask };
  sources s = { .races = races, .wanted = &w };
  return !mask || (find_sources (&s, merge, t) && !s.unordered);
}

bool
omen_writers_certain (omen_merge *merge, uint32_t t, uint64_t address,
                      unsigned size)
{
  omen_races *races;
  unsigned mask = ((1u << size) - 1) << address % 8;
  uint64_t word = address & ~UINT64_C (7);
  if (is_alone (merge) || omen_settled_is (merge->file->settled, address, size))
    return true;
  races = races_of (merge);
  return is_certain (races, merge, t, word, mask & 0xff)
         && is_certain (races, merge, t, word + 8, mask >> 8);
}
