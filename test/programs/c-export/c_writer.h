/* What the files of the C export share. Private to them.

     c_plan.c     what each object becomes, what each event does when its turn
                  comes (one walk in the order of the run)
     c_memory.c   how variables are laid out, which bytes they hold when
     c_names.c    identifiers
     c_value.c    constants, addresses, reads and writes
     c_sync.c     the other statements
     c_thread.c   statements into functions
     c_frame.c    what stands around them
     c_write.c    all of it */
#ifndef OMEN_TEST_C_WRITER_H
#define OMEN_TEST_C_WRITER_H

#include "base/map.h"
#include "c_write.h"
#include "trace/text.h"
#include "trace/wellformed.h"

/* What becomes of an event: done, or left out because … */
typedef enum omen_c_act {
  OMEN_C_DO,
  OMEN_C_NESTED,  /* it would only count depth */
  OMEN_C_BUSY,    /* it would block for good */
  OMEN_C_UNHELD,  /* there is nothing to release */
  OMEN_C_SUCCEED, /* it would not fail */
  OMEN_C_AGAIN,   /* that thread was joined before */
  OMEN_C_USED,    /* what it ends is used later */
  OMEN_C_OPEN,    /* what it ends was not begun */
  OMEN_C_JOINED,  /* it would block, but its thread is joined */
  OMEN_C_EARLY    /* the block was in use before */
} omen_c_act;

typedef struct omen_c_step {
  uint32_t position; /* in the order of the run */
  uint32_t depth;    /* wait, wake: holds of its lock beyond the first */
  uint8_t act;       /* omen_c_act */
  bool check;        /* a read: it sees what the trace says */
  bool completes;    /* arrive: the last one of its round */
} omen_c_step;

typedef enum omen_c_lock {
  OMEN_C_MUTEX,
  OMEN_C_RECURSIVE,
  OMEN_C_RWLOCK
} omen_c_lock;

typedef struct omen_c_thread {
  bool joined;  /* by an event */
  bool blocked; /* its last event does not return */
  bool pending; /* … for it is a request */
} omen_c_thread;

typedef struct omen_c_barrier {
  uint32_t parties, arrived;
  bool split; /* not every arrival waits at once, or the number changes */
} omen_c_barrier;

typedef enum omen_c_storage {
  OMEN_C_STATIC,
  OMEN_C_HEAP,  /* by its alloc event */
  OMEN_C_MAPPED /* too large for the image of the program */
} omen_c_storage;

typedef struct omen_c_variable {
  uint32_t extent;      /* bytes */
  uint8_t storage;      /* omen_c_storage */
  bool scalar;          /* always accessed as a whole, 1, 2, 4 or 8 bytes */
  bool atomic;          /* always atomically, and scalar and static */
  bool plain;           /* some access is not atomic */
  omen_eid alloc, last; /* events, or OMEN_NONE */
  uint32_t first_cell;  /* in the simulated memory, or OMEN_NONE */
} omen_c_variable;

/* A value that the trace does not tell, chosen: part of what `writer` leaves
   (OMEN_NONE: the initial value of the variable). */
typedef struct omen_c_fill {
  omen_eid writer;
  omen_vid variable;
  uint32_t offset, size;
  uint8_t kind;
  uint64_t value;
} omen_c_fill;
typedef OMEN_VEC (omen_c_fill) omen_c_fills;

/* Identifiers: one name space for all tables. */
typedef struct omen_c_names {
  omen_names taken;
  omen_map next;               /* taken id -> number to try next */
  uint32_t *id[OMEN_OPERANDS]; /* by operand and id, in taken */
  uint32_t *symbol;            /* by symbol, in taken */
} omen_c_names;

/* A function of the program: the statements of each of its calls. */
typedef struct omen_c_function {
  omen_line cases;
  uint32_t calls;
  omen_eid first; /* its first call */
} omen_c_function;

