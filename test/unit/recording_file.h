/* Recorder's files by hand: threads, notes, numbers, values.

     recording r;
     recording_init (&r);
     omen_site *load = recording_site (&r, OMEN_SITE_LOAD, 4, "f.c", 3);
     recording_object (&r, 0x1000, 8, "x");
     recording_note (&r, 0, 0x1000, 7, load);
     recording_item (&r, 0, OMEN_ITEM_ACQUIRE, 0x2000, number, 0, 0);
     omen_trace *trace = recording_load (&r, &err);
     recording_fini (&r);

   Numbers of shards: recording_number (&r, object). The program links
   runtime/log/encode.c, and this file answers its questions. */
#ifndef OMEN_TEST_RECORDING_FILE_H
#define OMEN_TEST_RECORDING_FILE_H

#include "binary_file.h"

#include "runtime/log/encode.h"
#include "runtime/core/rt.h"
#include "load/load.h"
#include "io/binary.h"
#include "wire/recording.h"

#include <stdlib.h>
#include <string.h>

enum { RECORDING_THREADS = 16, RECORDING_SITES = 64 };

typedef struct recording {
  OMEN_VEC (omen_note) notes[RECORDING_THREADS];
  uint32_t threads;
  omen_site sites[RECORDING_SITES]; /* of items, then woven ones */
  omen_file_site file_sites[RECORDING_SITES];
  uint32_t site_count;
  OMEN_VEC (const char *) strings;
  OMEN_VEC (omen_file_object) objects;
  OMEN_VEC (omen_file_recorded_module) modules;
  file_bytes data, depends;
  uint32_t data_count, depends_count;
  uint64_t numbers[OMEN_SHARDS], atomics[OMEN_SHARDS];
  unsigned flags;
  uint32_t chunk;                   /* notes in one */
  uint64_t lost[RECORDING_THREADS]; /* notes overwritten, of whole chunks */
  OMEN_VEC (omen_file_mark) marks;
  OMEN_VEC (uint32_t) mark_sizes; /* entries of each mark */
  bool one_log, no_end;
  bool shared_only; /* loaded without what one thread alone uses */
  bool old_ranges;  /* RANGE items as notes and PARTs */
  uint32_t chain;   /* chunks that continue one */
} recording;

uint32_t
omen_site_id (omen_site *site)
{
  return site->id;
}

uint32_t
omen_block_id (omen_code_block *block)
{
  return block->id;
}

static inline uint32_t
recording_string (recording *r, const char *text)
{
  if (!text)
    return OMEN_NONE;
  for (uint32_t i = 0; i < r->strings.count; i++)
    if (!strcmp (r->strings.data[i], text))
      return i;
  OMEN_VEC_PUSH (r->strings, text);
  return (uint32_t)r->strings.count - 1;
}

static inline omen_site *
recording_add_site (recording *r, omen_file_site site)
{
  uint32_t i = r->site_count++;
  OMEN_REQUIRE (i < RECORDING_SITES);
  r->file_sites[i] = site;
  r->sites[i]
      = (omen_site){ .kind = site.kind, .size = site.size, .id = i + 1 };
  return &r->sites[i];
}

static inline omen_site *
recording_site (recording *r, unsigned kind, unsigned size, const char *file,
                unsigned line)
{
  return recording_add_site (
      r, (omen_file_site){ .kind = (uint8_t)kind,
                           .size = (uint8_t)size,
                           .line = line,
                           .function = recording_string (r, "f\nf.c\n1"),
                           .file = recording_string (r, file),
                           .name = recording_string (r, "local") });
}

static inline void
recording_init (recording *r)
{
  *r = (recording){ .chunk = 100 };
  for (unsigned kind = OMEN_ITEM_FIRST; kind < OMEN_ITEM_END; kind++)
    recording_add_site (r, (omen_file_site){ .kind = (uint8_t)kind,
                                             .function = OMEN_NONE,
                                             .file = OMEN_NONE,
                                             .name = OMEN_NONE });
}

static inline void
recording_fini (recording *r)
{
  for (unsigned t = 0; t < RECORDING_THREADS; t++)
    OMEN_VEC_FINI (r->notes[t]);
  OMEN_VEC_FINI (r->strings);
  OMEN_VEC_FINI (r->objects);
  OMEN_VEC_FINI (r->modules);
  OMEN_VEC_FINI (r->data);
  OMEN_VEC_FINI (r->depends);
  OMEN_VEC_FINI (r->marks);
  OMEN_VEC_FINI (r->mark_sizes);
}

/* A mark in a ring: where all threads are now. */
static inline void
recording_mark_with (recording *r, uint32_t flags)
{
  OMEN_VEC_PUSH (r->marks, ((omen_file_mark){ OMEN_NONE, flags, r->threads }));
  for (uint32_t t = 0; t < r->threads; t++)
    OMEN_VEC_PUSH (r->marks, ((omen_file_mark){ t, 0, r->notes[t].count }));
  OMEN_VEC_PUSH (r->mark_sizes, r->threads + 1);
}

