/* runtime/log/encode.h and recording/log/decode.h: what goes in comes out. */
#include "unit.h"

#include "splitmix.h"

#include "runtime/log/encode.h"
#include "runtime/core/rt.h"
#include "recording/log/decode.h"

#include <stdlib.h>
#include <string.h>

enum { SITES = 700, BLOCKS = 60, LOADS_AT_ONCE = 16, LOOPS = 5 };

static omen_site sites[SITES];
typedef union any_block {
  omen_code_block head; /* with its members */
  char room[sizeof (omen_code_block) + OMEN_BLOCK_NOTES * sizeof (omen_member)];
} any_block;
static any_block blocks[BLOCKS], loops[LOOPS];
/* The runtime's sites come first; PART is the first of all. */
static omen_site part = { .id = 1 };
static omen_site range_sites[2] = { { .id = 2 }, { .id = 3 } };
static const omen_bytes_head range_heads[3]
    = { { OMEN_HEAD_BYTES, 2, NULL },
        { OMEN_HEAD_BYTES, 3, NULL },
        { OMEN_HEAD_BYTES, 2, &range_heads[1] } };
static uint32_t site_ids = 3, block_ids;
static omen_notes_blocks table = { .apart = true, .tags = true };

static omen_site *
site_of (const omen_code_block *block, unsigned i)
{
  return (omen_site *)((char *)block + block->members[i].site);
}

/* The runtime's would write the site to the file, too. */
uint32_t
omen_site_id (omen_site *site)
{
  return site->id ? site->id : (site->id = ++site_ids);
}

uint32_t
omen_block_id (omen_code_block *block)
{
  struct {
    omen_file_block head;
    omen_file_member members[OMEN_BLOCK_NOTES];
  } entry = { { block->words, block->bases, block->loads, 0, block->count } };
  if (block->id)
    return block->id;
  for (unsigned i = 0; i < block->count; i++) {
    const omen_member *m = &block->members[i];
    entry.members[i] = (omen_file_member){ omen_site_id (site_of (block, i)),
                                           m->offset,
                                           m->constant,
                                           m->base,
                                           m->word,
                                           m->shift,
                                           m->weight };
  }
  assert_true (omen_notes_blocks_add (
      &table, (const uint8_t *)&entry,
      sizeof entry.head + block->count * sizeof *entry.members, 1));
  return block->id = ++block_ids;
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
  return pick < 5 ? odd[pick] : next_random (random) >> below (random, 64);
}

static uint64_t
cut_to (uint64_t value, unsigned size)
{
  return size < 8 ? value & ((UINT64_C (1) << 8 * size) - 1) : value;
}

#include "notes_blocks.h"

/* ---- a stream of words, and the notes that it means ---- */

/* Of an access of a loop that is noted whole. */
#define NO_VALUE UINT64_C (0x6e6f7468696e67)

typedef struct stream {
  uint64_t words[OMEN_WORDS_MAX];
  size_t count;
  omen_note notes[OMEN_WORDS_MAX * OMEN_BLOCK_NOTES / 2];
  size_t notes_count;
} stream;

static void
add_note (stream *s, omen_note note)
{
  memcpy (&s->words[s->count], &note, sizeof note);
  s->count += sizeof note / 8;
  s->notes[s->notes_count++] = note;
}

/* Of a word that members share, up to where the next one begins. */
static uint64_t
part_of (const omen_code_block *block, const omen_member *m,
         const uint64_t *words)
{
  unsigned end = 64;
  for (unsigned i = 0; i < block->count; i++)
    if (block->members[i].word == m->word && block->members[i].shift > m->shift
        && block->members[i].shift < end)
      end = block->members[i].shift;
  return words[m->word] << (64 - end) >> (64 - end) >> m->shift;
}

/* The words are there, except that of the loads, whose values are given. */
static void
add_block (stream *s, omen_code_block *block, const uint64_t *values)
{
  uint64_t *words = &s->words[s->count];
  words[0] = (uintptr_t)block;
  if (block->loads)
    words[block->words - 1] = 0;
  for (unsigned i = 0; i < block->count; i++) {
    const omen_member *m = &block->members[i];
    omen_site *site = site_of (block, i);
    omen_note note
        = { site,
            (m->base ? words[m->base] : OMEN_DEPTH_INNER) + (uint64_t)m->offset,
            m->word ? part_of (block, m, words) : m->constant };
    note.a += omen_member_way (m, words);
    if (block->loads && m->word == block->words - 1) {
      note.b = cut_to (*values++, site->size);
      words[m->word] += m->weight ? note.b * omen_weights[m->weight - 1]
                                  : note.b << m->shift;
    }
    s->notes[s->notes_count++] = note;
  }
  s->count += block->words;
}

