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

/* Stands for the record before the first one of a header. */
static const uint64_t nothing[OMEN_BLOCK_WORDS];

/* ---- headers ---- */

static inline uint32_t
bucket_of (const omen_encoder *e, uint64_t header, uint64_t place)
{
  return (uint32_t)((header + (place << 16)) * UINT64_C (0x9e3779b97f4a7c15)
                    >> 32)
         & (2 * e->most + 1);
}

static OMEN_ALWAYS_INLINE bool
is_local (const omen_encoder_local *local, uint64_t header, uint64_t place)
{
  return local->header == header && local->place == place;
}

/* Where it is, or would be. */
static uint16_t *
find_bucket (omen_encoder *e, uint64_t header, uint64_t place)
{
  uint32_t at = bucket_of (e, header, place);
  while (e->buckets[at]
         && !is_local (&e->locals[e->buckets[at] - 1], header, place))
    at = (at + 1) & (2 * e->most + 1);
  return &e->buckets[at];
}

static uint8_t *
put_new (omen_encoder *e, uint8_t *p, uint64_t header, uint64_t place)
{
  bool block = is_block (header);
  e->locals[e->count] = (omen_encoder_local){ .header = header,
                                              .place = place,
                                              .last = nothing,
                                              .next = &e->locals[0],
                                              .notes = 1,
                                              .words = NOTE_WORDS };
  *p++ = 0;
  if (block_of (header)->kind == OMEN_HEAD_BYTES) {
    e->locals[e->count].words = 1;
    *p++ = OMEN_CODE_BYTES;
    p = omen_varint_put (p, ((const omen_bytes_head *)header)->id);
    return omen_varint_put (p, place);
  }
  uint32_t id = block ? omen_block_id ((omen_code_block *)header)
                      : omen_site_id ((omen_site *)header);
  if (block) {
    e->locals[e->count].notes = (uint8_t)block_of (header)->count;
    e->locals[e->count].words = block_of (header)->words;
  }
  return omen_varint_put (p, 2 * (uint64_t)id + block);
}

/* Writes which header a record has; *local: its entry. */
static __attribute__ ((noinline)) uint8_t *
put_head (omen_encoder *e, uint8_t *p, uint64_t header, uint64_t place,
          omen_encoder_local **local)
{
  uint16_t *bucket = find_bucket (e, header, place);
  if (*bucket) {
    *local = &e->locals[*bucket - 1];
    return omen_varint_put (p, *bucket + 1u);
  }
  p = put_new (e, p, header, place);
  *local = &e->locals[e->count];
  if (e->count < e->most)
    *bucket = (uint16_t)++e->count;
  return p;
}

/* ---- notes ---- */

/* The state of the encoder that is kept in registers. */
typedef struct state {
  uint8_t *p;
  uint8_t *flags; /* where the current flags byte is */
  unsigned left;  /* flags that still fit into it */
  unsigned bits;  /* the flags so far, up to bit 7 */
  uint64_t word;  /* word 1 of the record before; with --no-values addresses are
                     predicted from it */
  omen_encoder_local *before;
} state;

static OMEN_ALWAYS_INLINE void
put_flag (state *s, unsigned flag)
{
  if (!s->left) {
    s->flags = s->p++;
    s->left = 8;
  }
  s->bits = s->bits >> 1 | flag << 7;
  if (!--s->left)
    *s->flags = (uint8_t)s->bits;
}

/* Writes the last flags, fewer than 8. */
static void
put_flags (const state *s)
{
  if (s->left)
    *s->flags = (uint8_t)(s->bits >> s->left);
}

/* Writes a record after its header. `sum`: the word of the previous one that
   went into a sum, if any. */
static OMEN_ALWAYS_INLINE void
put_known (state *s, const uint64_t *at, omen_encoder_local *local,
           unsigned words, unsigned sum)
{
  s->before = local;
  s->p = omen_put_words (s->p, at, local->last, words, sum,
                         s->word + local->leap);
  local->leap = at[1] - s->word;
  local->last = at;
  s->word = at[1];
}

