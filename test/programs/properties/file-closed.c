#include <stdio.h>
#include <stdlib.h>
int
main (int argc, char **argv)
{
  char line[100];
  FILE *f = fopen (argv[0], "r"), *g;
  fgets (line, sizeof line, f);
  fclose (f);
  g = fopen (argv[0], "r"); /* most likely at the same address */
  fgets (line, sizeof line, g);
#ifdef BAD
  fclose (g);
  ftell (g);
#else
  ftell (g);
  fclose (g);
#endif
  return 0;
}
