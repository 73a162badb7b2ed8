#include "model/quick.h"
#include "base/seeded.h"
#include "base/map.h"

#include <string.h>

/* Clocks of one kind: by event, an id into words; own component apart. */
typedef struct clocks {
  uint32_t *of;    /* by event: what comes before it */
  uint32_t *firm;  /* by event, rmw only: with what it read, since an rmw that
                      is to be seen must have read the right thing */
  omen_ids words;  /* threads words a clock */
} clocks;

struct omen_quick {
  const omen_model *model;
  uint32_t threads;
  bool by_value;
  clocks must, observed;
};

/* ---- building ---- */

/* What one walk needs to know. `now` holds for each thread all that is below
   its next event; `end` of a thread is its last `now`. */
typedef struct walk {
  const omen_model *m;
  const uint8_t *single; /* by slot: the read accepts one write only; or NULL */
  clocks *out;
  bool observed;
  uint32_t threads;
  uint32_t *now;      /* threads x threads */
  uint8_t *changed;   /* by thread: since the last clock stored */
  uint32_t *must_id;  /* by thread: model clock last joined */
  uint32_t *served;   /* by wait: the notify that served it (observed) */
  uint32_t *token;    /* by event: the up that served a down (observed) */
  uint32_t *sem_sum;  /* by segment: threads words, all operations so far */
} walk;

static uint32_t *
row (const walk *w, omen_tid t)
{
  return w->now + (size_t)t * w->threads;
}

static const uint32_t *
words_of (const clocks *c, uint32_t threads, omen_eid e)
{
  return c->words.data + (size_t)c->of[e] * threads;
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

/* now(t) takes in event f and all that f's clock holds. */
static void
take_in (walk *w, omen_tid t, omen_eid f)
{
  omen_tid u = omen_model_thread (w->m, f);
  uint32_t count = w->m->trace->index[f] + 1;
  if (row (w, t)[u] >= count)
    return;
  take_in_words (w, t, words_of (w->out, w->threads, f));
  row (w, t)[u] = count;
  w->changed[t] = 1;
}

/* The same for a write that is to be seen. */
static void
take_in_write (walk *w, omen_tid t, omen_eid f)
{
  take_in (w, t, f);
  if (w->out->firm[f] != OMEN_NONE && !OMEN_BUG (141))
    take_in_words (w, t,
                   w->out->words.data
                       + (size_t)w->out->firm[f] * w->threads);
}

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

static void
take_joined (walk *w, omen_tid t, omen_tid child)
{
  take_in_words (w, t, row (w, child));
}

/* Of the sections of one thread in a lock cell, how many are acquired among the
   first `count` events of the thread. */
static uint32_t
started (const omen_model *m, uint32_t cell, uint32_t count)
{
  uint32_t first = m->lock_cells[cell].first;
  uint32_t low = first, high = m->lock_cells[cell + 1].first;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    omen_eid acquire = m->sections[m->lock_members[middle]].acquire;
    if (m->trace->index[acquire] < count)
      low = middle + 1;
    else
      high = middle;
  }
  return low - first;
}

/* The last of them, or OMEN_NONE. */
static uint32_t
last_section (const omen_model *m, uint32_t cell, uint32_t count)
{
  uint32_t n = started (m, cell, count);
  return n ? m->lock_members[m->lock_cells[cell].first + n - 1] : OMEN_NONE;
}

