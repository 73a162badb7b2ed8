#include "driver/replay/origin.h"
#include "driver/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool
read_hashes (const char *trace, uint64_t *exact, uint64_t *loose)
{
  omen_recorded recorded;
  bool ok = omen_recorded_count (&recorded, trace);
  *exact = ok ? recorded.exact : 0;
  *loose = ok ? recorded.loose : 0;
  omen_recorded_fini (&recorded);
  return ok;
}

void
omen_origin_find (omen_origin *origin, const char *trace)
{
  omen_recorded_files files = { 0 };
  /* "run.omen", from "run.omen.4711" or "run.omen.4711.2" */
  char *first = omen_strdup (trace);
  for (unsigned parts = 0; parts < 2; parts++) {
    char *dot = strrchr (first, '.');
    if (!dot || !dot[1] || dot[1 + strspn (dot + 1, "0123456789")])
      break;
    *dot = 0;
  }
  *origin = (omen_origin){ .first = !strcmp (first, trace) };
  read_hashes (trace, &origin->exact, &origin->loose);
  omen_recorded_find (&files, first);
  for (size_t i = 0; i < files.count; i++) {
    uint64_t exact, loose;
    if (!read_hashes (files.data[i], &exact, &loose))
      continue;
    origin->exact_number += exact == origin->exact;
    origin->loose_number += loose == origin->loose;
    if (!strcmp (files.data[i], trace))
      break;
  }
  omen_recorded_files_fini (&files);
  omen_free (first);
}

void
omen_origin_name (const omen_origin *origin, omen_origin_way way,
                  char text[OMEN_ORIGIN_NAME])
{
  if (way == OMEN_NAME_FIRST)
    snprintf (text, OMEN_ORIGIN_NAME, "* 1");
  else if (way == OMEN_NAME_EXACT)
    snprintf (text, OMEN_ORIGIN_NAME, "%" PRIx64 " %u", origin->exact,
              origin->exact_number);
  else
    snprintf (text, OMEN_ORIGIN_NAME, "%" PRIx64 " %u", origin->loose,
              origin->loose_number);
}

bool
omen_origin_is (const omen_origin *origin, omen_origin_way way,
                const char *trace)
{
  uint64_t exact, loose;
  OMEN_REQUIRE (way != OMEN_NAME_FIRST);
  return read_hashes (trace, &exact, &loose)
         && (way == OMEN_NAME_EXACT ? exact == origin->exact
                                    : loose == origin->loose);
}
