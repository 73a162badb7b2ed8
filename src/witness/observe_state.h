/* What the parts of an observer share. Private to observe*.c. */
#ifndef OMEN_WITNESS_OBSERVE_STATE_H
#define OMEN_WITNESS_OBSERVE_STATE_H

#include "base/map.h"
#include "witness/observe.h"

/* A pointcut, made ready for one trace. */
typedef struct omen_eye {
  const omen_cut *cut;
  uint32_t event;
  uint8_t *fits;    /* by id of the function; NULL: any */
  uint32_t *places; /* of get and set, by place: omen_fit; else NULL (also if
                       it is not looked for, for which see fate) */
  uint64_t seen;
  omen_cut_fate fate; /* NOTHING: worth looking */
} omen_eye;

/* What a place is to a name: nothing, (a part of) the variable of that name,
   or, from FITS_PART on, it has something of that part of `parts`. */
enum omen_fit { OMEN_FITS_NOT, OMEN_FITS_WHOLE, OMEN_FITS_PART };

/* A name that a thread has got. */
typedef struct omen_thread_name {
  omen_tid thread;
  const char *name;
} omen_thread_name;

struct omen_observer {
  const omen_trace *trace;
  const omen_property *property;
  OMEN_VEC (omen_eye) eyes; /* by event, then as written */
  uint32_t first[OMEN_EVENTS_MAX + 1];
  uint32_t *emitted;            /* by signal name: event, or OMEN_NONE */
  bool served[OMEN_EVENTS_MAX]; /* the trace emits it */
  bool beside;                  /* some of those may be of accesses */
  uint32_t dead_signal;
  OMEN_VEC (omen_thread_name) thread_names;
  omen_names texts;
  omen_map integers, symbols; /* known texts of such values */
  uint32_t *ordinals; /* by variable: how many of its name came before */
  OMEN_VEC (omen_bit_range) parts;
  OMEN_VEC (const char *) watched; /* names of variables, or of their parts */
  uint32_t **watched_places;       /* by watched variable and place: omen_fit */
  omen_ids *predicate_names; /* by predicate and name in it: watched variable */
};

/* A kind of values beside those of traces: the bits of a double. */
enum { OMEN_VALUE_REAL = 100 };

/* observe.c: is an event of this kind what a get or a set looks for? */
bool omen_is_access_to (omen_cut_kind cut, unsigned kind);

/* observe_beside.c: the access that the emit tells of, or OMEN_NONE; and the
   emits that tell of an access, each of another event, in order; how many. */
void omen_beside_find (omen_observer *o);
omen_eid omen_beside (const omen_observer *o, omen_eid emit);
uint32_t omen_beside_all (const omen_observer *o, omen_eid access,
                          omen_eid emits[OMEN_EVENTS_MAX]);

/* observe_values.c: the text of each thing as a number. */
uint64_t omen_text_value (omen_observer *o, uint8_t kind, uint64_t value);
uint64_t omen_text_name (omen_observer *o, omen_operand table, uint32_t id);
uint64_t omen_text_variable (omen_observer *o, omen_vid variable, bool address);
/* What begins at that byte of the variable. */
uint64_t omen_text_inside (omen_observer *o, omen_vid variable,
                           uint32_t offset);
/* An access of 1, 2, 4 or 8 bytes has the bytes of an integer, whatever is
   written of it: here it is one with sign, as events of a woven program have
   it. */
void omen_signed_value (const omen_place *place, uint8_t *kind,
                        uint64_t *value);
omen_datum omen_datum_of (omen_observer *o, uint8_t kind, uint64_t value);
void omen_ordinals_init (omen_observer *o);

/* observe_parts.c: by place, an omen_fit; the caller's to free. */
uint32_t *omen_places_fitting (omen_observer *o, const char *pattern);
/* Of an access, the value of what the name stands for; of an access to a part
   of that, its own. */
void omen_part_value (const omen_observer *o, uint32_t fit,
                      const omen_place *place, uint8_t *kind, uint64_t *value);
/* All bits, or those of an integer that is known to have no sign. */
uint64_t omen_part_unsigned (const omen_observer *observer, uint32_t fit,
                             const omen_place *place);
/* The byte of the variable where what has it begins; of a variable, its own. */
uint32_t omen_part_owner (const omen_observer *o, uint32_t fit,
                          const omen_place *place);
/* Does the access have all of it? Of a variable: does it begin with it? */
bool omen_part_is_there (const omen_observer *o, uint32_t fit,
                         const omen_place *place);

/* observe_threads.c */
void omen_thread_names_find (omen_observer *o);
/* The thread of that name in the trace, or that got it, or that begins in the
   function of that name. */
bool omen_is_thread (const omen_observer *o, const char *wanted, omen_tid t);

/* observe_watched.c */
void omen_watched_find (omen_observer *o);
void omen_watched_forget (omen_observer *o);
/* Does the event write one of them? */
bool omen_writes_watched (const omen_observer *o, omen_eid e);

#endif
