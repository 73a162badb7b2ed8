#include "io/binary_decode.h"
#include "trace/pages.h"

#include <string.h>

/* Longest record without extension, and longest of all. */
#define PLAIN_MAX 22
#define LONGEST (PLAIN_MAX + 1 + 1 + 10 + 1 + 255)

static void
make_layout (omen_record_layout *layout, unsigned codes)
{
  static const uint8_t bytes[4][4]
      = { { 0, 1, 2, 4 }, { 0, 1, 2, 4 }, { 0, 1, 2, 4 }, { 0, 1, 4, 8 } };
  static const uint32_t masks[4] = { 0, 0xff, 0xffff, 0xffffffff };
  uint8_t at = 2;
  for (int f = 0; f < 4; f++) {
    unsigned code = codes >> (2 * f) & 3;
    layout->at[f] = at;
    at = (uint8_t)(at + bytes[f][code]);
    if (f == 3) {
      layout->value_mask = code ? UINT64_MAX : 0;
      layout->shift = (uint8_t)(code ? 64 - 8 * bytes[f][code] : 0);
      break;
    }
    layout->mask[f] = masks[code];
    layout->keep[f] = code ? 0 : UINT32_MAX;
  }
  OMEN_ASSERT (at <= PLAIN_MAX);
  layout->size = at;
}

static void *
large_array (size_t count, size_t size)
{
  void *p = omen_alloc (count * size);
  omen_pages_huge (p, count * size);
  return p;
}

void
omen_decoder_init (omen_decoder *decoder, omen_trace *trace, uint32_t total,
                   const uint32_t *hints)
{
  OMEN_REQUIRE (!trace->events.data && !trace->index);
  decoder->trace = trace;
  decoder->count = 0;
  decoder->lists = hints;
  decoder->wrong = NULL;
  omen_rules_init (&decoder->rules, trace);
  omen_first_use_init (&decoder->use, trace);
  decoder->use.seen[OMEN_OPERAND_NOTHING] = 1;
  for (unsigned codes = 0; codes < 256; codes++)
    make_layout (&decoder->layouts[codes], codes);
  /* Each thread's cursor starts at its part of by_thread, according to the
     hints; without hints it only counts. */
  size_t threads = decoder->trace->threads.count;
  uint32_t sum = 0;
  decoder->cursors = omen_zalloc (threads, sizeof *decoder->cursors);
  for (size_t t = 0; hints && t < threads; t++) {
    decoder->cursors[t] = (omen_list_cursor){ sum, sum, sum + hints[t] };
    sum += hints[t];
  }
  OMEN_REQUIRE (!hints || sum == total);
  trace->events.data = large_array (total, sizeof *trace->events.data);
  trace->events.room = total;
  trace->index = large_array (total, sizeof *trace->index);
  if (hints)
    trace->by_thread = large_array (total, sizeof *trace->by_thread);
}

/* A list is longer than its hint: give up by_thread, which is then made at the
   end. */
static void
drop_lists (omen_decoder *decoder)
{
  OMEN_ASSERT (decoder->lists && decoder->trace->by_thread);
  decoder->lists = false;
  omen_free (decoder->trace->by_thread);
  decoder->trace->by_thread = NULL;
}

/* ---- one record, with care ---- */

static inline uint32_t
load32 (const uint8_t *at)
{
  uint32_t word;
  memcpy (&word, at, sizeof word);
  return word;
}

static inline uint64_t
load_value (const omen_record_layout *layout, const uint8_t *at)
{
  uint64_t word;
  memcpy (&word, at + layout->at[3], sizeof word);
  return (uint64_t)((int64_t)(word << layout->shift) >> layout->shift)
         & layout->value_mask;
}

static inline uint32_t
load_id (const omen_record_layout *layout, const uint8_t *at, int field,
         uint32_t before)
{
  return (load32 (at + layout->at[field]) & layout->mask[field])
         | (before & layout->keep[field]);
}

static const char short_record[] = "length";

/* Reads value kind, order and mode; skips the ordinal, which only readers of
   recordings need. */
