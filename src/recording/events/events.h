/* Internal interface of the second half of rebuilding: items, in the merged
   order, become events.

   walk.c        the walk
   events.c      which events an item becomes
   names.c       places in the source; names of objects
   memory.c      accesses, blocks of memory
   outside.c     code that is not woven
   tls.c         named thread-local variables
   pointer.c     values, and those that are pointers into blocks
   locks.c       locks: only outermost operations, only consistent ones
   sync.c        conditions, semaphores, barriers
   uses.c        accesses to the memory of all of these
   descriptor.c  file descriptors as blocks
   frames.c      functions, atomic blocks, property events
   stacks.c      the calls that led to an event
   ring/start.c  the start of a recording without its beginning

   The events make a trace that omen_wellformed accepts: operations on locks
   that contradict what was recorded (reused memory, releases by code that is
   not recorded) begin a new object of the same name, and what is inconsistent
   is left out and counted. */
#ifndef OMEN_RECORDING_EVENTS_EVENTS_H
#define OMEN_RECORDING_EVENTS_EVENTS_H

#include "recording/events/frames.h"
#include "recording/scan/outside.h"
#include "recording/events/past.h"
#include "recording/rebuild.h"
#include "recording/events/blocks.h"
#include "recording/events/depend.h"
#include "recording/merge/order.h"
#include "recording/ring/start.h"
#include "recording/events/stacks.h"

typedef struct omen_actor_local {
  uint64_t depth; /* of the innermost function */
  uint32_t block;
} omen_actor_local;

/* A thread of the trace. */
typedef struct omen_actor {
  omen_tid thread;
  uint64_t items;  /* so far */
  unsigned ignore; /* depth of ignored regions */
  uint64_t stack_start, stack_end;
  uint32_t thread_locals; /* a block, OMEN_NONE: none */
  bool ended, joined;
  bool known;            /* it was forked, or has done something */
  bool busy;             /* it is in omen_emitter.busy */
  omen_ids named_locals; /* blocks that cover parts of it */
  omen_frames frames;
  uint32_t called;      /* a function without markers, or OMEN_NONE, */
  uint64_t called_from; /* and the return address of its call */
  OMEN_VEC (omen_actor_local) locals;
  omen_ids blocks; /* open atomic blocks */
  /* in a condition wait: */
  omen_eid wait; /* event of its wait; OMEN_NONE: it does not wait */
  uint32_t wait_condition, wait_lock, wait_depth; /* objects */
  uint32_t notifies, alls; /* that the condition had seen */
  bool split; /* the wait became a release: other items came in between */
  /* the barrier at which it arrived last: */
  uint64_t barrier_address;
  uint32_t barrier; /* object */
  uint32_t cuts;    /* that it has come after */
  bool spoke;       /* since the last one */
  bool elsewhere;   /* control is in a library that is not woven */
} omen_actor;

/* A lock, condition, …; which fields are used depends on the table. */
typedef struct omen_sync_object {
  uint32_t id; /* in the trace's table */
  uint64_t address;
  uint32_t block; /* where it lay when it was initialised */
  /* locks */
  omen_tid writer; /* OMEN_NONE: not held for writing */
  uint32_t depth, readers;
  omen_tid
      robbed;  /* another thread released what it holds; OMEN_NONE: none did */
  bool listed; /* in omen_emitter.holding */
  /* conditions: as in wellformed_sync.c */
  omen_ids next;
  uint32_t alls;
  /* semaphores, barriers */
  uint64_t count, size;
  uint32_t round;
  bool known; /* the count is */
} omen_sync_object;

/* A value as events have it. */
typedef struct omen_value {
  uint64_t value;
  uint8_t kind; /* omen_value_kind */
} omen_value;

/* The last pointer stored at an address. */
typedef struct omen_pointer {
  uint64_t bits, value; /* value: as OMEN_VALUE_POINTER */
} omen_pointer;

/* The current thread of the file, and changes from outside. */
typedef struct omen_source {
  omen_note_cursor cursor;
  uint32_t actor;
  size_t outside, outside_end; /* in order->outside */
} omen_source;

