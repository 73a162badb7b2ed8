/* Prints statistics of predict, and of a walk through the lattice. */
#ifndef OMEN_DRIVER_PREDICT_STATS_H
#define OMEN_DRIVER_PREDICT_STATS_H

#include "predict/predict.h"

#include <jansson.h>

/* With "lattice":{"cuts":13,"runs":"4","levels":[1,2,…],…} if it was walked;
   runs is a string, since it may exceed all number types. New reference. */
json_t *omen_predict_stats_json (const omen_predict_stats *stats);

/* On stderr. */
void omen_predict_stats_print (const omen_predict_stats *stats);
void omen_lattice_print (const omen_lattice_counts *counts);

#endif
