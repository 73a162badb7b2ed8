/* Which mutant is switched on: OMEN_MUTANT in the environment. */
#include <stdlib.h>

int omen_mutant;

__attribute__ ((constructor)) static void
choose_mutant (void)
{
  const char *text = getenv ("OMEN_MUTANT");
  omen_mutant = text ? atoi (text) : 0;
}
