/* The reader of the text form: line by line, without allocations per event. */
#include "trace/pages.h"
#include "io/text_cut.h"
#include "io/text_read.h"

static void
excerpt (char *buffer, size_t room, omen_field field)
{
  size_t used = 0, i = 0;
  while (i < field.length && i < 40 && used + 8 < room) {
    unsigned char c = (unsigned char)field.text[i++];
    if (c < 0x20 || c == 0x7f)
      used += (size_t)sprintf (buffer + used, "\\x%02x", c);
    else
      buffer[used++] = (char)c;
  }
  buffer[used] = 0;
  if (i < field.length)
    strcpy (buffer + used, "...");
}

bool
omen_reader_fail (omen_reader *reader, omen_field found, const char *expected)
{
  char text[200];
  if (!found.length)
    return omen_err_at (reader->err, reader->path, reader->line,
                        "expected %s, found nothing", expected);
  excerpt (text, sizeof text, found);
  return omen_err_at (reader->err, reader->path, reader->line,
                      "expected %s, found '%s'", expected, text);
}

/* ---- operations ---- */

static bool
has_order (unsigned kind)
{
  return omen_kind_atomic (kind) || kind == OMEN_FENCE;
}

static bool
find_remark (omen_field suffix, unsigned kind, uint32_t *id)
{
  static const unsigned remarks[] = { OMEN_MODE_GONE, OMEN_MODE_FREED };
  for (size_t i = 0; i < OMEN_COUNT (remarks); i++) {
    const char *remark = omen_mode_remark (kind, remarks[i]);
    if (!remark || !omen_field_is (suffix, remark))
      continue;
    *id |= remarks[i] << 16;
    return true;
  }
  return false;
}

static bool
find_order (omen_reader *reader, omen_field field, omen_field suffix,
            unsigned kind, uint32_t *id)
{
  unsigned order = 0;
  if (!has_order (kind))
    return omen_reader_fail (reader, field,
                             "a memory order only with ar, aw, rmw, fence");
  while (order < OMEN_ORDERS
         && !omen_field_is (suffix, omen_order_text (order)))
    order++;
  if (order == OMEN_ORDERS)
    return omen_reader_fail (reader, suffix,
                             "a memory order (sc rlx acq rel acqrel)");
  *id |= order << 8;
  return true;
}

/* aw.rel fence.acq w.gone rmw.acq.cas */
static bool
find_suffix (omen_reader *reader, omen_field field, omen_field suffix,
             unsigned kind, uint32_t *id)
{
  omen_field remark, first;
  *id = kind;
  if (!suffix.text)
    return true;
  first = omen_field_split (suffix, '.', &remark);
  if (!remark.text && find_remark (first, kind, id))
    return true;
  return find_order (reader, field, first, kind, id)
         && (!remark.text || find_remark (remark, kind, id)
             || omen_reader_fail (reader, remark, "a remark such as cas"));
}

static bool
find_operation (omen_reader *reader, omen_field field, uint32_t *id)
{
  omen_field suffix, name = omen_field_split (field, '.', &suffix);
  unsigned kind = 0;
  while (kind < OMEN_KINDS && !omen_field_is (name, omen_kind_text (kind)))
    kind++;
  if (kind == OMEN_KINDS)
    return omen_reader_fail (reader, field, "an operation such as w or acq");
  return find_suffix (reader, field, suffix, kind, id);
}

static bool
read_operation (omen_reader *reader, omen_field field, omen_event *event)
{
  omen_word key;
  uint32_t id = 0;
  if (OMEN_LIKELY (field.length == 1
                   && (field.text[0] == 'r' || field.text[0] == 'w'))) {
    event->kind = field.text[0] == 'w' ? OMEN_WRITE : OMEN_READ;
    return true;
  }
  if (!omen_reader_known (reader, &reader->operations, field, &id)) {
    if (!find_operation (reader, field, &id))
      return false;
    omen_word_key (field.text, field.length, reader->end, &key);
    omen_words_put (&reader->operations, &key, id);
  }
  event->kind = (uint8_t)id;
  event->order = (uint8_t)(id >> 8);
  event->mode = (uint8_t)(id >> 16);
  return true;
}

/* ---- lines ---- */

