#include "recording/scan/extract.h"
#include "recording/scan/outside.h"
#include "recording/scan/owned.h"
#include "recording/scan/settled.h"
#include "wire/abi.h"

/* A kept read needs the writes to its words; if some were dropped already, the
   walk is repeated. */
#define MOST_WALKS 3u
/* The extraction is kept if it leaves at most FEW notes, or at most one
   WORTH-th of those that were seen. */
#define FEW OMEN_HARD_OR (16u, 1u << 21)
#define WORTH 2u
#define EXTRACT_SHARE 0.4 /* of the limits; the rest is for the merge */

typedef struct walk {
  omen_notes_file *file;
  omen_owned *own;
  omen_plans plans;
  omen_map outside; /* pc -> omen_outside_code */
  omen_kept *out;
  omen_kept batch; /* the current batch, decoded note by note */
  uint64_t items, kept;
  bool wants; /* a kept read needs words that none needed before */
  bool failed;
} walk;

/* ---- what goes ---- */

static bool
is_settled (const walk *w, uint64_t address, uint64_t length)
{
  return omen_settled_is (w->file->settled, address, length);
}

static bool
read_goes (walk *w, uint64_t address, uint64_t length)
{
  return omen_owned_has (w->own, address, length);
}

static bool
write_goes (walk *w, uint64_t address, uint64_t length)
{
  return omen_owned_free (w->own, address, length);
}

static void
want (walk *w, uint64_t address, uint64_t length)
{
  w->wants |= omen_owned_want (w->own, address, length);
}

static void
keep (walk *w, const omen_raw_note *note)
{
  OMEN_VEC_PUSH (*w->out, *note);
}

static void
skip (walk *w, uint64_t items)
{
  omen_raw_note skipped = { .site = OMEN_SKIPPED, .a = items };
  if (w->out->count && OMEN_VEC_LAST (*w->out).site == OMEN_SKIPPED)
    OMEN_VEC_LAST (*w->out).a += items;
  else if (items)
    OMEN_VEC_PUSH (*w->out, skipped);
}

/* ---- note by note ---- */

static const omen_file_site *
site_of (const walk *w, const omen_raw_note *note)
{
  return omen_notes_site (w->file, note->site);
}

/* A load logged as part of a whole loop constrains nothing if its memory is
   settled. */
static bool
goes_alone (walk *w, const omen_raw_note *note)
{
  const omen_file_site *site = site_of (w, note);
  if (site->kind == OMEN_SITE_STORE)
    return write_goes (w, note->a, site->size);
  if (site->kind != OMEN_SITE_LOAD)
    return false;
  return note->left == OMEN_LEFT_UNSEEN ? is_settled (w, note->a, site->size)
                                        : read_goes (w, note->a, site->size);
}

static bool
is_summed (const omen_raw_note *note)
{
  return note->left && note->left != OMEN_LEFT_UNSEEN;
}

/* Given the first load of a checksum group at `i`: is the group kept? It is if
   one of its loads is. */
static bool
sum_stays (walk *w, size_t i)
{
  const omen_raw_note *notes = w->batch.data;
  uint32_t left = notes[i].left;
  size_t end = i;
  bool stays = false;
  for (; left && end < w->batch.count; end++)
    if (notes[end].left == left) {
      stays |= !goes_alone (w, &notes[end]);
      left--;
    }
  for (; stays && i < end; i++)
    if (is_summed (&notes[i]))
      want (w, notes[i].a, site_of (w, &notes[i])->size);
  return stays || left;
}

/* Sorts the decoded notes of woven code into kept and skipped ones. */
static void
see_notes (walk *w)
{
  uint32_t left = 0; /* loads left in the current checksum group */
  bool stays = false;
  for (size_t i = 0; i < w->batch.count; i++) {
    const omen_raw_note *note = &w->batch.data[i];
    if (is_summed (note)) {
      stays = left ? stays : sum_stays (w, i);
      left = note->left - 1;
    } else {
      bool goes = goes_alone (w, note);
      if (!goes && site_of (w, note)->kind == OMEN_SITE_LOAD)
        want (w, note->a, site_of (w, note)->size);
      if (goes)
        skip (w, 1);
      else
        keep (w, note);
      continue;
    }
    if (stays)
      keep (w, note);
    else
      skip (w, 1);
  }
}

/* ---- batches ---- */

static void
expand_batch (walk *w, omen_notes_reader *reader)
{
  uint64_t count = omen_notes_again (reader);
  omen_raw_note note;
  OMEN_VEC_CLEAR (w->batch);
  for (; count && omen_notes_next (reader, &note); count--)
    OMEN_VEC_PUSH (w->batch, note);
  w->failed |= count > 0;
}

