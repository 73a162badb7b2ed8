/* One walk over the trace for each kind of clock. A thread's clock joins what
   must come before its next event, or what did come before it. */
#include "model/quick_clocks.h"
#include "base/map.h"

#include <string.h>

/* What one walk needs to know. `now` holds for each thread all that is below
   its next event; `end` of a thread is its last `now`. */
typedef struct walk {
  const omen_model *m;
  const uint8_t *single; /* by slot: the read accepts one write only; or NULL */
  omen_quick_clocks *out;
  omen_quick_kind kind;
  uint32_t threads;
  uint32_t *now;     /* threads x threads */
  uint8_t *changed;  /* by thread: changed since its last stored clock */
  uint32_t *must_id; /* by thread: model clock last joined */
  uint32_t *token;   /* by event: the up that served a down (observed) */
  uint32_t *sem_sum; /* by segment: threads words, all operations so far */
} walk;

static uint32_t *
row (const walk *w, omen_tid t)
{
  return w->now + (size_t)t * w->threads;
}

static void
take_in_words (walk *w, omen_tid t, const uint32_t *theirs)
{
  uint32_t *mine = row (w, t);
  for (uint32_t i = 0; i < w->threads; i++)
    if (mine[i] < theirs[i]) {
      mine[i] = theirs[i];
      w->changed[t] = 1;
    }
}

/* Join event f and its clock into now(t). */
static void
take_in (walk *w, omen_tid t, omen_eid f)
{
  omen_tid u = omen_model_thread (w->m, f);
  uint32_t count = w->m->trace->index[f] + 1;
  OMEN_ASSERT (f < w->m->event_count);
  if (row (w, t)[u] >= count)
    return;
  take_in_words (w, t, omen_quick_words (w->out, w->threads, f));
  row (w, t)[u] = count;
  w->changed[t] = 1;
}

/* Join a write that is read: if it is an rmw, its own read must be preserved
   too. */
static void
take_in_write (walk *w, omen_tid t, omen_eid f)
{
  take_in (w, t, f);
  if (w->out->firm[f] != OMEN_NONE)
    take_in_words (w, t,
                   w->out->words.data + (size_t)w->out->firm[f] * w->threads);
}

/* ---- what synchronises ---- */

/* The one atomic write that this atomic read of one atom sees if it is
   preserved, or OMEN_NONE. */
static omen_eid
only_write (const walk *w, omen_eid e)
{
  const omen_model *m = w->m;
  uint32_t slot = m->at[e];
  omen_eid from;
  if (!omen_kind_atomic (omen_model_event (m, e)->kind)
      || !omen_kind_reads (omen_model_event (m, e)->kind)
      || omen_model_atoms (m, e).count != 1 || (w->single && !w->single[slot]))
    return OMEN_NONE;
  from = m->from[slot];
  return from != OMEN_NONE
                 && omen_kind_atomic (omen_model_event (m, from)->kind)
                 && omen_model_atoms (m, from).count == 1
             ? from
             : OMEN_NONE;
}

/* An acquire read synchronises with the release writes whose sequence the write
   that it sees belongs to; their clocks are kept with that write. */
static void
acquire (walk *w, omen_tid t, omen_eid e)
{
  omen_eid from = only_write (w, e);
  if (from != OMEN_NONE && w->out->firm[from] != OMEN_NONE
      && omen_order_acquires (omen_model_event (w->m, e)->order))
    take_in_words (
        w, t, w->out->words.data + (size_t)w->out->firm[from] * w->threads);
}

/* The clock of the release sequences that the atomic write e belongs to: its
   own if it releases, and if it is an rmw those of the write that it has read
   (which it must have seen if it is itself seen by a preserved read). */
