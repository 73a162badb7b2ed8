/* Internal interface of the runtime's core (life, thread, log, sites, signal,
   …). Interposed functions use rt.h and need nothing from here. */
#ifndef OMEN_RUNTIME_CORE_CORE_H
#define OMEN_RUNTIME_CORE_CORE_H

/* Functions named …_after_fork run in the child, which has one thread. */

#include "runtime/core/call.h"
#include "runtime/log/encode.h"
#include "runtime/core/latch.h"
#include "runtime/core/rt.h"

#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>

/* Zeroed pages; NULL if there is no memory. */
void *omen_pages (size_t size);
void omen_pages_free (void *at, size_t size);
/* Copies to a block of at least *size bytes and twice the old size, and frees
   the old one. NULL: no memory, and nothing was changed. */
void *omen_grow (void *old, size_t old_size, size_t *size);

/* -- options.c ----------------------------------------------------------- */
enum { OMEN_PATH_MAX = 4096 };
typedef struct omen_options {
  char output[OMEN_PATH_MAX];   /* absolute once the file is open */
  char schedule[OMEN_PATH_MAX]; /* "" is free */
  char monitor[OMEN_PATH_MAX];  /* the tally; "" is record instead */
  bool global_log, sync_only, ring, no_values, stream, sampled, end_stuck;
  bool note_output; /* whose turn it was to write to standard output */
  bool exact_loops;
  uint64_t max_size; /* bytes; 0: no limit */
  uint64_t limit_ms; /* --for; 0: no limit */
  uint64_t serve;    /* descriptor of the fork server's socket (serve.h); 0: no
                        server */
  uint64_t exit_grace_ms; /* 0: none */
} omen_options;
extern omen_options omen_rt_options;
/* Fills omen_rt_options. Returns NULL, or what is wrong with the text. */
const char *omen_options_read (const char *text);

/* -- thread_log.c ----------------------------------------------------------
   The buffer of a thread's records, or the common one of all threads.

     span                 written        *cursor                span + 32 KiB
       | in the file        | to be written |  free               |

   It holds records as abi.h describes them. `cursor` is the one that woven code
   uses, unless its records take the slow path. Only the owner moves *cursor;
   `written` is changed with the latch held, also by a thread that flushes all
   logs. */
/* Chunks of notes side by side, to be written with one call. */
typedef struct omen_batch {
  size_t size;
  uint32_t chunks;
  uint64_t notes;
  size_t large; /* there is room for a batch of that size and for the alignment
                   that direct.h needs; or 0 */
} omen_batch;

/* An open fused record may grow until this many words follow its start. */
enum { OMEN_FUSED_OPEN = 10 };

typedef struct omen_thread_log {
  omen_latch latch;
  uint32_t stream; /* thread, or OMEN_NONE: the one for all, see below */
  uint64_t **cursor;
  uint64_t *own; /* what `cursor` points to when it is not woven code's */
  uint64_t *span, *written;
  uint64_t *open; /* atomic: the last ACQUIRE whose lock is still held and that
                     may become a fused record (fused.h), or NULL */
  uint64_t *sealed; /* atomic: a record that must not grow, since it is being
                       written */
  uint32_t *busy;   /* the owner's omen_rt_busy */
  uint64_t index;   /* in the stream, of *written */
  uint32_t current; /* of the common log: the thread whose records follow */
  uint32_t loops;   /* notes of loops in this buffer */
  uint32_t room;    /* with --ring: the size of this buffer */
  uint64_t begun;   /* … and when, in cycles */
  struct omen_thread_log
      *next; /* next in the list of logs that no thread owns */
  omen_encoder encoder;
  omen_batch batch;
  uint8_t *out;    /* chunks that wait to be written, and the one that is being
                      encoded */
  bool stays;      /* there was no memory for a large batch: do not ask again */
  uint8_t small[]; /* serves as `out` until the thread has logged enough for a
                      large batch to pay */
} omen_thread_log;

/* A log for the calling thread; NULL: no memory. `cursor` NULL: the log has a
   cursor of its own. */
