/* Which planted bug is switched on: OMEN_SEEDED_BUG in the environment. */
#include "base/seeded.h"

#include <stdlib.h>

int omen_seeded_bug;

__attribute__ ((constructor)) static void
choose_bug (void)
{
  const char *text = getenv ("OMEN_SEEDED_BUG");
  omen_seeded_bug = text ? atoi (text) : 0;
}
