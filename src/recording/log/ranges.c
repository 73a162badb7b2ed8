/* Decodes RANGE items (wire/recording.h). */
#include "recording/log/take.h"

enum { PART_SITE = 1, PART_BYTES = 16 };

typedef omen_notes_reader reader;

static bool
take_again (reader *r)
{
  omen_notes_bytes bytes = r->bytes_before;
  r->bytes_before = r->bytes;
  r->bytes = bytes;
  return r->blocks->tags && bytes.length > 0;
}

static bool
take_raw (reader *r, unsigned form)
{
  uint64_t length;
  bool fill = form == OMEN_BYTES_FILL;
  if (form == OMEN_BYTES_SAME)
    return r->bytes.length > 0;
  if (form == OMEN_BYTES_AGAIN)
    return take_again (r);
  if (!omen_take (r, &length) || !length || length > 8 * OMEN_WORDS_MAX)
    return false;
  size_t stored = fill ? 1 : (size_t)length;
  if ((!fill && form != OMEN_BYTES_HERE) || (size_t)(r->end - r->at) < stored)
    return false;
  r->bytes_before = r->bytes;
  r->bytes = (omen_notes_bytes){ r->at, (uint32_t)length, fill };
  r->at += stored;
  return true;
}

bool
omen_take_range (reader *r, omen_notes_local *local, uint32_t *words)
{
  uint8_t form;
  uint32_t room = OMEN_WORDS_MAX + 1 - r->used;
  uint64_t guess = local->last ? r->words[local->last] : 0, address;
  if (!room || !omen_take_byte (r, &form)
      || !omen_take_word (r, form & 15, guess, r->word + local->leap, &address)
      || !take_raw (r, form & 0xf0))
    return false;
  r->words[r->used] = address;
  local->leap = address - r->word;
  r->word = address;
  *words = (form & 0xf0) == OMEN_BYTES_SAME
               ? 1
               : OMEN_RANGE_WORDS + (r->bytes.length + 7) / 8;
  return *words <= room;
}

uint32_t
omen_range_notes (const reader *r)
{
  return 2 + (r->bytes.length + PART_BYTES - 1) / PART_BYTES;
}

/* Member `member` of the item: itself, its value if known, its bytes. */
void
omen_give_range (const reader *r, omen_raw_note *note)
{
  const omen_notes_local *local = &r->locals[r->local];
  const uint64_t woven = UINT64_C (1) << 63;
  if (!r->member) {
    note->a = r->words[r->note];
    return;
  }
  note->site = PART_SITE;
  if (r->member == 1) {
    note->a = r->bytes.length | (local->place & woven);
    note->b = local->place & ~woven;
    return;
  }
  uint8_t part[PART_BYTES] = { 0 };
  uint32_t from = (r->member - 2) * PART_BYTES, left = r->bytes.length - from;
  OMEN_ASSERT (from < r->bytes.length);
  uint32_t size = left < PART_BYTES ? left : PART_BYTES;
  if (r->bytes.fill)
    memset (part, *r->bytes.at, size);
  else
    memcpy (part, r->bytes.at + from, size);
  memcpy (&note->a, part, 8);
  memcpy (&note->b, part + 8, 8);
}
