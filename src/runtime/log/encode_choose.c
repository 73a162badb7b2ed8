/* Chooses the compiled form of encode.c that suits the processor. */
#include "runtime/log/encode.h"

omen_encode_form *
omen_encode_form_at (unsigned i)
{
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("x86-64-v3") && !i--)
    return omen_encode_v3;
  return i ? NULL : omen_encode_any;
}

size_t
omen_encode (omen_encoder *encoder, const uint64_t *words, size_t count,
             uint8_t *out, uint32_t *notes)
{
  static omen_encode_form *chosen;
  omen_encode_form *function = __atomic_load_n (&chosen, __ATOMIC_RELAXED);
  if (__builtin_expect (!function, 0)) {
    function = omen_encode_form_at (0);
    __atomic_store_n (&chosen, function, __ATOMIC_RELAXED);
  }
  return function (encoder, words, count, out, notes);
}
