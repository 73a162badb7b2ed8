/* Reads the tables of a binary trace. An entry reader reads one entry and
   returns NULL, or what is wrong with it. */
#include "io/binary_layouts.h"
#include "trace/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char short_entry[] = "it is cut short";
static const char bad_id[] = "it has an id or value out of range";
static const char twice[] = "it occurs twice";

/* ---- walking the chunks ---- */

static const char *
read_entry (omen_binary_reader *reader, const omen_chunk *chunk, uint64_t id,
            omen_bytes *payload, size_t stride, omen_entry_reader entry)
{
  omen_bytes own;
  if (id >= OMEN_NONE - 1)
    return "there are too many";
  if (!stride)
    return entry (reader, chunk->header.stream, id, payload);
  /* entries of fixed size may have more bytes than this version knows */
  const uint8_t *at = omen_bytes_take (payload, stride);
  OMEN_ASSERT (at);
  own = (omen_bytes){ at, at + stride, false };
  return entry (reader, chunk->header.stream, id, &own);
}

/* `size` 0: entries of variable size, without gaps. */
static bool
read_chunk (omen_binary_reader *reader, const omen_chunk *chunk,
            omen_bytes *payload, size_t size, omen_entry_reader entry)
{
  const omen_chunk_header *h = &chunk->header;
  size_t stride = size && h->count ? h->size / h->count : 0;
  OMEN_ASSERT ((size_t)(payload->end - payload->at) == h->size);
  if (size && h->count && (stride < size || stride * h->count != h->size))
    return omen_binary_wrong (reader,
                              "byte %zu: %u entries of %zu bytes or more do "
                              "not fill the %u bytes of their chunk",
                              chunk->offset, h->count, size, h->size);
  for (uint32_t i = 0; i < h->count; i++) {
    const char *wrong
        = read_entry (reader, chunk, h->first + i, payload, stride, entry);
    if (wrong)
      return omen_binary_wrong (reader, "byte %zu: entry %u of this chunk: %s",
                                chunk->offset, i, wrong);
  }
  if (payload->at != payload->end)
    return omen_binary_wrong (reader,
                              "byte %zu: a chunk longer than its "
                              "entries",
                              chunk->offset);
  return true;
}

bool
omen_binary_each (omen_binary_reader *reader, unsigned kind, size_t size,
                  omen_entry_reader entry)
{
  const omen_chunk *end, *next, *chunk;
  next = omen_chunks_of (reader, kind, &end);
  while (next < end && !reader->failed) {
    omen_bytes payload;
    omen_stream stream;
    omen_stream_init (&stream, next, end);
    next = stream.end;
    while ((chunk = omen_stream_next (&stream, reader, &payload)))
      if (!read_chunk (reader, chunk, &payload, size, entry))
        break;
    omen_stream_fini (&stream);
  }
  return !reader->failed;
}

bool
omen_binary_next (omen_binary_reader *reader, const omen_chunk *chunk,
                  uint64_t expected, size_t size, omen_entry_reader entry)
{
  uint8_t *unpacked = NULL;
  omen_bytes payload;
  bool read;
  if (chunk->header.first != expected)
    return omen_binary_wrong (reader,
                              "byte %zu: this chunk should begin with entry "
                              "%lu",
                              chunk->offset, (unsigned long)expected);
  read = omen_chunk_payload (reader, chunk, &unpacked, &payload)
         && read_chunk (reader, chunk, &payload, size, entry);
  omen_free (unpacked);
  return read;
}

/* ---- entries ---- */

bool
omen_binary_string (const omen_binary_reader *reader, uint32_t *id)
{
  if (*id == OMEN_NONE)
    return true;
  if (*id >= reader->strings.count)
    return false;
  *id = reader->strings.data[*id];
  return true;
}

static omen_names *
table_of (omen_trace *trace, uint32_t stream)
{
  switch (stream) {
  case OMEN_TABLE_LOCATIONS:
    return &trace->locations;
  case OMEN_TABLE_SYMBOLS:
    return &trace->symbols;
  case OMEN_OPERAND_NOTHING:
  case OMEN_OPERAND_PLACE:
    return NULL;
  default:
    return stream < OMEN_OPERANDS ? &trace->names[stream] : NULL;
  }
}

