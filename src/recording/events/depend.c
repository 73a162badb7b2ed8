#include "recording/events/depend.h"

#include <stdlib.h>

void
omen_depending_init (omen_depending *depending, const omen_notes_depends *sites)
{
  *depending = (omen_depending){ .sites = sites };
  omen_map_init (&depending->last);
}

void
omen_depending_fini (omen_depending *depending)
{
  omen_map_fini (&depending->last);
  OMEN_VEC_FINI (depending->heads);
  OMEN_VEC_FINI (depending->events);
  OMEN_VEC_FINI (depending->on);
  OMEN_VEC_FINI (depending->before);
  OMEN_VEC_FINI (depending->stays);
}

/* ---- while events are emitted ---- */

static omen_eid *
head_of (omen_depending *d, uint32_t actor)
{
  while (d->heads.count <= actor)
    OMEN_VEC_PUSH (d->heads, OMEN_NONE);
  return &d->heads.data[actor];
}

/* The last reads of the accesses that the site depends on; returns how many. */
static uint32_t
add_reads (omen_depending *d, uint32_t actor, const omen_noted_depend *site)
{
  size_t before = d->on.count;
  for (uint32_t i = 0; site && i < site->count; i++) {
    omen_eid read = omen_map_get (
        &d->last, OMEN_PAIR (actor, d->sites->on.data[site->first + i]));
    if (read != OMEN_NONE)
      OMEN_VEC_PUSH (d->on, read);
  }
  return (uint32_t)(d->on.count - before);
}

static void
add_one (omen_depending *d, omen_eid on)
{
  if (on != OMEN_NONE)
    OMEN_VEC_PUSH (d->on, on);
}

/* What is in a block depends on more than its begin. */
static bool
is_mark (unsigned kind)
{
  return kind == OMEN_BEGIN || kind == OMEN_END || kind == OMEN_ENTER
         || kind == OMEN_EXIT;
}

static void
add_event (omen_depending *d, const omen_trace *trace, uint32_t actor,
           const omen_noted_depend *site, omen_eid e)
{
  const omen_event *event = omen_trace_event (trace, e);
  omen_eid *head = head_of (d, actor), before = OMEN_NONE, *last = NULL;
  omen_depending_event entry = { e, (uint32_t)d->on.count, 0 };
  if (add_reads (d, actor, site) && omen_kind_writes (event->kind))
    OMEN_VEC_PUSH (d->stays, event->object);
  if (!is_mark (event->kind))
    add_one (d, *head);
  if (omen_kind_reads (event->kind)) {
    before = *head;
    if (site && site->free) {
      last = omen_map_at (&d->last, OMEN_PAIR (actor, site->access));
      before = *last;
      add_one (d, before);
      *last = e;
    } else
      *head = e;
  }
  OMEN_ASSERT (d->before.count == e);
  OMEN_VEC_PUSH (d->before, before);
  entry.count = (uint32_t)d->on.count - entry.first;
  if (entry.count)
    OMEN_VEC_PUSH (d->events, entry);
}

void
omen_depending_events (omen_depending *d, const omen_trace *trace,
                       uint32_t actor, uint32_t site, size_t first, size_t end)
{
  const omen_noted_depend *depend
      = site ? omen_notes_depend (d->sites, site) : NULL;
  for (size_t e = first; e < end; e++)
    add_event (d, trace, actor, depend, (omen_eid)e);
}

bool
omen_depending_lost (const omen_depending *d, uint32_t actor, uint32_t site)
{
  const omen_noted_depend *depend = omen_notes_depend (d->sites, site);
  for (uint32_t i = 0; depend && i < depend->count; i++)
    if (omen_map_get (&d->last,
                      OMEN_PAIR (actor, d->sites->on.data[depend->first + i]))
        != OMEN_NONE)
      return true;
  return false;
}

void
omen_depending_bound (omen_depending *d, uint32_t actor, uint32_t site,
                      omen_eid branch)
{
  omen_depending_event entry = { branch, (uint32_t)d->on.count, 0 };
  add_reads (d, actor, omen_notes_depend (d->sites, site));
  add_one (d, *head_of (d, actor));
  entry.count = (uint32_t)d->on.count - entry.first;
  OMEN_ASSERT (entry.count && d->before.count == branch);
  OMEN_VEC_PUSH (d->before, OMEN_NONE);
  OMEN_VEC_PUSH (d->events, entry);
  *head_of (d, actor) = branch;
}

/* ---- once it is known what stays ---- */

/* Makes `before` map each event to its new id, or, if it was dropped, to that
   of the event that replaces it in dependences. */
