/* Decodes the records of a run, column by column or row by row
   (wire/recording.h). */
#include "wire/abi.h"
#include "recording/log/take.h"

typedef omen_notes_reader reader;

typedef struct column {
  uint64_t *at;
  uint32_t words, count;
} column;

static bool
take_steps (reader *r, column c)
{
  uint64_t breaks, step, many;
  uint32_t i = 1;
  if (!omen_take (r, &breaks) || breaks >= c.count)
    return false;
  for (; breaks; breaks--) {
    if (!omen_take_distance (r, &step) || !omen_take (r, &many) || !many
        || many > c.count - i)
      return false;
    for (; many; many--, i++)
      c.at[i * c.words] = c.at[(i - 1) * c.words] + step;
  }
  if (!omen_take_distance (r, &step))
    return false;
  for (; i < c.count; i++)
    c.at[i * c.words] = c.at[(i - 1) * c.words] + step;
  return true;
}

static bool
take_deltas (reader *r, column c, unsigned width)
{
  for (uint32_t i = 1; i < c.count; i++) {
    uint64_t delta;
    if (!omen_take_bytes (r, width, &delta))
      return false;
    c.at[i * c.words] = c.at[(i - 1) * c.words] + omen_unzigzag (delta);
  }
  return true;
}

static bool
take_plain (reader *r, column c, unsigned width)
{
  for (uint32_t i = 0; i < c.count; i++)
    if (!omen_take_bytes (r, width, &c.at[i * c.words]))
      return false;
  return true;
}

static bool
take_sums (reader *r, column c, uint32_t loads)
{
  uint8_t each;
  if (!omen_take_byte (r, &each) || each < 2 || !loads
      || each * loads > OMEN_BLOCK_LOADS)
    return false;
  for (uint32_t i = 0; i < c.count; i++)
    c.at[i * c.words] = 0;
  for (uint32_t i = 0; i * each < c.count; i++)
    if (!omen_take_bytes (r, 8, &r->sums[i]))
      return false;
  r->each = each;
  return true;
}

/* Columns that are stored record by record. */
typedef struct together {
  uint8_t kinds[OMEN_ROWS_MAX];
  uint32_t count, size; /* size: bytes of a row */
} together;

static bool
take_members (reader *r, together *m)
{
  uint8_t rows;
  if (!omen_take_byte (r, &rows))
    return false;
  m->count = rows & 15;
  m->size = 0;
  for (uint32_t k = 0; k < m->count; k++) {
    if (!omen_take_byte (r, &m->kinds[k]) || (m->kinds[k] & 15) > 8
        || ((m->kinds[k] & 0xf0) != OMEN_COLUMN_WORDS
            && (m->kinds[k] & 0xf0) != OMEN_COLUMN_DELTAS))
      return false;
    m->size += m->kinds[k] & 15;
  }
  return true;
}

static bool
take_row (reader *r, const together *m, uint64_t *at, const uint64_t *before)
{
  for (uint32_t k = 0; k < m->count; k++) {
    uint64_t value;
    if (!omen_take_bytes (r, m->kinds[k] & 15, &value))
      return false;
    at[k] = (m->kinds[k] & 0xf0) == OMEN_COLUMN_DELTAS
                ? before[k] + omen_unzigzag (value)
                : value;
  }
  return true;
}

/* How many columns come row by row; 0: none. */
static uint32_t
rows_ahead (const reader *r, uint32_t most)
{
  uint32_t n = r->at < r->end ? (uint32_t)*r->at ^ OMEN_COLUMN_ROWS : 0;
  return n >= 2 && n <= OMEN_ROWS_MAX && n <= most ? n : 0;
}

/* `loads`: of a record, 0 if this is not the column of loads. */
static bool
take_column (reader *r, column c, uint64_t last, uint32_t loads)
{
  uint8_t kind;
  uint64_t distance;
  if (!omen_take_byte (r, &kind) || (kind & 15) > 8)
    return false;
  if ((kind & 0xf0) == OMEN_COLUMN_SUMS)
    return take_sums (r, c, loads);
  if ((kind & 0xf0) == OMEN_COLUMN_WORDS)
    return take_plain (r, c, kind & 15);
  if (!omen_take_distance (r, &distance))
    return false;
  c.at[0] = last + distance;
  switch (kind & 0xf0) {
  case OMEN_COLUMN_STEPS:
    return take_steps (r, c);
  case OMEN_COLUMN_DELTAS:
    return take_deltas (r, c, kind & 15);
  default:
    return false;
  }
}

