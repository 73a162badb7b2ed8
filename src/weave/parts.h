/* Data that parts.cpp, which is C++, passes to the rest of the weaver. */
#ifndef OMEN_WEAVE_PARTS_H
#define OMEN_WEAVE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/* Where a named part lies, in bits from the start of the queried range. */
typedef struct omen_weave_step {
  uint64_t start, size, stride; /* an array in bytes: any of its elements */
} omen_weave_step;
typedef struct omen_weave_part {
  int64_t bit;
  uint64_t bits;
  bool is_signed, is_field; /* of integers; of bit-fields */
  bool is_whole; /* the whole variable; `bits` is 0 if nothing else is known */
  /* Steps to array elements, each relative to the element before; `bit` is
     relative to the last of these elements. */
  const omen_weave_step *steps;
  unsigned step_count;
  bool is_real; /* a float or double */
  /* Start, as for `bit`, of the containing object: the struct of a member, the
     array of an element; of a variable, itself. */
  int64_t owner;
} omen_weave_part;

#endif
