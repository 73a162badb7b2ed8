/* The shapes of a pattern: sequences of steps, each of which is a match.

     pattern: create(t1) next* update(t2) (next or close)
     shapes:  create(t1) update(t2) next      create(t1) update(t2) close

   Other events may stand between the steps of a pattern, so what `*` and `?`
   allow to be there need not be, and `+` needs one: of all ways through the
   pattern only those are left that contain no shorter one. `a || b` is a step
   that is glued to the one before, in both orders; `!(a b c)` is all other
   orders; with `and`, a shape has a part for each pattern. A binding matches in
   a run if and only if the run has events for all steps of a shape, each part
   in its order.

   Some formulas have no shapes that say it all: a region that is begun but not
   ended in its part, or begun twice, events that begin and end regions, and
   formulas with too many ways through them. */
#ifndef OMEN_PREDICT_PROPERTY_PATTERN_SHAPE_H
#define OMEN_PREDICT_PROPERTY_PATTERN_SHAPE_H

#include "base/vec.h"
#include "monitor/property.h"

#define OMEN_SHAPE_STEPS 12u
#define OMEN_SHAPES_MAX 128u

typedef struct omen_shape_step {
  uint32_t event;  /* of the property */
  uint32_t name;   /* of the thread, or OMEN_NONE */
  uint32_t region; /* it begins or ends, or OMEN_NONE */
  bool ends;
  bool glued; /* at once with the step before */
  bool first; /* of its part */
} omen_shape_step;

typedef struct omen_shape {
  uint32_t count;
  omen_shape_step steps[OMEN_SHAPE_STEPS];
} omen_shape;

typedef struct omen_shapes {
  OMEN_VEC (omen_shape) list;
  uint32_t names;
  uint64_t begins, ends; /* events that begin and end regions */
} omen_shapes;

/* False: it is no pattern, or one without shapes; nothing to free then. */
bool omen_shapes_init (omen_shapes *shapes, const omen_formula *formula);
void omen_shapes_fini (omen_shapes *shapes);

#endif
