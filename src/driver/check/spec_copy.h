/* Copies of property files, for replays to come: DIR/spec/IDENTITY.mop. Where a
   file has monitors in C, that is a link to a copy below DIR/spec/IDENTITY,
   with the files of the C around it as they are around the property file. */
#ifndef OMEN_DRIVER_CHECK_SPEC_COPY_H
#define OMEN_DRIVER_CHECK_SPEC_COPY_H

#include "driver/spec_list.h"

#include <limits.h>

/* `folder` is DIR. */
bool omen_spec_copy_all (const char *folder, const omen_spec_list *specs,
                         omen_err *err);
/* Those of an earlier check go. */
void omen_spec_copy_remove (const char *folder);
/* Where the file with this identity is; "": there is none. */
void omen_spec_copy_find (const char *folder, uint64_t identity,
                          char path[PATH_MAX]);

#endif
