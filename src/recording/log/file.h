/* A recorder's file opened for reading: its tables, and what each thread
   recorded (recording.h says what is in the file, doc/recording.md why).

     omen_notes_file file;
     if (omen_notes_file_init (&file, reader))       reader has listed the file
       file.threads.data[0].chunks …                 see cursor.h
     omen_notes_file_fini (&file);

   Everything that notes refer to is checked here or by omen_notes_scan,
   so later walks need not check again.

   Strings are ids of the trace's strings. Borrows the reader. */
#ifndef OMEN_RECORDING_LOG_FILE_H
#define OMEN_RECORDING_LOG_FILE_H

#include "base/limits.h"
#include "base/map.h"
#include "io/binary_reader.h"
#include "recording/log/decode.h"
#include "recording/log/depends.h"
#include "recording/log/mappings.h"

/* Memory when the recording began; `stored` bytes, the rest is 0. */
typedef struct omen_data_piece {
  uint64_t address, length, stored;
  const uint8_t *bytes;
} omen_data_piece;

/* A line of PLACES_OF_CODE. */
typedef struct omen_code_place {
  uint64_t pc;
  uint32_t function, file; /* strings, or OMEN_NONE */
  uint32_t line;
  uint32_t caller; /* the entry it is inlined into (an earlier one), or NONE */
  /* Of the blocks that the call allocates; size 0: unknown. */
  uint32_t type, layout, elements, size;
} omen_code_place;

/* A global variable. */
typedef struct omen_data_object {
  uint64_t address, size;
  uint32_t name;
  bool kept, watched, confined; /* OMEN_OBJECT_KEPT and so on */
  omen_variable_shape shape;
} omen_data_object;

/* Resolved values of loads that share a checksum. */
typedef struct omen_found {
  uint64_t position, value;
  uint32_t left; /* 0: that is its value; else as in omen_item */
} omen_found;

typedef struct omen_founds {
  OMEN_VEC (omen_found) list; /* positions ascend */
} omen_founds;

/* What is left of a log (scan/extract.h). */
typedef OMEN_VEC (omen_raw_note) omen_kept;

/* The log of one thread; or, in a file with one log, of all. */
typedef struct omen_notes_thread {
  uint32_t id; /* as the recorder counts; OMEN_NONE: the common log */
  const omen_chunk *chunks; /* consecutive, as far as they are */
  uint32_t count;
  uint64_t start; /* where the usable part begins (ring/late.h) */
  uint64_t notes; /* where it ends; the scan corrects it */
  bool cut;       /* there was more */
  bool shortened; /* … that is not analysed: nothing is known after its end */
  bool forked;    /* shortened: something in the whole file forks it */
  omen_founds *found;
  bool extracted; /* its notes are in memory, in `kept` */
  omen_kept kept;
} omen_notes_thread;

typedef struct omen_notes_file {
  omen_binary_reader *reader;
  OMEN_VEC (omen_file_site) sites; /* by id; 0 is none */
  omen_notes_blocks blocks;
  omen_notes_depends depends;
  OMEN_VEC (omen_data_piece) data; /* by address */
  uint64_t pieces;                 /* read so far, including empty ones */
  OMEN_VEC (omen_code_place) code;
  OMEN_VEC (omen_data_object) objects; /* by address */
  OMEN_VEC (omen_data_object)
  thread_locals; /* address: how far below the
                    thread pointer, at least its
                    size */
  OMEN_VEC (omen_notes_thread) threads;
  OMEN_VEC (omen_file_stuck) stuck; /* what threads waited for at the end */
  omen_mappings mappings;
  omen_map code_of; /* pc -> entry of code */
  omen_map opaque;  /* address of an opaque lock or semaphore, which
                       uninstrumented code uses -> 1; found by the scan */
  omen_arena arena; /* bytes of compressed data */
  struct omen_settled
      *settled; /* accesses that are left out (scan/settled.h); or NULL */
  omen_limits *limits; /* of rebuilding; or NULL */
  unsigned flags;      /* OMEN_RECORDING_*, OMEN_TRACE_* */
  bool late;           /* it begins inside the run: `data` is out of date */
  bool afterlife;      /* of locals (omen_rebuild_options) */
  bool blind;          /* plain accesses in it are not used */
  bool helped; /* signal handlers or other processes may act on the threads */
  bool ambiguous; /* late, with accesses of threads that ran freely: initial
                    values are ambiguous (ring/ambiguous.h) */
} omen_notes_file;

/* The reader's tables have been read (omen_binary_tables). False: failed. */
bool omen_notes_file_init (omen_notes_file *file, omen_binary_reader *reader);
void omen_notes_file_fini (omen_notes_file *file);
/* When the notes of a chunk began, in some unit of time. */
typedef struct omen_chunk_time {
  uint64_t time;
  uint32_t thread, chunk;
} omen_chunk_time;
typedef OMEN_VEC (omen_chunk_time) omen_chunk_times;

/* Shortens the file to about so many notes, those before some point in time, as
   if the others had been lost. A chunk without a time has that of the one
   before it in its thread. If no chunk has a time, each thread keeps as many
   notes as any other, or all if it has fewer. */
void omen_notes_file_shorten (omen_notes_file *file, uint64_t notes,
                              const omen_chunk_times *times);
void omen_chunk_times_sort (omen_chunk_times *times);
/* Of a file that grows: the chunk follows those taken before; all but sites and
   blocks is left out. False: failed. */
bool omen_notes_file_next (omen_notes_file *file, const omen_chunk *chunk);
/* The same for memory at the beginning, places of code and objects, which may
   come from elsewhere: the reader has the chunk. Then they are sorted. */
bool omen_notes_file_more (omen_notes_file *file, omen_binary_reader *reader,
                           const omen_chunk *chunk);
void omen_notes_file_sort (omen_notes_file *file);

static inline const omen_file_site *
omen_notes_site (const omen_notes_file *file, uint32_t id)
{
  OMEN_ASSERT (id < file->sites.count);
  return &file->sites.data[id];
}

/* What is surely done with the address that a LOAD has read: omen_site_use. */
static inline unsigned
omen_notes_site_use (const omen_notes_file *file, uint32_t id)
{
  const omen_file_site *site = omen_notes_site (file, id);
  return site->kind == OMEN_SITE_LOAD && site->size == sizeof (uint64_t)
                 && site->failure <= OMEN_SITE_FREED
             ? site->failure
             : OMEN_SITE_UNUSED;
}

/* Copies what is known of [address, address + size), when the first note was
   taken, into `bytes`; bit i of the answer is set if byte i is known. At most
   64 bytes. */
uint64_t omen_notes_data (const omen_notes_file *file, uint64_t address,
                          size_t size, uint8_t *bytes);

/* The place of the call that returns to `pc`: an entry of code, or OMEN_NONE.
 */
uint32_t omen_notes_code (const omen_notes_file *file, uint64_t pc);

#endif
