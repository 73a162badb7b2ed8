/* What recordings contain in addition to wire/format.h: the notes of each
   thread as the runtime wrote them, and what is needed to read them. Plain
   data: the guest runtime includes this file. doc/recording.md explains the
   format and the reasons for it.

   An item is one thing that happened in a thread:

     woven item     a note of woven code {a, b, site}; site->kind is an
                    omen_site_kind (wire/abi.h), below OMEN_ITEM_FIRST
     runtime item   a note {object, number, site of kind OMEN_ITEM_…}, then one
                    or more PART notes with the rest

   Numbers order the items of different threads. Each synchronisation object
   falls into one of OMEN_SHARDS shards by its address; a shard assigns 0, 1, 2,
   … without gaps, each while the object itself orders the operation (after the
   lock is acquired, before it is released). Atomics have shards of their own,
   see ATOMIC below. In a recording that was cut off (killed, ring, full disk)
   numbers are missing: items after a missing number of a shard are not ordered
   with those before it.

   Site ids begin with the item kinds: the first entries of SITES have kinds
   OMEN_ITEM_PART, THREAD_BEGIN, … and nothing else, so that sites[id - 1].kind
   is valid for all ids. */
#ifndef OMEN_WIRE_RECORDING_H
#define OMEN_WIRE_RECORDING_H

#include "wire/format.h"

#include <stdint.h>

/* Chunk kinds of recordings, in addition to omen_chunk_kind. A file that has
   NOTES has no EVENTS and no ORDER. */
enum omen_recording_chunk {
  OMEN_CHUNK_SITES = 32, /* omen_file_site: entry i is site id i + 1 */
  OMEN_CHUNK_NOTES, /* stream: thread; count: notes (PARTs too). Stream NONE:
                       notes of all threads in one log, with SWITCH items
                       (global-log, schedule) */
  OMEN_CHUNK_DATA,  /* stream NONE; memory when the recording began. Entry: u64
                       address, varint length, varint stored, that many bytes;
                       the rest of the length is 0 */
  OMEN_CHUNK_PLACES_OF_CODE, /* omen_file_typed_code */
  OMEN_CHUNK_OBJECTS,        /* omen_file_object: globals */
  OMEN_CHUNK_FILLER,  /* optional; no entries, arbitrary bytes that are not
                         checked: remains of overwritten notes in a ring, padding
                         of batches */
  OMEN_CHUNK_BLOCKS,  /* omen_file_block + members: entry i is block id i + 1 */
  OMEN_CHUNK_DEPENDS, /* omen_file_depend + numbers */
  OMEN_CHUNK_MARKS,   /* optional, in a ring and with --stream; omen_file_mark:
                         one mark, number `first` */
  OMEN_CHUNK_BATCH,   /* optional; omen_file_batch: notes follow */
  OMEN_CHUNK_STUCK,   /* optional; omen_file_stuck: the run ended stuck */
  OMEN_CHUNK_HELPED,  /* optional; u32 0: from here on, signal handlers or other
                         processes may synchronise */
  OMEN_CHUNK_MAPPINGS /* optional; omen_file_mapping, in the order of time */
};

/* Limit of notes in a chunk: the contents of a buffer, and some more. */
#define OMEN_NOTES_MAX 131072
/* … and how many of them may be from loops noted as a whole. */
#define OMEN_LOOP_NOTES_MAX 65536

/* omen_file_program.flags of a recording, besides OMEN_TRACE_*. */
enum omen_recording_flags {
  OMEN_RECORDING_PARTIAL = 2,      /* OMEN_TRACE_PARTIAL */
  OMEN_RECORDING_EXACT = 256,      /* one log, in the order of execution */
  OMEN_RECORDING_NO_VALUES = 512,  /* b of plain accesses is 0: unknown */
  OMEN_RECORDING_SYNC_ONLY = 1024, /* no woven notes */
  OMEN_RECORDING_RING = 2048       /* the beginning of NOTES may be missing */
};

/* The entry of PROGRAM in a recording. It identifies a process of a run, also
   across runs: `exact` is a hash of directory, program and arguments, `loose`
   of the program alone. In the child of a fork both are hashes of its parent's
   and of the number of the fork. */
typedef struct omen_file_process {
  uint32_t command, flags; /* omen_file_program */
  uint64_t exact, loose;
} omen_file_process;

