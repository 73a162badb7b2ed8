/* The file in which a monitored program counts (monitor/tally.h): made before
   it runs, read and told after. */
#ifndef OMEN_DRIVER_MODULE_TALLY_H
#define OMEN_DRIVER_MODULE_TALLY_H

#include "driver/spec_file.h"

bool omen_tally_make (const char *path, const omen_spec_file *file,
                      omen_err *err);
/* The summary, unless quiet, and warnings of what fits nothing in the program;
   how many verdicts there were. */
uint64_t omen_tally_print (const char *path, const omen_spec_file *file,
                           const char *program, bool quiet);

#endif
