/* woven */
#include "containers.h"
int
main (void)
{
  map *m = map_new (), *other = map_new ();
  view *keys, *values;
  iterator *i;
  long sum = 0;
  for (long n = 0; n < 10; n++)
    map_put (m, n, n * n);
  keys = map_keys (m);
  values = map_values (m);
  for (i = view_iterator (keys); view_more (i);)
    sum += view_next (i);
  iterator_free (i);
  map_put (m, 11, 0);
  i = view_iterator (values);
  sum += view_next (i);
  map_put (other, 1, 1);
#ifdef BAD
  map_remove (m, 1);
#endif
  sum += view_next (i);
  iterator_free (i);
  map_remove (m, 2);
  map_remove (other, 2);
  view_free (keys);
  view_free (values);
  map_free (m);
  map_free (other);
  return sum == 0;
}
