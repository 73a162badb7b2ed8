// scanf by the name that it had before C99.
//: ext 0
//+ -std=gnu89
#include <stdio.h>

static int number;
static char word[20];

int
main (void)
{
  int done = sscanf ("12 abc", "%d %19s", &number, word);
  printf ("%d %d %c\n", done, number, word[2]);
  return 0;
}
