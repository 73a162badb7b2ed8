/* Runs a fuzz target over its kept inputs, one TAP line a file. The name of
   the file is printed before it runs, so that a crash names its cause. */
#include "fuzz.h"

#include "base/mem.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static unsigned tests;

static uint8_t *
content (const char *path, size_t *size)
{
  FILE *file = fopen (path, "rb");
  struct stat status;
  uint8_t *data = NULL;
  if (!file)
    return NULL;
  if (!fstat (fileno (file), &status) && S_ISREG (status.st_mode)) {
    *size = (size_t)status.st_size;
    data = malloc (*size ? *size : 1);
    if (data && fread (data, 1, *size, file) != *size) {
      free (data);
      data = NULL;
    }
  }
  fclose (file);
  return data;
}

static void
try (const char *name, const uint8_t *data, size_t size)
{
  printf ("# %s\n", name);
  fflush (stdout);
  LLVMFuzzerTestOneInput (data, size);
  printf ("%s %u - %s\n", omen_mem_live () ? "not ok" : "ok", ++tests, name);
}

static void
try_files (const char *top, const char *pattern)
{
  char full[4096];
  glob_t found;
  snprintf (full, sizeof full, "%s/test/%s", top, pattern);
  if (!glob (full, 0, NULL, &found))
    for (size_t i = 0; i < found.gl_pathc; i++) {
      size_t size;
      uint8_t *data = content (found.gl_pathv[i], &size);
      if (data)
        try (found.gl_pathv[i], data, size);
      else
        printf ("not ok %u - cannot read %s\n", ++tests, found.gl_pathv[i]);
      free (data);
    }
  globfree (&found);
}

int
main (void)
{
  const char *top = getenv ("TOP");
  try ("empty input", (const uint8_t *)"", 0);
  try_files (top ? top : ".", "fuzz/corpus/" FUZZ_TARGET "/*");
  try_files (top ? top : ".", "data/regress/" FUZZ_TARGET ".*");
  printf ("1..%u\n", tests);
  return 0;
}
