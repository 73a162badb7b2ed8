#include "online/projection.h"
#include "trace/ids.h"

#include <stdlib.h>
#include <string.h>

/* Numbers in all clocks. */
#define MOST_NUMBERS ((uint64_t)1 << 25)

/* A clock: by thread, how many of its events come before. */
typedef struct building {
  omen_projection *projection;
  const omen_trace *trace;
  const omen_past_filter *filter;
  omen_past_filter named; /* that, without kinds */
  omen_past names;
  uint32_t threads;
  omen_ids stay;    /* events */
  uint32_t *among;  /* by event: how many of its thread stay up to there */
  uint32_t *now;    /* by thread: a clock */
  uint32_t *waits;  /* by thread: the condition it waits for, or OMEN_NONE */
  uint32_t *writes; /* by variable, and object: clock of its changes */
  uint32_t *reads;  /* likewise, of events that only read it */
  uint32_t first[OMEN_OPERANDS]; /* where the table's clocks begin */
  uint8_t *wanted; /* by event that stays: some other one comes after it */
  OMEN_VEC (omen_copied) copied;
  size_t front; /* of these, past */
} building;

/* ---- what stays ---- */

static bool
stays (building *b, const omen_event *event)
{
  return event->kind == OMEN_FORK || event->kind == OMEN_JOIN
         || b->filter->kinds >> event->kind & 1
         || omen_past_names (&b->names, event);
}

/* For locks and the like, matching operations would have to stay together. */
static bool
can_tell_apart (const omen_past_filter *filter)
{
  for (unsigned kind = 0; kind < OMEN_KINDS; kind++)
    if (filter->kinds >> kind & 1 && omen_kind_class (kind) != OMEN_CLASS_MARK
        && kind != OMEN_FORK && kind != OMEN_JOIN && kind != OMEN_ALLOC
        && kind != OMEN_FREE)
      return false;
  return true;
}

static void
choose_events (building *b)
{
  for (omen_tid t = 0; t < b->threads; t++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->trace->threads.data[t].count; i++) {
      omen_eid e = omen_trace_nth (b->trace, t, i);
      count += stays (b, &b->trace->events.data[e]);
      b->among[e] = count;
    }
  }
  for (omen_eid e = 0; e < b->trace->events.count; e++)
    if (stays (b, &b->trace->events.data[e])) {
      *omen_map_at (&b->projection->number, e) = (uint32_t)b->stay.count;
      OMEN_VEC_PUSH (b->stay, e);
    }
}

/* ---- clocks ---- */

static void
join_clocks (const building *b, uint32_t *into, const uint32_t *clock)
{
  for (uint32_t t = 0; t < b->threads; t++)
    if (into[t] < clock[t])
      into[t] = clock[t];
}

static uint32_t *
clock_of (const building *b, uint32_t *clocks, unsigned table, uint32_t id)
{
  return clocks + (size_t)(b->first[table] + id) * b->threads;
}

/* An object that an event uses. */
typedef struct used {
  unsigned table;
  uint32_t id;
  bool changes; /* its state, as far as other threads can see */
} used;

/* The event after a wait in its thread comes after the notify. */
static unsigned
list_wait (building *b, const omen_event *event, used *list)
{
  uint32_t *condition = &b->waits[event->thread], before = *condition;
  *condition = event->kind == OMEN_WAIT ? event->object : OMEN_NONE;
  if (before == OMEN_NONE)
    return 0;
  list[0] = (used){ OMEN_OPERAND_CONDITION, before, true };
  return 1;
}

static unsigned
list_object (const omen_event *event, used *list)
{
  unsigned count = 0;
  bool waits = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE;
  if (event->kind == OMEN_REQUEST || event->kind == OMEN_LOCK_FAIL
      || event->kind == OMEN_FENCE || event->kind == OMEN_FORK
      || event->kind == OMEN_JOIN)
    return 0;
  if (waits && event->value != OMEN_NONE)
    list[count++] = (used){ OMEN_OPERAND_LOCK, (uint32_t)event->value, true };
  list[count++]
      = (used){ omen_kind_operand (event->kind), event->object, true };
  return count;
}

/* Accesses to variables that the filter names may be reordered freely. */
static unsigned
list_used (building *b, const omen_event *event, used list[3])
{
  unsigned count = list_wait (b, event, list);
  if (omen_kind_class (event->kind) == OMEN_CLASS_SYNC)
    return count + list_object (event, list + count);
  if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS
      || omen_past_names (&b->names, event))
    return count;
  list[count] = (used){ OMEN_OPERAND_VARIABLE,
                        b->trace->places.data[event->object].variable,
                        omen_kind_writes (event->kind) };
  return count + 1;
}

