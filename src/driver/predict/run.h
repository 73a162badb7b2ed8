/* omen predict: runs the detectors on a trace; each finding is verified and
   printed.

     omen_predict_request request = { … };
     return omen_predict_run (&request);

   Prints its own messages. */
#ifndef OMEN_DRIVER_PREDICT_RUN_H
#define OMEN_DRIVER_PREDICT_RUN_H

#include "driver/fail_on.h"
#include "driver/spec_list.h"

enum {
  OMEN_DETECT_RACE = 1,
  OMEN_DETECT_DEADLOCK = 2,
  OMEN_DETECT_NONDET = 4,
  OMEN_DETECT_ATOMICITY = 8,
  OMEN_DETECT_PROPERTY = 16, /* needs specs */
  OMEN_DETECT_FAILURE = 32,
  OMEN_DETECT_LIFETIME = 64,
  /* errors and warnings, as omen check; the default */
  OMEN_DETECT_MISTAKES = OMEN_DETECT_RACE | OMEN_DETECT_DEADLOCK
                         | OMEN_DETECT_LIFETIME | OMEN_DETECT_ATOMICITY
                         | OMEN_DETECT_FAILURE,
  OMEN_DETECT_ALL = OMEN_DETECT_MISTAKES | OMEN_DETECT_NONDET
};

/* How atomicity violations are found. */
typedef enum omen_atomicity_engine {
  OMEN_ENGINE_SEARCH,    /* by their definition */
  OMEN_ENGINE_SIDETRACK, /* by SideTrack's rules, then judged by the engine */
  OMEN_ENGINE_OBSERVED   /* cycles of the run itself */
} omen_atomicity_engine;

typedef struct omen_predict_request {
  unsigned detectors; /* OMEN_DETECT_*; 0: OMEN_DETECT_MISTAKES */
  const char *trace;
  OMEN_VEC (const char *) more; /* further traces for the table */
  const char *witness_dir;      /* or NULL */
  bool json, stats, model_given, final;
  bool all;   /* also analyse settled accesses of a recording */
  bool table; /* print only counts, in the columns of the paper; for nondet, or
                 OMEN_ENGINE_SIDETRACK */
  bool by_cause;        /* one finding for each cause (fold.h) */
  bool nondet_by_cause; /* … also of nondeterministic reads */
  omen_atomicity_engine engine;
  omen_fail_on fail_on;
  omen_spec_list specs; /* loaded */
  uint64_t memory;      /* limit in bytes; 0: omen_memory_default */
  omen_predict_options options;
} omen_predict_request;

/* The requested model; by default value if the trace has values, otherwise rf.
 */
omen_model_name omen_predict_model (const omen_predict_request *request,
                                    const omen_trace *trace);

/* The exit code. */
int omen_predict_run (const omen_predict_request *request);

#endif