/* The entries of MODULES in a recording. */
typedef struct omen_file_recorded_module {
  uint32_t path, build_id; /* omen_file_module */
  uint64_t base, size;
  uint64_t flags; /* omen_module_flags */
} omen_file_recorded_module;

enum omen_module_flags {
  OMEN_MODULE_TOLD = 1, /* the other flags are valid */
  OMEN_MODULE_WOVEN = 2 /* may contain woven code */
};

/* A site of the woven program as stored; strings are ids of OMEN_TABLE_STRINGS,
   or OMEN_NONE. */
typedef struct omen_file_site {
  uint8_t kind, size, order, failure; /* as struct omen_site */
  uint32_t line, column;
  uint32_t function; /* string "name\nfile\nline" */
  uint32_t file;
  uint32_t caller; /* site id, of an earlier one; 0: none */
  uint32_t name;
} omen_file_site;

/* An entry of PLACES_OF_CODE: the location of the call that returns to `pc`.
   Callers into which it was inlined are entries of their own with pc 0, before
   those that refer to them. */
typedef struct omen_file_code {
  uint64_t pc;
  uint32_t function, file; /* strings */
  uint32_t line;
  uint32_t caller; /* index of an entry; OMEN_NONE: none */
} omen_file_code;

/* The same with the type of the blocks that the call allocates; size 0:
   unknown. */
typedef struct omen_file_typed_code {
  omen_file_code code;
  uint32_t type;             /* string: "struct item" */
  uint32_t layout, elements; /* of one, and of an array of them (LAYOUTS) */
  uint32_t size;             /* of one, in bytes */
} omen_file_typed_code;

/* An entry of OBJECTS. A thread-local object is at the thread pointer minus
   `address` in each thread. */
typedef struct omen_file_object {
  uint64_t address, size;
  uint32_t name;
  uint32_t flags; /* omen_object_flags; other bits are ignored */
} omen_file_object;

/* An entry of OBJECTS if there was debug information. */
typedef struct omen_file_described_object {
  omen_file_object object;
  omen_file_shape shape; /* refers to LAYOUTS */
} omen_file_described_object;

enum omen_object_flags {
  OMEN_OBJECT_THREAD_LOCAL = 1,
  OMEN_OBJECT_KEPT = 2,    /* its accesses stay in the trace, even if private */
  OMEN_OBJECT_WATCHED = 8, /* a state predicate speaks of it */
  OMEN_OBJECT_CONFINED = 4 /* its address is not passed on: only woven code that
                              names it writes it */
};

/* A block of the woven program (omen_code_block of wire/abi.h); `count` members
   follow. */
typedef struct omen_file_block {
  uint8_t words, bases, loads, zero;
  uint32_t count;
} omen_file_block;

typedef struct omen_file_member {
  uint32_t site; /* id */
  int32_t offset;
  uint32_t constant;
  uint8_t base, word, shift, weight;
} omen_file_member;

/* The dependences of a site's accesses (omen_depend of wire/abi.h); `count`
   numbers of reads of the same unit follow, each a u32. Sites without an entry
   were not analysed. */
typedef struct omen_file_depend {
  uint64_t unit; /* the same for all sites of a compilation */
  uint32_t site; /* id */
  uint32_t number;
  uint32_t flags;
  uint32_t count;
} omen_file_depend;

/* An entry of a mark: this many notes of the thread had been written (to the
   ring) when the mark was made, and its later notes come after it. UINT64_MAX:
   the thread has ended. The first entry has thread OMEN_NONE and the number of
   threads so far; of these, those without an entry have ended, and later ones
   have not begun. */
typedef struct omen_file_mark {
  uint32_t thread;
  uint32_t flags; /* omen_mark_flags, in the first entry; else 0 */
  uint64_t notes;
} omen_file_mark;

enum omen_mark_flags {
  OMEN_MARK_SAFEPOINT = 1 /* all threads stood still at their last notes */
};

/* An entry of STUCK: the thread was waiting forever when the run ended, and so
   were all other threads that had not ended. `object` is the joined thread of a
   join, or OMEN_NONE; else an address. */
typedef struct omen_file_stuck {
  uint32_t thread;
  uint32_t why; /* omen_stuck_why */
  uint64_t object, pc;
} omen_file_stuck;

