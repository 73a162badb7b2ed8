#include "cmd/numbers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

bool
omen_number (struct argp_state *state, const char *name, const char *text,
             uint64_t least, uint64_t most, uint64_t *value)
{
  char *end;
  unsigned long long n;
  OMEN_REQUIRE (least <= most);
  if (!text)
    return false;
  errno = 0;
  n = strtoull (text, &end, 10);
  if (errno || end == text || *end || *text == '-' || n < least || n > most)
    argp_error (state, "%s takes a number from %llu to %llu, not '%s'", name,
                (unsigned long long)least, (unsigned long long)most, text);
  *value = n;
  return true;
}

void
omen_seconds (struct argp_state *state, const char *name, const char *text,
              double *value)
{
  char *end;
  if (!text)
    return;
  *value = strtod (text, &end);
  if (end == text || *end || !isfinite (*value) || *value <= 0)
    argp_error (state, "%s takes a number of seconds, not '%s'", name, text);
}
