#include "symbols/symbols.h"
#include "symbols/module.h"
#include "symbols/types.h"
#include "recording/scan/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- what is to be written ---- */

typedef struct output {
  omen_names strings; /* new strings; ids start at `first` */
  uint32_t first;
  uint32_t first_code; /* first new entry of the code table */
  OMEN_VEC (omen_file_typed_code) code;
  OMEN_VEC (omen_file_described_object) objects;
  omen_map source_pairs; /* (name, path) pairs written */
  OMEN_VEC (omen_file_source) sources;
  const omen_trace *trace;
  omen_types types;
  omen_elf *elf; /* the module that is visited */
  bool wants_code, wants_objects, wants_sources;
  bool wants_types;              /* of blocks: layouts are in one chunk */
  const omen_symbols_keep *keep; /* or NULL */
} output;

static uint32_t
string_id (output *out, const char *text)
{
  return text ? out->first + omen_names_id (&out->strings, text, strlen (text))
              : OMEN_NONE;
}

static void
put_bytes (omen_symbols_chunks *file, const void *bytes, size_t size)
{
  OMEN_VEC_RESERVE (*file, file->count + size);
  if (size)
    memcpy (file->data + file->count, bytes, size);
  file->count += size;
}

static void
put_chunk (omen_symbols_chunks *file, omen_chunk_header h, const void *payload,
           size_t size)
{
  OMEN_REQUIRE (size <= UINT32_MAX && (payload || !size));
  h.magic = OMEN_CHUNK_MAGIC;
  h.stored = h.size = (uint32_t)size;
  h.checksum = XXH3_64bits (payload, size);
  h.check = XXH3_64bits (&h, offsetof (omen_chunk_header, check));
  put_bytes (file, &h, sizeof h);
  put_bytes (file, payload, size);
}

static void
put_strings (omen_symbols_chunks *file, const output *out)
{
  omen_symbols_chunks payload = { 0 };
  for (uint32_t i = 0; i < out->strings.count; i++) {
    const omen_name *name = &out->strings.names[i];
    uint8_t length[10], *end = omen_varint_put (length, name->length);
    put_bytes (&payload, length, (size_t)(end - length));
    put_bytes (&payload, name->text, name->length);
  }
  put_chunk (file,
             (omen_chunk_header){ .kind = OMEN_CHUNK_NAMES,
                                  .stream = OMEN_TABLE_STRINGS,
                                  .count = out->strings.count,
                                  .first = out->first },
             payload.data, payload.count);
  OMEN_VEC_FINI (payload);
}

static uint32_t
file_string (const output *out, uint32_t id)
{
  return id == OMEN_NONE ? OMEN_NONE : out->first + id;
}

static void
put_layouts (omen_symbols_chunks *file, const output *out)
{
  const omen_layouts *layouts = &out->types.layouts;
  omen_symbols_chunks payload = { 0 };
  for (size_t i = 0; i < layouts->list.count; i++) {
    const omen_layout *layout = &layouts->list.data[i];
    omen_file_layout head = { layout->count, omen_layout_flags (layout) };
    put_bytes (&payload, &head, sizeof head);
    for (uint32_t j = 0; j < layout->count; j++) {
      const omen_layout_member *m = &layouts->members.data[layout->first + j];
      omen_file_part part
          = { file_string (out, m->name),          m->layout, m->bit, m->bits,
              m->is_signed ? OMEN_PART_SIGNED : 0, 0 };
      put_bytes (&payload, &part, sizeof part);
    }
  }
  put_chunk (file,
             (omen_chunk_header){ .kind = OMEN_CHUNK_LAYOUTS,
                                  .flags = OMEN_CHUNK_OPTIONAL,
                                  .stream = OMEN_NONE,
                                  .count = (uint32_t)layouts->list.count },
             payload.data, payload.count);
  OMEN_VEC_FINI (payload);
}