/* Adds a name; returns its id. Variables may share a name (block instances). */
static uint32_t
add_name (omen_trace *trace, uint32_t stream, const char *text, size_t length)
{
  omen_names *names = table_of (trace, stream);
  if (stream == OMEN_OPERAND_VARIABLE)
    return omen_names_again (names, text, length);
  if (stream == OMEN_OPERAND_THREAD)
    return omen_trace_thread (trace, text, length);
  return omen_names_id (names, text, length);
}

static const char *
read_name (omen_binary_reader *reader, uint32_t stream, uint64_t id,
           omen_bytes *bytes)
{
  uint64_t length = omen_bytes_varint (bytes);
  const char *text = (const char *)omen_bytes_take (bytes, length);
  if (!text || length >= OMEN_NONE)
    return short_entry;
  if (stream == OMEN_TABLE_STRINGS) {
    OMEN_VEC_PUSH (reader->strings,
                   omen_names_id (&reader->trace->strings, text, length));
    return NULL;
  }
  if (!table_of (reader->trace, stream))
    return "there is no such table";
  return add_name (reader->trace, stream, text, length) == id ? NULL : twice;
}

#define TAKE(type, name)                                                       \
  type name;                                                                   \
  if (!omen_bytes_copy (bytes, &name, sizeof name))                            \
    return short_entry;

static const char *
read_place (omen_binary_reader *reader, uint32_t stream, uint64_t id,
            omen_bytes *bytes)
{
  TAKE (omen_file_place, place)
  bool whole = place.length == OMEN_WHOLE;
  if (place.variable >= reader->trace->names[OMEN_OPERAND_VARIABLE].count)
    return bad_id;
  if (!place.length
      || (whole ? place.offset : place.offset > OMEN_WHOLE - 1 - place.length))
    return "it is no byte range";
  return omen_trace_place (reader->trace, place.variable, place.offset,
                           place.length)
                 == id
             ? NULL
             : twice;
}

static const char *
read_init (omen_binary_reader *reader, uint32_t stream, uint64_t id,
           omen_bytes *bytes)
{
  TAKE (omen_file_value, init)
  if (init.id >= reader->trace->places.count || !init.value_kind
      || !omen_value_fits (reader->trace, init.value_kind, init.value))
    return bad_id;
  OMEN_VEC_PUSH (
      reader->trace->inits,
      ((omen_init){ init.id, (uint8_t)init.value_kind, init.value }));
  return NULL;
}

static const char *
read_rmw (omen_binary_reader *reader, uint32_t stream, uint64_t id,
          omen_bytes *bytes)
{
  TAKE (omen_file_rmw, rmw)
  omen_rmw mine = { { rmw.value[0], rmw.value[1] }, { 0 } };
  for (int i = 0; i < 2; i++) {
    if (!omen_value_fits (reader->trace, rmw.value_kind[i], rmw.value[i]))
      return bad_id;
    mine.value_kind[i] = (uint8_t)rmw.value_kind[i];
  }
  OMEN_VEC_PUSH (reader->trace->rmws, mine);
  return NULL;
}

static const char *
read_argument (omen_binary_reader *reader, omen_bytes *bytes)
{
  TAKE (omen_file_value, arg)
  if (arg.id == OMEN_NONE || !omen_binary_string (reader, &arg.id)
      || !arg.value_kind
      || !omen_value_fits (reader->trace, arg.value_kind, arg.value))
    return bad_id;
  OMEN_VEC_PUSH (
      reader->trace->emit_args,
      ((omen_emit_arg){ arg.id, (uint8_t)arg.value_kind, arg.value }));
  return NULL;
}

static const char *
read_emit (omen_binary_reader *reader, uint32_t stream, uint64_t id,
           omen_bytes *bytes)
{
  uint64_t count = omen_bytes_varint (bytes);
  size_t first = reader->trace->emit_args.count;
  if (bytes->short_of
      || count > (size_t)(bytes->end - bytes->at) / sizeof (omen_file_value)
      || first + count >= OMEN_NONE)
    return short_entry;
  for (uint64_t i = 0; i < count; i++) {
    const char *wrong = read_argument (reader, bytes);
    if (wrong)
      return wrong;
  }
  OMEN_VEC_PUSH (reader->trace->emits,
                 ((omen_emit){ (uint32_t)first, (uint32_t)count }));
  return NULL;
}