omen_thread_log *omen_thread_log_new (uint32_t stream, uint64_t **cursor);
void omen_thread_log_free (omen_thread_log *log);
/* In a forked child: drop what the log holds, which the parent will write. */
void omen_thread_log_restart (omen_thread_log *log, uint32_t stream);
/* Encodes and writes the log. The latch is held, and the owner has made sure
   that no record grows meanwhile. */
void omen_thread_log_flush (omen_thread_log *log);
static inline void
omen_thread_log_close (omen_thread_log *log)
{
  __atomic_store_n (&log->open, NULL, __ATOMIC_RELAXED);
}
/* Makes room for an item at *cursor. The caller is busy; it holds the latch if
   this is the common log, and must not hold it otherwise. */
omen_note *omen_thread_log_make_room (omen_thread_log *log);
/* The log is the second half of its span. */
enum { OMEN_LOG_AT = OMEN_WORDS_MAX * 8 }; /* from the start */

/* The thread log that owns the position `at`. */
static inline omen_thread_log *
omen_thread_log_of (const uint64_t *at)
{
  return (omen_thread_log *)(((uintptr_t)at & -(uintptr_t)OMEN_NOTE_SPAN)
                             + OMEN_LOG_AT);
}

/* Where this thread's next record goes; see item.h. */
extern OMEN_TLS uint64_t **omen_rt_cursor;

/* Is there room for `bytes` and one more item? */
static inline bool
omen_cursor_far (const uint64_t *cursor, uint16_t bytes)
{
  return (uint16_t)((uintptr_t)cursor - 1) < OMEN_NOTE_HALF - 1 - bytes;
}

static inline omen_note *
omen_thread_log_room (omen_thread_log *log)
{
  uint64_t *at = *log->cursor;
  return OMEN_LIKELY (omen_cursor_ready (at)) ? (omen_note *)at
                                              : omen_thread_log_make_room (log);
}
void omen_thread_logs_fork (bool begins); /* around a fork */
/* The log of all threads, written with its latch held (global log, schedule);
   NULL: each has its own. */
extern omen_thread_log *omen_common_log;

/* -- log.c --------------------------------------------------------------- */
/* Writes what other threads have logged, now and then: they may block for a
   long time, and if the program is killed the later records are of little use
   without these. */
void omen_log_flush_old (void);
void omen_log_flush_mine (void);
void omen_log_note (enum omen_item_kind kind, uint64_t object); /* no PART */
void omen_item_room (void); /* a fresh buffer for this thread; item.h */
/* Logs the time, which places the following records relative to those of other
   threads. */
void omen_log_time (void);
void omen_shards_after_fork (void);

/* log.c: is there instrumented code? Calls of ThreadSanitizer's interface
   count. */
extern bool omen_rt_woven;

/* -- thread.c ------------------------------------------------------------ */
/* A signal handler of the program that is running: its frame, and its stack if
   it runs on an alternate one. */
typedef struct omen_handler {
  uintptr_t frame, stack;
  size_t stack_size; /* 0: that of the thread */
} omen_handler;
enum {
  OMEN_HANDLERS = 8
}; /* nesting levels that are told apart; deeper handlers share the last */

struct omen_self {
  uint32_t id, parent, path; /* path: string id */
  uint32_t children;         /* made so far */
  omen_thread_log
      *log; /* NULL before the thread's first record and after its last */
  omen_self *before,
      *next; /* list of threads that have not ended or can still be joined */
  pthread_t handle;
  bool ended, detached; /* detached: or joined */
  bool cancelled;       /* it unwinds, and that is noted */
  bool claimed;         /* another thread is about to join or detach it */
  unsigned rounds;      /* rounds of pthread_key destructors so far */
  unsigned handlers;    /* nesting depth of running signal handlers */
  unsigned interrupted; /* the same, counted before the handler logs anything;
                           atomic */
  uint64_t waited;      /* when it last flushed the logs before blocking */
  omen_handler handler[OMEN_HANDLERS];
  uint32_t tid;       /* of the kernel */
  uint32_t waits_for; /* atomic: what it is blocked on, an omen_stuck_why
                         (stuck.h) */
  uint64_t waits;     /* atomic: how often waits_for has changed */
  uint64_t waits_object, waits_pc; /* the object it is blocked on and where; set
                                      before waits_for */
  uint32_t *busy;                  /* its omen_rt_busy */
  uint32_t halted; /* atomic: the safepoint (safepoint.h) at which it stands */
  uint64_t halted_at; /* then: so many notes */
  /* what a new thread runs; one of the two is set */
  void *(*start) (void *);
  int (*start11) (void *);
  void *argument;
  uint64_t mask; /* signal mask, once it has begun */
  uintptr_t top; /* top of the program's part of its stack; 0: not known */
};

