#include "wire/abi.h"
#include "recording/log/take.h"

enum { NOTE_WORDS = 3, PART_SITE = 1 };

typedef omen_notes_reader reader;

/* ---- headers ---- */

static const omen_notes_block *
block_of (const reader *r, const omen_notes_local *local)
{
  OMEN_ASSERT (!local->is_block || local->id <= r->blocks->blocks.count);
  return local->is_block ? &r->blocks->blocks.data[local->id - 1] : NULL;
}

static bool
is_loop (const omen_notes_block *block)
{
  return block && block->as.loads == OMEN_BLOCK_LOOP;
}

/* Of the loop whose record begins at `note`. */
static uint64_t
turns_of (const reader *r, const omen_notes_block *loop, uint32_t note)
{
  return r->words[note + loop->as.words - 1];
}

static uint32_t
words_of (const reader *r, const omen_notes_local *local)
{
  return local->is_block ? block_of (r, local)->as.words : NOTE_WORDS;
}

static uint8_t
needed_of (const reader *r, const omen_notes_local *local)
{
  uint32_t words = words_of (r, local), id = local->id - local->is_block;
  if (!r->needs || local->is_bytes)
    return (uint8_t)words;
  if (local->is_block)
    return r->needs->blocks.data[id];
  return id < r->needs->sites.count ? r->needs->sites.data[id] : (uint8_t)words;
}

static uint32_t
new_local (reader *r, omen_notes_local local)
{
  uint32_t index = r->count;
  local.needed = needed_of (r, &local);
  r->locals[index] = local;
  if (!r->blocks->tags)
    r->after[index] = 0;
  if (r->count < r->most)
    r->count++;
  return index;
}

/* Of a RANGE item. */
static bool
take_new_bytes (reader *r, uint32_t *local)
{
  uint64_t id, place;
  if (!omen_take (r, &id) || !id || id > UINT32_MAX || !omen_take (r, &place))
    return false;
  *local = new_local (r, (omen_notes_local){ .id = (uint32_t)id,
                                             .is_bytes = true,
                                             .place = place });
  return true;
}

static bool
take_new (reader *r, uint32_t *local)
{
  uint64_t code;
  if (!omen_take (r, &code))
    return false;
  if (code == OMEN_CODE_BYTES)
    return take_new_bytes (r, local);
  if (code < 2 || code >> 1 > UINT32_MAX
      || ((code & 1) && code >> 1 > r->blocks->blocks.count))
    return false;
  *local = new_local (r, (omen_notes_local){ .id = (uint32_t)(code >> 1),
                                             .is_block = code & 1 });
  return true;
}

/* *run: the start of a run, not a header. */
static bool
take_head (reader *r, uint32_t *local, bool *run)
{
  uint64_t code;
  if (!omen_take (r, &code) || code >= (uint64_t)r->count + 2)
    return false;
  *run = code == OMEN_CODE_RUN;
  if (!code)
    return take_new (r, local);
  *local = (uint32_t)(code - 2);
  return true;
}

static bool
take_flag (reader *r, bool *flag)
{
  if (r->flag == 8) {
    if (!omen_take_byte (r, &r->flags))
      return false;
    r->flag = 0;
  }
  *flag = r->flags >> r->flag++ & 1;
  return true;
}

/* ---- single notes ---- */

/* Words that are not needed, from the i-th on. */
static bool
pass_words (reader *r, const uint8_t *tags, uint32_t i, uint32_t count)
{
  static const uint8_t lengths[8] = { 0, 1, 2, 3, 4, 5, 6, 8 };
  size_t size = 0;
  for (; i < count; i++)
    size += lengths[tags[(i - 1) / 2] >> (i % 2 ? 0 : 4) & 7];
  if ((size_t)(r->end - r->at) < size)
    return false;
  r->at += size;
  return true;
}

/* The tags of a note of so many words; NULL: too few bytes are left, or there
   is no earlier record whose tags it could repeat. */
static const uint8_t *
take_tags (reader *r, omen_notes_local *local, uint32_t count, bool repeated)
{
  const bool apart = r->blocks->tags;
  const uint8_t **from = apart ? &r->tags : &r->at, *tags = *from;
  if (repeated)
    return count <= OMEN_TAGS_WORDS ? local->tags : NULL;
  if ((size_t)((apart ? r->tags_end : r->end) - tags) < count / 2)
    return NULL;
  *from += count / 2;
  if (!apart || count > OMEN_TAGS_WORDS)
    return tags;
  memset (local->tags, 0, sizeof local->tags);
  memcpy (local->tags, tags, count / 2);
  return tags;
}

