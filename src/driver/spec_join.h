/* Joins several property files into one, for programs that are compiled with
   all of them: the text before the first property of each, then all properties,
   with `#line` marks for the origin of each part. */
#ifndef OMEN_DRIVER_SPEC_JOIN_H
#define OMEN_DRIVER_SPEC_JOIN_H

#include "driver/input.h"
#include "driver/spec_file.h"

/* False, with the message printed and *code set: a file cannot be read, or is
   wrong on its own. `hashes`: of each file (omen_spec_hash). Both have to be
   freed by the caller in any case. */
bool omen_spec_join (const char *const *paths, size_t count, omen_text *text,
                     omen_spec_hashes *hashes, int *code);

#endif
