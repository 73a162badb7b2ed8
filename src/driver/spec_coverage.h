/* Which pointcuts of a property file matched something in any of the analysed
   traces. One that never matched is most likely a mistake, so there is a
   warning.

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
  const char *name; /* owned by the file */
  bool found;
} omen_spec_covered;

typedef struct omen_spec_coverage {
  const omen_spec_file *file;
  OMEN_VEC (uint8_t) fates; /* omen_cut_fate by property, event, pointcut */
  OMEN_VEC (omen_spec_covered) watched;
  bool recorded_for; /* the recordings were made for this file, with all
                        accesses that it mentions */
  bool left_out;     /* some trace lacks accesses of single threads */
} omen_spec_coverage;

void omen_spec_coverage_init (omen_spec_coverage *coverage,
                              const omen_spec_file *file);
void omen_spec_coverage_fini (omen_spec_coverage *coverage);
/* Adds what the observer of a property has seen in a whole trace. */
void omen_spec_coverage_add (omen_spec_coverage *coverage, uint32_t property,
                             const struct omen_observer *observer);
/* The same for all properties, with new observers. */
void omen_spec_coverage_walk (omen_spec_coverage *coverage,
                              const omen_trace *trace);
void omen_spec_coverage_warn (const omen_spec_coverage *coverage);

#endif
