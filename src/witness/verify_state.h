/* TRUSTED. Private to the verifier: the state after a prefix of a sequence, and
   what its files share.

   One state serves all witnesses of a trace. Each entry carries the epoch of
   the walk that last touched it; an entry of an older epoch counts as fresh.
   So a walk costs what it touches, not the size of the tables. */
#ifndef OMEN_WITNESS_VERIFY_STATE_H
#define OMEN_WITNESS_VERIFY_STATE_H

#include "witness/verify.h"
#include "witness/verify_facts.h"

typedef struct omen_thread_state {
  uint64_t epoch;
  uint32_t done;    /* how many of its events are in σ */
  uint32_t last_at; /* step of the latest of them */
  omen_eid bad;     /* its latest event, if that is a relevant read that is not
                       preserved, so that no event may follow; or OMEN_NONE */
  omen_eid lost;    /* its first read that is not preserved, relevant or not */
  omen_eid seen;    /* the write that `bad` saw instead */
  bool claimed;     /* it has one of the acquires of a deadlock claim */
} omen_thread_state;

typedef struct omen_semaphore_state {
  uint64_t epoch, count;
  uint32_t ops, inits; /* operations and seminits in σ */
} omen_semaphore_state;

typedef struct omen_round_state {
  uint64_t epoch;
  uint32_t arrived;
} omen_round_state;

typedef struct omen_object_state {
  uint64_t epoch;
  uint32_t leading; /* number of hbs in σ without a gap, in trace order */
} omen_object_state;

/* A notify in σ. `next` leads towards the first free one from this one on
   (itself, if it is free). */
typedef struct omen_signal {
  omen_eid event;
  uint32_t at; /* step */
  uint32_t next;
} omen_signal;

typedef struct omen_condition_state {
  uint64_t epoch;
  OMEN_VEC (omen_signal) ones, alls; /* notifies and notifyalls in σ */
} omen_condition_state;

typedef struct omen_atom_state {
  uint64_t epoch;
  omen_eid writer;         /* of the last write in σ, or OMEN_NONE */
  bool tainted;            /* writer is an rmw whose read is not preserved */
  uint32_t reads;          /* of that write in σ; lattice */
  uint32_t accesses, exts; /* in σ; only where the trace has an ext */
} omen_atom_state;

/* The notify that serves a return in σ, in the order of σ. */
typedef struct omen_service {
  omen_eid returned, notify;
} omen_service;

struct omen_verifier {
  const omen_trace *trace;
  omen_facts facts; /* constant once read */
  bool shares;      /* the facts belong to another verifier */
  uint64_t epoch;
  omen_thread_state *threads;
  omen_holding *locks;
  omen_semaphore_state *semaphores;
  omen_round_state *rounds;
  omen_object_state *objects;
  omen_condition_state *conditions;
  omen_atom_state *atoms;
  OMEN_VEC (omen_service) services;

  OMEN_VEC (omen_property_file) properties;

  const omen_witness *witness;
  omen_refusal refusal; /* of the last one */
  uint32_t step;        /* where the walk is; OMEN_NONE: at the claim */
  bool judging_trace;   /* the walk is over the trace itself */
  bool rival_before;    /* nondet: on a fitting atom, w came before c */
  omen_ids rivals;      /* nondet: w of the other fitting atoms */

  uint32_t *readers, *initial_readers; /* verify_read.c: lattice, by pair and by
                                          atom; made on first use */
  struct omen_slice *slice;            /* verify_slice.c, likewise */
  struct omen_reach *reach;            /* verify_order.c, likewise */
};

/* "step 4: T2:1 acq(l) at f.c:7: reason" or "claim: …"; false. */
bool omen_verify_refuse (const omen_verifier *v, omen_eid e, omen_err *err,
                         const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));

/* The state, fresh if this walk has not touched it. */
omen_thread_state *omen_state_thread (omen_verifier *v, omen_tid t);
omen_atom_state *omen_state_atom (omen_verifier *v, uint32_t a);
uint64_t omen_state_semaphore_count (omen_verifier *v, uint32_t id);
/* The down of a semaphore: are all seminits that precede it in σ? */
bool omen_state_semaphore_in_turn (omen_verifier *v, omen_eid down);
bool omen_state_round_full (omen_verifier *v, uint32_t round);
bool omen_state_has (omen_verifier *v, omen_eid e);  /* is e in σ? */
bool omen_state_next (omen_verifier *v, omen_eid e); /* next in its thread? */

/* verify_step.c: do rules 1 to 4 allow e after σ (`but_lock`: without rule 2)?
   And append e to σ, without checking rule 5. */
bool omen_step_enabled (omen_verifier *v, omen_eid e, bool but_lock,
                        omen_err *err);
void omen_step_apply (omen_verifier *v, omen_eid e);
/* verify_notify.c: the notify that a return would get, or OMEN_NONE; taking it,
   so that no other return gets it; and appending the return to σ with it. */
omen_eid omen_notify_for (omen_verifier *v, omen_eid returned);
omen_eid omen_notify_take (omen_verifier *v, omen_eid returned);
void omen_notify_give (omen_verifier *v, omen_eid returned);
void omen_notify_add (omen_verifier *v, omen_eid notify);

/* verify_read.c: rule 5. `goes_on`: may the thread of e go on to e, given its
   last read? `access`: the reading and writing of e itself, to be called before
   omen_step_apply. */
bool omen_read_goes_on (omen_verifier *v, omen_eid e, omen_err *err);
bool omen_read_access (omen_verifier *v, omen_eid e, omen_err *err);
/* Does the claimed e write, which is in σ or next after it? A compare-exchange
   only if its read is preserved. */
bool omen_read_writes (omen_verifier *v, omen_eid e);

/* verify_slice.c: which events are relevant (model sliced). Begin before the
   walk, end after it. */
void omen_slice_begin (omen_verifier *v);
bool omen_slice_relevant (const omen_verifier *v, omen_eid e);
void omen_slice_end (omen_verifier *v);
void omen_slice_free (struct omen_slice *slice);

/* verify_claim.c: is the claim of the right shape (before the walk), what e
   says about it (before e is appended), and does it hold (after the walk)? */
bool omen_claim_shape (omen_verifier *v, omen_err *err);
void omen_claim_step (omen_verifier *v, omen_eid e);
bool omen_claim_holds (omen_verifier *v, omen_err *err);
/* verify_misuse.c; is_trace: is σ the first `count` events of the trace? */
bool omen_claim_misuse (omen_verifier *v, omen_err *err);
bool omen_verify_is_trace (const omen_verifier *v, uint32_t count,
                           omen_err *err);
/* verify_stuck.c: as the run ended; verify_blocked.c: after any σ */
bool omen_claim_stuck (omen_verifier *v, omen_err *err);
bool omen_claim_blocked (omen_verifier *v, omen_err *err);
/* verify_lifetime.c; wants_write: must the read see the very write that it saw,
   even under a model that compares values? */
bool omen_claim_lifetime (omen_verifier *v, omen_err *err);
bool omen_lifetime_wants_write (const omen_verifier *v, omen_eid read);
/* verify_order.c: is there a path from a to b in synchronised order? */
bool omen_order_path (omen_verifier *v, omen_eid a, omen_eid b);
void omen_reach_free (struct omen_reach *reach, const omen_trace *trace);

#endif
