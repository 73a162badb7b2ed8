/* Objects that die: freed, or said to be dead.

   What a property's own events end (call(free(p)), free(p)) is its own business
   until the address is used again, and so is what the C library frees on its own
   account (the FILE of an fclose): the program has not said that it knows. Such
   addresses are kept in a filter, and are dead when malloc gives them again. */
#include "runtime/bytes.h"
#include "runtime/monitor.h"

#include <errno.h>
#include <link.h>

enum { FILTER_BITS = 1 << 16 };
static uint64_t filter[FILTER_BITS / 64];

static uint32_t
bit_of (uintptr_t value)
{
  return (uint32_t)(value * UINT64_C (0x9e3779b97f4a7c15) >> 48) % FILTER_BITS;
}

static void
remember (uintptr_t value)
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

/* ---- the C library's own frees ---- */

static uintptr_t libc_from, libc_to;

static int
look_for_libc (struct dl_phdr_info *info, size_t size, void *at)
{
  uintptr_t inside = *(uintptr_t *)at;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && inside >= start
        && inside < start + part->p_memsz) {
      libc_to = start + part->p_memsz;
      __atomic_store_n (&libc_from, start, __ATOMIC_RELEASE);
      return 1;
    }
  }
  return 0;
}

static bool
is_libc (uint64_t pc)
{
  if (!__atomic_load_n (&libc_from, __ATOMIC_ACQUIRE)) {
    uintptr_t inside = (uintptr_t)omen_real_find ("fclose");
    dl_iterate_phdr (look_for_libc, &inside);
  }
  return pc >= libc_from && pc < libc_to;
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
      remember (value);
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
  if (is_libc (pc))
    remember ((uintptr_t)block);
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
