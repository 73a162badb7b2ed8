/* The machine that runs reorderings: a state, the steps it allows, and where
   they lead. doc/semantics.md, section 3.

   A state is everything about σ that the rest of σ can depend on:
     cut      the events of σ
     broken   the reads of σ that are not preserved
     last     the last writer of each atom that somebody reads
     since    for each wait in σ, the notifies after it and before its return
   What is held, the counts of semaphores and the rounds of barriers follow from
   the cut. A state is packed into `words` 64-bit words, so that two states are
   the same if their words are. */
#ifndef OMEN_TEST_ORACLE_MACHINE_H
#define OMEN_TEST_ORACLE_MACHINE_H

#include "facts.h"

#define MOST_WORDS (2 + MOST_ATOMS / 8 + MOST_WAITS)

typedef struct state {
  uint64_t word[MOST_WORDS];
} state;

#define CUT word[0]
#define BROKEN word[1]

typedef struct machine {
  const facts *facts;
  omen_model_name model;
  bool keep_sections;          /* see oracle_request */
  unsigned words, since;       /* since: first word of the waits */
  uint8_t byte_of[MOST_ATOMS]; /* of `last`, or NOBODY */
} machine;

/* The model of a sliced machine without dependences becomes value. */
void machine_init (machine *m, const facts *f, omen_model_name model);
void machine_start (const machine *m, state *s);

/* The next event of the thread, or NOBODY. */
unsigned machine_next (const machine *m, const state *s, unsigned t);
/* The latest event of the thread, or NOBODY. */
unsigned machine_latest (const machine *m, const state *s, unsigned t);
/* Rules 2 to 4 for the next event e of its thread; the second leaves out the
   lock that e takes. */
bool machine_enabled (const machine *m, const state *s, unsigned e);
bool machine_enabled_but_lock (const machine *m, const state *s, unsigned e);
/* Are these events, next in their threads and enabled one by one, enabled
   together: is there a notify for each? */
bool machine_together (const machine *m, const state *s, event_set claimed);
/* May e, next in its thread, follow as far as rule 5 goes: is the read before
   it preserved? Always under sliced, where claims decide. */
bool machine_follows (const machine *m, const state *s, unsigned e);
/* Take the enabled step e that follows. False if the model forbids it (lattice,
   kept sections). */
bool machine_step (const machine *m, const state *s, unsigned e, state *to);

/* The writer that a read of the atom would see now; NOBODY: the initial one. */
unsigned machine_writer (const machine *m, const state *s, unsigned a);
/* Would this glimpse be preserved if taken now? */
bool machine_preserves (const machine *m, const state *s, const glimpse *g);
/* Does e, in σ or next, write? A compare-exchange whose read is not preserved
   does not. */
bool machine_writes (const machine *m, const state *s, unsigned e);
/* Given facts_conflict: does one of them write? */
bool machine_conflict (const machine *m, const state *s, unsigned a,
                       unsigned b);
/* Locks held by the thread, in write and in read mode. */
uint64_t machine_holds_write (const machine *m, const state *s, unsigned t);
uint64_t machine_holds_read (const machine *m, const state *s, unsigned t);

/* Under sliced: are all relevant reads that have a successor preserved, given
   the claimed events? True under the other models, where no state is reached
   otherwise. */
bool machine_sound (const machine *m, const state *s, event_set claimed);

#endif
