/* The model's locks, checked against the trace. */
#include "model/model_valid.h"

/* Nesting depth at which e's thread holds the lock in a mode just before e;
   `taken` is the outermost acquire. */
static uint32_t
depth_before (const omen_model *model, omen_eid e, omen_lid lock, unsigned mode,
              omen_eid *taken)
{
  const omen_trace *trace = model->trace;
  omen_tid t = omen_model_thread (model, e);
  uint32_t depth = 0, saved = 1;
  for (uint32_t i = 0; i < trace->index[e]; i++) {
    omen_eid before = omen_trace_nth (trace, t, i);
    const omen_event *event = omen_model_event (model, before);
    bool wait = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE;
    if ((wait ? event->value : event->object) != lock)
      continue;
    if (event->kind == (mode ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE)) {
      *taken = depth++ ? *taken : before;
    } else if (event->kind == (mode ? OMEN_READ_RELEASE : OMEN_RELEASE)) {
      depth--;
    } else if (!mode && event->kind == OMEN_WAIT) {
      saved = depth;
      depth = 0;
    } else if (!mode && event->kind == OMEN_WAKE) {
      depth = saved;
      saved = 1;
      *taken = before;
    }
  }
  return depth;
}

static bool
set_is_right (const omen_model *model, omen_eid e)
{
  const omen_set *set = &model->sets[model->set_of[e]];
  uint32_t count = 0;
  for (omen_lid l = 0; l < model->lock_count; l++)
    for (unsigned mode = 0; mode < 2 && !model->irregular[l]; mode++) {
      omen_eid taken = OMEN_NONE;
      uint32_t i = set->first + count;
      if (!depth_before (model, e, l, mode, &taken))
        continue;
      count++;
      if (i >= set[1].first || model->held[i].lock != l
          || model->held[i].mode != mode
          || model->sections[model->held[i].section].acquire != taken)
        return false;
    }
  return count == set[1].first - set->first;
}

static bool
section_is_right (const omen_model *model, uint32_t s)
{
  const omen_section *section = &model->sections[s];
  omen_lid l = section->lock;
  unsigned kind = omen_model_event (model, section->acquire)->kind;
  bool waits = section->release != OMEN_NONE
               && omen_model_event (model, section->release)->kind == OMEN_WAIT;
  if (model->irregular[l] || s < model->lock_sections[l]
      || s >= model->lock_sections[l + 1]
      || omen_model_thread (model, section->acquire) != section->thread)
    return false;
  if (kind == OMEN_WAKE ? model->waits[model->at[section->acquire]].begins != s
                        : model->at[section->acquire] != s)
    return false;
  if (section->release != OMEN_NONE
      && (waits ? model->waits[model->at[section->release]].ends != s
                : model->at[section->release] != s))
    return false;
  return section->release == OMEN_NONE
         || omen_model_holds (model, section->release, l) == s;
}

/* Sections of a lock come in order and conflicting ones do not overlap. */
static bool
sections_exclude (const omen_model *model, const omen_section *a,
                  const omen_section *b)
{
  if (!omen_valid_earlier (model, a->acquire, b->acquire))
    return false;
  if (a->mode == OMEN_LOCK_READ && b->mode == OMEN_LOCK_READ)
    return true;
  return a->release != OMEN_NONE
         && omen_valid_earlier (model, a->release, b->acquire);
}

static bool
lock_is_right (const omen_model *model, omen_lid l)
{
  uint32_t first = model->lock_sections[l], end = model->lock_sections[l + 1];
  for (uint32_t s = first; s < end; s++) {
    if (!section_is_right (model, s))
      return false;
    for (uint32_t later = s + 1; later < end; later++)
      if (!sections_exclude (model, &model->sections[s],
                             &model->sections[later]))
        return false;
  }
  for (uint32_t c = model->lock_cells_first[l];
       c < model->lock_cells_first[l + 1]; c++)
    for (uint32_t i = model->lock_cells[c].first;
         i < model->lock_cells[c + 1].first; i++) {
      uint32_t s = model->lock_members[i];
      if (model->sections[s].thread != model->lock_cells[c].thread
          || model->sections[s].lock != l)
        return false;
    }
  return true;
}

bool
omen_valid_locks (const omen_model *model)
{
  for (omen_lid l = 0; l < model->lock_count; l++)
    if (!lock_is_right (model, l))
      return false;
  for (omen_eid e = 0; e < model->event_count; e++)
    if (!set_is_right (model, e))
      return false;
  return true;
}
