#include "driver/replay/judge_events.h"
#include "driver/replay/judge_property.h"
#include "witness/lifetime.h"

#include <string.h>

static void
conclude (const omen_replay_judging *j, bool confirmed, const char *text)
{
  j->judgement->confirmed = confirmed;
  snprintf (j->judgement->text, sizeof j->judgement->text, "%s", text);
}

/* ---- claims ---- */

/* NULL: the event is no access, as in a witness that was not verified. */
static const omen_place *
accessed_place (const omen_trace *trace, omen_eid e)
{
  const omen_event *event = omen_trace_event (trace, e);
  if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
    return NULL;
  OMEN_ASSERT (event->object < trace->places.count);
  return &trace->places.data[event->object];
}

static bool
accesses_overlap (const omen_trace *trace, omen_eid a, omen_eid b)
{
  const omen_place *one = accessed_place (trace, a),
                   *two = accessed_place (trace, b);
  return one && two && omen_place_overlap (one, two);
}

/* Was the second access pending when the first one was done? That is, its
   thread did nothing in between; what other threads did does not matter. */
static void
judge_race (const omen_replay_judging *j, const omen_eid *found)
{
  omen_eid a = found[0] < found[1] ? found[0] : found[1];
  omen_eid b = found[0] < found[1] ? found[1] : found[0];
  char first[160], second[160], text[400];
  for (omen_eid e = a + 1; e < b; e++)
    if (omen_trace_event (j->new, e)->thread
            == omen_trace_event (j->new, b)->thread
        && j->new->items.data[e] != j->new->items.data[b]) {
      conclude (j, false, "diverged: something came between the two accesses");
      return;
    }
  if (!accesses_overlap (j->new, a, b)) {
    conclude (j, false, "diverged: the accesses were to different places");
    return;
  }
  omen_judge_describe (j->new, a, first);
  omen_judge_describe (j->new, b, second);
  snprintf (text, sizeof text, "%.150s and %.150s came at the same time", first,
            second);
  conclude (j, true, text);
}

/* Does thread t of the new trace hold the lock before event e? */
static bool
holds_before (const omen_replay_judging *j, omen_tid t, omen_eid e,
              omen_lid lock)
{
  int depth = 0;
  for (uint32_t i = 0; i < j->new->threads.data[t].count; i++) {
    omen_eid own = omen_trace_nth (j->new, t, i);
    const omen_event *event = omen_trace_event (j->new, own);
    bool waits = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE;
    if (waits ? (omen_lid)event->value != lock : event->object != lock)
      continue;
    if (own >= e)
      break;
    depth += event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE
             || event->kind == OMEN_WAKE;
    depth -= event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE
             || event->kind == OMEN_WAIT;
  }
  return depth > 0;
}

static bool
somebody_holds (const omen_replay_judging *j, const omen_tid *threads,
                size_t count, size_t but, omen_lid lock)
{
  for (size_t i = 0; i < count; i++)
    if (i != but && holds_before (j, threads[i], OMEN_NONE, lock))
      return true;
  return false;
}

static void
judge_deadlock (const omen_replay_judging *j)
{
  const omen_ids *events = &j->claim->events;
  omen_tid *threads = omen_zalloc (events->count, sizeof *threads);
  bool blocked = true;
  for (size_t i = 0; blocked && i < events->count; i++) {
    threads[i] = omen_judge_thread (
        j, omen_trace_event (j->old, events->data[i])->thread);
    blocked = threads[i] != OMEN_NONE;
    if (!blocked)
      omen_judge_diverged (j, events->data[i]);
  }
  for (size_t i = 0; blocked && i < events->count; i++) {
    /* The lock that the thread requests in its last event. */
    uint32_t count = j->new->threads.data[threads[i]].count;
    const omen_event *last
        = count ? omen_trace_event (
                      j->new, omen_trace_nth (j->new, threads[i], count - 1))
                : NULL;
    omen_lid lock
        = last && last->kind == OMEN_REQUEST ? last->object : OMEN_NONE;
    blocked = lock != OMEN_NONE
              && somebody_holds (j, threads, events->count, i, lock);
    if (!blocked)
      omen_judge_diverged (j, events->data[i]);
  }
  if (blocked)
    conclude (j, true, "each thread waits for a lock that another one holds");
  omen_free (threads);
}

/* The kind of the last event of a thread that waits forever for an event of
   this kind. */
static unsigned
announcement_of (unsigned kind)
{
  switch (kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    return OMEN_REQUEST;
  case OMEN_SEM_DOWN:
    return OMEN_SEM_REQUEST;
  case OMEN_JOIN:
    return OMEN_JOIN_REQUEST;
  default:
    return kind;
  }
}

