/* The engine "own": monitors that users write (include/omen-monitor.h). Its
   words are the address of an omen_own, low half first, filled in when the code
   has been loaded; 0: there is no code, and no category is ever reached. */
#ifndef OMEN_MONITOR_OWN_H
#define OMEN_MONITOR_OWN_H

#include "base/defs.h"

#include <omen-monitor.h>

enum { OMEN_OWN_WORDS = 2, OMEN_OWN_BYTES_MAX = 1 << 16 };

/* The user's functions, and what the property calls things. */
typedef struct omen_own {
  const omen_own_monitor *monitor;
  uint32_t events, categories;
  const char *const *event;    /* names */
  const uint8_t *binds;        /* by event: set of parameters */
  const char *const *category; /* names */
} omen_own;

static inline void
omen_own_bind (uint32_t words[OMEN_OWN_WORDS], const omen_own *own)
{
  words[0] = (uint32_t)(uintptr_t)own;
  words[1] = (uint32_t)((uint64_t)(uintptr_t)own >> 32);
}

/* Does the table have all that is needed? */
static inline bool
omen_own_complete (const omen_own_monitor *monitor)
{
  return monitor && monitor->bytes <= OMEN_OWN_BYTES_MAX && monitor->step
         && monitor->verdict;
}

#endif