static void
put_all (omen_symbols_chunks *file, const output *out)
{
  omen_chunk_header h = { .stream = OMEN_NONE };
  if (out->strings.count)
    put_strings (file, out);
  if (out->types.layouts.list.count)
    put_layouts (file, out);
  h.kind = OMEN_CHUNK_PLACES_OF_CODE;
  h.count = (uint32_t)out->code.count;
  h.first = out->first_code;
  if (out->wants_code)
    put_chunk (file, h, out->code.data, h.count * sizeof *out->code.data);
  h.first = 0;
  h.kind = OMEN_CHUNK_OBJECTS;
  h.count = (uint32_t)out->objects.count;
  if (out->wants_objects)
    put_chunk (file, h, out->objects.data, h.count * sizeof *out->objects.data);
  h.kind = OMEN_CHUNK_SOURCES;
  h.flags = OMEN_CHUNK_OPTIONAL;
  h.first = out->trace->sources.count;
  h.count = (uint32_t)out->sources.count;
  if (h.count)
    put_chunk (file, h, out->sources.data, h.count * sizeof *out->sources.data);
}

/* ---- one module ---- */

static bool
is_kept (const output *out, const char *name)
{
  return out->keep && out->keep->keeps (out->keep->context, name);
}

static bool
is_watched (const output *out, const char *name)
{
  return out->keep && out->keep->watches (out->keep->context, name);
}

static void
add_described (output *out, const omen_file_object *object,
               omen_variable_shape shape)
{
  omen_file_described_object entry
      = { *object,
          { shape.layout, file_string (out, shape.source), shape.from } };
  OMEN_VEC_PUSH (out->objects, entry);
}

static void
add_object (void *data, const char *name, uint64_t address, uint64_t size,
            bool confined)
{
  output *out = data;
  omen_variable_shape shape = omen_elf_shape (out->elf, address, &out->types);
  bool kept
      = is_kept (out, name)
        || (shape.source != OMEN_NONE
            && is_kept (out, omen_names_text (&out->strings, shape.source)));
  bool watched
      = is_watched (out, name)
        || (shape.source != OMEN_NONE
            && is_watched (out, omen_names_text (&out->strings, shape.source)));
  omen_file_object object
      = { address, size, string_id (out, name),
          (kept ? OMEN_OBJECT_KEPT : 0) | (watched ? OMEN_OBJECT_WATCHED : 0)
              | (confined ? OMEN_OBJECT_CONFINED : 0) };
  if (file_string (out, shape.source) == object.name)
    shape.source = OMEN_NONE;
  add_described (out, &object, shape);
}

static void
add_thread_local (void *data, const char *name, uint64_t address, uint64_t size,
                  bool confined)
{
  output *out = data;
  omen_file_object object
      = { address, size, string_id (out, name), OMEN_OBJECT_THREAD_LOCAL };
  add_described (out, &object, OMEN_NO_SHAPE);
}

/* Add a source file if the recording, or its new symbols, mention its name. */
static void
add_source (void *data, const char *name, const char *path)
{
  output *out = data;
  size_t length = strlen (name);
  uint32_t *taken;
  omen_file_source source;
  if (omen_names_find (&out->trace->strings, name, length) == OMEN_NONE
      && omen_names_find (&out->strings, name, length) == OMEN_NONE)
    return;
  source = (omen_file_source){ string_id (out, name), string_id (out, path) };
  taken
      = omen_map_at (&out->source_pairs, OMEN_PAIR (source.name, source.path));
  if (*taken == OMEN_NONE)
    OMEN_VEC_PUSH (out->sources, source);
  *taken = 0;
}

/* Outermost frame first, since each refers to the one that it is inlined
   into. */
static void
add_code (output *out, uint64_t pc, const omen_elf_frame *frames, unsigned n)
{
  uint32_t caller = OMEN_NONE;
  for (unsigned i = n; i-- > 0;) {
    omen_file_typed_code code
        = { { i ? 0 : pc, string_id (out, frames[i].function),
              string_id (out, frames[i].file), frames[i].line, caller },
            OMEN_NONE,
            OMEN_NONE,
            OMEN_NONE,
            0 };
    omen_elf_made made;
    if (!i && out->wants_types
        && omen_elf_allocated (out->elf, pc, &out->types, &made)) {
      code.type = string_id (out, made.type);
      code.layout = made.layout;
      code.elements = made.elements;
      code.size = made.size;
    }
    OMEN_ASSERT (caller == OMEN_NONE
                 || caller < out->first_code + out->code.count);
    caller = out->first_code + (uint32_t)out->code.count;
    OMEN_VEC_PUSH (out->code, code);
  }
}

