/* What one trace means (doc/semantics.md, sections 1 to 3): computed once by
   omen_model_new, then constant, so any number of threads may share it. Plain
   arrays of small integers, indexed by the ids of base/defs.h or as their
   comments say.

     T1|acq(l)    at[0] = section 0                  sections[0] =
     T1|w(x=5)    at[1] = slot 0, value[0] = "5"       { l, T1, 0, 2, WRITE }
     T1|rel(l)    at[2] = section 0                  set_of[1] = { l in 0 }
     T2|r(x=5)    at[3] = slot 1, from[1] = event 1, value[1] == value[0]

   Ranges. A table that groups another one gives the entries of i as [first[i],
   first[i + 1]). It has one entry more than its count says, of which only the
   `first…` fields are valid.

   Order. "Order of the trace" is the base order: `order` and `position` are
   NULL if that is the order of the file. Every list of events below is in
   this order. Within a thread it is always the order of event ids too.

   Invariants: those of the comments below; omen_model_valid checks them.
   Memory: about 32 bytes an access, 12 any other event, plus 28 a critical
   section, plus tables by name.
   Owner: the model owns all of it; the trace must outlive the model. */
#ifndef OMEN_MODEL_MODEL_H
#define OMEN_MODEL_MODEL_H

#include "trace/atoms.h"      /* omen_span */
#include "trace/wellformed.h" /* omen_misused */

/* ---- memory ---- */

/* A segment of a variable that no access of the trace divides. Its accesses are
   accesses[first …], in order; an rmw is listed once, and alloc, free and ext
   count as writes. So the reads that saw a write lie between it and the next
   write. */
typedef struct omen_atom {
  omen_vid variable;
  uint32_t first;      /* in accesses */
  uint32_t first_cell; /* in cells */
  uint32_t initial;    /* value id of the initial write */
} omen_atom;

/* The accesses of one atom by one thread, in order:
     writes  members[first_write … first_read)
     reads   members[first_read … next cell's first_write)
   An rmw is in both. Cells of an atom are sorted by thread. */
typedef struct omen_cell {
  omen_tid thread;
  uint32_t first_write, first_read;
} omen_cell;

/* Value ids: equal if the values are equal, OMEN_NONE if not known. The low
   two bits are the class of the value (bytes, token, whole): two known values
   are comparable if these agree. Ids of different atoms must not be
   compared. */
static inline bool
omen_value_comparable (uint32_t a, uint32_t b)
{
  return a != OMEN_NONE && b != OMEN_NONE && ((a ^ b) & 3) == 0;
}

/* ---- locks ---- */

/* From an outermost acquire to its release, of a regular lock. A wait(c,l)
   ends one and its wake(c,l) starts the next. Grouped by lock, in order of the
   acquires (see lock_sections). */
typedef struct omen_section {
  omen_lid lock;
  omen_tid thread;
  omen_eid acquire; /* acq, racq or wake */
  omen_eid release; /* rel, rrel or wait; OMEN_NONE: still held at the end */
  uint32_t mode;    /* OMEN_LOCK_WRITE or OMEN_LOCK_READ */
} omen_section;

/* The sections of one lock by one thread: lock_members[first …], section ids
   ascending (hence in order). Cells of a lock are sorted by thread. */
typedef struct omen_lock_cell {
  omen_tid thread;
  uint32_t first;
} omen_lock_cell;

/* One lock held. */
typedef struct omen_held {
  omen_lid lock;
  uint32_t mode;
  uint32_t section;
} omen_held;

/* A section of a word that is used as a lock (model_words.c): from the rmw that
   acquires it to the write that releases it. Under value, sections of one atom
   exclude each other, if the reads of their `taken` are preserved. */
typedef struct omen_word_section {
  uint32_t atom;
  omen_tid thread;
  omen_eid taken;
  omen_eid given; /* OMEN_NONE: never */
  bool strong;    /* all sections of the atom acquire and release */
} omen_word_section;

/* A set of regular locks held: held[first …], sorted by lock (then mode). Set 0
   is empty. `locks` identifies the locks and modes regardless of sections:
   dense ids from 0 (no locks). */
typedef struct omen_set {
  uint32_t first;
  uint32_t locks;
} omen_set;

/* ---- other synchronisation ---- */

/* A wait and its return, grouped by condition in order of the waits. */
typedef struct omen_wait {
  uint32_t condition;
  omen_eid wait;
  omen_eid back;   /* its return, OMEN_NONE if the thread ends in the wait */
  omen_lid lock;   /* of wait(c,l), else OMEN_NONE */
  uint32_t ends;   /* section that the wait ends, or OMEN_NONE */
  uint32_t begins; /* section that the wake begins, or OMEN_NONE */
  bool needs;      /* the return needs a notify */
} omen_wait;

