/* What woven code keeps for each thread. */
#include "runtime/abi.h"

OMEN_ABI_TLS uint64_t *__omen_cursor;
OMEN_ABI_TLS uint64_t __omen_depth;