/* Chooses the fast or the slow path for this thread's items: clears or sets
   OMEN_DISABLED_ODD. */
void omen_self_find_way (const omen_self *self);

extern omen_latch omen_threads_latch;
extern omen_self *omen_threads;    /* guarded by the latch */
uint32_t omen_threads_made (void); /* so far; ids are below that */
bool omen_threads_start (void);    /* makes the calling one thread 0 */
void omen_threads_after_fork (void);

/* -- file.c -------------------------------------------------------------- */
extern bool omen_file_closed;            /* nothing is written any more */
const char *omen_file_open (bool child); /* NULL, or why not */
enum {
  OMEN_CHUNK_ROOM = 48,
  OMEN_BATCH = 1 << 16,       /* worth a write */
  OMEN_BATCH_LARGE = 1 << 20, /* worth a write past the page cache */
  OMEN_BATCH_HUGE = 4 << 20   /* better still, for threads that log most */
};
/* Appends a chunk of records to the batch at `out`. Its payload is already
   there, OMEN_CHUNK_ROOM bytes further on. */
void omen_batch_add (omen_batch *batch, uint8_t *out, uint32_t stream,
                     uint64_t first, uint32_t count, size_t size,
                     bool continues);
/* May chunks of records continue one another? Not where they are read before
   the file is whole, or without those before. */
bool omen_file_chains (void);
/* Is the batch large enough to be written? */
bool omen_batch_full (const omen_batch *batch);
/* Writes the batch, preceded by the table entries that its records refer to,
   and empties it. `out` is that of the log. */
void omen_batch_write (omen_batch *batch, uint8_t *out);
/* The header of a BATCH; `size` bytes of payload follow it. */
void omen_file_batch_head (uint8_t *at, size_t size);
void omen_file_chunk (unsigned kind, uint32_t stream, uint64_t first,
                      uint32_t count, const void *payload, size_t size);
/* Writes a mark into the ring; `at` begins with room for its header. */
void omen_file_mark_put (uint8_t *at, uint64_t first, uint32_t count,
                         size_t size);
void omen_file_finish (void); /* the end mark; closed from then on */
/* Writes the end mark and blocks other writers until unseal removes it: the
   program calls exec, which may fail. */
bool omen_file_seal (void);
void omen_file_unseal (void);

/* -- tables.c ---------------------------------------------------------------
   Entries that records refer to. They stay in memory and are written before the
   records that need them. */
typedef enum omen_table {
  OMEN_TABLE_TEXT,
  OMEN_TABLE_SITE,
  OMEN_TABLE_BLOCK,
  OMEN_TABLE_DEPEND,
  OMEN_TABLE_MODULE,
  OMEN_TABLE_THREAD,
  OMEN_TABLE_MAPPING,
  OMEN_TABLE_COUNT
} omen_table_name;
extern omen_latch omen_tables_latch;
/* The latch is held. Returns the id of the new entry, OMEN_NONE if there is no
   memory. */
uint32_t omen_table_add (omen_table_name table, const void *entry, size_t size);
const uint8_t *omen_table_at (omen_table_name table, size_t offset);
size_t omen_table_size (omen_table_name table);
void omen_tables_write (void); /* what is pending */
void omen_tables_after_fork (
    void); /* marks all entries but those of threads as not yet written */

/* -- sites.c ------------------------------------------------------------- */
extern omen_site omen_item_sites[];
#define OMEN_ITEM_SITE(kind) (&omen_item_sites[(kind) - OMEN_ITEM_FIRST])
/* An item of 2 or 3 notes as one: words {object, arg, …, number, pc, …}. */
enum { OMEN_ITEM_NOTES = 3 };
typedef union omen_item_blocks {
  omen_code_block head; /* with its members */
  char room[sizeof (omen_code_block) + OMEN_ITEM_NOTES * sizeof (omen_member)];
} omen_item_blocks[OMEN_ITEM_NOTES - 1];
extern omen_item_blocks omen_item_code[];

