/* What property files speak of, by names: without a trace, before one is read
   or while it is. `list` is an omen_spec_list, as context of callbacks. */
#ifndef OMEN_DRIVER_SPEC_SPEAKS_H
#define OMEN_DRIVER_SPEC_SPEAKS_H

#include "driver/spec_list.h"

/* Is there a get or set, or a state predicate, of such a variable? */
bool omen_spec_list_speaks_of (const void *list, const char *variable);
/* The same, but by more than a bare `*`. */
bool omen_spec_list_names (const void *list, const char *variable);
/* A call or execution of such a function? */
bool omen_spec_list_calls (const void *list, const char *function);
/* Kinds of events that may be something to them whatever they are about, and
   those without which these make no sense: bits 1 << omen_kind. */
/* Does a pointcut name a thread? */
bool omen_spec_list_threads (const omen_spec_list *list);
uint64_t omen_spec_list_kinds (const omen_spec_list *list);

/* Does a formula ask whether two events are enabled at once (`||`)? */
bool omen_spec_list_parallel (const omen_spec_list *list);

#endif
