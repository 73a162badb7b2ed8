/* Inside the core (life, thread, log, sites, signal, …): what its files share
   and the interposers (rt.h) need not know. */
#ifndef OMEN_RUNTIME_CORE_CORE_H
#define OMEN_RUNTIME_CORE_CORE_H

/* Functions named …_after_fork are for the child, which has one thread. */

#include "runtime/core/call.h"
#include "runtime/log/encode.h"
#include "runtime/core/latch.h"
#include "runtime/core/rt.h"

#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>

/* Fresh zero pages; NULL if there are none. */
void *omen_pages (size_t size);
void omen_pages_free (void *at, size_t size);
/* A copy of at least *size and twice the old bytes; the old ones are freed.
   NULL: no memory, nothing done. */
void *omen_grow (void *old, size_t old_size, size_t *size);

/* -- options.c ----------------------------------------------------------- */
enum { OMEN_PATH_MAX = 4096 };
typedef struct omen_options {
  char output[OMEN_PATH_MAX];   /* absolute once the file is open */
  char schedule[OMEN_PATH_MAX]; /* "" is free */
  char monitor[OMEN_PATH_MAX];  /* the tally; "" is record instead */
  bool global_log, sync_only, ring, no_values, stream, sampled, end_stuck;
  bool exact_loops;
  uint64_t max_size; /* bytes; 0: no limit */
  uint64_t limit_ms; /* --for; 0: no limit */
  uint64_t serve;    /* the socket of a fork server (serve.h); 0: it is none */
  uint64_t exit_grace_ms; /* 0: none */
} omen_options;
extern omen_options omen_rt_options;
/* Fills omen_rt_options; NULL, or what is wrong with the text. */
const char *omen_options_read (const char *text);

/* -- thread_log.c ----------------------------------------------------------
   Where notes go: one log a thread, or one for all.

       span                 written        *cursor                span + 32 KiB
         | in the file        | to be written |  free               |

   Words of notes, as abi.h says. `cursor` is that of woven code, unless woven
   notes do not come here in line. Only the owner moves *cursor; `written` is
   changed with the latch held, also by who flushes all logs. */
/* Chunks of notes side by side, to be written with one call. */
typedef struct omen_batch {
  size_t size;
  uint32_t chunks;
  uint64_t notes;
  size_t large; /* there is room for that and for what direct.h wants; or 0 */
} omen_batch;

/* What is `open` grows no more when this many words follow from its start. */
enum { OMEN_FUSED_OPEN = 10 };

typedef struct omen_thread_log {
  omen_latch latch;
  uint32_t stream; /* thread, or OMEN_NONE: the one for all, see below */
  uint64_t **cursor;
  uint64_t *own; /* what `cursor` points to when it is not woven code's */
  uint64_t *span, *written;
  uint64_t *open;   /* atomic: the last ACQUIRE of a lock that was not given up
                       since and may become a fused note (fused.h), or NULL */
  uint64_t *sealed; /* atomic: must not become one, it is being written */
  uint32_t *busy;   /* the owner's omen_rt_busy */
  uint64_t index;   /* in the stream, of *written */
  uint32_t current; /* the one for all: whose notes come */
  uint32_t loops;   /* notes of loops in this buffer */
  uint32_t room;    /* with --ring: bytes that this buffer has */
  uint64_t begun;   /* … and when, in cycles */
  struct omen_thread_log *next; /* among those that wait for a thread */
  omen_encoder encoder;
  omen_batch batch;
  uint8_t *out;    /* chunks that wait to be written, and the one being made */
  bool stays;      /* there was no memory for a large batch */
  uint8_t small[]; /* `out`, until so much is noted that a large one pays */
} omen_thread_log;

/* For the calling thread. NULL: no memory. `cursor` NULL: one of its own. */
omen_thread_log *omen_thread_log_new (uint32_t stream, uint64_t **cursor);
void omen_thread_log_free (omen_thread_log *log);
/* In a child: what it holds is the parent's. */
void omen_thread_log_restart (omen_thread_log *log, uint32_t stream);
/* Latch held. The owner says before that nothing grows any more. */
void omen_thread_log_flush (omen_thread_log *log);
static inline void
omen_thread_log_close (omen_thread_log *log)
{
  __atomic_store_n (&log->open, NULL, __ATOMIC_RELAXED);
}
/* Room for an item at *cursor. Busy; the latch is held if the log is
   for all, and is not if it is a thread's. */
