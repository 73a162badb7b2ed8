/* Dependences between the nodes of a window, for the model sliced. */
#include "model/window_rules.h"

#include <string.h>

/* Node n depends on the event of its thread with this index. */
static void
add_node (omen_window *w, omen_node n, omen_tid t, uint32_t index)
{
  omen_node on
      = omen_window_node (w, omen_trace_nth (w->model->trace, t, index));
  if (on != OMEN_NONE)
    OMEN_VEC_PUSH (w->problem.depends, ((omen_edge){ n, on, false }));
}

static void
add_all (omen_window *w, omen_node n, omen_tid t, const omen_extra *extra)
{
  const omen_ids *reads = &w->model->trace->dependences;
  for (uint32_t i = 0; extra && i < extra->reads; i++)
    add_node (w, n, t, reads->data[extra->first_read + i]);
  if (extra && extra->branch != OMEN_NONE)
    add_node (w, n, t, extra->branch);
}

/* Is the atom read before the window? */
static bool
read_before (const omen_window *w, uint32_t atom)
{
  const omen_model *m = w->model;
  for (uint32_t c = m->atoms[atom].first_cell;
       c < m->atoms[atom + 1].first_cell; c++) {
    uint32_t first = m->cells[c].first_read;
    if (first < m->cells[c + 1].first_write
        && omen_model_position (m, m->members[first]) < w->from)
      return true;
  }
  return false;
}

void
omen_window_depends (omen_window *w, const omen_relevant *relevant)
{
  const omen_trace *trace = w->model->trace;
  omen_problem *p = &w->problem;
  p->sliced = true;
  p->always = OMEN_ARENA_NEW (&p->arena, uint8_t, p->nodes);
  memset (p->always, 0, p->nodes);
  for (omen_node n = 0; n < p->nodes; n++) {
    omen_eid e = w->event_of[n];
    const omen_event *event = omen_model_event (w->model, e);
    p->always[n] = omen_kind_class (event->kind) == OMEN_CLASS_SYNC;
    add_all (w, n, event->thread, omen_trace_extra (trace, e));
    /* Also what the openings of the blocks around e depend on; they are no
       nodes. */
    const omen_model *m = w->model;
    for (uint32_t b = omen_model_block (m, e); b != OMEN_NONE;
         b = m->blocks[b].parent)
      if (m->blocks[b].open != e)
        add_all (w, n, event->thread,
                 omen_trace_extra (m->trace, m->blocks[b].open));
  }
  /* Which reads before the window are relevant is not computed, so all of them
     count. */
  p->observed = OMEN_ARENA_NEW (&p->arena, uint8_t, p->atoms);
  memset (p->observed, 0, p->atoms);
  for (uint32_t a = 0; a < w->model->atom_count; a++)
    if (relevant->atom[a] != OMEN_NONE)
      p->observed[relevant->atom[a]] = read_before (w, a);
}
