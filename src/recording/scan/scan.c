#include "recording/scan/scan.h"
#include "recording/scan/outside.h"
#include "recording/scan/pieces.h"
#include "wire/abi.h"

static const uint8_t least_parts[] = { 0,
#define OMEN_ITEM(name, numbered, parts) parts,
                                       OMEN_ITEMS (OMEN_ITEM)
#undef OMEN_ITEM
};

bool
omen_item_atomic_reads (const omen_notes_file *file, const omen_item *item)
{
  uint64_t arg = omen_item_arg (item);
  OMEN_REQUIRE ((uint32_t)arg < file->sites.count);
  return arg >> 63
         || file->sites.data[(uint32_t)arg].kind == OMEN_SITE_ATOMIC_LOAD;
}

/* ---- single items ---- */

static bool
atomic_right (const omen_notes_file *file, const omen_item *item)
{
  uint64_t id = omen_item_arg (item) & ~(UINT64_C (1) << 63);
  const omen_file_site *site;
  if (!id || id >= file->sites.count)
    return false;
  site = &file->sites.data[id];
  return site->kind >= OMEN_SITE_ATOMIC_LOAD
         && site->kind <= OMEN_SITE_ATOMIC_CAS
         && item->notes >= (site->size == 16 ? 4u : 3u)
         && (!(omen_item_arg (item) >> 63)
             || site->kind == OMEN_SITE_ATOMIC_CAS)
         && (item->b >> 33 == 0 || item->b == OMEN_NUMBER_NONE)
         && item->a <= UINT64_MAX - 16;
}

static bool
range_right (const omen_notes_file *file, const omen_item *item)
{
  uint64_t length = omen_item_length (item);
  if (omen_item_arg (item) >> 63
      && (omen_item_pc (item) == 0 || omen_item_pc (item) >= file->sites.count))
    return false;
  return length <= UINT64_C (16) * OMEN_NOTES_MAX
         && item->notes - 2 == (length + 15) / 16
         && item->a <= UINT64_MAX - length;
}

static bool
emit_right (const omen_item *item)
{
  uint64_t count = omen_item_arg (item) & 0xff;
  return item->notes - 2 >= (count + 1) / 2;
}

static bool
string_right (const omen_notes_file *file, uint64_t id)
{
  return id < file->reader->strings.count;
}

static bool
runtime_right (const omen_notes_file *file, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_ITEM_ATOMIC:
    return atomic_right (file, item);
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    return range_right (file, item);
  case OMEN_ITEM_EXTERNAL:
    return item->a <= UINT64_MAX - omen_item_arg (item);
  case OMEN_ITEM_ALLOC:
    return item->a <= UINT64_MAX - (omen_item_arg (item) & OMEN_ALLOC_SIZE);
  case OMEN_ITEM_EMIT:
    return string_right (file, item->a) && emit_right (item);
  case OMEN_ITEM_BLOCK_BEGIN:
  case OMEN_ITEM_BLOCK_END:
    return string_right (file, item->a);
  case OMEN_ITEM_THREAD_BEGIN:
  case OMEN_ITEM_FORK:
  case OMEN_ITEM_JOIN:
  case OMEN_ITEM_SWITCH:
    return item->a < OMEN_NONE;
  default:
    return true;
  }
}

/* Sites of calls have no notes; the runtime logs items for them. */
static bool
woven_right (const omen_item *item)
{
  if (item->kind <= OMEN_SITE_STORE)
    return item->a <= UINT64_MAX - 8;
  if (item->kind >= OMEN_SITE_STACK_ALLOC && item->kind <= OMEN_SITE_EXTERNAL)
    return item->a <= UINT64_MAX - item->b;
  return item->kind <= OMEN_SITE_FENCE || item->kind == OMEN_SITE_CALLED;
}

bool
omen_item_right (const omen_notes_file *file, const omen_item *item)
{
  if (item->kind < OMEN_ITEM_FIRST)
    return woven_right (item);
  return item->kind != OMEN_ITEM_PART
         && item->notes - 1 >= least_parts[item->kind - OMEN_ITEM_FIRST]
         && runtime_right (file, item);
}

