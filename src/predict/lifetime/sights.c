#include "predict/lifetime/sights.h"
#include "base/map.h"

#include <stdlib.h>

static bool
is_zero (const omen_event *event)
{
  return event->value_kind == OMEN_VALUE_INT && !event->value;
}

/* Can seeing this write be an error? */
static bool
may_be_bad (const omen_event *f)
{
  switch (f->kind) {
  case OMEN_ALLOC:
    return f->mode & OMEN_MODE_RAW;
  case OMEN_WRITE:
    return f->mode & OMEN_MODE_GONE || is_zero (f);
  case OMEN_ATOMIC_WRITE:
    return is_zero (f);
  default:
    return false;
  }
}

bool
omen_sights_bad (const omen_model *m, omen_eid write, omen_eid read,
                 uint32_t atom)
{
  const omen_event *f = omen_model_event (m, write);
  const omen_event *a = omen_model_event (m, read);
  omen_span of = omen_model_atoms (m, write);
  if (f->thread == a->thread || !may_be_bad (f) || atom < of.first
      || atom >= of.first + of.count
      || (a->kind != OMEN_READ && a->kind != OMEN_ATOMIC_READ))
    return false;
  if (f->kind == OMEN_WRITE && f->mode & OMEN_MODE_GONE)
    return true;
  if (f->kind == OMEN_ALLOC)
    return m->from[omen_model_read_slot (m, read, atom)] != write;
  return a->kind == OMEN_READ && a->mode & OMEN_MODE_FOLLOWED
         && a->object == f->object && a->value_kind != OMEN_VALUE_NONE
         && !is_zero (a);
}

typedef struct collecting {
  omen_ends *sights;
  const omen_model *model;
  omen_group_by by;
  omen_map groups;
  omen_ids bad;   /* writes of the current atom that may be bad */
  uint32_t *read; /* by thread: last atom, + 1, of which it saw a write other
                     than alloc */
  bool sliced;
  uint32_t left_out;
} collecting;

/* Is the pair found in an earlier atom of the read, too? */
static bool
is_known (const collecting *c, omen_eid write, omen_eid read, uint32_t atom)
{
  for (uint32_t x = omen_model_atoms (c->model, read).first; x < atom; x++)
    if (omen_sights_bad (c->model, write, read, x))
      return true;
  return false;
}

static void
add_pair (collecting *c, omen_eid write, omen_eid read, uint32_t atom)
{
  const omen_model *m = c->model;
  uint32_t *group;
  if (!omen_sights_bad (m, write, read, atom) || is_known (c, write, read, atom)
      || omen_model_must_before (m, read, write))
    return;
  group = omen_map_at (&c->groups, omen_ends_key (m, c->by, write, read));
  if (*group == OMEN_NONE)
    *group = c->groups.count - 1;
  OMEN_VEC_PUSH (c->sights->pairs, ((omen_end_pair){ write, read, *group }));
}

#define NEAR OMEN_HARD_OR (8u, 16u)

/* Add the bad writes nearest to the read in the order of the trace. */
static void
add_read (collecting *c, omen_eid read, uint32_t atom)
{
  const omen_model *m = c->model;
  uint32_t *seen = &c->read[omen_model_thread (m, read)];
  bool first = *seen != atom + 1;
  omen_eid saw = m->from[omen_model_read_slot (m, read, atom)];
  size_t at = 0, from, to;
  if (!c->sliced
      && (saw == OMEN_NONE || omen_model_event (m, saw)->kind != OMEN_ALLOC))
    *seen = atom + 1;
  while (at < c->bad.count
         && omen_model_position (m, c->bad.data[at])
                < omen_model_position (m, read))
    at++;
  from = at > NEAR ? at - NEAR : 0;
  to = at + NEAR < c->bad.count ? at + NEAR : c->bad.count;
  c->left_out += from > 0 || to < c->bad.count;
  for (size_t i = from; i < to; i++)
    if (first || omen_model_event (m, c->bad.data[i])->kind != OMEN_ALLOC)
      add_pair (c, c->bad.data[i], read, atom);
}

static void
add_atom (collecting *c, uint32_t atom)
{
  const omen_model *m = c->model;
  uint32_t end = m->atoms[atom + 1].first;
  OMEN_VEC_CLEAR (c->bad);
  if (m->atoms[atom + 1].first_cell - m->atoms[atom].first_cell < 2)
    return;
  for (uint32_t i = m->atoms[atom].first; i < end; i++)
    if (may_be_bad (omen_model_event (m, m->accesses[i])))
      OMEN_VEC_PUSH (c->bad, m->accesses[i]);
  for (uint32_t i = m->atoms[atom].first; c->bad.count && i < end; i++)
    if (omen_kind_reads (omen_model_event (m, m->accesses[i])->kind))
      add_read (c, m->accesses[i], atom);
}

void
omen_sights_init (omen_ends *sights, const omen_model *m,
                  const omen_predict_options *options, uint32_t *left_out)
{
  collecting c = { .sights = sights,
                   .model = m,
                   .by = options->group,
                   .sliced = options->model == OMEN_MODEL_SLICED };
  *sights = (omen_ends){ 0 };
  c.read = omen_zalloc (m->thread_count + 1, sizeof *c.read);
  omen_map_init (&c.groups);
  for (uint32_t atom = 0; atom < m->atom_count; atom++)
    add_atom (&c, atom);
  omen_ends_close (sights, m);
  omen_map_fini (&c.groups);
  omen_free (c.read);
  OMEN_VEC_FINI (c.bad);
  *left_out = c.left_out;
}
