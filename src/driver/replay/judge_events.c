#include "driver/replay/judge_events.h"
#include "trace/text.h"

#include <string.h>

/* ---- the same event in the new trace ---- */

omen_tid
omen_judge_thread (const omen_replay_judging *j, omen_tid t)
{
  const char *path
      = omen_names_text (&j->old->strings, j->old->threads.data[t].path);
  for (omen_tid n = 0; n < j->new->threads.count; n++)
    if (j->new->threads.data[n].path != OMEN_NONE
        && !strcmp (path, omen_names_text (&j->new->strings,
                                           j->new->threads.data[n].path)))
      return n;
  return OMEN_NONE;
}

/* Are the kinds equal? For the claimed read of another value, a
   compare-and-exchange may fail now, and is a read then, or succeed now. */
static bool
same_kind (const omen_replay_judging *j, omen_eid old, omen_eid new)
{
  omen_kind was = omen_trace_event (j->old, old)->kind;
  omen_kind is = omen_trace_event (j->new, new)->kind;
  if (was == is)
    return true;
  return j->claim && j->claim->kind == OMEN_CLAIM_NONDET
         && old == j->claim->events.data[0]
         && (was == OMEN_ATOMIC_RMW || was == OMEN_ATOMIC_READ)
         && (is == OMEN_ATOMIC_RMW || is == OMEN_ATOMIC_READ);
}

static bool
same_place (const omen_replay_judging *j, omen_eid old, omen_eid new)
{
  return same_kind (j, old, new)
         && !strcmp (omen_trace_location (j->old, old),
                     omen_trace_location (j->new, new));
}

/* Index of the first event of the item, or a later one, in thread t of the new
   trace; the number of its events if there is none. */
static uint32_t
first_from (const omen_replay_judging *j, omen_tid t, uint64_t item)
{
  return OMEN_FIRST_NOT (i, 0, j->new->threads.data[t].count,
                         j->new->items.data[omen_trace_nth (j->new, t, i)]
                             < item);
}

omen_eid
omen_judge_event (const omen_replay_judging *j, omen_eid e)
{
  omen_tid t = omen_judge_thread (j, omen_trace_event (j->old, e)->thread);
  uint64_t item = j->old->items.data[e];
  uint32_t i = t == OMEN_NONE ? 0 : first_from (j, t, item);
  for (; t != OMEN_NONE && i < j->new->threads.data[t].count; i++) {
    omen_eid n = omen_trace_nth (j->new, t, i);
    if (j->new->items.data[n] != item)
      break;
    if (same_place (j, e, n))
      return n;
  }
  return OMEN_NONE;
}

/* ---- where it diverged ---- */

void
omen_judge_describe (const omen_trace *trace, omen_eid e, char text[160])
{
  char operation[80];
  const char *location = omen_trace_location (trace, e);
  omen_text_operation (trace, e, operation, sizeof operation);
  snprintf (text, 160, "%s%s%.60s", operation, *location ? " at " : "",
            location);
}

void
omen_judge_differ (const omen_replay_judging *j, omen_eid old, omen_eid new)
{
  char name[OMEN_EVENT_NAME_MAX], wanted[160], seen[160] = "its end";
  omen_judge_describe (j->old, old, wanted);
  if (new != OMEN_NONE)
    omen_judge_describe (j->new, new, seen);
  snprintf (j->judgement->text, sizeof j->judgement->text,
            "diverged at %s: expected %s, saw %s",
            omen_trace_event_name (j->old, old, name), wanted, seen);
}

/* May the event be absent in another run? It was inferred from effects of code
   that is not recorded, or it is a request, which appears only if the lock was
   held. */
static bool
is_inferred (const omen_trace *trace, omen_eid e)
{
  const omen_event *event = omen_trace_event (trace, e);
  return event->kind == OMEN_EXTERNAL || event->kind == OMEN_REQUEST
         || ((event->kind == OMEN_HAPPENS_BEFORE
              || event->kind == OMEN_HAPPENS_AFTER)
             && !strcmp (omen_names_text (&trace->names[OMEN_OPERAND_OBJECT],
                                          event->object),
                         "outside"));
}

/* The event at the same item in the new trace came instead. If that is a later
   item, an access may have happened and be omitted, since only one thread used
   its place this time. */
void
omen_judge_diverged (const omen_replay_judging *j, omen_eid e)
{
  omen_tid t = omen_trace_event (j->old, e)->thread,
           n = omen_judge_thread (j, t);
  uint32_t count = n == OMEN_NONE ? 0 : j->new->threads.data[n].count;
  OMEN_REQUIRE (!j->judgement->confirmed);
  for (uint32_t i = 0; i <= j->old->index[e]; i++) {
    omen_eid old = omen_trace_nth (j->old, t, i), seen = OMEN_NONE;
    uint64_t item = j->old->items.data[old];
    if (omen_judge_event (j, old) != OMEN_NONE || is_inferred (j->old, old))
      continue;
    uint32_t at = count ? first_from (j, n, item) : 0;
    if (at < count)
      seen = omen_trace_nth (j->new, n, at);
    if (old != e && seen != OMEN_NONE
        && j->new->items.data[seen] > item &&omen_kind_class (
               omen_trace_event (j->old, old)->kind)
               == OMEN_CLASS_ACCESS)
      continue;
    omen_judge_differ (j, old, seen);
    return;
  }
  omen_judge_differ (j, e, OMEN_NONE);
}

bool
omen_judge_find (const omen_replay_judging *j, omen_eid *found)
{
  for (size_t i = 0; i < j->claim->events.count; i++) {
    omen_eid e = j->claim->events.data[i];
    found[i] = e == OMEN_NONE ? OMEN_NONE : omen_judge_event (j, e);
    if (e != OMEN_NONE && found[i] == OMEN_NONE) {
      omen_judge_diverged (j, e);
      return false;
    }
  }
  return true;
}
