/* Copies of property files for later replays: DIR/spec/IDENTITY.mop. If a file
   has monitors in C, that is a link to a copy inside DIR/spec/IDENTITY, with
   the C files at the same relative paths as the originals. */
#ifndef OMEN_DRIVER_CHECK_SPEC_COPY_H
#define OMEN_DRIVER_CHECK_SPEC_COPY_H

#include "driver/spec_list.h"

#include <limits.h>

/* `folder` is DIR. */
bool omen_spec_copy_all (const char *folder, const omen_spec_list *specs,
                         omen_err *err);
/* Removes the copies of an earlier check. */
void omen_spec_copy_remove (const char *folder);
/* The path of the copy with this identity; "" if there is none. */
void omen_spec_copy_find (const char *folder, uint64_t identity,
                          char path[PATH_MAX]);

#endif
