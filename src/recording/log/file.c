/* The tables of a recorder's file. */
#include "recording/log/file.h"
#include "io/binary_layouts.h"
#include "wire/abi.h"

#include <stdlib.h>
#include <string.h>

static const char short_entry[] = "it is cut short";
static const char bad_id[] = "it has an id or value out of range";
static const char out_of_turn[] = "it is not the next one";

static omen_notes_file *
file_of (omen_binary_reader *reader)
{
  return reader->user;
}

/* ---- entries ---- */

static bool
kind_right (unsigned kind)
{
  return (kind >= OMEN_SITE_LOAD && kind <= OMEN_SITE_ATOMIC_CAS)
         || kind == OMEN_SITE_CALLED
         || (kind >= OMEN_ITEM_FIRST && kind < OMEN_ITEM_END);
}

static bool
size_right (const omen_file_site *site)
{
  switch (site->kind) {
  case OMEN_SITE_LOAD:
  case OMEN_SITE_STORE:
    return site->size >= 1 && site->size <= 8;
  case OMEN_SITE_ATOMIC_LOAD:
  case OMEN_SITE_ATOMIC_STORE:
  case OMEN_SITE_ATOMIC_RMW:
  case OMEN_SITE_ATOMIC_CAS:
    return (site->size >= 1 && site->size <= 8) || site->size == 16;
  default:
    return true;
  }
}

static const char *
read_site (omen_binary_reader *reader, uint32_t stream, uint64_t id,
           omen_bytes *bytes)
{
  omen_notes_file *file = file_of (reader);
  omen_file_site site;
  if (!omen_bytes_copy (bytes, &site, sizeof site))
    return short_entry;
  if (!omen_binary_string (reader, &site.function)
      || !omen_binary_string (reader, &site.file)
      || !omen_binary_string (reader, &site.name))
    return bad_id;
  if ((site.kind == OMEN_ITEM_PART) != !id)
    return "the first site, and no other, is that of parts";
  if (!kind_right (site.kind) || !size_right (&site)
      || site.order > OMEN_SITE_ACQ_REL || site.failure > OMEN_SITE_ACQ_REL)
    return "it is no kind of site";
  if (site.caller > id)
    return bad_id;
  if (file->sites.count != id + 1)
    return out_of_turn;
  OMEN_VEC_PUSH (file->sites, site);
  return NULL;
}

static const char *
read_block (omen_binary_reader *reader, uint32_t stream, uint64_t id,
            omen_bytes *bytes)
{
  omen_notes_file *file = file_of (reader);
  const uint8_t *at = omen_bytes_take (bytes, sizeof (omen_file_block));
  omen_file_block block;
  size_t size;
  if (!at)
    return short_entry;
  if (file->blocks.blocks.count != id)
    return out_of_turn;
  memcpy (&block, at, sizeof block);
  size = block.count * sizeof (omen_file_member);
  if (!omen_bytes_take (bytes, size))
    return short_entry;
  if (!omen_notes_blocks_add (&file->blocks, at, sizeof block + size, 1))
    return "it is no block";
  return NULL;
}

static const char *
read_depend (omen_binary_reader *reader, uint32_t stream, uint64_t id,
             omen_bytes *bytes)
{
  omen_notes_file *file = file_of (reader);
  const uint8_t *numbers;
  omen_file_depend depend;
  if (!omen_bytes_copy (bytes, &depend, sizeof depend))
    return short_entry;
  numbers = omen_bytes_take (bytes, depend.count * sizeof (uint32_t));
  if (!numbers)
    return short_entry;
  if (depend.site >= file->sites.count
      || !omen_notes_depends_add (&file->depends, &depend, numbers))
    return bad_id;
  return NULL;
}

/* The bytes of a decompressed chunk do not stay in place. */
static const uint8_t *
keep_bytes (omen_binary_reader *reader, const uint8_t *bytes, size_t size)
{
  uint8_t *copy;
  if (bytes >= reader->data && bytes < reader->data + reader->size)
    return bytes;
  copy = omen_arena_alloc (&file_of (reader)->arena, size);
  memcpy (copy, bytes, size);
  return copy;
}