static uint32_t
release_clock (walk *w, omen_tid t, omen_eid e)
{
  const omen_event *event = omen_model_event (w->m, e);
  bool releases = omen_order_releases (event->order);
  omen_eid from
      = event->kind == OMEN_ATOMIC_RMW ? only_write (w, e) : OMEN_NONE;
  uint32_t before = from == OMEN_NONE ? OMEN_NONE : w->out->firm[from];
  uint32_t id = (uint32_t)(w->out->words.count / w->threads), *words;
  if (!releases)
    return before;
  OMEN_VEC_RESERVE (w->out->words, w->out->words.count + w->threads);
  words = w->out->words.data + w->out->words.count;
  w->out->words.count += w->threads;
  memcpy (words, row (w, t), w->threads * sizeof *words);
  for (uint32_t i = 0; before != OMEN_NONE && i < w->threads; i++) {
    uint32_t theirs = w->out->words.data[(size_t)before * w->threads + i];
    words[i] = theirs > words[i] ? theirs : words[i];
  }
  return id;
}

/* ---- what must come before ---- */

/* What must come before e by rules 1 to 4, each with its own clock. */
static void
take_must (walk *w, omen_tid t, omen_eid e)
{
  const omen_model *m = w->m;
  if (w->must_id[t] == m->clock[e])
    return;
  w->must_id[t] = m->clock[e];
  for (omen_tid u = 0; u < w->threads; u++) {
    uint32_t count = u == t ? 0 : omen_model_before (m, e, u);
    if (count > row (w, t)[u])
      take_in (w, t, omen_trace_nth (m->trace, u, count - 1));
  }
}

/* How many events of thread t come before position `end`. */
static uint32_t
events_before (const omen_model *m, omen_tid t, uint32_t end)
{
  return OMEN_FIRST_NOT (
      i, 0, m->trace->threads.data[t].count,
      omen_model_position (m, omen_trace_nth (m->trace, t, i)) < end);
}

/* The holder that made a try fail. */
static void
take_holder (walk *w, omen_tid t, omen_eid e)
{
  const omen_model *m = w->m;
  const omen_event *event = omen_model_event (m, e);
  uint32_t at = omen_model_position (m, e);
  for (uint32_t c = m->lock_cells_first[event->object];
       c < m->lock_cells_first[event->object + 1]; c++) {
    omen_tid u = m->lock_cells[c].thread;
    uint32_t id = omen_model_last_section (m, c, events_before (m, u, at));
    const omen_section *section;
    if (id == OMEN_NONE)
      continue;
    section = &m->sections[id];
    if ((section->release == OMEN_NONE
         || omen_model_position (m, section->release) > at)
        && (event->kind == OMEN_TRY_FAIL || section->mode == OMEN_LOCK_WRITE)) {
      if (u != t)
        take_in (w, t, section->acquire);
      return;
    }
  }
}

static void
take_observed (walk *w, omen_tid t, omen_eid e)
{
  const omen_model *m = w->m;
  uint32_t back = omen_model_return_of (m, e);
  if (back != OMEN_NONE && m->server[back] != OMEN_NONE)
    take_in (w, t, m->notifies[m->server[back]]);
  switch (omen_model_event (m, e)->kind) {
  case OMEN_SEM_DOWN:
    if (w->token[e] != OMEN_NONE)
      take_in (w, t, w->token[e]);
    break;
  case OMEN_SEM_FAIL:
    take_in_words (w, t, w->sem_sum + (size_t)m->at[e] * w->threads);
    break;
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
    if (!m->irregular[omen_model_event (m, e)->object])
      take_holder (w, t, e);
    break;
  default:
    break;
  }
}

/* From here on e has a successor: its reads must be preserved. */
static void
take_writers (walk *w, omen_tid t, omen_eid e)
{
  const omen_model *m = w->m;
  omen_span atoms;
  if (!omen_kind_reads (omen_model_event (m, e)->kind))
    return;
  atoms = omen_model_atoms (m, e);
  for (uint32_t i = 0; i < atoms.count; i++) {
    uint32_t slot = m->at[e] + i;
    omen_eid writer = m->from[slot];
    if (writer != OMEN_NONE && (!w->single || w->single[slot]))
      take_in_write (w, t, writer);
  }
}

/* What is below thread t's next event, as a clock; the same as before if
   nothing has changed. */
