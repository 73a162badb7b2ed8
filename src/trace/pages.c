#include "trace/pages.h"

#include <sys/mman.h>

#define LARGE ((uintptr_t)2 << 20)

void
omen_pages_huge (void *p, size_t bytes)
{
  uintptr_t start = ((uintptr_t)p + LARGE - 1) & ~(LARGE - 1);
  uintptr_t end = ((uintptr_t)p + bytes) & ~(LARGE - 1);
  if (start < end)
    madvise ((void *)start, end - start, MADV_HUGEPAGE);
}
