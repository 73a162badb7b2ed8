/* The monitor state of one binding of a property's parameters during a run, as
   a number that can be stored, compared and stepped; used by the walk of the
   lattice (model/state_sets.h) and by the search over cuts.

     omen_tracks *t = omen_tracks_new (observer, property, formula);
     s = omen_tracks_start (t, &binding);
     s = omen_tracks_step (t, s, event, last);  another state, or the same
     if (omen_tracks_landed (t, s)) …        categories that this step landed in

   A binding's verdicts depend on the events of its slice alone, those that bind
   what it binds or less; and the slicer (monitor/slicer.h), given just these,
   concerns only instances that bind a part of the binding. So this is algorithm
   D with at most one instance for each set of parameters and generation (after
   an object's end, its value denotes another object). Time stamps are kept as
   ranks, states of machines and watched variables as ids, so that equal states
   get the same number on all paths.

   States are numbered from 0, and live as long as the tracks. */
#ifndef OMEN_PREDICT_PROPERTY_TRACK_H
#define OMEN_PREDICT_PROPERTY_TRACK_H

#include "model/model.h"
#include "monitor/slicer.h"
#include "witness/observe.h"

typedef struct omen_tracks omen_tracks;

/* Values of some of the parameters. */
typedef struct omen_theta {
  uint32_t set;
  uint64_t values[OMEN_PARAMETERS_MAX];
} omen_theta;

/* Reads all events of the trace once. All arguments must outlive the tracks. */
omen_tracks *omen_tracks_new (const omen_model *model, omen_observer *observer,
                              const omen_property *property, uint32_t formula);
void omen_tracks_free (omen_tracks *tracks);

/* The state of the binding before the first event. Each call makes a new start,
   even for the same binding. */
uint32_t omen_tracks_start (omen_tracks *tracks, const omen_theta *theta);
/* `last`: the directly preceding event if the binding saw it (the two may be
   parallel), else OMEN_NONE. */
uint32_t omen_tracks_step (omen_tracks *tracks, uint32_t state, omen_eid event,
                           omen_eid last);
/* The categories that the last step landed in, as bits; and the start from
   which the state came. */
uint32_t omen_tracks_landed (const omen_tracks *tracks, uint32_t state);
uint32_t omen_tracks_binding (const omen_tracks *tracks, uint32_t state);

/* Events that some binding may see, in the order of the file. */
const omen_ids *omen_tracks_events (const omen_tracks *tracks);
/* The occurrences at an event that the formula listens to. */
const omen_occurrence *omen_tracks_at (const omen_tracks *tracks,
                                       omen_eid event, uint32_t *count);
/* The parameters that an occurrence binds. */
uint32_t omen_tracks_binds (const omen_tracks *tracks,
                            const omen_occurrence *occurrence);
/* The objects whose lifetime ends at the event, if the property has
   parameters. */
const uint64_t *omen_tracks_dead (const omen_tracks *tracks, omen_eid event,
                                  uint32_t *count);
/* Does the event write a variable of a state predicate? */
bool omen_tracks_writes (const omen_tracks *tracks, omen_eid event);
/* Does the event concern the binding: an occurrence in its slice, the end of
   one of its objects, or a write to a variable of a state predicate? */
bool omen_tracks_sees (const omen_tracks *tracks, const omen_theta *theta,
                       omen_eid event);
/* By event: a read whose value the property does not use, so that it need not
   be preserved if it is the last of its thread. */
const uint8_t *omen_tracks_loose (const omen_tracks *tracks);
/* Are the events of different threads, with no rule that makes one wait for the
   other? If they are adjacent in a run, they are enabled together. */
bool omen_tracks_parallel (const omen_tracks *tracks, omen_eid a, omen_eid b);
/* Does the formula ask for parallel events (`||` of patterns, the operator
   `(.)`)? */
bool omen_tracks_asks_parallel (const omen_tracks *tracks);

#endif
