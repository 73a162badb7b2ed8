/* A part of the order made again, with more care.

   Reads that fit, and numbered items whose turn it is, can go at once: if there
   is an order in which they go later there is also one in which they go now,
   since they change nothing that others see. So the only choices are between
   writes, and of those only of memory that several threads use in this part.
   The most promising write goes first:

     good   somebody's next access to the word reads what is written
     bad    somebody's next access to the word reads what is overwritten

   If that ends with a read r whose value was there, written by w, and is not
   any more because of w', then either r comes before w', or w' before w. The
   part is made again under one of these rules, then under the other, and so on
   (a rule a conflict, depth first). */
#include "recording/merge/merge.h"

#define MOST_NODES OMEN_HARD_OR (60u, 400u)
#define MOST_RULES 24
#define MOST_OPTIONS 12
#define MOST_REDONE ((uint64_t)1 << 18)
#define AHEAD 200 /* notes that are looked at, beyond where threads are */
#define SHARED (OMEN_NONE - 1)

/* The item of `second` comes after that of `first`. */
typedef struct rule {
  uint32_t first, second; /* threads */
  uint64_t first_at, second_at;
} rule;

typedef struct options {
  rule rules[MOST_OPTIONS];
  unsigned count;
} options;

typedef struct search {
  omen_merge *merge;
  uint64_t start;
  uint64_t *goal;          /* by thread: position */
  omen_note_cursor *ahead; /* by thread: to look at what comes */
  omen_map words;          /* word -> thread, or SHARED */
  rule rules[MOST_RULES];
  unsigned rules_count, nodes;
  uint64_t redone; /* how far, when it began */
} search;

static omen_merge_thread *
thread_of (const search *s, uint32_t t)
{
  return &s->merge->threads[t];
}

static uint64_t
position (const search *s, uint32_t t)
{
  return omen_cursor_position (&thread_of (s, t)->cursor);
}

/* ---- who uses which words ---- */

static void
note_word (search *s, uint32_t t, uint64_t word)
{
  uint32_t *user;
  if (word == OMEN_MAP_NO_KEY)
    return;
  user = omen_map_at (&s->words, word);
  *user = *user == OMEN_NONE || *user == t ? t : SHARED;
}

static void
note_extent (search *s, uint32_t t, omen_extent extent)
{
  uint64_t last;
  if (!extent.length || extent.length > 1 << 16)
    return;
  last = (extent.address + extent.length - 1) / 8;
  for (uint64_t word = extent.address / 8; word <= last; word++)
    note_word (s, t, word);
}

/* From where the part begins to where it is to end, and a little more. */
static void
note_words (search *s, uint32_t t)
{
  omen_note_cursor *cursor = &s->ahead[t];
  omen_item item;
  if (position (s, t) >= cursor->thread->notes)
    return;
  omen_cursor_seek (cursor, position (s, t));
  while (omen_cursor_position (cursor) < s->goal[t] + AHEAD
         && omen_cursor_peek (cursor, &item)) {
    note_extent (s, t, omen_item_extent (s->merge, &item));
    omen_cursor_pass (cursor, &item);
  }
}

static bool
is_shared (const search *s, const omen_item *item)
{
  omen_extent extent = omen_item_extent (s->merge, item);
  uint64_t last;
  if (!extent.length)
    return false;
  if (extent.length > 1 << 16)
    return true;
  last = (extent.address + extent.length - 1) / 8;
  for (uint64_t word = extent.address / 8; word <= last; word++)
    if (omen_map_get (&s->words, word) == SHARED)
      return true;
  return false;
}

/* ---- rules ---- */

static bool
is_held (const search *s, uint32_t t)
{
  for (unsigned i = 0; i < s->rules_count; i++) {
    const rule *r = &s->rules[i];
    if (r->second == t && r->second_at == position (s, t)
        && position (s, r->first) <= r->first_at)
      return true;
  }
  return false;
}

/* Does some rule want the item of t early? */
static bool
is_first (const search *s, uint32_t t)
{
  for (unsigned i = 0; i < s->rules_count; i++)
    if (s->rules[i].first == t && s->rules[i].first_at == position (s, t))
      return true;
  return false;
}

/* Those who were held, and are not any more. */
static void
release_held (search *s)
{
  for (uint32_t t = 0; s->rules_count && t < s->merge->count; t++)
    if (thread_of (s, t)->state == OMEN_MERGE_HELD && !is_held (s, t))
      omen_merge_ready (s->merge, t);
}

/* Nothing that the search began with may be forgotten. */
static bool
too_far (const search *s)
{
  return omen_merge_horizon (s->merge) > s->start;
}

/* ---- doing what is safe ---- */

