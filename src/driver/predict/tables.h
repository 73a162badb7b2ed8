/* Counts of detectors over traces, in the columns of their papers. */
#ifndef OMEN_DRIVER_PREDICT_TABLES_H
#define OMEN_DRIVER_PREDICT_TABLES_H

#include "driver/predict/run.h"

#include <jansson.h>

/* The counts of SideTrack, named as the columns of Table 1 of its paper; new
   reference. */
json_t *omen_sidetrack_json (const omen_sidetrack_table *table);

/* Print a row for each trace of the request, and the sum if there are several;
   returns the exit code. */
int omen_sidetrack_table_print (const omen_predict_request *request);
int omen_nondet_table_print (const omen_predict_request *request);

#endif