/* Accesses without values, turn by turn. */
static void
add_whole_loop (stream *s, omen_code_block *loop, uint64_t turns)
{
  uint64_t *words = &s->words[s->count];
  words[0] = (uintptr_t)loop;
  words[loop->words - 1] = turns;
  for (uint64_t turn = 0; turn < turns; turn++)
    for (unsigned i = 0; i < loop->count; i++) {
      const omen_member *m = &loop->members[i];
      uint64_t step
          = m->word ? words[m->word] : (uint64_t)(int64_t)(int32_t)m->constant;
      s->notes[s->notes_count++] = (omen_note){
        site_of (loop, i),
        words[m->base] + (uint64_t)(int64_t)m->offset + turn * step, NO_VALUE
      };
    }
  s->count += loop->words;
}

static bool
has_room (const stream *s)
{
  return OMEN_WORDS_MAX - s->count >= OMEN_BLOCK_WORDS;
}

/* The item and PARTs that a range means. */
static void
mean_range (stream *s, unsigned kind, uint64_t place, uint64_t address,
            const uint8_t *bytes, size_t size)
{
  s->notes[s->notes_count++] = (omen_note){ &range_sites[kind], address, 0 };
  s->notes[s->notes_count++]
      = (omen_note){ &part, size | (place & OMEN_PLACE_SITE),
                     place & ~OMEN_PLACE_SITE };
  for (size_t i = 0; i < size; i += 16) {
    omen_note *note = &s->notes[s->notes_count++];
    *note = (omen_note){ &part, 0, 0 };
    memcpy (&note->a, bytes + i, size - i < 8 ? size - i : 8);
    if (size - i > 8)
      memcpy (&note->b, bytes + i + 8, size - i < 16 ? size - i - 8 : 8);
  }
}

enum { READ, WRITE, COPY, RANGE_MOST = 4096 };

/* `to`: of a copy. */
static void
add_range (stream *s, unsigned kind, uint64_t place, uint64_t address,
           const uint8_t *bytes, size_t size, uint64_t to)
{
  uint64_t words[] = { (uintptr_t)&range_heads[kind], place, address, size };
  uint64_t *at = &s->words[s->count];
  assert_true (size && OMEN_WORDS_MAX - s->count >= omen_bytes_words (words));
  memcpy (at, words, sizeof words);
  at[omen_bytes_end (words) - 1] = 0;
  memcpy (at + OMEN_BYTES_WORDS, bytes, size);
  s->count += omen_bytes_words (words);
  mean_range (s, kind == WRITE ? WRITE : READ, place, address, bytes, size);
  if (kind == COPY) {
    at[omen_bytes_end (words)] = to;
    mean_range (s, WRITE, place, to, bytes, size);
  }
}

/* Often the same bytes as before, or all alike, or nearly so. */
static void
add_any_range (stream *s, uint64_t *random)
{
  static uint8_t bytes[RANGE_MOST];
  static size_t size = 1;
  uint64_t place = below (random, 5) | below (random, 2) << 63;
  size_t room = 8 * (OMEN_WORDS_MAX - s->count - OMEN_BYTES_WORDS - 1);
  uint8_t value = (uint8_t)next_random (random);
  unsigned how = (unsigned)below (random, 8);
  if (how > 2)
    size = 1 + below (random, how == 3 ? RANGE_MOST : 40);
  if (size > room)
    size = room;
  for (size_t i = 0; how > 2 && i < size; i++)
    bytes[i] = how < 6 ? value : (uint8_t)next_random (random);
  if (how == 2 || how == 5) /* all but one */
    bytes[below (random, size)] ^= 1;
  add_range (s, (unsigned)below (random, 3), place,
             below (random, 3) ? 0x700000000000 + 8 * below (random, 1000)
                               : some_word (random),
             bytes, size, some_word (random));
}

static bool
is_boring (uint32_t site)
{
  return site % 3;
}

static omen_notes_filter
some_filter (void)
{
  omen_notes_filter filter = { 0 };
  for (uint32_t id = 0; id < SITES; id++) /* not all of them */
    OMEN_VEC_PUSH (filter.sites, is_boring (id));
  for (size_t i = 0; i < table.blocks.count; i++) {
    const omen_notes_block *block = &table.blocks.data[i];
    bool boring = true;
    for (uint32_t k = 0; k < block->as.count; k++) {
      uint32_t site = table.members.data[block->members + k].as.site;
      boring &= site < SITES && is_boring (site);
    }
    OMEN_VEC_PUSH (filter.blocks, boring);
  }
  return filter;
}