omen_note *omen_thread_log_make_room (omen_thread_log *log);
/* The log lies in the second half of its span. */
enum { OMEN_TAPE_AT = OMEN_WORDS_MAX * 8 }; /* from the start */

/* That of a thread, whose next note goes to `at`. */
static inline omen_thread_log *
omen_thread_log_of (const uint64_t *at)
{
  return (omen_thread_log *)(((uintptr_t)at & -(uintptr_t)OMEN_NOTE_SPAN)
                             + OMEN_TAPE_AT);
}

/* That of this thread's log; item.h. */
extern OMEN_TLS uint64_t **omen_rt_cursor;

/* Is there room for so many bytes and an item? */
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
/* Write what others have noted, now and then: they may wait for a long time,
   and if the program is killed what comes after it is of little use. */
void omen_log_flush_old (void);
void omen_log_flush_mine (void);
void omen_log_note (enum omen_item_kind kind, uint64_t object); /* no PART */
void omen_item_room (void); /* a fresh buffer for this thread; item.h */
/* About now: where what follows lies beside other threads' notes. */
void omen_log_time (void);
void omen_shards_after_fork (void);

/* -- log.c: is there woven code? Also what calls ThreadSanitizer counts. */
extern bool omen_rt_woven;

/* -- thread.c ------------------------------------------------------------ */
/* A signal handler of the program that is running: where its frame is, and on
   which stack if it has one for itself. */
typedef struct omen_handler {
  uintptr_t frame, stack;
  size_t stack_size; /* 0: that of the thread */
} omen_handler;
enum { OMEN_HANDLERS = 8 }; /* within each other; deeper ones share */

struct omen_self {
  uint32_t id, parent, path; /* path: string id */
  uint32_t children;         /* made so far */
  omen_thread_log *log;      /* NULL before it begins and when it has ended */
  omen_self *before, *next;  /* those that have not ended or can be joined */
  pthread_t handle;
  bool ended, detached; /* detached: or joined */
  bool cancelled;       /* it unwinds, and that is noted */
  bool claimed;         /* somebody is about to join or detach it */
  unsigned rounds;      /* of destructors of keys, so far */
  unsigned handlers;    /* of signals, that are running */
  unsigned interrupted; /* the same, from before they note anything; atomic */
  uint64_t waited;      /* when it last wrote before a wait */
  omen_handler handler[OMEN_HANDLERS];
  uint32_t tid;                    /* of the kernel */
  uint32_t waits_for;              /* atomic: omen_stuck_why (stuck.h) */
  uint64_t waits;                  /* atomic: changes of that, so far */
  uint64_t waits_object, waits_pc; /* what for and where, set before */
  uint32_t *busy;                  /* its omen_rt_busy */
  uint32_t halted;    /* atomic: the turn of safepoint.h in which it stands */
  uint64_t halted_at; /* then: so many notes */
  /* what a new thread runs: one of the two */
  void *(*start) (void *);
  int (*start11) (void *);
  void *argument;
  uint64_t mask; /* of signals, once it has begun */
  uintptr_t top; /* of the program's part of its stack; 0: not known */
};

/* Which way this thread's items go: sets or takes off OMEN_DISABLED_ODD. */
void omen_self_find_way (const omen_self *self);

extern omen_latch omen_threads_latch;
extern omen_self *omen_threads;    /* guarded by the latch */
uint32_t omen_threads_made (void); /* so far: their ids are below that */
bool omen_threads_start (void);    /* makes the calling one thread 0 */
void omen_threads_after_fork (void);

/* -- file.c -------------------------------------------------------------- */
extern bool omen_file_closed;            /* nothing is written any more */
const char *omen_file_open (bool child); /* NULL, or why not */
enum {
  OMEN_CHUNK_ROOM = 48,
  OMEN_BATCH = 1 << 16,       /* is worth a call of the kernel */
  OMEN_BATCH_LARGE = 1 << 20, /* is worth the way past its cache */
  OMEN_BATCH_HUGE = 4 << 20   /* is better still, for those who write most */
};
/* A chunk of notes joins those at `out`. Its payload is there already, behind
   OMEN_CHUNK_ROOM bytes for its header. */
void omen_batch_add (omen_batch *batch, uint8_t *out, uint32_t stream,
                     uint64_t first, uint32_t count, size_t size);
