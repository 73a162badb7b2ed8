/* omen version */
#include "cmd/cmd.h"
#include "driver/ranks/ranks.h"

#include <stdio.h>

static char docs[]
    = "The version of omen, and whether ranks of mpirun can share "
      "the work of omen explore and omen predict.";
static const struct argp argp = { .doc = docs };

static int
run_version (int argc, char **argv)
{
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, NULL, &code))
    return code;
  puts ("omen " OMEN_VERSION);
  puts (omen_ranks_possible () ? "with MPI: mpirun omen explore, omen predict"
                               : "without MPI");
  return omen_finish (OMEN_EXIT_NOTHING);
}

const omen_cmd omen_cmd_version
    = { "version", "print the version", run_version, &argp };
