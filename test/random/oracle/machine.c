#include "machine.h"

#include <string.h>

void
machine_init (machine *m, const facts *f, omen_model_name model)
{
  unsigned bytes = 0;
  m->facts = f;
  m->model = model == OMEN_MODEL_SLICED && !f->dependences ? OMEN_MODEL_VALUE
                                                           : model;
  m->keep_sections = false;
  for (unsigned a = 0; a < f->atom_count; a++)
    m->byte_of[a] = f->atom[a].read ? (uint8_t)bytes++ : NOBODY;
  m->since = 2 + (bytes + 7) / 8;
  m->words = m->since + f->wait_count;
}

void
machine_start (const machine *m, state *s)
{
  memset (s, 0, m->words * sizeof (uint64_t));
  for (unsigned i = 2; i < m->since; i++)
    s->word[i] = UINT64_MAX; /* NOBODY in each byte */
}

unsigned
machine_next (const machine *m, const state *s, unsigned t)
{
  event_set done = s->CUT & m->facts->of_thread[t];
  return m->facts->events_of[t][__builtin_popcountll (done)];
}

unsigned
machine_latest (const machine *m, const state *s, unsigned t)
{
  event_set done = s->CUT & m->facts->of_thread[t];
  return done ? m->facts->events_of[t][__builtin_popcountll (done) - 1]
              : NOBODY;
}

unsigned
machine_writer (const machine *m, const state *s, unsigned a)
{
  unsigned byte = m->byte_of[a];
  OMEN_ASSERT (byte != NOBODY);
  return s->word[2 + byte / 8] >> 8 * (byte % 8) & 0xff;
}

static void
set_writer (const machine *m, state *s, unsigned a, unsigned writer)
{
  unsigned byte = m->byte_of[a];
  uint64_t *word = &s->word[2 + byte / 8];
  if (byte == NOBODY)
    return;
  *word = (*word & ~(0xffull << 8 * (byte % 8)))
          | (uint64_t)writer << 8 * (byte % 8);
}

uint64_t
machine_holds_write (const machine *m, const state *s, unsigned t)
{
  unsigned latest = machine_latest (m, s, t);
  return latest == NOBODY ? 0 : m->facts->writes_held[latest];
}

uint64_t
machine_holds_read (const machine *m, const state *s, unsigned t)
{
  unsigned latest = machine_latest (m, s, t);
  return latest == NOBODY ? 0 : m->facts->reads_held[latest];
}

/* ---- rule 2 ---- */
static bool
lock_allows (const machine *m, const state *s, unsigned e)
{
  const facts *f = m->facts;
  uint64_t writes = 0, reads = 0;
  for (unsigned t = 0; t < f->threads; t++) {
    writes |= machine_holds_write (m, s, t);
    reads |= machine_holds_read (m, s, t);
  }
  switch (f->action[e]) {
  case LOCK_TAKE:
    return !HAS (writes | reads, f->lock[e]);
  case LOCK_SHARE:
    return !HAS (writes, f->lock[e]);
  case LOCK_FAIL:
    return HAS (writes | reads, f->lock[e]);
  case LOCK_SHARED_FAIL:
    return HAS (writes, f->lock[e]);
  default:
    return true;
  }
}

/* ---- rule 4: notifies ---- */
/* Find a notify for wait w, moving others out of the way. serves[n] is the wait
   that notify n serves. */
static bool
find_notify (const machine *m, const state *s, unsigned w, uint8_t *serves,
             event_set *tried)
{
  event_set mine = s->word[m->since + w] & m->facts->wait[w].notifies;
  for (unsigned n = 0; n < m->facts->count; n++) {
    if (!HAS (mine & ~*tried, n))
      continue;
    *tried |= ONE (n);
    if (serves[n] == NOBODY || find_notify (m, s, serves[n], serves, tried)) {
      serves[n] = (uint8_t)w;
      return true;
    }
  }
  return false;
}

/* Is there a notify for each return in σ that needs one, and for each in more?
 */