static void
keep_all (walk *w, omen_notes_reader *reader)
{
  expand_batch (w, reader);
  for (size_t i = 0; i < w->batch.count; i++)
    keep (w, &w->batch.data[i]);
}

/* A range passed to a library counts as written (events/memory.c). */
static bool
is_of_library (walk *w, const omen_notes_batch *batch)
{
  uint32_t *known;
  if (!batch->place || batch->place >> 63)
    return false;
  known = omen_map_at (&w->outside, batch->place);
  if (*known == OMEN_NONE)
    *known = omen_notes_outside (w->file, batch->place);
  return *known == OMEN_OUTSIDE_LIBRARY;
}

static void
see_range (walk *w, omen_notes_reader *reader, const omen_notes_batch *batch)
{
  bool reads = w->file->sites.data[batch->site].kind == OMEN_ITEM_RANGE_READ;
  if (!is_of_library (w, batch)
      && (reads ? read_goes (w, *batch->at, batch->length)
                : write_goes (w, *batch->at, batch->length))) {
    skip (w, 1);
    return;
  }
  if (reads)
    want (w, *batch->at, batch->length);
  keep_all (w, reader);
}

/* Can all iterations of a logged loop be dropped? */
static bool
turns_go (walk *w, const omen_plan_member *m, const uint64_t *words,
          uint64_t turns)
{
  const omen_member as
      = { .constant = m->as.as.constant, .word = m->as.as.word };
  uint64_t step = omen_member_stride (&as, words);
  uint64_t address = words[m->as.as.base] + (uint64_t)(int64_t)m->as.as.offset;
  for (; turns; turns--, address += step)
    if (m->kind == OMEN_SITE_LOAD ? !is_settled (w, address, m->size)
                                  : !write_goes (w, address, m->size))
      return false;
  return true;
}

static bool
member_goes (walk *w, const omen_plan_member *m, const uint64_t *words)
{
  uint64_t address = omen_notes_address (&m->as, words);
  return m->kind == OMEN_SITE_LOAD    ? read_goes (w, address, m->size)
         : m->kind == OMEN_SITE_STORE ? write_goes (w, address, m->size)
                                      : false;
}

/* The number of items in the batch if all of them can be dropped, else 0. */
static uint64_t
all_go (walk *w, const omen_plan *plan, const omen_notes_batch *batch)
{
  const omen_plan_member *members = &w->plans.members.data[plan->first];
  const uint64_t *words = batch->at;
  uint64_t items = 0;
  for (uint32_t i = 0; i < batch->notes; i++, words += batch->words) {
    uint64_t turns = plan->loop ? words[batch->words - 1] : 1;
    for (uint32_t k = 0; k < plan->count; k++)
      if (plan->loop ? !turns_go (w, &members[k], words, turns)
                     : !member_goes (w, &members[k], words))
        return 0;
    items += turns * plan->count;
  }
  return items;
}

static void
see_batch (walk *w, omen_notes_reader *reader, const omen_notes_batch *batch)
{
  const omen_plan *plan;
  uint64_t items;
  if (batch->range) {
    see_range (w, reader, batch);
    return;
  }
  plan = batch->block
             ? &w->plans.blocks.data[batch->block - w->file->blocks.blocks.data]
             : &w->plans.sites.data[batch->site];
  if (plan->runtime) {
    keep_all (w, reader);
    return;
  }
  items = all_go (w, plan, batch);
  if (items) {
    skip (w, items);
    return;
  }
  expand_batch (w, reader);
  see_notes (w);
}

/* ---- the walk ---- */

/* Is so much kept that extraction is not worthwhile, or a limit reached? */
static bool
extraction_is_over (walk *w)
{
  omen_limits *limits = w->file->limits;
  return (w->kept > FEW && w->kept > w->items / WORTH)
         || (limits
             && omen_limits_over (limits, w->items, w->file->reader->notes));
}

static void
see_chunk (walk *w, omen_notes_reader *reader, const omen_chunk *chunk,
           uint8_t **unpacked)
{
  omen_bytes payload;
  omen_notes_batch batch;
  if (!omen_chunk_payload (w->file->reader, chunk, unpacked, &payload)) {
    w->failed = true;
    return;
  }
  size_t size = (size_t)(payload.end - payload.at);
  if (chunk->header.flags & OMEN_CHUNK_CONTINUES)
    omen_notes_continue (reader, payload.at, size, chunk->header.count);
  else
    omen_notes_open (reader, &w->file->blocks, payload.at, size,
                     chunk->header.count);
  while (!w->failed && omen_notes_take (reader, &batch))
    see_batch (w, reader, &batch);
  w->items += chunk->header.count;
  w->failed |= reader->failed;
}

