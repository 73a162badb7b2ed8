/* A recording read while it is made: what its threads do to locks, to each
   other and to their stacks of functions, as events in one order, each soon
   after it happened.

     omen_follow *f = omen_follow_open ("run.omen", &sink, &err);
     while (the program runs)
       omen_follow_read (f, false, &more, &err);   sink->event, for what is new
     do                                            it is over: what is left
       omen_follow_read (f, true, &more, &err);
     while (more);
     omen_follow_finish (f);
     omen_follow_close (f);

   Events are acquire, release (a wait for a condition gives its lock up and its
   wake takes it: they are told as that), fork, join, enter, exit, begin and
   end: only the outermost acquire and release of a lock, as in a loaded trace.
   Memory accesses, atomics, reader locks and the rest are passed over.

   Order: as omen_rebuild_order without values. Each thread's items stay in
   order, numbers of a shard come one after the other, a child begins after its
   fork and is joined after its end. What waits for a number that has not been
   read yet is queued; what has been told is forgotten. If the queues grow
   beyond OMEN_FOLLOW_QUEUE items, a number is missing for good: it is passed
   over.

   Ids are dense and used again: a lock's when memory is allocated, initialised
   or destroyed there (`forget` is called before), a thread's for a child whose
   parent has joined it, or when many have ended that nobody joined.

   Memory: by live thread, lock, function and place of a call; nothing by event.
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
  uint64_t passed_over; /* numbers that never came */
  uint64_t unused;      /* items that were left in the queues at the end */
} omen_follow_counts;

typedef struct omen_follow omen_follow;

/* NULL: it cannot be opened. The file may still be empty. */
omen_follow *omen_follow_open (const char *path, const omen_follow_sink *sink,
                               omen_err *err);
/* The same with a descriptor for reading (and for writing, if what was read is
   given back), which is closed with it; `path` is for messages. */
omen_follow *omen_follow_new (int fd, const char *path,
                              const omen_follow_sink *sink, omen_err *err);
void omen_follow_close (omen_follow *follow);
/* Other than OMEN_FOLLOW_QUEUE. */
void omen_follow_limit (omen_follow *follow, size_t queue);

/* Reads some of what is new; *more: there may be more at once. False: it is
   damaged or no recording; nothing more will come. `over`: nobody writes any
   more. */
bool omen_follow_read (omen_follow *follow, bool over, bool *more,
                       omen_err *err);
/* The program has ended and all was read: what waits for something that never
   came is dropped. */
void omen_follow_finish (omen_follow *follow);
/* Give back the room on disk of what has been read: the file is of no other use
   from then on. */
void omen_follow_discard (omen_follow *follow);

omen_follow_counts omen_follow_count (const omen_follow *follow);
/* Recorder's number of a thread: "T3" in the loaded trace. */
uint32_t omen_follow_thread_number (const omen_follow *follow, omen_tid thread);
/* Of a function or label: OMEN_ENTER or OMEN_BEGIN. */
const char *omen_follow_name (const omen_follow *follow, unsigned kind,
                              uint32_t object);
uint64_t omen_follow_address (const omen_follow *follow, omen_lid lock);
/* Where the call returns to; 0: not known. */
uint64_t omen_follow_pc (const omen_follow *follow, uint32_t location);
/* What has been loaded so far, and its strings. */
const omen_trace *omen_follow_tables (const omen_follow *follow);

#endif