static const char *
read_extension (omen_bytes *bytes, omen_event *event)
{
  const uint8_t *first = omen_bytes_take (bytes, 1), *mode, *more;
  if (!first)
    return short_record;
  event->value_kind = *first & 7;
  event->order = *first >> 3 & 7;
  mode = *first & OMEN_EXTENSION_MODE ? omen_bytes_take (bytes, 1) : NULL;
  if (*first & OMEN_EXTENSION_ORDINAL)
    omen_bytes_varint (bytes);
  if (mode && *mode & OMEN_EXTENSION_MORE
      && (more = omen_bytes_take (bytes, 1)))
    omen_bytes_take (bytes, *more);
  if (bytes->short_of)
    return short_record;
  event->mode = mode ? *mode & OMEN_EXTENSION_MODES : 0;
  return mode && *mode & ~(OMEN_EXTENSION_MODES | OMEN_EXTENSION_MORE) ? "mode"
                                                                       : NULL;
}

/* Decode one record; `at` has LONGEST readable bytes, of which `size` belong to
   the chunk. Returns its length, or 0 with decoder->wrong set. */
static size_t
read_record (omen_decoder *decoder, const uint8_t *at, size_t size,
             omen_record_state *before, omen_event *event)
{
  const omen_record_layout *layout = &decoder->layouts[at[1]];
  unsigned kind = at[0] & ~OMEN_RECORD_EXTENDED;
  const omen_rule *rule = &decoder->rules.kind[kind];
  omen_bytes rest = { at + layout->size, at + size, false };
  decoder->wrong = short_record;
  if (size < layout->size)
    return 0;
  before->thread = load_id (layout, at, 0, before->thread);
  before->object = load_id (layout, at, 1, before->object);
  before->location = load_id (layout, at, 2, before->location);
  *event = (omen_event){ .kind = (uint8_t)kind,
                         .thread = before->thread,
                         .object = before->object | rule->none,
                         .location = before->location,
                         .value = load_value (layout, at) };
  if (layout->value_mask)
    event->value_kind = rule->value_kind;
  else
    event->value = omen_record_no_value (kind);
  decoder->wrong
      = at[0] & OMEN_RECORD_EXTENDED ? read_extension (&rest, event) : NULL;
  return decoder->wrong ? 0 : (size_t)(rest.at - at);
}

/* Record first uses of ids. Once they are out of order this is not needed, so
   all ids are marked as seen. */
static void
note_use (omen_decoder *decoder, const omen_event *event)
{
  if (decoder->use.broken)
    return;
  omen_first_use_event (&decoder->use, decoder->trace, event);
  if (decoder->use.broken)
    memcpy (decoder->use.seen, decoder->rules.limit, sizeof decoder->use.seen);
}

static bool
accept_record (omen_decoder *decoder, const omen_event *event)
{
  omen_trace *trace = decoder->trace;
  decoder->wrong = omen_rules_broken (&decoder->rules, trace, event);
  if (decoder->wrong)
    return false;
  note_use (decoder, event);
  if (event->kind == OMEN_FORK
      && trace->threads.data[event->object].forked_by == OMEN_NONE)
    trace->threads.data[event->object].forked_by = decoder->count;
  return true;
}

/* Any record. Near the end of the chunk it is first copied to a buffer in which
   whole words can be loaded. */
static bool
decode_slowly (omen_decoder *decoder, omen_record_source *source,
               omen_event *event)
{
  size_t size = (size_t)(source->end - source->at);
  uint8_t copy[LONGEST + 8];
  const uint8_t *at = source->at;
  if (size < LONGEST) {
    memset (copy, 0, sizeof copy);
    memcpy (copy, at, size);
    at = copy;
  }
  if (at[1] & source->forbidden) {
    decoder->wrong = "thread";
    return false;
  }
  size = read_record (decoder, at, size, &source->before, event);
  source->at += size;
  return size && accept_record (decoder, event);
}

/* ---- many records ---- */

/* Store an event as three words. Through an array the compiler would combine
   them on the stack first, at the cost of a stall each. */
static inline void
store_words (omen_event *out, uint64_t first, uint64_t second, uint64_t value)
{
  char *bytes = (char *)out;
  memcpy (bytes, &first, 8);
  memcpy (bytes + 8, &second, 8);
  memcpy (bytes + 16, &value, 8);
}

/* Decode a common record directly into its place. False if it needs
   decode_slowly; only `out` may have been written then. */