enum omen_stuck_why {
  OMEN_STUCK_NOT,
  OMEN_STUCK_LOCK,
  OMEN_STUCK_JOIN,
  OMEN_STUCK_CONDITION, /* from here on: a signal handler could end it */
  OMEN_STUCK_SEMAPHORE,
  OMEN_STUCK_BARRIER,
  OMEN_STUCK_FUTEX,
  OMEN_STUCK_WHYS,
  /* Flag: the thread was waiting when the process ended, which says nothing
     about threads without an entry. Set in runs of omen explore. */
  OMEN_STUCK_PENDING = 0x100
};

/* An entry of MAPPINGS: memory that may have several addresses, or change
   without a record. device and inode identify what is mapped. */
typedef struct omen_file_mapping {
  uint64_t address, length; /* whole pages */
  uint64_t device, inode, offset;
  uint32_t kind; /* omen_mapping_kind; others are ignored */
  uint32_t unused;
} omen_file_mapping;

#define OMEN_MAPPINGS_MAX 65536 /* the runtime writes no more */

enum omen_mapping_kind {
  OMEN_MAPPING_SHARED = 1, /* MAP_SHARED, shmat */
  OMEN_MAPPING_PRIVATE,    /* MAP_PRIVATE of a file */
  OMEN_MAPPING_MOVED,      /* what was mapped at the address `offset` */
  OMEN_MAPPING_WRITTEN,    /* no address: write and its kin change the file */
  OMEN_MAPPING_SPREAD      /* no address: other processes may have it all */
};

/* The start of a BATCH payload: the next `bytes` bytes after the chunk are
   chunks of notes (and a filler), which readers of tables can skip. */
typedef struct omen_file_batch {
  uint64_t bytes, chunks, notes;
} omen_file_batch;

/* The bytes of a NOTES chunk. Notes are words as in wire/abi.h: a header (the
   address of a site, or of a block) and what follows it, at most OMEN_WORDS_MAX
   in a chunk. A header that occurs for the first time gets the next number, its
   local, up to OMEN_LOCALS_MAX; later ones share the local OMEN_LOCALS_MAX,
   temporarily. A RANGE item is a note of a special kind, with raw bytes; its
   header is its kind together with its location.

     chunk   u32 size of the next part
             (flags, up to 4 notes)…     bits 2 * i and 2 * i + 1 of flags: the
                                         note is the one expected; it has the
                                         tags of the last note with its header,
                                         0 if there is none
             tags…                       of all notes without the second flag
     note    [head] words                no head if the flag is set
             OMEN_CODE_RUN head varint n columns        n notes in one; no tags
     head    varint: 0, then varint 2 * id + is it a block     a new header
             varint: 0, OMEN_CODE_BYTES, varint site, varint place      of a
                                         RANGE item; the highest bit of place:
                                         a site id, not a pc
             varint: local + 2
     tags    4 bits for each word, the first in the lower half: length | from
     words   zigzag of the distance from a prediction, of that length

   Expected is the local that came last in this context: omen_notes_context of
   the locals of the two notes before (of one run: one note), which are the
   limit of locals where the chunk begins; local 0 if nothing did. Notes of more
   than OMEN_TAGS_WORDS words never have the second flag.

   Files without OMEN_FEATURE_TAGS have no size, a flags byte for up to 8 notes,
   with the first flag alone, and the tags of a note before its words. Expected
   is what came last after the note before; where the chunk begins nothing is.

   Lengths 0 … 6 are in bytes, 7 means 8 bytes. Predictions: `from` 0: the same
   word in the last note with this header (0 if there is none, or if that word
   went into a sum). `from` 1: word 1 has the same distance from word 1 of the
   previous note (the last one of a run) as in the last note with this header;
   other words are near word 1. So addresses (words up to omen_file_block.bases;
   word 1 of sites) can be decoded without the values, whose bytes are skipped:
   tags and widths of columns give their sizes. Files without OMEN_FEATURE_APART
   use the last word of the previous note instead of word 1, and 0 after a run.

   A RANGE item has, instead of tags and words, a byte (omen_bytes_form | tag of
   its address), the address (word 1 of this note, for predictions), and what
   omen_bytes_form says. Files that may have them have OMEN_FEATURE_BYTES; in
   older ones, RANGE items are notes and PARTs. A reader presents both in the
   same way: {address, 0, site}, a PART {arg, pc}, PARTs of bytes.

   A block that is a loop (OMEN_BLOCK_LOOP of wire/abi.h; all its words are
   addresses, steps and iterations) counts as (iterations times members) notes
   without values; in files with OMEN_FEATURE_LOOPS.

   Of a chunk with OMEN_CHUNK_CONTINUES the locals, with what came last and
   what came after them, are those at the end of the stream's chunk before it,
   which is there: after a chunk without the flag, at most OMEN_CHAIN_MOST with
   it follow. Their last words, of all locals, are at most OMEN_KEPT_WORDS. In
   files with OMEN_FEATURE_CHAINS; not in rings and streams.

   Columns of a run: each word of all its notes, one after the other:
     a byte, omen_column | width, then what omen_column says. */
