#include "driver/predict/atomic_list.h"
#include "driver/input.h"

#include <string.h>

bool
omen_atomic_load (const char *which, omen_atomic *atomic, int *code)
{
  omen_text text = { 0 };
  omen_err err = { 0 };
  omen_atomic_init (atomic, OMEN_ATOMIC_ALL);
  if (!which || !strcmp (which, "all"))
    return true;
  if (!strcmp (which, "steady") || !strcmp (which, "marked")) {
    atomic->mode = *which == 's' ? OMEN_ATOMIC_STEADY : OMEN_ATOMIC_MARKED;
    return true;
  }
  if (omen_input_text (which, &text, &err))
    omen_atomic_parse (atomic, which, text.data, text.count, &err);
  OMEN_VEC_FINI (text);
  return omen_succeeded (&err, OMEN_EXIT_USAGE, code);
}