typedef struct omen_emitter {
  const omen_notes_file *file;
  const omen_rebuilt *order;
  const omen_start *start; /* NULL: it begins where the program does */
  omen_trace *trace;
  omen_blocks blocks;
  OMEN_VEC (omen_actor) actors;
  omen_map actor_of; /* thread id -> actor */
  OMEN_VEC (omen_sync_object) objects;
  omen_map object_of[OMEN_OPERANDS]; /* address -> object */
  omen_map held;            /* (object, thread) -> nesting depth of a reader */
  omen_ids holding;         /* locks that may be held */
  omen_map arrived;         /* (object, thread) -> round */
  omen_map regions;         /* address / 64 KiB -> block */
  omen_map gone;            /* place of a lock etc. -> was it destroyed? */
  omen_map descriptors;     /* open descriptor -> its variable */
  omen_ids ended_locals;    /* blocks: thread-locals of threads that ended */
  uint64_t lowest, highest; /* the range in which pointers to blocks that are
                               freed may lie */
  omen_map pointer_at;      /* address -> what is stored there */
  OMEN_VEC (omen_pointer) pointers;
  /* by site, or OMEN_NONE */
  omen_ids site_locations, site_functions, site_shown;
  omen_map pc_locations, pc_outside;
  omen_depending *depending; /* NULL: nothing is known */
  omen_past past;
  omen_stacks *stacks;
  /* memory that was changed from outside, if any */
  uint64_t outside_start, outside_end;
  omen_map outside_user; /* address / 8 -> whose it is */
  /* variables that libraries may change: objects of the file, which had
     `reached_of` of them then */
  omen_ids reached;
  size_t reached_of;
  uint32_t elsewhere; /* threads in libraries, or started there */
  omen_ids busy; /* actors that emitted events since their last hb(outside) */
  bool done;     /* an hb(outside) was emitted */
  uint32_t cuts; /* so far: all after a cut comes after all before it */
  OMEN_VEC (omen_source) sources; /* by thread of the file */
  omen_item item;                 /* the current one, */
  uint32_t actor;                 /* and its actor */
  uint32_t location;
  omen_ids *uses; /* events; NULL: none are emitted (uses.c) */
  bool values;
  uint64_t steps;  /* calls of is_over, which checks the limits at some */
  uint64_t walked; /* records of the file so far, emitted or not */
  bool cut;        /* a limit of the file was reached: no more */
  bool live; /* the file grows: it is not known yet which threads use which
                memory */
} omen_emitter;

/* ---- rebuild.c ---- */
/* Ends the emitter; the caller has merged the items and emitted their events.
   Returns the trace, sealed, which is the caller's now. NULL: it is not
   consistent. */
omen_trace *omen_rebuild_settle (const omen_notes_file *file,
                                 const omen_rebuilt *order,
                                 const omen_rebuild_options *options,
                                 omen_trace *trace, omen_stacks *stacks,
                                 omen_err *err);

/* ---- walk.c ---- */
/* Emits the events of the items in that order into the trace, with their
   stacks, and which of them are uses (trace/private.h). */
void omen_rebuild_events (const omen_notes_file *file,
                          const omen_rebuilt *order, const omen_start *start,
                          omen_trace *trace, omen_depending *depending,
                          omen_stacks *stacks, omen_ids *uses);
/* The same part by part, for a file that may grow meanwhile. `filter`, or NULL:
   what may be dropped. */
void omen_emitter_init (omen_emitter *emitter, const omen_notes_file *file,
                        omen_trace *trace, omen_stacks *stacks,
                        const omen_past_filter *filter);
/* Emits what follows the last part. */
void omen_emitter_part (omen_emitter *emitter, const omen_rebuilt *order);
/* There is no more: sets initial values, and how much is past. */
void omen_emitter_end (omen_emitter *emitter);
void omen_emitter_fini (omen_emitter *emitter);

/* ---- events.c ---- */
/* The item that was set. */
void omen_emit_item (omen_emitter *emitter, omen_source *source);
uint32_t omen_emit_actor (omen_emitter *emitter, uint32_t id);
static inline omen_actor *
omen_emitter_me (omen_emitter *emitter)
{
  return &emitter->actors.data[emitter->actor];
}
/* Adds an event of the actor, at the location of the item. */
omen_eid omen_emit_event (omen_emitter *emitter, omen_kind kind,
                          uint32_t object);