/* What is left out does not change the rest. */
static void
come_in_part (const uint8_t *bytes, size_t size, uint32_t notes)
{
  omen_notes_reader *all = malloc (sizeof *all), *some = malloc (sizeof *some);
  omen_notes_filter filter = some_filter ();
  omen_raw_note expected, note;
  omen_notes_open (all, &table, bytes, size, notes);
  omen_notes_open (some, &table, bytes, size, notes);
  omen_notes_leave_out (some, &filter);
  while (omen_notes_next (all, &expected)) {
    if (expected.site < SITES && is_boring (expected.site))
      continue;
    assert_true (omen_notes_next (some, &note));
    assert_memory_equal (&note, &expected, sizeof note);
  }
  assert_false (omen_notes_next (some, &note));
  assert_int_equal (some->failed, all->failed);
  OMEN_VEC_FINI (filter.sites);
  OMEN_VEC_FINI (filter.blocks);
  free (some);
  free (all);
}

/* The notes of a chunk that was opened, to its end. */
static void
are_those_of (const stream *s, omen_notes_reader *reader)
{
  omen_raw_note note;
  uint64_t sum = 0;
  for (size_t i = 0; i < s->notes_count; i++) {
    assert_true (omen_notes_next (reader, &note));
    assert_int_equal (note.site, s->notes[i].site->id);
    assert_int_equal (note.a, s->notes[i].a);
    assert_int_equal (note.left == OMEN_LEFT_UNSEEN, s->notes[i].b == NO_VALUE);
    if (note.left == OMEN_LEFT_UNSEEN)
      continue;
    if (!note.left)
      assert_int_equal (note.b, s->notes[i].b);
    sum += note.left ? note.b * s->notes[i].b : 0;
    if (note.left == 1) {
      assert_int_equal (note.sum, sum);
      sum = 0;
    }
  }
  assert_false (omen_notes_next (reader, &note));
  assert_false (reader->failed);
  assert_int_equal (sum, 0);
}

static void
come_back_from (stream *s, omen_encode_form *encode)
{
  uint8_t *bytes = malloc (OMEN_CODE_MAX);
  omen_encoder *encoder = malloc (sizeof *encoder);
  omen_notes_reader *reader = malloc (sizeof *reader);
  uint32_t notes;
  memset (encoder, 0xa5, sizeof *encoder);
  omen_encoder_init (encoder, table.chains, 0);
  size_t size = encode (encoder, s->words, s->count, bytes, &notes);
  assert_true (size <= OMEN_CODE_MAX);
  assert_int_equal (notes, s->notes_count);
  bytes = realloc (bytes, size + 1);
  memset (reader, 0x5a, sizeof *reader);
  omen_notes_open (reader, &table, bytes, size, notes);
  are_those_of (s, reader);
  come_in_part (bytes, size, notes);
  come_in_part (bytes, size, notes + 1);
  free (reader);
  free (encoder);
  free (bytes);
}

static void
same_from (const stream *s, omen_encode_form *one, omen_encode_form *other)
{
  uint8_t *bytes[2];
  omen_encode_form *const forms[2] = { one, other };
  omen_encoder *encoder = malloc (sizeof *encoder);
  uint32_t notes;
  size_t size[2];
  omen_encoder_init (encoder, table.chains, 0);
  for (unsigned i = 0; i < 2; i++) {
    bytes[i] = malloc (OMEN_CODE_MAX);
    size[i] = forms[i](encoder, s->words, s->count, bytes[i], &notes);
  }
  assert_int_equal (size[0], size[1]);
  assert_memory_equal (bytes[0], bytes[1], size[0]);
  free (bytes[0]);
  free (bytes[1]);
  free (encoder);
}

static void
come_back (stream *s)
{
  omen_encode_form *form;
  come_back_from (s, omen_encode);
  for (unsigned i = 0; (form = omen_encode_form_at (i)); i++)
    same_from (s, form, omen_encode_any);
  come_back_from (s, omen_encode_any);
}

/* ---- tests ---- */

