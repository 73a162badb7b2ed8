//: ext 0
#include <stdio.h>
#include <stdlib.h>

static char buffer[100];
static char *line;
static size_t room;

int
main (void)
{
  FILE *file = tmpfile ();
  int sum = 0;
  fputs ("first line\nsecond\n", file);
  fwrite ("third\n", 1, 6, file);
  rewind (file);
  if (fgets (buffer, sizeof buffer, file))
    sum += buffer[0] + buffer[10];
  while (getline (&line, &room, file) > 0)
    sum += line[0] + line[1];
  rewind (file);
  size_t n = fread (buffer, 1, sizeof buffer, file);
  sum += buffer[n - 1] + buffer[12];
  free (line);
  fclose (file);
  printf ("%d %zu\n", sum, n);
  puts ("end");
  return 0;
}
