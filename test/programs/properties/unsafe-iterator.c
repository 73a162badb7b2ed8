/* woven */
#include "containers.h"
int
main (void)
{
  list *c = list_new ();
  iterator *i;
  long sum = 0;
  for (long n = 0; n < 10; n++)
    list_add (c, n);
  for (i = list_iterator (c); iterator_more (i);)
    sum += iterator_next (i);
  iterator_free (i);
  list_add (c, 10);
  i = list_iterator (c);
  sum += iterator_next (i);
#ifdef BAD
  list_remove (c, 0);
#endif
  sum += iterator_next (i);
  iterator_free (i);
  list_remove (c, 0);
  list_free (c);
  return sum == 0;
}
