/* The base order of a trace in which locks overlap (doc/semantics.md, section
   2): at each step, of the threads whose next event can be executed (if it
   acquires a lock, that lock is free), the one whose next event has the least
   index executes it. */
#include "trace/wellformed_check.h"

typedef struct schedule {
  const omen_trace *trace;
  const uint8_t *irregular;
  omen_holds holds;
  uint32_t *next;    /* by thread: index of its next event */
  omen_ids heap;     /* runnable threads, least next event first */
  omen_ids *blocked; /* by lock: threads that wait for it */
} schedule;

static omen_eid
next_of (const schedule *s, omen_tid t)
{
  return omen_trace_nth (s->trace, t, s->next[t]);
}

static void
swap (uint32_t *a, uint32_t *b)
{
  uint32_t c = *a;
  *a = *b;
  *b = c;
}

static void
push (schedule *s, omen_tid t)
{
  uint32_t *heap;
  size_t i = s->heap.count;
  if (s->next[t] == s->trace->threads.data[t].count)
    return;
  OMEN_VEC_PUSH (s->heap, t);
  heap = s->heap.data;
  for (; i && next_of (s, heap[i]) < next_of (s, heap[(i - 1) / 2]);
       i = (i - 1) / 2)
    swap (&heap[i], &heap[(i - 1) / 2]);
}

static omen_tid
pop (schedule *s)
{
  uint32_t *heap = s->heap.data;
  omen_tid top = heap[0];
  size_t i = 0, count = --s->heap.count;
  OMEN_ASSERT (count < s->trace->threads.count);
  OMEN_ASSERT (s->next[top] < s->trace->threads.data[top].count);
  heap[0] = heap[count];
  for (;;) {
    size_t least = i;
    for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++)
      if (child < count && next_of (s, heap[child]) < next_of (s, heap[least]))
        least = child;
    if (least == i)
      return top;
    swap (&heap[i], &heap[least]);
    i = least;
  }
}

/* Execute the next event of thread t, or block t on the lock; true if the event
   was executed. */
static bool
step_thread (schedule *s, omen_tid t)
{
  const omen_event *event = &s->trace->events.data[next_of (s, t)];
  omen_lock_step lock = omen_holds_look (&s->holds, event);
  if (lock.busy && !s->irregular[lock.lock]) {
    OMEN_VEC_PUSH (s->blocked[lock.lock], t);
    return false;
  }
  if (lock.lock != OMEN_NONE)
    omen_holds_step (&s->holds, event);
  s->next[t]++;
  push (s, t);
  if (lock.effect == OMEN_LOCK_GIVE)
    while (s->blocked[lock.lock].count)
      push (s, OMEN_VEC_POP (s->blocked[lock.lock]));
  return true;
}

omen_eid *
omen_base_order_find (const omen_trace *trace, const uint8_t *irregular)
{
  uint32_t locks = trace->names[OMEN_OPERAND_LOCK].count;
  schedule s = { .trace = trace, .irregular = irregular };
  omen_eid *order = omen_alloc (trace->events.count * sizeof *order);
  size_t done = 0;
  omen_holds_init (&s.holds, trace);
  s.next = omen_zalloc (trace->threads.count, sizeof *s.next);
  s.blocked = omen_zalloc (locks, sizeof *s.blocked);
  for (omen_tid t = 0; t < trace->threads.count; t++)
    push (&s, t);
  while (s.heap.count) {
    omen_tid t = pop (&s);
    omen_eid e = next_of (&s, t);
    if (step_thread (&s, t))
      order[done++] = e;
  }
  for (uint32_t l = 0; l < locks; l++)
    OMEN_VEC_FINI (s.blocked[l]);
  omen_free (s.blocked);
  omen_free (s.next);
  OMEN_VEC_FINI (s.heap);
  omen_holds_fini (&s.holds);
  OMEN_ASSERT (done <= trace->events.count);
  if (done == trace->events.count)
    return order;
  omen_free (order);
  return NULL;
}

/* ---- does every read see the same? ---- */

/* Reads-from during a walk: the last writer of each atom. */
typedef struct reader {
  const omen_trace *trace;
  const omen_atoms *atoms;
  omen_eid *last; /* by atom: its last write, or OMEN_NONE */
} reader;

/* Walk over event e. The writes that its read sees are stored in `seen`, or
   compared with it; false if they differ. */
static bool
walk_events (reader *r, omen_eid e, omen_eid *seen, bool compare)
{
  const omen_event *event = &r->trace->events.data[e];
  omen_span span;
  if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
    return true;
  span = r->atoms->place[event->object];
  for (uint32_t i = 0; omen_kind_reads (event->kind) && i < span.count; i++) {
    if (compare && seen[i] != r->last[span.first + i])
      return false;
    seen[i] = r->last[span.first + i];
  }
  for (uint32_t i = 0; omen_kind_writes (event->kind) && i < span.count; i++)
    r->last[span.first + i] = e;
  return true;
}

static void
reset_last (reader *r)
{
  for (uint32_t a = 0; a < r->atoms->count; a++)
    r->last[a] = OMEN_NONE;
}

omen_eid
omen_base_order_misread (const omen_trace *trace, const omen_atoms *atoms,
                         const omen_eid *order)
{
  size_t count = trace->events.count, slots = 0;
  size_t *first = omen_alloc ((count + 1) * sizeof *first);
  omen_eid *seen, bad = OMEN_NONE;
  reader r = { trace, atoms, omen_alloc (atoms->count * sizeof *r.last) };
  for (size_t e = 0; e < count; e++) {
    first[e] = slots;
    if (omen_kind_reads (trace->events.data[e].kind))
      slots += atoms->place[trace->events.data[e].object].count;
  }
  OMEN_REQUIRE (order);
  seen = omen_alloc (slots * sizeof *seen);
  reset_last (&r);
  for (size_t e = 0; e < count; e++)
    walk_events (&r, (omen_eid)e, seen + first[e], false);
  reset_last (&r);
  for (size_t i = 0; i < count && bad == OMEN_NONE; i++)
    if (!walk_events (&r, order[i], seen + first[order[i]], true))
      bad = order[i];
  omen_free (r.last);
  omen_free (seen);
  omen_free (first);
  return bad;
}