#define OMEN_WORDS_MAX 5120
#define OMEN_LOCALS_MAX 511
/* With OMEN_FEATURE_CHAINS; the second one without OMEN_FEATURE_TAGS. */
#define OMEN_CHAIN_LOCALS_MAX 4095
#define OMEN_CHAIN_LOCALS_ONCE 2047
#define OMEN_CHAIN_MOST 127
#define OMEN_KEPT_WORDS 49152
#define OMEN_TAGS_WORDS 17
#define OMEN_CODE_RUN 1
#define OMEN_CODE_BYTES 1

/* `before` came last, and `second` before it; most: the limit of locals, one
   less than a power of two. The result is at most 2 * most + 1. */
static inline uint32_t
omen_notes_context (uint32_t before, uint32_t second, uint32_t most)
{
  return (before + 753 * second) & (2 * most + 1);
}

enum omen_bytes_form {
  OMEN_BYTES_HERE = 0x00, /* varint length, not 0; the bytes */
  OMEN_BYTES_SAME = 0x10, /* those of the previous RANGE item of this chunk */
  OMEN_BYTES_FILL = 0x20, /* varint length, not 0; a byte, which is repeated */
  /* Those before the previous ones: of the last RANGE item without
     OMEN_BYTES_SAME before it. In files with OMEN_FEATURE_TAGS. */
  OMEN_BYTES_AGAIN = 0x30
};

enum omen_column {
  /* zigzag varint: first - word when the header came last; varint: breaks;
     each break + 1: zigzag varint: step, and, but for the last, varint: how
     many steps */
  OMEN_COLUMN_STEPS = 0x00,
  /* first as above; zigzag of the step in `width` bytes for each but one */
  OMEN_COLUMN_DELTAS = 0x20,
  OMEN_COLUMN_WORDS = 0x30, /* `width` bytes each */
  /* a byte n, then for each n notes (the last time maybe fewer) 8 bytes:
     sum of omen_weights[OMEN_BLOCK_LOADS + i] * word of the i-th. Only the
     last word of notes that are one or several loads. */
  OMEN_COLUMN_SUMS = 0x40,
  /* `width` columns, 2 or more, note by note. For each of them a byte, which is
     that of WORDS or DELTAS; then for each its first word, as above; then, for
     all notes but the first, what its byte says of each. In files with
     OMEN_FEATURE_BYTES. */
  OMEN_COLUMN_ROWS = 0x50
};
#define OMEN_ROWS_MAX 8

/* Kinds of runtime items: OMEN_ITEM (NAME, numbered, parts).
   The first note is {object, number, kind}; the first PART is {arg, pc}, where
   pc is the return address in the program of the call that did it (0: none).
   `parts` is the least number of PART notes that follow. */