/* How many events of thread t come before position `end`. */
static uint32_t
events_before (const omen_model *m, omen_tid t, uint32_t end)
{
  uint32_t low = 0, high = m->trace->threads.data[t].count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    omen_eid e = omen_trace_nth (m->trace, t, middle);
    if (omen_model_position (m, e) < end)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
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
    uint32_t id = last_section (m, c, events_before (m, u, at));
    const omen_section *section;
    if (id == OMEN_NONE)
      continue;
    section = &m->sections[id];
    if ((section->release == OMEN_NONE
         || omen_model_position (m, section->release) > at)
        && (event->kind == OMEN_TRY_FAIL
            || section->mode == OMEN_LOCK_WRITE)) {
      if (u != t && !OMEN_BUG (140))
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
  if (back != OMEN_NONE && w->served[back] != OMEN_NONE)
    take_in (w, t, w->served[back]);
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

/* Reads of e have a successor from here on. */
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

/* What is below thread t's next event, as a clock; the same as before if nothing
   has changed. */
static uint32_t
store (walk *w, omen_tid t, uint32_t previous)
{
  uint32_t id = (uint32_t)(w->out->words.count / w->threads);
  if (!w->changed[t] && previous != OMEN_NONE)
    return previous;
  OMEN_VEC_RESERVE (w->out->words, w->out->words.count + w->threads);
  memcpy (w->out->words.data + w->out->words.count, row (w, t),
          w->threads * sizeof (uint32_t));
  w->out->words.count += w->threads;
  w->changed[t] = 0;
  return id;
}

/* ---- who served whom in the trace ---- */

/* Each return, in order, takes the earliest notifyall after its wait, else the
   earliest notify that is free. */
static void
find_served (walk *w, omen_eid e)
{
  const omen_model *m = w->m;
  uint32_t id = omen_model_return_of (m, e);
  const omen_wait *wait;
  uint32_t pick = OMEN_NONE;
  if (id == OMEN_NONE || !m->waits[id].needs)
    return;
  wait = &m->waits[id];
  for (uint32_t i = m->condition_notifies[wait->condition];
       i < m->condition_notifies[wait->condition + 1]; i++) {
    omen_eid n = m->notifies[i];
    uint32_t at = omen_model_position (m, n);
    if (at < omen_model_position (m, wait->wait))
      continue;
    if (at > omen_model_position (m, e))
      break;
    if (omen_model_event (m, n)->kind == OMEN_NOTIFY_ALL) {
      pick = n;
      break;
    }
    if (pick == OMEN_NONE && (w->token[n] == OMEN_NONE || OMEN_BUG (142)))
      pick = n;
  }
  OMEN_ASSERT (pick != OMEN_NONE);
  w->served[id] = pick;
  if (omen_model_event (m, pick)->kind == OMEN_NOTIFY)
    w->token[pick] = e;
}

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
               && downs++ >= m->semaphores[s].start)
        w->token[e] = ups.data[downs - 1 - m->semaphores[s].start];
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
  if (w->observed) {
    find_served (w, e);
    take_observed (w, t, e);
  }
  if (event->kind == OMEN_JOIN)
    take_joined (w, t, event->object);
  previous[t] = w->out->of[e] = store (w, t, previous[t]);
  row (w, t)[t] = m->trace->index[e] + 1;
  if (w->observed)
    add_to_semaphore (w, t, e);
  take_writers (w, t, e);
  if (event->kind == OMEN_ATOMIC_RMW)
    previous[t] = w->out->firm[e] = store (w, t, previous[t]);
}

static void
walk_trace (const omen_quick *quick, clocks *out, bool observed,
            const uint8_t *single)
{
  const omen_model *m = quick->model;
  uint32_t threads = quick->threads;
  walk w = { .m = m, .single = single, .out = out, .observed = observed,
             .threads = threads };
  uint32_t *previous = omen_alloc (threads * sizeof *previous);
  out->of = omen_alloc (m->event_count * sizeof (uint32_t));
  out->firm = omen_alloc (m->event_count * sizeof (uint32_t));
  memset (out->firm, 0xff, m->event_count * sizeof (uint32_t));
  w.now = omen_zalloc ((size_t)threads * threads, sizeof (uint32_t));
  w.changed = omen_zalloc (threads, 1);
  w.must_id = omen_alloc (threads * sizeof (uint32_t));
  w.served = omen_alloc (m->wait_count * sizeof (uint32_t));
  w.token = omen_alloc (m->event_count * sizeof (uint32_t));
  w.sem_sum = omen_zalloc ((size_t)m->semaphore_count * threads,
                           sizeof (uint32_t));
  memset (previous, 0xff, threads * sizeof *previous);
  memset (w.must_id, 0xff, threads * sizeof (uint32_t));
  memset (w.served, 0xff, m->wait_count * sizeof (uint32_t));
  memset (w.token, 0xff, m->event_count * sizeof (uint32_t));
  if (observed)
    find_tokens (&w);
  for (uint32_t i = 0; i < m->event_count; i++)
    walk_event (&w, omen_model_nth (m, i), previous);
  omen_free (previous);
  omen_free (w.now);
  omen_free (w.changed);
  omen_free (w.must_id);
  omen_free (w.served);
  omen_free (w.token);
  omen_free (w.sem_sum);
}

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
  if (value == OMEN_NONE || OMEN_BUG (139))
    return true;
  count = omen_map_get (counts, OMEN_PAIR (atom, value));
  if (count == OMEN_NONE)
    return true;
  return count == (omen_model_written (m, m->from[slot], atom) == value);
}

