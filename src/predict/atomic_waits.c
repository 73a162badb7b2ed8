/* Find functions that wait for other threads. */
#include "base/map.h"
#include "predict/atomic.h"

#include <string.h>

/* What a thread did last. A polling thread does the same again: it takes the
   lock that it took, reads what it read, at the same lines, and changes
   nothing; only others can end that. */
typedef struct trail {
  uint32_t count; /* of its events so far */
  uint32_t
      since; /* its first event after the last one that changed something */
  uint32_t period; /* so far back is the same as ... */
  uint32_t same;   /* ... the last so many events */
} trail;

typedef struct search {
  const omen_model *model;
  uint8_t *waits;  /* by name of function */
  trail *trails;   /* by thread */
  omen_map places; /* (thread, how it looks where) -> its last index */
  omen_map down;   /* (thread, semaphore) -> its latest down without an up */
  omen_map own;    /* (thread, object) -> its latest hb */
  omen_eid *given; /* by object: the latest hb */
} search;

/* Mark all functions that are active at e as waiting, if they began after
   `late` (NONE: whenever) and before `early`. */
static void
note_wait_between (search *s, omen_eid late, omen_eid early, omen_eid e)
{
  const omen_model *m = s->model;
  for (uint32_t b = omen_model_block (m, e); b != OMEN_NONE;
       b = m->blocks[b].parent) {
    const omen_event *open = omen_model_event (m, m->blocks[b].open);
    if (open->kind == OMEN_ENTER && m->blocks[b].open < early
        && (late == OMEN_NONE || m->blocks[b].open > late))
      s->waits[open->object] = 1;
  }
}

static void
note_wait (search *s, omen_eid e)
{
  note_wait_between (s, OMEN_NONE, e, e);
}

/* ---- polling ---- */

static bool
is_look (unsigned kind)
{
  return kind == OMEN_ATOMIC_READ || kind == OMEN_ATOMIC_RMW
         || kind == OMEN_ACQUIRE || kind == OMEN_READ_ACQUIRE
         || kind == OMEN_TRY_FAIL || kind == OMEN_READ_TRY_FAIL
         || kind == OMEN_SEM_FAIL;
}

/* Can others notice it? */
static bool
changes (const search *s, const omen_event *event)
{
  unsigned kind = event->kind;
  if (kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &s->model->trace->rmws.data[event->value];
    return rmw->value_kind[0] && rmw->value_kind[1]
           && (rmw->value_kind[0] != rmw->value_kind[1]
               || rmw->value[0] != rmw->value[1]);
  }
  if (is_look (kind) || kind == OMEN_RELEASE || kind == OMEN_READ_RELEASE
      || kind == OMEN_FENCE || kind == OMEN_HAPPENS_AFTER)
    return false;
  return omen_kind_writes (kind) || omen_kind_class (kind) == OMEN_CLASS_SYNC;
}

static bool
look_alike (const omen_event *a, const omen_event *b)
{
  return a->kind == b->kind && a->object == b->object
         && a->location == b->location;
}

static const omen_event *
nth_event (const search *s, omen_tid t, uint32_t i)
{
  const omen_trace *trace = s->model->trace;
  return omen_trace_event (trace, omen_trace_nth (trace, t, i));
}

/* How far back the thread's last event is that looks like its i-th, or 0 if it
   has changed something since. */
static uint32_t
last_alike (search *s, const omen_event *event, uint32_t i)
{
  omen_tid t = event->thread;
  uint64_t what = OMEN_PAIR (event->object, event->location) ^ (uint64_t)t << 48
                  ^ (uint64_t)event->kind << 24;
  uint32_t *at = omen_map_at (&s->places, what), last = *at;
  *at = i;
  return last < s->trails[t].since || last >= i
                 || !look_alike (event, nth_event (s, t, last))
             ? 0
             : i - last;
}

static bool
repeats (const search *s, omen_tid t, uint32_t i, uint32_t period)
{
  return look_alike (nth_event (s, t, i), nth_event (s, t, i - period));
}

/* The i-th event looks like the one `back` before: perhaps it began a round, or
   what led to it did, too. */
static void
begin_round (search *s, omen_tid thread, uint32_t i, uint32_t back)
{
  trail *t = &s->trails[thread];
  t->period = back;
  t->same = 1;
  while (t->same < back && i - t->same >= t->since + back
         && repeats (s, thread, i - t->same, back))
    t->same++;
}

/* Is e the end of a round: has its thread done all of it twice? */
static bool
ends_round (search *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  trail *t = &s->trails[event->thread];
  uint32_t i = t->count++;
  uint32_t back = is_look (event->kind) ? last_alike (s, event, i) : 0;
  if (changes (s, event))
    t->since = i + 1, t->period = 0;
  else if (t->period && repeats (s, event->thread, i, t->period))
    t->same++;
  else
    begin_round (s, event->thread, i, back);
  return t->period && t->same == t->period;
}

static void
note_round (search *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  const trail *t = &s->trails[event->thread];
  omen_eid first = omen_trace_nth (s->model->trace, event->thread,
                                   t->count - 2 * t->period);
  note_wait_between (s, OMEN_NONE, first, e);
}

/* ---- semaphores, and what else is handed over ---- */

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

/* A thread that gets what another one gave since a function began waits for it
   there: data from a pipe, a signal. Not if the function gave to the same
   object itself: so look calls of libraries. */
static void
note_object (search *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  omen_eid *given = &s->given[event->object];
  omen_eid *own
      = omen_map_at (&s->own, OMEN_PAIR (event->thread, event->object));
  if (event->kind == OMEN_HAPPENS_BEFORE)
    *own = *given = e;
  else if (*given != OMEN_NONE && *given != *own)
    note_wait_between (s, *own, *given, e);
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
  case OMEN_HAPPENS_BEFORE:
  case OMEN_HAPPENS_AFTER:
    note_object (s, e);
    break;
  default:
    break;
  }
  if (ends_round (s, e))
    note_round (s, e);
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
  size_t objects = trace->names[OMEN_OPERAND_OBJECT].count;
  search s = { .model = model };
  s.waits = omen_zalloc (trace->names[OMEN_OPERAND_FUNCTION].count + 1, 1);
  s.trails = omen_zalloc (trace->threads.count + 1, sizeof *s.trails);
  s.given = omen_alloc ((objects + 1) * sizeof *s.given);
  memset (s.given, 0xff, objects * sizeof *s.given);
  omen_map_init (&s.places);
  omen_map_init (&s.down);
  omen_map_init (&s.own);
  find_waits (&s);
  find_callers (&s);
  for (uint32_t b = 0; b < model->block_count; b++) {
    const omen_event *open = omen_model_event (model, model->blocks[b].open);
    if (open->kind == OMEN_ENTER && s.waits[open->object])
      chosen[b] = 0;
  }
  omen_map_fini (&s.own);
  omen_map_fini (&s.down);
  omen_map_fini (&s.places);
  omen_free (s.given);
  omen_free (s.trails);
  omen_free (s.waits);
}