static const char *
read_frame (omen_binary_reader *reader, uint32_t stream, uint64_t id,
            omen_bytes *bytes)
{
  const omen_trace *trace = reader->trace;
  TAKE (omen_file_frame, frame)
  if ((frame.function != OMEN_NONE
       && frame.function >= trace->names[OMEN_OPERAND_FUNCTION].count)
      || (frame.location != OMEN_NONE
          && frame.location >= trace->locations.count)
      || (frame.caller != OMEN_NONE && frame.caller >= id))
    return bad_id;
  OMEN_VEC_PUSH (
      reader->trace->stacks,
      ((omen_frame){ frame.function, frame.location, frame.caller }));
  return NULL;
}

static const char *
read_module (omen_binary_reader *reader, uint32_t stream, uint64_t id,
             omen_bytes *bytes)
{
  uint64_t flags = 0;
  TAKE (omen_file_module, module)
  if (module.path == OMEN_NONE || !omen_binary_string (reader, &module.path)
      || !omen_binary_string (reader, &module.build_id))
    return bad_id;
  omen_bytes_copy (bytes, &flags, sizeof flags); /* recordings only */
  OMEN_VEC_PUSH (reader->trace->modules,
                 ((omen_module){ module.path, module.build_id, module.base,
                                 module.size, (uint32_t)flags }));
  return NULL;
}

/* Name threads T0, T1, …, since recorders only number them. False if another
   thread has the name. */
static bool
name_thread (omen_trace *trace)
{
  char name[16];
  size_t before = trace->threads.count;
  int length = snprintf (name, sizeof name, "T%zu", before);
  omen_trace_thread (trace, name, (size_t)length);
  return trace->threads.count > before;
}

static const char *
read_thread (omen_binary_reader *reader, uint32_t stream, uint64_t id,
             omen_bytes *bytes)
{
  TAKE (omen_file_thread, thread)
  while (reader->notes && id >= reader->trace->threads.count)
    if (!name_thread (reader->trace))
      return bad_id;
  if (id >= reader->trace->threads.count
      || !omen_binary_string (reader, &thread.path))
    return bad_id;
  reader->trace->threads.data[id].path = thread.path;
  if (reader->hints.count == id) /* hints are usable only without gaps */
    OMEN_VEC_PUSH (reader->hints, thread.events);
  return NULL;
}

static const char *
read_program (omen_binary_reader *reader, uint32_t stream, uint64_t id,
              omen_bytes *bytes)
{
  TAKE (omen_file_program, program)
  if (id || !omen_binary_string (reader, &program.command))
    return bad_id;
  reader->trace->program = program.command;
  reader->program = program.flags;
  reader->trace->flags = program.flags
                         & (OMEN_TRACE_DEPENDENCES | OMEN_TRACE_PARTIAL
                            | OMEN_TRACE_STACKS | OMEN_TRACE_HELPED);
  return NULL;
}

static const char *
read_source (omen_binary_reader *reader, uint32_t stream, uint64_t id,
             omen_bytes *bytes)
{
  TAKE (omen_file_source, source)
  if (source.name == OMEN_NONE || source.path == OMEN_NONE
      || !omen_binary_string (reader, &source.name)
      || !omen_binary_string (reader, &source.path))
    return bad_id;
  OMEN_VEC_PUSH (reader->trace->sources,
                 ((omen_source_file){ source.name, source.path }));
  return NULL;
}

static const char *
read_home (omen_binary_reader *reader, uint32_t stream, uint64_t id,
           omen_bytes *bytes)
{
  omen_trace *trace = reader->trace;
  TAKE (omen_file_home, home)
  if (id >= trace->names[OMEN_OPERAND_LOCK].count
      || (home.thread != OMEN_NONE && home.thread >= trace->threads.count)
      || (home.stack != OMEN_NONE && home.stack >= trace->stacks.count))
    return reader->lossy ? NULL : bad_id;
  omen_trace_home (
      trace, (omen_lid)id,
      (omen_home){ home.thread, home.stack, home.size, home.offset });
  return NULL;
}

