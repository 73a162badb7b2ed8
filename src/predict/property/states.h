/* Inside the tracks: states spread out and packed. Private to
   track.c, scene.c and states.c. */
#ifndef OMEN_PREDICT_PROPERTY_STATES_H
#define OMEN_PREDICT_PROPERTY_STATES_H

#include "base/map.h"
#include "predict/property/track.h"

/* An instance: a binding of `set`, from the given generations on. */
typedef struct omen_part {
  uint32_t set, machine;               /* machine: its state's number */
  uint32_t created;                    /* time stamp */
  uint32_t age[OMEN_PARAMETERS_MAX];   /* deaths before it, by parameter */
  uint8_t joined[OMEN_PARAMETERS_MAX]; /* connected: its component */
} omen_part;

/* When an event with just this binding last came while no instance had it. */
typedef struct omen_binding_note {
  uint32_t set, time;
  uint32_t age[OMEN_PARAMETERS_MAX];
} omen_binding_note;

/* A state, spread out. */
typedef struct omen_scene {
  uint32_t binding, watched, landed;
  uint32_t deaths[OMEN_PARAMETERS_MAX]; /* of the value, by parameter */
  uint32_t clock;
  OMEN_VEC (omen_binding_note) notes;
  OMEN_VEC (omen_part) parts;
} omen_scene;

/* What an event is: its occurrences, objects that it ends, and whether it
   changes a watched variable. Ranges end where the next one's begin. */
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
  /* what events are to the formula, read off once */
  omen_ids events;                /* those that are something */
  omen_ids number;                /* by event: in events, or OMEN_NONE */
  uint8_t *loose;                 /* by event: track.h */
  OMEN_VEC (omen_glance) glances; /* by number, and one more */
  OMEN_VEC (omen_occurrence) occurrences;
  OMEN_VEC (uint64_t) dead;
  const omen_property *property;
  const omen_formula *formula;
  const omen_machine_engine *engine;
  size_t machine_bytes;
  OMEN_VEC (omen_theta) bindings;
  /* machines' states, by number; same hash: chained */
  OMEN_VEC (void *) machines;
  omen_map machines_by_hash;
  omen_ids machines_older;
  /* watched variables' values */
  OMEN_VEC (omen_watched) watched;
  uint32_t watched_count; /* variables */
  /* states, packed into words */
  OMEN_VEC (omen_packed) states;
  omen_ids words;
  omen_map by_hash;
  omen_ids older;
  omen_scene scene; /* scratch */
  omen_ids packed;
  void *machine; /* scratch */
};

/* The number of a machine's state that has just begun. */
uint32_t omen_machine_start (omen_tracks *tracks);
/* One letter more; *verdict: where that landed. */
uint32_t omen_machine_step (omen_tracks *tracks, uint32_t from,
                            const omen_letter *letter, uint32_t *verdict);
/* The watched variables' values after the event. */
uint32_t omen_tracks_watch (omen_tracks *tracks, uint32_t before,
                            omen_eid event);
/* What the occurrence, which binds nothing that the scene's binding does not,
   does to the scene. */
void omen_scene_occur (omen_tracks *tracks, omen_scene *scene,
                       const omen_occurrence *occurrence);
/* The value means another object from now on. */
void omen_scene_die (const omen_tracks *tracks, omen_scene *scene,
                     uint64_t value);
/* The scene as a state: the same number for what is the same from here on. */
uint32_t omen_scene_pack (omen_tracks *tracks, omen_scene *scene);
void omen_scene_unpack (const omen_tracks *tracks, uint32_t state,
                        omen_scene *scene);

#endif