/* ---- all of them ---- */

/* Is it an operation on a lock or semaphore whose outcome depends on other
   threads? */
static bool
takes (unsigned kind)
{
  return kind == OMEN_ITEM_ACQUIRE || kind == OMEN_ITEM_READ_ACQUIRE
         || kind == OMEN_ITEM_TRY_FAIL || kind == OMEN_ITEM_READ_TRY_FAIL
         || kind == OMEN_ITEM_LOCK_FAIL || kind == OMEN_ITEM_SEM_DOWN
         || kind == OMEN_ITEM_SEM_FAIL;
}

unsigned
omen_item_needs (const omen_notes_file *file, const omen_item *item,
                 omen_item_need needs[2])
{
  if (!omen_item_numbered (item->kind) || item->b == OMEN_NUMBER_NONE)
    return 0;
  if (item->kind == OMEN_ITEM_ATOMIC) {
    needs[0] = (omen_item_need){ OMEN_SHARDS + omen_shard (item->object),
                                 item->b, omen_item_atomic_reads (file, item) };
    return 1;
  }
  needs[0] = (omen_item_need){ omen_shard (item->a), item->b, false };
  if (!omen_item_is_wait (item->kind))
    return 1;
  needs[1] = (omen_item_need){ omen_shard (item->parts[1].a), item->parts[1].b,
                               false };
  return 2;
}

/* Writers have even keys; readers have the odd key between two writers. */
unsigned
omen_item_keys (const omen_notes_file *file, const omen_item *item,
                omen_item_need keys[2])
{
  unsigned count = omen_item_needs (file, item, keys);
  for (unsigned i = 0; i < count; i++)
    keys[i].number += keys[i].reads;
  return count;
}

static void
learn_keys (const omen_notes_file *file, const omen_item *item,
            omen_notes_summary *summary)
{
  omen_item_need keys[2];
  unsigned count = omen_item_keys (file, item, keys);
  for (unsigned i = 0; i < count; i++) {
    if (keys[i].number < summary->first[keys[i].queue])
      summary->first[keys[i].queue] = keys[i].number;
    if (keys[i].reads) {
      uint32_t *readers
          = omen_map_at (&summary->readers,
                         OMEN_PAIR (keys[i].queue, (keys[i].number - 1) / 2));
      *readers = *readers == OMEN_NONE ? 1 : *readers + 1;
    }
  }
}

static void
learn_pc (omen_notes_summary *summary, uint64_t pc)
{
  if (pc != OMEN_MAP_NO_KEY)
    *omen_map_at (&summary->pcs, pc) = 1;
}

static void
learn_taker (omen_notes_file *file, const omen_item *item,
             omen_notes_summary *summary)
{
  uint64_t pc = omen_item_pc (item);
  uint32_t *outside;
  if (pc == OMEN_MAP_NO_KEY || item->a == OMEN_MAP_NO_KEY)
    return;
  outside = omen_map_at (&summary->takers, pc);
  if (*outside == OMEN_NONE)
    *outside = omen_notes_outside (file, pc) != OMEN_OUTSIDE_NOT;
  if (*outside)
    *omen_map_at (&file->opaque, item->a) = 1;
}

/* Collects arrivals, and initializations and destructions of barriers. */
static void
learn_arrival (omen_notes_summary *summary, const omen_item *item)
{
  bool arrives = item->kind == OMEN_ITEM_ARRIVE;
  omen_arrival arrival = { item->a, item->b, 0 };
  if (arrives)
    arrival.size = (uint32_t)omen_item_arg (item);
  if (!arrives || arrival.size)
    OMEN_VEC_PUSH (summary->arrivals, arrival);
}

static void
learn_free (omen_notes_summary *summary, uint64_t address)
{
  if (address == OMEN_MAP_NO_KEY)
    return;
  uint32_t *frees = omen_map_at (&summary->frees, address);
  *frees = *frees == OMEN_NONE ? 1 : *frees + 1;
}

