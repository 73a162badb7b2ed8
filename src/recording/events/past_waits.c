#include "recording/events/past_waits.h"

#include <string.h>

void
omen_past_waits_init (omen_past_waits *w, const omen_trace *trace)
{
  size_t bytes = (trace->threads.count + 1) * sizeof *w->wait;
  *w = (omen_past_waits){ .trace = trace };
  w->wait = omen_alloc (bytes);
  w->counts_on = omen_alloc (bytes);
  memset (w->wait, 0xff, bytes);
}

void
omen_past_waits_fini (omen_past_waits *w)
{
  omen_free (w->wait);
  omen_free (w->counts_on);
}

static bool
waits_for (const omen_past_waits *w, omen_tid t, uint32_t condition)
{
  return w->wait[t] != OMEN_NONE
         && w->trace->events.data[w->wait[t]].object == condition;
}

/* The thread comes back. */
static void
come_back (omen_past_waits *w, const omen_event *event)
{
  uint32_t condition = w->trace->events.data[w->wait[event->thread]].object;
  uint32_t mine = w->counts_on[event->thread];
  bool needs = event->kind != OMEN_WAKE
               || !(event->mode & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS));
  w->wait[event->thread] = OMEN_NONE;
  w->waiting--;
  if (!needs || mine == OMEN_NONE || !mine)
    return;
  for (omen_tid t = 0; w->waiting && t < w->trace->threads.count; t++)
    if (waits_for (w, t, condition) && w->counts_on[t] != OMEN_NONE)
      w->counts_on[t] -= w->counts_on[t] >= mine;
}

static void
past_notify (omen_past_waits *w, const omen_event *event)
{
  for (omen_tid t = 0; w->waiting && t < w->trace->threads.count; t++)
    if (waits_for (w, t, event->object) && w->counts_on[t] != OMEN_NONE)
      w->counts_on[t]
          = event->kind == OMEN_NOTIFY_ALL ? OMEN_NONE : w->counts_on[t] + 1;
}

void
omen_past_waits_note (omen_past_waits *w, uint32_t e)
{
  const omen_event *event = &w->trace->events.data[e];
  if (w->wait[event->thread] != OMEN_NONE)
    come_back (w, event);
  if (event->kind == OMEN_NOTIFY || event->kind == OMEN_NOTIFY_ALL)
    past_notify (w, event);
  if (event->kind != OMEN_WAIT)
    return;
  w->wait[event->thread] = e;
  w->counts_on[event->thread] = 0;
  w->waiting++;
}

/* How many notifies from event e on have to stay: those that the latest wait
   before it may use. */
static uint32_t
owed (const omen_past_waits *w, uint32_t e, uint32_t condition)
{
  uint32_t latest = OMEN_NONE, count = 0;
  for (omen_tid t = 0; t < w->trace->threads.count; t++)
    if (waits_for (w, t, condition) && w->wait[t] < e
        && w->counts_on[t] != OMEN_NONE
        && (latest == OMEN_NONE || w->wait[t] > latest)) {
      latest = w->wait[t];
      count = w->counts_on[t];
    }
  return count;
}

/* May a waiter use the notifyall at e? */
static bool
is_counted_on (const omen_past_waits *w, uint32_t e, uint32_t condition)
{
  for (omen_tid t = 0; t < w->trace->threads.count; t++)
    if (waits_for (w, t, condition) && w->wait[t] < e)
      return true;
  return false;
}

void
omen_past_waits_mark (const omen_past_waits *w, size_t end, uint8_t *stays)
{
  const omen_trace *trace = w->trace;
  uint32_t conditions = trace->names[OMEN_OPERAND_CONDITION].count;
  uint32_t *kept = omen_zalloc (conditions + 1, sizeof *kept);
  uint8_t *all = omen_zalloc (conditions + 1, 1);
  for (omen_tid t = 0; t < trace->threads.count; t++)
    if (w->wait[t] != OMEN_NONE)
      stays[w->wait[t]] = 1;
  for (size_t i = end; w->waiting && i-- > 0;) {
    const omen_event *event = &trace->events.data[i];
    uint32_t c = event->object, e = (uint32_t)i;
    if (event->kind == OMEN_NOTIFY && kept[c] < owed (w, e, c)) {
      stays[e] = 1;
      kept[c]++;
    }
    if (event->kind == OMEN_NOTIFY_ALL && !all[c] && is_counted_on (w, e, c))
      stays[e] = all[c] = 1;
  }
  omen_free (kept);
  omen_free (all);
}
