#include <stdio.h>
int
main (void)
{
  char line[100];
  FILE *f = tmpfile ();
  fputs ("one line\n", f);
#ifndef BAD
  rewind (f);
#endif
  fgets (line, sizeof line, f);
  rewind (f);
  fgets (line, sizeof line, f);
  fclose (f);
  return 0;
}
