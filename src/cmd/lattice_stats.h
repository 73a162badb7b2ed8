/* The figures of a walk through the lattice, for predict. */
#ifndef OMEN_CMD_LATTICE_STATS_H
#define OMEN_CMD_LATTICE_STATS_H

#include "model/lattice.h"

#include <jansson.h>

/* {"cuts":13,"runs":"4","levels":[1,2,…],…}: runs as text, since no number of
   JSON is long enough. */
json_t *omen_lattice_json (const omen_lattice_counts *counts);
void omen_lattice_print (const omen_lattice_counts *counts); /* on stderr */

#endif
