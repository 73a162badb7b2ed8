/* Which source location to show. */
#ifndef OMEN_TRACE_PLACES_H
#define OMEN_TRACE_PLACES_H

#include <stdbool.h>
#include <string.h>

/* Is this a system header? For its inline functions, the location that they
   were inlined into is shown, since the cause is in the user's code. */
static inline bool
omen_place_is_library (const char *file)
{
  return !strncmp (file, "/usr/include/", 13) || !strncmp (file, "/usr/lib/", 9)
         || strstr (file, "/include/c++/");
}

#endif