/* *|init(x=7)| *|helped()| */
static bool
read_init (omen_reader *reader, const omen_parts *p)
{
  omen_init init;
  omen_field value, place = omen_field_split (p->args, '=', &value);
  bool helped = omen_field_is (p->operation, "helped");
  memset (&init, 0, sizeof init);
  if (!helped && !omen_field_is (p->operation, "init"))
    return omen_reader_fail (reader, p->operation, "init after '*|'");
  if (reader->trace->events.count)
    return omen_reader_fail (reader, p->operation,
                             "init lines before the first event");
  if (p->tail.length)
    return omen_reader_fail (reader, p->tail, "'|' after ')'");
  if (helped && p->args.length)
    return omen_reader_fail (reader, p->args, "nothing in helped()");
  if (helped) {
    reader->trace->flags |= OMEN_TRACE_HELPED;
    return true;
  }
  if (!omen_reader_place (reader, place, NULL, &init.place)
      || !omen_reader_value (reader, value, &init.value_kind, &init.value))
    return false;
  OMEN_VEC_PUSH (reader->trace->inits, init);
  return true;
}

static bool
read_event (omen_reader *reader, omen_parts *p)
{
  omen_event event;
  memset (&event, 0, sizeof event);
  reader->extra = false;
  reader->first_read = reader->reads = 0;
  reader->branch = OMEN_NONE;
  if (!(omen_reader_known (reader, &reader->names[OMEN_OPERAND_THREAD],
                           p->thread, &event.thread)
        || omen_reader_thread (reader, p->thread, &event.thread))
      || !read_operation (reader, p->operation, &event)
      || !omen_reader_args (reader, p, &event)
      || (p->tail.length && !omen_reader_tail (reader, &p->tail, true))
      || !(omen_reader_key_known (&reader->locations, &p->location_key,
                                  &event.location)
           || omen_reader_location (reader, p->location, &event.location)))
    return false;
  if (OMEN_UNLIKELY (reader->extra)) {
    omen_extra extra
        = { (omen_eid)reader->trace->events.count, reader->first_read,
            reader->reads, reader->branch, OMEN_NONE };
    OMEN_ASSERT (extra.reads || extra.branch != OMEN_NONE);
    OMEN_VEC_PUSH (reader->trace->extras, extra);
    event.mode |= OMEN_MODE_EXTRA;
    reader->trace->flags |= OMEN_TRACE_DEPENDENCES;
  }
  if (reader->trace->events.count >= OMEN_NONE - 2)
    return omen_reader_fail (reader, p->operation, "fewer than 2^32 events");
  OMEN_VEC_PUSH (reader->trace->events, event);
  return true;
}

static inline void
make_key (const omen_reader *reader, const omen_words *words, omen_field field,
          omen_word *key)
{
  omen_word_key (field.text, field.length, reader->end, key);
  __builtin_prefetch (&words->slots[key->id & words->mask]);
}

/* Compute the keys of the two most common names of a line, and prefetch their
   slots. */
static inline void
make_keys (const omen_reader *reader, omen_text_fields *cut)
{
  omen_parts *p = &cut->parts;
  omen_field name = p->args;
  if (OMEN_UNLIKELY (cut->comment || cut->expected))
    return;
  if (p->equals)
    name.length = (size_t)(p->equals - name.text);
  make_key (reader, &reader->names[OMEN_OPERAND_PLACE], name, &p->place_key);
  make_key (reader, &reader->locations, p->location, &p->location_key);
}

/* Reserve room for the events, estimated from the first lines. The surplus is
   never touched, and freed at the end. */
static void
reserve_events (omen_reader *reader, const char *text, size_t size)
{
  size_t sample = size < 65536 ? size : 65536, lines = 1, expected;
  for (size_t i = 0; i < sample; i++)
    lines += text[i] == '\n';
  expected = (size_t)((double)size / (double)sample * (double)lines * 1.05);
  if (expected >= OMEN_NONE || OMEN_HARD_OR (true, false))
    return;
  OMEN_VEC_RESERVE (reader->trace->events, expected + 16);
  omen_pages_huge (reader->trace->events.data,
                   reader->trace->events.room * sizeof (omen_event));
}

static bool
read_cut (omen_reader *reader, omen_text_fields *cut)
{
  if (OMEN_UNLIKELY (cut->comment))
    return true;
  if (OMEN_UNLIKELY (cut->expected != NULL))
    return omen_reader_fail (reader, cut->wrong, cut->expected);
  if (OMEN_UNLIKELY (cut->parts.thread.length == 1
                     && cut->parts.thread.text[0] == '*'))
    return read_init (reader, &cut->parts);
  return read_event (reader, &cut->parts);
}

/* Lines are split some time before they are read, so that the slots of their
   names are prefetched. */
#define AHEAD OMEN_HARD_OR (2, 16)

