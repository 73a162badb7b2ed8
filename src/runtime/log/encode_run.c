#include "runtime/log/encode_run.h"
#include "wire/abi.h"
#include "wire/format.h"
#include "wire/recording.h"

/* From this many records on, loads are summed; fewer are written as they are.
   Writing columns side by side has a start-up cost. */
enum { SUMS_LEAST = 32, ROWS_LEAST = 32 };

/* What one pass over a column finds. */
typedef struct column {
  uint64_t deltas, words; /* all steps (zigzag) and all words, or-ed */
  size_t breaks;          /* how often the step changes */
} column;

/* Columns side by side. */
typedef uint64_t row __attribute__ ((vector_size (32)));
enum { ROW = sizeof (row) / sizeof (uint64_t) };

typedef struct rows {
  row before, step, deltas, words, breaks;
} rows;

#define ALWAYS_INLINE inline __attribute__ ((always_inline))

static ALWAYS_INLINE row
row_at (const uint64_t *at, size_t columns)
{
  row r = { 0 };
  __builtin_memcpy (&r, at, 8 * columns);
  return r;
}

static ALWAYS_INLINE void
look_on (rows *r, row word)
{
  row d = word - r->before;
  r->deltas |= d << 1 ^ -(d >> 63);
  r->words |= word;
  r->breaks -= (row)(d != r->step); /* true is -1 */
  r->step = d;
  r->before = word;
}

/* For short records, of which the loads past the end do no harm. The last
   record has no next one. */
static ALWAYS_INLINE void
look_at_row (const uint64_t *at, size_t words, size_t count, column *c,
             size_t columns)
{
  row first = row_at (at, columns), second = row_at (at + words, columns);
  rows r = { .before = first, .step = second - first, .words = first };
  for (size_t i = 1; i < count - 1; i++)
    look_on (&r, row_at (at + i * words, ROW));
  look_on (&r, row_at (at + (count - 1) * words, columns));
  for (size_t k = 0; k < columns; k++)
    c[k] = (column){ r.deltas[k], r.words[k], r.breaks[k] };
}

/* The last row may read columns of the next record or of its header; nothing
   beyond the records is read. */
static void
look_at_all (const omen_encode_repeat *run, column *columns)
{
  size_t words = run->words;
  if (words == 2)
    look_at_row (run->at, 2, run->count, columns, 2);
  else if (words == 3)
    look_at_row (run->at, 3, run->count, columns, 3);
  else
    for (size_t i = 1; i < words; i += ROW) {
      size_t first = i + ROW <= words ? i : words - ROW;
      look_at_row (run->at + first, words, run->count, columns + first, ROW);
    }
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

static uint8_t *
put_column (uint8_t *p, const uint64_t *at, uint64_t last, size_t words,
            size_t count, column c)
{
  unsigned wide = omen_width (c.deltas), plain = omen_width (c.words);
  uint8_t *start;
  if (c.breaks > count / 16 && plain <= wide)
    return put_plain (p, at, words, count, plain);
  start = omen_varint_put (p + 1, omen_zigzag (at[0] - last));
  if (c.breaks <= count / 16) {
    *p = OMEN_COLUMN_STEPS;
    return put_steps (start, at, words, count, c.breaks);
  }
  *p = (uint8_t)(OMEN_COLUMN_DELTAS | wide);
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

/* Word i of the header's last record, as far as a reader knows it. */
static uint64_t
last_word (const omen_encode_repeat *run, size_t i)
{
  return run->last && !(run->summed && i == run->words - 1) ? run->last[i] : 0;
}

/* ---- columns side by side ---- */

/* How many columns from i on, below `end`, are written row by row; 0: fewer
   than two. */
static size_t
rows_from (const omen_encode_repeat *run, const column *columns, size_t i,
           size_t end)
{
  size_t n = 0;
  while (run->count >= ROWS_LEAST && n < OMEN_ROWS_MAX && i + n < end
         && columns[i + n].breaks > run->count / 16)
    n++;
  return n > 1 ? n : 0;
}

static uint8_t
member_of (column c)
{
  unsigned wide = omen_width (c.deltas), plain = omen_width (c.words);
  return (uint8_t)(plain <= wide ? OMEN_COLUMN_WORDS | plain
                                 : OMEN_COLUMN_DELTAS | wide);
}

/* All rows but the first. */
static uint8_t *
put_rows (uint8_t *p, const uint64_t *at, size_t words, size_t count,
          const uint8_t *members, size_t n)
{
  for (size_t i = 1; i < count; i++)
    for (size_t k = 0; k < n; k++) {
      uint64_t word = at[i * words + k], before = at[(i - 1) * words + k];
      bool delta = (members[k] & 0xf0) == OMEN_COLUMN_DELTAS;
      p = omen_put_bytes (p, delta ? omen_zigzag (word - before) : word,
                          members[k] & 15);
    }
  return p;
}

static uint8_t *
put_together (uint8_t *p, const omen_encode_repeat *run, const column *columns,
              size_t i, size_t n)
{
  uint8_t members[OMEN_ROWS_MAX];
  *p++ = (uint8_t)(OMEN_COLUMN_ROWS | n);
  for (size_t k = 0; k < n; k++)
    *p++ = members[k] = member_of (columns[i + k]);
  for (size_t k = 0; k < n; k++)
    p = omen_varint_put (p,
                         omen_zigzag (run->at[i + k] - last_word (run, i + k)));
  return put_rows (p, run->at + i, run->words, run->count, members, n);
}

uint8_t *
OMEN_ENCODE_COLUMNS (uint8_t *p, omen_encode_repeat *run)
{
  size_t each = run->loads ? OMEN_BLOCK_LOADS / run->loads : 0, i = 1;
  bool sums = each > 1 && run->count >= SUMS_LEAST;
  column columns[OMEN_BLOCK_WORDS];
  look_at_all (run, columns);
  while (i < run->words - sums) {
    size_t n = rows_from (run, columns, i, run->words - sums);
    if (n) {
      p = put_together (p, run, columns, i, n);
      i += n;
      continue;
    }
    p = put_column (p, run->at + i, last_word (run, i), run->words, run->count,
                    columns[i]);
    /* loads of an address that does not move are stored exactly */
    sums &= columns[i].deltas || i > run->addresses;
    i++;
  }
  if (sums)
    p = put_sums (p, run->at + i, run->words, run->count, each);
  run->summed = sums;
  return p;
}
