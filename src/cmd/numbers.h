/* Numbers on command lines; a bad one is an argp error that names the option.
   `text` NULL: the option was not given. */
#ifndef OMEN_CMD_NUMBERS_H
#define OMEN_CMD_NUMBERS_H

#include "base/defs.h"

#include <argp.h>

/* False if not given. */
bool omen_number (struct argp_state *state, const char *name, const char *text,
                  uint64_t least, uint64_t most, uint64_t *value);
void omen_seconds (struct argp_state *state, const char *name,
                   const char *text, double *value);

#endif