/* So much that it should be written? */
bool omen_batch_full (const omen_batch *batch);
/* Into the file, with what the notes refer to before them; then it is empty.
   `out` is that of a log. */
void omen_batch_write (omen_batch *batch, uint8_t *out);
/* The header of a BATCH; `size` bytes of payload follow it. */
void omen_file_batch_head (uint8_t *at, size_t size);
void omen_file_chunk (unsigned kind, uint32_t stream, uint64_t first,
                      uint32_t count, const void *payload, size_t size);
/* The same into the ring; `at` begins with room for the header. */
void omen_file_mark_put (uint8_t *at, uint64_t first, uint32_t count,
                         size_t size);
void omen_file_finish (void); /* the end mark; closed from then on */
/* The end mark, and others wait if they want to write, until unseal takes it
   off: the program is about to become another, or not. */
bool omen_file_seal (void);
void omen_file_unseal (void);

/* -- tables.c ---------------------------------------------------------------
   Entries that notes refer to, in memory for good and written before the next
   notes. */
typedef enum omen_table {
  OMEN_TABLE_TEXT,
  OMEN_TABLE_SITE,
  OMEN_TABLE_BLOCK,
  OMEN_TABLE_DEPEND,
  OMEN_TABLE_MODULE,
  OMEN_TABLE_THREAD,
  OMEN_TABLE_COUNT
} omen_table_name;
extern omen_latch omen_tables_latch;
/* Latch held; the id of the new entry, OMEN_NONE if there is no memory. */
uint32_t omen_table_add (omen_table_name table, const void *entry, size_t size);
const uint8_t *omen_table_at (omen_table_name table, size_t offset);
size_t omen_table_size (omen_table_name table);
void omen_tables_write (void);      /* what is pending */
void omen_tables_after_fork (void); /* all but the threads is pending again */

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

/* Most items, as one note; its end. */
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

/* The same with 16 bytes more. */
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
/* ATOMICs of woven code, which have no pc: {object, arg, old, number, new}; of
   loads, which make no new value, without the last. There are many of each, all
   alike, and a site always takes the same: what comes after a note, and what is
   in it, is guessed from the last one of its block, so different sites should
   have different ones. */
enum { OMEN_ATOMIC_BLOCKS = 64 };
typedef union omen_atomic_block {
  omen_code_block head;
  char room[sizeof (omen_code_block) + 3 * sizeof (omen_member)];
} omen_atomic_block;
extern omen_atomic_block omen_atomic_code[OMEN_ATOMIC_BLOCKS],
    omen_look_code[OMEN_ATOMIC_BLOCKS];
bool omen_sites_start (void);
uint32_t omen_string_id_of (const char *text, size_t length);
/* Bytes of a string so far; valid while the tables' latch is held. */
const char *omen_string_text (uint32_t id, size_t *length);

/* -- modules.c ----------------------------------------------------------- */
void omen_modules_find (void); /* those that were not known */
/* Is the address in one that is known? The tables' latch is held. */
bool omen_modules_have (uintptr_t address);
/* Where the module of an address begins, if it is neither woven nor a standard
   one; else NULL. Mostly a few compares. */
void *omen_library_of (const volatile void *code);
/* library.c: a loop that is noted whole was there when a library was entered
   for the first time: what follows may come after what that did. */
void omen_library_late (uint64_t pc);
struct dl_phdr_info;
/* May there be woven code in it? */
bool omen_module_is_woven (const struct dl_phdr_info *info);
extern bool omen_modules_stale; /* there is one that is not known */
void omen_data_write (void);    /* writable segments of woven modules */
void omen_program_is (char **argv);
void omen_program_write (bool child);

/* -- fork.c -------------------------------------------------------------- */
void omen_fork_start (void);

/* -- preload.c ----------------------------------------------------------- */
void omen_preload_forget (char **environment);

/* -- life.c -------------------------------------------------------------- */
bool omen_life_here (void); /* this process is the one that records */
void omen_life_end (void);  /* write all that is left, and the end mark */
/* In the child of a process that does not record: perhaps this one does. */
void omen_life_born (void);
/* Not the child of a fork that we did not see; one load. */
bool omen_life_is_first (void);
const char *omen_life_begin_file (bool child);     /* NULL, or what is wrong */
void omen_life_refuse (const char *why);           /* cannot record to … */
void omen_say (const char *what, const char *why); /* a line on stderr */

#endif
