/* Compiled several times, for different processors (encode_choose.c). */
#include "runtime/core/bytes.h"
#include "runtime/log/encode.h"
#include "runtime/log/encode_words.h"
#include "runtime/core/rt.h"
#include "wire/format.h"

#include <limits.h>

enum { RUN_LEAST = 4 /* to be worth it */, NOTE_WORDS = 3 };

static OMEN_ALWAYS_INLINE const omen_code_block *
block_of (uint64_t header)
{
  return (const omen_code_block *)header;
}

static OMEN_ALWAYS_INLINE bool
is_block (uint64_t header)
{
  return block_of (header)->kind == OMEN_SITE_BLOCK;
}

static OMEN_ALWAYS_INLINE bool
is_loop (const omen_code_block *block)
{
  return block->loads == OMEN_BLOCK_LOOP;
}

/* ---- headers ---- */

static inline uint32_t
bucket_of (const omen_encoder *e, uint64_t header, uint64_t place)
{
  return (uint32_t)((header + (place << 16)) * UINT64_C (0x9e3779b97f4a7c15)
                    >> 32)
         & (2 * e->most + 1);
}

/* `place`: of a RANGE item, else NULL. */
static OMEN_ALWAYS_INLINE bool
is_local (const omen_encoder_local *local, uint64_t header,
          const uint64_t *place)
{
  return local->header == header && (!place || local->place == *place);
}

/* Where it is, or would be. */
static OMEN_ALWAYS_INLINE uint16_t *
find_bucket (omen_encoder *e, uint64_t header, const uint64_t *place)
{
  uint32_t at = bucket_of (e, header, place ? *place : 0);
  while (e->buckets[at]
         && !is_local (&e->locals[e->buckets[at] - 1], header, place))
    at = (at + 1) & (2 * e->most + 1);
  return &e->buckets[at];
}

/* Room for the last record of a new local, with what is written behind it;
   there always is some (begin_chunk), and apart from it for the one that is
   shared. */
static uint32_t
new_last (omen_encoder *e, unsigned words)
{
  words = (words + 2) / 4 * 4 + 1;
  uint32_t last = e->count < e->most ? e->last_count : OMEN_KEPT_WORDS;
  if (e->count < e->most)
    e->last_count += words;
  omen_bytes_zero (&e->last[last], 8 * words);
  return last;
}

static uint8_t *
put_new (omen_encoder *e, uint8_t *p, uint64_t header, const uint64_t *place)
{
  const omen_code_block *block = is_block (header) ? block_of (header) : NULL;
  unsigned words = block ? block->words : place ? 1 : NOTE_WORDS;
  e->locals[e->count] = (omen_encoder_local){
    .header = header,
    .place = place ? *place : 0,
    .last = new_last (e, words),
    .notes = block ? (uint8_t)block->count : 1,
  };
  *p++ = 0;
  if (place) {
    *p++ = OMEN_CODE_BYTES;
    p = omen_varint_put (p, ((const omen_bytes_head *)header)->id);
    return omen_varint_put (p, *place);
  }
  uint32_t id = block ? omen_block_id ((omen_code_block *)header)
                      : omen_site_id ((omen_site *)header);
  return omen_varint_put (p, 2 * (uint64_t)id + (block != NULL));
}

/* Writes which header a record has; *local: its entry. */
static __attribute__ ((noinline)) uint8_t *
put_head (omen_encoder *e, uint8_t *p, uint64_t header, const uint64_t *place,
          uint32_t *local)
{
  uint16_t *bucket = find_bucket (e, header, place);
  if (*bucket) {
    *local = *bucket - 1u;
    return omen_varint_put (p, *bucket + 1u);
  }
  p = put_new (e, p, header, place);
  *local = e->count;
  if (e->count < e->most)
    *bucket = (uint16_t)++e->count;
  return p;
}

/* ---- notes ---- */

