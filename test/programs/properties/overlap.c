#include <stdio.h>
#include <string.h>
int
main (void)
{
  char text[50] = "hello", other[50] = "";
  sprintf (other, "%s, world", text);
#ifdef BAD
  sprintf (text, "%s, world", text);
#endif
  strcat (other, text);
  puts (other);
  return 0;
}
