/* runtime/encode.h and trace/notes_decode.h: what goes in comes out. */
#include "unit.h"

#include "runtime/encode.h"
#include "runtime/rt.h"
#include "trace/notes_decode.h"

#include <stdlib.h>
#include <string.h>

enum { NOTES = 2730, SITES = 40 };

static omen_site sites[SITES];
static uint32_t ids;

/* The runtime's would write the site to the file, too. */
uint32_t
omen_site_id (omen_site *site)
{
  return site->id ? site->id : (site->id = ++ids);
}

static uint64_t
next_random (uint64_t *random)
{
  uint64_t z = *random += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

static uint64_t
below (uint64_t *random, uint64_t n)
{
  return next_random (random) % n;
}

static uint64_t
some_word (uint64_t *random)
{
  static const uint64_t odd[] = { 0, 1, UINT64_MAX, INT64_MAX, 1ull << 63 };
  unsigned pick = (unsigned)below (random, 8);
  return pick < 5 ? odd[pick]
                  : next_random (random)
                        >> below (random, 64);
}

static omen_note *
some_notes (uint64_t *random, size_t count)
{
  omen_note *notes = malloc ((count + 1) * sizeof *notes);
  for (size_t i = 0; i < count; i++)
    notes[i] = (omen_note){ some_word (random), some_word (random),
                            &sites[below (random, SITES)] };
  return notes;
}

static void
come_back (const omen_note *notes, size_t count)
{
  uint8_t *bytes = malloc (count * OMEN_NOTE_CODE_MAX + 1);
  omen_encoder *encoder = malloc (sizeof *encoder);
  omen_notes_reader *reader = malloc (sizeof *reader);
  omen_raw_note note;
  omen_encoder_reset (encoder);
  size_t size = omen_encode (encoder, notes, count, bytes);
  assert_true (size <= count * OMEN_NOTE_CODE_MAX);
  omen_notes_open (reader, bytes, size, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    assert_true (omen_notes_next (reader, &note));
    assert_int_equal (note.site, notes[i].site->id);
    assert_int_equal (note.a, notes[i].a);
    assert_int_equal (note.b, notes[i].b);
  }
  assert_false (omen_notes_next (reader, &note));
  assert_false (reader->failed);
  free (reader);
  free (encoder);
  free (bytes);
}

static void
any_notes_come_back (void **state)
{
  for (uint64_t seed = 1; seed <= 200; seed++) {
    uint64_t random = seed;
    size_t count = below (&random, seed % 10 ? 60 : NOTES + 1);
    omen_note *notes = some_notes (&random, count);
    come_back (notes, count);
    free (notes);
  }
}

static void
walks_over_memory_come_back (void **state)
{
  omen_note *notes = malloc (NOTES * sizeof *notes);
  for (unsigned i = 0; i < NOTES; i++)
    notes[i] = (omen_note){ 0x7f0000001000 + 8 * (i / 2), i / 2,
                            &sites[i % 2] };
  come_back (notes, NOTES);
  free (notes);
}

/* Cut or changed bytes: an error or other notes, never more than there are. */
static void
damage_is_survived (void **state)
{
  static uint8_t bytes[100 * OMEN_NOTE_CODE_MAX];
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    uint64_t random = seed;
    omen_note *notes = some_notes (&random, 100);
    omen_encoder *encoder = malloc (sizeof *encoder);
    omen_notes_reader *reader = malloc (sizeof *reader);
    omen_raw_note note;
    unsigned seen = 0;
    omen_encoder_reset (encoder);
    size_t size = omen_encode (encoder, notes, 100, bytes);
    uint8_t *copy = malloc (size);
    memcpy (copy, bytes, size);
    size_t cut = below (&random, size + 1);
    if (cut == size)
      copy[below (&random, size)]
          ^= (uint8_t)(1 << below (&random, 8));
    copy = realloc (copy, cut ? cut : 1);
    omen_notes_open (reader, copy, cut, 100);
    while (omen_notes_next (reader, &note))
      seen++;
    assert_true (seen <= 100);
    assert_true (cut == size || (seen < 100 && reader->failed));
    free (copy);
    free (reader);
    free (encoder);
    free (notes);
  }
}

static void
too_many_bytes_are_an_error (void **state)
{
  uint8_t bytes[2 * OMEN_NOTE_CODE_MAX] = { 0 };
  omen_encoder encoder;
  omen_notes_reader reader;
  omen_note one = { 5, 6, &sites[0] };
  omen_raw_note note;
  omen_encoder_reset (&encoder);
  size_t size = omen_encode (&encoder, &one, 1, bytes);
  omen_notes_open (&reader, bytes, size + 1, 1);
  assert_true (omen_notes_next (&reader, &note));
  assert_false (omen_notes_next (&reader, &note));
  assert_true (reader.failed);
}

UNIT_MAIN (UNIT (any_notes_come_back), UNIT (walks_over_memory_come_back),
           UNIT (damage_is_survived), UNIT (too_many_bytes_are_an_error))
