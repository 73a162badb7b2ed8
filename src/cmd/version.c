/* omen version */
#include "cmd/cmd.h"

#include <stdio.h>

static char docs[] = "The version of omen.";
static const struct argp argp = { .doc = docs };

static int
run_version (int argc, char **argv)
{
  int code;
  if (!omen_cmd_parse (&argp, argc, argv, NULL, &code))
    return code;
  puts ("omen " OMEN_VERSION);
  return omen_finish (OMEN_EXIT_NOTHING);
}

const omen_cmd omen_cmd_version
    = { "version", "print the version", run_version, &argp };
