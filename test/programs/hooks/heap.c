//: alloc >=8
//: free >=7
//? alloc[.raw]*(.*,11)
//? alloc[.raw]*(.*,4096)
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main (void)
{
  char *a = malloc (11);
  int *b = calloc (5, sizeof *b);
  strcpy (a, "0123456789");
  a = realloc (a, 5000);
  printf ("%s %d\n", a, b[4]);
  void *c = aligned_alloc (64, 128), *d, *e = memalign (32, 32);
  if (posix_memalign (&d, 4096, 4096))
    return 1;
  void *f = reallocarray (NULL, 10, 10), *g = valloc (10);
  printf ("%d %d\n", (int)((size_t)c % 64), (int)((size_t)d % 4096));
  char *h = strdup (a);
  printf ("%s\n", h);
  void *all[] = { a, b, c, d, e, f, g, h };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free (all[i]);
  free (NULL);
  return 0;
}
