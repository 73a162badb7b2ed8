#include "driver/memory.h"
#include "base/defs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define NONE UINT64_MAX

/* The number at the start of the text; NONE if there is none ("max"). */
static uint64_t
parse_number (const char *text)
{
  char *end;
  uint64_t number = strtoull (text, &end, 10);
  return end == text ? NONE : number;
}

static uint64_t
read_number (const char *path)
{
  char line[64];
  FILE *in = fopen (path, "r");
  uint64_t number
      = in && fgets (line, sizeof line, in) ? parse_number (line) : NONE;
  if (in)
    fclose (in);
  return number;
}

static uint64_t
free_of_system (void)
{
  static const char name[] = "MemAvailable:";
  char line[256];
  uint64_t kb = NONE;
  FILE *in = fopen ("/proc/meminfo", "r");
  while (in && kb == NONE && fgets (line, sizeof line, in))
    if (!strncmp (line, name, sizeof name - 1))
      kb = parse_number (line + sizeof name - 1);
  if (in)
    fclose (in);
  return kb == NONE ? NONE : kb << 10;
}

/* Of the cgroup (version 2), according to the line "0::/path". */
static uint64_t
free_of_group (void)
{
  char line[1024], path[1200];
  uint64_t most = NONE, used = NONE;
  FILE *in = fopen ("/proc/self/cgroup", "r");
  while (in && most == NONE && fgets (line, sizeof line, in)) {
    line[strcspn (line, "\n")] = '\0';
    if (strncmp (line, "0::", 3))
      continue;
    snprintf (path, sizeof path, "/sys/fs/cgroup%s/memory.max", line + 3);
    most = read_number (path);
    snprintf (path, sizeof path, "/sys/fs/cgroup%s/memory.current", line + 3);
    used = read_number (path);
  }
  if (in)
    fclose (in);
  if (most == NONE || used == NONE)
    return NONE;
  return most > used ? most - used : 0;
}

static uint64_t
free_of_limit (void)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
    return NONE;
  return limit.rlim_cur;
}

size_t
omen_memory_default (void)
{
  uint64_t (*const sources[]) (void)
      = { free_of_system, free_of_group, free_of_limit };
  uint64_t least = NONE;
  for (size_t i = 0; i < OMEN_COUNT (sources); i++) {
    uint64_t room = sources[i]();
    least = room < least ? room : least;
  }
  return least == NONE ? 0 : (size_t)(least / 4 * 3);
}
