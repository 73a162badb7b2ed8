/* recording/log/decode.h: bytes that make no sense are refused. */
#include "unit.h"

#include "recording/log/decode.h"

#include <stdlib.h>
#include <string.h>

static omen_notes_blocks table = { .apart = true };

static bool
is_read (const uint8_t *bytes, size_t size, uint32_t notes)
{
  omen_notes_reader *reader = malloc (sizeof *reader);
  uint8_t *copy = malloc (size);
  omen_raw_note note;
  uint32_t seen = 0;
  memcpy (copy, bytes, size);
  omen_notes_open (reader, &table, copy, size, notes);
  while (omen_notes_next (reader, &note))
    seen++;
  bool right = !reader->failed;
  assert_true (!right || seen == notes);
  free (copy);
  free (reader);
  return right;
}

/* What the bytes of RANGE items may not be, in files of older versions. */
static void
ranges_are_checked (void **state)
{
  static const struct {
    const char *what;
    uint8_t bytes[16];
    size_t size;
    uint32_t notes;
    bool right;
  } cases[] = {
    /* flags, new header of bytes, site, place; form, address, length … */
    { "five bytes", { 0, 0, 1, 2, 7, 1, 16, 5, 1, 2, 3, 4, 5 }, 13, 3, true },
    { "one too few", { 0, 0, 1, 2, 7, 1, 16, 5, 1, 2, 3, 4 }, 12, 3, false },
    { "one too many",
      { 0, 0, 1, 2, 7, 1, 16, 5, 1, 2, 3, 4, 5, 6 },
      14,
      3,
      false },
    { "a note less", { 0, 0, 1, 2, 7, 1, 16, 5, 1, 2, 3, 4, 5 }, 13, 2, false },
    { "no site", { 0, 0, 1, 0, 7, 1, 16, 5, 1, 2, 3, 4, 5 }, 13, 3, false },
    { "no bytes", { 0, 0, 1, 2, 7, 1, 16, 0 }, 8, 2, false },
    { "the same as none", { 0, 0, 1, 2, 7, 0x11, 16 }, 7, 2, false },
    { "a fill", { 0, 0, 1, 2, 7, 0x21, 16, 33, 9 }, 9, 5, true },
    { "an empty fill", { 0, 0, 1, 2, 7, 0x21, 16, 0, 9 }, 9, 2, false },
    { "a fill of nothing", { 0, 0, 1, 2, 7, 0x21, 16, 33 }, 8, 5, false },
    { "a fill beyond the buffer",
      { 0, 0, 1, 2, 7, 0x21, 16, 0x80, 0xc0, 2, 9 },
      11,
      2562,
      false },
    { "a longer one",
      { 0, 0, 1, 2, 7, 0x21, 16, 0xff, 0xff, 0xff, 0x7f, 9 },
      12,
      3,
      false },
    { "no such form",
      { 0, 0, 1, 2, 7, 0x31, 16, 5, 1, 2, 3, 4, 5 },
      13,
      3,
      false },
    { "a run", { 0, 1, 0, 1, 2, 7, 2, 1, 16, 5, 1, 2, 3, 4, 5 }, 15, 6, false },
  };
  table.tags = false;
  for (size_t i = 0; i < OMEN_COUNT (cases); i++)
    if (is_read (cases[i].bytes, cases[i].size, cases[i].notes)
        != cases[i].right)
      fail_msg ("%s", cases[i].what);
}

/* What a chunk whose tags are apart may not be. */
static void
parts_are_checked (void **state)
{
  static const struct {
    const char *what;
    uint8_t bytes[32];
    size_t size;
    uint32_t notes;
    bool right;
  } cases[] = {
    /* size; flags, head of site 1, words; tags */
    { "a note", { 6, 0, 0, 0, 0, 0, 2, 8, 6, 0, 0x11 }, 10, 1, false },
    { "a note and its tags", { 5, 0, 0, 0, 0, 0, 2, 8, 6, 0x11 }, 10, 1, true },
    { "no tags", { 5, 0, 0, 0, 0, 0, 2, 8, 6 }, 9, 1, false },
    { "too many tags", { 5, 0, 0, 0, 0, 0, 2, 8, 6, 0x11, 0 }, 11, 1, false },
    { "no size", { 5, 0, 0 }, 3, 1, false },
    { "too large a size", { 7, 0, 0, 0, 0, 0, 2, 8, 6, 0x11 }, 10, 1, false },
    { "tags repeated where there are none",
      { 3, 0, 0, 0, 2, 0, 2 },
      7,
      1,
      true },
    { "what nobody came before", { 1, 0, 0, 0, 1 }, 5, 1, false },
    { "bytes, others, and the first again",
      { 23, 0, 0, 0, 0,  0, 1, 2, 7, 1,    16, 2,
        1,  2, 2, 1, 16, 2, 3, 4, 2, 0x31, 16 },
      27,
      9,
      false },
    { "one, another, and the first again",
      { 19, 0, 0, 0, 0,  0, 1, 2, 7, 1,    16, 2,
        1,  2, 2, 1, 16, 2, 3, 4, 2, 0x31, 16 },
      23,
      9,
      true },
    { "no first one",
      { 13, 0, 0, 0, 0, 0, 1, 2, 7, 1, 16, 2, 1, 2, 2, 0x31, 16 },
      17,
      6,
      false },
  };
  table.tags = true;
  for (size_t i = 0; i < OMEN_COUNT (cases); i++)
    if (is_read (cases[i].bytes, cases[i].size, cases[i].notes)
        != cases[i].right)
      fail_msg ("%s", cases[i].what);
}

UNIT_MAIN (UNIT (ranges_are_checked), UNIT (parts_are_checked))
