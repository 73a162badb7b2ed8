/* The accesses of each atom, sorted into writes and reads of each thread. */
#include "model/model_build.h"

#include <stdlib.h>

typedef struct sorter {
  const omen_model *model;
  const uint32_t *tags; /* by access: thread << 2 | writes << 1 | reads */
  OMEN_VEC (omen_cell) cells;
  omen_eid *members;
  uint32_t member_count;
  /* for one atom, by thread; zero between atoms */
  uint32_t *writes, *reads;
  omen_ids threads; /* those with an access */
} sorter;

static int
by_number (const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void
count_threads (sorter *s, uint32_t first, uint32_t end)
{
  OMEN_VEC_CLEAR (s->threads);
  for (uint32_t i = first; i < end; i++) {
    omen_tid t = s->tags[i] >> 2;
    if (!s->writes[t] && !s->reads[t])
      OMEN_VEC_PUSH (s->threads, t);
    s->writes[t] += s->tags[i] >> 1 & 1;
    s->reads[t] += s->tags[i] & 1;
  }
  OMEN_VEC_SORT (s->threads, by_number);
}

/* A cell for each thread; counts become fill positions. */
static void
make_cells (sorter *s)
{
  for (size_t k = 0; k < s->threads.count; k++) {
    omen_tid t = s->threads.data[k];
    uint32_t writes = s->writes[t], reads = s->reads[t];
    omen_cell cell = { t, s->member_count, s->member_count + writes };
    OMEN_VEC_PUSH (s->cells, cell);
    s->writes[t] = cell.first_write;
    s->reads[t] = cell.first_read;
    s->member_count += writes + reads;
  }
}

static void
sort_atom (sorter *s, const omen_atom *atom)
{
  uint32_t first = atom->first, end = atom[1].first;
  OMEN_ASSERT (first <= end);
  count_threads (s, first, end);
  make_cells (s);
  for (uint32_t i = first; i < end; i++) {
    omen_tid t = s->tags[i] >> 2;
    if (s->tags[i] & 2)
      s->members[s->writes[t]++] = s->model->accesses[i];
    if (s->tags[i] & 1)
      s->members[s->reads[t]++] = s->model->accesses[i];
  }
  for (size_t k = 0; k < s->threads.count; k++)
    s->writes[s->threads.data[k]] = s->reads[s->threads.data[k]] = 0;
}

void
omen_build_cells (omen_build *build, const uint32_t *tags)
{
  omen_model *model = build->model;
  omen_atom *atoms = (omen_atom *)model->atoms;
  sorter s = { .model = model, .tags = tags };
  s.members = omen_build_array (build, model->slot_count, sizeof *s.members);
  s.writes = omen_zalloc (model->thread_count, sizeof *s.writes);
  s.reads = omen_zalloc (model->thread_count, sizeof *s.reads);
  for (uint32_t a = 0; a < model->atom_count; a++) {
    atoms[a].first_cell = (uint32_t)s.cells.count;
    sort_atom (&s, &atoms[a]);
  }
  OMEN_ASSERT (s.member_count == model->slot_count);
  atoms[model->atom_count].first_cell = (uint32_t)s.cells.count;
  OMEN_VEC_PUSH (s.cells,
                 ((omen_cell){ OMEN_NONE, s.member_count, s.member_count }));
  model->cells = OMEN_BUILD_KEEP (build, s.cells);
  model->members = s.members;
  omen_free (s.writes);
  omen_free (s.reads);
  OMEN_VEC_FINI (s.threads);
}
