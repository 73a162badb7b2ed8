#include "recording/events/past.h"
#include "recording/events/past_waits.h"

#include <string.h>

#define WORTH_WHILE ((size_t)OMEN_HARD_OR (16, 1 << 16))
enum { ROUNDS = 8 };

/* A semaphore, or a barrier. */
typedef struct counter {
  uint32_t last;  /* of a semaphore: its last operation */
  uint64_t count; /* its count, or arrivals that have not departed */
  bool known;     /* the count is */
  uint32_t since; /* of a barrier: the first arrival since it was empty */
} counter;

/* What is open after the first events. */
typedef struct scene {
  const omen_trace *trace;
  size_t end;
  omen_map held; /* (thread, lock) -> acquire */
  omen_past_waits waits;
  uint32_t *wait_holds; /* by waiting thread: where it had acquired the lock */
  counter *semaphores, *barriers;
  bool odd; /* locks are misused */
} scene;

void
omen_past_init (omen_past *past, const omen_past_filter *filter,
                omen_trace *trace)
{
  *past = (omen_past){ .filter = filter, .trace = trace, .next = WORTH_WHILE };
}

void
omen_past_fini (omen_past *past)
{
  OMEN_VEC_FINI (past->variables);
  OMEN_VEC_FINI (past->functions);
  OMEN_VEC_FINI (past->changed);
}

/* ---- what is open ---- */

static uint32_t *
new_ids (size_t count)
{
  uint32_t *ids = omen_alloc ((count + 1) * sizeof *ids);
  memset (ids, 0xff, (count + 1) * sizeof *ids);
  return ids;
}

static void
scene_init (scene *s, const omen_trace *trace, size_t end)
{
  const omen_names *names = trace->names;
  *s = (scene){ .trace = trace, .end = end };
  omen_map_init (&s->held);
  omen_past_waits_init (&s->waits, trace);
  s->wait_holds = new_ids (trace->threads.count);
  s->semaphores = omen_zalloc (names[OMEN_OPERAND_SEMAPHORE].count + 1,
                               sizeof *s->semaphores);
  s->barriers = omen_zalloc (names[OMEN_OPERAND_BARRIER].count + 1,
                             sizeof *s->barriers);
  for (uint32_t i = 0; i < names[OMEN_OPERAND_SEMAPHORE].count; i++)
    s->semaphores[i].last = OMEN_NONE;
}

static void
scene_fini (scene *s)
{
  omen_map_fini (&s->held);
  omen_past_waits_fini (&s->waits);
  omen_free (s->wait_holds);
  omen_free (s->semaphores);
  omen_free (s->barriers);
}

static void
take_lock (scene *s, omen_tid thread, uint32_t lock, uint32_t e)
{
  uint32_t *held = omen_map_at (&s->held, OMEN_PAIR (thread, lock));
  s->odd |= *held != OMEN_NONE;
  *held = e;
}

/* Where it had been taken. */
static uint32_t
leave_lock (scene *s, omen_tid thread, uint32_t lock)
{
  uint32_t *held = omen_map_at (&s->held, OMEN_PAIR (thread, lock));
  uint32_t taken = *held;
  s->odd |= taken == OMEN_NONE;
  *held = OMEN_NONE;
  return taken;
}

/* Its lock, if it has one. */
static void
note_wait (scene *s, const omen_event *event, uint32_t e)
{
  uint32_t *holds = &s->wait_holds[event->thread];
  uint32_t lock = (uint32_t)event->value;
  if (event->kind == OMEN_WAIT)
    *holds
        = lock == OMEN_NONE ? OMEN_NONE : leave_lock (s, event->thread, lock);
  else if (lock != OMEN_NONE)
    take_lock (s, event->thread, lock, e);
}

static void
note_semaphore (counter *semaphore, const omen_event *event, uint32_t e)
{
  semaphore->last = e;
  if (event->kind == OMEN_SEM_INIT) {
    semaphore->known = true;
    semaphore->count = event->value;
  }
  semaphore->count += event->kind == OMEN_SEM_UP;
  semaphore->count -= event->kind == OMEN_SEM_DOWN;
}