static inline bool
decode_plain (const omen_decoder *decoder, const omen_record_source *source,
              const uint8_t *at, omen_record_state *before, omen_event *out,
              size_t *size)
{
  const omen_record_layout *layout = &decoder->layouts[at[1]];
  const omen_rule *rule = &decoder->rules.kind[at[0]];
  uint32_t thread = load_id (layout, at, 0, before->thread);
  uint32_t object = load_id (layout, at, 1, before->object);
  uint32_t location = load_id (layout, at, 2, before->location);
  const uint32_t *seen = decoder->use.seen;
  if (OMEN_UNLIKELY ((thread >= seen[OMEN_OPERAND_THREAD])
                     | ((object | rule->none) - rule->none >= seen[rule->table])
                     | (location >= seen[OMEN_IDS_LOCATION]) | rule->special
                     | (at[1] & source->forbidden)
                     | (rule->bare && layout->value_mask)))
    return false;
  store_words (out,
               at[0] | (uint64_t)thread << 32
                   | (rule->value_kind & layout->value_mask) << 8,
               (object | rule->none) | (uint64_t)location << 32,
               load_value (layout, at));
  *before = (omen_record_state){ thread, object, location };
  *size = layout->size;
  return true;
}

/* Write index and list entry of the new event. False if its list is full. */
static inline bool
enlist (const omen_decoder *decoder, uint32_t *index, uint32_t *by_thread,
        uint32_t e, uint32_t thread, const bool lists)
{
  omen_list_cursor *cursor = &decoder->cursors[thread];
  uint32_t slot = cursor->slot++;
  index[e] = slot - cursor->first;
  if (!lists)
    return true;
  if (OMEN_UNLIKELY (slot == cursor->end))
    return false;
  by_thread[slot] = e;
  return true;
}

static inline __attribute__ ((always_inline)) void
decode_until (omen_decoder *decoder, omen_record_source *source, uint32_t stop,
              const bool lists)
{
  omen_event *events = decoder->trace->events.data;
  uint32_t *index = decoder->trace->index;
  uint32_t *by_thread = decoder->trace->by_thread;
  const uint8_t *at = source->at, *end = source->end;
  omen_record_state before = source->before;
  uint32_t e = decoder->count;
  bool listed = true;
  while (e < stop && listed) {
    size_t size;
    if (OMEN_UNLIKELY (end - at < PLAIN_MAX)
        || OMEN_UNLIKELY (
            !decode_plain (decoder, source, at, &before, &events[e], &size))) {
      source->at = at;
      source->before = before;
      decoder->count = e;
      if (!decode_slowly (decoder, source, &events[e]))
        return;
      before = source->before;
      size = (size_t)(source->at - at);
    }
    at += size;
    listed = enlist (decoder, index, by_thread, e, before.thread, lists);
    e++;
  }
  source->at = at;
  source->before = before;
  decoder->count = e;
  if (!listed)
    drop_lists (decoder);
}

uint32_t
omen_decoder_run (omen_decoder *decoder, omen_record_source *source,
                  uint32_t count)
{
  uint32_t start = decoder->count;
  OMEN_REQUIRE (count <= decoder->trace->events.room - start);
  OMEN_REQUIRE (source->at <= source->end);
  decoder->wrong = NULL;
  if (decoder->lists)
    decode_until (decoder, source, start + count, true);
  if (!decoder->lists && !decoder->wrong)
    decode_until (decoder, source, start + count, false);
  OMEN_ASSERT (source->at <= source->end);
  OMEN_ASSERT (decoder->count - start == count || decoder->wrong);
  return decoder->count - start;
}

/* Check index and lists the slow way, as sealing would have made them. */
static bool
lists_right (const omen_trace *trace)
{
  for (omen_eid e = 0; e < trace->events.count; e++) {
    omen_tid t = trace->events.data[e].thread;
    if (trace->index[e] >= trace->threads.data[t].count
        || omen_trace_nth (trace, t, trace->index[e]) != e)
      return false;
  }
  return true;
}

void
omen_decoder_fini (omen_decoder *decoder)
{
  omen_trace *trace = decoder->trace;
  trace->events.count = decoder->count;
  for (size_t t = 0; t < trace->threads.count; t++) {
    const omen_list_cursor *cursor = &decoder->cursors[t];
    trace->threads.data[t].first = cursor->first;
    trace->threads.data[t].count = cursor->slot - cursor->first;
  }
  if (decoder->lists && decoder->count < trace->events.room)
    drop_lists (decoder); /* fewer events than promised: the lists have holes */
  if (!decoder->lists)
    omen_seal_lists (trace);
  OMEN_CHECK (lists_right (trace));
  omen_free (decoder->cursors);
  decoder->cursors = NULL;
}
