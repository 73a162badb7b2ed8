/* For targets of readers that open a file by its name. */
#ifndef OMEN_TEST_FUZZ_FILE_H
#define OMEN_TEST_FUZZ_FILE_H

#include "base/defs.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct fuzz_file {
  int fd;
  char path[32];
} fuzz_file;

static inline fuzz_file
fuzz_file_of (const void *bytes, size_t size)
{
  fuzz_file file = { .fd = memfd_create ("fuzz", 0) };
  OMEN_REQUIRE (file.fd >= 0 && write (file.fd, bytes, size) == (ssize_t)size);
  snprintf (file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
  return file;
}

#endif
