/* The binary trace file: constants, layouts, and how one event becomes bytes.
   See doc/trace-format.md, section 2. Plain data: the guest runtime includes
   this file, which includes only base/defs.h and event.h.

     file  = omen_file_header, chunk ...
     chunk = omen_chunk_header, payload

   A chunk names its kind, its stream and the index of its first entry in that
   stream, so that many threads can append whole chunks (O_APPEND)
   independently. What an event refers to is written before it, so that a
   truncated file is usable up to its end. */
#ifndef OMEN_WIRE_FORMAT_H
#define OMEN_WIRE_FORMAT_H

#include "base/defs.h"
#include "wire/event.h"

/* All numbers in the file are little endian; the machine has to be, too. */
_Static_assert (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little endian");

#define OMEN_FILE_MAGIC "\x89OMEN\r\n\x1a"
#define OMEN_FILE_MAGIC_NAME 5 /* bytes before the line end in it */
#define OMEN_FORMAT_VERSION 1  /* written; the newest that is read */

typedef struct omen_file_header {
  uint8_t magic[8];  /* OMEN_FILE_MAGIC */
  uint16_t version;  /* of the writer */
  uint16_t minimum;  /* the oldest version whose readers understand the file */
  uint32_t size;     /* of this header; the first chunk follows */
  uint64_t features; /* omen_features: a reader must know every one set */
  uint64_t hints;    /* features that a reader may ignore: none yet */
  uint64_t checksum; /* XXH3-64 of the bytes before it */
} omen_file_header;

enum omen_features {
  OMEN_FEATURE_BYTES = 1,  /* notes with raw bytes, see recording.h */
  OMEN_FEATURE_INNER = 2,  /* depths of inlined functions, see wire/abi.h */
  OMEN_FEATURE_NEAR = 4,   /* addresses given by bits, likewise */
  OMEN_FEATURE_APART = 8,  /* addresses separate from values, see recording.h */
  OMEN_FEATURE_LOOPS = 16, /* loops noted as a whole, see wire/abi.h */
  OMEN_FEATURE_CHAINS
  = 32, /* chunks of notes may continue others, see recording.h */
  OMEN_FEATURE_TAGS = 64 /* tags apart from words, likewise */
};
#define OMEN_FEATURES_KNOWN UINT64_C (127)

#define OMEN_CHUNK_MAGIC UINT32_C (0x4b434f8d) /* 8d 'O' 'C' 'K' */

typedef struct omen_chunk_header {
  uint32_t magic;    /* OMEN_CHUNK_MAGIC */
  uint16_t kind;     /* omen_chunk_kind */
  uint16_t flags;    /* OMEN_CHUNK_* below */
  uint32_t stream;   /* thread, table, or OMEN_NONE */
  uint32_t count;    /* entries in the payload */
  uint64_t first;    /* index of the first entry in its stream */
  uint32_t stored;   /* bytes of payload in the file */
  uint32_t size;     /* bytes of payload after decompression */
  uint64_t checksum; /* XXH3-64 of the payload as stored */
  uint64_t check;    /* XXH3-64 of the preceding bytes of this header */
} omen_chunk_header;

_Static_assert (sizeof (omen_file_header) == 40, "no padding");
_Static_assert (sizeof (omen_chunk_header) == 48, "no padding");

/* omen_chunk_header.flags */
enum {
  OMEN_CHUNK_OPTIONAL = 1,  /* readers that do not know the kind skip it */
  OMEN_CHUNK_LZ4 = 2,       /* payload is one LZ4 block */
  OMEN_CHUNK_CONTINUES = 4, /* of NOTES, see recording.h */
  OMEN_CHUNK_FLAGS = 7      /* all that are known */
};

/* Stored in files: append, never reorder. `stream` is OMEN_NONE unless
   noted. */
typedef enum omen_chunk_kind {
  OMEN_CHUNK_NAMES = 1, /* stream: omen_file_table */
  OMEN_CHUNK_PLACES,    /* omen_file_place */
  OMEN_CHUNK_INITS,     /* omen_file_value, id is a place */
  OMEN_CHUNK_RMWS,      /* omen_file_rmw */
  OMEN_CHUNK_EMITS,     /* varint n, n times omen_file_value, id is a string */
  OMEN_CHUNK_EXTRAS,    /* stream: thread or NONE; omen_file_extra + reads */
  OMEN_CHUNK_STACKS,    /* omen_file_frame */
  OMEN_CHUNK_MODULES,   /* omen_file_module */
  OMEN_CHUNK_THREADS,   /* omen_file_thread */
  OMEN_CHUNK_PROGRAM,   /* omen_file_program, one */
  OMEN_CHUNK_EVENTS,    /* stream: thread, or NONE: interleaved, in order */
  OMEN_CHUNK_ORDER,     /* slices: varint thread, varint count */
  OMEN_CHUNK_END,       /* omen_file_end, one, last */
  OMEN_CHUNK_LAYOUTS,   /* optional; omen_file_layout + members */
  OMEN_CHUNK_SHAPES,    /* optional; omen_file_shape, entry i is variable i */
  OMEN_CHUNK_SOURCES,   /* optional; omen_file_source */
  OMEN_CHUNK_HOMES,     /* optional; omen_file_home, entry i is lock i */
  OMEN_CHUNK_KINDS
} omen_chunk_kind;

/* Streams of OMEN_CHUNK_NAMES: an omen_operand that has names, or these. An
   entry is a varint length and that many bytes. */
typedef enum omen_file_table {
  OMEN_TABLE_LOCATIONS = 64,
  OMEN_TABLE_SYMBOLS,
  OMEN_TABLE_STRINGS, /* emit keys, creation paths, modules, command line */
  OMEN_TABLE_END
} omen_file_table;

/* Entries of fixed size. Later versions may append fields: a reader uses size /
   count bytes for an entry and ignores unknown fields. */
typedef struct omen_file_place {
  uint32_t variable, offset, length; /* length OMEN_NONE: the whole variable */
} omen_file_place;
typedef struct omen_file_value {
  uint32_t id, value_kind;
  uint64_t value;
} omen_file_value;
typedef struct omen_file_rmw {
  uint64_t value[2]; /* old, new */
  uint32_t value_kind[2];
} omen_file_rmw;
typedef struct omen_file_extra {
  uint32_t event;         /* index in the thread, or in the trace (NONE) */
  uint32_t branch, stack; /* OMEN_NONE: none */
  uint32_t reads;         /* this many u32 follow */
} omen_file_extra;
typedef struct omen_file_frame {
  uint32_t function, location, caller; /* OMEN_NONE where not known */
} omen_file_frame;
typedef struct omen_file_module {
  uint32_t path, build_id; /* strings; build id as hex, or OMEN_NONE */
  uint64_t base, size;
} omen_file_module;
typedef struct omen_file_thread {
  uint32_t path;   /* creation path, a string, or OMEN_NONE */
  uint32_t events; /* number in the file, as a hint; OMEN_NONE: unknown */
} omen_file_thread;
typedef struct omen_file_program {
  uint32_t command; /* string, or OMEN_NONE */
  uint32_t flags;   /* OMEN_TRACE_* of trace.h */
} omen_file_program;
typedef struct omen_file_end {
  uint64_t chunks, events; /* before this chunk */
} omen_file_end;
/* See trace/layout.h. */
typedef struct omen_file_layout {
  uint32_t count; /* this many omen_file_part follow */
  uint32_t flags; /* OMEN_LAYOUT_* */
} omen_file_layout;
typedef struct omen_file_part {
  uint32_t name;   /* string, or OMEN_NONE */
  uint32_t layout; /* an earlier one, or OMEN_NONE */
  uint64_t bit, bits;
  uint32_t flags; /* OMEN_PART_SIGNED */
  uint32_t zero;
} omen_file_part;
typedef struct omen_file_shape {
  uint32_t layout, source; /* a string; OMEN_NONE: none */
  uint64_t from;
} omen_file_shape;

/* A source file; strings. A name may have several paths. */
typedef struct omen_file_source {
  uint32_t name; /* as in locations */
  uint32_t path; /* as the compiler read it */
} omen_file_source;

typedef struct omen_file_home {
  uint32_t thread, stack; /* OMEN_NONE: not in a heap block; unknown */
  uint64_t size, offset;
} omen_file_home;

enum { OMEN_LAYOUT_ARRAY = 1, OMEN_LAYOUT_UNSIGNED = 2, OMEN_PART_SIGNED = 1 };

/* ---- one event ----
   byte 0   kind, | OMEN_RECORD_EXTENDED
   byte 1   four codes of 2 bits: thread, object, location, value (low first)
   then     thread, object, location of 0, 1, 2 or 4 bytes: 0 is "as in the
            record before"; value of 0, 1, 4 or 8 bytes, sign-extended
   then     if extended: the extension

   "The record before" starts, in each chunk, as thread = the chunk's stream,
   object = 0, location = 0. Kinds without operand have object OMEN_NONE, take
   no bytes for it and leave the object before as it is.

   Without an extension, order and mode are 0 and the value kind is INT for r,
   w, ar, aw with a value of 1 byte or more, NONE otherwise. A value of 0 bytes
   is 0, for wait, wake, notify and notifyall OMEN_NONE: no lock. */
#define OMEN_RECORD_EXTENDED 0x80
#define OMEN_RECORD_MIN 2

/* First byte of the extension: value kind in bits 0 to 2, order in bits 3
   to 5. */
enum {
  OMEN_EXTENSION_MODE = 0x40,   /* a byte of mode bits follows */
  OMEN_EXTENSION_ORDINAL = 0x80 /* a varint follows (after the mode): the
                                   number of this operation on its sync object,
                                   taken while it is ordered, from 1 */
};
/* Bits of the mode byte: OMEN_MODE_TRY, TIMEOUT, SPURIOUS, MAYBE, STUCK,
   and: */
#define OMEN_EXTENSION_MORE                                                    \
  0x80 /* last in the extension: a byte n and n bytes                          \
          that a reader may ignore */
#define OMEN_EXTENSION_MODES                                                   \
  (OMEN_MODE_TRY | OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS | OMEN_MODE_MAYBE    \
   | OMEN_MODE_STUCK)

/* Longest record a writer makes, and room for it: fields are stored as whole
   words. (Longest a reader accepts: 34 + 1 + 255.) */
#define OMEN_RECORD_MAX 34
#define OMEN_RECORD_ROOM 48

typedef struct omen_record_state {
  uint32_t thread, object, location; /* of the previous record */
} omen_record_state;

static inline unsigned
omen_record_code (uint32_t id, uint32_t before)
{
  return id == before ? 0 : id <= 0xff ? 1 : id <= 0xffff ? 2 : 3;
}

static inline unsigned
omen_record_value_code (uint64_t value)
{
  int64_t v = (int64_t)value;
  return v == (int8_t)v ? 1 : v == (int32_t)v ? 2 : 3;
}

static inline unsigned
omen_record_default_kind (unsigned kind, unsigned value_code)
{
  return kind <= OMEN_ATOMIC_WRITE && value_code ? OMEN_VALUE_INT
                                                 : OMEN_VALUE_NONE;
}

/* The value field of a record without value. */
static inline uint64_t
omen_record_no_value (unsigned kind)
{
  return kind >= OMEN_WAIT && kind <= OMEN_NOTIFY_ALL ? OMEN_NONE : 0;
}

static inline uint8_t *
omen_record_store (uint8_t *p, uint64_t word, unsigned length)
{
  __builtin_memcpy (p, &word, sizeof word);
  return p + length;
}

static inline uint8_t *
omen_varint_put (uint8_t *p, uint64_t n)
{
  for (; n >= 0x80; n >>= 7)
    *p++ = (uint8_t)(n | 0x80);
  *p++ = (uint8_t)n;
  return p;
}

/* Append the record of `event` with its ordinal (0: none). Mode bit EXTRA is
   not stored, since the extras imply it. `p` has OMEN_RECORD_ROOM bytes;
   returns the end. `state` is the writer's, reset for each chunk. */
static inline uint8_t *
omen_record_put (uint8_t *p, omen_record_state *state, const omen_event *event,
                 uint64_t ordinal)
{
  static const uint8_t id_bytes[] = { 0, 1, 2, 4 },
                       value_bytes[] = { 0, 1, 4, 8 };
  unsigned mode = event->mode & OMEN_EXTENSION_MODES;
  uint32_t object = event->object == OMEN_NONE ? state->object : event->object;
  unsigned t = omen_record_code (event->thread, state->thread);
  unsigned o = omen_record_code (object, state->object);
  unsigned l = omen_record_code (event->location, state->location);
  unsigned v
      = event->value != omen_record_no_value (event->kind) || event->value_kind
            ? omen_record_value_code (event->value)
            : 0;
  bool extended
      = mode || event->order || ordinal
        || event->value_kind != omen_record_default_kind (event->kind, v);
  p[0] = (uint8_t)(event->kind | (extended ? OMEN_RECORD_EXTENDED : 0));
  p[1] = (uint8_t)(t | o << 2 | l << 4 | v << 6);
  p = omen_record_store (p + 2, event->thread, id_bytes[t]);
  p = omen_record_store (p, object, id_bytes[o]);
  p = omen_record_store (p, event->location, id_bytes[l]);
  p = omen_record_store (p, event->value, value_bytes[v]);
  *state = (omen_record_state){ event->thread, object, event->location };
  if (!extended)
    return p;
  *p++ = (uint8_t)(event->value_kind | event->order << 3
                   | (mode ? OMEN_EXTENSION_MODE : 0)
                   | (ordinal ? OMEN_EXTENSION_ORDINAL : 0));
  if (mode)
    *p++ = (uint8_t)mode;
  return ordinal ? omen_varint_put (p, ordinal) : p;
}

#endif
