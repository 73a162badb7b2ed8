/* Value ids (model.h): small integers are their own id, the rest is looked up.

   Invariant: two values of one atom have the same id exactly if they are equal
   (doc/semantics.md, section 1). */
#ifndef OMEN_MODEL_VALUES_H
#define OMEN_MODEL_VALUES_H

#include "trace/atoms.h"

typedef struct omen_value_entry {
  omen_atom_value value;
  uint32_t id; /* OMEN_NONE: free */
} omen_value_entry;

typedef struct omen_values {
  omen_value_entry *entries;
  uint32_t count, mask;
} omen_values;

void omen_values_init (omen_values *values);
void omen_values_fini (omen_values *values);
/* The id of a value that is looked up. */
uint32_t omen_values_find (omen_values *values, const omen_atom_value *value);

#define OMEN_VALUES_SMALL (UINT32_C (1) << 28)

static inline uint32_t
omen_values_id (omen_values *values, const omen_atom_value *value)
{
  if (value->class == OMEN_CLASS_NOTHING)
    return OMEN_NONE;
  if (value->bits < OMEN_HARD_OR (4, OMEN_VALUES_SMALL)
      && (value->class == OMEN_CLASS_BYTES
          || (value->class == OMEN_CLASS_WHOLE
              && value->kind == OMEN_VALUE_INT)))
    return (uint32_t)value->bits << 2 | value->class;
  return omen_values_find (values, value);
}

#endif
