/* The file with the counts of a monitored program (monitor/tally.h): created
   before it runs, read and printed afterwards. */
#ifndef OMEN_DRIVER_MODULE_TALLY_H
#define OMEN_DRIVER_MODULE_TALLY_H

#include "driver/spec_file.h"

bool omen_tally_make (const char *path, const omen_spec_file *file,
                      omen_err *err);
/* Prints the summary (unless quiet) and warnings for pointcuts that match
   nothing in the program. Returns the number of verdicts. */
uint64_t omen_tally_print (const char *path, const omen_spec_file *file,
                           const char *program, bool quiet);

#endif
