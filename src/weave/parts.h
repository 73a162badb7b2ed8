/* What parts.cpp, which is C++, tells the rest of the weaver. */
#ifndef OMEN_WEAVE_PARTS_H
#define OMEN_WEAVE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/* Where what a name stands for is, in bits from the start of what was
   asked about. */
typedef struct omen_weave_step {
  uint64_t start, size, stride; /* an array in bytes: any element of it */
} omen_weave_step;
typedef struct omen_weave_part {
  int64_t bit;
  uint64_t bits;
  bool is_signed, is_field; /* of integers; of bit-fields */
  bool is_whole; /* it is the variable itself; without bits: no more is known */
  /* Of all parts: `bit` is from the start of an element that these lead to,
     each counting from the element before. */
  const omen_weave_step *steps;
  unsigned step_count;
  bool is_real;  /* a float or double */
  int64_t owner; /* where what has it begins, as `bit` counts: the struct of a
                    member, the array of an element; of the variable, itself */
} omen_weave_part;

#endif
