/* Sections of one resource exclude each other: what that forces. */
#include "solve/state.h"

/* The section can no longer end: it stays open in every solution. */
static bool
is_stuck (const omen_state *s, uint32_t section)
{
  const omen_node_section *sec = &s->p->sections.data[section];
  return sec->end == OMEN_NONE
         || s->p->index_of[sec->end] >= s->limit[sec->chain];
}

/* An implied section excludes others only if the read at its start must be
   preserved. */
bool
omen_section_counts (const omen_state *s, uint32_t section)
{
  const omen_node_section *sec = &s->p->sections.data[section];
  return !sec->implied || sec->start == OMEN_PAST || s->active[sec->start];
}

bool
omen_sections_conflict (const omen_problem *p, uint32_t a, uint32_t b)
{
  const omen_node_section *x = &p->sections.data[a], *y = &p->sections.data[b];
  return x->resource == y->resource && x->chain != y->chain
         && (x->exclusive || y->exclusive);
}

void
omen_order_sections (omen_state *s, uint32_t a, uint32_t b)
{
  const omen_node_section *first = &s->p->sections.data[a];
  const omen_node_section *second = &s->p->sections.data[b];
  OMEN_ASSERT (omen_sections_conflict (s->p, a, b));
  if (first->end == OMEN_NONE || second->start == OMEN_PAST)
    s->conflict = true;
  else
    omen_order (s, first->end, second->start);
}

/* Of the sections [first, first + count) of one chain, how many start among
   the first `length` nodes of the chain. */
static uint32_t
started (const omen_problem *p, const omen_group *g, uint32_t length)
{
  uint32_t low = 0, high = g->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    omen_node start = p->sections.data[g->first + middle].start;
    if (start == OMEN_PAST || p->index_of[start] < length)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The last of the first `count` sections of the group that conflicts with
   `section`, or OMEN_NONE. */
static uint32_t
last_conflicting (const omen_state *s, const omen_group *g, uint32_t count,
                  uint32_t section)
{
  OMEN_ASSERT (count <= g->count);
  while (count--)
    if (omen_sections_conflict (s->p, g->first + count, section)
        && omen_section_counts (s, g->first + count))
      return g->first + count;
  return OMEN_NONE;
}

/* All sections that started before node n of `section` come before it. */
static void
order_earlier (omen_state *s, uint32_t section, omen_node n)
{
  const omen_problem *p = s->p;
  const omen_node_section *sec = &p->sections.data[section];
  const uint32_t *row = omen_row (s, n);
  OMEN_ASSERT (omen_taken (s, n) && p->chain_of[n] == sec->chain);
  for (uint32_t i = p->resource_first[sec->resource];
       i < p->resource_first[sec->resource + 1] && !s->conflict; i++) {
    const omen_group *g = &p->section_groups[i];
    uint32_t earlier;
    if (g->chain == sec->chain)
      continue;
    earlier = last_conflicting (s, g, started (p, g, row[g->chain]), section);
    if (earlier != OMEN_NONE
        && (sec->start == OMEN_PAST
            || p->sections.data[earlier].end == OMEN_NONE
            || row[g->chain] <= p->index_of[p->sections.data[earlier].end]
            || !omen_before (s, p->sections.data[earlier].end, sec->start)))
      omen_order_sections (s, earlier, section);
  }
}

/* A section that stays open comes after all conflicting ones: this one after
   the others, or else another open one after this. */
static void
order_stuck (omen_state *s, uint32_t section)
{
  const omen_problem *p = s->p;
  const omen_node_section *sec = &p->sections.data[section];
  bool stuck = is_stuck (s, section);
  OMEN_ASSERT (sec->start != OMEN_PAST && omen_taken (s, sec->start));
  for (uint32_t i = p->resource_first[sec->resource];
       i < p->resource_first[sec->resource + 1] && !s->conflict; i++) {
    const omen_group *g = &p->section_groups[i];
    uint32_t count, other;
    if (g->chain == sec->chain)
      continue;
    count = started (p, g, s->cut[g->chain]);
    other = last_conflicting (s, g, count, section);
    if (other == OMEN_NONE)
      continue;
    if (stuck)
      omen_order_sections (s, other, section);
    else if (is_stuck (s, other))
      omen_order_sections (s, section, other);
  }
}

void
omen_check_sections (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  if (p->start_of[n] != OMEN_NONE && omen_section_counts (s, p->start_of[n]))
    order_stuck (s, p->start_of[n]);
  if (p->end_of[n] != OMEN_NONE)
    order_earlier (s, p->end_of[n], n);
  if (p->index_of[n] + 1 == s->cut[p->chain_of[n]]) {
    const uint32_t *list = p->holds + p->hold_of[n];
    for (uint32_t i = 1; i <= list[0] && !s->conflict; i++)
      if (omen_section_counts (s, list[i]))
        order_earlier (s, list[i], n);
  }
}
