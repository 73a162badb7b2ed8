/* Private to the colouring walk: what colour.c (the walk, and what colours an
   event) and colour_mark.c (what an event colours later) share. */
#ifndef OMEN_MODEL_COLOUR_STATE_H
#define OMEN_MODEL_COLOUR_STATE_H

#include "model/colour.h"
#include "model/notifies.h"

/* Head of a release sequence, with which an acquiring read synchronises: the
   releasing write itself, or the release fence before it. */
typedef struct omen_colour_head {
  uint32_t place;
  omen_tid thread;
} omen_colour_head;
typedef OMEN_VEC (omen_colour_head) omen_colour_heads;

/* What relaxed reads saw, for a later acquire fence. */
typedef struct omen_colour_glimpse {
  uint32_t place, atom;
  omen_eid read;
} omen_colour_glimpse;
typedef OMEN_VEC (omen_colour_glimpse) omen_colour_glimpses;

/* What was done so far and is used up by what comes later: which up serves a
   down and which notify a return is decided by all of them, coloured or not. */
typedef struct omen_colour_served {
  omen_ids *ups;           /* by segment of a semaphore: all ups */
  uint32_t *downs;         /* by segment: how many */
  omen_notifies *notifies; /* by condition */
  uint32_t *wait_place;    /* by wait */
} omen_colour_served;

/* Places count from the first event of the trace; the sequence that is walked
   begins at place `start`, and nothing before it is coloured. */
struct omen_colour {
  const omen_model *m;
  uint32_t start;
  const omen_ids *events;         /* from `start` on */
  omen_eid a, b;                  /* the pair in question */
  bool acquire_all, release_all;  /* treat every memory order as such */
  OMEN_VEC (omen_cause) causes;   /* by place - start */
  omen_colour_served before, now; /* at `start`, and at work */
  /* places of the last such event that is coloured, OMEN_NONE: none */
  uint32_t *thread_last, *thread_fork, *release_fence; /* by thread */
  omen_colour_glimpses *glimpsed;                      /* by thread */
  uint32_t *write_end, *read_end, *irregular;          /* by lock */
  uint32_t *object;                                    /* by hb object */
  uint32_t *round;                                     /* by round */
  uint32_t *alloc;                                     /* by variable */
  uint32_t *plain; /* by atom: its last write, if that is a plain one */
  uint32_t *touched, *changed; /* by atom: an access; an ext */
  uint32_t *counted;           /* by semaphore: an operation */
  omen_colour_heads *heads;    /* by atom: of its last write */
  uint32_t *init;              /* by segment of a semaphore */
};

static inline bool
omen_coloured (const omen_colour *c, uint32_t place)
{
  OMEN_ASSERT (place == OMEN_NONE || place < c->start + c->causes.count);
  return place != OMEN_NONE && place >= c->start
         && c->causes.data[place - c->start].tie != OMEN_TIE_NONE;
}

/* Remember the event if it may serve a later one (omen_colour_served). */
void omen_colour_serve (const omen_model *m, omen_colour_served *served,
                        omen_eid e, uint32_t place);

/* The lock that an event operates on, OMEN_NONE if none. */
omen_lid omen_colour_lock (const omen_event *event);
/* Remember what the event at `place`, whose cause is known, colours later. */
void omen_colour_mark (omen_colour *c, omen_eid e, uint32_t place);

#endif
