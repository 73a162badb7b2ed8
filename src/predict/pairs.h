/* Candidates for races: conflicting accesses of two threads, in groups.

   Accesses of one atom that a race question can hardly tell apart (same thread,
   location, kind and locks held) form a class. Two classes conflict if their
   threads differ, one of them writes, not both are atomic, and no lock excludes
   them: decided once for all their pairs of events. A group (omen_group_by) is
   a list of conflicting class pairs. */
#ifndef OMEN_PREDICT_PAIRS_H
#define OMEN_PREDICT_PAIRS_H

#include "predict/asker.h"

typedef struct omen_pairs omen_pairs;

/* Past `deadline` no more are looked for, which counts as cut short. */
omen_pairs *omen_pairs_new (const omen_model *model, omen_group_by group,
                            omen_deadline deadline);
bool omen_pairs_cut_short (const omen_pairs *pairs);
void omen_pairs_free (omen_pairs *pairs);
uint32_t omen_pairs_groups (const omen_pairs *pairs);
/* omen_enumerate: the pairs of a group, close ones first. */
void omen_pairs_each (const void *pairs, uint32_t group, omen_asker_each each,
                      void *context);
/* The same, with the pairs that must come in one order and so can only race by
   order. */
void omen_pairs_each_ordered (const void *pairs, uint32_t group,
                              omen_asker_each each, void *context);

#endif
