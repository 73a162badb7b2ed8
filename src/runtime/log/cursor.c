/* The thread-local variables that woven code uses; they must exist even where
   nothing is recorded. */
#include "wire/abi.h"

OMEN_ABI_TLS uint64_t *__omen_cursor;
OMEN_ABI_TLS uint64_t __omen_depth;
OMEN_ABI_TLS void *__omen_inside;

OMEN_ABI_SERVED (OMEN_ABI_SERVE_)
