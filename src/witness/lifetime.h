/* What kind of object the claim `lifetime f a` is about, for messages. Derived
   from the trace; whether the claim holds does not depend on it. */
#ifndef OMEN_WITNESS_LIFETIME_H
#define OMEN_WITNESS_LIFETIME_H

#include "witness/witness.h"

typedef enum omen_lifetime {
  OMEN_LIFETIME_FREED, /* a block of the heap, or a mapping */
  OMEN_LIFETIME_FREED_TWICE,
  OMEN_LIFETIME_STACK,  /* a local variable of a function that returned */
  OMEN_LIFETIME_THREAD, /* a thread-local variable, its thread has ended */
  OMEN_LIFETIME_CLOSED, /* a file descriptor */
  OMEN_LIFETIME_CLOSED_TWICE,
  OMEN_LIFETIME_IN_CALL,   /* memory that a call of libc uses */
  OMEN_LIFETIME_DESTROYED, /* a mutex, condition, barrier, semaphore, … */
  OMEN_LIFETIME_RAW,       /* memory read before its first write */
  OMEN_LIFETIME_NULL,      /* a pointer that is null by then, dereferenced */
  OMEN_LIFETIMES
} omen_lifetime;

omen_lifetime omen_lifetime_of (const omen_trace *trace,
                                const omen_claim *claim);
/* Is the variable one of the thread that frees it, and freed by its end? */
bool omen_lifetime_ends_with_thread (const omen_trace *trace, omen_eid freed);
/* The file descriptor that the access opens, uses or closes, or OMEN_NONE. */
uint32_t omen_lifetime_descriptor (const omen_trace *trace, omen_eid access);
/* "use-after-free", for JSON and files. */
const char *omen_lifetime_text (omen_lifetime what);
/* "use after free of " and "": what stands around the name in a headline. */
void omen_lifetime_headline (omen_lifetime what, const char *words[2]);
/* "frees it again": what the thread of the use does. */
const char *omen_lifetime_use (omen_lifetime what);

#endif
