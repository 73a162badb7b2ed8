/* LD_PRELOAD brought the runtime into a program that is not woven. Programs
   that it starts get the environment as the user set it. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"

static const char ours[] = "libomen-rt.so", variable[] = "LD_PRELOAD=";

static bool
names_us (const char *at, const char *end)
{
  for (; end - at >= (ptrdiff_t)sizeof ours - 1; at++)
    if (omen_bytes_equal (at, ours, sizeof ours - 1))
      return true;
  return false;
}

static const char *
end_of_path (const char *at)
{
  while (*at && *at != ':' && *at != ' ')
    at++;
  return at;
}

/* Removes this library from the list, in place; false if nothing is left. */
static bool
shorten (char *list)
{
  char *to = list;
  const char *at = list;
  while (*at) {
    const char *end = end_of_path (at);
    if (!names_us (at, end)) {
      if (to != list)
        *to++ = ':';
      while (at < end)
        *to++ = *at++;
    }
    at = *end ? end + 1 : end;
  }
  *to = 0;
  return to != list;
}

void
omen_preload_forget (char **environment)
{
  char **to = environment;
  for (; environment && *environment; environment++) {
    char *text = *environment;
    bool keep = omen_bytes_length (text) < sizeof variable - 1
                || !omen_bytes_equal (text, variable, sizeof variable - 1)
                || shorten (text + sizeof variable - 1);
    if (keep)
      *to++ = text;
  }
  if (to)
    *to = NULL;
}
