/* What one binding of a property's parameters goes through in a run, as a state
   that can be remembered, compared and stepped: what a machine
   (model/state_sets.h) and the search over cuts carry along.

     omen_tracks *t = omen_tracks_new (observer, property, formula);
     s = omen_tracks_start (t, &binding);
     s = omen_tracks_step (t, s, event, last);  another state, or the same
     if (omen_tracks_landed (t, s)) …        categories that this step landed in

   A binding's verdicts depend on the events of its slice alone, those that bind
   what it binds or less; and the slicer (monitor/slicer.h), given just these,
   has to do only with instances that bind a part of the binding. So this is
   the same algorithm D with at most one instance for each set of parameters (of
   each generation: a value whose object died names another one). Time stamps
   are kept as ranks, the states of machines and of watched variables as
   numbers, so that two ways to the same state meet.

   States are numbered from 0; they stay until the tracks go. */
#ifndef OMEN_PREDICT_PROPERTY_TRACK_H
#define OMEN_PREDICT_PROPERTY_TRACK_H

#include "model/model.h"
#include "monitor/slicer.h"
#include "witness/observe.h"

typedef struct omen_tracks omen_tracks;

/* Some of the parameters and their values. */
typedef struct omen_theta {
  uint32_t set;
  uint64_t values[OMEN_PARAMETERS_MAX];
} omen_theta;

/* Looks at all events of the trace, once. All of these must outlive it. */
omen_tracks *omen_tracks_new (const omen_model *model, omen_observer *observer,
                              const omen_property *property, uint32_t formula);
void omen_tracks_free (omen_tracks *tracks);

/* The state of the binding before the first event; each call makes another
   start, even for the same binding. */
uint32_t omen_tracks_start (omen_tracks *tracks, const omen_theta *theta);
/* `last`: the event right before this one, if the binding saw it: the two may
   be parallel. Else OMEN_NONE. */
uint32_t omen_tracks_step (omen_tracks *tracks, uint32_t state, omen_eid event,
                           omen_eid last);
/* Bits of the categories, and which start it comes from. */
uint32_t omen_tracks_landed (const omen_tracks *tracks, uint32_t state);
uint32_t omen_tracks_binding (const omen_tracks *tracks, uint32_t state);

/* Events that some binding sees, in the order of the trace's file. */
const omen_ids *omen_tracks_events (const omen_tracks *tracks);
/* The occurrences at an event that the formula listens to. */
const omen_occurrence *omen_tracks_at (const omen_tracks *tracks,
                                       omen_eid event, uint32_t *count);
/* The parameters that an occurrence binds. */
uint32_t omen_tracks_binds (const omen_tracks *tracks,
                            const omen_occurrence *occurrence);
/* The objects that end at the event, if the property has parameters. */
const uint64_t *omen_tracks_dead (const omen_tracks *tracks, omen_eid event,
                                  uint32_t *count);
/* Does the event change what state predicates speak of? */
bool omen_tracks_writes (const omen_tracks *tracks, omen_eid event);
/* Does the event concern the binding: an occurrence in its slice, the end of
   one of its objects, or a change of what state predicates speak of? */
bool omen_tracks_sees (const omen_tracks *tracks, const omen_theta *theta,
                       omen_eid event);
/* By event: a read that may see anything if it is the last of its thread, as
   the property does not look at its value. */
const uint8_t *omen_tracks_loose (const omen_tracks *tracks);
/* Two of different threads that no rule makes wait: if they are neighbours in a
   run, they could as well come at once. */
bool omen_tracks_parallel (const omen_tracks *tracks, omen_eid a, omen_eid b);
/* Does the formula ask for that (pattern's `||`, the operator `(.)`)? */
bool omen_tracks_asks_parallel (const omen_tracks *tracks);

#endif