/* The last event of the thread of e in the new trace, or OMEN_NONE. */
static omen_eid
last_of (const omen_replay_judging *j, omen_eid e)
{
  omen_tid t = omen_judge_thread (j, omen_trace_event (j->old, e)->thread);
  uint32_t count = t == OMEN_NONE ? 0 : j->new->threads.data[t].count;
  return count ? omen_trace_nth (j->new, t, count - 1) : OMEN_NONE;
}

/* Does its thread wait for the same thing at the same place? `all`: the
   recorder found all threads stuck. Without that, a join has no event, and it
   suffices that its thread did all that came before it. A waiter may be waiting
   for its lock by now. */
static bool
waits_again (const omen_replay_judging *j, omen_eid old, bool all)
{
  unsigned kind = omen_trace_event (j->old, old)->kind;
  omen_eid last = last_of (j, old);
  const omen_event *is;
  if (last == OMEN_NONE)
    return false;
  is = omen_trace_event (j->new, last);
  if (!all && (kind == OMEN_JOIN || kind == OMEN_JOIN_REQUEST))
    return j->old->items.data[old]
           <= j->new->items.data[last] + (is->kind != OMEN_REQUEST);
  return (!all || is->mode & OMEN_MODE_STUCK)
         && is->kind == announcement_of (kind)
         && !strcmp (omen_trace_location (j->old, old),
                     omen_trace_location (j->new, last));
}

/* Does each thread wait, with no thread left to wake it? Either the recorder
   found the new run stuck as well, or they wait only for locks and for each
   other. */
static void
judge_stuck (const omen_replay_judging *j)
{
  const omen_ids *events = &j->claim->events;
  bool all = false;
  for (omen_eid e = 0; e < j->new->events.count; e++)
    all |= (omen_trace_event (j->new, e)->mode & OMEN_MODE_STUCK) != 0;
  for (size_t i = 0; i < events->count; i++) {
    unsigned kind = omen_trace_event (j->old, events->data[i])->kind;
    if ((!all
         && (kind == OMEN_SEM_DOWN || kind == OMEN_SEM_REQUEST
             || kind == OMEN_ARRIVE || kind == OMEN_WAIT))
        || !waits_again (j, events->data[i], all)) {
      omen_judge_differ (j, events->data[i], last_of (j, events->data[i]));
      return;
    }
  }
  conclude (j, true,
            all ? "every thread waits forever"
                : "each thread waits for a lock or the end of a thread");
}

/* Did a signal kill the thread of e at the item of e? */
static bool
died_at (const omen_replay_judging *j, omen_eid e)
{
  return j->new->death.thread != OMEN_NONE
         && j->new->death.thread
                == omen_judge_thread (j, omen_trace_event (j->old, e)->thread)
         && j->new->death.item == j->old->items.data[e];
}

/* Is the same object used that had ended? For descriptors the number decides,
   since a closed one does not exist or was reused. */
static bool
is_what_ended (const omen_replay_judging *j, omen_eid end, omen_eid use)
{
  uint32_t number = omen_lifetime_descriptor (j->new, end);
  return number == OMEN_NONE ? accesses_overlap (j->new, end, use)
                             : omen_lifetime_descriptor (j->new, use) == number;
}

/* Was the use invalid? Where an address is certainly used after it was read,
   the read suffices: of a null pointer, or of one to an object that had
   ended. */
static bool
is_bad_use (const omen_replay_judging *j, omen_eid end, omen_eid use)
{
  const omen_event *read = omen_trace_event (j->new, use);
  if (omen_lifetime_of (j->old, j->claim) == OMEN_LIFETIME_NULL)
    return accesses_overlap (j->new, end, use)
           && read->value_kind == OMEN_VALUE_INT && !read->value;
  return is_what_ended (j, end, use)
         || (read->value_kind == OMEN_VALUE_POINTER
             && accessed_place (j->new, end)
             && read->value
                    == (uint64_t)accessed_place (j->new, end)->variable << 32);
}

/* "AddressSanitizer: heap-use-after-free" */
static int
length_of_report (const char *report)
{
  const char *end = strstr (report, " on ");
  int length = (int)strcspn (report, "\n");
  return end && end - report < length ? (int)(end - report) : length;
}

/* Did AddressSanitizer end the run where e was expected? It checks before
   memory is used, so the use itself is not recorded. */