/* The operations on a semaphore between two seminits, grouped by semaphore, in
   order. The first of each semaphore has init OMEN_NONE. `start` is capped at
   INT32_MAX, more than any trace counts down. */
typedef struct omen_semaphore {
  uint32_t semaphore;
  omen_eid init;  /* the seminit that starts it, or OMEN_NONE */
  uint32_t start; /* count at its start */
  uint32_t first; /* in sem_ops: up, down, semfail */
} omen_semaphore;

/* One round of a barrier, grouped by barrier, in order. Complete if it has
   `size` arrivals; only the last of a barrier may not be. */
typedef struct omen_round {
  uint32_t barrier;
  uint32_t size;         /* n of its arrivals */
  uint32_t first_arrive; /* in arrives */
  uint32_t first_depart; /* in departs */
} omen_round;

/* A begin … end or enter … exit, grouped by thread, in order of the
   openings. */
typedef struct omen_model_region {
  omen_eid open;
  omen_eid close;  /* OMEN_NONE: to the end of its thread */
  uint32_t parent; /* innermost block of the thread open at `open`, or NONE */
} omen_model_region;

typedef struct omen_model {
  const omen_trace *trace;
  uint32_t event_count, thread_count, lock_count, variable_count;
  const omen_eid *order;    /* by position; NULL: identity */
  const uint32_t *position; /* by event; NULL: identity */
  const char *warning;      /* why the base order is not the file's, or NULL */

  /* Where an event is in its table:
       access          its first slot
       acq racq rel rrel   section (OMEN_NONE: nested, or irregular lock)
       wait wake       in waits
       seminit up down semfail   in semaphores
       arrive depart   in rounds
       begin enter end exit      in blocks (OMEN_NONE: opening not in trace)
       others          OMEN_NONE */
  const uint32_t *at;
  const uint32_t *set_of; /* locks held just before the event: in sets */
  const omen_cid *clock;  /* what must come before the event: a clock */

  /* Memory. An access to a place of k atoms has k slots, one an atom in order
     of the atoms; an rmw has 2k: k for its read, then k for its write. */
  const omen_span *place_atoms; /* by place: atoms, consecutive */
  const omen_atom *atoms;
  const omen_eid *accesses; /* grouped by atom */
  const omen_cell *cells;   /* grouped by atom */
  const omen_eid *members;  /* grouped by cell */
  const omen_eid *from;     /* by slot: the write that a read saw, OMEN_NONE
                               the initial one; of a write: OMEN_NONE */
  const uint32_t *value;    /* by slot: value id read or written */
  const uint32_t *rank;     /* by slot: place in accesses */
  const omen_eid *alloc_of; /* by variable: its alloc, or OMEN_NONE */
  uint32_t atom_count, slot_count;
  const omen_word_section *word_sections; /* by atom, thread, order */
  uint32_t word_section_count;
  const uint32_t *word_order; /* word sections by thread, then order */
  const uint32_t *word_first; /* by thread: in word_order (a range) */

  /* Locks. */
  const uint8_t *irregular;      /* by lock: all its operations are in
                                    must-before order, it has no sections */
  const uint32_t *lock_sections; /* by lock: first section (a range) */
  const omen_section *sections;
  const uint32_t *lock_cells_first; /* by lock: first lock cell (a range) */
  const omen_lock_cell *lock_cells;
  const uint32_t *lock_members;
  const omen_set *sets;
  const omen_held *held;
  const uint32_t *end_set;    /* by thread: locks held after its last event */
  const uint32_t *lock_tries; /* by lock: first in tries (a range) */
  const omen_eid *tries;      /* tryfail, rtryfail */
  uint32_t section_count, set_count;

  /* Threads. */
  const uint32_t *thread_joins; /* by thread: first in joins (a range) */
  const omen_eid *joins;        /* join events, by thread joined */

  /* Conditions, semaphores, barriers, hb/ha, blocks. */
  const uint32_t *condition_waits; /* by condition: first wait (a range) */
  const omen_wait *waits;
  const uint32_t *condition_notifies; /* first in notifies (a range) */
  const omen_eid *notifies;           /* notify and notifyall */
  const uint32_t *server; /* by wait: the notify that woke it in the trace, in
                             notifies; OMEN_NONE: it needs none */
  const uint32_t *semaphore_first; /* by semaphore: in semaphores (range) */
  const omen_semaphore *semaphores;
  const omen_eid *sem_ops;
  const uint32_t *barrier_rounds; /* by barrier: first round (a range) */
  const omen_round *rounds;
  const omen_eid *arrives, *departs;
  const uint32_t *object_ops;    /* by object: in hb_ops (a range) */
  const omen_eid *hb_ops;        /* hb and ha */
  const uint32_t *thread_blocks; /* by thread: first block (a range) */
  const omen_model_region *blocks;
  uint32_t wait_count, semaphore_count, round_count, block_count;

  const omen_misused *misuses; /* in order */
  uint32_t misuse_count;

  /* Clocks: for thread t, the number of events of t that must come before.
     Flat: clock_words[c * clock_stride + t]. Chunked (many threads): that
     stride holds ids of chunks of OMEN_CLOCK_CHUNK threads. */
  const uint32_t *clock_words;
  const uint32_t *clock_chunks; /* NULL: flat */
  uint32_t clock_stride, clock_count;

  struct omen_model_store *store; /* private: owner of all arrays */
} omen_model;