/* Word i of the header's last record, as far as it is known. */
static uint64_t
last_word (const reader *r, const omen_notes_local *local, uint32_t words,
           uint32_t i)
{
  bool known = local->last && !(local->summed && i == words - 1);
  return known ? r->words[local->last + i] : 0;
}

static bool
take_rows (reader *r, const omen_notes_local *local, uint32_t words, uint32_t i)
{
  together m;
  uint64_t distance, *at = &r->words[r->used + i];
  if (!take_members (r, &m))
    return false;
  OMEN_ASSERT (m.count <= words - i);
  for (uint32_t k = 0; k < m.count; k++) {
    if (!omen_take_distance (r, &distance))
      return false;
    at[k] = last_word (r, local, words, i + k) + distance;
  }
  if (m.size && (size_t)(r->end - r->at) / m.size < r->run - 1)
    return false;
  for (uint32_t k = 1; k < r->run; k++)
    if (!take_row (r, &m, at + k * words, at + (k - 1) * words))
      return false;
  return true;
}

/* ---- columns that are skipped ---- */

static bool
pass_bytes (reader *r, uint64_t size)
{
  if ((uint64_t)(r->end - r->at) < size)
    return false;
  r->at += size;
  return true;
}

static bool
pass_steps (reader *r)
{
  uint64_t breaks, step, many, left = r->run - 1;
  if (!omen_take (r, &breaks) || breaks >= r->run)
    return false;
  for (; breaks; breaks--) {
    if (!omen_take (r, &step) || !omen_take (r, &many) || !many || many > left)
      return false;
    left -= many;
  }
  return omen_take (r, &step);
}

static bool
pass_sums (reader *r, uint32_t loads)
{
  uint8_t each;
  if (!omen_take_byte (r, &each) || each < 2 || !loads
      || each * loads > OMEN_BLOCK_LOADS)
    return false;
  r->each = each;
  return pass_bytes (r, UINT64_C (8) * ((r->run + each - 1) / each));
}

/* As take_column. */
static bool
pass_column (reader *r, uint32_t loads)
{
  uint8_t kind;
  uint64_t distance;
  if (!omen_take_byte (r, &kind) || (kind & 15) > 8)
    return false;
  if ((kind & 0xf0) == OMEN_COLUMN_SUMS)
    return pass_sums (r, loads);
  if ((kind & 0xf0) == OMEN_COLUMN_WORDS)
    return pass_bytes (r, (uint64_t)(kind & 15) * r->run);
  if (!omen_take (r, &distance))
    return false;
  switch (kind & 0xf0) {
  case OMEN_COLUMN_STEPS:
    return pass_steps (r);
  case OMEN_COLUMN_DELTAS:
    return pass_bytes (r, (uint64_t)(kind & 15) * (r->run - 1));
  default:
    return false;
  }
}

static bool
pass_rows (reader *r)
{
  together m;
  uint64_t distance;
  if (!take_members (r, &m))
    return false;
  for (uint32_t k = 0; k < m.count; k++)
    if (!omen_take (r, &distance))
      return false;
  return pass_bytes (r, (uint64_t)m.size * (r->run - 1));
}

static bool
pass_next (reader *r, uint32_t rows, uint32_t loads)
{
  return rows ? pass_rows (r) : pass_column (r, loads);
}

bool
omen_take_columns (reader *r, const omen_notes_local *local, uint32_t words,
                   uint32_t loads)
{
  uint32_t n;
  OMEN_ASSERT (r->run > 1 && words > 1);
  for (uint32_t i = 1; i < words; i += n ? n : 1) {
    column c = { &r->words[r->used + i], words, r->run };
    uint32_t sums = i == words - 1 ? loads : 0;
    n = rows_ahead (r, words - i);
    if (i >= local->needed ? !pass_next (r, n, sums)
        : n                ? !take_rows (r, local, words, i)
            : !take_column (r, c, last_word (r, local, words, i), sums))
      return false;
  }
  return true;
}
