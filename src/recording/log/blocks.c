/* The table of blocks. Everything that expanding a block relies on is checked
   here. */
#include "base/defs.h"
#include "wire/abi.h"
#include "recording/log/decode.h"

#include <string.h>

static bool
is_loop (const omen_file_block *b)
{
  return b->loads == OMEN_BLOCK_LOOP;
}

static bool
is_block (const omen_file_block *b)
{
  if (is_loop (b))
    return b->words >= 3 && b->words <= OMEN_BLOCK_WORDS
           && b->bases == b->words - 1 && !b->zero && b->count
           && b->count <= OMEN_LOOP_MEMBERS;
  return b->words >= 2 && b->words <= OMEN_BLOCK_WORDS && b->bases
         && b->bases < b->words && b->loads <= OMEN_BLOCK_LOADS && !b->zero
         && b->count && b->count <= OMEN_BLOCK_NOTES;
}

/* Only depths have no base. */
static bool
is_member (const omen_file_block *b, const omen_file_member *m)
{
  if (is_loop (b))
    return m->site && m->base && m->base < b->bases && m->word < b->bases
           && !m->shift && !m->weight;
  unsigned step = omen_member_step (m->constant, m->word);
  unsigned way_end = omen_member_way_bits (m->constant, m->word)
                     + omen_member_way_shift (m->constant, m->word);
  return way_end <= 64 && step <= b->bases && m->site && m->base <= b->bases
         && (m->base || (m->offset > 0 && !step)) && m->word < b->words
         && m->shift < 64 && m->weight <= OMEN_BLOCK_LOADS
         && (!m->word || m->word > b->bases);
}

/* Exact values lie side by side in a word, each up to where the next begins. */
static uint64_t
mask_of (const omen_notes_member *members, uint32_t count,
         const omen_file_member *m)
{
  unsigned end = 64;
  for (uint32_t i = 0; i < count; i++)
    if (members[i].as.word == m->word && members[i].as.shift > m->shift
        && members[i].as.shift < end)
      end = members[i].as.shift;
  return end == 64 ? UINT64_MAX : (UINT64_C (1) << (end - m->shift)) - 1;
}

/* Does a part of m's word begin at its start? */
static bool
is_begun (const omen_notes_member *members, uint32_t count,
          const omen_file_member *m)
{
  for (uint32_t i = 0; i < count; i++)
    if (members[i].as.word == m->word && !members[i].as.shift)
      return m->word;
  return false;
}

/* Loads refer to the last word, if there are any. Each exact load has a part of
   it. */
static bool
find_loads (const omen_file_block *b, omen_notes_member *members)
{
  const omen_notes_member *after = NULL;
  unsigned loads = 0;
  for (uint32_t i = b->count; i-- > 0;) {
    omen_notes_member *m = &members[i];
    m->load = b->loads && m->as.word == b->words - 1;
    m->mask = mask_of (members, b->count, &m->as);
    if (!m->load) {
      if (m->as.weight
          || (m->as.shift && !is_begun (members, b->count, &m->as)))
        return false;
      continue;
    }
    if (after
        && (!after->as.weight != !m->as.weight
            || (!m->as.weight && after->as.shift <= m->as.shift)))
      return false;
    after = m;
    loads++;
  }
  return loads == b->loads;
}

static void
find_way (omen_notes_member *m)
{
  unsigned bits = omen_member_way_bits (m->as.constant, m->as.word);
  m->step = (uint8_t)omen_member_step (m->as.constant, m->as.word);
  m->times = omen_member_times (m->as.constant, m->as.word);
  m->way_down = (uint8_t)(64 - bits);
  m->way_up = (uint8_t)(64 - bits
                        - omen_member_way_shift (m->as.constant, m->as.word));
}

static bool
add_block (omen_notes_blocks *blocks, const uint8_t **at, const uint8_t *end)
{
  omen_notes_block b = { .members = (uint32_t)blocks->members.count };
  if ((size_t)(end - *at) < sizeof b.as)
    return false;
  memcpy (&b.as, *at, sizeof b.as);
  *at += sizeof b.as;
  if (!is_block (&b.as)
      || (size_t)(end - *at) < b.as.count * sizeof (omen_file_member))
    return false;
  for (uint32_t i = 0; i < b.as.count; i++) {
    omen_notes_member m = { .load = false };
    memcpy (&m.as, *at, sizeof m.as);
    *at += sizeof m.as;
    if (!is_member (&b.as, &m.as))
      return false;
    if (!is_loop (&b.as))
      find_way (&m);
    OMEN_VEC_PUSH (blocks->members, m);
  }
  OMEN_VEC_PUSH (blocks->blocks, b);
  return is_loop (&b.as)
         || find_loads (&b.as, &blocks->members.data[b.members]);
}

bool
omen_notes_blocks_add (omen_notes_blocks *blocks, const uint8_t *bytes,
                       size_t size, uint32_t count)
{
  const uint8_t *at = bytes, *end = bytes + size;
  OMEN_REQUIRE (bytes || !size);
  for (uint32_t i = 0; i < count; i++)
    if (!add_block (blocks, &at, end))
      return false;
  return at == end;
}

void
omen_notes_blocks_fini (omen_notes_blocks *blocks)
{
  OMEN_VEC_FINI (blocks->blocks);
  OMEN_VEC_FINI (blocks->members);
}