static inline void
recording_mark (recording *r)
{
  recording_mark_with (r, 0);
}

/* … and really are, all of them. */
static inline void
recording_safepoint (recording *r)
{
  recording_mark_with (r, OMEN_MARK_SAFEPOINT);
}

static inline void
recording_note (recording *r, uint32_t t, uint64_t a, uint64_t b,
                omen_site *site)
{
  uint32_t log = r->one_log ? 0 : t;
  OMEN_REQUIRE (t < RECORDING_THREADS);
  if (t >= r->threads)
    r->threads = t + 1;
  OMEN_VEC_PUSH (r->notes[log], ((omen_note){ site, a, b }));
}

static inline void
recording_part (recording *r, uint32_t t, uint64_t a, uint64_t b)
{
  recording_note (r, t, a, b, &r->sites[0]);
}

static inline void
recording_item (recording *r, uint32_t t, unsigned kind, uint64_t object,
                uint64_t number, uint64_t arg, uint64_t pc)
{
  recording_note (r, t, object, number, &r->sites[kind - OMEN_ITEM_FIRST]);
  if (kind < OMEN_ITEM_TIME)
    recording_part (r, t, arg, pc);
}

static inline uint64_t
recording_number (recording *r, uint64_t object)
{
  return r->numbers[omen_shard (object)]++;
}

static inline void
recording_object (recording *r, uint64_t address, uint64_t size,
                  const char *name)
{
  OMEN_VEC_PUSH (
      r->objects,
      ((omen_file_object){ address, size, recording_string (r, name), 0 }));
}

static inline void
recording_module (recording *r, uint64_t base, const char *path, bool woven)
{
  OMEN_VEC_PUSH (r->modules, ((omen_file_recorded_module){
                                 .path = recording_string (r, path),
                                 .build_id = OMEN_NONE,
                                 .base = base,
                                 .size = 0x1000,
                                 .flags = OMEN_MODULE_TOLD
                                          | (woven ? OMEN_MODULE_WOVEN : 0) }));
}

/* Zeros when the recording begins. */
static inline void
recording_zeros (recording *r, uint64_t address, uint64_t length)
{
  uint8_t varints[24], *end = omen_varint_put (varints, length);
  end = omen_varint_put (end, 0);
  file_put (&r->data, &address, sizeof address);
  file_put (&r->data, varints, (size_t)(end - varints));
  r->data_count++;
}

/* The site is of access `number` of unit 1, and depends on `count` others. */
static inline void
recording_depend (recording *r, const omen_site *site, uint32_t number,
                  uint32_t flags, uint32_t count, const uint32_t *on)
{
  omen_file_depend entry = { .unit = 1,
                             .site = site->id,
                             .number = number,
                             .flags = flags,
                             .count = count };
  file_put (&r->depends, &entry, sizeof entry);
  if (count)
    file_put (&r->depends, on, count * sizeof *on);
  r->depends_count++;
}

/* The runtime's form of a RANGE item, if all of it is there: words; the number
   of its notes, or 0. */
static inline size_t
recording_range (const omen_note *note, size_t left, uint64_t *words,
                 size_t *count)
{
  static const omen_bytes_head heads[2]
      = { { OMEN_HEAD_BYTES, OMEN_ITEM_RANGE_READ - OMEN_ITEM_FIRST + 1, NULL },
          { OMEN_HEAD_BYTES, OMEN_ITEM_RANGE_WRITE - OMEN_ITEM_FIRST + 1,
            NULL } };
  unsigned kind = note->site->kind;
  uint64_t length;
  size_t notes;
  if ((kind != OMEN_ITEM_RANGE_READ && kind != OMEN_ITEM_RANGE_WRITE)
      || left < 3 || note->b)
    return 0;
  length = note[1].a & ~OMEN_PLACE_SITE;
  notes = 2 + (size_t)(length + 15) / 16;
  if (!length || length > OMEN_LOG_MORE || notes > left)
    return 0;
  for (size_t i = 1; i < notes; i++)
    if (note[i].site->kind != OMEN_ITEM_PART)
      return 0;
  words[0] = (uintptr_t)&heads[kind == OMEN_ITEM_RANGE_WRITE];
  words[1] = (note[1].a & OMEN_PLACE_SITE) | note[1].b;
  words[2] = note->a;
  words[3] = length;
  *count = omen_bytes_words (words);
  for (size_t i = OMEN_BYTES_WORDS; i < *count; i++)
    words[i] = i % 2 ? note[i / 2].b : note[i / 2].a;
  return notes;
}

/* The notes as words; how many. */
static inline size_t
recording_words (const recording *r, const omen_note *notes, size_t count,
                 uint64_t *words)
{
  size_t all = 0;
  for (size_t i = 0; i < count;) {
    size_t used = 0, taken = 0;
    if (!r->old_ranges)
      taken = recording_range (notes + i, count - i, words + all, &used);
    if (!taken) {
      memcpy (words + all, notes + i, sizeof *notes);
      taken = 1;
      used = sizeof *notes / 8;
    }
    all += used;
    i += taken;
  }
  return all;
}

