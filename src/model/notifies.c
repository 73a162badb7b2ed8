#include "model/notifies.h"

void
omen_notifies_fini (omen_notifies *list)
{
  OMEN_VEC_FINI (list->ones);
  OMEN_VEC_FINI (list->alls);
  OMEN_VEC_FINI (list->next);
}

void
omen_notifies_clear (omen_notifies *list)
{
  OMEN_VEC_CLEAR (list->ones);
  OMEN_VEC_CLEAR (list->alls);
  OMEN_VEC_CLEAR (list->next);
}

void
omen_notifies_copy (omen_notifies *to, const omen_notifies *from)
{
  OMEN_VEC_COPY (to->ones, from->ones);
  OMEN_VEC_COPY (to->alls, from->alls);
  OMEN_VEC_COPY (to->next, from->next);
}

void
omen_notifies_add (omen_notifies *list, uint32_t place, bool all)
{
  omen_ids *places = all ? &list->alls : &list->ones;
  uint32_t own = (uint32_t)list->next.count;
  OMEN_ASSERT (!places->count || OMEN_VEC_LAST (*places) < place);
  OMEN_VEC_PUSH (*places, place);
  if (!all)
    OMEN_VEC_PUSH (list->next, own);
}

/* How many of the places are not after `after`. */
static uint32_t
count_before (const omen_ids *places, uint32_t after)
{
  return OMEN_FIRST_NOT (i, 0, (uint32_t)places->count,
                         places->data[i] <= after);
}

uint32_t
omen_notifies_take (omen_notifies *list, uint32_t after)
{
  uint32_t i = count_before (&list->alls, after);
  if (i < list->alls.count)
    return list->alls.data[i];
  i = omen_first_free (&list->next, count_before (&list->ones, after));
  if (i == list->ones.count)
    return OMEN_NONE;
  list->next.data[i] = i + 1;
  return list->ones.data[i];
}
