/* The state of a program after some steps of a run, in another order in which
   every thread observed what it did in the run: an array of words, so that
   states can be compared and stored.

     omen_replica *replica = omen_replica_new (steps, spurious);
     omen_replica_start (replica, words);
     omen_replica_step (replica, words, thread, choice, &other)

   Words: how many steps each thread has taken; whether it waits at a
   condition or a barrier; the write that each shared atom has (of those with
   one value the first); locks, semaphores, barriers. */
#ifndef OMEN_EXPLORE_REPLICA_H
#define OMEN_EXPLORE_REPLICA_H

#include "explore/steps.h"

typedef struct omen_replica {
  const omen_steps *steps;
  bool spurious;           /* waits may end without a notify */
  uint32_t threads, words; /* of a state */
  uint32_t asleep, memory, locks, semaphores, barriers; /* first words */
  uint32_t *cell;    /* by atom: its word, OMEN_NONE: not shared */
  uint32_t *same;    /* by slot: the first write with this value */
  uint32_t *settled; /* by step and thread: how many steps of the thread
                        have to be taken until nothing is left that
                        conflicts with the step */
  omen_eid *seen;    /* room for the atoms of a place */
} omen_replica;

/* What a thread's next step would do. */
typedef enum omen_step_outcome {
  OMEN_MOVE_TAKEN,   /* as in the run */
  OMEN_MOVE_BLOCKED, /* it has to wait, or has ended */
  OMEN_MOVE_OTHER    /* it can go on, and observes something else */
} omen_step_outcome;

typedef struct omen_other {
  uint64_t observed;
  uint64_t instead; /* or this, as the operation may be one of two */
  bool known;       /* the new run will name it by one of these */
} omen_other;

omen_replica *omen_replica_new (const omen_steps *steps, bool spurious);
void omen_replica_free (omen_replica *replica);
void omen_replica_start (const omen_replica *replica, uint32_t *words);
/* TAKEN changes the words. `choice`: which waiting thread a notify wakes. */
omen_step_outcome omen_replica_step (const omen_replica *replica,
                                     uint32_t *words, omen_tid t,
                                     uint32_t choice, omen_other *other);
/* In how many ways its next step can be taken (1 but for notifies). */
uint32_t omen_replica_choices (const omen_replica *replica,
                               const uint32_t *words, omen_tid t);
/* Does the thread's next step conflict with no remaining step of others? */
bool omen_replica_is_settled (const omen_replica *replica,
                              const uint32_t *words, omen_tid t);

/* Does it wait at a condition, not notified? */
bool omen_replica_sleeps (const omen_replica *replica, const uint32_t *words,
                          omen_tid t);
/* Has its parent created the thread? */
bool omen_replica_born (const omen_replica *replica, const uint32_t *words,
                        omen_tid t);

static inline const omen_run_step *
omen_replica_next (const omen_replica *replica, const uint32_t *words,
                   omen_tid t)
{
  const omen_steps_thread *thread = &replica->steps->threads[t];
  return words[t] < thread->count
             ? &replica->steps->steps.data[thread->first + words[t]]
             : NULL;
}

#endif