static bool
notifies_suffice (const machine *m, const state *s, event_set more)
{
  const facts *f = m->facts;
  uint8_t serves[ORACLE_EVENTS];
  memset (serves, NOBODY, sizeof serves);
  for (unsigned w = 0; w < f->wait_count; w++) {
    const condition_wait *wait = &f->wait[w];
    event_set tried = 0;
    bool back = wait->back != NOBODY && HAS (s->CUT | more, wait->back);
    if (!back || !wait->needs || s->word[m->since + w] & wait->alls)
      continue;
    if (!find_notify (m, s, w, serves, &tried))
      return false;
  }
  return true;
}

/* ---- rules 3 and 4 ---- */
bool
machine_enabled_but_lock (const machine *m, const state *s, unsigned e)
{
  const facts *f = m->facts;
  if (f->need[e] & ~s->CUT)
    return false;
  if (f->wait_of[e] != NOBODY && f->wait[f->wait_of[e]].needs
      && !notifies_suffice (m, s, ONE (e)))
    return false;
  switch (f->kind[e]) {
  case OMEN_JOIN:
    return !(s->BROKEN & f->of_thread[facts_event (f, e)->object]);
  case OMEN_SEM_DOWN:
    return facts_semaphore (f, e, s->CUT) > 0;
  case OMEN_SEM_FAIL:
    return facts_semaphore (f, e, s->CUT) == 0;
  default:
    return true;
  }
}

bool
machine_enabled (const machine *m, const state *s, unsigned e)
{
  return machine_enabled_but_lock (m, s, e) && lock_allows (m, s, e);
}

/* Returns are all that two events which are next can get in each other's way
   with: they are accesses, or requests that do not get their locks. */
bool
machine_together (const machine *m, const state *s, event_set claimed)
{
  return notifies_suffice (m, s, claimed);
}

/* ---- rule 5 ---- */
bool
machine_follows (const machine *m, const state *s, unsigned e)
{
  unsigned previous = m->facts->previous[e];
  return m->model == OMEN_MODEL_SLICED || previous == NOBODY
         || !HAS (s->BROKEN, previous);
}

bool
machine_preserves (const machine *m, const state *s, const glimpse *g)
{
  unsigned writer = machine_writer (m, s, g->atom);
  bool by_writer = m->model == OMEN_MODEL_RF || m->model == OMEN_MODEL_LATTICE;
  if (writer == NOBODY)
    return by_writer ? g->saw == NOBODY : g->initial_value;
  if (HAS (m->facts->rmws & s->BROKEN, writer))
    return false;
  return by_writer ? g->saw == writer : HAS (g->as_value, writer);
}

static bool
reads_as_observed (const machine *m, const state *s, unsigned e)
{
  const facts *f = m->facts;
  for (unsigned k = 0; k < f->atoms[e]; k++)
    if (!machine_preserves (m, s, &f->glimpse[f->first_glimpse[e] + k]))
      return false;
  return true;
}

bool
machine_writes (const machine *m, const state *s, unsigned e)
{
  const facts *f = m->facts;
  if (!omen_event_is_cas (facts_event (f, e)))
    return HAS (f->writers, e);
  return HAS (s->CUT, e) ? !HAS (s->BROKEN, e) : reads_as_observed (m, s, e);
}

bool
machine_conflict (const machine *m, const state *s, unsigned a, unsigned b)
{
  return machine_writes (m, s, a) || machine_writes (m, s, b);
}

/* ---- lattice ---- */
/* The set of atom a that writer w starts (NOBODY: the initial write). */
static event_set
atomic_set (const facts *f, unsigned a, unsigned w)
{
  event_set set = w == NOBODY ? 0 : ONE (w);
  for (unsigned i = 0; i < f->glimpse_count; i++)
    if (f->glimpse[i].atom == a && f->glimpse[i].saw == w)
      set |= ONE (f->glimpse[i].read);
  return set;
}

static bool
set_is_open (const facts *f, event_set cut, unsigned a, unsigned w,
             event_set with)
{
  event_set set = atomic_set (f, a, w);
  bool started = w == NOBODY || (set & cut);
  return started && (set & ~(cut | with));
}

/* Are all sets of atom a that were started complete, but for that of
   `except`, the step e (if it counts) included? */
