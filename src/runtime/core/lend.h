/* Memory of our own for libc functions that we call in a thread of the program
   and that allocate. The program's heap would make an arena for the thread, of
   64 MiB of addresses, which the program alone would not have.

     omen_lend_begin (&lender);
     pthread_getattr_np (…);     malloc and its kin take from the lender
     pthread_attr_destroy (…);   and free gives back nothing
     omen_lend_end ();

   What does not fit comes from the program's heap; realloc fails then. */
#ifndef OMEN_RUNTIME_CORE_LEND_H
#define OMEN_RUNTIME_CORE_LEND_H

#include "runtime/core/rt.h"

typedef struct omen_lender {
  size_t used;
  _Alignas (16) uint8_t room[2048];
} omen_lender;

extern OMEN_TLS omen_lender *omen_lends; /* NULL: nobody */

static inline void
omen_lend_begin (omen_lender *lender)
{
  lender->used = 0;
  omen_lends = lender;
}

static inline void
omen_lend_end (void)
{
  omen_lends = NULL;
}

/* NULL if it does not fit. Zeroed. */
void *omen_lend (size_t size);

static inline bool
omen_is_lent (const void *block)
{
  const omen_lender *lender = omen_lends;
  return lender
         && (uintptr_t)block - (uintptr_t)lender->room < sizeof lender->room;
}

#endif
