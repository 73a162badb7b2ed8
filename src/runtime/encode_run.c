#include "runtime/encode_run.h"
#include "runtime/abi.h"
#include "trace/format.h"
#include "trace/recording.h"

/* Sums of loads are taken from so many notes on; few loads come as they are. */
enum { SUMS_LEAST = 32 };

/* What one look over a column tells. */
typedef struct column {
  uint64_t deltas, words; /* all zigzags of steps, all words, by or */
  size_t breaks;          /* how often the step changes */
} column;

static column
look (const uint64_t *at, size_t words, size_t count)
{
  uint64_t before = at[words], step = before - at[0];
  column c = { omen_zigzag (step), before | at[0], 0 };
  for (size_t i = 2; i < count; i++) {
    uint64_t word = at[i * words], d = word - before;
    c.deltas |= omen_zigzag (d);
    c.words |= word;
    c.breaks += d != step;
    step = d;
    before = word;
  }
  return c;
}

static uint8_t *
put_steps (uint8_t *p, const uint64_t *at, size_t words, size_t count,
           size_t breaks)
{
  uint64_t step = at[words] - at[0];
  size_t start = 0;
  p = omen_varint_put (p, breaks);
  for (size_t i = 1; breaks; i++) {
    uint64_t d = at[(i + 1) * words] - at[i * words];
    if (d == step)
      continue;
    p = omen_varint_put (p, omen_zigzag (step));
    p = omen_varint_put (p, i - start);
    start = i;
    step = d;
    breaks--;
  }
  return omen_varint_put (p, omen_zigzag (step));
}

/* All steps are 0 or one other? Then a bit each; NULL if not. */
static uint8_t *
put_bits (uint8_t *p, const uint64_t *at, size_t words, size_t count,
          uint64_t step)
{
  uint64_t bits = 0, wrong = 0, before = at[0];
  *p++ = (uint8_t)step;
  for (size_t i = 1; i < count; i++) {
    uint64_t word = at[i * words], d = omen_zigzag (word - before);
    wrong |= d && d != step;
    bits |= (uint64_t)(d != 0) << (i - 1) % 64;
    before = word;
    if (i % 64 == 0) {
      p = omen_put_bytes (p, bits, 8);
      bits = 0;
    }
  }
  p = omen_put_bytes (p, bits, (unsigned)((count - 1) % 64 + 7) / 8);
  return wrong ? NULL : p;
}

static uint8_t *
put_deltas (uint8_t *p, const uint64_t *at, size_t words, size_t count,
            unsigned width)
{
  uint64_t before = at[0];
  for (size_t i = 1; i < count; i++) {
    uint64_t word = at[i * words];
    p = omen_put_bytes (p, omen_zigzag (word - before), width);
    before = word;
  }
  return p;
}

static uint8_t *
put_plain (uint8_t *p, const uint64_t *at, size_t words, size_t count,
           unsigned width)
{
  *p++ = (uint8_t)(OMEN_COLUMN_WORDS | width);
  for (size_t i = 0; i < count; i++)
    p = omen_put_bytes (p, at[i * words], width);
  return p;
}

/* Any column; *moves: is it not the same word all the time? */
static uint8_t *
put_column (uint8_t *p, const uint64_t *at, uint64_t last, size_t words,
            size_t count, bool *moves)
{
  column c = look (at, words, count);
  unsigned wide = omen_width (c.deltas), plain = omen_width (c.words);
  uint8_t *kind = p, *start, *end;
  *moves = c.deltas;
  if (c.breaks > count / 16 && plain <= wide)
    return put_plain (p, at, words, count, plain);
  start = omen_varint_put (p + 1, omen_zigzag (at[0] - last));
  if (c.breaks <= count / 16) {
    *kind = OMEN_COLUMN_STEPS;
    return put_steps (start, at, words, count, c.breaks);
  }
  *kind = OMEN_COLUMN_BITS;
  if (wide == 1 && (end = put_bits (start, at, words, count, c.deltas)))
    return end;
  *kind = (uint8_t)(OMEN_COLUMN_DELTAS | wide);
  return put_deltas (start, at, words, count, wide);
}

static uint8_t *
put_sums (uint8_t *p, const uint64_t *at, size_t words, size_t count,
          size_t each)
{
  const uint64_t *weights = omen_weights + OMEN_BLOCK_LOADS;
  *p++ = OMEN_COLUMN_SUMS;
  *p++ = (uint8_t)each;
  for (size_t i = 0; i < count;) {
    uint64_t sum = 0;
    for (size_t k = 0; k < each && i < count; k++, i++)
      sum += at[i * words] * weights[k];
    p = omen_put_bytes (p, sum, 8);
  }
  return p;
}

/* Word i when the header came last, as far as a reader knows it. */
static uint64_t
last_word (const omen_run *run, size_t i)
{
  return run->last && !(run->summed && i == run->words - 1) ? run->last[i] : 0;
}

uint8_t *
OMEN_ENCODE_COLUMNS (uint8_t *p, omen_run *run)
{
  size_t each = run->loads ? OMEN_BLOCK_LOADS / run->loads : 0, i = 1;
  bool all_move = each > 1 && run->count >= SUMS_LEAST, moves;
  for (; i < run->words - 1; i++) {
    p = put_column (p, run->at + i, last_word (run, i), run->words, run->count,
                    &moves);
    all_move &= moves || i > run->bases;
  }
  if (all_move)
    p = put_sums (p, run->at + i, run->words, run->count, each);
  else
    p = put_column (p, run->at + i, last_word (run, i), run->words,
                    run->count, &moves);
  run->summed = all_move;
  return p;
}