/* The event comes after the earlier uses of its objects that conflict, and
   later ones come after it. */
static void
run_event (building *b, uint32_t *mine, const omen_event *event)
{
  used list[3];
  unsigned count = list_used (b, event, list);
  if (event->kind == OMEN_JOIN)
    join_clocks (b, mine, b->now + (size_t)event->object * b->threads);
  for (unsigned i = 0; i < count; i++) {
    join_clocks (b, mine, clock_of (b, b->writes, list[i].table, list[i].id));
    if (list[i].changes)
      join_clocks (b, mine, clock_of (b, b->reads, list[i].table, list[i].id));
  }
  for (unsigned i = 0; i < count; i++)
    join_clocks (b,
                 clock_of (b, list[i].changes ? b->writes : b->reads,
                           list[i].table, list[i].id),
                 mine);
  if (event->kind == OMEN_FORK)
    join_clocks (b, b->now + (size_t)event->object * b->threads, mine);
}

/* All events in the order of the trace. */
static void
run_clocks (building *b)
{
  const omen_trace *trace = b->trace;
  uint32_t next = 0;
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    uint32_t *mine = b->now + (size_t)event->thread * b->threads;
    mine[event->thread] = trace->index[e] + 1;
    run_event (b, mine, event);
    if (next < b->stay.count && b->stay.data[next] == e)
      memcpy (b->projection->before + (size_t)next++ * b->threads, mine,
              b->threads * sizeof *mine);
  }
  OMEN_ASSERT (next == b->stay.count);
}

/* ---- what is left ---- */

/* How many of the thread's staying events the clock contains. */
static uint32_t
staying_before (const building *b, const uint32_t *clock, omen_tid t)
{
  return clock[t] ? b->among[omen_trace_nth (b->trace, t, clock[t] - 1)] : 0;
}

/* The n-th of the thread that stays: the last one before which there are fewer.
 */
static uint32_t
nth_staying (const building *b, omen_tid t, uint32_t n)
{
  uint32_t low = OMEN_FIRST_NOT (i, 0, b->trace->threads.data[t].count - 1,
                                 b->among[omen_trace_nth (b->trace, t, i)] < n);
  return omen_map_get (&b->projection->number,
                       omen_trace_nth (b->trace, t, low));
}

/* Call `edge` for each staying event that comes before the i-th, but not before
   its predecessor in its thread. */
static void
each_edge (building *b, uint32_t *known, uint32_t i,
           void (*edge) (building *b, uint32_t before, uint32_t after))
{
  const uint32_t *clock = b->projection->before + (size_t)i * b->threads;
  omen_tid own = b->trace->events.data[b->stay.data[i]].thread;
  uint32_t *mine = known + (size_t)own * b->threads;
  for (omen_tid t = 0; t < b->threads; t++) {
    uint32_t count = t == own ? 0 : staying_before (b, clock, t);
    if (count <= mine[t])
      continue;
    mine[t] = count;
    edge (b, nth_staying (b, t, count), i);
  }
}

static void
want (building *b, uint32_t before, uint32_t after)
{
  OMEN_ASSERT (before < after);
  b->wanted[before] = 1;
}

static void
put_after (building *b, uint32_t before, uint32_t after)
{
  OMEN_VEC_PUSH (b->copied, ((omen_copied){ b->stay.data[after],
                                            OMEN_HAPPENS_AFTER, before }));
}

static void
put_all (building *b)
{
  size_t numbers = (size_t)b->threads * b->threads;
  uint32_t *known = omen_zalloc (numbers, sizeof *known);
  for (uint32_t i = 0; i < b->stay.count; i++)
    each_edge (b, known, i, want);
  memset (known, 0, numbers * sizeof *known);
  for (uint32_t i = 0; i < b->stay.count; i++) {
    omen_eid e = b->stay.data[i];
    each_edge (b, known, i, put_after);
    OMEN_VEC_PUSH (b->copied, ((omen_copied){ e, OMEN_KINDS, 0 }));
    if (b->wanted[i])
      OMEN_VEC_PUSH (b->copied, ((omen_copied){ e, OMEN_HAPPENS_BEFORE, i }));
    if (e < b->trace->rebuilt.past)
      b->front = b->copied.count;
  }
  omen_free (known);
}

/* ---- all ---- */

