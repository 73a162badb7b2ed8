/* Objects that die: freed, or declared dead (OMEN_DEAD).

   An object that a property's own events end (call(free(p)), free(p)) counts as
   dead only when its address is used again; so does memory that the C library
   frees by itself (the FILE of an fclose), since the program has not freed it.
   Such addresses are kept in a filter, and die when malloc returns them again.
   */
#include "runtime/monitor/monitor.h"

#include <errno.h>

enum { FILTER_BITS = 1 << 16 };
static uint64_t filter[FILTER_BITS / 64];

static uint32_t
bit_of (uintptr_t value)
{
  return (uint32_t)(value * UINT64_C (0x9e3779b97f4a7c15) >> 48) % FILTER_BITS;
}

static void
remember_dead (uintptr_t value)
{
  uint32_t bit = bit_of (value);
  __atomic_fetch_or (&filter[bit / 64], UINT64_C (1) << bit % 64,
                     __ATOMIC_RELAXED);
}

static bool
is_remembered (uintptr_t value)
{
  uint32_t bit = bit_of (value);
  return __atomic_load_n (&filter[bit / 64], __ATOMIC_RELAXED) >> bit % 64 & 1;
}

/* ---- deaths ---- */

static void
kill_in (omen_monitored *m, uint64_t value)
{
  omen_monitor_lock (m);
  if (!OMEN_REFUGE ())
    for (uint32_t f = 0; f < m->property.formulas; f++)
      omen_slicer_dead (m->parts[f].slicer, value);
  omen_monitor_has_refuge = false;
  omen_monitor_unlock (m);
}

static void
kill_in_all (uint64_t value, bool late)
{
  omen_monitor_enter ();
  for (omen_monitored *m = __atomic_load_n (&omen_monitors, __ATOMIC_ACQUIRE);
       m; m = m->next)
    if (!late && m->from->keeps)
      remember_dead (value);
    else
      kill_in (m, value);
  omen_monitor_leave ();
}

void
omen_monitor_freed (const volatile void *block, uint64_t pc)
{
  int saved = errno;
  if (!block || omen_monitor_busy ())
    return;
  if (omen_in_libc (pc)) /* the library's own frees */
    remember_dead ((uintptr_t)block);
  else
    kill_in_all ((uintptr_t)block, false);
  errno = saved;
}

void
omen_monitor_made (const volatile void *block)
{
  if (block && is_remembered ((uintptr_t)block) && !omen_monitor_busy ())
    kill_in_all ((uintptr_t)block, true);
}

void
omen_monitor_dead (const volatile void *object)
{
  if (!omen_monitor_busy ())
    kill_in_all ((uintptr_t)object, true);
}
