/* Sliced: what depends on what in the window. */
#include "model/window_rules.h"

#include <string.h>

/* Node n depends on the event of its thread with this index. */
static void
add (omen_window *w, omen_node n, omen_tid t, uint32_t index)
{
  omen_node on
      = omen_window_node (w, omen_trace_nth (w->model->trace, t, index));
  if (on != OMEN_NONE)
    OMEN_VEC_PUSH (w->problem.depends, ((omen_edge){ n, on, false }));
}

void
omen_window_depends (omen_window *w)
{
  const omen_trace *trace = w->model->trace;
  omen_problem *p = &w->problem;
  p->sliced = true;
  p->always = OMEN_ARENA_NEW (&p->arena, uint8_t, p->nodes);
  memset (p->always, 0, p->nodes);
  for (omen_node n = 0; n < p->nodes; n++) {
    omen_eid e = w->event_of[n];
    const omen_event *event = omen_model_event (w->model, e);
    const omen_extra *extra = omen_trace_extra (trace, e);
    p->always[n] = omen_kind_class (event->kind) == OMEN_CLASS_SYNC;
    for (uint32_t i = 0; extra && i < extra->reads; i++)
      add (w, n, event->thread, trace->dependences.data[extra->first_read + i]);
    if (extra && extra->branch != OMEN_NONE)
      add (w, n, event->thread, extra->branch);
  }
}
