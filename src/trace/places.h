/* Which source location to show. */
#ifndef OMEN_TRACE_PLACES_H
#define OMEN_TRACE_PLACES_H

#include <stdbool.h>
#include <string.h>

/* Is this a header of the system? Its inline functions are not where a user
   looks for the cause; the location that they were inlined into is shown. */
static inline bool
omen_place_is_library (const char *file)
{
  return !strncmp (file, "/usr/include/", 13) || !strncmp (file, "/usr/lib/", 9)
         || strstr (file, "/include/c++/");
}

#endif