static uint32_t
store (walk *w, omen_tid t, uint32_t previous)
{
  uint32_t id = (uint32_t)(w->out->words.count / w->threads);
  OMEN_ASSERT (w->out->words.count % w->threads == 0);
  if (!w->changed[t] && previous != OMEN_NONE)
    return previous;
  OMEN_VEC_RESERVE (w->out->words, w->out->words.count + w->threads);
  memcpy (w->out->words.data + w->out->words.count, row (w, t),
          w->threads * sizeof (uint32_t));
  w->out->words.count += w->threads;
  w->changed[t] = 0;
  return id;
}

/* ---- which up served which down in the trace ---- */

/* The k-th up serves the (n + k)-th down of its segment. */
static void
find_tokens (walk *w)
{
  const omen_model *m = w->m;
  omen_ids ups = { 0 };
  for (uint32_t s = 0; s < m->semaphore_count; s++) {
    uint32_t downs = 0;
    OMEN_VEC_CLEAR (ups);
    for (uint32_t i = m->semaphores[s].first; i < m->semaphores[s + 1].first;
         i++) {
      omen_eid e = m->sem_ops[i];
      if (omen_model_event (m, e)->kind == OMEN_SEM_UP)
        OMEN_VEC_PUSH (ups, e);
      else if (omen_model_event (m, e)->kind == OMEN_SEM_DOWN
               && downs++ >= m->semaphores[s].start) {
        OMEN_ASSERT (downs <= m->semaphores[s].start + ups.count);
        w->token[e] = ups.data[downs - 1 - m->semaphores[s].start];
      }
    }
  }
  OMEN_VEC_FINI (ups);
}

static void
add_to_semaphore (walk *w, omen_tid t, omen_eid e)
{
  unsigned kind = omen_model_event (w->m, e)->kind;
  uint32_t *sum;
  if (kind != OMEN_SEM_UP && kind != OMEN_SEM_DOWN)
    return;
  OMEN_ASSERT (w->m->at[e] < w->m->semaphore_count);
  sum = w->sem_sum + (size_t)w->m->at[e] * w->threads;
  for (uint32_t i = 0; i < w->threads; i++)
    if (sum[i] < row (w, t)[i])
      sum[i] = row (w, t)[i];
}

static void
walk_event (walk *w, omen_eid e, uint32_t *previous)
{
  const omen_model *m = w->m;
  const omen_event *event = omen_model_event (m, e);
  omen_tid t = event->thread;
  take_must (w, t, e);
  if (w->kind == OMEN_QUICK_OBSERVED)
    take_observed (w, t, e);
  if (event->kind == OMEN_JOIN)
    take_in_words (w, t, row (w, event->object));
  OMEN_ASSERT (row (w, t)[t] <= m->trace->index[e]);
  previous[t] = w->out->of[e] = store (w, t, previous[t]);
  row (w, t)[t] = m->trace->index[e] + 1;
  if (w->kind == OMEN_QUICK_SYNC) {
    acquire (w, t, e);
    if (omen_kind_atomic (event->kind) && omen_kind_writes (event->kind))
      w->out->firm[e] = release_clock (w, t, e);
    return;
  }
  if (w->kind == OMEN_QUICK_OBSERVED)
    add_to_semaphore (w, t, e);
  take_writers (w, t, e);
  if (event->kind == OMEN_ATOMIC_RMW)
    previous[t] = w->out->firm[e] = store (w, t, previous[t]);
}

