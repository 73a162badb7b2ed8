/* Several property files as one, for programs that are compiled with all of
   them: what stands in front of the first property of each, then the
   properties, with
   `#line` marks that say where each part is from. */
#ifndef OMEN_DRIVER_SPEC_JOIN_H
#define OMEN_DRIVER_SPEC_JOIN_H

#include "driver/input.h"
#include "driver/spec_file.h"

/* False with the message printed and *code set: a file cannot be read, or is
   wrong by itself. `hashes`: of each file (omen_spec_hash). Both are the
   caller's, in any case. */
bool omen_spec_join (const char *const *paths, size_t count, omen_text *text,
                     omen_spec_hashes *hashes, int *code);

#endif