/* The state of the encoder that is kept in registers. */
typedef struct state {
  uint8_t *p;
  uint8_t *tags;
  uint8_t *flags; /* where the current flags byte is */
  unsigned left;  /* flags that still fit into it */
  unsigned bits;  /* the flags so far, up to bit 7 */
  uint64_t word;  /* word 1 of the record before; with --no-values addresses are
                     predicted from it */
  uint32_t before, context; /* the local of the record before; what follows it
                               is expected to be after[context] */
} state;

/* Before a record is written. */
static OMEN_ALWAYS_INLINE void
begin_flags (state *s)
{
  if (!s->left) {
    s->flags = s->p++;
    s->left = 8;
  }
}

static OMEN_ALWAYS_INLINE void
put_flags (state *s, bool expected, bool repeated)
{
  s->bits = s->bits >> 2 | (unsigned)expected << 6 | (unsigned)repeated << 7;
  s->left -= 2;
  if (!s->left)
    *s->flags = (uint8_t)s->bits;
}

/* Writes the last flags, fewer than 8. */
static void
end_flags (const state *s)
{
  if (s->left)
    *s->flags = (uint8_t)(s->bits >> s->left);
}

static OMEN_ALWAYS_INLINE void
move_on (const omen_encoder *e, state *s, uint32_t local)
{
  s->context = omen_notes_context (local, s->before, e->most);
  s->before = local;
}

/* The words of a record that has more than OMEN_TAGS_WORDS. */
static __attribute__ ((noinline)) uint8_t *
put_long (uint8_t *p, uint8_t *to, const uint64_t *at, uint64_t *last,
          unsigned words, unsigned sum, uint64_t leapt)
{
  uint64_t tags = omen_put_words (&p, at, last, OMEN_TAGS_WORDS, sum, leapt);
  __builtin_memcpy (to, &tags, 8);
  for (unsigned i = OMEN_TAGS_WORDS; i < words; i += 16) {
    unsigned end = words < i + 16 ? words : i + 16;
    tags = omen_put_rest (&p, at, last, i, end, sum);
    __builtin_memcpy (to + i / 2, &tags, 8);
  }
  return p;
}

/* Writes a record after its header; true: with the tags of the one before.
   `sum`: the word of that one which went into a sum, if any. */
static OMEN_ALWAYS_INLINE bool
put_known (omen_encoder *e, state *s, const uint64_t *at,
           omen_encoder_local *local, unsigned words, unsigned sum)
{
  uint64_t leapt = s->word + local->leap, *last = &e->last[local->last];
  local->leap = at[1] - s->word;
  s->word = at[1];
  if (OMEN_UNLIKELY (words > OMEN_TAGS_WORDS)) {
    s->p = put_long (s->p, s->tags, at, last, words, sum, leapt);
    s->tags += words / 2;
    return false;
  }
  uint64_t tags = omen_put_words (&s->p, at, last, words, sum, leapt);
  bool repeated = tags == local->tags;
  __builtin_memcpy (s->tags, &tags, 8);
  s->tags += repeated ? 0 : words / 2;
  local->tags = tags;
  return repeated;
}

static OMEN_ALWAYS_INLINE void
put_note (omen_encoder *e, state *s, const uint64_t *at, unsigned words)
{
  uint32_t index = e->after[s->context];
  bool expected = e->locals[index].header == at[0];
  begin_flags (s);
  if (!expected)
    s->p = put_head (e, s->p, at[0], NULL, &index);
  e->after[s->context] = (uint16_t)index;
  move_on (e, s, index);
  omen_encoder_local *local = &e->locals[index];
  put_flags (
      s, expected,
      put_known (e, s, at, local, words, local->summed ? words - 1 : words));
  local->summed = false;
  /* The number of records in a loop varies. */
  local->quick
      = is_block (at[0]) && is_loop (block_of (at[0])) ? 0 : (uint8_t)words;
}

/* Do RUN_LEAST records with the same header follow? A data word may look like a
   header: the exact count finds that out. */
static OMEN_ALWAYS_INLINE bool
starts_run (const uint64_t *at, const uint64_t *end, unsigned words)
{
  const uint64_t *last = at + (RUN_LEAST - 1) * words;
  return last < end && at[words] == at[0] && at[2 * words] == at[0]
         && *last == at[0];
}

