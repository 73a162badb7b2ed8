/* Windows of a trace, of equal size, each starting in the middle of the
   previous one: events up to half a window apart are together in one of them.

     size 8     0 1 2 3 4 5 6 7 8 9 …      extent 5 … 9 is in window 1
     window 0   [. . . . . . . .]
     window 1           [. . . . . . . …


   A trace no longer than a window has one window, number 0. */
#ifndef OMEN_PREDICT_WINDOWS_H
#define OMEN_PREDICT_WINDOWS_H

#include "model/model.h"

typedef struct omen_windows {
  const omen_model *model;
  uint32_t size, stride; /* in positions; at least 1 */
} omen_windows;

/* A range of positions. */
typedef struct omen_position_span {
  uint32_t low, high; /* inclusive; empty if low > high */
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

/* Extend to include e. OMEN_NONE (before the trace) counts as position 0. */
void omen_extent_widen (omen_position_span *extent, const omen_model *model,
                        omen_eid e);

/* The window that contains the whole extent, or OMEN_NONE. */
uint32_t omen_windows_find (const omen_windows *windows,
                            omen_position_span extent);
/* The positions of window number `index`. */
omen_range omen_windows_range (const omen_windows *windows, uint32_t index);

#endif