static uint8_t *
find_single (const omen_model *m)
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

omen_quick *
omen_quick_new (const omen_model *model, bool by_value)
{
  omen_quick *quick = omen_zalloc (1, sizeof *quick);
  uint8_t *single = by_value ? find_single (model) : NULL;
  quick->model = model;
  quick->threads = model->thread_count;
  quick->by_value = by_value;
  walk_trace (quick, &quick->must, false, single);
  walk_trace (quick, &quick->observed, true, NULL);
  omen_free (single);
  return quick;
}

void
omen_quick_free (omen_quick *quick)
{
  if (!quick)
    return;
  omen_free (quick->must.of);
  omen_free (quick->must.firm);
  omen_free (quick->observed.firm);
  omen_free (quick->observed.of);
  OMEN_VEC_FINI (quick->must.words);
  OMEN_VEC_FINI (quick->observed.words);
  omen_free (quick);
}

/* ---- asking ---- */

typedef struct closing {
  const omen_quick *quick;
  const clocks *clocks;
  const omen_eid *next;
  uint32_t count;
  uint32_t *cut;
  bool failed, changed;
} closing;

/* The cut takes in f and its clock; failed if that swallows a target. */
static void
close_over (closing *c, omen_eid f)
{
  const omen_model *m = c->quick->model;
  const uint32_t *theirs = words_of (c->clocks, c->quick->threads, f);
  omen_tid u = omen_model_thread (m, f);
  uint32_t count = m->trace->index[f] + 1;
  if (c->cut[u] >= count)
    return;
  for (uint32_t i = 0; i < c->quick->threads; i++)
    if (c->cut[i] < theirs[i])
      c->cut[i] = theirs[i];
  if (c->cut[u] < count)
    c->cut[u] = count;
  c->changed = true;
  for (uint32_t i = 0; i < c->count; i++)
    c->failed |= c->cut[omen_model_thread (m, c->next[i])]
                 > m->trace->index[c->next[i]];
}

static void
start_closing (closing *c)
{
  const omen_model *m = c->quick->model;
  uint32_t threads = c->quick->threads;
  memset (c->cut, 0, threads * sizeof *c->cut);
  for (uint32_t i = 0; i < c->count; i++) {
    const uint32_t *theirs = words_of (c->clocks, threads, c->next[i]);
    omen_tid t = omen_model_thread (m, c->next[i]);
    for (uint32_t u = 0; u < threads; u++)
      if (c->cut[u] < theirs[u])
        c->cut[u] = theirs[u];
    if (c->cut[t] < m->trace->index[c->next[i]])
      c->cut[t] = m->trace->index[c->next[i]];
  }
  for (uint32_t i = 0; i < c->count; i++)
    c->failed |= c->cut[omen_model_thread (m, c->next[i])]
                 > m->trace->index[c->next[i]];
}

static bool
conflict (const omen_section *a, const omen_section *b)
{
  return a->mode == OMEN_LOCK_WRITE || b->mode == OMEN_LOCK_WRITE;
}

/* Sections of a lock held at a target come before it: they end. */
static void
end_before_held (closing *c, omen_tid t, const omen_held *held)
{
  const omen_model *m = c->quick->model;
  for (uint32_t cell = m->lock_cells_first[held->lock];
       cell < m->lock_cells_first[held->lock + 1] && !c->failed; cell++) {
    omen_tid u = m->lock_cells[cell].thread;
    uint32_t id = u == t ? OMEN_NONE : last_section (m, cell, c->cut[u]);
    if (id == OMEN_NONE
        || !conflict (&m->sections[id], &m->sections[held->section]))
      continue;
    if (m->sections[id].release == OMEN_NONE)
      c->failed = true;
    else
      close_over (c, m->sections[id].release);
  }
}

static bool
refuted (closing *c)
{
  const omen_model *m = c->quick->model;
  start_closing (c);
  do {
    c->changed = false;
    for (uint32_t i = 0; i < c->count && !c->failed; i++) {
      const omen_set *set = &m->sets[m->set_of[c->next[i]]];
      for (uint32_t h = set[0].first; h < set[1].first && !c->failed; h++)
        end_before_held (c, omen_model_thread (m, c->next[i]), &m->held[h]);
    }
  } while (c->changed && !c->failed);
  return c->failed;
}

