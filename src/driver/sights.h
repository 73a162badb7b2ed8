/* Which pointcuts of a property file saw something, in any of the traces that
   were looked at. One that saw nothing is most likely a mistake, so that the
   user is told.

     omen_sights sights;   omen_sights_init (&sights, &file);
     omen_sights_walk (&sights, trace);      … each trace
     omen_sights_warn (&sights);
     omen_sights_fini (&sights); */
#ifndef OMEN_DRIVER_SIGHTS_H
#define OMEN_DRIVER_SIGHTS_H

#include "driver/spec_file.h"
#include "trace/trace.h"

struct omen_observer;

/* A variable of a state predicate. */
typedef struct omen_sighted {
  uint32_t property;
  const char *name; /* the file's */
  bool found;
} omen_sighted;

typedef struct omen_sights {
  const omen_spec_file *file;
  OMEN_VEC (uint8_t) fates; /* omen_cut_fate by property, event, pointcut */
  OMEN_VEC (omen_sighted) watched;
  bool recorded_for; /* the recordings were made for this file: they have the
                        accesses that it speaks of */
  bool left_out;     /* a trace has not all accesses of single threads */
} omen_sights;

void omen_sights_init (omen_sights *sights, const omen_spec_file *file);
void omen_sights_fini (omen_sights *sights);
/* What the observer of a property has seen in a whole trace. */
void omen_sights_add (omen_sights *sights, uint32_t property,
                      const struct omen_observer *observer);
/* The same for all properties, with observers of its own. */
void omen_sights_walk (omen_sights *sights, const omen_trace *trace);
void omen_sights_warn (const omen_sights *sights);

#endif
