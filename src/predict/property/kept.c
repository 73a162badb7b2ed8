/* Does a run preserve all reads that a binding's verdict may depend on, under
   any model? Stricter than necessary under sliced, where irrelevant reads may
   see any value; bindings that fail are left to the search over cuts, whose
   claims have all events that the binding sees. */
#include "predict/property/property.h"

#include <string.h>

typedef struct keeper {
  const omen_property_hunt *hunt;
  omen_eid *writes; /* by atom: its last write; OMEN_NONE: the initial one */
  omen_eid *last;   /* by thread: its last event in the run */
} keeper;

static bool
read_is_kept (const keeper *k, omen_eid e)
{
  const omen_model *m = k->hunt->model;
  omen_span atoms = omen_model_atoms (m, e);
  bool exact = k->hunt->options->model == OMEN_MODEL_RF;
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
    if (exact ? !omen_model_same_write (m, e, k->writes[a], a)
              : !omen_model_same_value (m, e, k->writes[a], a))
      return false;
  return true;
}

/* The last event of a thread may see any write if the binding does not use its
   value. */
static bool
is_free (const keeper *k, const omen_theta *theta, omen_eid e)
{
  const omen_model *m = k->hunt->model;
  return k->last[omen_model_thread (m, e)] == e
         && !omen_kind_writes (omen_model_event (m, e)->kind)
         && (omen_tracks_loose (k->hunt->tracks)[e]
             || !omen_tracks_sees (k->hunt->tracks, theta, e));
}

bool
omen_property_kept (const omen_property_hunt *h, const omen_theta *theta,
                    const omen_ids *sequence)
{
  const omen_model *m = h->model;
  keeper k = { .hunt = h };
  bool kept = true;
  OMEN_REQUIRE (h->options->model != OMEN_MODEL_LATTICE);
  k.writes = omen_alloc ((m->atom_count + 1) * sizeof *k.writes);
  k.last = omen_alloc ((m->thread_count + 1) * sizeof *k.last);
  memset (k.writes, 0xff, m->atom_count * sizeof *k.writes);
  for (size_t i = 0; i < sequence->count; i++)
    k.last[omen_model_thread (m, sequence->data[i])] = sequence->data[i];
  for (size_t i = 0; i < sequence->count && kept; i++) {
    omen_eid e = sequence->data[i];
    unsigned kind = omen_model_event (m, e)->kind;
    kept = !omen_kind_reads (kind) || read_is_kept (&k, e)
           || is_free (&k, theta, e);
    if (omen_kind_writes (kind)) {
      omen_span atoms = omen_model_atoms (k.hunt->model, e);
      for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
        k.writes[a] = e;
    }
  }
  omen_free (k.writes);
  omen_free (k.last);
  return kept;
}