/* The notes [from, end) of the thread as a chunk. */
static inline void
recording_put_part (const recording *r, file_bytes *file, uint32_t t,
                    omen_encoder *encoder, size_t from, size_t end)
{
  uint8_t *code = malloc (OMEN_CODE_MAX);
  uint64_t *words = malloc (8 * OMEN_WORDS_MAX);
  uint32_t notes;
  size_t size, count;
  OMEN_REQUIRE (code && words && end - from <= OMEN_WORDS_MAX / 3);
  count = recording_words (r, r->notes[t].data + from, end - from, words);
  size = omen_encode (encoder, words, count, code, &notes);
  OMEN_REQUIRE (notes == end - from);
  file_put_chunk (file,
                  (omen_chunk_header){
                      .kind = OMEN_CHUNK_NOTES,
                      .flags = encoder->continues ? OMEN_CHUNK_CONTINUES : 0,
                      .stream = r->one_log ? OMEN_NONE : t,
                      .count = notes,
                      .first = from },
                  code, size);
  free (words);
  free (code);
}

static inline void
recording_put_notes (const recording *r, file_bytes *file, uint32_t t)
{
  size_t all = r->notes[t].count;
  omen_encoder *encoder = calloc (1, sizeof *encoder);
  OMEN_REQUIRE (encoder);
  omen_encoder_init (encoder, !r->old_ranges, r->chain);
  for (size_t i = 0; i < all; i += r->chunk)
    if (i >= r->lost[t])
      recording_put_part (r, file, t, encoder, i,
                          all - i < r->chunk ? all : i + r->chunk);
  free (encoder);
}

static inline void
recording_put_marks (const recording *r, file_bytes *file)
{
  const omen_file_mark *at = r->marks.data;
  for (uint32_t i = 0; i < r->mark_sizes.count; at += r->mark_sizes.data[i++])
    file_put_chunk (file,
                    (omen_chunk_header){ .kind = OMEN_CHUNK_MARKS,
                                         .flags = OMEN_CHUNK_OPTIONAL,
                                         .stream = OMEN_NONE,
                                         .count = r->mark_sizes.data[i],
                                         .first = i },
                    at, r->mark_sizes.data[i] * sizeof *at);
}

/* The bytes of the file; the caller's to fini. */
static inline file_bytes
recording_file (recording *r)
{
  file_bytes file = { 0 };
  omen_file_program program = { OMEN_NONE, r->flags };
#define CHUNK(what, n)                                                         \
  (omen_chunk_header)                                                          \
  {                                                                            \
    .kind = what, .stream = OMEN_NONE, .count = (uint32_t)(n)                  \
  }
  omen_file_header header = file_header ();
  header.features = r->old_ranges ? OMEN_FEATURE_APART | OMEN_FEATURE_TAGS
                                  : OMEN_FEATURES_KNOWN;
  file_put_header (&file, header);
  file_put_names (&file, OMEN_TABLE_STRINGS, r->strings.data,
                  (uint32_t)r->strings.count);
  file_put_chunk (&file, CHUNK (OMEN_CHUNK_SITES, r->site_count), r->file_sites,
                  r->site_count * sizeof *r->file_sites);
  if (r->depends_count)
    file_put_chunk (&file, CHUNK (OMEN_CHUNK_DEPENDS, r->depends_count),
                    r->depends.data, r->depends.count);
  if (r->modules.count)
    file_put_chunk (&file, CHUNK (OMEN_CHUNK_MODULES, r->modules.count),
                    r->modules.data,
                    r->modules.count * sizeof *r->modules.data);
  if (r->objects.count)
    file_put_chunk (&file, CHUNK (OMEN_CHUNK_OBJECTS, r->objects.count),
                    r->objects.data,
                    r->objects.count * sizeof *r->objects.data);
  if (r->data_count)
    file_put_chunk (&file, CHUNK (OMEN_CHUNK_DATA, r->data_count), r->data.data,
                    r->data.count);
  file_put_chunk (&file, CHUNK (OMEN_CHUNK_PROGRAM, 1), &program,
                  sizeof program);
  for (uint32_t t = 0; t < (r->one_log ? 1 : r->threads); t++)
    recording_put_notes (r, &file, t);
  recording_put_marks (r, &file);
  if (!r->no_end)
    file_put_end (&file, 0, 0);
#undef CHUNK
  return file;
}

static inline omen_trace *
recording_load (recording *r, omen_err *err)
{
  omen_load_options options
      = { .rebuild.all = !r->shared_only, .without_names = true };
  file_bytes file = recording_file (r);
  omen_trace *trace
      = omen_load_memory ("made.omen", file.data, file.count, &options, err);
  OMEN_VEC_FINI (file);
  return trace;
}

#endif
