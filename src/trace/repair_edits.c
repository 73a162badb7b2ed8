#include "trace/repair_edits.h"

#include <stdio.h>
#include <string.h>

/* A name that no thread has. */
static omen_tid
new_thread (omen_repairing *r, omen_tid t)
{
  const omen_names *names = &r->trace->names[OMEN_OPERAND_THREAD];
  char *base = omen_strdup (omen_names_text (names, t)), name[300];
  char *tilde = strrchr (base, '~');
  uint32_t number = 1;
  if (tilde && tilde != base && tilde[1]
      && strspn (tilde + 1, "0123456789") == strlen (tilde + 1))
    *tilde = 0; /* one of ours */
  do
    snprintf (name, sizeof name, "%.280s~%u", base, ++number);
  while (omen_names_find (names, name, strlen (name)) != OMEN_NONE);
  omen_free (base);
  return omen_trace_thread (r->trace, name, strlen (name));
}

static void
apply_rename (omen_repairing *r)
{
  omen_tid new;
  if (r->renamed == OMEN_NONE)
    return;
  new = new_thread (r, r->renamed);
  for (omen_eid e = r->from; e < r->trace->events.count; e++) {
    omen_event *event = &r->trace->events.data[e];
    if (event->thread == r->renamed)
      event->thread = new;
    if ((event->kind == OMEN_FORK || event->kind == OMEN_JOIN)
        && event->object == r->renamed)
      event->object = new;
  }
}

/* The kept events in their new order; an id of at least events.count is an
   added event. */
static void
order_of (const omen_repairing *r, omen_ids *order)
{
  size_t count = r->trace->events.count, next = 0;
  for (omen_eid e = 0; e <= count; e++) {
    for (; next < r->added.count && r->added.data[next].before == e; next++)
      OMEN_VEC_PUSH (*order, (omen_eid)(count + next));
    if (r->moved != OMEN_NONE && e == r->before)
      OMEN_VEC_PUSH (*order, r->moved);
    if (e < count && e != r->moved && !r->drop[e])
      OMEN_VEC_PUSH (*order, e);
  }
}

static void
copy_extra (const omen_repairing *r, const omen_extra *old, omen_trace *trace,
            omen_eid e, omen_event *event)
{
  omen_extra extra = *old;
  if (r->forget) {
    extra.first_read = extra.reads = 0;
    extra.branch = OMEN_NONE;
  }
  extra.event = e;
  if (r->forget && extra.stack == OMEN_NONE)
    event->mode &= (uint8_t)~OMEN_MODE_EXTRA;
  else
    OMEN_VEC_PUSH (trace->extras, extra);
}

/* Replace the events, and all tables indexed by event. */
static void
put_in_order (omen_repairing *r, const omen_ids *order)
{
  omen_trace *trace = r->trace, old = *trace;
  bool items = trace->items.count;
  memset (&trace->events, 0, sizeof trace->events);
  memset (&trace->extras, 0, sizeof trace->extras);
  memset (&trace->items, 0, sizeof trace->items);
  for (omen_eid e = 0; e < order->count; e++) {
    omen_eid from = order->data[e];
    bool new = from >= old.events.count;
    omen_event event = new ? r->added.data[from - old.events.count].event
                           : old.events.data[from];
    const omen_extra *extra = new ? NULL : omen_trace_extra (&old, from);
    if (extra)
      copy_extra (r, extra, trace, e, &event);
    if (items)
      OMEN_VEC_PUSH (trace->items, new ? 0 : old.items.data[from]);
    OMEN_VEC_PUSH (trace->events, event);
  }
  if (r->forget)
    trace->flags &= ~(unsigned)OMEN_TRACE_DEPENDENCES;
  OMEN_VEC_FINI (old.events);
  OMEN_VEC_FINI (old.extras);
  OMEN_VEC_FINI (old.items);
}

bool
omen_repair_edit (omen_repairing *r, omen_err *err)
{
  omen_ids order = { 0 }, origin = { 0 };
  apply_rename (r);
  order_of (r, &order);
  for (size_t i = 0; i < order.count; i++) {
    omen_eid e = order.data[i];
    if (e >= r->trace->events.count)
      e = r->added.data[e - r->trace->events.count].origin;
    OMEN_VEC_PUSH (origin, r->origin.data[e]);
  }
  put_in_order (r, &order);
  OMEN_VEC_FINI (r->origin);
  r->origin = origin;
  OMEN_VEC_FINI (order);
  /* Back to the state before sealing. */
  omen_trace *trace = r->trace;
  omen_free (trace->index);
  omen_free (trace->by_thread);
  trace->index = trace->by_thread = NULL;
  for (size_t t = 0; t < trace->threads.count; t++) {
    trace->threads.data[t].forked_by = OMEN_NONE;
    trace->threads.data[t].count = 0;
  }
  r->trace = omen_trace_renumber_take (trace);
  return omen_trace_seal (r->trace, err);
}
