/* Candidates for races: conflicting accesses of two threads, in groups.

   Accesses of one atom with the same thread, location, kind and locks held form
   a class. Two classes conflict if their threads differ, at least one writes,
   not both are atomic, and they hold no lock in conflicting modes; that is
   decided once for all their pairs of events. A group (omen_group_by) is a list
   of conflicting class pairs. */
#ifndef OMEN_PREDICT_PAIRS_H
#define OMEN_PREDICT_PAIRS_H

#include "predict/asker.h"

typedef struct omen_pairs omen_pairs;

/* The search for candidates stops at `deadline`, which counts as cut short. */
omen_pairs *omen_pairs_new (const omen_model *model, omen_group_by group,
                            omen_deadline deadline);
bool omen_pairs_cut_short (const omen_pairs *pairs);
void omen_pairs_free (omen_pairs *pairs);
uint32_t omen_pairs_groups (const omen_pairs *pairs);
/* Pairs (earlier, later) of a group, close ones first, without those that are
   ordered by must-happen-before; `quick`, if not NULL: nor by its clocks, so
   that they cannot be next together. */
void omen_pairs_each (const omen_pairs *pairs, const omen_quick *quick,
                      uint32_t group, omen_asker_each each, void *context);
/* With the ordered ones: these can only be races by order (race-order). */
void omen_pairs_each_ordered (const omen_pairs *pairs, uint32_t group,
                              omen_asker_each each, void *context);

#endif