static bool
read_lines (omen_reader *reader, const char *text, size_t size)
{
  bool mark = size >= 3 && !memcmp (text, "\xef\xbb\xbf", 3);
  omen_cutter cutter = omen_cutter_at (text + 3 * mark, text + size);
  omen_text_fields cuts[AHEAD];
  int count;
  if (size)
    reserve_events (reader, text, size);
  do {
    for (count = 0; count < AHEAD && omen_cutter_next (&cutter, &cuts[count]);
         count++)
      make_keys (reader, &cuts[count]);
    for (int i = 0; i < count; i++, reader->line++)
      if (OMEN_UNLIKELY (!read_cut (reader, &cuts[i])))
        return false;
  } while (count == AHEAD);
  return true;
}

/* ---- fork(9) as T9 ---- */

/* Thread t; or, if t is named 9 and has no events, thread T9 if that has
   some. */
static omen_tid
meant_by (const omen_trace *trace, const uint8_t *acts, omen_tid t)
{
  const omen_names *names = &trace->names[OMEN_OPERAND_THREAD];
  const omen_name *name = &names->names[t];
  char text[32] = "T";
  uint32_t other;
  if (acts[t] || !name->length || name->length > 20
      || strspn (name->text, "0123456789") != name->length)
    return t;
  memcpy (text + 1, name->text, name->length);
  other = omen_names_find (names, text, name->length + 1);
  return other != OMEN_NONE && acts[other] ? other : t;
}

/* Assign new ids, in order of first use. */
static void
renumber_threads (omen_trace *trace, omen_tid *target)
{
  omen_names old = trace->names[OMEN_OPERAND_THREAD];
  omen_tid *id = omen_alloc (old.count * sizeof *id);
  omen_names_init (&trace->names[OMEN_OPERAND_THREAD]);
  OMEN_VEC_CLEAR (trace->threads);
  for (omen_tid t = 0; t < old.count; t++)
    id[t] = omen_trace_thread (trace, old.names[target[t]].text,
                               old.names[target[t]].length);
  for (size_t e = 0; e < trace->events.count; e++) {
    omen_event *event = &trace->events.data[e];
    event->thread = id[event->thread];
    if (omen_kind_operand (event->kind) == OMEN_OPERAND_THREAD)
      event->object = id[event->object];
  }
  OMEN_ASSERT (trace->threads.count < old.count);
  omen_free (id);
  omen_names_fini (&old);
}

static void
resolve_forks (omen_reader *reader)
{
  omen_trace *trace = reader->trace;
  uint32_t count = trace->names[OMEN_OPERAND_THREAD].count;
  uint8_t *acts = omen_zalloc (count, 1);
  omen_tid *target = omen_alloc (count * sizeof *target);
  bool changed = false;
  for (size_t e = 0; e < trace->events.count; e++)
    acts[trace->events.data[e].thread] = 1;
  for (omen_tid t = 0; t < count; t++)
    target[t] = meant_by (trace, acts, t);
  for (size_t i = 0; i < reader->literal.count; i++)
    target[reader->literal.data[i]] = reader->literal.data[i];
  for (omen_tid t = 0; t < count; t++)
    changed |= target[t] != t;
  if (changed)
    renumber_threads (trace, target);
  omen_free (acts);
  omen_free (target);
}

/* ---- all ---- */

static void
reader_init (omen_reader *reader, const char *path)
{
  omen_words_init (&reader->operations);
  omen_words_init (&reader->locations);
  for (int i = 0; i < OMEN_OPERANDS; i++)
    omen_words_init (&reader->names[i]);
  omen_names_init (&reader->instances);
  reader->line = 1;
  reader->path = path;
  reader->trace = omen_trace_new (path);
}

static void
reader_fini (omen_reader *reader)
{
  omen_words_fini (&reader->operations);
  omen_words_fini (&reader->locations);
  for (int i = 0; i < OMEN_OPERANDS; i++)
    omen_words_fini (&reader->names[i]);
  omen_names_fini (&reader->instances);
  OMEN_VEC_FINI (reader->scratch);
  OMEN_VEC_FINI (reader->tagged);
  OMEN_VEC_FINI (reader->instance_of);
  OMEN_VEC_FINI (reader->numbers);
  OMEN_VEC_FINI (reader->stale);
  OMEN_VEC_FINI (reader->literal);
}

omen_trace *
omen_text_parse (const char *path, const char *text, size_t size, omen_err *err)
{
  omen_reader reader = { .err = err, .end = text + size };
  bool ok;
  reader_init (&reader, path);
  ok = read_lines (&reader, text, size);
  if (ok && reader.numbered_fork)
    resolve_forks (&reader);
  reader_fini (&reader);
  if (ok) {
    size_t count = reader.trace->events.count;
    reader.trace->events.data
        = omen_realloc (reader.trace->events.data, count * sizeof (omen_event));
    reader.trace->events.room = count;
  }
  if (ok && omen_trace_seal (reader.trace, err))
    return reader.trace;
  omen_trace_free (reader.trace);
  return NULL;
}
