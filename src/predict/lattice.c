#include "predict/lattice.h"

omen_lattice_options
omen_predict_lattice (const omen_predict_options *options)
{
  return (omen_lattice_options){ .breadth = options->breadth,
                                 .from = options->from,
                                 .runs = options->runs,
                                 .most_width = OMEN_DEFAULT_WIDTH,
                                 .deadline = omen_predict_deadline (
                                     options, options->timeout) };
}

void
omen_predict_walk (const omen_lattice *plan, const omen_lattice_options *walk,
                   omen_predict_stats *stats)
{
  omen_lattice_counts_fini (&stats->lattice);
  omen_lattice_walk (plan, walk, &stats->lattice);
  stats->undecided += stats->lattice.unfinished;
}