typedef struct omen_c {
  const omen_trace *trace;
  omen_err *err;
  bool free;
  omen_base_order base;

  omen_c_step *steps; /* by event */
  uint8_t *locks;     /* by lock: omen_c_lock */
  omen_c_thread *threads;
  omen_c_barrier *barriers;
  uint8_t *guarded; /* by condition: has waits without a mutex of its own */
  omen_tid main;    /* the thread that main runs, or OMEN_NONE */

  omen_c_variable *variables;
  omen_c_fills fills; /* sorted by writer, then variable */

  omen_c_names names;
  omen_c_function *functions; /* by function */
  omen_line bodies;           /* the functions of the threads */
  bool symbols;               /* some value is one */
} omen_c;

/* ---- what others need to know ---- */
/* The event at a position, OMEN_NONE past the end. */
omen_eid omen_c_at (const omen_c *c, uint64_t position);
/* The next event of e's thread, or OMEN_NONE. */
omen_eid omen_c_next (const omen_c *c, omen_eid e);
/* The wait that e is the return of, or OMEN_NONE. */
omen_eid omen_c_wait_of (const omen_c *c, omen_eid e);
/* Does this wait sleep on the condition's own guard, not on a mutex? */
bool omen_c_on_guard (const omen_c *c, const omen_event *wait);
/* Is the lock one whose users do not keep to the rules? */
bool omen_c_irregular (const omen_c *c, omen_lid lock);
/* The fills of a writer: [first, end). */
void omen_c_fills_of (const omen_c *c, omen_eid writer, omen_vid variable,
                      size_t *first, size_t *end);
/* The number that stands for a symbol. */
int64_t omen_c_symbol (uint64_t symbol);

/* ---- the stages ---- */
bool omen_c_plan (omen_c *c);
void omen_c_plan_fini (omen_c *c);
bool omen_c_memory (omen_c *c);
void omen_c_memory_fini (omen_c *c);
void omen_c_name (omen_c *c);
void omen_c_name_fini (omen_c *c);
void omen_c_bodies (omen_c *c);
void omen_c_bodies_fini (omen_c *c);
void omen_c_frame (omen_c *c, FILE *out);

/* ---- text ---- */
void omen_c_say (omen_line *line, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
void omen_c_append (omen_line *line, const omen_line *more);
const char *omen_c_text (const omen_c *c, omen_operand table, uint32_t id);
/* Where the compiler shall believe the next line to be. A location that is no
   file and line is a file of its own; none at all is the event's index. */
void omen_c_location (const omen_c *c, omen_line *line, uint32_t location,
                      omen_eid e);
/* As a C string, quotes included. */
void omen_c_quote (omen_line *line, const char *text, size_t length);
/* An identifier that nothing else in the program has. */
uint32_t omen_c_identifier (omen_c_names *names, const char *text,
                            size_t length, const char *kind);
/* An identifier that may hide others. */
void omen_c_local (omen_line *line, const char *text, size_t length);

void omen_c_constant (const omen_c *c, omen_line *line, unsigned kind,
                      uint64_t value, uint32_t size);
/* One statement (or some) that does the event, on one line, without turns. */
void omen_c_access (const omen_c *c, omen_line *line, omen_eid e);
/* Stores of what was chosen for the writer (OMEN_NONE: before the run), where
   no access can say it; `pointers` only. */
void omen_c_store_fills (const omen_c *c, omen_line *line, omen_eid writer,
                         omen_vid variable, bool pointers);
/* The numbers in a static variable before the run: " = …", or nothing. */
void omen_c_initial (const omen_c *c, omen_line *line, omen_vid variable);
/* The whole statement with its turns. */
void omen_c_sync (const omen_c *c, omen_line *line, omen_eid e);
/* `omen_turn (n); ` and `omen_next (n); `, or nothing in a free program. */
void omen_c_turn (const omen_c *c, omen_line *line, omen_eid e);
void omen_c_pass (const omen_c *c, omen_line *line, omen_eid e);

#endif
