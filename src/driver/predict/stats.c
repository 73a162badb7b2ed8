#include "driver/predict/stats.h"
#include "base/print.h"

#include <inttypes.h>
#include <stdio.h>

static json_t *
lattice_json (const omen_lattice_counts *counts)
{
  json_t *root = json_object (), *levels = json_array ();
  for (size_t i = 0; i < counts->widths.count; i++)
    json_array_append_new (levels,
                           json_integer ((json_int_t)counts->widths.data[i]));
  json_object_set_new (root, "cuts", json_integer ((json_int_t)counts->cuts));
  json_object_set_new (
      root, "runs", counts->runs ? json_string (counts->runs) : json_null ());
  json_object_set_new (root, "levels", levels);
  json_object_set_new (root, "bytes", json_integer ((json_int_t)counts->peak));
  json_object_set_new (root, "seconds", json_real (counts->seconds));
  json_object_set_new (root, "pruned", json_boolean (counts->pruned));
  json_object_set_new (root, "unfinished", json_boolean (counts->unfinished));
  return root;
}

/* number of levels shown at each end */
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
    omen_print (stderr, " %" PRIu64, counts->widths.data[i]);
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
  omen_print (stderr,
              "omen: lattice: %" PRIu64 " cut%s on %zu level%s, %" PRIu64
              " on the widest%s%s\n",
              counts->cuts, omen_s (counts->cuts), counts->widths.count,
              omen_s (counts->widths.count), widest,
              counts->pruned ? ", others left out" : "",
              counts->unfinished ? ", unfinished" : "");
  print_widths (counts);
  omen_print (stderr, "omen:   complete runs %s\n",
              counts->runs ? counts->runs : "not counted");
  omen_print (stderr, "omen:   %.3f s", counts->seconds);
  if (counts->seconds > 0)
    omen_print (stderr, ", %.0f cuts/s",
                (double)counts->cuts / counts->seconds);
  omen_print (stderr, ", %zu bytes at most\n", counts->peak);
}

json_t *
omen_predict_stats_json (const omen_predict_stats *stats)
{
  json_t *root = json_object (), *stages = json_object ();
  const omen_engine_stats *e = &stats->engine;
  for (int i = 0; i < OMEN_STAGES; i++) {
    json_t *stage = json_object ();
    json_object_set_new (stage, "questions",
                         json_integer ((json_int_t)e->stage[i]));
    json_object_set_new (stage, "seconds", json_real (e->seconds[i]));
    json_object_set_new (stages, omen_stage_text (i), stage);
  }
  json_object_set_new (root, "candidates",
                       json_integer ((json_int_t)stats->candidates));
  json_object_set_new (root, "beyond",
                       json_integer ((json_int_t)stats->beyond));
  json_object_set_new (root, "quick",
                       json_pack ("{sIsIsIsf}", "questions",
                                  (json_int_t)stats->quick_asked, "found",
                                  (json_int_t)stats->quick_found, "absent",
                                  (json_int_t)stats->quick_absent, "seconds",
                                  stats->quick_seconds));
  json_object_set_new (
      root, "engine",
      json_pack ("{sIsIsIsI}", "questions", (json_int_t)e->asked, "found",
                 (json_int_t)e->found, "absent", (json_int_t)e->absent,
                 "decisions", (json_int_t)e->decisions));
  json_object_set_new (root, "stages", stages);
  if (stats->pattern_asked + stats->pattern_machine)
    json_object_set_new (
        root, "patterns",
        json_pack ("{sIsI}", "questions", (json_int_t)stats->pattern_asked,
                   "machines", (json_int_t)stats->pattern_machine));
  if (stats->lattice.widths.count)
    json_object_set_new (root, "lattice", lattice_json (&stats->lattice));
  return root;
}

static void
print_rate (const char *name, uint64_t count, double time)
{
  omen_print (stderr, "omen:   %-22s %12" PRIu64 "  %8.3f s", name, count,
              time);
  if (count && time > 0)
    omen_print (stderr, "  %10.0f/s", (double)count / time);
  fputc ('\n', stderr);
}

void
omen_predict_stats_print (const omen_predict_stats *stats)
{
  const omen_engine_stats *e = &stats->engine;
  omen_print (stderr,
              "omen: %" PRIu64 " candidate%s, %" PRIu64 " undecided, %" PRIu64
              " of them beyond the window\n",
              stats->candidates, omen_s (stats->candidates), stats->undecided,
              stats->beyond);
  print_rate ("quick answers", stats->quick_asked, stats->quick_seconds);
  omen_print (stderr, "omen:     found %" PRIu64 ", absent %" PRIu64 "\n",
              stats->quick_found, stats->quick_absent);
  for (int i = 0; i < OMEN_STAGES; i++) {
    char name[64];
    snprintf (name, sizeof name, "engine: %s", omen_stage_text (i));
    print_rate (name, e->stage[i], e->seconds[i]);
  }
  omen_print (stderr, "omen:   decisions              %12" PRIu64 "\n",
              e->decisions);
  if (stats->pattern_asked + stats->pattern_machine)
    omen_print (stderr,
                "omen:   bindings of patterns: %" PRIu64
                " as questions to the engine, %" PRIu64
                " by the machine search\n",
                stats->pattern_asked, stats->pattern_machine);
}
