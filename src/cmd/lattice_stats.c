#include "cmd/lattice_stats.h"

#include <inttypes.h>
#include <stdio.h>

json_t *
omen_lattice_json (const omen_lattice_counts *counts)
{
  json_t *root = json_object (), *levels = json_array ();
  for (size_t i = 0; i < counts->widths.count; i++)
    json_array_append_new (levels,
                           json_integer ((json_int_t)counts->widths.data[i]));
  json_object_set_new (root, "cuts", json_integer ((json_int_t)counts->cuts));
  json_object_set_new (root, "runs",
                       counts->runs ? json_string (counts->runs)
                                    : json_null ());
  json_object_set_new (root, "levels", levels);
  json_object_set_new (root, "bytes", json_integer ((json_int_t)counts->peak));
  json_object_set_new (root, "seconds", json_real (counts->seconds));
  json_object_set_new (root, "pruned", json_boolean (counts->pruned));
  json_object_set_new (root, "unfinished", json_boolean (counts->unfinished));
  return root;
}

/* So many levels at each end are shown. */
#define SHOWN 12

static void
print_widths (const omen_lattice_counts *counts)
{
  size_t count = counts->widths.count;
  fputs ("omen:   cuts a level", stderr);
  for (size_t i = 0; i < count; i++) {
    if (i == SHOWN && count > 2 * SHOWN) {
      fputs (" ...", stderr);
      i = count - SHOWN;
    }
    fprintf (stderr, " %" PRIu64, counts->widths.data[i]);
  }
  fputc ('\n', stderr);
}

void
omen_lattice_print (const omen_lattice_counts *counts)
{
  uint64_t widest = 0;
  for (size_t i = 0; i < counts->widths.count; i++)
    if (counts->widths.data[i] > widest)
      widest = counts->widths.data[i];
  fprintf (stderr,
           "omen: lattice: %" PRIu64 " cut%s on %zu level%s, %" PRIu64
           " on the widest%s%s\n",
           counts->cuts, omen_s (counts->cuts), counts->widths.count,
           omen_s (counts->widths.count), widest,
           counts->pruned ? ", others left out" : "",
           counts->unfinished ? ", unfinished" : "");
  print_widths (counts);
  fprintf (stderr, "omen:   complete runs %s\n",
           counts->runs ? counts->runs : "not counted");
  fprintf (stderr, "omen:   %.3f s", counts->seconds);
  if (counts->seconds > 0)
    fprintf (stderr, ", %.0f cuts/s",
             (double)counts->cuts / counts->seconds);
  fprintf (stderr, ", %zu bytes at most\n", counts->peak);
}
