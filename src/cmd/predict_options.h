/* The command line of `omen predict`. */
#ifndef OMEN_CMD_PREDICT_OPTIONS_H
#define OMEN_CMD_PREDICT_OPTIONS_H

#include "cmd/cmd.h"
#include "cmd/spec_list.h"

enum {
  OMEN_DETECT_RACE = 1,
  OMEN_DETECT_DEADLOCK = 2,
  OMEN_DETECT_NONDET = 4,
  OMEN_DETECT_ATOMICITY = 8,
  OMEN_DETECT_PROPERTY = 16, /* needs --spec */
  /* what is an error in any program: if nothing else is said */
  OMEN_DETECT_ERRORS = OMEN_DETECT_RACE | OMEN_DETECT_DEADLOCK
                       | OMEN_DETECT_ATOMICITY,
  OMEN_DETECT_ALL = OMEN_DETECT_ERRORS | OMEN_DETECT_NONDET
};

/* How atomicity violations are found. */
typedef enum omen_atomicity_engine {
  OMEN_ENGINE_SEARCH,    /* by their definition */
  OMEN_ENGINE_SIDETRACK, /* by SideTrack's rules, then judged */
  OMEN_ENGINE_OBSERVED   /* cycles of the run itself */
} omen_atomicity_engine;

typedef struct omen_predict_request {
  unsigned detectors; /* OMEN_DETECT_* */
  const char *trace;
  OMEN_VEC (const char *) more; /* further traces, for --table */
  const char *witness_dir; /* or NULL */
  bool json, stats, model_given, table, final;
  bool by_block; /* atomicity: one finding for each block (fold.h) */
  omen_atomicity_engine engine;
  omen_spec_list specs;
  omen_predict_options options;
  /* as typed; NULL: not given */
  const char *model, *window, *budget, *timeout, *solver, *group, *jobs;
  const char *format, *atomic, *engine_word, *breadth;
} omen_predict_request;

extern const struct argp omen_predict_argp;

/* What was asked for, or else value if the trace has values, and rf. */
omen_model_name omen_predict_model (const omen_predict_request *request,
                                    const omen_trace *trace);

/* predict_table.c: nondet --table, over all traces of the request. */
int omen_predict_nondet_table (const omen_predict_request *request);

#endif