#define OMEN_CLOCK_CHUNK 16u

/* Check that the trace is well-formed and read it. NULL: err says which event
   is wrong (exit 3). Linear in the trace but for sorting. */
omen_model *omen_model_new (const omen_trace *trace, omen_err *err);
void omen_model_free (omen_model *model);

/* Every invariant, recomputed the slow way: for OMEN_CHECK and tests. */
bool omen_model_valid (const omen_model *model);

/* What reads must see in a reordering (the models of doc/semantics.md). Without
   dependences in the trace, sliced equals value. */
typedef enum omen_preserve {
  OMEN_PRESERVE_RF,
  OMEN_PRESERVE_VALUE,
  OMEN_PRESERVE_SLICED,
  OMEN_PRESERVE_NOTHING /* anything: only synchronisation, alloc, free and ext
                           restrict. No model of programs, but what it refutes
                           is impossible whatever the values */
} omen_preserve;

/* Does the trace record dependences? O(extras). */
bool omen_model_depends (const omen_model *model);

/* ---- queries, all O(1) unless said ---- */

static inline const omen_event *
omen_model_event (const omen_model *model, omen_eid e)
{
  OMEN_CHECK (e < model->event_count);
  return &model->trace->events.data[e];
}

static inline omen_tid
omen_model_thread (const omen_model *model, omen_eid e)
{
  OMEN_CHECK (e < model->event_count);
  return model->trace->events.data[e].thread;
}

/* Position of e in the order of the trace. */
static inline uint32_t
omen_model_position (const omen_model *model, omen_eid e)
{
  OMEN_CHECK (e < model->event_count);
  return model->position ? model->position[e] : e;
}

/* The event at a position. */
static inline omen_eid
omen_model_nth (const omen_model *model, uint32_t position)
{
  OMEN_CHECK (position < model->event_count);
  return model->order ? model->order[position] : position;
}

/* Append the first `count` events of the trace. */
void omen_model_prefix (const omen_model *model, uint32_t count,
                        omen_ids *sequence);

/* Next and previous event of e's thread, or OMEN_NONE. */
static inline omen_eid
omen_model_next (const omen_model *model, omen_eid e)
{
  const omen_trace *trace = model->trace;
  const omen_thread *thread
      = &trace->threads.data[trace->events.data[e].thread];
  uint32_t next = trace->index[e] + 1;
  return next < thread->count ? trace->by_thread[thread->first + next]
                              : OMEN_NONE;
}

static inline omen_eid
omen_model_previous (const omen_model *model, omen_eid e)
{
  const omen_trace *trace = model->trace;
  const omen_thread *thread
      = &trace->threads.data[trace->events.data[e].thread];
  uint32_t i = trace->index[e];
  return i ? trace->by_thread[thread->first + i - 1] : OMEN_NONE;
}

/* How many events of thread t (not e's own) must come before e. */
static inline uint32_t
omen_model_before (const omen_model *model, omen_eid e, omen_tid t)
{
  const uint32_t *words
      = model->clock_words + (size_t)model->clock[e] * model->clock_stride;
  if (!model->clock_chunks)
    return words[t];
  return model
      ->clock_chunks[(size_t)words[t / OMEN_CLOCK_CHUNK] * OMEN_CLOCK_CHUNK
                     + t % OMEN_CLOCK_CHUNK];
}

/* Do rules 1 to 4 force a before b in every reordering that has b, or that has
   b next (if b is an acquire, even while its lock is held)? Irreflexive and
   transitive. A yes is certain, a no is not. */
static inline bool
omen_model_must_before (const omen_model *model, omen_eid a, omen_eid b)
{
  const uint32_t *index = model->trace->index;
  omen_tid t = omen_model_thread (model, a);
  return t == omen_model_thread (model, b)
             ? index[a] < index[b]
             : index[a] < omen_model_before (model, b, t);
}