static inline omen_code_block *
omen_item_block (enum omen_item_kind kind, unsigned notes)
{
  return &omen_item_code[kind - OMEN_ITEM_FIRST][notes - 2].head;
}

/* Most items are one record of 5 words. Returns its end. */
enum { OMEN_ITEM_WORDS = 5 };
static inline uint64_t *
omen_item_put (uint64_t *at, enum omen_item_kind kind,
               const volatile void *object, uint64_t number, uint64_t arg,
               uint64_t pc)
{
  at[0] = (uintptr_t)omen_item_block (kind, 2);
  at[1] = (uintptr_t)object;
  at[2] = arg;
  at[3] = number;
  at[4] = pc;
  return at + OMEN_ITEM_WORDS;
}

/* The same with 16 more bytes. */
static inline uint64_t *
omen_item_put_with (uint64_t *at, enum omen_item_kind kind,
                    const volatile void *object, uint64_t number, uint64_t arg,
                    uint64_t pc, uint64_t first, uint64_t second)
{
  at[0] = (uintptr_t)omen_item_block (kind, 3);
  at[1] = (uintptr_t)object;
  at[2] = arg;
  at[3] = first;
  at[4] = number;
  at[5] = pc;
  at[6] = second;
  return at + 7;
}
bool omen_is_item_block (const omen_code_block *block);
/* Records of atomics in woven code, which need no pc: {object, arg, old,
   number, new}; loads have no new value. There are many sites, all alike, and
   each call site always uses the same one: the encoder predicts a record from
   the last one of its site, so different places should use different sites. */
enum { OMEN_ATOMIC_BLOCKS = 64 };
typedef union omen_atomic_block {
  omen_code_block head;
  char room[sizeof (omen_code_block) + 3 * sizeof (omen_member)];
} omen_atomic_block;
extern omen_atomic_block omen_atomic_code[OMEN_ATOMIC_BLOCKS],
    omen_look_code[OMEN_ATOMIC_BLOCKS];
bool omen_sites_start (void);
uint32_t omen_string_id_of (const char *text, size_t length);
/* The text of a string id; valid while the latch of the tables is held. */
const char *omen_string_text (uint32_t id, size_t *length);

/* -- modules.c ----------------------------------------------------------- */
void omen_modules_find (void); /* those that were not known */
/* Is the address in a module that is known? The latch of the tables is held. */
bool omen_modules_have (uintptr_t address);
/* The start of the module that has `code` if it is neither woven nor a standard
   library, else NULL. Usually a few compares. */
void *omen_library_of (const volatile void *code);
/* library.c: the program was in a loop that is recorded as a whole when it
   entered a library for the first time; later accesses may be ordered after
   what the library did. */
void omen_library_late (uint64_t pc);
/* The calling thread, which is new, begins with this function. */
void omen_library_thread (const volatile void *start);
/* Around what is recorded although the thread is in a runtime of OpenMP. */
bool omen_away_pause (void);
void omen_away_resume (bool away);
struct dl_phdr_info;
/* Can it hold woven code? */
bool omen_module_is_woven (const struct dl_phdr_info *info);
extern bool
    omen_modules_stale;      /* a module was loaded that is not in the tables */
void omen_data_write (void); /* writable segments of woven modules */
void omen_program_is (char **argv);
void omen_program_write (bool child);

/* -- fork.c -------------------------------------------------------------- */
void omen_fork_start (void);

/* -- preload.c ----------------------------------------------------------- */
void omen_preload_forget (char **environment);

/* -- life.c -------------------------------------------------------------- */
bool omen_life_here (void); /* is this process the one that records? */
void omen_life_end (void);  /* writes what is left, and the end mark */
/* In the child of a process that does not record: begin to record if a replay
   is about this child. */
void omen_life_born (void);
/* False in the child of a fork that was not seen (a raw system call). Costs one
   load. */
bool omen_life_is_first (void);
const char *omen_life_begin_file (bool child);     /* NULL, or what is wrong */
void omen_life_refuse (const char *why);           /* cannot record to … */
void omen_say (const char *what, const char *why); /* a line on stderr */

#endif
