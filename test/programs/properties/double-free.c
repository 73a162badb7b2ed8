#include <stdlib.h>
int
main (void)
{
  void *volatile p, *volatile q;
  for (int i = 0; i < 10; i++) { /* the same address again and again */
    p = malloc (50);
    p = realloc (p, 5000);
    free (p);
  }
  p = malloc (50);
  q = malloc (50);
  free (p);
  free (q);
#ifdef BAD
  free (p);
#endif
  return 0;
}