/* Do a and b lie in sections of the same word? Then they are never both next
   under rf and value, and if the word is strong, the first synchronises with
   the second. May miss some if very many sections are open. */
bool omen_model_share_word (const omen_model *model, omen_eid a, omen_eid b,
                            bool strong);

/* Index in thread t of the first event that must come after e, or the number
   of t's events. O(log n). */
uint32_t omen_model_after (const omen_model *model, omen_eid e, omen_tid t);

/* Atoms of the place of an access. */
static inline omen_span
omen_model_atoms (const omen_model *model, omen_eid e)
{
  OMEN_CHECK (e < model->event_count
              && omen_kind_class (model->trace->events.data[e].kind)
                     == OMEN_CLASS_ACCESS);
  return model->place_atoms[model->trace->events.data[e].object];
}

/* Slot of access e for atom a of its place: what it reads, what it writes. */
static inline uint32_t
omen_model_read_slot (const omen_model *model, omen_eid e, uint32_t atom)
{
  OMEN_CHECK (atom - omen_model_atoms (model, e).first
              < omen_model_atoms (model, e).count);
  return model->at[e] + (atom - omen_model_atoms (model, e).first);
}

static inline uint32_t
omen_model_write_slot (const omen_model *model, omen_eid e, uint32_t atom)
{
  omen_span atoms = omen_model_atoms (model, e);
  uint32_t slot = model->at[e] + (atom - atoms.first);
  return omen_model_event (model, e)->kind == OMEN_ATOMIC_RMW
             ? slot + atoms.count
             : slot;
}

/* Value id that the write w (OMEN_NONE: the initial one) gives to the atom. */
static inline uint32_t
omen_model_written (const omen_model *model, omen_eid w, uint32_t atom)
{
  return w == OMEN_NONE ? model->atoms[atom].initial
                        : model->value[omen_model_write_slot (model, w, atom)];
}

/* Would the read r, seeing the write w (OMEN_NONE: initial) in this atom, be
   preserved: under rf, and under value? */
static inline bool
omen_model_same_write (const omen_model *model, omen_eid r, omen_eid w,
                       uint32_t atom)
{
  return model->from[omen_model_read_slot (model, r, atom)] == w;
}

static inline bool
omen_model_same_value (const omen_model *model, omen_eid r, omen_eid w,
                       uint32_t atom)
{
  uint32_t slot = omen_model_read_slot (model, r, atom);
  uint32_t read = model->value[slot];
  uint32_t written = omen_model_written (model, w, atom);
  return omen_value_comparable (read, written) ? read == written
                                               : model->from[slot] == w;
}

/* The compare-exchange among two conflicting accesses that has to succeed,
   since the other one does not write; or OMEN_NONE. */
static inline omen_eid
omen_model_swap (const omen_model *model, omen_eid a, omen_eid b)
{
  const omen_event *x = omen_model_event (model, a);
  const omen_event *y = omen_model_event (model, b);
  if (omen_event_is_cas (x) && !omen_kind_writes (y->kind))
    return a;
  return omen_event_is_cas (y) && !omen_kind_writes (x->kind) ? b : OMEN_NONE;
}

/* The section in which e's thread holds the lock just before e, OMEN_NONE if
   it does not. O(locks held). */
uint32_t omen_model_holds (const omen_model *model, omen_eid e, omen_lid lock);

/* Of the sections of one thread in a lock cell, how many are acquired among the
   first `count` events of the thread; and the last of them, or OMEN_NONE.
   O(log n). */
uint32_t omen_model_sections_begun (const omen_model *model, uint32_t cell,
                                    uint32_t count);
uint32_t omen_model_last_section (const omen_model *model, uint32_t cell,
                                  uint32_t count);

/* Do two sets hold a common lock in conflicting modes? O(locks held). */
bool omen_model_sets_exclude (const omen_model *model, uint32_t a, uint32_t b);

/* Do two accesses conflict, at least one of them not atomic (section 4)? */
bool omen_model_may_race (const omen_model *model, omen_eid a, omen_eid b);

/* The wait that e is the return of: in waits, or OMEN_NONE. */
uint32_t omen_model_return_of (const omen_model *model, omen_eid e);

/* The cell of a thread in an atom, or OMEN_NONE. O(log threads). */
uint32_t omen_model_cell (const omen_model *model, uint32_t atom, omen_tid t);

/* In a list of events of one thread, ascending: how many are below e. Use with
   members, e.g. the last write of a cell before e. O(log n). */
uint32_t omen_model_count_below (const omen_eid *list, uint32_t count,
                                 omen_eid e);

/* The innermost block that e lies in (a begin and its end lie inside it), or
   OMEN_NONE. O(log blocks + depth). */
uint32_t omen_model_block (const omen_model *model, omen_eid e);

#endif
