/* Private to window*.c: what the window's builder and its rules share. */
#ifndef OMEN_MODEL_WINDOW_RULES_H
#define OMEN_MODEL_WINDOW_RULES_H

#include "model/window.h"

/* Which atoms and locks matter, decided before nodes are made. */
typedef struct omen_relevant {
  uint32_t *atom; /* by atom of the model: its number in the problem, NONE */
  uint32_t *lock; /* by lock: resource, or NONE */
  uint32_t atoms, locks;
} omen_relevant;

/* Is the event a node, i.e. in the window and not left out? */
static inline bool
omen_window_has (const omen_window *w, omen_eid e)
{
  return omen_window_node (w, e) != OMEN_NONE;
}

/* Is the event before the window? */
static inline bool
omen_window_past (const omen_window *w, omen_eid e)
{
  return omen_model_position (w->model, e) < w->from;
}

void omen_window_edge (omen_window *w, omen_eid from, omen_eid to);

void omen_window_accesses (omen_window *w, const omen_relevant *relevant);
void omen_window_sections (omen_window *w, const omen_relevant *relevant);
void omen_window_threads (omen_window *w);
void omen_window_sync (omen_window *w);
void omen_window_semaphores (omen_window *w);
void omen_window_conditions (omen_window *w);
void omen_window_depends (omen_window *w, const omen_relevant *relevant);

#endif