/* Writes all records that are the expected ones, up to a run. The position of
   the next record follows from what this one was expected to be, so that the
   processor can work on several at once. The expected successor of a record
   that is not `quick` is itself. */
static OMEN_ALWAYS_INLINE const uint64_t *
put_expected (omen_encoder *e, state *s, const uint64_t *at,
              const uint64_t *end, uint32_t *count)
{
  while (at < end) {
    uint32_t index = e->after[s->context];
    omen_encoder_local *local = &e->locals[index];
    unsigned words = local->quick;
    const uint64_t *next = at + words;
    if (local->header != at[0] || starts_run (at, end, words))
      break;
    begin_flags (s);
    put_flags (s, true, put_known (e, s, at, local, words, UINT_MAX));
    move_on (e, s, index);
    *count += local->notes;
    at = next;
  }
  return at;
}

/* Writes one record that was not expected, but may be written likewise; NULL:
   it is not one. */
static OMEN_ALWAYS_INLINE const uint64_t *
put_other (omen_encoder *e, state *s, const uint64_t *at, const uint64_t *end,
           uint32_t *count)
{
  uint32_t index = *find_bucket (e, at[0], NULL);
  if (!index--)
    return NULL;
  omen_encoder_local *local = &e->locals[index];
  unsigned words = local->quick;
  if (starts_run (at, end, words))
    return NULL;
  begin_flags (s);
  s->p = omen_varint_put (s->p, index + 2);
  put_flags (s, false, put_known (e, s, at, local, words, UINT_MAX));
  e->after[s->context] = (uint16_t)index;
  move_on (e, s, index);
  *count += local->notes;
  return at + words;
}

/* ---- RANGE items ---- */

/* Are all words after the first one equal, and all of their bytes? */
static bool
is_fill (const uint64_t *words, size_t length)
{
  size_t whole = length / 8, rest = length % 8;
  if (!whole || words[0] != (words[0] & 255) * UINT64_C (0x0101010101010101)
      || words[0] != words[whole - 1])
    return false;
  for (size_t i = 1; i < whole; i++)
    if (words[i] != words[0])
      return false;
  return !rest || words[whole] == words[0] >> (64 - 8 * rest);
}

/* Writes up to 24 bytes past the end. */
static OMEN_ALWAYS_INLINE uint8_t *
put_all (uint8_t *p, const uint64_t *words, size_t length)
{
  size_t count = (length + 7) / 8;
  uint8_t *to = p;
  for (; count >= 4; count -= 4, words += 4, to += 32)
    __builtin_memcpy (to, words, 32);
  for (; count; count--, words++, to += 8)
    __builtin_memcpy (to, words, 8);
  return p + length;
}

