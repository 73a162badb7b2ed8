/* Which names property files mention; does not need a trace. `list` is an
   omen_spec_list, as the context of callbacks. */
#ifndef OMEN_DRIVER_SPEC_SPEAKS_H
#define OMEN_DRIVER_SPEC_SPEAKS_H

#include "driver/spec_list.h"

/* Is there a get, set or state predicate for such a variable? */
bool omen_spec_list_speaks_of (const void *list, const char *variable);
/* The same, without a bare `*`. */
bool omen_spec_list_names (const void *list, const char *variable);
/* Is there a call or execution of such a function? */
/* Does a state predicate speak of it? */
bool omen_spec_list_watches (const void *list, const char *variable);
bool omen_spec_list_calls (const void *list, const char *function);
/* Does a pointcut mention a thread? */
bool omen_spec_list_threads (const omen_spec_list *list);
/* Kinds of events that may matter to some property regardless of their object,
   and kinds on which these depend: bits 1 << omen_kind. */
uint64_t omen_spec_list_kinds (const omen_spec_list *list);

/* Does a formula have parallel events (`||`)? */
bool omen_spec_list_parallel (const omen_spec_list *list);

#endif
