/* Private to track.c, scene.c and states.c: the unpacked and packed form of
   states. */
#ifndef OMEN_PREDICT_PROPERTY_STATES_H
#define OMEN_PREDICT_PROPERTY_STATES_H

#include "base/map.h"
#include "predict/property/track.h"

/* An instance: it binds the parameters of `set` in the given generations. */
typedef struct omen_part {
  uint32_t set, machine;               /* machine: id of its state */
  uint32_t created;                    /* time stamp */
  uint32_t age[OMEN_PARAMETERS_MAX];   /* by parameter: its generation */
  uint8_t joined[OMEN_PARAMETERS_MAX]; /* connected: component, by parameter */
} omen_part;

/* The last time that an event with exactly this binding came while no instance
   had it. */
typedef struct omen_binding_note {
  uint32_t set, time;
  uint32_t age[OMEN_PARAMETERS_MAX];
} omen_binding_note;

/* A state, unpacked. */
typedef struct omen_scene {
  uint32_t binding, watched, landed;
  uint32_t deaths[OMEN_PARAMETERS_MAX]; /* by parameter: how often its value
                                           changed objects */
  uint32_t clock;
  OMEN_VEC (omen_binding_note) notes;
  OMEN_VEC (omen_part) parts;
} omen_scene;

/* An event in terms of the property: its occurrences, the objects that it ends,
   and whether it writes a watched variable. Ranges end where those of the next
   entry begin. */
typedef struct omen_glance {
  uint32_t occurrences, dead;
  bool writes;
} omen_glance;

typedef struct omen_packed {
  uint32_t first, count;
} omen_packed;

struct omen_tracks {
  const omen_model *model;
  omen_observer *observer;
  /* the events of the trace in terms of the formula */
  omen_ids events;                /* those that some binding sees */
  omen_ids number;                /* by event: index in events, or OMEN_NONE */
  uint8_t *loose;                 /* by event, see track.h */
  OMEN_VEC (omen_glance) glances; /* by index in events; one entry more */
  OMEN_VEC (omen_occurrence) occurrences;
  OMEN_VEC (uint64_t) dead;
  const omen_property *property;
  const omen_formula *formula;
  const omen_machine_engine *engine;
  size_t machine_bytes;
  OMEN_VEC (omen_theta) bindings;
  /* states of machines, by id; entries with the same hash are chained */
  OMEN_VEC (void *) machines;
  omen_map machines_by_hash;
  omen_ids machines_older;
  /* values of the watched variables */
  OMEN_VEC (omen_watched) watched;
  uint32_t watched_count; /* variables */
  /* states, packed */
  OMEN_VEC (omen_packed) states;
  omen_ids words;
  omen_map by_hash;
  omen_ids older;
  omen_scene scene; /* scratch */
  omen_ids packed;
  void *machine; /* scratch */
};

/* The id of the machine's start state. */
uint32_t omen_machine_start (omen_tracks *tracks);
/* Step a machine; *verdict: the categories that it lands in. */
uint32_t omen_machine_step (omen_tracks *tracks, uint32_t from,
                            const omen_letter *letter, uint32_t *verdict);
/* The values of the watched variables after the event. */
uint32_t omen_tracks_watch (omen_tracks *tracks, uint32_t before,
                            omen_eid event);
/* Apply an occurrence to the scene; it may bind only what the scene's binding
   binds. */
void omen_scene_occur (omen_tracks *tracks, omen_scene *scene,
                       const omen_occurrence *occurrence);
/* From now on the value denotes another object. */
void omen_scene_die (const omen_tracks *tracks, omen_scene *scene,
                     uint64_t value);
/* The id of the packed scene; equal scenes have the same id. */
uint32_t omen_scene_pack (omen_tracks *tracks, omen_scene *scene);
void omen_scene_unpack (const omen_tracks *tracks, uint32_t state,
                        omen_scene *scene);

#endif
