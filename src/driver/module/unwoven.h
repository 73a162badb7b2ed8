/* Pointcuts that fit nothing in a program: silent otherwise. */
#ifndef OMEN_DRIVER_MODULE_UNWOVEN_H
#define OMEN_DRIVER_MODULE_UNWOVEN_H

#include "spec/spec.h"

/* Is pointcut `cut` of that event of that property in the program? */
typedef bool (*omen_cut_seen) (void *self, uint32_t property, uint32_t event,
                               uint32_t cut);

/* Warn of each pointcut that is not. Of those for library functions, of which a
   program uses some: only if no other of the event is. */
void omen_unseen_warn (const omen_spec *spec, const char *program,
                       omen_cut_seen seen, void *self);

/* The same for a program that was just linked; pointcuts of locks, threads and
   memory can only be known when it runs. */
void omen_unwoven_warn (const char *program, const omen_spec *spec);

/* Variables of state predicates that it does not have; false, with an error
   that names the first one. */
bool omen_unwatched_find (const char *program, const omen_spec *spec,
                          omen_err *err);

#endif