static void
learn_kind (omen_notes_summary *summary, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_ITEM_FORK:
    *omen_map_at (&summary->forked, item->a) = 1;
    return;
  case OMEN_ITEM_TIME:
    summary->times = true;
    return;
  case OMEN_ITEM_FREE:
    learn_free (summary, item->a);
    return;
  case OMEN_ITEM_ARRIVE:
  case OMEN_ITEM_LOCK_INIT:
  case OMEN_ITEM_LOCK_DESTROY:
    learn_arrival (summary, item);
    return;
  case OMEN_ITEM_GAP:
    summary->gaps = true;
    return;
  case OMEN_ITEM_SIGNAL_BEGIN:
    summary->died |= (item->a & OMEN_SIGNAL_DEADLY) != 0;
    return;
  default:
    return;
  }
}

static void
learn (omen_notes_file *file, const omen_item *item,
       omen_notes_summary *summary)
{
  bool range = item->kind == OMEN_ITEM_RANGE_READ
               || item->kind == OMEN_ITEM_RANGE_WRITE;
  if (item->notes > 1 && !(range && omen_item_arg (item) >> 63))
    learn_pc (summary, omen_item_pc (item)); /* else a site of woven code */
  if (takes (item->kind))
    learn_taker (file, item, summary);
  learn_keys (file, item, summary);
  learn_kind (summary, item);
}

static bool
wrong_note (omen_notes_file *file, const omen_note_cursor *cursor,
            const char *what)
{
  const omen_chunk *chunk = &cursor->thread->chunks[cursor->chunk - 1];
  return omen_binary_wrong (
      file->reader, "byte %zu: note %lu of thread %u %s", chunk->offset,
      (unsigned long)omen_cursor_position (cursor), cursor->thread->id, what);
}

/* The decoder does not check the range of site ids, so this checks them before
   the cursor uses them. */
bool
omen_notes_next_right (omen_note_cursor *cursor, omen_item *item,
                       const char **wrong)
{
  *wrong = NULL;
  if (cursor->at == cursor->notes.count && !omen_cursor_fill (cursor))
    return false;
  if (cursor->notes.data[cursor->at].site >= cursor->file->sites.count)
    *wrong = "has a site that does not exist";
  else if (omen_cursor_peek (cursor, item)
           && !omen_item_right (cursor->file, item))
    *wrong = "is not well formed";
  return !*wrong;
}

#define CHECK_EVERY                                                            \
  4096u /* items, or pieces, between two checks of the limits */

static bool
scan_is_over (const omen_notes_file *file, uint64_t steps, uint64_t items)
{
  return OMEN_UNLIKELY (steps % CHECK_EVERY == 0) && file->limits
         && omen_limits_over (file->limits, items, file->reader->notes);
}

static void
scan_thread (omen_notes_file *file, omen_notes_thread *thread,
             omen_notes_summary *summary)
{
  omen_note_cursor cursor;
  omen_item item;
  const char *wrong;
  omen_cursor_init (&cursor, file, thread);
  while (omen_notes_next_right (&cursor, &item, &wrong)) {
    if (item.kind >= OMEN_ITEM_FIRST)
      learn (file, &item, summary);
    else if (item.kind == OMEN_SITE_ENTER)
      learn_pc (summary, item.b);
    else if (item.kind == OMEN_SITE_CALLED)
      learn_pc (summary, item.a);
    omen_cursor_pass (&cursor, &item);
    summary->items++;
    if (scan_is_over (file, summary->items, summary->items))
      break;
  }
  if (wrong)
    wrong_note (file, &cursor, wrong);
  else if (cursor.broken && !cursor.lost)
    wrong_note (file, &cursor, "cannot be decoded");
  thread->cut |= wrong || cursor.broken;
  thread->notes = omen_cursor_position (&cursor);
  omen_cursor_fini (&cursor);
}

