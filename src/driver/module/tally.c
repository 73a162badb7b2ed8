#include "driver/module/tally.h"
#include "base/print.h"
#include "driver/message.h"
#include "driver/module/plan_text.h"
#include "driver/module/unwoven.h"
#include "monitor/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
count_rows (const omen_spec *spec, uint32_t *formulas, uint32_t *cuts)
{
  *formulas = *cuts = 0;
  for (size_t p = 0; p < spec->properties.count; p++) {
    const omen_spec_property *property = &spec->properties.data[p];
    *formulas += (uint32_t)property->formulas.count;
    for (size_t e = 0; e < property->events.count; e++)
      *cuts += (uint32_t)property->events.data[e].cuts.count;
  }
}

static omen_tally *
new_tally (const omen_spec *spec, size_t *bytes)
{
  uint32_t formulas, cuts;
  omen_tally *tally;
  count_rows (spec, &formulas, &cuts);
  *bytes = omen_tally_bytes (formulas, cuts);
  OMEN_ASSERT (*bytes >= sizeof *tally);
  tally = omen_zalloc (1, *bytes);
  tally->magic = OMEN_TALLY_MAGIC;
  tally->spec = omen_spec_hash (spec);
  tally->formulas = formulas;
  tally->cuts = cuts;
  return tally;
}

bool
omen_tally_make (const char *path, const omen_spec_file *file, omen_err *err)
{
  size_t bytes;
  omen_tally *tally = new_tally (file->spec, &bytes);
  FILE *out = fopen (path, "wb");
  bool good = out && fwrite (tally, bytes, 1, out) == 1;
  if (out)
    good &= !fclose (out);
  omen_free (tally);
  return good || omen_err_io (err, path, "cannot write: %s", strerror (errno));
}

/* ---- the summary ---- */

static uint64_t
print_verdicts (const omen_tally_row *row, const omen_formula *f, bool quiet)
{
  uint64_t all = 0;
  for (uint32_t c = 0; c < f->categories; c++) {
    all += row->verdicts[c];
    if (row->verdicts[c] && !quiet)
      omen_print (stderr, ", %" PRIu64 " %s", row->verdicts[c], f->category[c]);
  }
  if (!all && !quiet)
    omen_print (stderr, ", no verdict");
  return all;
}

static uint64_t
print_formula (const omen_tally_row *row, const omen_property *p,
               const omen_formula *f, bool quiet)
{
  uint64_t verdicts;
  if (!quiet)
    omen_print (stderr,
                "omen: property %s (%s): %" PRIu64 " event%s, %" PRIu64
                " instance%s created, %" PRIu64 " live, %" PRIu64 " collected",
                p->name, f->logic, row->events, omen_s (row->events),
                row->created, omen_s (row->created), row->live, row->collected);
  verdicts = print_verdicts (row, f, quiet);
  if (!quiet)
    omen_print (stderr, "\n");
  return verdicts;
}

typedef struct view {
  omen_tally *tally;
  const omen_spec *spec;
} view;

static bool
is_seen (void *self, uint32_t property, uint32_t event, uint32_t cut)
{
  const view *v = self;
  size_t at = cut;
  for (uint32_t p = 0; p <= property; p++) {
    const omen_spec_property *from = &v->spec->properties.data[p];
    for (uint32_t e = 0; e < (p < property ? from->events.count : event); e++)
      at += from->events.data[e].cuts.count;
  }
  OMEN_ASSERT (at < v->tally->cuts);
  return omen_tally_seen (v->tally)[at];
}

static void
warn (omen_tally *tally, const omen_spec *spec, const char *program)
{
  if (!tally->started) {
    omen_warn ("%s did not let omen's runtime in: nothing was monitored",
               program);
    return;
  }
  omen_unseen_warn (spec, program, is_seen, &(view){ tally, spec });
  if (tally->stale)
    omen_warn ("%s: some of its objects were compiled with another version "
               "of %s; compile them again",
               program, spec->path);
  if (tally->started > tally->ended)
    omen_warn ("%u of %u process%s ended before all its events were counted",
               tally->started - tally->ended, tally->started,
               omen_es (tally->started));
  if (tally->lost)
    omen_warn ("%" PRIu64 " event%s lost: no memory, or a signal handler at a "
               "bad moment",
               tally->lost, omen_s (tally->lost));
}

uint64_t
omen_tally_print (const char *path, const omen_spec_file *file,
                  const char *program, bool quiet)
{
  size_t bytes;
  omen_tally *tally = new_tally (file->spec, &bytes);
  omen_tally wanted = *tally;
  FILE *in = fopen (path, "rb");
  uint64_t verdicts = 0;
  uint32_t row = 0;
  bool good = in && fread (tally, bytes, 1, in) == 1
              && tally->formulas == wanted.formulas
              && tally->cuts == wanted.cuts;
  if (in)
    fclose (in);
  if (!good)
    omen_warn ("%s: the counts are gone", path);
  for (uint32_t p = 0; good && p < file->compiled->count; p++) {
    const omen_property *property = &file->compiled->properties[p];
    for (uint32_t f = 0; f < property->formulas; f++)
      verdicts += print_formula (&tally->rows[row++], property,
                                 &property->formula[f], quiet);
  }
  if (good)
    warn (tally, file->spec, program);
  omen_free (tally);
  return verdicts;
}
