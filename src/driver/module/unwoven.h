/* Warns of pointcuts that match nothing in a program. */
#ifndef OMEN_DRIVER_MODULE_UNWOVEN_H
#define OMEN_DRIVER_MODULE_UNWOVEN_H

#include "spec/spec.h"

/* Does the program have pointcut `cut` of this event of this property? */
typedef bool (*omen_cut_seen) (void *self, uint32_t property, uint32_t event,
                               uint32_t cut);

/* Warn of each pointcut that the program does not have; of those for library
   functions, only if no other pointcut of the event is in the program. */
void omen_unseen_warn (const omen_spec *spec, const char *program,
                       omen_cut_seen seen, void *self);

/* The same for a program that was just linked; not for pointcuts of locks,
   threads and memory, which are matched at run time. */
void omen_unwoven_warn (const char *program, const omen_spec *spec);

/* False, with an error that names the first one, if the program lacks a
   variable of a state predicate. */
bool omen_unwatched_find (const char *program, const omen_spec *spec,
                          omen_err *err);

#endif