static OMEN_ALWAYS_INLINE bool
is_same (const uint64_t *a, const uint64_t *b)
{
  if (a[3] != b[3] || a[4] != b[4])
    return false;
  for (size_t i = 5, end = omen_bytes_end (a); i < end; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

/* Writes the form, which is the tag alone, and the address. */
static OMEN_ALWAYS_INLINE uint8_t *
put_address (omen_encoder *e, state *s, uint64_t address, uint32_t index)
{
  omen_encoder_local *local = &e->locals[index];
  uint8_t *form = s->p++;
  *form = (uint8_t)omen_put_word (&s->p, address, e->last[local->last],
                                  s->word + local->leap);
  local->leap = address - s->word;
  e->last[local->last] = s->word = address;
  return form;
}

/* After form and address. */
static __attribute__ ((noinline)) uint8_t *
put_bytes (omen_encoder *e, uint8_t *p, uint8_t *form, const uint64_t *at)
{
  const uint64_t *before = e->bytes[0], *words = at + OMEN_BYTES_WORDS;
  e->bytes[0] = at;
  if (before && is_same (before, at)) {
    *form |= OMEN_BYTES_SAME;
    return p;
  }
  const uint64_t *second = e->bytes[1];
  e->bytes[1] = before;
  if (second && is_same (second, at)) {
    *form |= OMEN_BYTES_AGAIN;
    return p;
  }
  p = omen_varint_put (p, at[3]);
  if (is_fill (words, at[3])) {
    *form |= OMEN_BYTES_FILL;
    *p = (uint8_t)words[0];
    return p + 1;
  }
  *form |= OMEN_BYTES_HERE;
  return put_all (p, words, at[3]);
}

static OMEN_ALWAYS_INLINE uint32_t
put_range_head (omen_encoder *e, state *s, const omen_bytes_head *head,
                uint64_t place)
{
  uint32_t index = e->after[s->context];
  bool expected = is_local (&e->locals[index], (uintptr_t)head, &place);
  begin_flags (s);
  if (!expected)
    s->p = put_head (e, s->p, (uintptr_t)head, &place, &index);
  put_flags (s, expected, false);
  e->after[s->context] = (uint16_t)index;
  move_on (e, s, index);
  return index;
}

/* How many notes it is. */
static OMEN_ALWAYS_INLINE uint32_t
put_range (omen_encoder *e, state *s, const uint64_t *at)
{
  const omen_bytes_head *head = (const omen_bytes_head *)at[0];
  uint32_t notes = 2 + (uint32_t)(at[3] + 15) / 16;
  uint32_t index = put_range_head (e, s, head, at[1]);
  uint8_t *form = put_address (e, s, at[2], index);
  s->p = put_bytes (e, s->p, form, at);
  if (!head->write)
    return notes;
  index = put_range_head (e, s, head->write, at[1]);
  form = put_address (e, s, at[omen_bytes_end (at)], index);
  *form |= OMEN_BYTES_SAME;
  return 2 * notes;
}

/* ---- runs ---- */

static inline size_t
run_length (const uint64_t *at, const uint64_t *end, unsigned words)
{
  uint64_t header = at[0];
  size_t count = 1;
  for (at += words; at < end && *at == header; at += words)
    count++;
  return count;
}

/* Words 1 … n of the block's records are addresses, followed by steps. */
static unsigned
addresses_of (const omen_code_block *block)
{
  unsigned n = block->bases;
  for (uint32_t i = 0; i < block->count; i++) {
    const omen_member *m = &block->members[i];
    unsigned step = omen_member_step (m->constant, m->word);
    if (step && step <= n)
      n = step - 1;
  }
  return n;
}

static omen_encode_repeat
run_of (const omen_encoder *e, const uint64_t *at, size_t count,
        const omen_encoder_local *local)
{
  const omen_code_block *block = block_of (at[0]);
  omen_encode_repeat run = { .at = at,
                             .count = count,
                             .last = &e->last[local->last],
                             .summed = local->summed,
                             .words = NOTE_WORDS,
                             .addresses = 1,
                             .loads = block->kind == OMEN_SITE_LOAD };
  if (is_block (at[0])) {
    run.words = block->words;
    run.addresses = addresses_of (block);
    run.loads = block->loads;
  }
  return run;
}

static __attribute__ ((noinline)) uint8_t *
put_run (omen_encoder *e, uint8_t *p, const uint64_t *at, size_t count,
         uint32_t *index)
{
  *p++ = OMEN_CODE_RUN;
  p = put_head (e, p, at[0], NULL, index);
  p = omen_varint_put (p, count);
  omen_encoder_local *local = &e->locals[*index];
  omen_encode_repeat run = run_of (e, at, count, local);
  p = OMEN_ENCODE_COLUMNS (p, &run);
  at += (count - 1) * run.words;
  for (size_t i = 1; i < run.words; i++)
    e->last[local->last + i] = at[i];
  local->summed = run.summed;
  if (run.summed)
    local->quick = 0;
  return p;
}

/* ---- chunks ---- */

/* The records of a chunk need at most five words in `last` for each two. */
static void
begin_chunk (omen_encoder *e)
{
  size_t table = 2 * (e->most + 1) * sizeof *e->buckets;
  e->locals[e->most].header = 0;
  e->bytes[0] = e->bytes[1] = NULL;
  e->continues
      = e->left > 0 && e->last_count + 3 * OMEN_WORDS_MAX <= OMEN_KEPT_WORDS;
  if (e->continues) {
    e->left--;
    return;
  }
  omen_bytes_zero (e->buckets, table);
  omen_bytes_zero (e->after, table);
  e->locals[0].header = 0;
  e->count = e->last_count = 0;
  e->left = e->chain;
}

static OMEN_ALWAYS_INLINE void
put_many (omen_encoder *e, state *s, const uint64_t *at, size_t count,
          unsigned words)
{
  uint32_t index;
  begin_flags (s);
  s->p = put_run (e, s->p, at, count, &index);
  put_flags (s, false, false);
  e->after[s->context] = (uint16_t)index;
  move_on (e, s, index);
  s->word = at[(count - 1) * words + 1];
}

/* Writes one record or a run; returns its end. */
static OMEN_ALWAYS_INLINE const uint64_t *
put_next (omen_encoder *e, state *s, const uint64_t *at, const uint64_t *end,
          unsigned words, size_t *count)
{
  *count = run_length (at, end, words);
  if (OMEN_UNLIKELY (*count >= RUN_LEAST)) {
    put_many (e, s, at, *count, words);
    return at + *count * words;
  }
  *count = 1;
  put_note (e, s, at, words);
  return at + words;
}

/* How many records `rest` words of a block hold. */
static OMEN_ALWAYS_INLINE uint32_t
members_in (const omen_code_block *block, const uint64_t *at, size_t run)
{
  uint64_t turns = run;
  if (OMEN_UNLIKELY (is_loop (block))) {
    turns = 0;
    for (const uint64_t *last = at + block->words - 1; run; run--)
      turns += last[(run - 1) * block->words];
  }
  return (uint32_t)turns * block->count;
}

/* Writes what may be a run, long, new, or a RANGE item. */
static __attribute__ ((noinline)) const uint64_t *
put_any (omen_encoder *e, state *s, const uint64_t *at, const uint64_t *end,
         uint32_t *count)
{
  const omen_code_block *block = block_of (at[0]);
  size_t run;
  if (block->kind == OMEN_HEAD_BYTES) {
    *count += put_range (e, s, at);
    return at + omen_bytes_words (at);
  }
  if (!is_block (at[0])) {
    at = put_next (e, s, at, end, NOTE_WORDS, &run);
    *count += (uint32_t)run;
    return at;
  }
  const uint64_t *next = put_next (e, s, at, end, block->words, &run);
  *count += members_in (block, at, run);
  return next;
}

/* Writes records up to one that put_any has to write. The state is a copy,
   since that of the caller has an address. */
static OMEN_ALWAYS_INLINE const uint64_t *
put_quick (omen_encoder *e, state *s, const uint64_t *at, const uint64_t *end,
           uint32_t *count)
{
  state now = *s;
  const uint64_t *next = at;
  uint32_t all = 0;
  while (next) {
    at = put_expected (e, &now, next, end, &all);
    next = at < end ? put_other (e, &now, at, end, &all) : NULL;
  }
  *count += all;
  *s = now;
  return at;
}

size_t
OMEN_ENCODE (omen_encoder *e, const uint64_t *words, size_t count, uint8_t *out,
             uint32_t *notes)
{
  const uint64_t *at = words, *end = words + count;
  uint32_t all = 0, size;
  begin_chunk (e);
  state s = { .p = out + sizeof size, .tags = e->tags, .before = e->most };
  s.context = omen_notes_context (e->most, e->most, e->most);
  while ((at = put_quick (e, &s, at, end, &all)) < end)
    at = put_any (e, &s, at, end, &all);
  end_flags (&s);
  if (e->count == e->most)
    e->left = 0;
  size = (uint32_t)(s.p - out - sizeof size);
  __builtin_memcpy (out, &size, sizeof size);
  size_t tags = (size_t)(s.tags - e->tags);
  omen_bytes_copy (s.p, e->tags, tags);
  *notes = all;
  return (size_t)(s.p - out) + tags;
}
