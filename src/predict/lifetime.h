/* Private to the detector of lifetimes: its search on the lattice. */
#ifndef OMEN_PREDICT_LIFETIME_H
#define OMEN_PREDICT_LIFETIME_H

#include "predict/predict.h"

bool omen_predict_lifetime_lattice (const omen_model *model,
                                    const omen_predict_options *options,
                                    const omen_sink *sink,
                                    omen_predict_stats *stats);

#endif