static void
see_thread (walk *w, omen_notes_thread *thread)
{
  omen_notes_reader *reader = omen_notes_reader_new ();
  uint8_t *unpacked = NULL;
  uint64_t before = w->kept;
  w->out = &thread->kept;
  for (uint32_t i = 0; i < thread->count && !w->failed; i++) {
    see_chunk (w, reader, &thread->chunks[i], &unpacked);
    w->kept = before + w->out->count;
    w->failed |= extraction_is_over (w);
  }
  omen_free (unpacked);
  omen_free (reader);
}

static void
drop_kept (omen_notes_file *file)
{
  for (size_t t = 0; t < file->threads.count; t++)
    OMEN_VEC_FINI (file->threads.data[t].kept);
}

/* False: it failed. */
static bool
walk_once (walk *w)
{
  w->wants = false;
  w->items = w->kept = 0;
  drop_kept (w->file);
  for (size_t t = 0; t < w->file->threads.count && !w->failed; t++)
    see_thread (w, &w->file->threads.data[t]);
  return !w->failed;
}

static bool
walk_all (walk *w)
{
  unsigned walks = 0;
  if (!omen_plans_init (&w->plans, w->file, true)
      || !omen_owned_find (w->own, &w->plans, w->file))
    return false;
  do
    if (walks++ == MOST_WALKS || !walk_once (w))
      return false;
  while (w->wants);
  return true;
}

/* ---- all of it ---- */

static void
use_kept (omen_notes_file *file)
{
  for (size_t t = 0; t < file->threads.count; t++) {
    omen_notes_thread *thread = &file->threads.data[t];
    thread->notes = thread->kept.count;
    thread->extracted = true;
  }
}

bool
omen_extract (omen_notes_file *file)
{
  omen_owned own;
  walk w = { .file = file, .own = &own };
  omen_limit hit = file->limits ? file->limits->hit : OMEN_LIMIT_NONE;
  bool done;
  omen_owned_init (&own);
  omen_map_init (&w.outside);
  omen_limits_begin (file->limits, "extracting notes", EXTRACT_SHARE);
  done = walk_all (&w);
  omen_plans_fini (&w.plans);
  omen_map_fini (&w.outside);
  OMEN_VEC_FINI (w.batch);
  omen_owned_fini (&own);
  if (done)
    use_kept (file);
  else
    drop_kept (file);
  if (file->limits && file->limits->hit != OMEN_LIMIT_STOP)
    file->limits->hit = hit; /* the merge has limits of its own */
  return done;
}

uint64_t
omen_extracted (const omen_notes_file *file)
{
  uint64_t notes = 0;
  for (size_t t = 0; t < file->threads.count; t++)
    notes += file->threads.data[t].kept.count;
  return notes;
}

/* Where the notes of each thread begin that follow a time: up to the next one
   they are a chunk. */
static omen_chunk_times
times_left (const omen_notes_file *file)
{
  omen_chunk_times times = { 0 };
  for (uint32_t t = 0; t < file->threads.count; t++) {
    const omen_kept *kept = &file->threads.data[t].kept;
    uint64_t time = 0;
    for (uint32_t i = 0; i < kept->count; i++) {
      const omen_raw_note *note = &kept->data[i];
      bool timed
          = note->site != OMEN_SKIPPED
            && omen_notes_site (file, note->site)->kind == OMEN_ITEM_TIME;
      if (timed && note->a > time)
        time = note->a;
      if (!i || timed)
        OMEN_VEC_PUSH (times, ((omen_chunk_time){ time, t, i }));
    }
  }
  omen_chunk_times_sort (&times);
  return times;
}

void
omen_extract_shorten (omen_notes_file *file, double part)
{
  omen_chunk_times times = times_left (file);
  uint64_t most = (uint64_t)((double)omen_extracted (file) * part), notes = 0;
  bool *ended = omen_zalloc (file->threads.count, sizeof *ended);
  uint32_t *begun = omen_zalloc (file->threads.count, sizeof *begun);
  size_t i = 0;
  for (; i < times.count && notes <= most; i++) {
    const omen_chunk_time *c = &times.data[i];
    notes += c->chunk - begun[c->thread];
    begun[c->thread] = c->chunk;
  }
  for (; i < times.count; i++) {
    omen_notes_thread *thread = &file->threads.data[times.data[i].thread];
    if (ended[times.data[i].thread])
      continue;
    ended[times.data[i].thread] = true;
    thread->kept.count = thread->notes = times.data[i].chunk;
    thread->cut = thread->shortened = true;
    file->reader->lossy = true;
  }
  omen_free (ended);
  omen_free (begun);
  OMEN_VEC_FINI (times);
}