static bool
init (building *b)
{
  uint64_t clocks = 0;
  b->threads = (uint32_t)b->trace->threads.count;
  for (unsigned table = 0; table < OMEN_OPERANDS; table++) {
    b->first[table] = (uint32_t)clocks;
    clocks += b->trace->names[table].count;
  }
  b->among = omen_alloc ((b->trace->events.count + 1) * sizeof *b->among);
  choose_events (b);
  if (b->stay.count * 2 > b->trace->events.count
      || (clocks + b->stay.count + b->threads) * b->threads > MOST_NUMBERS)
    return false;
  b->now = omen_zalloc ((size_t)b->threads * b->threads, sizeof *b->now);
  b->waits = omen_alloc ((b->threads + 1) * sizeof *b->waits);
  memset (b->waits, 0xff, b->threads * sizeof *b->waits);
  b->writes = omen_zalloc (clocks * b->threads, sizeof *b->writes);
  b->reads = omen_zalloc (clocks * b->threads, sizeof *b->reads);
  b->wanted = omen_zalloc (b->stay.count + 1, 1);
  b->projection->before
      = omen_alloc ((b->stay.count * b->threads + 1) * sizeof (uint32_t));
  return true;
}

static void
fini (building *b)
{
  omen_past_fini (&b->names);
  OMEN_VEC_FINI (b->stay);
  OMEN_VEC_FINI (b->copied);
  omen_free (b->among);
  omen_free (b->now);
  omen_free (b->waits);
  omen_free (b->writes);
  omen_free (b->reads);
  omen_free (b->wanted);
}

static bool
build_projection (building *b)
{
  omen_err err = { 0 };
  if (!init (b))
    return false;
  run_clocks (b);
  put_all (b);
  b->projection->trace
      = omen_trace_copy_events (b->trace, b->copied.data, b->copied.count);
  for (size_t i = 0; i < b->copied.count; i++)
    OMEN_VEC_PUSH (b->projection->origin, b->copied.data[i].mark == OMEN_KINDS
                                              ? b->copied.data[i].event
                                              : OMEN_NONE);
  b->projection->trace->rebuilt.past = b->front;
  return omen_trace_seal (b->projection->trace, &err);
}

omen_projection *
omen_projection_new (const omen_trace *whole, const omen_past_filter *filter)
{
  omen_projection *projection = omen_zalloc (1, sizeof *projection);
  building b = { .projection = projection, .trace = whole, .filter = filter };
  bool good;
  OMEN_REQUIRE (whole->by_thread);
  projection->whole = whole;
  omen_map_init (&projection->number);
  b.named = *filter;
  b.named.kinds = 0;
  omen_past_init (&b.names, &b.named, (omen_trace *)whole); /* only to ask */
  good = can_tell_apart (filter) && build_projection (&b);
  fini (&b);
  if (good)
    return projection;
  omen_projection_free (projection);
  return NULL;
}

void
omen_projection_free (omen_projection *projection)
{
  if (!projection)
    return;
  omen_trace_free (projection->trace);
  OMEN_VEC_FINI (projection->origin);
  omen_free (projection->before);
  omen_map_fini (&projection->number);
  omen_free (projection);
}

/* ---- back ---- */

/* Append e, and what comes before it and is missing, in trace order. */
static void
bring (const omen_projection *projection, omen_eid e, uint32_t *done,
       omen_ids *to)
{
  const omen_trace *whole = projection->whole;
  size_t from = to->count;
  const uint32_t *before
      = projection->before
        + (size_t)omen_map_get (&projection->number, e) * whole->threads.count;
  for (omen_tid t = 0; t < whole->threads.count; t++)
    for (; done[t] < before[t]; done[t]++)
      OMEN_VEC_PUSH (*to, omen_trace_nth (whole, t, done[t]));
  qsort (to->data + from, to->count - from, sizeof *to->data, omen_compare_u32);
  OMEN_ASSERT (to->count > from && OMEN_VEC_LAST (*to) == e);
}

void
omen_projection_lift (const omen_projection *projection, omen_ids *sequence)
{
  omen_ids wide = { 0 };
  uint32_t *done = omen_zalloc (projection->whole->threads.count, sizeof *done);
  for (size_t i = 0; i < sequence->count; i++) {
    omen_eid e = projection->origin.data[sequence->data[i]];
    if (e != OMEN_NONE)
      bring (projection, e, done, &wide);
  }
  omen_free (done);
  OMEN_VEC_FINI (*sequence);
  *sequence = wide;
}
