/* Private to the candidates for races: shared by pairs.c (classes of accesses,
   groups of their pairs) and pairs_each.c (the pairs of events). */
#ifndef OMEN_PREDICT_PAIRS_BUILD_H
#define OMEN_PREDICT_PAIRS_BUILD_H

#include "base/map.h"
#include "predict/pairs.h"

/* Accesses of one atom with the same thread, location, kind and locks held. */
typedef struct omen_access_class {
  uint32_t atom, location;
  uint32_t set; /* locks held by the first member; all hold the same */
  omen_tid thread;
  uint8_t reads, writes, atomic;
  uint32_t first, count; /* in members, in order of the trace */
} omen_access_class;

typedef struct omen_class_pair {
  uint32_t a, b;
  uint32_t from; /* the first position at which both have had a member */
} omen_class_pair;

typedef struct omen_pair_group {
  uint32_t pairs; /* the group's first, once sorted */
  uint32_t count;
  omen_eid second; /* OMEN_GROUP_EVENT: the later event of its pairs; such
                      groups have no class pairs */
} omen_pair_group;

struct omen_pairs {
  const omen_model *model;
  omen_group_by by;
  omen_deadline deadline;
  bool cut_short;
  OMEN_VEC (omen_access_class) classes; /* by atom */
  uint32_t *atom_classes; /* by atom: its first class; one entry more */
  omen_ids members;
  OMEN_VEC (omen_class_pair) pairs; /* in the order found */
  omen_ids pair_group;              /* by pair, while building */
  OMEN_VEC (omen_pair_group) groups;
  omen_map keys;
};

/* The class of e, without members. */
static inline omen_access_class
omen_access_class_of (const omen_model *m, omen_eid e)
{
  const omen_event *event = omen_model_event (m, e);
  return (omen_access_class){ .location = event->location,
                              .set = m->set_of[e],
                              .thread = event->thread,
                              .reads = omen_kind_reads (event->kind),
                              .writes = omen_kind_writes (event->kind),
                              .atomic = omen_kind_atomic (event->kind) };
}

/* Do accesses of these classes conflict, by thread, kind and locks held? */
bool omen_classes_conflict (const omen_pairs *p, const omen_access_class *a,
                            const omen_access_class *b);

#endif
