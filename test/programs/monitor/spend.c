/* Two purses, of which one is given something. */
#include <omen.h>
#include <stdio.h>

int
main (void)
{
  for (int i = 0; i < 6; i++) {
    int p = i % 2;
    OMEN_EVENT (take, p);
    if (i == 2)
      OMEN_EVENT (give, p);
  }
  puts ("spent");
  return 0;
}
