/* Which pointcuts of a property file saw something, in any of the traces that
   were looked at. One that saw nothing is most likely a mistake, so that the
   user is told.

     omen_spec_coverage coverage;   omen_spec_coverage_init (&coverage, &file);
     omen_spec_coverage_walk (&coverage, trace);      … each trace
     omen_spec_coverage_warn (&coverage);
     omen_spec_coverage_fini (&coverage); */
#ifndef OMEN_DRIVER_SPEC_COVERAGE_H
#define OMEN_DRIVER_SPEC_COVERAGE_H

#include "driver/spec_file.h"
#include "trace/trace.h"

struct omen_observer;

/* A variable of a state predicate. */
typedef struct omen_spec_covered {
  uint32_t property;
  const char *name; /* the file's */
  bool found;
} omen_spec_covered;

typedef struct omen_spec_coverage {
  const omen_spec_file *file;
  OMEN_VEC (uint8_t) fates; /* omen_cut_fate by property, event, pointcut */
  OMEN_VEC (omen_spec_covered) watched;
  bool recorded_for; /* the recordings were made for this file: they have the
                        accesses that it speaks of */
  bool left_out;     /* a trace has not all accesses of single threads */
} omen_spec_coverage;

void omen_spec_coverage_init (omen_spec_coverage *coverage,
                              const omen_spec_file *file);
void omen_spec_coverage_fini (omen_spec_coverage *coverage);
/* What the observer of a property has seen in a whole trace. */
void omen_spec_coverage_add (omen_spec_coverage *coverage, uint32_t property,
                             const struct omen_observer *observer);
/* The same for all properties, with observers of its own. */
void omen_spec_coverage_walk (omen_spec_coverage *coverage,
                              const omen_trace *trace);
void omen_spec_coverage_warn (const omen_spec_coverage *coverage);

#endif
