#include "runtime/core/process.h"
#include "runtime/core/bytes.h"
#include "runtime/core/core.h"

#include <fcntl.h>

omen_process omen_process_mine;
static uint64_t forks; /* so far */

/* FNV-1a, 64 bits. */
static uint64_t
hash_bytes (uint64_t before, const void *bytes, size_t size)
{
  const uint8_t *at = bytes;
  for (size_t i = 0; i < size; i++)
    before = (before ^ at[i]) * UINT64_C (0x100000001b3);
  return before;
}

/* The 0 that ends each word is hashed, too. */
void
omen_process_begin (char **argv)
{
  char text[OMEN_PATH_MAX];
  uint64_t start = UINT64_C (0xcbf29ce484222325);
  long length = omen_call (SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe",
                           (long)text, sizeof text, 0, 0);
  uint64_t exact = hash_bytes (start, text, length > 0 ? (size_t)length : 0);
  omen_process_mine.loose = exact;
  length = omen_call (SYS_getcwd, (long)text, sizeof text, 0, 0, 0, 0);
  exact = hash_bytes (exact, text, length > 0 ? (size_t)length : 0);
  for (; argv && *argv; argv++)
    exact = hash_bytes (exact, *argv, omen_bytes_length (*argv) + 1);
  omen_process_mine.exact = exact;
}

void
omen_process_fork (void)
{
  __atomic_fetch_add (&forks, 1, __ATOMIC_RELAXED);
}

void
omen_process_forked (void)
{
  omen_process *mine = &omen_process_mine;
  mine->exact = hash_bytes (mine->exact, &forks, sizeof forks);
  mine->loose = hash_bytes (mine->loose, &forks, sizeof forks);
  forks = 0;
}