static bool
sets_complete (const facts *f, event_set cut, unsigned a, int except,
               event_set with)
{
  if (except != NOBODY && set_is_open (f, cut, a, NOBODY, with))
    return false;
  for (unsigned w = 0; w < f->count; w++)
    if (HAS (f->writers, w) && (int)w != except && f->first_atom[w] <= a
        && a < (unsigned)f->first_atom[w] + f->atoms[w]
        && set_is_open (f, cut, a, w, with))
      return false;
  return true;
}

static bool
sets_stay_intact (const machine *m, const state *s, unsigned e)
{
  const facts *f = m->facts;
  if (!HAS (f->accesses, e))
    return true;
  for (unsigned k = 0; k < f->atoms[e]; k++) {
    unsigned a = f->first_atom[e] + k;
    if (HAS (f->readers, e)
        && !sets_complete (f, s->CUT, a,
                           f->glimpse[f->first_glimpse[e] + k].saw, 0))
      return false;
    if (HAS (f->writers, e) && !sets_complete (f, s->CUT, a, -1, ONE (e)))
      return false;
  }
  return true;
}

/* ---- kept sections ---- */
/* Would e start a critical section before which a conflicting one of its lock
   that the trace has after it has already started? */
static bool
swaps_sections (const machine *m, const state *s, unsigned e)
{
  const facts *f = m->facts;
  if (f->action[e] != LOCK_TAKE && f->action[e] != LOCK_SHARE)
    return false;
  for (unsigned i = 0; i < f->count; i++)
    if (HAS (s->CUT, i) && f->rank[i] > f->rank[e] && f->lock[i] == f->lock[e]
        && (f->action[i] == LOCK_TAKE
            || (f->action[i] == LOCK_SHARE && f->action[e] == LOCK_TAKE)))
      return true;
  return false;
}

/* ---- the step ---- */
static void
note_notifies (const machine *m, const state *s, unsigned e, state *to)
{
  const facts *f = m->facts;
  for (unsigned w = 0; w < f->wait_count; w++) {
    const condition_wait *wait = &f->wait[w];
    if (HAS (wait->notifies | wait->alls, e) && HAS (s->CUT, wait->wait)
        && !(wait->back != NOBODY && HAS (s->CUT, wait->back)))
      to->word[m->since + w] |= ONE (e);
  }
}

bool
machine_step (const machine *m, const state *s, unsigned e, state *to)
{
  const facts *f = m->facts;
  bool broken = HAS (f->readers, e) && !reads_as_observed (m, s, e);
  if (m->keep_sections && swaps_sections (m, s, e))
    return false;
  if (m->model == OMEN_MODEL_LATTICE && (broken || !sets_stay_intact (m, s, e)))
    return false;
  memcpy (to->word, s->word, m->words * sizeof (uint64_t));
  note_notifies (m, s, e, to);
  if (HAS (f->writers, e))
    for (unsigned k = 0; k < f->atoms[e]; k++)
      set_writer (m, to, f->first_atom[e] + k, e);
  if (broken)
    to->BROKEN |= ONE (e);
  to->CUT |= ONE (e);
  return true;
}

/* ---- sliced ---- */
static event_set
relevant_events (const facts *f, event_set cut, event_set claimed)
{
  event_set relevant = claimed | (f->synchronise & cut), before;
  do {
    before = relevant;
    for (unsigned e = 0; e < f->count; e++) {
      if (!HAS (relevant, e))
        continue;
      relevant |= f->after[e];
      if (HAS (f->readers, e))
        relevant |= f->overlaps[e] & f->writers & cut;
      if (f->kind[e] == OMEN_JOIN)
        relevant |= f->of_thread[facts_event (f, e)->object] & f->readers;
    }
  } while (relevant != before);
  return relevant;
}

bool
machine_sound (const machine *m, const state *s, event_set claimed)
{
  const facts *f = m->facts;
  event_set followed = 0;
  if (m->model != OMEN_MODEL_SLICED || !s->BROKEN)
    return true;
  for (unsigned e = 0; e < f->count; e++)
    if (f->next[e] != NOBODY && HAS (s->CUT, e)
        && HAS (s->CUT | claimed, f->next[e]))
      followed |= ONE (e);
  return !(s->BROKEN & followed & relevant_events (f, s->CUT, claimed));
}