typedef OMEN_VEC (uint64_t) addresses;

static void
add_module (output *out, const omen_trace *trace, const omen_module *module,
            const addresses *pcs)
{
  const char *path = omen_names_text (&trace->strings, module->path);
  const char *id = module->build_id == OMEN_NONE
                       ? NULL
                       : omen_names_text (&trace->strings, module->build_id);
  omen_elf *elf = omen_elf_open (path, id, module->base);
  if (!elf)
    return;
  out->elf = elf;
  for (size_t i = 0; i < pcs->count; i++) {
    omen_elf_frame frames[OMEN_ELF_FRAMES];
    if (pcs->data[i] - module->base < module->size)
      add_code (out, pcs->data[i], frames,
                omen_elf_code (elf, pcs->data[i], frames));
  }
  if (out->wants_objects
      && (module == trace->modules.data || omen_elf_is_woven (elf)))
    omen_elf_objects (elf, add_object, out);
  if (out->wants_objects && module == trace->modules.data)
    omen_elf_thread_locals (elf, add_thread_local, out);
  if (out->wants_sources
      && (module == trace->modules.data || omen_elf_is_woven (elf)))
    omen_elf_sources (elf, add_source, out);
  omen_elf_close (elf);
}

/* ---- the file ---- */

static bool
collect_pcs (omen_binary_reader *reader, addresses *pcs)
{
  omen_notes_file file;
  omen_notes_summary summary = { 0 };
  bool read = omen_notes_file_init (&file, reader);
  if (read && !omen_notes_scan_fast (&file, &summary)) {
    omen_notes_summary_fini (&summary);
    summary = (omen_notes_summary){ 0 };
    read = !reader->failed && omen_notes_scan (&file, &summary);
  }
  for (uint32_t i = 0; summary.pcs.entries && i <= summary.pcs.mask; i++)
    if (summary.pcs.entries[i].key != OMEN_MAP_NO_KEY
        && summary.pcs.entries[i].key)
      OMEN_VEC_PUSH (*pcs, summary.pcs.entries[i].key);
  for (size_t i = 0; i < file.stuck.count; i++)
    if (file.stuck.data[i].pc)
      OMEN_VEC_PUSH (*pcs, file.stuck.data[i].pc);
  OMEN_VEC_SORT (*pcs, omen_compare_u64);
  omen_notes_summary_fini (&summary);
  omen_notes_file_fini (&file);
  return read;
}

static void
find_all (const omen_trace *trace, output *out, const addresses *pcs,
          omen_symbols_chunks *chunks)
{
  omen_names_init (&out->strings);
  omen_map_init (&out->source_pairs);
  out->trace = trace;
  out->types.strings = &out->strings;
  for (size_t i = 0; i < trace->modules.count; i++)
    add_module (out, trace, &trace->modules.data[i], pcs);
  put_all (chunks, out);
  omen_names_fini (&out->strings);
  OMEN_VEC_FINI (out->code);
  OMEN_VEC_FINI (out->objects);
  OMEN_VEC_FINI (out->sources);
  omen_map_fini (&out->source_pairs);
  omen_layouts_fini (&out->types.layouts);
}

static bool
has_chunk (const omen_binary_reader *reader, unsigned kind)
{
  const omen_chunk *end;
  return omen_chunks_of (reader, kind, &end) < end;
}

static void
open_reader (omen_binary_reader *reader, const char *path, const void *data,
             size_t size, omen_err *err)
{
  *reader = (omen_binary_reader){
    .path = path, .data = data, .size = size, .err = err
  };
  reader->trace = omen_trace_new (path);
}

/* Is scanning all notes affordable? With repeats, a byte may stand for many
   notes. */
static bool
is_soon_read (const omen_binary_reader *reader, uint64_t limit)
{
  return reader->size <= limit && reader->notes <= limit / OMEN_SYMBOLS_NOTE;
}

