/* A trace in memory: the events in the order of the file, and the tables that
   their fields point into. Built by a reader through the add functions below,
   then closed by omen_trace_seal, then read-only (share it between threads
   freely).

     T1|w(x=5)|f.c:3     event 0 = { WRITE, INT, thread 0, place 0, value 5 }
     T2|r(x=5)|f.c:9     event 1 = { READ, INT, thread 1, place 0, value 5 }

   Invariants after seal:
   - every id is below the count of its table;
   - ids of a table are in order of first use (names that no event uses come
     last), so that two traces with the same text have the same ids
     (omen_trace_identity relies on it);
   - thread t's events are thread_events (t, 0 …) in trace order, and
     index[e] is e's position there.

   Variables and places. A variable is a block instance: `alloc(p,n)` of a name
   that is in use makes a new variable with the same name. A place is a byte
   range of a variable: `x` is all of x (offset 0, size OMEN_WHOLE), `x+4:2` is
   two bytes. Two places overlap if they are of one variable and their ranges
   meet.

   Memory: 24 bytes an event, 4 for its index in the thread, 4 for the thread's
   list; tables are per name, extras per event that has one.

   Owner: the trace owns everything; all returned pointers are borrowed. */
#ifndef OMEN_TRACE_TRACE_H
#define OMEN_TRACE_TRACE_H

#include "base/err.h"
#include "base/limits.h"
#include "base/names.h"
#include "base/vec.h"
#include "wire/event.h"
#include "trace/layout.h"

#define OMEN_WHOLE UINT32_MAX

typedef struct omen_place {
  omen_vid variable;
  uint32_t offset, size; /* size OMEN_WHOLE: the whole variable, offset 0 */
} omen_place;

/* A known initial value: *|init(x=7)| */
typedef struct omen_init {
  omen_pid place;
  uint8_t value_kind;
  uint64_t value;
} omen_init;

/* emit(name, key=value, …): its arguments are [first, first + count) of
   emit_args; keys are in the table of strings. */
typedef struct omen_emit {
  uint32_t first, count;
} omen_emit;
typedef struct omen_emit_arg {
  omen_sid key;
  uint8_t value_kind;
  uint64_t value;
} omen_emit_arg;

/* Dependences and the stack of an event; few events have one. */
typedef struct omen_extra {
  omen_eid event;
  uint32_t first_read, reads; /* range of `dependences`: positions in the thread
                                 of the reads it depends on */
  uint32_t branch;            /* position in the thread, or OMEN_NONE */
  uint32_t stack;             /* in stacks, or OMEN_NONE */
} omen_extra;

/* A frame of a call stack; stacks share their callers, as a tree. */
typedef struct omen_frame {
  uint32_t function, location; /* OMEN_NONE where not known */
  uint32_t caller;             /* stack, or OMEN_NONE */
} omen_frame;

typedef struct omen_thread {
  omen_sid path;      /* creation path "0.2.1" in strings, or OMEN_NONE */
  omen_eid forked_by; /* fork event, or OMEN_NONE */
  uint32_t count;     /* events */
  uint32_t first;     /* start of its list in by_thread */
} omen_thread;

/* A mapped file of the recorded program, for symbolization. */
typedef struct omen_module {
  omen_sid path, build_id; /* build id as hex text, or OMEN_NONE */
  uint64_t base, size;
  uint32_t flags; /* omen_module_flags of recording.h; 0: unknown */
} omen_module;

/* A source file: its name in locations, and the path that the compiler read. A
   program compiled in several directories may have several of one name. */
typedef struct omen_source_file {
  omen_sid name, path;
  bool trusted; /* confirmed by more than the trace (symbols/symbols.h) */
} omen_source_file;

/* The heap block that contains a lock: the thread and stack that allocated
   it. */
typedef struct omen_home {
  omen_tid thread; /* OMEN_NONE: it is in none */
  uint32_t stack;  /* or OMEN_NONE */
  uint64_t size, offset;
} omen_home;

enum {
  OMEN_TRACE_DEPENDENCES = 1, /* has <- or ^; others depend on nothing */
  OMEN_TRACE_PARTIAL = 2,     /* not a whole execution (ring, truncated) */
  OMEN_TRACE_STACKS = 4,
  OMEN_TRACE_HELPED = 8 /* signal handlers or other processes may synchronise at
                           any time without an event in the trace */
};

/* The object of hb and ha around a read of a recording that no write explains:
   all events before keep their order to all events after. */
#define OMEN_UNEXPLAINED_OBJECT "unexplained"

/* Mistakes that a trace cannot have. */
enum {
  OMEN_NO_RACES = 1, /* and no lifetime errors */
  OMEN_NO_DEADLOCKS = 2
};

