/* What the parts of an observer share. Private to observe*.c. */
#ifndef OMEN_WITNESS_OBSERVE_STATE_H
#define OMEN_WITNESS_OBSERVE_STATE_H

#include "base/map.h"
#include "witness/observe.h"

/* A pointcut, prepared for one trace. */
typedef struct omen_observer_cut {
  const omen_cut *cut;
  uint32_t event;
  uint8_t *fits;    /* by id of the function; NULL: any */
  uint32_t *places; /* get and set, by place: omen_fit; NULL: other kinds, and
                       those that are not matched (see fate) */
  uint64_t seen;
  omen_cut_fate fate; /* NOTHING: to be matched */
} omen_observer_cut;

/* How a place matches a name: not at all; as (a part of) the variable of that
   name; or, from FITS_PART on, by overlap with that entry of `parts`. */
enum omen_fit { OMEN_FITS_NOT, OMEN_FITS_WHOLE, OMEN_FITS_PART };

/* A name given to a thread in the trace. */
typedef struct omen_thread_name {
  omen_tid thread;
  const char *name;
} omen_thread_name;

struct omen_observer {
  const omen_trace *trace;
  const omen_property *property;
  OMEN_VEC (omen_observer_cut) entries; /* by event, then as written */
  uint32_t first[OMEN_EVENTS_MAX + 1];
  uint32_t *emitted;            /* by signal name: event, or OMEN_NONE */
  bool served[OMEN_EVENTS_MAX]; /* the trace emits it */
  bool beside;                  /* some emits may report accesses */
  uint32_t dead_signal;
  OMEN_VEC (omen_thread_name) thread_names;
  omen_names texts;
  omen_map integers, symbols; /* known texts of such values */
  uint32_t *ordinals; /* by variable: number of earlier ones with its name */
  OMEN_VEC (omen_bit_range) parts;
  OMEN_VEC (const char *) watched; /* names of variables, or of their parts */
  uint32_t **watched_places;       /* by watched variable and place: omen_fit */
  omen_ids *predicate_names; /* by predicate and name in it: watched variable */
};

/* A value kind that traces do not have: the bits of a double. */
enum { OMEN_VALUE_REAL = 100 };

/* observe.c: is this kind of event an access for get, or for set? */
bool omen_is_access_to (omen_cut_kind cut, unsigned kind);

/* observe_beside.c: the access that the emit reports, or OMEN_NONE; and the
   emits that report an access, each a different event, in order, with their
   number. */
void omen_beside_find (omen_observer *o);
omen_eid omen_beside (const omen_observer *o, omen_eid emit);
uint32_t omen_beside_all (const omen_observer *o, omen_eid access,
                          omen_eid emits[OMEN_EVENTS_MAX]);

/* observe_values.c: texts as numbers, equal if the texts are. */
uint64_t omen_text_value (omen_observer *o, uint8_t kind, uint64_t value);
uint64_t omen_text_name (omen_observer *o, omen_operand table, uint32_t id);
uint64_t omen_text_variable (omen_observer *o, omen_vid variable, bool address);
/* Of the object that begins at that byte of the variable. */
uint64_t omen_text_inside (omen_observer *o, omen_vid variable,
                           uint32_t offset);
/* Accesses of 1, 2, 4 or 8 bytes have integers as values, however written:
   sign-extended here, as events of a woven program have them. */
void omen_signed_value (const omen_place *place, uint8_t *kind,
                        uint64_t *value);
omen_datum omen_datum_of (omen_observer *o, uint8_t kind, uint64_t value);
void omen_ordinals_init (omen_observer *o);

/* observe_parts.c: by place, an omen_fit; the caller's to free. */
uint32_t *omen_places_fitting (omen_observer *o, const char *pattern);
/* The value of the part that the name denotes; if the access has only some of
   the part, the value of the access. */
void omen_part_value (const omen_observer *o, uint32_t fit,
                      const omen_place *place, uint8_t *kind, uint64_t *value);
/* Mask of the value: all bits, or those of an integer known to be unsigned. */
uint64_t omen_part_unsigned (const omen_observer *observer, uint32_t fit,
                             const omen_place *place);
/* The byte where the object that contains the part begins; 0 for a variable. */
uint32_t omen_part_owner (const omen_observer *o, uint32_t fit,
                          const omen_place *place);
/* Does the access include the whole part? For a variable: does it begin where
   the variable does? */
bool omen_part_is_there (const omen_observer *o, uint32_t fit,
                         const omen_place *place);

/* observe_threads.c */
void omen_thread_names_find (omen_observer *o);
/* Does the thread have that name in the trace, or was it given it, or does it
   begin in the function of that name? */
bool omen_is_thread (const omen_observer *o, const char *wanted, omen_tid t);

/* observe_watched.c */
void omen_watched_find (omen_observer *o);
void omen_watched_forget (omen_observer *o);
/* Does the event write a watched variable? */
bool omen_writes_watched (const omen_observer *o, omen_eid e);

#endif