static void
find_stand_ins (omen_depending *d, const uint32_t *moved)
{
  for (omen_eid e = 0; e < d->before.count; e++) {
    omen_eid *at = &d->before.data[e];
    if (!moved || moved[e] != OMEN_NONE)
      *at = moved ? moved[e] : e;
    else if (*at != OMEN_NONE) {
      OMEN_ASSERT (*at < e);
      *at = d->before.data[*at];
    }
  }
}

/* By event: its index in its thread. */
static uint32_t *
find_indices (const omen_trace *trace)
{
  uint32_t *index = omen_alloc (trace->events.count * sizeof *index);
  uint32_t *counts = omen_zalloc (trace->threads.count, sizeof *counts);
  for (size_t e = 0; e < trace->events.count; e++)
    index[e] = counts[trace->events.data[e].thread]++;
  omen_free (counts);
  return index;
}

static void
sort_reads (omen_trace *trace, omen_extra *extra)
{
  uint32_t *reads = trace->dependences.data + extra->first_read, count = 0;
  if (!extra->reads)
    return;
  qsort (reads, extra->reads, sizeof *reads, omen_compare_u32);
  for (uint32_t i = 0; i < extra->reads; i++)
    if (!count || reads[count - 1] != reads[i])
      reads[count++] = reads[i];
  trace->dependences.count -= extra->reads - count;
  extra->reads = count;
}

static void
settle_event (const omen_depending *d, const omen_depending_event *entry,
              omen_trace *trace, const uint32_t *index)
{
  omen_extra extra = { .event = d->before.data[entry->event],
                       .first_read = (uint32_t)trace->dependences.count,
                       .branch = OMEN_NONE,
                       .stack = OMEN_NONE };
  for (uint32_t i = 0; i < entry->count; i++) {
    omen_eid on = d->before.data[d->on.data[entry->first + i]];
    if (on == OMEN_NONE)
      continue;
    OMEN_ASSERT (on < extra.event);
    if (omen_kind_reads (trace->events.data[on].kind))
      OMEN_VEC_PUSH (trace->dependences, index[on]);
    else
      extra.branch = index[on];
  }
  extra.reads = (uint32_t)trace->dependences.count - extra.first_read;
  if (!extra.reads && extra.branch == OMEN_NONE)
    return;
  sort_reads (trace, &extra);
  trace->events.data[extra.event].mode |= OMEN_MODE_EXTRA;
  OMEN_VEC_PUSH (trace->extras, extra);
}

/* An event after the read that no rule and no claim mentions, or OMEN_NONE. */
static omen_eid
mark_after (const omen_trace *trace, omen_eid read)
{
  omen_tid thread = trace->events.data[read].thread;
  for (omen_eid e = read + 1; e < trace->events.count; e++)
    if (trace->events.data[e].thread == thread
        && (trace->events.data[e].kind == OMEN_EXIT
            || trace->events.data[e].kind == OMEN_END))
      return e;
  return OMEN_NONE;
}

/* A trace without any dependences cannot be distinguished from one whose
   dependences are unknown. So the end of some function is made to depend on a
   free read, which is never relevant. */
static void
mark_known (const omen_depending *d, omen_trace *trace, const uint32_t *index)
{
  for (uint32_t i = 0; i <= d->last.mask; i++) {
    const omen_map_entry *entry = &d->last.entries[i];
    omen_eid read = entry->key == OMEN_MAP_NO_KEY
                        ? OMEN_NONE
                        : d->before.data[entry->value];
    omen_extra extra = { .reads = 1, .branch = OMEN_NONE, .stack = OMEN_NONE };
    if (read == OMEN_NONE)
      continue;
    extra.event = mark_after (trace, read);
    if (extra.event == OMEN_NONE)
      continue;
    OMEN_VEC_PUSH (trace->dependences, index[read]);
    trace->events.data[extra.event].mode |= OMEN_MODE_EXTRA;
    OMEN_VEC_PUSH (trace->extras, extra);
    return;
  }
}

void
omen_depending_settle (omen_depending *d, omen_trace *trace,
                       const uint32_t *moved)
{
  uint32_t *index;
  OMEN_REQUIRE (!trace->extras.count && !trace->dependences.count);
  index = find_indices (trace);
  find_stand_ins (d, moved);
  for (size_t i = 0; i < d->events.count; i++)
    if (!moved || moved[d->events.data[i].event] != OMEN_NONE)
      settle_event (d, &d->events.data[i], trace, index);
  if (!trace->extras.count)
    mark_known (d, trace, index);
  if (trace->extras.count)
    trace->flags |= OMEN_TRACE_DEPENDENCES;
  omen_free (index);
}