static bool
take_words (reader *r, omen_notes_local *local, uint32_t count, bool repeated)
{
  const uint8_t *tags = take_tags (r, local, count, repeated);
  uint64_t *words = &r->words[r->used];
  if (!tags)
    return false;
  for (uint32_t i = 1; i < local->needed; i++) {
    unsigned tag = tags[(i - 1) / 2] >> (i % 2 ? 0 : 4) & 15;
    bool known = local->last && !(local->summed && i == count - 1);
    uint64_t guess = known ? r->words[local->last + i] : 0;
    uint64_t other = i == 1 ? r->word + local->leap : words[1];
    if (!omen_take_word (r, tag, guess, other, &words[i]))
      return false;
  }
  if (local->needed < count && !pass_words (r, tags, local->needed, count))
    return false;
  local->leap = words[1] - r->word;
  r->word = words[r->blocks->apart ? 1 : count - 1];
  return true;
}

/* ---- runs ---- */

static bool
take_run (reader *r, uint32_t *index)
{
  uint64_t count;
  bool again;
  if (!take_head (r, index, &again) || again || !omen_take (r, &count)
      || count < 2)
    return false;
  omen_notes_local *local = &r->locals[*index];
  if (local->is_bytes)
    return false;
  uint32_t words = words_of (r, local);
  if (count > (OMEN_WORDS_MAX + 1 - r->used) / words)
    return false;
  r->run = (uint32_t)count;
  if (!omen_take_columns (r, local, words,
                          local->is_block ? block_of (r, local)->as.loads : 1))
    return false;
  r->word = r->blocks->apart ? r->words[r->used + (r->run - 1) * words + 1] : 0;
  return true;
}

/* A loop must turn, and not more often than there are records left. */
static bool
turns_right (const reader *r, const omen_notes_block *loop)
{
  uint64_t left = r->left / loop->as.count;
  for (uint32_t i = 0; i < r->run; i++) {
    uint64_t turns = turns_of (r, loop, r->note + i * loop->as.words);
    if (!turns || turns > left)
      return false;
    left -= turns;
  }
  return true;
}

/* ---- handing out ---- */

/* A record of the local was taken; what is expected next. */
static void
move_on (reader *r, uint32_t local)
{
  r->after[r->context] = (uint16_t)local;
  r->context = r->blocks->tags ? omen_notes_context (local, r->before, r->most)
                               : local;
  r->before = r->local = local;
}

/* The local's last record begins at `used`, its last note so many words further
   on. */
static void
set_last (reader *r, uint32_t index, uint32_t words)
{
  omen_notes_local *local = &r->locals[index];
  if (index < r->most && (!local->last || local->last > OMEN_WORDS_MAX))
    r->touched[r->touched_count++] = (uint16_t)index;
  local->last = r->used + words;
  local->summed = r->each;
}

static bool
take_note (reader *r)
{
  uint32_t index = r->after[r->context], words;
  bool expected, repeated = false, run = false;
  if (!take_flag (r, &expected)
      || (r->blocks->tags && !take_flag (r, &repeated))
      || (!expected && !take_head (r, &index, &run)))
    return false;
  r->each = 0;
  r->run = 1;
  if (run && !take_run (r, &index))
    return false;
  omen_notes_local *local = &r->locals[index];
  if (!local->id) /* there was no previous record to predict from */
    return false;
  words = words_of (r, local);
  if (local->is_bytes ? !omen_take_range (r, local, &words)
                      : !run
                            && (words > OMEN_WORDS_MAX + 1 - r->used
                                || !take_words (r, local, words, repeated)))
    return false;
  set_last (r, index, (r->run - 1) * words);
  move_on (r, index);
  r->note = r->used;
  r->used += r->run * words;
  r->done = r->member = r->loads_done = 0;
  r->turn = 0;
  return !is_loop (block_of (r, local)) || turns_right (r, block_of (r, local));
}

/* A load of which only the checksum of its group is known. */
static void
give_load (const reader *r, omen_raw_note *note, const uint64_t *words,
           uint32_t loads, uint32_t last, uint64_t weight)
{
  uint32_t notes = 1, in_group = 0;
  note->sum = words[last];
  if (r->each) {
    uint32_t group = r->done / r->each;
    in_group = r->done % r->each;
    notes = r->run - group * r->each;
    notes = notes < r->each ? notes : r->each;
    note->sum = r->sums[group];
    weight *= omen_weights[OMEN_BLOCK_LOADS + in_group];
  }
  note->b = weight;
  note->left = (notes - in_group) * loads - r->loads_done;
}

static void
give_member (reader *r, omen_raw_note *note, const omen_notes_block *block)
{
  const uint64_t *words = &r->words[r->note];
  const omen_notes_member *m
      = &r->blocks->members.data[block->members + r->member];
  note->site = m->as.site;
  note->a = omen_notes_address (m, words);
  if (!m->as.word)
    note->b = m->as.constant;
  else if (m->load && (m->as.weight || r->each))
    give_load (r, note, words, block->as.loads, block->as.words - 1u,
               m->as.weight ? omen_weights[m->as.weight - 1]
                            : UINT64_C (1) << m->as.shift);
  else
    note->b = words[m->as.word] >> m->as.shift & m->mask;
  r->loads_done += m->load;
}

