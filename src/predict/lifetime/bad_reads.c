#include "predict/lifetime/bad_reads.h"
#include "predict/lifetime/around.h"

static bool
is_zero (const omen_event *event)
{
  return event->value_kind == OMEN_VALUE_INT && !event->value;
}

/* Is it an error in any case to see this write? */
static bool
is_bad (const omen_event *f)
{
  return (f->kind == OMEN_ALLOC && f->mode & OMEN_MODE_RAW)
         || (f->kind == OMEN_WRITE && f->mode & OMEN_MODE_GONE);
}

static bool
is_null (const omen_event *f)
{
  return (f->kind == OMEN_WRITE || f->kind == OMEN_ATOMIC_WRITE) && is_zero (f);
}

/* Is it an address that is dereferenced, whatever its value? */
static bool
is_followed (const omen_event *a)
{
  return a->kind == OMEN_READ && a->mode & OMEN_MODE_FOLLOWED
         && a->value_kind != OMEN_VALUE_NONE && !is_zero (a);
}

bool
omen_read_is_bad (const omen_model *m, omen_eid write, omen_eid read,
                  uint32_t atom)
{
  const omen_event *f = omen_model_event (m, write);
  const omen_event *a = omen_model_event (m, read);
  omen_span of = omen_model_atoms (m, write);
  if (f->thread == a->thread || !(is_bad (f) || is_null (f)) || atom < of.first
      || atom >= of.first + of.count
      || (a->kind != OMEN_READ && a->kind != OMEN_ATOMIC_READ))
    return false;
  if (f->kind == OMEN_WRITE && f->mode & OMEN_MODE_GONE)
    return true;
  if (f->kind == OMEN_ALLOC)
    return m->from[omen_model_read_slot (m, read, atom)] != write;
  return is_followed (a) && a->object == f->object;
}

typedef struct collecting {
  omen_ends *bad_reads;
  const omen_model *model;
  omen_group_by by;
  omen_map groups;
  omen_around bad, nulls;
  uint32_t *read; /* by thread: last atom, + 1, of which it saw a write other
                     than alloc */
} collecting;

/* Is the pair found in an earlier atom of the read, too? */
static bool
is_in_earlier_atom (const collecting *c, omen_eid write, omen_eid read,
                    uint32_t atom)
{
  for (uint32_t x = omen_model_atoms (c->model, read).first; x < atom; x++)
    if (omen_read_is_bad (c->model, write, read, x))
      return true;
  return false;
}

static void
add_pair (collecting *c, omen_eid write, omen_eid read, uint32_t atom)
{
  const omen_model *m = c->model;
  uint32_t *group;
  if (!omen_read_is_bad (m, write, read, atom)
      || is_in_earlier_atom (c, write, read, atom)
      || omen_model_must_before (m, read, write))
    return;
  group = omen_map_at (&c->groups, omen_ends_key (m, c->by, write, read));
  if (*group == OMEN_NONE)
    *group = c->groups.count - 1;
  OMEN_VEC_PUSH (c->bad_reads->pairs,
                 ((omen_end_pair){ write, read, *group, OMEN_NONE }));
}

static void
add_read (collecting *c, omen_eid read, uint32_t atom)
{
  const omen_model *m = c->model;
  uint32_t *seen = &c->read[omen_model_thread (m, read)];
  bool first = *seen != atom + 1;
  omen_eid saw = m->from[omen_model_read_slot (m, read, atom)];
  size_t from, to;
  if (!c->bad.sliced
      && (saw == OMEN_NONE || omen_model_event (m, saw)->kind != OMEN_ALLOC))
    *seen = atom + 1;
  omen_around_read (&c->bad, read, atom, &from, &to);
  for (; from < to; from++) {
    omen_eid write = c->bad.writes.data[from];
    if (first || omen_model_event (m, write)->kind != OMEN_ALLOC)
      add_pair (c, write, read, atom);
  }
  if (!is_followed (omen_model_event (m, read)))
    return;
  omen_around_read (&c->nulls, read, atom, &from, &to);
  for (; from < to; from++)
    add_pair (c, c->nulls.writes.data[from], read, atom);
}

static void
add_atom (collecting *c, uint32_t atom)
{
  const omen_model *m = c->model;
  uint32_t first = m->atoms[atom].first, end = m->atoms[atom + 1].first;
  OMEN_VEC_CLEAR (c->bad.writes);
  OMEN_VEC_CLEAR (c->nulls.writes);
  if (m->atoms[atom + 1].first_cell - m->atoms[atom].first_cell < 2)
    return;
  for (uint32_t i = first; i < end; i++) {
    const omen_event *f = omen_model_event (m, m->accesses[i]);
    if (is_bad (f))
      OMEN_VEC_PUSH (c->bad.writes, m->accesses[i]);
    else if (is_null (f))
      OMEN_VEC_PUSH (c->nulls.writes, m->accesses[i]);
  }
  if (!c->bad.writes.count && !c->nulls.writes.count)
    return;
  omen_around_begin (&c->bad, end - first, false);
  omen_around_begin (&c->nulls, end - first, true);
  for (uint32_t i = first; i < end; i++)
    if (omen_kind_reads (omen_model_event (m, m->accesses[i])->kind))
      add_read (c, m->accesses[i], atom);
}

void
omen_bad_reads_init (omen_ends *bad_reads, const omen_model *m,
                     const omen_predict_options *options, uint32_t *left_out)
{
  bool sliced = options->model == OMEN_MODEL_SLICED;
  collecting c = { .bad_reads = bad_reads, .model = m, .by = options->group };
  *bad_reads = (omen_ends){ 0 };
  c.read = omen_zalloc (m->thread_count + 1, sizeof *c.read);
  omen_map_init (&c.groups);
  omen_around_init (&c.bad, m, sliced);
  omen_around_init (&c.nulls, m, sliced);
  for (uint32_t atom = 0; atom < m->atom_count; atom++)
    add_atom (&c, atom);
  omen_ends_close (bad_reads, m);
  *left_out = c.bad.left.count + c.nulls.left.count;
  omen_around_fini (&c.bad);
  omen_around_fini (&c.nulls);
  omen_map_fini (&c.groups);
  omen_free (c.read);
}