bool
omen_binary_tables (omen_binary_reader *reader)
{
  return omen_binary_each (reader, OMEN_CHUNK_NAMES, 0, read_name)
         && omen_binary_each (reader, OMEN_CHUNK_PLACES,
                              sizeof (omen_file_place), read_place)
         && omen_binary_each (reader, OMEN_CHUNK_INITS,
                              sizeof (omen_file_value), read_init)
         && omen_binary_each (reader, OMEN_CHUNK_RMWS, sizeof (omen_file_rmw),
                              read_rmw)
         && omen_binary_each (reader, OMEN_CHUNK_EMITS, 0, read_emit)
         && omen_binary_each (reader, OMEN_CHUNK_STACKS,
                              sizeof (omen_file_frame), read_frame)
         && omen_binary_each (reader, OMEN_CHUNK_MODULES,
                              sizeof (omen_file_module), read_module)
         && omen_binary_each (reader, OMEN_CHUNK_THREADS,
                              sizeof (omen_file_thread), read_thread)
         && omen_binary_each (reader, OMEN_CHUNK_PROGRAM,
                              sizeof (omen_file_program), read_program)
         && omen_binary_layouts (reader)
         && omen_binary_each (reader, OMEN_CHUNK_SOURCES,
                              sizeof (omen_file_source), read_source)
         && omen_binary_each (reader, OMEN_CHUNK_HOMES, sizeof (omen_file_home),
                              read_home);
}

bool
omen_binary_next_table (omen_binary_reader *reader, const omen_chunk *chunk)
{
  switch (chunk->header.kind) {
  case OMEN_CHUNK_NAMES:
    return chunk->header.stream != OMEN_TABLE_STRINGS
           || omen_binary_next (reader, chunk, reader->strings.count, 0,
                                read_name);
  case OMEN_CHUNK_MODULES:
    return omen_binary_next (reader, chunk, reader->trace->modules.count,
                             sizeof (omen_file_module), read_module);
  case OMEN_CHUNK_PROGRAM:
    return omen_binary_next (reader, chunk, 0, sizeof (omen_file_program),
                             read_program);
  default:
    return true;
  }
}

/* ---- extras, once the events are known ---- */

static omen_eid
event_of (const omen_trace *trace, uint32_t thread, uint32_t index)
{
  if (thread == OMEN_NONE)
    return index < trace->events.count ? index : OMEN_NONE;
  if (thread >= trace->threads.count
      || index >= trace->threads.data[thread].count)
    return OMEN_NONE;
  return omen_trace_nth (trace, thread, index);
}

static const char *
read_extra (omen_binary_reader *reader, uint32_t stream, uint64_t id,
            omen_bytes *bytes)
{
  omen_trace *trace = reader->trace;
  size_t first = trace->dependences.count;
  TAKE (omen_file_extra, extra)
  omen_eid e = event_of (trace, stream, extra.event);
  if (extra.reads > (size_t)(bytes->end - bytes->at) / sizeof (uint32_t)
      || first + extra.reads >= OMEN_NONE)
    return short_entry;
  if (e == OMEN_NONE && reader->lossy) {
    omen_bytes_take (bytes, extra.reads * sizeof (uint32_t));
    return NULL;
  }
  if (e == OMEN_NONE
      || (extra.stack != OMEN_NONE && extra.stack >= trace->stacks.count))
    return bad_id;
  if (trace->events.data[e].mode & OMEN_MODE_EXTRA)
    return twice;
  for (uint32_t i = 0; i < extra.reads; i++) {
    TAKE (uint32_t, read)
    if (read == OMEN_NONE)
      return bad_id;
    OMEN_VEC_PUSH (trace->dependences, read);
  }
  trace->events.data[e].mode |= OMEN_MODE_EXTRA;
  OMEN_VEC_PUSH (trace->extras,
                 ((omen_extra){ e, extra.reads ? (uint32_t)first : 0,
                                extra.reads, extra.branch, extra.stack }));
  return NULL;
}

static int
compare_extras (const void *left, const void *right)
{
  const omen_extra *a = left, *b = right;
  return a->event < b->event ? -1 : a->event > b->event;
}

bool
omen_binary_extras (omen_binary_reader *reader)
{
  omen_trace *trace = reader->trace;
  OMEN_REQUIRE (trace->by_thread && !trace->extras.count);
  if (!omen_binary_each (reader, OMEN_CHUNK_EXTRAS, 0, read_extra))
    return false;
  OMEN_VEC_SORT (trace->extras, compare_extras);
  return true;
}