static OMEN_ALWAYS_INLINE void
put_note (omen_encoder *e, state *s, const uint64_t *at, unsigned words)
{
  omen_encoder_local *local = s->before->next;
  bool expected = local->header == at[0];
  put_flag (s, expected);
  if (!expected)
    s->p = put_head (e, s->p, at[0], 0, &local);
  s->before->next = local;
  put_known (s, at, local, words, local->summed ? words - 1 : words);
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

/* Writes all records that are followed by the same header as last time, up to a
   run. The position of the next record follows from what this one was expected
   to be, so that the processor can work on several at once. The expected
   successor of a record that is not `quick` is itself. */
static OMEN_ALWAYS_INLINE const uint64_t *
put_expected (state *s, const uint64_t *at, const uint64_t *end,
              uint32_t *count)
{
  while (at < end) {
    omen_encoder_local *local = s->before->next;
    unsigned words = local->quick;
    const uint64_t *next = at + words;
    if (local->header != at[0] || starts_run (at, end, words))
      break;
    put_flag (s, 1);
    put_known (s, at, local, words, UINT_MAX);
    *count += local->notes;
    at = next;
  }
  return at;
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

/* Writes the form, which is the tag alone, and the address. `word`: that of the
   record before. */
static OMEN_ALWAYS_INLINE uint8_t *
put_address (uint8_t *p, const uint64_t *address, omen_encoder_local *local,
             uint64_t word)
{
  uint8_t *form = p++;
  *form = (uint8_t)omen_put_word (&p, *address, local->last ? *local->last : 0,
                                  word + local->leap);
  local->leap = *address - word;
  local->last = address;
  return p;
}

/* After the head. */
static __attribute__ ((noinline)) uint8_t *
put_bytes (omen_encoder *e, uint8_t *p, const uint64_t *at,
           omen_encoder_local *local, uint64_t word)
{
  const uint64_t *before = e->bytes, *words = at + OMEN_BYTES_WORDS;
  uint8_t *form = p;
  p = put_address (p, at + 2, local, word);
  e->bytes = at;
  if (before && is_same (before, at)) {
    *form |= OMEN_BYTES_SAME;
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

static OMEN_ALWAYS_INLINE omen_encoder_local *
put_range_head (omen_encoder *e, state *s, const omen_bytes_head *head,
                uint64_t place)
{
  omen_encoder_local *local = s->before->next;
  bool expected = is_local (local, (uintptr_t)head, place);
  put_flag (s, expected);
  if (!expected)
    s->p = put_head (e, s->p, (uintptr_t)head, place, &local);
  s->before->next = local;
  s->before = local;
  return local;
}

/* How many notes it is. */
static OMEN_ALWAYS_INLINE uint32_t
put_range (omen_encoder *e, state *s, const uint64_t *at)
{
  const omen_bytes_head *head = (const omen_bytes_head *)at[0];
  uint32_t notes = 2 + (uint32_t)(at[3] + 15) / 16;
  omen_encoder_local *local = put_range_head (e, s, head, at[1]);
  s->p = put_bytes (e, s->p, at, local, s->word);
  s->word = at[2];
  if (!head->write)
    return notes;
  const uint64_t *to = at + omen_bytes_end (at);
  uint8_t *form;
  local = put_range_head (e, s, head->write, at[1]);
  form = s->p;
  s->p = put_address (form, to, local, s->word);
  *form |= OMEN_BYTES_SAME;
  s->word = *to;
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
run_of (const uint64_t *at, size_t count, const omen_encoder_local *local)
{
  const omen_code_block *block = block_of (at[0]);
  omen_encode_repeat run = { .at = at,
                             .count = count,
                             .last = local->last,
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
         omen_encoder_local **local)
{
  *p++ = OMEN_CODE_RUN;
  p = put_head (e, p, at[0], 0, local);
  p = omen_varint_put (p, count);
  omen_encode_repeat run = run_of (at, count, *local);
  p = OMEN_ENCODE_COLUMNS (p, &run);
  (*local)->last = at + (count - 1) * run.words;
  (*local)->summed = run.summed;
  if (run.summed)
    (*local)->quick = 0;
  return p;
}

/* ---- chunks ---- */

static void
begin_chunk (omen_encoder *e)
{
  omen_encoder_local *none = &e->locals[e->most];
  *none = (omen_encoder_local){ .last = nothing, .next = none };
  e->bytes = NULL;
  e->continues = e->left > 0;
  if (e->continues) {
    e->left--;
    return;
  }
  omen_bytes_zero (e->buckets, 2 * (e->most + 1) * sizeof *e->buckets);
  e->count = e->kept_count = 0;
  e->left = e->chain;
}

/* The buffer will be overwritten: copies what the next chunk predicts from. If
   there is no room, that one does not continue this one. */
static void
keep_last (omen_encoder *e, const uint64_t *words, const uint64_t *end)
{
  for (uint32_t i = 0; i < e->count; i++) {
    omen_encoder_local *local = &e->locals[i];
    if (local->last < words || local->last >= end)
      continue;
    if (!local->kept) {
      if (local->words > OMEN_KEPT_WORDS - e->kept_count) {
        e->left = 0;
        return;
      }
      local->kept = (uint16_t)(e->kept_count + 1);
      e->kept_count += local->words;
    }
    uint64_t *to = &e->kept[local->kept - 1];
    for (unsigned k = 0; k < local->words; k++)
      to[k] = local->last[k];
    local->last = to;
  }
}

static OMEN_ALWAYS_INLINE void
put_many (omen_encoder *e, state *s, const uint64_t *at, size_t count)
{
  omen_encoder_local *local;
  put_flag (s, 0);
  s->p = put_run (e, s->p, at, count, &local);
  s->before->next = local;
  s->before = local;
  s->word = local->last[1];
}

/* Writes one record or a run; returns its end. */
static OMEN_ALWAYS_INLINE const uint64_t *
put_next (omen_encoder *e, state *s, const uint64_t *at, const uint64_t *end,
          unsigned words, size_t *count)
{
  *count = run_length (at, end, words);
  if (OMEN_UNLIKELY (*count >= RUN_LEAST)) {
    put_many (e, s, at, *count);
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

size_t
OMEN_ENCODE (omen_encoder *e, const uint64_t *words, size_t count, uint8_t *out,
             uint32_t *notes)
{
  const uint64_t *at = words, *end = words + count;
  state s = { .p = out, .before = &e->locals[e->most] };
  uint32_t all = 0;
  begin_chunk (e);
  while ((at = put_expected (&s, at, end, &all)) < end) {
    const omen_code_block *block = block_of (at[0]);
    size_t run;
    if (is_block (at[0])) {
      const uint64_t *next = put_next (e, &s, at, end, block->words, &run);
      all += members_in (block, at, run);
      at = next;
    } else if (block->kind == OMEN_HEAD_BYTES) {
      all += put_range (e, &s, at);
      at += omen_bytes_words (at);
    } else {
      at = put_next (e, &s, at, end, NOTE_WORDS, &run);
      all += (uint32_t)run;
    }
  }
  put_flags (&s);
  if (e->count == e->most)
    e->left = 0;
  if (e->left)
    keep_last (e, words, end);
  *notes = all;
  return (size_t)(s.p - out);
}
