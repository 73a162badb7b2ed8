#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int
main (void)
{
  char *volatile p = malloc (50);
  strcpy (p, "hello");
#ifdef BAD
  free (p);
  write (1, p, 0);
#else
  write (1, p, 0);
  free (p);
#endif
  p = malloc (50);
  strcpy (p, "again");
  write (1, p, 0);
  free (p);
  return 0;
}
