/* TRUSTED. The verdict of a formula on a run for one binding, by the
   definitions in doc/properties.md alone: the slice has the events that bind
   the same parameters or fewer, those before its first creation event are
   dropped, and the logic's own definition decides about the word that is left.
   Shares no code with the monitors (monitor/slicer.h, the machines, spec/): it
   evaluates the formula as written on whole words, however slow that is.

     letters of the slice, each with the objects that it binds
     omen_formula_says (property, written, 0, category, slice, count, bound,
   &why)

   Objects are numbers: a value that has died in between gets another one. */
#ifndef OMEN_WITNESS_JUDGE_H
#define OMEN_WITNESS_JUDGE_H

#include "monitor/property.h"
#include "monitor/written.h"

typedef struct omen_judged_letter {
  omen_letter letter;
  bool last; /* of the event at which the verdict is claimed */
  uint32_t objects[OMEN_PARAMETERS_MAX];
} omen_judged_letter;

typedef enum omen_formula_answer {
  OMEN_SAYS_NO,
  OMEN_SAYS_YES,
  OMEN_SAYS_UNKNOWN /* undecided: *why has the reason */
} omen_formula_answer;

/* Does an instance that binds exactly the parameters `bound` reach the category
   at a letter that is `last`? `slice` has every letter whose values are the
   instance's, for some choice of objects. */
omen_formula_answer omen_formula_says (const omen_property *property,
                                       const omen_written *written,
                                       uint32_t formula, uint32_t category,
                                       const omen_judged_letter *slice,
                                       size_t count, uint32_t bound,
                                       const char **why);
/* The creation events: the word of a slice begins with one of them. */
uint64_t omen_formula_creation (const omen_property *property,
                                const omen_written *written, uint32_t formula,
                                const char **why);
/* The events that the formula reads at all. */
uint64_t omen_formula_listens (const omen_property *property,
                               const omen_written *written, uint32_t formula);

#endif