static void
add_any (stream *s, uint64_t *random, unsigned variety)
{
  uint64_t values[OMEN_BLOCK_NOTES];
  if (!below (random, 4)) {
    add_any_range (s, random);
    return;
  }
  if (below (random, 2)) {
    omen_site *site = &sites[below (random, variety)];
    add_note (s, (omen_note){ site, some_word (random),
                              cut_to (some_word (random), site->size) });
    return;
  }
  for (unsigned i = 0; i < OMEN_BLOCK_NOTES; i++)
    values[i] = some_word (random);
  for (unsigned i = 0; i < OMEN_BLOCK_WORDS; i++)
    s->words[s->count + i] = some_word (random);
  if (below (random, 4))
    add_block (s, &blocks[below (random, BLOCKS)].head, values);
  else
    add_whole_loop (s, &loops[below (random, LOOPS)].head,
                    1 + below (random, 9));
}

/* One loop after the other, alone and in runs; nothing else is like it. */
static void
whole_loops_come_back (void **state)
{
  stream *s = malloc (sizeof *s);
  uint64_t random = 77;
  make_program ();
  for (unsigned round = 0; round < 40; round++) {
    s->count = s->notes_count = 0;
    while (s->count < 1200) {
      omen_code_block *loop = &loops[below (&random, LOOPS)].head;
      for (uint64_t run = 1 + below (&random, 9); run; run--) {
        for (unsigned i = 0; i < loop->words; i++)
          s->words[s->count + i] = some_word (&random);
        add_whole_loop (s, loop, 1 + below (&random, 9));
      }
    }
    come_back (s);
  }
  forget_table ();
  free (s);
}

static bool
comes_with (uint64_t turns, uint32_t notes)
{
  static stream s;
  uint8_t *bytes = malloc (OMEN_CODE_MAX);
  omen_encoder *encoder = malloc (sizeof *encoder);
  omen_notes_reader *reader = malloc (sizeof *reader);
  omen_raw_note note;
  uint32_t count;
  omen_encoder_init (encoder, table.chains, 0);
  s.count = s.notes_count = 0;
  memset (s.words, 0, sizeof s.words);
  add_whole_loop (&s, &loops[0].head, 2);
  s.words[loops[0].head.words - 1] = turns;
  size_t size = omen_encode (encoder, s.words, s.count, bytes, &count);
  omen_notes_open (reader, &table, bytes, size, notes);
  while (omen_notes_next (reader, &note))
    ;
  bool right = !reader->failed;
  free (reader);
  free (encoder);
  free (bytes);
  return right;
}

static void
turns_are_checked (void **state)
{
  make_program ();
  uint32_t each = loops[0].head.count;
  assert_true (comes_with (3, 3 * each));
  assert_false (comes_with (0, 3 * each));
  assert_false (comes_with (3, 2 * each));
  assert_false (comes_with (3, 3 * each - 1));
  assert_false (comes_with (2, 3 * each));
  assert_false (comes_with (UINT64_MAX, UINT32_MAX));
  assert_false (comes_with (UINT64_C (1) << 40, UINT32_MAX));
  forget_table ();
}

static void
any_notes_come_back (void **state)
{
  stream *s = malloc (sizeof *s);
  make_program ();
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t random = seed;
    size_t count = below (&random, seed % 10 ? 40 : OMEN_WORDS_MAX);
    unsigned variety = seed % 3 ? 5 : SITES;
    /* A file that may have chains, but not this log. */
    table.chains = seed % 4 < 2;
    s->count = s->notes_count = 0;
    for (size_t i = 0; i < count && has_room (s); i++)
      add_any (s, &random, variety);
    come_back (s);
  }
  table.chains = false;
  free (s);
  forget_table ();
}

/* Several chunks, each made in the same memory. */
static void
chains_come_back_from (omen_encode_form *encode, uint64_t random)
{
  stream *s = malloc (sizeof *s);
  uint8_t *bytes = malloc (OMEN_CODE_MAX);
  omen_encoder *encoder = malloc (sizeof *encoder);
  omen_notes_reader *reader = malloc (sizeof *reader);
  uint32_t notes, continued = 0, variety = random % 3 ? 5 : SITES;
  table.chains = true;
  memset (encoder, 0xa5, sizeof *encoder);
  omen_encoder_init (encoder, true, 3);
  for (int chunk = 0; chunk < 10; chunk++) {
    size_t count = below (&random, chunk % 4 ? 40 : 600);
    s->count = s->notes_count = 0;
    for (size_t i = 0; i < count && has_room (s); i++)
      add_any (s, &random, variety);
    size_t size = encode (encoder, s->words, s->count, bytes, &notes);
    assert_true (chunk || !encoder->continues);
    continued = encoder->continues ? continued + 1 : 0;
    assert_true (continued <= 3);
    if (encoder->continues)
      omen_notes_continue (reader, bytes, size, notes);
    else
      omen_notes_open (reader, &table, bytes, size, notes);
    are_those_of (s, reader);
  }
  table.chains = false;
  free (reader);
  free (encoder);
  free (bytes);
  free (s);
}

