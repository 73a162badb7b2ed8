#include "runtime/core/core.h"

#include <sys/mman.h>

void *
omen_pages (size_t size)
{
  long at = omen_call (SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}

void
omen_pages_free (void *at, size_t size)
{
  omen_call (SYS_munmap, (long)at, (long)size, 0, 0, 0, 0);
}