static const char *
read_data (omen_binary_reader *reader, uint32_t stream, uint64_t id,
           omen_bytes *bytes)
{
  omen_data_piece piece = { 0 };
  omen_bytes_copy (bytes, &piece.address, sizeof piece.address);
  piece.length = omen_bytes_varint (bytes);
  piece.stored = omen_bytes_varint (bytes);
  piece.bytes = omen_bytes_take (bytes, piece.stored);
  if (!piece.bytes)
    return short_entry;
  if (piece.stored > piece.length || piece.address > UINT64_MAX - piece.length)
    return bad_id;
  if (piece.stored)
    piece.bytes = keep_bytes (reader, piece.bytes, piece.stored);
  if (piece.length)
    OMEN_VEC_PUSH (file_of (reader)->data, piece);
  file_of (reader)->pieces++;
  return NULL;
}

/* What an older file does not have. False: it does not fit. */
static bool
take_type (const omen_binary_reader *reader, omen_bytes *bytes,
           omen_code_place *place)
{
  const size_t size = sizeof (omen_file_typed_code) - sizeof (omen_file_code);
  const uint8_t *more = omen_bytes_take (bytes, size);
  uint32_t words[4];
  size_t layouts = reader->trace->layouts.list.count;
  if (!more)
    return true;
  memcpy (words, more, sizeof words);
  if (!words[3])
    return true;
  place->type = words[0];
  place->layout = words[1];
  place->elements = words[2];
  place->size = words[3];
  return place->type != OMEN_NONE && omen_binary_string (reader, &place->type)
         && place->layout < layouts && place->elements < layouts;
}

static const char *
read_code (omen_binary_reader *reader, uint32_t stream, uint64_t id,
           omen_bytes *bytes)
{
  omen_notes_file *file = file_of (reader);
  omen_file_code code;
  uint32_t *entry;
  if (!omen_bytes_copy (bytes, &code, sizeof code))
    return short_entry;
  if (!omen_binary_string (reader, &code.function)
      || !omen_binary_string (reader, &code.file)
      || (code.caller != OMEN_NONE && code.caller >= id)
      || code.pc == OMEN_MAP_NO_KEY)
    return bad_id;
  omen_code_place place
      = { code.pc,   code.function, code.file, code.line, code.caller,
          OMEN_NONE, OMEN_NONE,     OMEN_NONE, 0 };
  if (!take_type (reader, bytes, &place))
    return bad_id;
  OMEN_VEC_PUSH (file->code, place);
  if (!code.pc)
    return NULL; /* only a place where others are inlined */
  entry = omen_map_at (&file->code_of, code.pc);
  if (*entry == OMEN_NONE)
    *entry = (uint32_t)id;
  return NULL;
}

/* Tables that an older file does not have. False: they do not fit. */
static bool
take_shape (const omen_binary_reader *reader, omen_bytes *bytes,
            omen_variable_shape *shape)
{
  const uint8_t *more = omen_bytes_take (bytes, sizeof (omen_file_shape));
  omen_file_shape in;
  if (!more)
    return true;
  memcpy (&in, more, sizeof in);
  return omen_binary_shape (reader, &in, shape);
}

/* Named thread-local variables, which each thread has. */
#define NAMED_MAX 4096u

static const char *
read_object (omen_binary_reader *reader, uint32_t stream, uint64_t id,
             omen_bytes *bytes)
{
  omen_file_object object;
  omen_variable_shape shape = OMEN_NO_SHAPE;
  bool is_thread_local;
  if (!omen_bytes_copy (bytes, &object, sizeof object))
    return short_entry;
  if (!take_shape (reader, bytes, &shape))
    return bad_id;
  is_thread_local = object.flags & OMEN_OBJECT_THREAD_LOCAL;
  if (object.name == OMEN_NONE || !omen_binary_string (reader, &object.name)
      || object.address > UINT64_MAX - object.size)
    return bad_id;
  if (is_thread_local && object.address < object.size)
    return "a thread-local variable ends above the thread pointer";
  if (is_thread_local) {
    if (object.size && file_of (reader)->thread_locals.count < NAMED_MAX)
      OMEN_VEC_PUSH (
          file_of (reader)->thread_locals,
          ((omen_data_object){ object.address, object.size, object.name, false,
                               false, false, shape }));
  } else if (object.size)
    OMEN_VEC_PUSH (
        file_of (reader)->objects,
        ((omen_data_object){ object.address, object.size, object.name,
                             object.flags & OMEN_OBJECT_KEPT,
                             object.flags & OMEN_OBJECT_WATCHED,
                             object.flags & OMEN_OBJECT_CONFINED, shape }));
  return NULL;
}

static const char *
read_stuck (omen_binary_reader *reader, uint32_t stream, uint64_t id,
            omen_bytes *bytes)
{
  omen_file_stuck stuck;
  if (!omen_bytes_copy (bytes, &stuck, sizeof stuck))
    return short_entry;
  OMEN_VEC_PUSH (file_of (reader)->stuck, stuck);
  return NULL;
}

