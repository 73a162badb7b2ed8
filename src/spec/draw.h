/* Formulas as pictures, for Graphviz. */
#ifndef OMEN_SPEC_DRAW_H
#define OMEN_SPEC_DRAW_H

#include "spec/spec.h"

#include <stdio.h>

/* Part of a label. */
void omen_draw_quote (FILE *out, const char *text);

/* One graph, with a cluster for each formula of each property. False with err
   set: a formula too large. */
bool omen_spec_draw (const omen_spec *spec, FILE *out, omen_err *err);

#endif
