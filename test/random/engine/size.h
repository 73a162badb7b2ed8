/* What every campaign begins and ends with. */
#ifndef OMEN_TEST_ENGINE_SIZE_H
#define OMEN_TEST_ENGINE_SIZE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* So many wrong answers are enough; with a mutant, one. */
#define ENOUGH (getenv ("OMEN_MUTANT") ? 1 : 5)

/* One of the sizes, as the environment has it (test/run). */
static inline uint64_t
campaign_scaled (uint64_t usual, uint64_t large)
{
  const char *scale = getenv ("OMEN_CAMPAIGN");
  if (scale && !strcmp (scale, "short"))
    return usual / 4;
  return scale && !strcmp (scale, "long") ? large : usual;
}

/* The arguments, or one of the sizes: how many traces, and from which seed. */
static inline uint64_t
campaign_size (int argc, char **argv, uint64_t usual, uint64_t large,
               uint64_t *first)
{
  *first = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  return argc > 1 ? strtoull (argv[1], NULL, 10)
                  : campaign_scaled (usual, large);
}

static inline double
in_hundred (uint64_t part, uint64_t all)
{
  return all ? 100.0 * (double)part / (double)all : 0;
}

#endif