#define OMEN_ITEMS(OMEN_ITEM)                                                  \
  /* object: this thread's id; arg: parent's id. Second PART, where known:     \
     {start, end} of its stack and what glibc keeps there,                     \
     which belongs to no variable unless a STACK_ALLOC covers it. Third PART,  \
     where known: {start, end} of its thread-local variables there. Fourth     \
     PART, where known: {its thread pointer, 0} */                             \
  OMEN_ITEM (THREAD_BEGIN, 0, 1)                                               \
  OMEN_ITEM (THREAD_END, 0, 1)                                                 \
  /* object: the other thread's id */                                          \
  OMEN_ITEM (FORK, 0, 1)                                                       \
  OMEN_ITEM (JOIN, 0, 1)                                                       \
  /* locks: object is the address; arg: omen_lock_flags */                     \
  OMEN_ITEM (ACQUIRE, 1, 1)                                                    \
  OMEN_ITEM (RELEASE, 1, 1)                                                    \
  OMEN_ITEM (READ_ACQUIRE, 1, 1)                                               \
  OMEN_ITEM (READ_RELEASE, 1, 1)                                               \
  OMEN_ITEM (REQUEST, 0, 1) /* only where the thread will block */             \
  OMEN_ITEM (TRY_FAIL, 1, 1)                                                   \
  OMEN_ITEM (READ_TRY_FAIL, 1, 1)                                              \
  OMEN_ITEM (LOCK_FAIL, 1, 1) /* a timed lock that timed out */                \
  OMEN_ITEM (LOCK_INIT, 1, 1)                                                  \
  OMEN_ITEM (LOCK_DESTROY, 1, 1)                                               \
  /* conditions; arg: omen_lock_flags of a wake; the second PART is            \
     {lock, number of the lock's shard}, as its release and acquire */         \
  OMEN_ITEM (WAIT, 1, 2)                                                       \
  OMEN_ITEM (WAKE, 1, 2)                                                       \
  OMEN_ITEM (NOTIFY, 1, 1)                                                     \
  OMEN_ITEM (NOTIFY_ALL, 1, 1)                                                 \
  /* semaphores; arg of INIT: the value */                                     \
  OMEN_ITEM (SEM_INIT, 1, 1)                                                   \
  OMEN_ITEM (SEM_UP, 1, 1)                                                     \
  OMEN_ITEM (SEM_DOWN, 1, 1)                                                   \
  OMEN_ITEM (SEM_FAIL, 1, 1)                                                   \
  /* barriers; arg of ARRIVE: size of the barrier */                           \
  OMEN_ITEM (ARRIVE, 1, 1)                                                     \
  OMEN_ITEM (DEPART, 1, 1)                                                     \
  /* every earlier BEFORE of the object happens before AFTER; arg:             \
     omen_order_flags */                                                       \
  OMEN_ITEM (HAPPENS_BEFORE, 1, 1)                                             \
  OMEN_ITEM (HAPPENS_AFTER, 1, 1)                                              \
  /* heap; arg of ALLOC: size | omen_alloc_flags << 56; of FREE: size, where   \
     known, and flags */                                                       \
  OMEN_ITEM (ALLOC, 1, 1)                                                      \
  OMEN_ITEM (FREE, 1, 1)                                                       \
  /* object: address; arg: length. Bytes follow in PARTs of 16, the last one   \
     filled up with 0. If arg has bit 63 set pc is a site id. A long range     \
     comes as several items */                                                 \
  OMEN_ITEM (RANGE_READ, 0, 1)                                                 \
  OMEN_ITEM (RANGE_WRITE, 0, 1)                                                \
  /* object: address; arg: length; written by uninstrumented code */           \
  OMEN_ITEM (EXTERNAL, 0, 1)                                                   \
  /* object: address; number: of the address's ATOMIC shard; arg: site id.     \
     Second PART: {old, new}; 16-byte ones have a third, the upper halves.     \
     A failed compare has arg bit 63 set. pc is 0 in woven code, whose         \
     site has the location. */                                                 \
  OMEN_ITEM (ATOMIC, 1, 2)                                                     \
  /* omen.h; object: string id of the label */                                 \
  OMEN_ITEM (BLOCK_BEGIN, 0, 1)                                                \
  OMEN_ITEM (BLOCK_END, 0, 1)                                                  \
  /* object: string id of the text; arg: count | pointers << 8; then           \
     PARTs with two parameters each */                                         \
  OMEN_ITEM (EMIT, 0, 1)                                                       \
  OMEN_ITEM (DEAD, 0, 1)                                                       \
  OMEN_ITEM (IGNORE_BEGIN, 0, 1)                                               \
  OMEN_ITEM (IGNORE_END, 0, 1)                                                 \
  /* object: time stamp counter, about when the next note was taken; a hint.   \
     At least one a buffer: threads are merged in this order where nothing     \
     else orders them */                                                       \
  OMEN_ITEM (TIME, 0, 0)                                                       \
  /* object: number of notes missing here (disk full, ring) */                 \
  OMEN_ITEM (GAP, 0, 0)                                                        \
  /* object: signal number; notes up to the matching END are the handler's.    \
     With OMEN_SIGNAL_DEADLY it is the last one: the process dies of it */     \
  OMEN_ITEM (SIGNAL_BEGIN, 0, 0)                                               \
  OMEN_ITEM (SIGNAL_END, 0, 0)                                                 \
  /* object: thread id; in stream NONE: the following notes are its */         \
  OMEN_ITEM (SWITCH, 0, 0)                                                     \
  /* object: a file descriptor, above 2; arg: omen_descriptor_use */           \
  OMEN_ITEM (DESCRIPTOR, 1, 1)