static void
chains_come_back (void **state)
{
  make_program ();
  for (uint64_t seed = 1; seed <= 300; seed++)
    for (unsigned i = 0; omen_encode_form_at (i); i++)
      chains_come_back_from (omen_encode_form_at (i), seed);
  forget_table ();
}

/* One word of a loop: how it goes on. */
static uint64_t
go_on (uint64_t *random, unsigned how, uint64_t word)
{
  switch (how) {
  case 0:
    return word;
  case 1:
    return word + 8;
  case 2:
    return word + 4 * below (random, 2);
  case 3:
    return word - below (random, 3);
  case 4:
    return below (random, 40) ? word + 5600 : word - 1000000;
  case 5:
    return below (random, 1000);
  case 6:
    return word + next_random (random) % (UINT64_C (1) << 40);
  default:
    return next_random (random);
  }
}

static void
add_loop (stream *s, uint64_t *random)
{
  omen_code_block *block = &blocks[below (random, BLOCKS)].head;
  uint64_t words[OMEN_BLOCK_WORDS] = { 0 }, values[OMEN_BLOCK_NOTES] = { 0 };
  uint8_t how[OMEN_BLOCK_WORDS + OMEN_BLOCK_NOTES];
  size_t count = 2 + below (random, 100);
  omen_site *site = below (random, 3) ? NULL : &sites[below (random, SITES)];
  for (unsigned i = 0; i < sizeof how; i++)
    how[i] = (uint8_t)below (random, 8);
  for (size_t k = 0; k < count && has_room (s); k++) {
    for (unsigned i = 0; i < OMEN_BLOCK_WORDS; i++)
      words[i] = go_on (random, how[i], words[i]);
    for (unsigned i = 0; i < OMEN_BLOCK_NOTES; i++)
      values[i] = go_on (random, how[OMEN_BLOCK_WORDS + i], values[i]);
    if (site) {
      add_note (s,
                (omen_note){ site, words[0], cut_to (words[1], site->size) });
      continue;
    }
    memcpy (&s->words[s->count], words, sizeof words);
    add_block (s, block, values);
  }
}

static void
loops_come_back (void **state)
{
  stream *s = malloc (sizeof *s);
  make_program ();
  for (uint64_t seed = 1; seed <= 500; seed++) {
    uint64_t random = seed;
    s->count = s->notes_count = 0;
    while (has_room (s) && below (&random, 10))
      if (below (&random, 3))
        add_loop (s, &random);
      else
        add_any (s, &random, SITES);
    come_back (s);
  }
  free (s);
  forget_table ();
}

/* A loop over an array takes next to nothing, and its loads a sum for 16. */
static void
loops_are_small (void **state)
{
  stream *s = malloc (sizeof *s);
  omen_encoder *encoder = malloc (sizeof *encoder);
  uint8_t *bytes = malloc (OMEN_CODE_MAX);
  uint32_t notes;
  uint64_t random = 1;
  static omen_site load = { .kind = OMEN_SITE_LOAD, .size = 8 };
  omen_encoder_init (encoder, table.chains, 0);
  s->count = s->notes_count = 0;
  for (unsigned i = 0; i < 1600; i++)
    add_note (
        s, (omen_note){ &load, 0x7f0000000000 + 8 * i, next_random (&random) });
  assert_true (omen_encode (encoder, s->words, s->count, bytes, &notes)
               < 1600 / 16 * 8 + 40);
  come_back (s);
  free (bytes);
  free (encoder);
  free (s);
}

static size_t
size_of (const stream *s)
{
  omen_encoder *encoder = malloc (sizeof *encoder);
  uint8_t *bytes = malloc (OMEN_CODE_MAX);
  uint32_t notes;
  omen_encoder_init (encoder, table.chains, 0);
  size_t size = omen_encode (encoder, s->words, s->count, bytes, &notes);
  free (bytes);
  free (encoder);
  return size;
}