static bool
stopped_at (const omen_replay_judging *j, omen_eid e)
{
  omen_tid t = omen_trace_event (j->old, e)->thread;
  uint32_t i = j->old->index[e];
  return j->said
         && (!i
             || omen_judge_event (j, omen_trace_nth (j->old, t, i - 1))
                    != OMEN_NONE);
}

/* Does the use come after the end of the same object, or kill its thread? */
static void
judge_lifetime (const omen_replay_judging *j)
{
  omen_eid old_end = j->claim->events.data[0];
  omen_eid old_use = j->claim->events.data[1];
  omen_eid end = omen_judge_event (j, old_end),
           use = omen_judge_event (j, old_use);
  char first[160], second[160], text[400];
  if (end == OMEN_NONE) {
    omen_judge_diverged (j, old_end);
    return;
  }
  omen_judge_describe (j->new, end, first);
  if (use == OMEN_NONE && died_at (j, old_use)) {
    omen_judge_describe (j->old, old_use, second);
    snprintf (text, sizeof text, "after %.150s, %.150s died of SIG%s", first,
              second, sigabbrev_np ((int)j->new->death.signal));
    conclude (j, true, text);
    return;
  }
  if (use == OMEN_NONE && stopped_at (j, old_use)) {
    const char *report = strstr (j->said, "AddressSanitizer: ");
    omen_judge_describe (j->old, old_use, second);
    snprintf (text, sizeof text, "after %.150s, %.*s stopped %.150s", first,
              length_of_report (report), report, second);
    conclude (j, true, text);
    return;
  }
  if (use == OMEN_NONE) {
    omen_judge_diverged (j, old_use);
    return;
  }
  if (end > use || !is_bad_use (j, end, use)) {
    conclude (j, false,
              end > use ? "diverged: the use came first"
                        : "diverged: another object was used");
    return;
  }
  omen_judge_describe (j->new, use, second);
  snprintf (text, sizeof text, "%.150s came after %.150s", second, first);
  conclude (j, true, text);
}

/* Is the value a number in tables of its own trace? */
static bool
is_name (const omen_event *event)
{
  return event->value_kind == OMEN_VALUE_POINTER
         || event->value_kind == OMEN_VALUE_SYMBOL;
}

static bool
event_writes (const omen_event *event)
{
  return event->kind == OMEN_WRITE || event->kind == OMEN_ATOMIC_WRITE
         || event->kind == OMEN_ATOMIC_RMW || event->kind == OMEN_FREE;
}

/* OMEN_NONE: the initial one. */
static omen_eid
last_write_before (const omen_replay_judging *j, omen_eid read)
{
  for (omen_eid e = read; e--;)
    if (event_writes (omen_trace_event (j->new, e))
        && accesses_overlap (j->new, read, e))
      return e;
  return OMEN_NONE;
}

/* Did the read see another value? Where events have no comparable value (long
   ranges, freed memory, an RMW, names of one trace), it must have seen the
   claimed write. */
static bool
sees_another (const omen_replay_judging *j, const omen_eid *found)
{
  const omen_event *old = omen_trace_event (j->old, j->claim->events.data[0]);
  const omen_event *new = omen_trace_event (j->new, found[0]);
  bool freed = found[1] != OMEN_NONE
               && omen_trace_event (j->new, found[1])->kind == OMEN_FREE;
  if (freed || old->kind == OMEN_ATOMIC_RMW || new->kind == OMEN_ATOMIC_RMW
      || old->value_kind == OMEN_VALUE_NONE
      || new->value_kind == OMEN_VALUE_NONE
      || (is_name (old) && old->value_kind == new->value_kind))
    return last_write_before (j, found[0]) == found[1];
  return old->value_kind != new->value_kind || old->value != new->value;
}

static void
judge_nondet (const omen_replay_judging *j, const omen_eid *found)
{
  char seen[160], text[400];
  omen_judge_describe (j->new, found[0], seen);
  if (sees_another (j, found)) {
    snprintf (text, sizeof text, "this time it was %.160s", seen);
    conclude (j, true, text);
  } else {
    snprintf (text, sizeof text, "diverged: it was %.160s again", seen);
    conclude (j, false, text);
  }
}

static void
judge_atomicity (const omen_replay_judging *j, const omen_eid *found)
{
  if (found[1] < found[4] && found[5] < found[2])
    conclude (j, true, "the other thread came in between");
  else
    conclude (j, false, "diverged: the events came in another order");
}

static bool
anybody_holds (const omen_replay_judging *j, omen_eid e, omen_lid lock)
{
  for (omen_tid t = 0; t < j->new->threads.count; t++)
    if (holds_before (j, t, e, lock))
      return true;
  return false;
}

