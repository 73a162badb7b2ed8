/* What detectors that walk the lattice have in common. */
#ifndef OMEN_PREDICT_LATTICE_H
#define OMEN_PREDICT_LATTICE_H

#include "predict/predict.h"

/* Breadth, limits and whether runs are counted, as the options say. */
omen_lattice_options omen_predict_lattice (const omen_predict_options *options);

/* Walk, and put the figures into the statistics. What a walk that a limit ended
   has not shown is undecided. */
void omen_predict_walk (const omen_lattice *plan,
                        const omen_lattice_options *walk,
                        omen_predict_stats *stats);

#endif
