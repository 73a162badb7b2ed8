#include "runtime/bytes.h"
#include "runtime/encode.h"
#include "runtime/encode_run.h"
#include "runtime/rt.h"
#include "trace/format.h"

enum { RUN_LEAST = 4 /* to be worth it */, NOTE_WORDS = 3 };

/* What a header says. */
typedef struct shape {
  unsigned words, bases, loads, notes;
} shape;

static inline shape
shape_of (uint64_t header)
{
  const omen_code_block *block = (const omen_code_block *)header;
  if (block->kind == OMEN_SITE_BLOCK)
    return (shape){ block->words, block->bases, block->loads, block->count };
  return (shape){ NOTE_WORDS, 1, block->kind == OMEN_SITE_LOAD, 1 };
}

/* ---- headers ---- */

static inline uint32_t
bucket_of (uint64_t header)
{
  _Static_assert (2 * OMEN_LOCALS_MAX <= 1024, "hash");
  return (uint32_t)(header * UINT64_C (0x9e3779b97f4a7c15) >> 32)
         % (2 * OMEN_LOCALS_MAX);
}

/* Its local; count if it has none yet. */
static uint32_t
find_local (const omen_encoder *e, uint64_t header)
{
  uint32_t at = bucket_of (header);
  while (e->buckets[at] && e->locals[e->buckets[at] - 1].header != header)
    at = at + 1 < 2 * OMEN_LOCALS_MAX ? at + 1 : 0;
  return e->buckets[at] ? e->buckets[at] - 1u : e->count;
}

static void
add_local (omen_encoder *e, uint64_t header)
{
  uint32_t at = bucket_of (header);
  e->locals[e->count] = (omen_encoder_local){ .header = header };
  if (e->count == OMEN_LOCALS_MAX)
    return;
  while (e->buckets[at])
    at = at + 1 < 2 * OMEN_LOCALS_MAX ? at + 1 : 0;
  e->buckets[at] = (uint16_t)++e->count;
}

static uint8_t *
put_head (omen_encoder *e, uint8_t *p, uint64_t header, uint32_t *local)
{
  omen_code_block *block = (omen_code_block *)header;
  bool is_block = block->kind == OMEN_SITE_BLOCK;
  *local = find_local (e, header);
  if (*local < e->count)
    return omen_varint_put (p, *local + 2);
  uint32_t id
      = is_block ? omen_block_id (block) : omen_site_id ((omen_site *)block);
  add_local (e, header);
  *p++ = 0;
  return omen_varint_put (p, 2 * (uint64_t)id + is_block);
}

static inline uint8_t *
put_flag (omen_encoder *e, uint8_t *p, uint32_t flag)
{
  if (e->flag == 8) {
    e->flags = p++;
    *e->flags = 0;
    e->flag = 0;
  }
  *e->flags |= (uint8_t)(flag << e->flag++);
  return p;
}

/* ---- single notes ---- */

/* Code of a length: 0 … 6 and 8 bytes. */
static inline unsigned
length_code (uint64_t n)
{
  unsigned width = omen_width (n);
  return width - (width == 8);
}

/* 7 bytes take 8. */
static inline uint8_t *
put_word (uint8_t *p, uint64_t word, uint64_t guess, uint64_t other,
          unsigned *tag)
{
  uint64_t a = omen_zigzag (word - guess), b = omen_zigzag (word - other);
  bool second = b < a;
  uint64_t n = second ? b : a;
  unsigned code = length_code (n);
  *tag = code | (unsigned)second << 3;
  return omen_put_bytes (p, n, code + (code == 7));
}

static uint8_t *
put_words (omen_encoder *e, uint8_t *p, const uint64_t *at, const shape *s,
           omen_encoder_local *local)
{
  static const uint64_t nothing[OMEN_BLOCK_WORDS];
  const uint64_t *last = local->last ? local->last : nothing;
  uint8_t *tags = p;
  unsigned i = 2, low, high, n = s->words;
  unsigned sum = local->summed ? n - 1 : n;
  p += n / 2;
  p = put_word (p, at[1], last[1], e->word + local->leap, &low);
  for (; i < n; i += 2) {
    p = put_word (p, at[i], i == sum ? 0 : last[i], at[1], &high);
    *tags++ = (uint8_t)(low | high << 4);
    if (i + 1 < n)
      p = put_word (p, at[i + 1], i + 1 == sum ? 0 : last[i + 1], at[1],
                    &low);
  }
  if (i == n)
    *tags = (uint8_t)low;
  local->leap = at[1] - e->word;
  e->word = at[n - 1];
  return p;
}

static inline uint8_t *
put_note (omen_encoder *e, uint8_t *p, const uint64_t *at, const shape *s)
{
  omen_encoder_local *before = &e->locals[e->before];
  uint32_t local = before->next;
  bool expected = e->locals[local].header == at[0];
  p = put_flag (e, p, expected);
  if (!expected)
    p = put_head (e, p, at[0], &local);
  before->next = local;
  e->before = local;
  p = put_words (e, p, at, s, &e->locals[local]);
  e->locals[local].last = at;
  e->locals[local].summed = false;
  return p;
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

static uint8_t *
put_run (omen_encoder *e, uint8_t *p, const uint64_t *at, const shape *s,
         size_t count)
{
  uint32_t local;
  p = put_flag (e, p, 0);
  *p++ = OMEN_CODE_RUN;
  p = put_head (e, p, at[0], &local);
  p = omen_varint_put (p, count);
  omen_run run = { at, e->locals[local].last, s->words, s->bases, s->loads,
                   count, e->locals[local].summed };
  p = omen_encode_columns (p, &run);
  e->locals[local].last = at + (count - 1) * s->words;
  e->locals[local].summed = run.summed;
  e->locals[e->before].next = local;
  e->before = local;
  e->word = 0;
  return p;
}

static void
reset (omen_encoder *e)
{
  omen_encoder_local *none = &e->locals[OMEN_LOCALS_MAX];
  omen_bytes_zero (e->buckets, sizeof e->buckets);
  *none = (omen_encoder_local){ .next = OMEN_LOCALS_MAX };
  e->count = e->notes = 0;
  e->before = OMEN_LOCALS_MAX;
  e->word = 0;
  e->flag = 8;
}

size_t
omen_encode (omen_encoder *e, const uint64_t *words, size_t count,
             uint8_t *out, uint32_t *notes)
{
  const uint64_t *at = words, *end = words + count;
  uint8_t *p = out;
  reset (e);
  while (at < end) {
    shape s = shape_of (at[0]);
    size_t run = run_length (at, end, s.words);
    if (OMEN_LIKELY (run < RUN_LEAST)) {
      run = 1;
      p = put_note (e, p, at, &s);
    } else
      p = put_run (e, p, at, &s, run);
    at += run * s.words;
    e->notes += (uint32_t)run * s.notes;
  }
  *notes = e->notes;
  return (size_t)(p - out);
}
