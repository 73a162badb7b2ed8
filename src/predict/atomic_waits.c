/* Find functions that wait for other threads. */
#include "base/map.h"
#include "predict/atomic.h"

typedef struct search {
  const omen_model *model;
  uint8_t *waits; /* by name of function */
  omen_eid *look; /* by thread: its last atomic read, or OMEN_NONE */
  omen_map down;  /* (thread, semaphore) -> its latest down without an up */
} search;

/* A busy wait: a thread reads an atomic again at the same source line, without
   a write or synchronisation between. */
static bool
is_spin (search *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e), *before;
  omen_eid *last = &s->look[event->thread];
  unsigned kind = event->kind;
  if (kind == OMEN_ATOMIC_READ || kind == OMEN_ATOMIC_RMW) {
    before = *last == OMEN_NONE ? NULL : omen_model_event (s->model, *last);
    *last = e;
    return before && before->object == event->object
           && before->location == event->location;
  }
  if (omen_kind_writes (kind) || omen_kind_class (kind) == OMEN_CLASS_SYNC)
    *last = OMEN_NONE;
  return false;
}

/* Mark all functions that are active at e as waiting. */
static void
note_wait (search *s, omen_eid e)
{
  const omen_model *m = s->model;
  for (uint32_t b = omen_model_block (m, e); b != OMEN_NONE;
       b = m->blocks[b].parent) {
    const omen_event *open = omen_model_event (m, m->blocks[b].open);
    if (open->kind == OMEN_ENTER)
      s->waits[open->object] = 1;
  }
}

/* A thread that posts a semaphore after its own down uses it as a lock;
   otherwise it waits for the post of another thread. */
static void
note_semaphore (search *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  uint32_t *down
      = omen_map_at (&s->down, OMEN_PAIR (event->thread, event->object));
  if (event->kind == OMEN_SEM_DOWN && *down != OMEN_NONE)
    note_wait (s, *down);
  *down = event->kind == OMEN_SEM_DOWN ? e : OMEN_NONE;
}

static void
note_event (search *s, omen_eid e)
{
  switch (omen_model_event (s->model, e)->kind) {
  case OMEN_WAIT:
  case OMEN_ARRIVE:
  case OMEN_JOIN:
    note_wait (s, e);
    break;
  case OMEN_SEM_DOWN:
  case OMEN_SEM_UP:
    note_semaphore (s, e);
    break;
  default:
    break;
  }
  if (is_spin (s, e))
    note_wait (s, e);
}

static void
find_waits (search *s)
{
  for (omen_eid e = 0; e < s->model->event_count; e++)
    note_event (s, e);
  for (uint32_t i = 0; s->down.entries && i <= s->down.mask; i++)
    if (s->down.entries[i].key != OMEN_MAP_NO_KEY
        && s->down.entries[i].value != OMEN_NONE)
      note_wait (s, s->down.entries[i].value);
}

/* Functions that call a waiting function may wait in it, even where they did
   not have to in this run. Repeated until nothing changes. */
static void
find_callers (search *s)
{
  const omen_model *m = s->model;
  bool more = true;
  while (more) {
    more = false;
    for (uint32_t b = m->block_count; b-- > 0;) {
      const omen_event *open = omen_model_event (m, m->blocks[b].open), *around;
      uint32_t up = m->blocks[b].parent;
      if (open->kind != OMEN_ENTER || !s->waits[open->object])
        continue;
      for (; up != OMEN_NONE; up = m->blocks[up].parent) {
        around = omen_model_event (m, m->blocks[up].open);
        if (around->kind != OMEN_ENTER || s->waits[around->object])
          continue;
        s->waits[around->object] = 1;
        more = true;
      }
    }
  }
}

void
omen_atomic_leave_out_waiting (const omen_model *model, uint8_t *chosen)
{
  const omen_trace *trace = model->trace;
  search s = { .model = model };
  s.waits = omen_zalloc (trace->names[OMEN_OPERAND_FUNCTION].count + 1, 1);
  s.look = omen_alloc ((trace->threads.count + 1) * sizeof *s.look);
  for (size_t t = 0; t < trace->threads.count; t++)
    s.look[t] = OMEN_NONE;
  omen_map_init (&s.down);
  find_waits (&s);
  find_callers (&s);
  for (uint32_t b = 0; b < model->block_count; b++) {
    const omen_event *open = omen_model_event (model, model->blocks[b].open);
    if (open->kind == OMEN_ENTER && s.waits[open->object])
      chosen[b] = 0;
  }
  omen_map_fini (&s.down);
  omen_free (s.waits);
  omen_free (s.look);
}
