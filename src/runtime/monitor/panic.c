/* An internal error of omen inside the program: monitors are turned off, the
   program goes on. */
#include "runtime/monitor/monitor.h"

OMEN_TLS void *omen_monitor_refuge[5];
OMEN_TLS bool omen_monitor_has_refuge;

_Noreturn void
omen_panic (const char *file, int line, const char *function, const char *what,
            const char *expr)
{
  bool safe = omen_monitor_has_refuge;
  omen_monitor_on = false;
  __omen_moments = 0;
  omen_say ("error of omen itself, monitors are off: ", expr);
  omen_monitor_has_refuge = false;
  if (safe)
    __builtin_longjmp (omen_monitor_refuge, 1);
  for (;;)
    omen_call (SYS_exit_group, 5, 0, 0, 0, 0, 0);
}
