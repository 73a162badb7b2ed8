/* Private to model_clocks.c and model_choices.c: the walk that computes
   must-happen-before. */
#ifndef OMEN_MODEL_MODEL_WALK_H
#define OMEN_MODEL_MODEL_WALK_H

#include "model/clocks.h"
#include "model/model_build.h"

enum { OMEN_PLACE_ALLOCATED = 1, OMEN_PLACE_EXTERNAL = 2 };

/* hb and ha operations of an object so far. */
typedef struct omen_walk_object {
  uint32_t seen;   /* operations walked */
  uint32_t merged; /* of these, in `joined` */
  omen_cid joined;
} omen_walk_object;

typedef struct omen_model_walk {
  const omen_model *model;
  const omen_trace *trace;
  omen_clocks clocks;
  omen_cid *clock; /* by event; of events ahead: as the previous walk left it */
  omen_cid *own;   /* by thread */
  bool *waiting;   /* by thread: its last event is a wait */
  uint32_t *took;  /* by thread: section that its last event began, or NONE */
  omen_cid *entered;   /* by lock cell and mode: the thread's clock just inside
                          the last section entered, or OMEN_NONE */
  uint8_t *places;     /* by place: OMEN_PLACE_… */
  uint64_t kinds;      /* bits of the kinds that may change a clock */
  omen_eid *externals; /* by atom: its last ext, or OMEN_NONE */
  omen_eid *last_op;   /* by irregular lock: last operation, or OMEN_NONE */
  omen_walk_object *objects;
  omen_cid *rounds; /* by round: all its arrivals, once complete */
  bool changed;     /* in this walk */
  bool chose;       /* some event had choices */
} omen_model_walk;

void omen_walk_include (omen_model_walk *w, omen_eid a);
/* Join what e must come after because it needs one of several events. */
void omen_walk_choices (omen_model_walk *w, omen_eid e);

/* Join what e must come after because of the lock sections that it is in. */
void omen_walk_exclude (omen_model_walk *w, omen_eid e);
/* Is e the first event in a section, with a clock that has changed since its
   thread's last section of that lock? If not, exclusion adds nothing. */
bool omen_walk_may_exclude (const omen_model_walk *w, omen_eid e);
/* Record that e, the first event in a section, got the clock c. */
void omen_walk_entered (omen_model_walk *w, omen_eid e, omen_cid c);
/* The section that e begins, or OMEN_NONE. */
uint32_t omen_walk_takes (const omen_model_walk *w, omen_eid e);

#endif
