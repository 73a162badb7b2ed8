#include "recording/scan/pieces.h"
#include "wire/abi.h"

enum { SITE_WORDS = 3 };

/* ---- plans ---- */

static bool
is_access (unsigned kind)
{
  return kind == OMEN_SITE_LOAD || kind == OMEN_SITE_STORE;
}

/* Does a note of this kind carry a size besides its address? */
static bool
has_extent (unsigned kind)
{
  return kind == OMEN_SITE_STACK_ALLOC || kind == OMEN_SITE_STACK_FREE
         || kind == OMEN_SITE_EXTERNAL;
}

static bool
add_member (omen_plans *plans, const omen_notes_member *as, uint32_t site)
{
  const omen_notes_file *file = plans->file;
  omen_plan_member m = { .as = *as };
  if (site >= file->sites.count)
    return false;
  m.kind = file->sites.data[site].kind;
  m.size = file->sites.data[site].size;
  m.followed = omen_notes_site_use (file, site) != OMEN_SITE_UNUSED;
  m.word = as->as.word;
  m.shift = as->as.shift;
  m.constant = as->as.constant;
  m.mask = as->mask;
  OMEN_VEC_PUSH (plans->members, m);
  return true;
}

static bool
add_site (omen_plans *plans, uint32_t id)
{
  unsigned kind = plans->file->sites.data[id].kind;
  omen_notes_member as
      = { .as = { .site = id, .base = 1, .word = 2 }, .mask = UINT64_MAX };
  omen_plan plan = { .first = (uint32_t)plans->members.count, .count = 1 };
  uint8_t needed = is_access (kind) ? 2 : SITE_WORDS;
  plan.accesses = is_access (kind);
  plan.runtime = kind >= OMEN_ITEM_FIRST;
  plan.calls = kind == OMEN_SITE_ENTER || kind == OMEN_SITE_CALLED;
  OMEN_VEC_PUSH (plans->sites, plan);
  OMEN_VEC_PUSH (plans->needs.sites, needed);
  return add_member (plans, &as, id);
}

/* A block holds notes either of the runtime or of woven code. */
static bool
add_block (omen_plans *plans, const omen_notes_block *block, bool addresses)
{
  const omen_notes_member *members
      = &plans->file->blocks.members.data[block->members];
  omen_plan plan = { .first = (uint32_t)plans->members.count,
                     .count = block->as.count,
                     .accesses = true,
                     .loop = block->as.loads == OMEN_BLOCK_LOOP };
  uint8_t needed = addresses ? block->as.bases + 1 : 2;
  for (uint32_t i = 0; i < plan.count; i++) {
    const omen_plan_member *m;
    if (!add_member (plans, &members[i], members[i].as.site))
      return false;
    m = &OMEN_VEC_LAST (plans->members);
    plan.runtime |= m->kind >= OMEN_ITEM_FIRST;
    if (plan.runtime != (m->kind >= OMEN_ITEM_FIRST)
        || (plan.loop && !is_access (m->kind)))
      return false;
    plan.accesses &= is_access (m->kind) && !m->as.times && m->as.as.base;
    plan.calls |= m->kind == OMEN_SITE_CALLED
                  || (m->kind == OMEN_SITE_ENTER && (m->word || m->constant));
    if (plan.runtime || (addresses ? has_extent (m->kind) : plan.calls))
      needed = block->as.words;
  }
  OMEN_VEC_PUSH (plans->blocks, plan);
  OMEN_VEC_PUSH (plans->needs.blocks, plan.loop ? block->as.words : needed);
  return true;
}

bool
omen_plans_init (omen_plans *plans, const omen_notes_file *file, bool addresses)
{
  *plans = (omen_plans){ .file = file };
  if (!file->blocks.apart)
    return false; /* its addresses are stored within the values */
  for (uint32_t id = 0; id < file->sites.count; id++)
    if (!add_site (plans, id))
      return false;
  for (size_t i = 0; i < file->blocks.blocks.count; i++)
    if (!add_block (plans, &file->blocks.blocks.data[i], addresses))
      return false;
  return true;
}

void
omen_plans_fini (omen_plans *plans)
{
  OMEN_VEC_FINI (plans->members);
  OMEN_VEC_FINI (plans->sites);
  OMEN_VEC_FINI (plans->blocks);
  OMEN_VEC_FINI (plans->needs.sites);
  OMEN_VEC_FINI (plans->needs.blocks);
}

/* ---- pieces ---- */

void
omen_pieces_init (omen_pieces *pieces, const omen_plans *plans,
                  const omen_notes_thread *thread)
{
  *pieces = (omen_pieces){ .plans = plans, .thread = thread };
  pieces->reader = omen_notes_reader_new ();
  pieces->wrong = (thread->cut && !thread->shortened) || thread->start;
}

void
omen_pieces_fini (omen_pieces *pieces)
{
  OMEN_VEC_FINI (pieces->notes);
  omen_free (pieces->unpacked);
  omen_free (pieces->reader);
}

static bool
is_wrong (omen_pieces *p)
{
  p->wrong = true;
  return false;
}