/* Until a choice is to be made, or something is in its way. */
static void
run_safe (search *s, uint32_t t)
{
  omen_merge *merge = s->merge;
  omen_merge_thread *thread = thread_of (s, t);
  omen_item item;
  if (!*thread->born) {
    thread->state = OMEN_MERGE_THREAD;
    return;
  }
  for (;;) {
    if (!omen_cursor_peek (&thread->cursor, &item)) {
      omen_merge_over (merge, t);
      return;
    }
    if (s->rules_count && is_held (s, t)) {
      thread->state = OMEN_MERGE_HELD;
      return;
    }
    if (omen_item_writes (merge, &item) && is_shared (s, &item)) {
      if (omen_numbers_turn (merge, t, &item))
        thread->state = OMEN_MERGE_WRITE;
      return;
    }
    merge->early = s->rules_count && is_first (s, t);
    if (!omen_merge_item (merge, t, &item))
      return;
    if (too_far (s)) {
      thread->state = OMEN_MERGE_HELD;
      return;
    }
  }
}

static void
run_all_safe (search *s)
{
  while (s->merge->heap.count && !too_far (s)) {
    run_safe (s, omen_merge_next (s->merge));
    if (!s->merge->heap.count)
      release_held (s);
  }
}

static bool
reached (const search *s)
{
  for (uint32_t t = 0; t < s->merge->count; t++)
    if (position (s, t) < s->goal[t]
        && thread_of (s, t)->state != OMEN_MERGE_ENDED)
      return false;
  return true;
}

/* ---- choosing a write ---- */

/* The next access of t to a word, within reach. */
static bool
next_access (search *s, uint32_t t, uint64_t word, omen_item *item)
{
  omen_note_cursor *cursor = &s->ahead[t];
  uint64_t end = position (s, t) + AHEAD;
  if (position (s, t) >= cursor->thread->notes)
    return false;
  omen_cursor_seek (cursor, position (s, t));
  while (omen_cursor_position (cursor) < end
         && omen_cursor_peek (cursor, item)) {
    omen_extent extent = omen_item_extent (s->merge, item);
    if (extent.length && extent.address / 8 <= word
        && word <= (extent.address + extent.length - 1) / 8)
      return true;
    omen_cursor_pass (cursor, item);
  }
  return false;
}

/* What others would say about the write of t. */
static int
score (search *s, uint32_t t, const omen_item *write)
{
  omen_merge *merge = s->merge;
  omen_item read;
  int sum = 0;
  for (uint32_t other = 0; other < merge->count; other++) {
    bool now, then;
    if (other == t || !next_access (s, other, write->a / 8, &read)
        || omen_item_writes (merge, &read) || read.left)
      continue;
    now = omen_merge_fits (merge, &read);
    then = omen_item_gives (merge, write, &read);
    sum += then && !now ? 2 : now && !then ? -3 : 0;
    sum += then && thread_of (s, other)->state == OMEN_MERGE_ASLEEP;
  }
  return sum;
}

/* The best; of equals the one that is behind in time. OMEN_NONE: none can. */
static uint32_t
best_write (search *s)
{
  uint32_t best = OMEN_NONE;
  int best_score = 0;
  for (uint32_t t = 0; t < s->merge->count; t++) {
    omen_item item;
    int mine;
    if (thread_of (s, t)->state != OMEN_MERGE_WRITE
        || !omen_cursor_peek (&thread_of (s, t)->cursor, &item)
        || !omen_merge_fits (s->merge, &item))
      continue;
    mine = score (s, t, &item);
    if (best != OMEN_NONE
        && (mine < best_score
            || (mine == best_score
                && thread_of (s, t)->time >= thread_of (s, best)->time)))
      continue;
    best = t;
    best_score = mine;
  }
  return best;
}

static void
do_write (search *s, uint32_t t)
{
  omen_item item;
  omen_cursor_peek (&thread_of (s, t)->cursor, &item);
  thread_of (s, t)->state = OMEN_MERGE_OVER; /* so that it can be ready */
  omen_merge_item (s->merge, t, &item);
  omen_merge_ready (s->merge, t);
  release_held (s);
}

/* ---- what went wrong ---- */

static void
add_option (search *s, options *o, rule new)
{
  if (o->count == MOST_OPTIONS || new.first == new.second)
    return;
  for (unsigned i = 0; i < s->rules_count; i++)
    if (!__builtin_memcmp (&s->rules[i], &new, sizeof new))
      return;
  for (unsigned i = 0; i < o->count; i++)
    if (!__builtin_memcmp (&o->rules[i], &new, sizeof new))
      return;
  o->rules[o->count++] = new;
}

/* The value was there between two changes of the word: `given`, NULL if it was
   there before all, and `taken`. */
static void
add_options (search *s, options *o, uint32_t t, const omen_change *given,
             const omen_change *taken)
{
  rule before = { t, taken->thread, position (s, t), taken->position };
  add_option (s, o, before);
  if (given) {
    rule after
        = { taken->thread, given->thread, taken->position, given->position };
    add_option (s, o, after);
  }
}

static void
word_options (search *s, options *o, uint32_t t, const omen_wanted *w)
{
  const omen_change *taken = omen_wanted_last (s->merge, w), *given;
  for (; taken && taken->step >= s->start; taken = given) {
    given = omen_image_change (&s->merge->image, w->address, taken->before);
    if (given && given->step < s->start)
      given = NULL;
    if (omen_wanted_before (taken, w))
      add_options (s, o, t, given, taken);
  }
}

