/* Shared by detectors that walk the lattice. */
#ifndef OMEN_PREDICT_LATTICE_H
#define OMEN_PREDICT_LATTICE_H

#include "predict/predict.h"

/* The options of a walk: breadth, limits, and whether runs are counted. */
omen_lattice_options omen_predict_lattice (const omen_predict_options *options);

/* Walk, and add to the statistics. If a limit ended the walk, that counts as
   undecided. */
void omen_predict_walk (const omen_lattice *plan,
                        const omen_lattice_options *walk,
                        omen_predict_stats *stats);

#endif