/* How a recording became this trace; all 0 for other traces. */
typedef struct omen_rebuild_counts {
  uint64_t before;   /* records lost at the beginning (ring) */
  uint64_t items;    /* items in the logs of the threads */
  bool clean;        /* the scan found no candidates, so no events were made */
  unsigned excluded; /* OMEN_NO_…: the scan found no candidates of these */
  uint64_t settled;  /* accesses left out because their order is fixed */
  uint64_t private;  /* events left out because only one thread is affected */
  uint64_t outside;  /* reads of values that only uninstrumented code can have
                        written */
  uint64_t late;     /* reads placed in the order by their value */
  uint64_t ended;   /* threads cut short because no order explains their rest */
  uint64_t unused;  /* notes after those ends */
  uint64_t unknown; /* loads of unknown value */
  uint64_t unexplained; /* reads that no write of the recording explains */
  uint64_t nobodys;     /* accesses outside all variables (mostly stacks) */
  uint64_t odd;         /* synchronisation operations that are not valid */
  uint64_t emitted;     /* events emitted, including those forgotten later
                           (recording/events/past.h) */
  uint64_t past; /* of those that are left, how many belong to the past; they
                    come first */
  /* Truncated for lack of time or memory: `part` of `whole` records were read
     (of other files: events). */
  omen_limit cut;
  uint64_t part, whole;
} omen_rebuild_counts;

typedef OMEN_VEC (uint64_t) omen_item_indices;

/* A signal handler began when its thread had executed that many items. */
typedef struct omen_interrupt {
  omen_tid thread;
  uint32_t signal;
  uint64_t item;
} omen_interrupt;

typedef struct omen_trace {
  OMEN_VEC (omen_event) events;
  uint32_t *index;     /* by event: position in its thread (after seal) */
  uint32_t *by_thread; /* the threads' lists, concatenated */
  unsigned flags;      /* OMEN_TRACE_* */

  omen_names names[OMEN_OPERANDS]; /* by operand; VARIABLE: variables;
                                      PLACE and NOTHING: unused */
  omen_names locations, symbols, strings;
  OMEN_VEC (omen_place) places;
  OMEN_VEC (omen_thread) threads; /* by thread id */
  OMEN_VEC (omen_init) inits;
  OMEN_VEC (omen_rmw) rmws;
  OMEN_VEC (omen_emit) emits;
  OMEN_VEC (omen_emit_arg) emit_args;
  OMEN_VEC (omen_extra) extras; /* by event, ascending */
  omen_ids dependences;
  OMEN_VEC (omen_frame) stacks;
  OMEN_VEC (omen_module) modules;
  OMEN_VEC (omen_source_file) sources;
  OMEN_VEC (omen_home) homes; /* by lock; those beyond the end have none */
  omen_layouts layouts;       /* types of variables, as far as known */
  omen_rebuild_counts rebuilt;
  omen_item_indices items; /* recorded traces: by event, the index of its item
                              in the thread (recording/rebuild.h); else empty */
  OMEN_VEC (omen_interrupt)
  interrupts;           /* recorded traces; in order within each thread */
  omen_interrupt death; /* the signal that killed the process, and its thread;
                           OMEN_NONE if none, or unknown */
  omen_sid program;     /* command line of the recorded program, or OMEN_NONE */

  omen_sid path; /* path of the input, in strings; for messages */
  OMEN_VEC (omen_sid) warnings; /* warnings of the reader, in strings */

  struct omen_place_table *place_table; /* (variable, range) -> place */
} omen_trace;

omen_trace *omen_trace_new (const char *path);
void omen_trace_free (omen_trace *trace);

/* ---- building ---- */
/* Looks up the id, or creates it. `text` need not be NUL-terminated. */
uint32_t omen_trace_name (omen_trace *trace, omen_operand table,
                          const char *text, size_t length);
omen_tid omen_trace_thread (omen_trace *trace, const char *text, size_t length);
omen_pid omen_trace_place (omen_trace *trace, omen_vid variable,
                           uint32_t offset, uint32_t size);
/* Append; returns the event's index. Limit: 2^32 - 2 events. */
omen_eid omen_trace_add (omen_trace *trace, const omen_event *event);
/* Sets where a lock is, replacing what was set before. */
void omen_trace_home (omen_trace *trace, omen_lid lock, omen_home home);
void omen_trace_warn (omen_trace *trace, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* Seal the trace: checks all ids and builds the threads' lists and forked_by.
   False if an id is out of range or an extra out of order; cannot happen with
   ids that the functions above returned. */
bool omen_trace_seal (omen_trace *trace, omen_err *err);

/* ---- reading ---- */
static inline const omen_event *
omen_trace_event (const omen_trace *trace, omen_eid e)
{
  OMEN_CHECK (e < trace->events.count);
  return &trace->events.data[e];
}

/* The i-th event of thread t. */
static inline omen_eid
omen_trace_nth (const omen_trace *trace, omen_tid t, uint32_t i)
{
  OMEN_CHECK (t < trace->threads.count && i < trace->threads.data[t].count);
  return trace->by_thread[trace->threads.data[t].first + i];
}

/* Did a thread of the run hang: is its last event marked so? */
bool omen_trace_is_stuck (const omen_trace *trace);
/* NULL if the event has none. */
const omen_extra *omen_trace_extra (const omen_trace *trace, omen_eid e);
const char *omen_trace_thread_name (const omen_trace *trace, omen_tid t);
const char *omen_trace_variable_name (const omen_trace *trace, omen_vid v);
const char *omen_trace_location (const omen_trace *trace, omen_eid e);
bool omen_place_overlap (const omen_place *a, const omen_place *b);

/* A hash of all events and names, the same for the text and the binary form of
   a trace. */
uint64_t omen_trace_identity (const omen_trace *trace);

/* "T1:4": thread and index in the thread. */
#define OMEN_EVENT_NAME_MAX 128
char *omen_trace_event_name (const omen_trace *trace, omen_eid e,
                             char buffer[OMEN_EVENT_NAME_MAX]);

#endif