omen_event *omen_emitter_last (omen_emitter *emitter);
/* The site of the code that made the item, 0: none. */
uint32_t omen_emit_item_site (const omen_item *item);

/* ---- names.c ---- */
uint32_t omen_emit_site_location (omen_emitter *emitter, uint32_t site);
uint32_t omen_emit_pc_location (omen_emitter *emitter, uint64_t pc);
/* Locations for reports, from a site, or from a pc or an entry of the file's
   places of code (OMEN_NONE: none). …_shown skips code of the standard library,
   in favour of its caller; …_line is the line of exactly that place. */
uint32_t omen_emit_site_shown (omen_emitter *emitter, uint32_t site);
uint32_t omen_emit_site_line (omen_emitter *emitter, uint32_t site);
uint32_t omen_emit_code_shown (const omen_emitter *emitter, uint64_t pc);
uint32_t omen_emit_code_line (omen_emitter *emitter, uint32_t entry);
uint32_t omen_emit_function (omen_emitter *emitter, uint32_t site);
/* The id of a new object at the address, in the table. */
uint32_t omen_emit_library (omen_emitter *emitter, uint64_t base);
uint32_t omen_emit_object_name (omen_emitter *emitter, omen_operand table,
                                uint64_t address, uint32_t block);
omen_vid omen_emit_heap_name (omen_emitter *emitter, bool map);
/* What the block of the allocation that is emitted is, if that is known. */
void omen_emit_heap_type (omen_emitter *emitter, omen_vid v, uint64_t size);
omen_vid omen_emit_descriptor_name (omen_emitter *emitter, uint64_t fd);
omen_vid omen_emit_local_name (omen_emitter *emitter, uint32_t site);
omen_vid omen_emit_thread_locals_name (omen_emitter *emitter);
omen_vid omen_emit_region_name (omen_emitter *emitter, uint64_t address,
                                uint64_t *base, uint64_t *size);

/* ---- memory.c ---- */
/* The global, heap block or local that contains the address, or OMEN_NONE. */
uint32_t omen_emit_owner (omen_emitter *emitter, uint64_t address);
/* The same, or a block made for the address; OMEN_NONE: it belongs to no
   variable. */
uint32_t omen_emit_block (omen_emitter *emitter, uint64_t address);
/* Emits the item, an access of woven code whose value may be unknown. */
void omen_emit_woven (omen_emitter *emitter, omen_kind kind);
void omen_emit_atomic (omen_emitter *emitter);
void omen_emit_range (omen_emitter *emitter, omen_kind kind, bool ignored);
void omen_emit_external (omen_emitter *emitter, uint64_t address,
                         uint64_t length);
void omen_emit_alloc (omen_emitter *emitter);
void omen_emit_free (omen_emitter *emitter);
void omen_emit_local (omen_emitter *emitter);
void omen_emit_local_end (omen_emitter *emitter, uint64_t address);
/* Ends locals of functions deeper than that. */
void omen_emit_locals_left (omen_emitter *emitter, uint64_t depth);
/* Thread-local variables of an actor that begins, or ends. */
void omen_emit_thread_locals (omen_emitter *emitter, uint64_t start,
                              uint64_t end);
void omen_emit_thread_locals_end (omen_emitter *emitter);
/* A thread's stack begins: blocks that ended threads left there are removed. */
void omen_emit_stack (omen_emitter *emitter, uint64_t start, uint64_t end);
void omen_emit_inits (omen_emitter *emitter);
/* asked.c: places for bytes of requested variables that nothing accesses. */
void omen_emit_asked (omen_emitter *emitter);

/* ---- reached.c ---- */
/* Control went to a library that is not woven, or came back. */
void omen_emit_left (omen_emitter *emitter, bool left);
/* The item has begun a thread. */
void omen_emit_forked (omen_emitter *emitter);
/* Woven code has written there. */
void omen_emit_written (omen_emitter *emitter, uint64_t address, uint64_t size);

/* ---- outside.c ---- */
/* Whose call is the item? */
omen_outside_code omen_emit_outside (omen_emitter *emitter);
/* Called after an operation on an opaque lock: it released it, acquired it, or
   failed to. */