static bool
open_chunk (omen_pieces *p)
{
  const omen_notes_file *file = p->plans->file;
  const omen_chunk *chunk = &p->thread->chunks[p->chunk++];
  omen_bytes payload;
  omen_binary_passed (file->reader, &p->passed, chunk->offset);
  if (!omen_chunk_payload (file->reader, chunk, &p->unpacked, &payload))
    return is_wrong (p);
  size_t size = (size_t)(payload.end - payload.at);
  if (chunk->header.flags & OMEN_CHUNK_CONTINUES) {
    omen_notes_continue (p->reader, payload.at, size, chunk->header.count);
    return true;
  }
  omen_notes_open (p->reader, &file->blocks, payload.at, size,
                   chunk->header.count);
  omen_notes_need (p->reader, &p->plans->needs);
  return true;
}

static const omen_plan *
plan_of (const omen_pieces *p)
{
  const omen_notes_batch *b = &p->batch;
  const omen_notes_block *first = p->plans->file->blocks.blocks.data;
  return b->block ? &p->plans->blocks.data[b->block - first]
                  : &p->plans->sites.data[b->site];
}

/* Reads the next batch; false at the end. */
static bool
next_batch (omen_pieces *p)
{
  while (!p->wrong) {
    if (p->open && omen_notes_take (p->reader, &p->batch)) {
      if (!p->batch.block && p->batch.site >= p->plans->sites.count)
        return is_wrong (p);
      p->left = p->batch.range ? 1 : p->batch.notes * plan_of (p)->count;
      p->next = 0;
      return true;
    }
    if (p->open && p->reader->failed)
      return is_wrong (p);
    p->open = p->chunk < p->thread->count;
    if (!p->open || !open_chunk (p))
      return false;
  }
  return false;
}

/* ---- items of the runtime ---- */

/* The plan's member that describes the next note. */
static const omen_plan_member *
next_member (const omen_pieces *p)
{
  const omen_plan *plan = plan_of (p);
  return &p->plans->members.data[plan->first + p->next % plan->count];
}

static bool
is_part (const omen_pieces *p)
{
  return !p->batch.range && plan_of (p)->runtime
         && next_member (p)->kind == OMEN_ITEM_PART;
}

static void
take_range (omen_pieces *p)
{
  const omen_notes_batch *b = &p->batch;
  const uint64_t woven = UINT64_C (1) << 63;
  omen_raw_note note = { .site = b->site, .a = b->at[0] };
  omen_raw_note part = { .site = 1, .a = b->length | (b->place & woven) };
  part.b = b->place & ~woven;
  OMEN_VEC_PUSH (p->notes, note);
  OMEN_VEC_PUSH (p->notes, part);
}

static void
take_note (omen_pieces *p)
{
  const omen_plan_member *m = next_member (p);
  const uint64_t *words
      = p->batch.at + (size_t)(p->next / plan_of (p)->count) * p->batch.words;
  omen_raw_note note = { .site = m->as.as.site };
  note.a = omen_notes_address (&m->as, words);
  note.b = omen_plan_value (m, words);
  if (p->batch.range)
    take_range (p);
  else
    OMEN_VEC_PUSH (p->notes, note);
  p->next++;
  p->left--;
}

/* Collects the notes of an item: its first note and all PARTs that follow. */
static bool
gather_item (omen_pieces *p)
{
  do
    take_note (p);
  while ((p->left || next_batch (p)) && is_part (p));
  return !p->wrong;
}

static omen_item
item_of (const omen_pieces *p)
{
  const omen_raw_note *first = p->notes.data;
  const omen_file_site *site = &p->plans->file->sites.data[first->site];
  omen_item item = { .kind = site->kind, .site = first->site };
  item.notes = (uint32_t)p->notes.count;
  item.a = item.object = first->a;
  item.b = first->b;
  item.parts = first + 1;
  return item;
}

static bool
give_plan (omen_pieces *p, omen_note_piece *piece)
{
  const omen_notes_batch *b = &p->batch;
  piece->plan = plan_of (p);
  piece->notes = b->notes;
  piece->width = b->words;
  piece->words = b->at;
  p->items += (uint64_t)b->notes * piece->plan->count;
  if (piece->plan->loop)
    for (uint32_t i = 0; i < b->notes; i++)
      p->items += (b->at[(size_t)i * b->words + b->words - 1] - 1)
                  * piece->plan->count;
  p->left = 0;
  return true;
}

bool
omen_pieces_peek (omen_pieces *p, omen_note_piece *piece)
{
  *piece = (omen_note_piece){ 0 };
  if (!p->held) {
    if (!p->left && !next_batch (p))
      return false;
    if (!p->batch.range && !plan_of (p)->runtime)
      return give_plan (p, piece);
    if (is_part (p))
      return is_wrong (p);
    p->held = gather_item (p);
    p->items++;
  }
  piece->item = item_of (p);
  return p->held;
}

void
omen_pieces_pass (omen_pieces *p)
{
  if (p->held)
    OMEN_VEC_CLEAR (p->notes);
  p->held = false;
}