enum omen_item_kind {
  OMEN_ITEM_PART = 63,
#define OMEN_ITEM(name, numbered, parts) OMEN_ITEM_##name,
  OMEN_ITEMS (OMEN_ITEM)
#undef OMEN_ITEM
      OMEN_ITEM_END,
  OMEN_ITEM_FIRST = OMEN_ITEM_PART
};

#define OMEN_SIGNAL_DEADLY 65536u

#define OMEN_ALLOC_SIZE ((UINT64_C (1) << 56) - 1)

/* In the top byte of the arg of ALLOC and FREE. */
enum omen_alloc_flags {
  OMEN_ALLOC_ZERO = 1,   /* calloc, anonymous mmap: zero-filled */
  OMEN_ALLOC_MAP = 2,    /* mmap, not the heap */
  OMEN_ALLOC_LIBC = 4,   /* by the C library or OpenMP's runtime for itself */
  OMEN_ALLOC_RAW = 8,    /* malloc, new: uninitialised */
  OMEN_ALLOC_SHARED = 16 /* it is in MAPPINGS, as SHARED or MOVED */
};

/* arg of DESCRIPTOR items. The number is taken before a use or close, and after
   an open. */
enum omen_descriptor_use {
  OMEN_DESCRIPTOR_USED,
  OMEN_DESCRIPTOR_MADE,
  OMEN_DESCRIPTOR_CLOSED
};

/* Does a replay count items of this kind? Not those that depend on chance (such
   as contention for a lock, the first use of a stream's buffer, or an open that
   fails since the file exists) or are made by the recorder itself. */
static inline int
omen_item_counts (unsigned kind, uint64_t arg)
{
  if (kind == OMEN_ITEM_ALLOC || kind == OMEN_ITEM_FREE)
    return !(arg >> 56 & OMEN_ALLOC_LIBC);
  if (kind == OMEN_ITEM_DESCRIPTOR)
    return arg != OMEN_DESCRIPTOR_MADE;
  return kind != OMEN_ITEM_PART && kind != OMEN_ITEM_REQUEST
         && kind != OMEN_ITEM_TIME && kind != OMEN_ITEM_GAP
         && kind != OMEN_ITEM_SWITCH && kind != OMEN_ITEM_SIGNAL_BEGIN
         && kind != OMEN_ITEM_SIGNAL_END;
}

/* arg of lock items. */
enum omen_lock_flags {
  OMEN_LOCK_TRY = 1,     /* by a try or timed operation; also of a down */
  OMEN_LOCK_TIMEOUT = 2, /* wake: the wait timed out; wait: has a time limit */
  OMEN_LOCK_RECURSIVE = 4, /* the holder may acquire the lock again */
  OMEN_LOCK_RW = 8,
  OMEN_LOCK_SPIN = 16,
  OMEN_LOCK_ERROR = 32 /* the call failed (EPERM, EDEADLK, …): misuse */
};

/* arg of HAPPENS_BEFORE and HAPPENS_AFTER. */
enum omen_order_flags {
  OMEN_ORDER_LIBRARY = 1 /* control enters or leaves an uninstrumented module,
                            which may synchronise; object: its load address */
};

/* The number of an unordered item: an atomic in a signal handler that
   interrupted an operation on the same shard. */
#define OMEN_NUMBER_NONE UINT64_MAX

/* Shards of sequence numbers: numbers[omen_shard (object)]++. Atomics have a
   separate table of the same size, whose counters are odd during a write: the
   number of a write is the even value after it, that of a read the even value
   found before and after it (see abi.h). */
#define OMEN_SHARD_BITS 12
#define OMEN_SHARDS (1u << OMEN_SHARD_BITS)

static inline uint32_t
omen_shard (uint64_t object)
{
  return (uint32_t)(object * UINT64_C (0x9e3779b97f4a7c15)
                    >> (64 - OMEN_SHARD_BITS));
}

#endif