void omen_emit_given (omen_emitter *emitter, uint64_t address);
void omen_emit_taken (omen_emitter *emitter, uint64_t address);
/* Called first: finds out which memory changes from outside, and which thread
   uses it. */
void omen_emit_outside_start (omen_emitter *emitter);
void omen_emit_before_wait (omen_emitter *emitter);
/* A cut: all that was emitted stays before what comes now. */
void omen_emit_cut (omen_emitter *emitter);
/* The actor continues after the cuts so far. */
void omen_emit_after_cut (omen_emitter *emitter);
/* The memory has a value that no write stored. */
void omen_emit_changed (omen_emitter *emitter, uint64_t address, uint64_t size);

/* ---- pointer.c ---- */
/* The actor allocated a block that will be freed: pointers may lead to it. */
void omen_emit_reachable (omen_emitter *emitter, uint32_t block);
omen_value omen_emit_stored (omen_emitter *emitter, uint64_t address,
                             unsigned size, uint64_t bits);
omen_value omen_emit_loaded (const omen_emitter *emitter, uint64_t address,
                             unsigned size, uint64_t bits);

/* ---- locks.c ---- */
/* The object at the address, created if necessary. */
uint32_t omen_emit_object (omen_emitter *emitter, omen_operand table,
                           uint64_t address);
/* The address is reused for something new. */
void omen_emit_renew (omen_emitter *emitter, uint64_t address);
uint32_t omen_emit_fresh (omen_emitter *emitter, omen_operand table,
                          uint64_t address);
void omen_emit_lock (omen_emitter *emitter);
bool omen_emit_lock_held (const omen_emitter *emitter, uint32_t object);
/* The lock may be held from now on. */
void omen_emit_holding (omen_emitter *emitter, uint32_t lock);
/* The memory is freed, with the locks in it. */
void omen_emit_destroyed_in (omen_emitter *emitter, uint32_t block);

/* ---- sync.c ---- */
void omen_emit_wait (omen_emitter *emitter);
void omen_emit_wake (omen_emitter *emitter);
void omen_emit_notify (omen_emitter *emitter);
void omen_emit_semaphore (omen_emitter *emitter);
void omen_emit_barrier (omen_emitter *emitter);
/* The actor does something else during its wait. */
void omen_emit_split_wait (omen_emitter *emitter);

/* ---- uses.c ---- */
/* The item is about to use, initialise or destroy the object that it names. */
void omen_emit_use (omen_emitter *emitter);
void omen_emit_made (omen_emitter *emitter);

/* ---- descriptor.c ---- */
void omen_emit_descriptor (omen_emitter *emitter);

/* ---- stuck.c ---- */
/* At the end: adds events for threads that wait forever, or left a lock
   held. */
void omen_emit_ends (omen_emitter *emitter);

/* ---- frames.c ---- */
void omen_emit_frame (omen_emitter *emitter);
void omen_emit_mark (omen_emitter *emitter);
void omen_emit_property_event (omen_emitter *emitter);
void omen_emit_dead (omen_emitter *emitter);

/* ---- tls.c ---- */
/* The thread has begun, and its memory is emitted; the thread ends. */
void omen_emit_named_locals (omen_emitter *emitter, const omen_own_memory *own);
void omen_emit_named_locals_end (omen_emitter *emitter);

/* ---- stacks.c ---- */
/* The stack of the call that enters a function, before the item is emitted.
   OMEN_NONE: the caller is unknown. */
uint32_t omen_emit_call (omen_emitter *emitter);
/* The stack of the item; OMEN_NONE: unknown. */
uint32_t omen_emit_stack_here (omen_emitter *emitter);
/* Sets the stack of the item's events, from `first` on, if it is not just that
   of the functions entered. */
void omen_emit_frames (omen_emitter *emitter, size_t first);

/* ---- ring/start.c ---- */
/* Before everything else. */
void omen_emit_start (omen_emitter *emitter);
/* Must all operations on the item's object keep their order? If so, emits that:
   the first before the operation, the second after it. */
bool omen_emit_in_order (omen_emitter *emitter);
void omen_emit_order_kept (omen_emitter *emitter);
/* The item frees a block that was allocated before the start. */
void omen_emit_old_free (omen_emitter *emitter);

#endif
