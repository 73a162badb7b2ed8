/* Private to the follower.

     follow.c         a recording that grows, chunk by chunk
     follow_notes.c   chunks -> items of a thread
     follow_merge.c   items of all threads in one order
     follow_events.c  items in their order -> events
     follow_locks.c   which lock an address is */
#ifndef OMEN_ONLINE_FOLLOW_STATE_H
#define OMEN_ONLINE_FOLLOW_STATE_H

#include "base/map.h"
#include "online/follow.h"
#include "online/tail.h"
#include "recording/events/frames.h"
#include "wire/item_numbers.h"

/* What is kept of an item. */
typedef struct omen_follow_item {
  uint8_t kind;
  uint32_t site;           /* of woven ones */
  uint64_t object, number; /* woven: a, b */
  uint64_t arg, pc;
  uint64_t lock, lock_number; /* of a wait or wake */
} omen_follow_item;

typedef enum omen_follow_wait {
  OMEN_FOLLOW_READY,
  OMEN_FOLLOW_NUMBER, /* waits for its sequence number */
  OMEN_FOLLOW_FORK,   /* waits for its fork */
  OMEN_FOLLOW_JOIN    /* waits for the end of the thread it joins */
} omen_follow_wait;

typedef struct omen_follow_thread {
  uint32_t id;                   /* the recorder's */
  uint64_t expected;             /* index of the next note in its stream */
  OMEN_VEC (omen_raw_note) open; /* of an item that may get more parts */
  OMEN_VEC (omen_follow_item) queue;
  size_t head; /* the first that was not emitted */
  omen_follow_wait wait;
  omen_item_need need;  /* waits for */
  uint32_t next_waiter; /* thread, with the same shard */
  uint32_t joiner;      /* thread that waits for its end, or OMEN_NONE */
  bool begun, forked, ended;
  omen_notes_reader *reader; /* of its notes, if their chunks form chains */
  /* what it does */
  omen_tid tid; /* of events, OMEN_NONE: none yet */
  omen_frames frames;
  unsigned held; /* locks */
  omen_lid wait_lock;
  uint32_t wait_depth;
  omen_ids joined; /* tids of joined children, to be reused */
} omen_follow_thread;

typedef struct omen_follow_mutex {
  uint64_t address;
  uint32_t writer; /* thread (index), OMEN_NONE: free */
  uint32_t depth;
  uint32_t next; /* on the same page, OMEN_NONE: none */
  bool used;
} omen_follow_mutex;

typedef struct omen_follow_locks {
  OMEN_VEC (omen_follow_mutex) list; /* by id */
  omen_ids unused;
  omen_map by_address, by_page;
} omen_follow_locks;

struct omen_follow {
  omen_follow_sink sink;
  omen_follow_counts counts;
  omen_tail tail;
  bool one_log;
  uint8_t *unpacked;
  omen_notes_reader *reader; /* of other notes */
  omen_notes_filter boring;  /* accesses */
  /* the order */
  OMEN_VEC (omen_follow_thread) threads;
  omen_map index;   /* recorder's id -> threads */
  uint32_t current; /* of a file with one log */
  uint64_t log_expected;
  uint64_t *numbers; /* by shard: the next one */
  uint32_t *waiters; /* by shard: thread, or OMEN_NONE */
  omen_map early;    /* numbers consumed before their turn */
  uint32_t early_count;
  omen_ids ready;
  size_t queued, most;
  /* the events */
  omen_follow_locks locks;
  omen_names functions, labels;
  omen_ids site_functions;  /* by site, or OMEN_NONE */
  omen_map locations;       /* pc -> id */
  OMEN_VEC (uint64_t) pcs;  /* by id */
  OMEN_VEC (uint32_t) tids; /* tid -> recorder's id */
  omen_ids gone;            /* tids of threads that ended and are not joined */
};

/* ---- follow_notes.c ---- */
/* The notes of a chunk. False: wrong, the tail's error is set. */
bool omen_follow_notes (omen_follow *follow, const omen_chunk *chunk);
void omen_follow_thread_fini (omen_follow_thread *thread);

/* ---- follow_merge.c ---- */
uint32_t omen_follow_thread_of (omen_follow *follow, uint32_t id);
/* The next item of the thread. */
void omen_follow_offer (omen_follow *follow, uint32_t t,
                        const omen_follow_item *item);
/* Nothing more will be read: do not wait for missing forks and ends. */
void omen_follow_settle (omen_follow *follow);

/* ---- follow_events.c ---- */
void omen_follow_emit (omen_follow *follow, uint32_t t,
                       const omen_follow_item *item);

/* ---- follow_locks.c ---- */
void omen_follow_locks_init (omen_follow_locks *locks);
void omen_follow_locks_fini (omen_follow_locks *locks);
/* The lock at the address, made if there is none. */
omen_lid omen_follow_lock_at (omen_follow *follow, uint64_t address);
/* The memory [address, address + size) is reused: forget its locks. */
void omen_follow_renew (omen_follow *follow, uint64_t address, uint64_t size);

#endif