/* After the last member comes the next record of the run. */
static void
step_on (reader *r, uint32_t members, uint32_t words)
{
  const omen_notes_block *block = block_of (r, &r->locals[r->local]);
  if (++r->member < members)
    return;
  if (is_loop (block) && ++r->turn < turns_of (r, block, r->note)) {
    r->member = 0;
    return;
  }
  r->turn = 0;
  r->member = r->loads_done = 0;
  r->note += words;
  r->done++;
}

/* Turn r->turn of a loop. */
static void
give_turn (const reader *r, omen_raw_note *note, const omen_notes_block *loop)
{
  const uint64_t *words = &r->words[r->note];
  const omen_file_member *m
      = &r->blocks->members.data[loop->members + r->member].as;
  const omen_member member = { .constant = m->constant, .word = m->word };
  note->site = m->site;
  note->a = words[m->base] + (uint64_t)m->offset
            + r->turn * omen_member_stride (&member, words);
  note->left = OMEN_LEFT_UNSEEN;
}

/* Skips all records just decoded, if the filter excludes them. */
static bool
left_out (reader *r)
{
  const omen_notes_local *local = &r->locals[r->local];
  const omen_notes_filter *filter = r->filter;
  if (local->is_bytes)
    return false; /* its records have two sites: look at each */
  if (local->is_block
          ? local->id > filter->blocks.count
                || !filter->blocks.data[local->id - 1]
          : local->id >= filter->sites.count || !filter->sites.data[local->id])
    return false;
  uint32_t members = local->is_block ? block_of (r, local)->as.count : 1;
  uint64_t notes = (uint64_t)members * r->run;
  if (is_loop (block_of (r, local)))
    return false;
  if (notes > r->left)
    return false; /* detected when they are handed out */
  r->left -= (uint32_t)notes;
  r->done = r->run;
  return true;
}

/* Skips members of a block that the filter excludes, up to the next wanted one;
   false: none in this record. */
static bool
find_member (reader *r, const omen_notes_block *block)
{
  const omen_notes_filter *filter = r->filter;
  const omen_notes_member *members = &r->blocks->members.data[block->members];
  while (r->left) {
    uint32_t site = members[r->member].as.site;
    if (site >= filter->sites.count || !filter->sites.data[site])
      return true;
    r->loads_done += members[r->member].load;
    r->left--;
    step_on (r, block->as.count, block->as.words);
    if (!r->member)
      return false;
  }
  return false;
}

/* The same of a RANGE item. */
static bool
find_part (reader *r)
{
  const omen_notes_filter *filter = r->filter;
  while (r->left) {
    uint32_t site = r->member ? PART_SITE : r->locals[r->local].id;
    if (site >= filter->sites.count || !filter->sites.data[site])
      return true;
    r->left--;
    step_on (r, omen_range_notes (r), OMEN_RANGE_WORDS);
    if (!r->member)
      return false;
  }
  return false;
}

static bool
find_wanted (reader *r, const omen_notes_local *local,
             const omen_notes_block *block)
{
  return local->is_bytes ? find_part (r) : !block || find_member (r, block);
}

/* The next records to hand out; false: there are none, or r->failed. */
static bool
take_wanted (reader *r)
{
  do {
    if (!r->left) {
      r->failed = r->at != r->end || r->tags != r->tags_end;
      return false;
    }
    r->failed = !take_note (r);
  } while (!r->failed && r->filter && left_out (r));
  return !r->failed;
}

/* ---- chunks ---- */

/* Where tags are apart, the first bytes say where. */
static void
find_tags (reader *r, const uint8_t *bytes, size_t size)
{
  uint32_t first;
  r->at = bytes;
  r->end = r->tags = r->tags_end = bytes + size;
  if (!r->blocks->tags)
    return;
  r->failed |= size < sizeof first;
  if (r->failed)
    return;
  memcpy (&first, bytes, sizeof first);
  r->at += sizeof first;
  r->failed = first > size - sizeof first;
  if (!r->failed)
    r->end = r->tags = r->at + first;
}

static void
begin_chunk (reader *r, const uint8_t *bytes, size_t size, uint32_t count)
{
  OMEN_REQUIRE (bytes || !size);
  find_tags (r, bytes, size);
  r->left = count;
  r->flag = 8;
  r->run = r->done = 0;
  r->used = 1;
  r->bytes.length = r->bytes_before.length = 0;
  r->touched_count = 0;
  r->word = 0;
  r->before = r->most;
  r->locals[r->most] = (omen_notes_local){ .id = 0 };
  if (r->blocks->tags)
    r->context = omen_notes_context (r->most, r->most, r->most);
  else
    r->after[r->context = r->most] = (uint16_t)r->most;
}