static void
note (scene *s, const omen_event *event, uint32_t e)
{
  omen_past_waits_note (&s->waits, e);
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    take_lock (s, event->thread, event->object, e);
    return;
  case OMEN_RELEASE:
  case OMEN_READ_RELEASE:
    leave_lock (s, event->thread, event->object);
    return;
  case OMEN_WAIT:
  case OMEN_WAKE:
    note_wait (s, event, e);
    return;
  case OMEN_SEM_INIT:
  case OMEN_SEM_UP:
  case OMEN_SEM_DOWN:
  case OMEN_SEM_FAIL:
    note_semaphore (&s->semaphores[event->object], event, e);
    return;
  case OMEN_ARRIVE:
    if (!s->barriers[event->object].count++)
      s->barriers[event->object].since = e;
    return;
  case OMEN_DEPART:
    s->barriers[event->object].count--;
    return;
  default:
    return;
  }
}

/* The scene after that many events, and how many of them are past. */
static size_t
scene_past (scene *s)
{
  const omen_trace *trace = s->trace;
  size_t past = s->end;
  for (uint32_t e = 0; e < s->end; e++)
    note (s, &trace->events.data[e], e);
  for (uint32_t b = 0; b < trace->names[OMEN_OPERAND_BARRIER].count; b++)
    if (s->barriers[b].count && s->barriers[b].since < past)
      past = s->barriers[b].since;
  return s->odd ? 0 : past;
}

/* The scene at the latest moment up to `end` that can be past. */
static void
find_scene (const omen_trace *trace, size_t end, scene *s)
{
  size_t past;
  scene_init (s, trace, end);
  for (int round = 0; (past = scene_past (s)) < s->end; round++) {
    scene_fini (s);
    scene_init (s, trace, round < ROUNDS ? past : 0);
  }
}

/* ---- what stays ---- */

static bool
says_of_name (const omen_past *past, bool (*says) (const void *, const char *),
              const omen_names *names, uint32_t id)
{
  return says && says (past->filter->context, omen_names_text (names, id));
}

static bool
is_named (omen_past *past, const omen_event *event)
{
  const omen_trace *trace = past->trace;
  bool access = omen_kind_class (event->kind) == OMEN_CLASS_ACCESS;
  uint32_t id
      = access ? trace->places.data[event->object].variable : event->object;
  uint8_t *known;
  if (!access && event->kind != OMEN_ENTER && event->kind != OMEN_EXIT)
    return false;
  while (access && past->variables.count <= id)
    OMEN_VEC_PUSH (past->variables, 0);
  while (!access && past->functions.count <= id)
    OMEN_VEC_PUSH (past->functions, 0);
  known = access ? &past->variables.data[id] : &past->functions.data[id];
  if (!*known) {
    omen_operand table = access ? OMEN_OPERAND_VARIABLE : OMEN_OPERAND_FUNCTION;
    *known = says_of_name (
                 past, access ? past->filter->variable : past->filter->function,
                 &trace->names[table], id)
                 ? 1
                 : 2;
  }
  return *known == 1;
}

bool
omen_past_names (omen_past *past, const omen_event *event)
{
  return past->filter->kinds >> event->kind & 1 || is_named (past, event);
}

/* What is still open stays. */
static void
mark_open (const scene *s, uint8_t *stays)
{
  const omen_trace *trace = s->trace;
  for (uint32_t i = 0; i <= s->held.mask; i++)
    if (s->held.entries[i].key != OMEN_MAP_NO_KEY
        && s->held.entries[i].value != OMEN_NONE)
      stays[s->held.entries[i].value] = 1;
  omen_past_waits_mark (&s->waits, s->end, stays);
  for (omen_tid t = 0; t < trace->threads.count; t++)
    if (s->waits.wait[t] != OMEN_NONE && s->wait_holds[t] != OMEN_NONE)
      stays[s->wait_holds[t]] = 1;
  for (uint32_t i = 0; i < trace->names[OMEN_OPERAND_SEMAPHORE].count; i++)
    if (s->semaphores[i].last != OMEN_NONE && s->semaphores[i].known)
      stays[s->semaphores[i].last] = 1;
}

