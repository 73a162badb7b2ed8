/* Inside the race detector: the part that walks the lattice. */
#ifndef OMEN_PREDICT_RACE_H
#define OMEN_PREDICT_RACE_H

#include "predict/predict.h"

bool omen_predict_race_lattice (const omen_model *model,
                                const omen_predict_options *options,
                                const omen_sink *sink,
                                omen_predict_stats *stats);

#endif