static const char *
read_helped (omen_binary_reader *reader, uint32_t stream, uint64_t id,
             omen_bytes *bytes)
{
  uint32_t unused;
  if (!omen_bytes_copy (bytes, &unused, sizeof unused))
    return short_entry;
  file_of (reader)->helped = true;
  return NULL;
}

static const char *
read_mapping (omen_binary_reader *reader, uint32_t stream, uint64_t id,
              omen_bytes *bytes)
{
  omen_file_mapping mapping;
  if (!omen_bytes_copy (bytes, &mapping, sizeof mapping))
    return short_entry;
  return omen_mappings_add (&file_of (reader)->mappings, &mapping) ? NULL
                                                                   : bad_id;
}

/* ---- order by address ---- */

static int
compare_data (const void *left, const void *right)
{
  const omen_data_piece *a = left, *b = right;
  return a->address < b->address ? -1 : a->address > b->address;
}

/* Of two names for the same bytes the larger one first. */
static int
compare_objects (const void *left, const void *right)
{
  const omen_data_object *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return a->size > b->size ? -1 : a->size < b->size;
}

/* Drops aliases, and names inside other ones: an address has one name. */
static void
drop_overlaps (omen_notes_file *file)
{
  uint64_t end = 0;
  size_t kept = 0;
  for (size_t i = 0; i < file->objects.count; i++) {
    omen_data_object object = file->objects.data[i];
    if (kept && object.address < end) {
      file->objects.data[kept - 1].confined &= object.confined;
      continue;
    }
    end = object.address + object.size;
    file->objects.data[kept++] = object;
  }
  file->objects.count = kept;
}

void
omen_notes_file_sort (omen_notes_file *file)
{
  OMEN_VEC_SORT (file->data, compare_data);
  OMEN_VEC_SORT (file->objects, compare_objects);
  drop_overlaps (file);
}

/* ---- threads ---- */

/* The consecutive chunks from `chunk` on. A ring has lost its beginning; other
   files should have it. */
static omen_notes_thread
thread_of (omen_notes_file *file, const omen_chunk *chunk,
           const omen_chunk *end)
{
  bool ring = file->flags & OMEN_RECORDING_RING;
  uint32_t stream = chunk->header.stream;
  omen_notes_thread thread = { .id = stream, .chunks = chunk };
  uint64_t expected = ring ? chunk->header.first : 0;
  thread.start = expected;
  for (; chunk < end && chunk->header.stream == stream; chunk++) {
    if (chunk->header.first != expected) {
      thread.cut = true;
      omen_binary_lost (file->reader,
                        "byte %zu: notes of thread %u before this chunk are "
                        "missing",
                        chunk->offset, stream);
      break;
    }
    expected += chunk->header.count;
    thread.count++;
  }
  thread.notes = expected;
  return thread;
}

static void
list_threads (omen_notes_file *file)
{
  const omen_chunk *end;
  const omen_chunk *chunk
      = omen_chunks_of (file->reader, OMEN_CHUNK_NOTES, &end);
  while (chunk < end) {
    uint32_t stream = chunk->header.stream;
    OMEN_VEC_PUSH (file->threads, thread_of (file, chunk, end));
    OMEN_VEC_LAST (file->threads).found = omen_zalloc (1, sizeof (omen_founds));
    while (chunk < end && chunk->header.stream == stream)
      chunk++;
  }
}

bool
omen_notes_file_init (omen_notes_file *file, omen_binary_reader *reader)
{
  *file = (omen_notes_file){ .reader = reader, .flags = reader->program };
  file->blocks.apart = reader->features & OMEN_FEATURE_APART;
  file->blocks.chains = reader->features & OMEN_FEATURE_CHAINS;
  file->blocks.tags = reader->features & OMEN_FEATURE_TAGS;
  omen_map_init (&file->code_of);
  omen_map_init (&file->opaque);
  omen_notes_depends_init (&file->depends);
  omen_arena_init (&file->arena);
  OMEN_VEC_PUSH (file->sites, ((omen_file_site){ 0 }));
  reader->user = file;
  if (!omen_binary_each (reader, OMEN_CHUNK_SITES, sizeof (omen_file_site),
                         read_site)
      || !omen_binary_each (reader, OMEN_CHUNK_BLOCKS, 0, read_block)
      || !omen_binary_each (reader, OMEN_CHUNK_DEPENDS, 0, read_depend)
      || !omen_binary_each (reader, OMEN_CHUNK_DATA, 0, read_data)
      || !omen_binary_each (reader, OMEN_CHUNK_PLACES_OF_CODE,
                            sizeof (omen_file_code), read_code)
      || !omen_binary_each (reader, OMEN_CHUNK_OBJECTS,
                            sizeof (omen_file_object), read_object)
      || !omen_binary_each (reader, OMEN_CHUNK_STUCK, sizeof (omen_file_stuck),
                            read_stuck)
      || !omen_binary_each (reader, OMEN_CHUNK_HELPED, sizeof (uint32_t),
                            read_helped)
      || !omen_binary_each (reader, OMEN_CHUNK_MAPPINGS,
                            sizeof (omen_file_mapping), read_mapping))
    return false;
  if (reader->lossy) /* a missing entry would be a missing dependence */
    omen_notes_depends_forget (&file->depends);
  omen_notes_file_sort (file);
  omen_mappings_settle (&file->mappings);
  list_threads (file);
  return !reader->failed;
}