static void
add_strides (stream *s, omen_code_block *block, uint64_t step)
{
  enum { LOADS = 4, TURNS = 1000 };
  static omen_site load = { .kind = OMEN_SITE_LOAD, .size = 8 };
  uint64_t random = 1, values[LOADS];
  *block = (omen_code_block){
    .kind = OMEN_SITE_BLOCK, .words = 3, .bases = 2, .count = LOADS
  };
  for (unsigned i = 0; i < LOADS; i++)
    block->members[i]
        = (omen_member){ .site = (int32_t)((char *)&load - (char *)block),
                         .base = 1,
                         .constant = i ? OMEN_MEMBER_STEPS (2, i) : 0 };
  place_loads (block);
  s->count = s->notes_count = 0;
  for (unsigned i = 0; i < TURNS; i++) {
    s->words[s->count + 1] = 0x7f0000000000 + LOADS * step * i;
    s->words[s->count + 2] = step;
    for (unsigned k = 0; k < LOADS; k++)
      values[k] = next_random (&random);
    add_block (s, block, values);
  }
}

/* A step that stays is no place that stays: sums are for 16, too. Where the
   place stays each note has its own. */
static void
strides_are_small (void **state)
{
  stream *s = malloc (sizeof *s);
  static any_block moves, stays; /* near to their sites */
  add_strides (s, &moves.head, 320);
  assert_in_range (size_of (s), 1000 / 4 * 8, 1000 / 4 * 8 + 60);
  come_back (s);
  add_strides (s, &stays.head, 0);
  assert_true (size_of (s) >= 1000 * 8);
  come_back (s);
  forget_table ();
  free (s);
}

static void
make_stores (omen_code_block *block, unsigned stores)
{
  static omen_site store = { .kind = OMEN_SITE_STORE, .size = 8 };
  *block = (omen_code_block){ .kind = OMEN_SITE_BLOCK,
                              .bases = 1,
                              .count = (uint8_t)stores,
                              .words = (uint8_t)(2 + stores) };
  for (unsigned i = 0; i < stores; i++)
    block->members[i]
        = (omen_member){ .site = (int32_t)((char *)&store - (char *)block),
                         .base = 1,
                         .word = (uint8_t)(2 + i),
                         .offset = (int32_t)(8 * i) };
}

/* Columns without pattern lie side by side, each as wide as it has to be: words
   that are small, words that are near to each other, and others. */
static void
uneven_columns_are_small (void **state)
{
  enum { TURNS = 200, STORES = 5 };
  static const uint8_t widths[STORES] = { 1, 3, 8, 2, 8 };
  static any_block some;
  omen_code_block *block = &some.head;
  stream *s = malloc (sizeof *s);
  uint64_t random = 1;
  make_stores (block, STORES);
  s->count = s->notes_count = 0;
  for (unsigned i = 0; i < TURNS; i++) {
    uint64_t *words = &s->words[s->count];
    words[1] = 0x7f0000000000 + 64 * i;
    for (unsigned k = 0; k < STORES; k++)
      words[2 + k] = next_random (&random) >> (64 - 8 * widths[k]);
    words[3] = 0x7f0000000000 + words[3] / 4; /* far, but near to each other */
    add_block (s, block, NULL);
  }
  assert_in_range (size_of (s), 22 * (TURNS - 1), 22 * TURNS + 80);
  come_back (s);
  forget_table ();
  free (s);
}

/* A copy has its bytes once, a fill one of them, all others as they are. */
static void
ranges_are_small (void **state)
{
  stream *s = malloc (sizeof *s);
  uint8_t bytes[1000];
  uint64_t random = 1;
  s->count = s->notes_count = 0;
  for (unsigned i = 0; i < 10; i++) {
    for (unsigned k = 0; k < sizeof bytes; k++)
      bytes[k] = (uint8_t)next_random (&random);
    add_range (s, READ, 77, 0x7f0000001000 + i * 1000, bytes, sizeof bytes, 0);
    add_range (s, WRITE, 77, 0x7f0000008000 + i * 1000, bytes, sizeof bytes, 0);
  }
  assert_in_range (size_of (s), 10 * sizeof bytes, 10 * sizeof bytes + 150);
  come_back (s);
  s->count = s->notes_count = 0;
  for (unsigned i = 0; i < 10; i++) {
    memset (bytes, (int)i, sizeof bytes);
    add_range (s, WRITE, 77, 0x7f0000008000 + i * 1000, bytes, sizeof bytes - i,
               0);
  }
  assert_true (size_of (s) < 10 * 10);
  come_back (s);
  s->count = s->notes_count = 0;
  for (unsigned i = 0; i < 300; i++) /* six bytes of five */
    add_range (s, i % 2, 77 + i % 2, 0x7f0000001000 + i * 16,
               (const uint8_t *)"words of no interest" + i % 7, 5, 0);
  assert_true (size_of (s) < 300 * 9);
  come_back (s);
  s->count = s->notes_count = 0;
  while (OMEN_WORDS_MAX - s->count >= 6) /* as many as there can be */
    add_range (s, COPY, 77, 0x7f0000001000 + s->count, bytes + s->count % 7, 1,
               0x7f0000008000 + s->count);
  assert_true (size_of (s) < s->count);
  come_back (s);
  free (s);
}