static bool
ends_holding (const omen_replay_judging *j, omen_tid t)
{
  for (omen_lid l = 0; l < j->new->names[OMEN_OPERAND_LOCK].count; l++)
    if (holds_before (j, t, OMEN_NONE, l))
      return true;
  return false;
}

/* Check the misuse by the locks that are held in the new run. */
static void
judge_misuse (const omen_replay_judging *j, omen_eid e)
{
  const omen_event *event = omen_trace_event (j->new, e);
  bool is = false;
  switch ((omen_misuse)j->claim->word) {
  case OMEN_MISUSE_TAKEN_TWICE:
    is = holds_before (j, event->thread, e, event->object);
    break;
  case OMEN_MISUSE_NOT_HOLDER:
    is = !holds_before (j, event->thread, e, event->object);
    break;
  case OMEN_MISUSE_DESTROYED_HELD:
    is = anybody_holds (j, e, event->object);
    break;
  case OMEN_MISUSE_WAIT_WITHOUT_LOCK:
    is = !holds_before (j, event->thread, e, (omen_lid)event->value);
    break;
  case OMEN_MISUSE_HELD_AT_EXIT:
    is = ends_holding (j, event->kind == OMEN_ENDED ? event->thread
                                                    : event->object);
    break;
  default:
    break;
  }
  conclude (j, is, is ? "it happened" : "diverged: it was no misuse this time");
}

/* Does the old trace have this event of the new one? */
static bool
is_of_old (const void *context, omen_eid e)
{
  const omen_replay_judging *j = context;
  const omen_replay_judging back = { .old = j->new, .new = j->old };
  return omen_judge_event (&back, e) != OMEN_NONE;
}

/* "the monitor of Landing says violation at landing.c:24" */
static void
judge_verdict (const omen_replay_judging *j, const omen_property *property,
               omen_eid last)
{
  const omen_about *about = j->claim->about;
  bool landed
      = !property
        || omen_judge_monitor (j->new, property, j->claim, last, is_of_old, j);
  char text[400];
  snprintf (text, sizeof text, "%s%.60s %s %.60s at %.120s",
            landed ? "" : "diverged: ", about->property,
            !property ? "saw the events of"
            : landed  ? "says"
                      : "does not say",
            about->category, omen_trace_location (j->new, last));
  conclude (j, landed, text);
}

/* Did the events come in the claimed order, and does the monitor reach the
   verdict? */
static void
judge_property (const omen_replay_judging *j, const omen_eid *found)
{
  for (size_t i = 1; i < j->claim->events.count; i++)
    if (found[i - 1] >= found[i]) {
      conclude (j, false, "diverged: the events came in another order");
      return;
    }
  judge_verdict (j, omen_spec_list_property (j->specs, j->claim->about),
                 found[j->claim->events.count - 1]);
}

static void
judge_found (const omen_replay_judging *j, const omen_eid *found)
{
  switch (j->claim->kind) {
  case OMEN_CLAIM_RACE:
    judge_race (j, found);
    break;
  case OMEN_CLAIM_NONDET:
    judge_nondet (j, found);
    break;
  case OMEN_CLAIM_ATOMICITY:
    judge_atomicity (j, found);
    break;
  case OMEN_CLAIM_PROPERTY:
    judge_property (j, found);
    break;
  case OMEN_CLAIM_MISUSE:
    judge_misuse (j, found[0]);
    break;
  default:
    conclude (j, true, "it happened");
    break;
  }
}

void
omen_judge (omen_judgement *judgement, const omen_trace *trace,
            const omen_witness *witness, const omen_trace *replayed,
            const omen_spec_list *specs, const char *said)
{
  omen_replay_judging j
      = { judgement, trace, replayed, &witness->claim, specs, said };
  omen_eid *found
      = omen_zalloc (witness->claim.events.count + 1, sizeof *found);
  *judgement = (omen_judgement){ 0 };
  if (replayed->items.count != replayed->events.count)
    conclude (&j, false, "diverged: nothing was recorded");
  else if (witness->claim.kind == OMEN_CLAIM_DEADLOCK)
    judge_deadlock (&j);
  else if (witness->claim.kind == OMEN_CLAIM_STUCK)
    judge_stuck (&j);
  else if (witness->claim.kind == OMEN_CLAIM_LIFETIME)
    judge_lifetime (&j);
  else if (omen_judge_find (&j, found))
    judge_found (&j, found);
  OMEN_ASSERT (*judgement->text); /* one way or the other */
  omen_free (found);
}
