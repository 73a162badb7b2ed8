#include "predict/covers.h"

/* The id of the set in scratch. */
static uint32_t
intern_cover (omen_covers *c)
{
  uint32_t before = c->bytes.count, id;
  id = omen_names_id (&c->bytes, (const char *)c->scratch.data,
                      c->scratch.count * sizeof (uint32_t));
  if (id == before) {
    for (size_t i = 0; i < c->scratch.count; i++)
      OMEN_VEC_PUSH (c->words, c->scratch.data[i]);
    OMEN_VEC_PUSH (c->first, (uint32_t)c->words.count);
  }
  OMEN_ASSERT (c->first.count == c->bytes.count + 1);
  return id;
}

void
omen_covers_init (omen_covers *c, const omen_model *model)
{
  *c = (omen_covers){ .model = model };
  omen_names_init (&c->bytes);
  omen_map_init (&c->same);
  omen_map_init (&c->both);
  OMEN_VEC_RESERVE (c->scratch, 8);
  OMEN_VEC_PUSH (c->first, 0);
  intern_cover (c);
}

void
omen_covers_fini (omen_covers *c)
{
  omen_names_fini (&c->bytes);
  omen_map_fini (&c->same);
  omen_map_fini (&c->both);
  OMEN_VEC_FINI (c->first);
  OMEN_VEC_FINI (c->words);
  OMEN_VEC_FINI (c->scratch);
}

static uint32_t
meet (omen_covers *c, uint32_t a, uint32_t b, bool same)
{
  const omen_model *m = c->model;
  uint32_t i = m->sets[a].first, j = m->sets[b].first;
  OMEN_VEC_CLEAR (c->scratch);
  while (i < m->sets[a + 1].first && j < m->sets[b + 1].first) {
    const omen_held *x = &m->held[i], *y = &m->held[j];
    uint32_t mode = x->mode > y->mode ? x->mode : y->mode;
    if (x->lock == y->lock && (!same || x->section == y->section))
      OMEN_VEC_PUSH (c->scratch, x->lock << 1 | mode);
    OMEN_ASSERT (mode <= 1);
    if (x->lock <= y->lock)
      i++;
    if (y->lock <= x->lock)
      j++;
  }
  return intern_cover (c);
}

uint32_t
omen_covers_same (omen_covers *c, uint32_t a, uint32_t b)
{
  uint32_t *slot = omen_map_at (&c->same, OMEN_PAIR (a, b));
  OMEN_REQUIRE (a < c->model->set_count && b < c->model->set_count);
  if (*slot == OMEN_NONE)
    *slot = meet (c, a, b, true);
  return *slot;
}

uint32_t
omen_covers_both (omen_covers *c, uint32_t a, uint32_t b)
{
  uint32_t *slot = omen_map_at (&c->both, OMEN_PAIR (a, b));
  OMEN_REQUIRE (a < c->model->set_count && b < c->model->set_count);
  if (*slot == OMEN_NONE)
    *slot = meet (c, a, b, false);
  return *slot;
}

bool
omen_covers_exclude (const omen_covers *c, uint32_t a, uint32_t b)
{
  const uint32_t *w = c->words.data;
  uint32_t i = c->first.data[a], j = c->first.data[b];
  OMEN_REQUIRE (a < c->bytes.count && b < c->bytes.count);
  while (i < c->first.data[a + 1] && j < c->first.data[b + 1]) {
    if (w[i] >> 1 == w[j] >> 1
        && ((w[i] & 1) == OMEN_LOCK_WRITE || (w[j] & 1) == OMEN_LOCK_WRITE))
      return true;
    if (w[i] >> 1 <= w[j] >> 1)
      i++;
    else
      j++;
  }
  return false;
}