/* As the rest has to see it. */
static void
rewrite (const omen_past *past, const scene *s, omen_event *event)
{
  if (event->kind == OMEN_WAKE && !(past->filter->kinds >> OMEN_WAKE & 1)) {
    event->kind = OMEN_ACQUIRE;
    event->object = (uint32_t)event->value;
    event->value = 0;
    event->mode = 0;
  }
  if (omen_kind_operand (event->kind) == OMEN_OPERAND_SEMAPHORE
      && event->kind != OMEN_SEM_REQUEST) {
    event->kind = OMEN_SEM_INIT;
    event->value = s->semaphores[event->object].count;
  }
}

static void
note_change (omen_past *past, const omen_event *event)
{
  omen_vid variable;
  past->forgotten++;
  if (!omen_kind_writes (event->kind))
    return;
  variable = past->trace->places.data[event->object].variable;
  while (past->changed.count <= variable)
    OMEN_VEC_PUSH (past->changed, 0);
  past->changed.data[variable] = 1;
}

/* Is it the first that the thread does, and does it enter a function? */
static bool
is_start (const omen_past *past, const omen_event *event, uint8_t *begun)
{
  bool first = event->kind != OMEN_ALLOC && !begun[event->thread];
  begun[event->thread] |= event->kind != OMEN_ALLOC;
  return first && past->filter->starts && event->kind == OMEN_ENTER;
}

/* Removes the events up to s->end that need not stay; the others move up. */
static void
close_up (omen_past *past, const scene *s, const uint8_t *stays,
          omen_ids *moved)
{
  omen_trace *trace = past->trace;
  size_t left = 0, rmws = 0;
  uint8_t *begun = omen_zalloc (trace->threads.count + 1, 1);
  OMEN_ASSERT (trace->items.count == trace->events.count);
  past->front = 0;
  for (size_t e = 0; e < trace->events.count; e++) {
    omen_event event = trace->events.data[e];
    bool open = e < s->end && stays[e];
    bool start = is_start (past, &event, begun);
    if (e < s->end && !open && !start && !omen_past_names (past, &event)) {
      note_change (past, &event);
      OMEN_VEC_PUSH (*moved, OMEN_NONE);
      continue;
    }
    if (open)
      rewrite (past, s, &event);
    if (event.kind == OMEN_ATOMIC_RMW) {
      trace->rmws.data[rmws] = trace->rmws.data[event.value];
      event.value = rmws++;
    }
    past->front += e < s->end;
    OMEN_VEC_PUSH (*moved, (uint32_t)left);
    trace->items.data[left] = trace->items.data[e];
    trace->events.data[left++] = event;
  }
  trace->events.count = trace->items.count = left;
  trace->rmws.count = rmws;
  omen_free (begun);
}

void
omen_past_forget (omen_past *past, bool end, omen_ids *moved)
{
  const omen_past_filter *filter = past->filter;
  size_t count = past->trace->events.count;
  uint64_t emitted = past->forgotten + count;
  uint64_t until = emitted > filter->most ? emitted - filter->most : 0;
  scene s;
  until = until > filter->events ? until : filter->events;
  until = until > past->forgotten ? until - past->forgotten : 0;
  until = until < count ? until : count;
  if (until > past->front + (end ? 0 : WORTH_WHILE / 2)) {
    uint8_t *stays;
    find_scene (past->trace, until, &s);
    stays = omen_zalloc (s.end + 1, 1);
    mark_open (&s, stays);
    close_up (past, &s, stays, moved);
    omen_free (stays);
    scene_fini (&s);
  }
  count = past->trace->events.count;
  past->next = count + (count > WORTH_WHILE ? count : WORTH_WHILE);
}
