/* Private to the lattice: what each event needs from a cut and what it does to
   it, as short lists of gates, so that a step of the walk is a few compares.

     T1|w(x)   needs    nothing that another thread does
               sees     NEED_CLEAR bit 0 (no set of x is open)
               effects  SET bit 0 (its own is: a read saw it)
     T2|r(x)   sees     NEED T1 1
               effects  CLOSE set 0: clears bit 0 once all its reads are there

   Events that matter are steps (doc/semantics.md, "Cuts and runs"). The others
   only pass on the order of threads, which the clocks of the steps contain.
   What main does before it forks is part of the start; what it does after all
   other threads have ended needs only that.

   A cut is an array of 64-bit words. The key comes first: how many steps each
   thread has done and, for threads that wait for a notify, how many notifies
   are free for them. The rest follows from the key and is kept to save time: a
   bit for each open atomic set (an atom's, or a lock's: its acquire is the
   write and its release the read) and counters of semaphores and of readers in
   a lock.

   Invariant of every cut that the walk reaches: at most one started set of an
   atom is incomplete (doc/semantics.md, "Atomic sets"). So a read is allowed
   once its write has happened, a write while the atom's bit is clear.

   Notifies. For each waiting thread it suffices to count the notifies since its
   wait that no return has taken. Those since a later wait are a subset of those
   since an earlier one, so a return that takes the earliest notify available to
   it takes one from exactly the waiters with at least as many. */
#ifndef OMEN_MODEL_LATTICE_PLAN_H
#define OMEN_MODEL_LATTICE_PLAN_H

#include "model/model.h"

typedef enum omen_gate_kind {
  /* rules 1 to 4, and what reads see */
  OMEN_GATE_NEED,     /* thread a has done b steps or more */
  OMEN_GATE_CLEAR,    /* bit a is clear */
  OMEN_GATE_HELD,     /* bit a is set, or counter b (if any) not 0 */
  OMEN_GATE_ZERO,     /* counter a is 0 */
  OMEN_GATE_POSITIVE, /* counter a is not */
  OMEN_GATE_NOTIFIED, /* a notify is free for the thread of slot a */
  /* effects on the key */
  OMEN_GATE_TAKE,       /* the thread of slot a takes a notify of condition b */
  OMEN_GATE_NOTIFY,     /* condition a */
  OMEN_GATE_NOTIFY_ALL, /* condition a */
  /* effects on the rest */
  OMEN_GATE_SET,   /* bit a */
  OMEN_GATE_UNSET, /* bit a */
  OMEN_GATE_CLOSE, /* unset bit a if set b is complete */
  OMEN_GATE_MORE,  /* counter a */
  OMEN_GATE_LESS   /* counter a */
} omen_gate_kind;

typedef struct omen_gate {
  omen_gate_kind kind;
  uint32_t a, b;
} omen_gate;

/* The gates of a step: gates[needs … sees) are rules 1 to 4, [sees … keys) the
   conditions of atomic sets, [keys … rest) effects on the key, [rest … next
   step's needs) effects on the rest. */
typedef struct omen_lattice_step {
  omen_eid event;
  uint32_t needs, sees, keys, rest;
} omen_lattice_step;

/* A part of an atomic set: the thread must have done this many steps. A set is
   complete when all its parts are. */
typedef struct omen_due {
  omen_tid thread;
  uint32_t count;
} omen_due;

/* Of an event, as bits. */
enum {
  OMEN_ROLE_STEP = 1,
  OMEN_ROLE_BEFORE = 2, /* outside: before all that other threads do */
  OMEN_ROLE_AFTER = 4   /* after all that they do */
};

typedef struct omen_lattice {
  const omen_model *model;
  uint32_t threads;
  uint32_t step_count;
  uint8_t *role;      /* by event */
  uint32_t *among;    /* by thread and index: steps of the thread up to there */
  omen_eid *observed; /* steps in the order of the trace */
  bool wide;          /* numbers of the key are of 32 bits, else of 16 */
  uint32_t slots, bits, counters;
  uint32_t key_words, words;     /* of a cut */
  uint32_t bits_at, counters_at; /* words: where these begin */
  uint32_t *first_step;          /* by thread, and one more */
  omen_lattice_step *steps;      /* grouped by thread; one more at the end */
  uint32_t *waits_for;           /* by step: the condition its thread waits
                                    for after it, or OMEN_NONE */
  omen_tid *slot_thread;         /* by slot: a thread that at some time waits
                                    for a notify */
  OMEN_VEC (omen_gate) gates;
  omen_ids set_first; /* by set, and one more: in dues */
  OMEN_VEC (omen_due) dues;
  uint64_t *start; /* the first cut: `words` words */
} omen_lattice;

/* `spoken`, by event: it is a step, whatever its kind (a property mentions it);
   NULL: none. */
omen_lattice *omen_lattice_new (const omen_model *model, const uint8_t *spoken);
void omen_lattice_free (omen_lattice *plan);
/* Roles and numbers of steps; a part of _new. */
void omen_lattice_number (omen_lattice *plan, const uint8_t *spoken);

/* Steps among the first n events of the thread. */
static inline uint32_t
omen_lattice_among (const omen_lattice *plan, omen_tid t, uint32_t n)
{
  return n ? plan->among[plan->model->trace->threads.data[t].first + n - 1] : 0;
}

/* ---- cuts ---- */

static inline uint32_t
omen_cut_number (const omen_lattice *plan, const uint64_t *cut, uint32_t i)
{
  return plan->wide ? ((const uint32_t *)cut)[i] : ((const uint16_t *)cut)[i];
}

static inline void
omen_cut_put (const omen_lattice *plan, uint64_t *cut, uint32_t i, uint32_t n)
{
  if (plan->wide)
    ((uint32_t *)cut)[i] = n;
  else
    ((uint16_t *)cut)[i] = (uint16_t)n;
}

/* Number of steps of thread t in the cut. */
static inline uint32_t
omen_cut_done (const omen_lattice *plan, const uint64_t *cut, omen_tid t)
{
  return omen_cut_number (plan, cut, t);
}

/* The next step of the thread, or NULL. */
static inline const omen_lattice_step *
omen_cut_next (const omen_lattice *plan, const uint64_t *cut, omen_tid t)
{
  uint32_t i = plan->first_step[t] + omen_cut_done (plan, cut, t);
  return i < plan->first_step[t + 1] ? &plan->steps[i] : NULL;
}

/* Does the cut satisfy all gates [from, to)? */
bool omen_cut_passes (const omen_lattice *plan, const uint64_t *cut,
                      uint32_t from, uint32_t to);
/* The key of the cut after an enabled step, into to[0 … key_words). */
void omen_cut_advance (const omen_lattice *plan, const uint64_t *cut,
                       const omen_lattice_step *step, uint64_t *to);
/* The other words of the cut after the step; `to` has the key already. */
void omen_cut_finish (const omen_lattice *plan, const uint64_t *cut,
                      const omen_lattice_step *step, uint64_t *to);
/* Apply one effect to the other words of a cut. */
void omen_cut_act (const omen_lattice *plan, uint64_t *to,
                   const omen_gate *effect);
/* Of two steps that are each enabled: are they together, with a notify for each
   of them? */
bool omen_cut_together (const omen_lattice *plan, const uint64_t *cut,
                        const omen_lattice_step *a, const omen_lattice_step *b);

#endif