/* More notes than are kept, in chunks that continue others: a new one begins by
   itself where there is no room. */
static void
many_sites_come_back (void **state)
{
  enum { MANY = 5000, CHUNKS = 60 };
  omen_site *many = calloc (MANY, sizeof *many);
  stream *s = malloc (sizeof *s);
  uint8_t *bytes = malloc (OMEN_CODE_MAX);
  omen_encoder *encoder = malloc (sizeof *encoder);
  omen_notes_reader *reader = omen_notes_reader_new ();
  uint32_t notes, begun = 0;
  uint64_t random = 1;
  table.chains = true;
  memset (encoder, 0xa5, sizeof *encoder);
  omen_encoder_init (encoder, true, OMEN_CHAIN_MOST);
  for (uint64_t chunk = 0; chunk < CHUNKS; chunk++) {
    uint64_t variety = chunk < 2 ? 3 : MANY;
    s->count = s->notes_count = 0;
    while (has_room (s))
      add_note (s, (omen_note){ &many[below (&random, variety)],
                                some_word (&random), some_word (&random) });
    size_t size = omen_encode (encoder, s->words, s->count, bytes, &notes);
    begun += !encoder->continues;
    if (encoder->continues)
      omen_notes_continue (reader, bytes, size, notes);
    else
      omen_notes_open (reader, &table, bytes, size, notes);
    are_those_of (s, reader);
  }
  assert_in_range (begun, 2, CHUNKS / 2);
  table.chains = false;
  omen_free (reader);
  free (encoder);
  free (bytes);
  free (s);
  free (many);
}

/* Loads of one place are exact also in a loop: others may write there. */
static void
one_place_is_exact (void **state)
{
  stream *s = malloc (sizeof *s);
  omen_encoder *encoder = malloc (sizeof *encoder);
  omen_notes_reader *reader = malloc (sizeof *reader);
  uint8_t *bytes = malloc (OMEN_CODE_MAX);
  omen_raw_note note;
  uint32_t notes;
  static omen_site load = { .kind = OMEN_SITE_LOAD, .size = 8 };
  omen_encoder_init (encoder, table.chains, 0);
  s->count = s->notes_count = 0;
  for (unsigned i = 0; i < 1600; i++)
    add_note (s, (omen_note){ &load, 0x7f0000000000, i * i });
  size_t size = omen_encode (encoder, s->words, s->count, bytes, &notes);
  omen_notes_open (reader, &table, bytes, size, notes);
  for (unsigned i = 0; i < 1600; i++) {
    assert_true (omen_notes_next (reader, &note));
    assert_int_equal (note.left, 0);
    assert_int_equal (note.b, i * i);
  }
  free (bytes);
  free (reader);
  free (encoder);
  free (s);
}

/* Cut or changed bytes: an error or other notes, never more than there are. */
static void
damage_is_survived (void **state)
{
  stream *s = malloc (sizeof *s);
  omen_encoder *encoder = malloc (sizeof *encoder);
  omen_notes_reader *reader = malloc (sizeof *reader);
  uint8_t *bytes = malloc (OMEN_CODE_MAX);
  omen_encoder_init (encoder, table.chains, 0);
  make_program ();
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    uint64_t random = seed;
    omen_raw_note note;
    uint32_t notes, seen = 0;
    s->count = s->notes_count = 0;
    for (unsigned i = 0; i < 5 && has_room (s); i++)
      if (below (&random, 2))
        add_loop (s, &random);
      else
        add_any (s, &random, SITES);
    size_t size = omen_encode (encoder, s->words, s->count, bytes, &notes);
    uint8_t *copy = malloc (size);
    memcpy (copy, bytes, size);
    size_t cut = seed % 2 ? size : below (&random, size);
    if (cut == size)
      copy[below (&random, size)] ^= (uint8_t)(1 << below (&random, 8));
    copy = realloc (copy, cut ? cut : 1);
    omen_notes_open (reader, &table, copy, cut, notes);
    while (omen_notes_next (reader, &note))
      seen++;
    assert_true (seen <= notes);
    assert_true (cut == size || (seen < notes && reader->failed));
    free (copy);
  }
  free (bytes);
  free (reader);
  free (encoder);
  free (s);
  forget_table ();
}