omen_notes_reader *
omen_notes_reader_new (void)
{
  reader *r = omen_alloc (sizeof *r);
  r->failed = true;
  return r;
}

void
omen_notes_open (omen_notes_reader *r, const omen_notes_blocks *blocks,
                 const uint8_t *bytes, size_t size, uint32_t count)
{
  r->blocks = blocks;
  r->filter = NULL;
  r->needs = NULL;
  r->failed = false;
  r->most = !blocks->chains ? OMEN_LOCALS_MAX
            : blocks->tags  ? OMEN_CHAIN_LOCALS_MAX
                            : OMEN_CHAIN_LOCALS_ONCE;
  r->count = r->kept = 0;
  memset (r->after, 0, sizeof r->after);
  r->locals[0] = (omen_notes_local){ .id = 0 };
  begin_chunk (r, bytes, size, count);
}

/* Copies the last words of each local, which the next chunk overwrites. */
static bool
keep_last (reader *r)
{
  for (uint32_t i = 0; i < r->touched_count; i++) {
    omen_notes_local *local = &r->locals[r->touched[i]];
    uint32_t words = local->is_bytes ? 1 : words_of (r, local);
    if (!local->kept) {
      if (words > OMEN_KEPT_WORDS - r->kept)
        return false;
      local->kept = OMEN_WORDS_MAX + 1 + r->kept;
      r->kept += words;
    }
    memcpy (&r->words[local->kept], &r->words[local->last],
            words * sizeof *r->words);
    local->last = local->kept;
  }
  return true;
}

void
omen_notes_continue (omen_notes_reader *r, const uint8_t *bytes, size_t size,
                     uint32_t count)
{
  r->failed = r->failed || r->left || r->done != r->run || !keep_last (r);
  if (!r->failed)
    begin_chunk (r, bytes, size, count);
}

/* How many notes omen_notes_next would hand out. */
static uint64_t
notes_taken (const reader *r, const omen_notes_local *local)
{
  const omen_notes_block *block = block_of (r, local);
  uint64_t turns = 0;
  if (local->is_bytes)
    return omen_range_notes (r);
  if (!is_loop (block))
    return (uint64_t)r->run * (block ? block->as.count : 1);
  for (uint32_t i = 0; i < r->run; i++)
    turns += turns_of (r, block, r->note + i * block->as.words);
  return turns * block->as.count;
}

bool
omen_notes_take (omen_notes_reader *r, omen_notes_batch *batch)
{
  const omen_notes_local *local;
  uint64_t notes;
  if (r->failed || !take_wanted (r))
    return false;
  local = &r->locals[r->local];
  notes = notes_taken (r, local);
  r->failed = notes > r->left;
  r->left -= (uint32_t)(r->failed ? 0 : notes);
  r->done = r->run;
  *batch = (omen_notes_batch){ .block = block_of (r, local),
                               .site = local->id,
                               .notes = r->run,
                               .words = words_of (r, local),
                               .at = &r->words[r->note],
                               .range = local->is_bytes,
                               .length = r->bytes.length,
                               .place = local->place };
  return !r->failed;
}

uint64_t
omen_notes_again (omen_notes_reader *r)
{
  uint64_t notes = notes_taken (r, &r->locals[r->local]);
  r->left += (uint32_t)notes;
  r->done = 0;
  return notes;
}

bool
omen_notes_next (omen_notes_reader *r, omen_raw_note *note)
{
  const omen_notes_local *local;
  const omen_notes_block *block;
  if (r->failed)
    return false;
  do {
    if (r->done == r->run) {
      if (!take_wanted (r))
        return false;
    } else if (!r->left) {
      r->failed = true;
      return false;
    }
    local = &r->locals[r->local];
    block = block_of (r, local);
  } while (r->filter && !find_wanted (r, local, block));
  *note = (omen_raw_note){ .site = local->id };
  if (local->is_bytes) {
    omen_give_range (r, note);
    step_on (r, omen_range_notes (r), OMEN_RANGE_WORDS);
  } else if (block) {
    if (is_loop (block))
      give_turn (r, note, block);
    else
      give_member (r, note, block);
    step_on (r, block->as.count, block->as.words);
  } else {
    note->a = r->words[r->note + 1];
    note->b = r->words[r->note + 2];
    if (r->each)
      give_load (r, note, &r->words[r->note], 1, NOTE_WORDS - 1, 1);
    step_on (r, 1, NOTE_WORDS);
  }
  r->left--;
  return true;
}