void
omen_quick_walk (const omen_quick *quick, omen_quick_clocks *out,
                 omen_quick_kind kind, const uint8_t *single)
{
  const omen_model *m = quick->model;
  uint32_t threads = quick->threads;
  walk w = {
    .m = m, .single = single, .out = out, .kind = kind, .threads = threads
  };
  uint32_t *previous = omen_alloc (threads * sizeof *previous);
  out->of = omen_alloc (m->event_count * sizeof (uint32_t));
  out->firm = omen_alloc (m->event_count * sizeof (uint32_t));
  memset (out->firm, 0xff, m->event_count * sizeof (uint32_t));
  w.now = omen_zalloc ((size_t)threads * threads, sizeof (uint32_t));
  w.changed = omen_zalloc (threads, 1);
  w.must_id = omen_alloc (threads * sizeof (uint32_t));
  w.token = omen_alloc (m->event_count * sizeof (uint32_t));
  w.sem_sum
      = omen_zalloc ((size_t)m->semaphore_count * threads, sizeof (uint32_t));
  memset (previous, 0xff, threads * sizeof *previous);
  memset (w.must_id, 0xff, threads * sizeof (uint32_t));
  memset (w.token, 0xff, m->event_count * sizeof (uint32_t));
  if (kind == OMEN_QUICK_OBSERVED)
    find_tokens (&w);
  for (uint32_t i = 0; i < m->event_count; i++)
    walk_event (&w, omen_model_nth (m, i), previous);
  omen_free (previous);
  omen_free (w.now);
  omen_free (w.changed);
  omen_free (w.must_id);
  omen_free (w.token);
  omen_free (w.sem_sum);
}

/* ---- reads that accept one write only ---- */

/* How many writes, the initial one included, give a value to an atom. */
static void
count_values (const omen_model *m, omen_map *counts)
{
  for (uint32_t a = 0; a < m->atom_count; a++) {
    if (m->atoms[a].initial != OMEN_NONE)
      *omen_map_at (counts, OMEN_PAIR (a, m->atoms[a].initial)) = 1;
    for (uint32_t i = m->atoms[a].first; i < m->atoms[a + 1].first; i++) {
      omen_eid e = m->accesses[i];
      uint32_t value, *count;
      OMEN_ASSERT (e < m->event_count);
      if (!omen_kind_writes (omen_model_event (m, e)->kind))
        continue;
      value = m->value[omen_model_write_slot (m, e, a)];
      if (value == OMEN_NONE)
        continue;
      count = omen_map_at (counts, OMEN_PAIR (a, value));
      *count = *count == OMEN_NONE ? 1 : *count + 1;
    }
  }
}

/* Does the read e accept no other write than the one it saw? */
static bool
accepts_one (const omen_model *m, const omen_map *counts, omen_eid e,
             uint32_t atom)
{
  uint32_t slot = omen_model_read_slot (m, e, atom), value = m->value[slot];
  uint32_t count;
  if (value == OMEN_NONE)
    return true;
  count = omen_map_get (counts, OMEN_PAIR (atom, value));
  if (count == OMEN_NONE)
    return true;
  return count == (omen_model_written (m, m->from[slot], atom) == value);
}

uint8_t *
omen_quick_single (const omen_model *m)
{
  uint8_t *single = omen_zalloc (m->slot_count, 1);
  omen_map counts;
  omen_map_init (&counts);
  count_values (m, &counts);
  for (omen_eid e = 0; e < m->event_count; e++) {
    omen_span atoms;
    if (!omen_kind_reads (omen_model_event (m, e)->kind))
      continue;
    atoms = omen_model_atoms (m, e);
    for (uint32_t i = 0; i < atoms.count; i++)
      single[m->at[e] + i] = accepts_one (m, &counts, e, atoms.first + i);
  }
  omen_map_fini (&counts);
  return single;
}

/* ---- validator ---- */

/* Does the clock have only events that precede e in the trace? */
static bool
clock_fits (const omen_quick *quick, const uint32_t *words, omen_eid e)
{
  const omen_model *m = quick->model;
  for (omen_tid t = 0; t < quick->threads; t++)
    if (t != omen_model_thread (m, e)
        && words[t] > events_before (m, t, omen_model_position (m, e)))
      return false;
  return true;
}

bool
omen_quick_clocks_valid (const omen_quick *quick,
                         const omen_quick_clocks *clocks)
{
  const omen_model *m = quick->model;
  for (omen_eid e = 0; e < m->event_count; e++) {
    const uint32_t *words = omen_quick_words (clocks, quick->threads, e);
    omen_eid next = omen_model_next (m, e);
    if (!clock_fits (quick, words, e))
      return false;
    for (omen_tid t = 0; next != OMEN_NONE && t < quick->threads; t++)
      if (words[t] > omen_quick_words (clocks, quick->threads, next)[t])
        return false;
  }
  return true;
}
