#include "runtime/core.h"

OMEN_TLS uint32_t omen_rt_busy;
OMEN_TLS bool omen_rt_postponed;
static OMEN_TLS sigset_t mask_before; /* if postponed */

void
omen_busy_over (void)
{
  omen_rt_postponed = false;
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask_before, 0, 8, 0, 0);
}