static void
too_many_bytes_are_an_error (void **state)
{
  uint8_t *bytes = calloc (1, OMEN_CODE_MAX);
  omen_encoder *encoder = malloc (sizeof *encoder);
  omen_notes_reader *reader = malloc (sizeof *reader);
  omen_note one = { &sites[0], 5, 6 };
  omen_raw_note note;
  uint32_t notes;
  omen_encoder_init (encoder, table.chains, 0);
  size_t size = omen_encode (encoder, (const uint64_t *)&one, 3, bytes, &notes);
  omen_notes_open (reader, &table, bytes, size + 1, 1);
  assert_true (omen_notes_next (reader, &note));
  assert_false (omen_notes_next (reader, &note));
  assert_true (reader->failed);
  free (reader);
  free (encoder);
  free (bytes);
}

/* A table with nonsense in it is refused, whatever it is. */
static void
blocks_are_checked (void **state)
{
  struct {
    omen_file_block head;
    omen_file_member members[2];
  } good = { { 4, 1, 1, 0, 2 },
             { { 1, 0, 0, 1, 3, 0, 0 }, { 2, 8, 0, 1, 2, 0, 0 } } },
    bad;
  omen_notes_blocks some = { 0 };
  assert_true (omen_notes_blocks_add (&some, (uint8_t *)&good, sizeof good, 1));
  assert_false (
      omen_notes_blocks_add (&some, (uint8_t *)&good, sizeof good - 1, 1));
  bad = good;
  bad.members[0].base = 0;
  bad.members[0].offset = 1;
  assert_true (omen_notes_blocks_add (&some, (uint8_t *)&bad, sizeof bad, 1));
#define REFUSED(change)                                                        \
  bad = good;                                                                  \
  bad.change;                                                                  \
  assert_false (omen_notes_blocks_add (&some, (uint8_t *)&bad, sizeof bad, 1))
  REFUSED (head.words = OMEN_BLOCK_WORDS + 1);
  REFUSED (head.bases = 0);
  REFUSED (head.bases = 4);
  REFUSED (head.loads = 2);
  REFUSED (head.zero = 1);
  REFUSED (head.count = 0);
  REFUSED (head.count = OMEN_BLOCK_NOTES + 1);
  REFUSED (members[0].site = 0);
  REFUSED (members[0].base = 2);
  REFUSED (members[0].base = 0); /* which is for depths */
  REFUSED (members[1].word = 4);
  REFUSED (members[1].word = 1);
  REFUSED (members[1].shift = 1);
  REFUSED (members[1].constant = OMEN_MEMBER_STEPS (2, 1));
  REFUSED (members[1].constant = OMEN_MEMBER_NEAR (1, 61, 4));
  REFUSED (members[0].weight = OMEN_BLOCK_LOADS + 1);
  /* a loop */
  good.head = (omen_file_block){ 4, 3, OMEN_BLOCK_LOOP, 0, 2 };
  good.members[0] = (omen_file_member){ 1, -8, 16, 1, 0, 0, 0 };
  good.members[1] = (omen_file_member){ 2, 8, 0, 1, 2, 0, 0 };
  assert_true (omen_notes_blocks_add (&some, (uint8_t *)&good, sizeof good, 1));
  REFUSED (head.words = 2);
  REFUSED (head.bases = 2);
  REFUSED (head.count = OMEN_LOOP_MEMBERS + 1);
  REFUSED (members[0].site = 0);
  REFUSED (members[0].base = 0);
  REFUSED (members[0].base = 3); /* which is for turns */
  REFUSED (members[1].word = 3);
  REFUSED (members[1].shift = 1);
  REFUSED (members[1].weight = 1);
#undef REFUSED
  omen_notes_blocks_fini (&some);
}

UNIT_MAIN (UNIT (any_notes_come_back), UNIT (chains_come_back),
           UNIT (loops_come_back), UNIT (loops_are_small),
           UNIT (strides_are_small), UNIT (uneven_columns_are_small),
           UNIT (ranges_are_small), UNIT (many_sites_come_back),
           UNIT (one_place_is_exact), UNIT (damage_is_survived),
           UNIT (too_many_bytes_are_an_error), UNIT (whole_loops_come_back),
           UNIT (turns_are_checked), UNIT (blocks_are_checked))