/* A failed try comes before the release. */
static void
try_options (search *s, options *o, uint32_t t, const omen_item *item)
{
  rule new = { .first = t, .first_at = position (s, t) };
  uint64_t step;
  if (omen_try_release (s->merge, item, &step, &new.second, &new.second_at)
      && step >= s->start)
    add_option (s, o, new);
}

/* Of every sleeper, every word that does not fit. */
static void
find_options (search *s, options *o)
{
  o->count = 0;
  for (size_t i = 0; i < s->merge->sleepers.count; i++) {
    uint32_t t = s->merge->sleepers.data[i];
    omen_item item;
    omen_wanted w;
    omen_cursor_peek (&thread_of (s, t)->cursor, &item);
    if (item.left)
      continue;
    if (omen_try_is (&item)) {
      try_options (s, o, t, &item);
      continue;
    }
    for (uint64_t k = 0; omen_wanted_word (s->merge, &item, k, &w); k++)
      if (!omen_image_word_fits (&s->merge->image, w.address, w.mask, w.value))
        word_options (s, o, t, &w);
  }
}

/* ---- the search ---- */

static bool
spent (const search *s)
{
  return too_far (s) || s->nodes >= MOST_NODES
         || s->merge->redone > s->merge->budget
         || s->merge->redone - s->redone > MOST_REDONE;
}

/* A try that failed for a reason before this part, or for none. */
static bool
has_no_reason (search *s, const omen_item *try)
{
  uint32_t thread;
  uint64_t step, at;
  return !omen_try_release (s->merge, try, &step, &thread, &at)
         || step < s->start;
}

/* Somebody is stuck at something that no order of this part can give: a sum
   that does not come, a value from outside, a failed try. */
static bool
let_go (search *s)
{
  for (size_t i = 0; i < s->merge->sleepers.count; i++) {
    uint32_t t = s->merge->sleepers.data[i];
    omen_item item;
    if (omen_sleep_answer_sum (s->merge, t))
      return true;
    omen_cursor_peek (&thread_of (s, t)->cursor, &item);
    if (item.left)
      continue;
    if (omen_try_is (&item) ? has_no_reason (s, &item)
                            : omen_explain_is_outside (s->merge, t, &item)) {
      omen_sleep_answer (s->merge, t);
      return true;
    }
  }
  return false;
}

/* The part under the rules; false: it ends with somebody stuck. */
static bool
make_part (search *s)
{
  omen_merge_rollback (s->merge, s->start);
  for (;;) {
    uint32_t t;
    run_all_safe (s);
    if (reached (s))
      return true;
    if (too_far (s))
      return false;
    t = best_write (s);
    if (t != OMEN_NONE)
      do_write (s, t);
    else if (!let_go (s))
      break;
  }
  /* at the end of the recording nobody is stuck at a value */
  return !s->merge->sleepers.count && !s->rules_count;
}

static bool
search_under (search *s)
{
  options o;
  s->nodes++;
  if (make_part (s))
    return true;
  if (too_far (s))
    return false;
  find_options (s, &o);
  for (unsigned i = 0; i < o.count && s->rules_count < MOST_RULES; i++) {
    if (spent (s))
      return false;
    s->rules[s->rules_count++] = o.rules[i];
    if (search_under (s))
      return true;
    s->rules_count--;
  }
  return false;
}

/* Everybody goes on as usual. */
static void
resume (omen_merge *merge)
{
  for (uint32_t t = 0; t < merge->count; t++)
    if (merge->threads[t].state == OMEN_MERGE_WRITE
        || merge->threads[t].state == OMEN_MERGE_HELD)
      omen_merge_ready (merge, t);
}

static void
start (search *s, uint32_t t)
{
  omen_merge *merge = s->merge;
  s->goal = omen_alloc (merge->count * sizeof *s->goal);
  s->ahead = omen_alloc (merge->count * sizeof *s->ahead);
  omen_map_init (&s->words);
  for (uint32_t other = 0; other < merge->count; other++) {
    s->goal[other] = position (s, other) + (other == t);
    omen_cursor_init (&s->ahead[other], merge->file,
                      thread_of (s, other)->cursor.thread);
  }
  omen_merge_rollback (merge, s->start);
  for (uint32_t other = 0; other < merge->count; other++)
    note_words (s, other);
}

bool
omen_search (omen_merge *merge, uint32_t t, uint64_t step)
{
  search s = { .merge = merge, .start = step, .redone = merge->redone };
  bool found;
  start (&s, t);
  merge->careful = true;
  found = search_under (&s);
  merge->careful = merge->early = false;
  if (found || too_far (&s))
    resume (merge);
  else
    omen_merge_rollback (merge, step);
  for (uint32_t other = 0; other < merge->count; other++)
    omen_cursor_fini (&s.ahead[other]);
  omen_map_fini (&s.words);
  omen_free (s.ahead);
  omen_free (s.goal);
  return found;
}