/* Is there in the cut, in this cell, a section that conflicts with section a and
   comes later? Section ids are in the order of the trace. */
static bool
has_later (const closing *c, uint32_t cell, uint32_t a)
{
  const omen_model *m = c->quick->model;
  const uint32_t *members = m->lock_members + m->lock_cells[cell].first;
  uint32_t n = started (m, cell, c->cut[m->lock_cells[cell].thread]);
  for (; n && members[n - 1] > a; n--)
    if (conflict (&m->sections[a], &m->sections[members[n - 1]]))
      return true;
  return false;
}

/* Of the sections of a lock in the cut, all but the last in the order of the
   trace end; readers do not mind each other. */
static void
end_all_but_last (closing *c, omen_lid lock)
{
  const omen_model *m = c->quick->model;
  uint32_t first = m->lock_cells_first[lock];
  uint32_t end = m->lock_cells_first[lock + 1];
  for (uint32_t i = first; i < end && !c->failed; i++) {
    uint32_t a = last_section (m, i, c->cut[m->lock_cells[i].thread]);
    bool later = false;
    if (a == OMEN_NONE
        || (m->sections[a].release != OMEN_NONE
            && m->trace->index[m->sections[a].release]
                   < c->cut[m->lock_cells[i].thread]))
      continue; /* none, or it ends in the cut */
    for (uint32_t j = first; j < end && !later; j++)
      later = j != i && has_later (c, j, a);
    if (!later)
      continue;
    if (m->sections[a].release == OMEN_NONE)
      c->failed = true;
    else
      close_over (c, m->sections[a].release);
  }
}

static void
end_sections (closing *c)
{
  const omen_model *m = c->quick->model;
  do {
    c->changed = false;
    for (omen_lid l = OMEN_BUG (138); l < m->lock_count && !c->failed; l++)
      if (m->lock_cells_first[l + 1] - m->lock_cells_first[l] > 1)
        end_all_but_last (c, l);
  } while (c->changed && !c->failed);
}

static bool
shown (closing *c)
{
  start_closing (c);
  end_sections (c);
  return !c->failed;
}

omen_verdict
omen_quick_next (const omen_quick *quick, const omen_eid *next, uint32_t count,
                 uint32_t *cut)
{
  closing c = { quick, &quick->must, next, count, cut, false, false };
  if (refuted (&c))
    return OMEN_ABSENT;
  c = (closing){ quick, &quick->observed, next, count, cut, false, false };
  return shown (&c) ? OMEN_FOUND : OMEN_UNKNOWN;
}

bool
omen_quick_must_before (const omen_quick *quick, omen_eid a, omen_eid b)
{
  const omen_model *m = quick->model;
  omen_tid t = omen_model_thread (m, a);
  return t == omen_model_thread (m, b)
             ? a < b
             : m->trace->index[a] < words_of (&quick->must, quick->threads,
                                              b)[t];
}

void
omen_quick_taken (const omen_quick *quick, const omen_eid *events,
                  uint32_t count, uint32_t *cut)
{
  closing c = { quick, &quick->observed, NULL, 0, cut, false, false };
  memset (cut, 0, quick->threads * sizeof *cut);
  for (uint32_t i = 0; i < count; i++)
    close_over (&c, events[i]);
  end_sections (&c);
  OMEN_ASSERT (!c.failed);
}

void
omen_quick_sequence (const omen_quick *quick, const uint32_t *cut,
                     omen_ids *events)
{
  const omen_model *m = quick->model;
  uint32_t left = 0;
  for (uint32_t t = 0; t < quick->threads; t++)
    left += cut[t];
  OMEN_VEC_RESERVE (*events, events->count + left);
  for (uint32_t i = 0; left; i++) {
    omen_eid e = omen_model_nth (m, i);
    if (m->trace->index[e] < cut[omen_model_thread (m, e)]) {
      OMEN_VEC_PUSH (*events, e);
      left--;
    }
  }
}

const uint32_t *
omen_quick_must (const omen_quick *quick, omen_eid e)
{
  return words_of (&quick->must, quick->threads, e);
}

const uint32_t *
omen_quick_observed (const omen_quick *quick, omen_eid e)
{
  return words_of (&quick->observed, quick->threads, e);
}
