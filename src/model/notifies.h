/* The notifies of one condition along a sequence, and which of them are used
   up.

     omen_notifies_add (&list, 4, false);     notify at place 4
     omen_notifies_add (&list, 7, true);      notifyall at place 7
     omen_notifies_take (&list, 2)            7: a wait at place 2 returns
     omen_notifies_take (&list, 8)            OMEN_NONE

   A return takes the earliest notifyall after its wait, else the earliest
   notify after it that no other return has taken (doc/semantics.md,
   synchronised order). Returns take in the order of the sequence, when all
   notifies before them and none after them have been added.

   A zeroed struct is an empty list. Logarithmic in the list, amortised. */
#ifndef OMEN_MODEL_NOTIFIES_H
#define OMEN_MODEL_NOTIFIES_H

#include "base/vec.h"

typedef struct omen_notifies {
  omen_ids ones, alls; /* places of the notifies and of the notifyalls */
  omen_ids next; /* by notify: itself if it is free, else one nearer to the next
                    free one */
} omen_notifies;

void omen_notifies_fini (omen_notifies *list);
void omen_notifies_clear (omen_notifies *list);
void omen_notifies_copy (omen_notifies *to, const omen_notifies *from);
/* Places ascend. */
void omen_notifies_add (omen_notifies *list, uint32_t place, bool all);
/* The place of the notify that serves a return from a wait at place `after`; it
   is used up unless it is a notifyall. OMEN_NONE: none is left. */
uint32_t omen_notifies_take (omen_notifies *list, uint32_t after);

#endif
