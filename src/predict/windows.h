/* A trace cut into windows of one size, each beginning in the middle of the one
   before, so that events up to half a window apart are in one of them.

     size 8     0 1 2 3 4 5 6 7 8 9 …      extent 5 … 9 is in window 1
     window 0   [. . . . . . . .]
     window 1           [. . . . . . . …

   A trace that is not longer than a window is window 0, all of it. */
#ifndef OMEN_PREDICT_WINDOWS_H
#define OMEN_PREDICT_WINDOWS_H

#include "model/model.h"

typedef struct omen_windows {
  const omen_model *model;
  uint32_t size, stride; /* positions; not 0 */
} omen_windows;

/* From the first to the last of some positions. */
typedef struct omen_position_span {
  uint32_t low, high; /* inclusive; low > high: of none */
} omen_position_span;

#define OMEN_SPAN_OF_NONE ((omen_position_span){ UINT32_MAX, 0 })

/* Positions [from, to). */
typedef struct omen_range {
  uint32_t from, to;
} omen_range;

static inline omen_windows
omen_windows_of (const omen_model *model, uint32_t size)
{
  OMEN_REQUIRE (size > 0);
  return (omen_windows){ model, size, size > 1 ? size / 2 : 1 };
}

/* Let the extent have e as well; OMEN_NONE, what came before the trace, is at
   its beginning. */
void omen_extent_widen (omen_position_span *extent, const omen_model *model,
                        omen_eid e);

/* The window that has the whole extent; OMEN_NONE: there is none. */
uint32_t omen_windows_find (const omen_windows *windows,
                            omen_position_span extent);
/* What window number `index` has. */
omen_range omen_windows_range (const omen_windows *windows, uint32_t index);

#endif
