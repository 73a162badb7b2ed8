/* Memory for libc functions that allocate and that the runtime calls in a
   thread of the program. malloc would make an arena of 64 MiB of addresses for
   the thread, which it would not have without us.

     omen_scratch_begin (&scratch);
     pthread_getattr_np (…);     malloc and its kin take from the scratch
     pthread_attr_destroy (…);   and free does nothing
     omen_scratch_end ();

   What does not fit comes from the program's heap; realloc fails then. */
#ifndef OMEN_RUNTIME_CORE_SCRATCH_H
#define OMEN_RUNTIME_CORE_SCRATCH_H

#include "runtime/core/rt.h"

typedef struct omen_scratch_room {
  size_t used;
  _Alignas (16) uint8_t room[2048];
} omen_scratch_room;

extern OMEN_TLS omen_scratch_room *omen_scratch; /* NULL: none is in use */

static inline void
omen_scratch_begin (omen_scratch_room *scratch)
{
  scratch->used = 0;
  omen_scratch = scratch;
}

static inline void
omen_scratch_end (void)
{
  omen_scratch = NULL;
}

/* Zeroed memory; NULL if it does not fit. */
void *omen_scratch_alloc (size_t size);

static inline bool
omen_is_scratch (const void *block)
{
  const omen_scratch_room *scratch = omen_scratch;
  return scratch
         && (uintptr_t)block - (uintptr_t)scratch->room < sizeof scratch->room;
}

#endif
