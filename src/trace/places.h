/* Which place in the source to show. */
#ifndef OMEN_TRACE_PLACES_H
#define OMEN_TRACE_PLACES_H

#include <stdbool.h>
#include <string.h>

/* Code of the library is not where the user looks for the cause: its caller is
   shown, if the code was inlined there. */
static inline bool
omen_place_is_library (const char *file)
{
  return !strncmp (file, "/usr/include/", 13) || !strncmp (file, "/usr/lib/", 9)
         || strstr (file, "/include/c++/");
}

#endif
