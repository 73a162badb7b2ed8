/* Reads a recording while it is made: lock operations, forks and joins, and
   calls of functions, as events in one order, each soon after it happened.

     omen_follow *f = omen_follow_open ("run.omen", &sink, &err);
     while (the program runs)
       omen_follow_read (f, false, &more, &err);   sink->event, for what is new
     do                                            it is over: what is left
       omen_follow_read (f, true, &more, &err);
     while (more);
     omen_follow_finish (f);
     omen_follow_close (f);

   Events are acquire, release (also of the lock of a wait, and at its wake),
   fork, join, enter, exit, begin and end; only the outermost acquire and
   release of a lock, as in a loaded trace. Memory accesses, atomics, reader
   locks and the rest are skipped.

   Order: as omen_rebuild_order without values. Each thread's items stay in
   order, sequence numbers of a shard are consecutive, a child begins after its
   fork and is joined after its end. Items that wait for a number not read yet
   are queued; emitted items are forgotten. If the queues grow beyond
   OMEN_FOLLOW_QUEUE items, the number is taken to be lost and skipped.

   Ids are dense and reused: a lock's when memory is allocated, initialised or
   destroyed at its address (`forget` is called before), a thread's for a later
   child of the thread that joined it, or when many have ended that no thread
   joined.

   Memory: per live thread, lock, function and call site; nothing per event.
   Cost: decoding (some 10 ns a note), then some 20 ns an item.

   Owner: the follower owns all names; they stay valid until it is closed. */
#ifndef OMEN_ONLINE_FOLLOW_H
#define OMEN_ONLINE_FOLLOW_H

#include "base/err.h"
#include "trace/trace.h"

#define OMEN_FOLLOW_QUEUE ((size_t)OMEN_HARD_OR (1 << 12, 1 << 21))

typedef struct omen_follow_sink {
  /* Object and location are ids for the functions below. */
  void (*event) (void *context, const omen_event *event);
  /* The next use of this id is another lock. */
  void (*forget) (void *context, omen_lid lock);
  void *context;
} omen_follow_sink;

typedef struct omen_follow_counts {
  uint64_t notes, events;
  uint64_t passed_over; /* numbers taken to be lost */
  uint64_t unused;      /* items that were left in the queues at the end */
} omen_follow_counts;

typedef struct omen_follow omen_follow;

/* NULL: it cannot be opened. The file may still be empty. */
omen_follow *omen_follow_open (const char *path, const omen_follow_sink *sink,
                               omen_err *err);
/* As above, with a descriptor open for reading (and for writing, if
   omen_follow_discard is used), which the follower closes; `path` is for
   messages. */
omen_follow *omen_follow_new (int fd, const char *path,
                              const omen_follow_sink *sink, omen_err *err);
void omen_follow_close (omen_follow *follow);
/* Set another limit than OMEN_FOLLOW_QUEUE. */
void omen_follow_limit (omen_follow *follow, size_t queue);

/* Read some of what is new; *more: there may be more at once. False: it is
   damaged or no recording, and no more events come. `over`: the file is no
   longer written. */
bool omen_follow_read (omen_follow *follow, bool over, bool *more,
                       omen_err *err);
/* The program has ended and all was read: drop items that wait for something
   that never came. */
void omen_follow_finish (omen_follow *follow);
/* Free the disk space of what has been read; the file is of no other use from
   then on. */
void omen_follow_discard (omen_follow *follow);

omen_follow_counts omen_follow_count (const omen_follow *follow);
/* Recorder's number of a thread: "T3" in the loaded trace. */
uint32_t omen_follow_thread_number (const omen_follow *follow, omen_tid thread);
/* The name of a function (OMEN_ENTER) or label (OMEN_BEGIN). */
const char *omen_follow_name (const omen_follow *follow, unsigned kind,
                              uint32_t object);
uint64_t omen_follow_address (const omen_follow *follow, omen_lid lock);
/* The return address of the call; 0: not known. */
uint64_t omen_follow_pc (const omen_follow *follow, uint32_t location);
/* What has been loaded so far, and its strings. */
const omen_trace *omen_follow_tables (const omen_follow *follow);

#endif