/* Returns false if it is not a readable recording. */
static bool
find_symbols (const char *path, const void *data, size_t size, uint64_t limit,
              const omen_symbols_keep *keep, omen_symbols_chunks *chunks,
              omen_err *err)
{
  omen_binary_reader reader;
  addresses pcs = { 0 };
  output out = { .keep = keep };
  bool read;
  open_reader (&reader, path, data, size, err);
  reader.tables_only = size > limit; /* notes are not needed then */
  read = omen_binary_list (&reader) && reader.notes;
  if (read) {
    out.wants_code = is_soon_read (&reader, limit)
                     && !has_chunk (&reader, OMEN_CHUNK_PLACES_OF_CODE);
    out.wants_objects = !has_chunk (&reader, OMEN_CHUNK_OBJECTS);
    out.wants_sources = out.wants_code || out.wants_objects;
    out.wants_types = !has_chunk (&reader, OMEN_CHUNK_LAYOUTS);
  }
  if (out.wants_code || out.wants_objects) {
    read = omen_binary_tables (&reader)
           && (!out.wants_code || collect_pcs (&reader, &pcs));
    if (read) {
      out.first = (uint32_t)reader.strings.count;
      find_all (reader.trace, &out, &pcs, chunks);
      omen_file_end end
          = { reader.chunks.count + reader.passed, reader.promised };
      omen_chunk_header h
          = { .stream = OMEN_NONE, .kind = OMEN_CHUNK_END, .count = 1 };
      if (reader.complete)
        put_chunk (chunks, h, &end, sizeof end);
    }
  }
  OMEN_VEC_FINI (pcs);
  omen_trace_free (reader.trace);
  OMEN_VEC_FINI (reader.chunks);
  OMEN_VEC_FINI (reader.strings);
  OMEN_VEC_FINI (reader.hints);
  return read;
}

void
omen_symbols_find (const char *path, const void *data, size_t size,
                   omen_symbols_chunks *chunks)
{
  omen_err err = { 0 };
  find_symbols (path, data, size, UINT64_MAX, NULL, chunks, &err);
}

void
omen_symbols_more (const omen_trace *trace, const omen_symbols_wanted *wanted,
                   omen_symbols_chunks *chunks)
{
  addresses pcs = { 0 };
  output out = { .first_code = wanted->code,
                 .wants_code = true,
                 .wants_objects = wanted->objects };
  for (size_t i = 0; i < wanted->count; i++)
    OMEN_VEC_PUSH (pcs, wanted->pcs[i]);
  OMEN_VEC_SORT (pcs, omen_compare_u64);
  find_all (trace, &out, &pcs, chunks);
  OMEN_VEC_FINI (pcs);
}

static bool
append_to_file (const char *path, int fd, const omen_symbols_chunks *chunks,
                omen_err *err)
{
  size_t done = 0;
  while (done < chunks->count) {
    ssize_t n = write (fd, chunks->data + done, chunks->count - done);
    if (n < 0 && errno != EINTR)
      return omen_err_io (err, path, "cannot write: %s", strerror (errno));
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

static bool
add_to (const char *path, int fd, uint64_t limit, const omen_symbols_keep *keep,
        omen_err *err)
{
  omen_symbols_chunks chunks = { 0 };
  struct stat info;
  void *data;
  bool made;
  if (fstat (fd, &info))
    return omen_err_io (err, path, "cannot read: %s", strerror (errno));
  if (!info.st_size)
    return true; /* left by a full disk; loading it will report that */
  data = mmap (NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED)
    return omen_err_io (err, path, "cannot read: %s", strerror (errno));
  if ((uint64_t)info.st_size > limit) /* only a few pages will be read */
    madvise (data, (size_t)info.st_size, MADV_RANDOM);
  made = find_symbols (path, data, (size_t)info.st_size, limit, keep, &chunks,
                       err);
  munmap (data, (size_t)info.st_size);
  made = made && append_to_file (path, fd, &chunks, err);
  OMEN_VEC_FINI (chunks);
  return made;
}

bool
omen_symbols_add (const char *file, uint64_t limit,
                  const omen_symbols_keep *keep, omen_err *err)
{
  int fd = open (file, O_RDWR | O_APPEND | O_CLOEXEC);
  bool added;
  if (fd < 0)
    return omen_err_io (err, file, "cannot open: %s", strerror (errno));
  added = add_to (file, fd, limit, keep, err);
  close (fd);
  return added;
}