bool
omen_notes_file_next (omen_notes_file *file, const omen_chunk *chunk)
{
  OMEN_REQUIRE (file->reader->user == file);
  if (chunk->header.kind == OMEN_CHUNK_SITES)
    return omen_binary_next (file->reader, chunk, file->sites.count - 1,
                             sizeof (omen_file_site), read_site);
  return chunk->header.kind != OMEN_CHUNK_BLOCKS
         || omen_binary_next (file->reader, chunk, file->blocks.blocks.count, 0,
                              read_block);
}

bool
omen_notes_file_more (omen_notes_file *file, omen_binary_reader *reader,
                      const omen_chunk *chunk)
{
  OMEN_REQUIRE (reader->user == file);
  switch (chunk->header.kind) {
  case OMEN_CHUNK_DATA:
    return omen_binary_next (reader, chunk, file->pieces, 0, read_data);
  case OMEN_CHUNK_PLACES_OF_CODE:
    return omen_binary_next (reader, chunk, file->code.count,
                             sizeof (omen_file_code), read_code);
  case OMEN_CHUNK_OBJECTS:
    return omen_binary_next (reader, chunk, 0, sizeof (omen_file_object),
                             read_object);
  case OMEN_CHUNK_LAYOUTS:
    return omen_binary_next_layouts (reader, chunk);
  default:
    return true;
  }
}

void
omen_notes_file_fini (omen_notes_file *file)
{
  OMEN_VEC_FINI (file->sites);
  OMEN_VEC_FINI (file->data);
  OMEN_VEC_FINI (file->code);
  OMEN_VEC_FINI (file->objects);
  OMEN_VEC_FINI (file->thread_locals);
  for (size_t i = 0; i < file->threads.count; i++) {
    OMEN_VEC_FINI (file->threads.data[i].found->list);
    omen_free (file->threads.data[i].found);
    OMEN_VEC_FINI (file->threads.data[i].kept);
  }
  OMEN_VEC_FINI (file->threads);
  OMEN_VEC_FINI (file->stuck);
  omen_mappings_fini (&file->mappings);
  omen_notes_blocks_fini (&file->blocks);
  omen_notes_depends_fini (&file->depends);
  omen_map_fini (&file->code_of);
  omen_map_fini (&file->opaque);
  omen_arena_fini (&file->arena);
}

/* ---- questions ---- */

static void
known_bytes (const omen_data_piece *piece, uint64_t address, size_t size,
             uint8_t *bytes, uint64_t *known)
{
  for (size_t i = 0; i < size; i++) {
    uint64_t at = address + i - piece->address;
    if (address + i < piece->address || at >= piece->length)
      continue;
    bytes[i] = at < piece->stored ? piece->bytes[at] : 0;
    *known |= (uint64_t)1 << i;
  }
}

uint64_t
omen_notes_data (const omen_notes_file *file, uint64_t address, size_t size,
                 uint8_t *bytes)
{
  size_t low;
  uint64_t known = 0;
  OMEN_REQUIRE (size && size <= 64);
  if (file->late)
    return 0;
  low = OMEN_FIRST_NOT (i, 0, file->data.count,
                        file->data.data[i].address + file->data.data[i].length
                            <= address);
  for (;
       low < file->data.count && file->data.data[low].address < address + size;
       low++)
    known_bytes (&file->data.data[low], address, size, bytes, &known);
  return known;
}

uint32_t
omen_notes_code (const omen_notes_file *file, uint64_t pc)
{
  return pc && pc != OMEN_MAP_NO_KEY ? omen_map_get (&file->code_of, pc)
                                     : OMEN_NONE;
}
