/* Which of the compiled forms of hash.c fits the processor. */
#include "runtime/hash.h"

omen_hash_form *
omen_hash_form_at (unsigned i)
{
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("x86-64-v4") && !i--)
    return omen_hash_v4;
  if (__builtin_cpu_supports ("x86-64-v3") && !i--)
    return omen_hash_v3;
  return i ? NULL : omen_hash_any;
}

uint64_t
omen_hash (const void *bytes, size_t size)
{
  static omen_hash_form *chosen;
  omen_hash_form *function = __atomic_load_n (&chosen, __ATOMIC_RELAXED);
  if (__builtin_expect (!function, 0)) {
    function = omen_hash_form_at (0);
    __atomic_store_n (&chosen, function, __ATOMIC_RELAXED);
  }
  return function (bytes, size);
}