uint64_t
omen_notes_scan_more (omen_notes_file *file, const omen_notes_thread *thread,
                      uint64_t from, omen_notes_summary *summary)
{
  omen_notes_thread rest = *thread;
  rest.start = from;
  rest.notes = thread->chunks[thread->count - 1].header.first
               + thread->chunks[thread->count - 1].header.count;
  OMEN_REQUIRE (from <= rest.notes);
  if (from < rest.notes)
    scan_thread (file, &rest, summary);
  return rest.notes;
}

void
omen_notes_summary_init (omen_notes_summary *summary)
{
  *summary = (omen_notes_summary){ 0 };
  omen_map_init (&summary->forked);
  omen_map_init (&summary->pcs);
  omen_map_init (&summary->takers);
  omen_map_init (&summary->readers);
  omen_map_init (&summary->frees);
  summary->first = omen_alloc (OMEN_QUEUES * sizeof *summary->first);
  for (unsigned i = 0; i < OMEN_QUEUES; i++)
    summary->first[i] = UINT64_MAX;
}

/* As omen_item_right, for a RANGE item without its bytes. */
static bool
piece_right (const omen_notes_file *file, const omen_item *item)
{
  bool range = item->kind == OMEN_ITEM_RANGE_READ
               || item->kind == OMEN_ITEM_RANGE_WRITE;
  uint64_t woven = range && item->notes > 1 && omen_item_arg (item) >> 63;
  if (!range || item->notes > 2)
    return omen_item_right (file, item);
  return item->notes == 2 && item->a <= UINT64_MAX - omen_item_length (item)
         && (!woven
             || (omen_item_pc (item)
                 && omen_item_pc (item) < file->sites.count));
}

static void
learn_calls (const omen_plans *plans, const omen_note_piece *piece,
             omen_notes_summary *summary)
{
  const uint64_t *words = piece->words;
  uint64_t last = OMEN_MAP_NO_KEY;
  for (uint32_t i = 0; i < piece->notes; i++, words += piece->width)
    for (uint32_t k = 0; k < piece->plan->count; k++) {
      const omen_plan_member *m = &plans->members.data[piece->plan->first + k];
      uint64_t pc = m->kind == OMEN_SITE_ENTER ? omen_plan_value (m, words)
                    : m->kind == OMEN_SITE_CALLED
                        ? omen_notes_address (&m->as, words)
                        : last;
      if (pc != last)
        learn_pc (summary, last = pc);
    }
}

static void
learn_time (const omen_notes_file *file, const omen_notes_thread *thread,
            uint32_t chunk, uint64_t time, omen_notes_summary *summary)
{
  const omen_chunk_time new
      = { time, (uint32_t)(thread - file->threads.data), chunk };
  const omen_chunk_times *times = &summary->chunk_times;
  if (!times->count || OMEN_VEC_LAST (*times).thread != new.thread
      || OMEN_VEC_LAST (*times).chunk != chunk) /* the first of the chunk */
    OMEN_VEC_PUSH (summary->chunk_times, new);
}

static bool
scan_pieces (omen_notes_file *file, const omen_plans *plans,
             const omen_notes_thread *thread, omen_notes_summary *summary)
{
  omen_pieces *pieces = omen_alloc (sizeof *pieces);
  omen_note_piece piece;
  uint64_t steps = 0;
  bool right = true;
  omen_pieces_init (pieces, plans, thread);
  while (right && omen_pieces_peek (pieces, &piece)) {
    if (!piece.plan) {
      right = piece_right (file, &piece.item);
      if (right)
        learn (file, &piece.item, summary);
      if (piece.item.kind == OMEN_ITEM_TIME)
        learn_time (file, thread, pieces->chunk - 1, piece.item.a, summary);
    } else if (piece.plan->calls)
      learn_calls (plans, &piece, summary);
    omen_pieces_pass (pieces);
    right = right
            && !scan_is_over (file, ++steps, summary->items + pieces->items);
  }
  right = right && !pieces->wrong;
  summary->items += pieces->items;
  omen_pieces_fini (pieces);
  omen_free (pieces);
  return right;
}

