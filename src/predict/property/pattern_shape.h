/* The shapes of a pattern: minimal sequences of steps that match it.

     pattern: create(t1) next* update(t2) (next or close)
     shapes:  create(t1) update(t2) next      create(t1) update(t2) close


   Other events may come between the steps, so what `*` and `?` allow can be
   left out, and `+` needs one: only paths through the pattern that contain no
   shorter one are kept. `a

   b` is a step glued to the one before, in either order; `!(a b c)` gives all
   other orders; with `and`, a shape has a part for each pattern. A binding
   matches in a run if and only if the run has events for all steps of some
   shape, in the order of each part.

   Some formulas have no shapes that are equivalent to them: with regions that
   begin but do not end in their part, or begin twice; with events that both
   begin and end regions; with too many paths. */
#ifndef OMEN_PREDICT_PROPERTY_PATTERN_SHAPE_H
#define OMEN_PREDICT_PROPERTY_PATTERN_SHAPE_H

#include "base/vec.h"
#include "monitor/property.h"

#define OMEN_SHAPE_STEPS 12u
#define OMEN_SHAPES_MAX 128u

typedef struct omen_shape_step {
  uint32_t event;  /* of the property */
  uint32_t name;   /* of the thread, or OMEN_NONE */
  uint32_t region; /* that it begins or ends, or OMEN_NONE */
  bool ends;
  bool glued; /* comes directly after the step before */
  bool first; /* of its part */
} omen_shape_step;

typedef struct omen_shape {
  uint32_t count;
  omen_shape_step steps[OMEN_SHAPE_STEPS];
} omen_shape;

typedef struct omen_shapes {
  OMEN_VEC (omen_shape) list;
  uint32_t names;
  uint64_t begins, ends; /* bit sets of events that begin or end regions */
} omen_shapes;

/* False: the formula is no pattern, or has no shapes; then there is nothing to
   free. */
bool omen_shapes_init (omen_shapes *shapes, const omen_formula *formula);
void omen_shapes_fini (omen_shapes *shapes);

#endif