bool
omen_notes_scan_fast (omen_notes_file *file, omen_notes_summary *summary)
{
  omen_plans plans;
  bool right = omen_plans_init (&plans, file, false);
  omen_notes_summary_init (summary);
  for (size_t t = 0; t < file->threads.count && right; t++)
    right = scan_pieces (file, &plans, &file->threads.data[t], summary);
  omen_plans_fini (&plans);
  return right && !file->reader->failed;
}

/* Checks the first and last address of a loop; the others lie between them.
   Both must be in the lower half of the address space. */
static bool
turns_right (const omen_plan_member *m, const uint64_t *words, uint64_t turns)
{
  const omen_file_member *f = &m->as.as;
  const omen_member as = { .constant = f->constant, .word = f->word };
  int64_t first = (int64_t)(words[f->base] + (uint64_t)(int64_t)f->offset);
  int64_t way, last;
  return first >= 0
         && !__builtin_mul_overflow ((int64_t)omen_member_stride (&as, words),
                                     (int64_t)(turns - 1), &way)
         && !__builtin_add_overflow (first, way, &last) && last >= 0
         && last <= INT64_MAX - 8 && first <= INT64_MAX - 8;
}

static bool
loop_right (const omen_plans *plans, const omen_note_piece *piece)
{
  const uint64_t *words = piece->words;
  for (uint32_t i = 0; i < piece->notes; i++, words += piece->width)
    for (uint32_t k = 0; k < piece->plan->count; k++)
      if (!turns_right (&plans->members.data[piece->plan->first + k], words,
                        words[piece->width - 1]))
        return false;
  return true;
}

/* Checks only the addresses, which later walks rely on. */
static bool
addresses_right (const omen_plans *plans, const omen_note_piece *piece)
{
  const uint64_t *words = piece->words;
  if (piece->plan->loop)
    return loop_right (plans, piece);
  for (uint32_t i = 0; i < piece->notes; i++, words += piece->width)
    for (uint32_t k = 0; k < piece->plan->count; k++) {
      const omen_plan_member *m = &plans->members.data[piece->plan->first + k];
      omen_item item = { .kind = m->kind, .size = m->size };
      item.a = omen_notes_address (&m->as, words);
      if (m->kind >= OMEN_SITE_STACK_ALLOC && m->kind <= OMEN_SITE_EXTERNAL)
        item.b = omen_plan_value (m, words);
      if (!woven_right (&item))
        return false;
    }
  return true;
}

static bool
thread_right (const omen_plans *plans, const omen_notes_thread *thread)
{
  omen_pieces *pieces = omen_alloc (sizeof *pieces);
  omen_note_piece piece;
  bool right = true;
  omen_pieces_init (pieces, plans, thread);
  while (right && omen_pieces_peek (pieces, &piece)) {
    right = !piece.plan || addresses_right (plans, &piece);
    omen_pieces_pass (pieces);
  }
  right = right && !pieces->wrong;
  omen_pieces_fini (pieces);
  omen_free (pieces);
  return right;
}

bool
omen_notes_right (omen_notes_file *file)
{
  omen_plans plans;
  bool right = omen_plans_init (&plans, file, true);
  for (size_t t = 0; t < file->threads.count && right; t++)
    right = thread_right (&plans, &file->threads.data[t]);
  omen_plans_fini (&plans);
  return right;
}

bool
omen_notes_scan (omen_notes_file *file, omen_notes_summary *summary)
{
  omen_notes_summary_init (summary);
  for (size_t t = 0; t < file->threads.count && !file->reader->failed; t++)
    scan_thread (file, &file->threads.data[t], summary);
  return !file->reader->failed;
}

void
omen_notes_summary_fini (omen_notes_summary *summary)
{
  omen_map_fini (&summary->forked);
  omen_map_fini (&summary->pcs);
  omen_map_fini (&summary->takers);
  omen_map_fini (&summary->readers);
  omen_map_fini (&summary->frees);
  OMEN_VEC_FINI (summary->arrivals);
  OMEN_VEC_FINI (summary->chunk_times);
  omen_free (summary->first);
}
