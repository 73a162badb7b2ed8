#include "stuck.h"
#include "machine.h"
#include "space.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SPOTS 3 /* in which one thread can be said to stand */

/* How a thread can stand: for a lock, thread, condition, count. */
typedef enum cause { FOR_LOCK, FOR_THREAD, FOR_NOTIFY, FOR_MORE } cause;

typedef struct spot {
  uint8_t event;
  cause cause;
  uint8_t lock;   /* FOR_LOCK; FOR_NOTIFY: of the wait, or NOBODY */
  bool write;     /* the lock is wanted so */
  uint8_t thread; /* FOR_THREAD */
  bool limited;   /* FOR_NOTIFY: it ends by itself */
} spot;

typedef struct hunt {
  machine m;
  facts f;
  oracle_claims *claims;
  bool seen_end[MOST_THREADS];
  uint8_t fork[MOST_THREADS];
  /* the state at hand */
  const state *s;
  uint32_t woken, ghosts; /* waits: notified; here as if they were not there */
  spot spots[MOST_THREADS][MOST_SPOTS];
  unsigned spot_count[MOST_THREADS];
  bool ended[MOST_THREADS], begun[MOST_THREADS];
} hunt;

/* ---- what the trace says ---- */

static void
find_ends (hunt *h)
{
  const facts *f = &h->f;
  bool stuck = false;
  memset (h->fork, NOBODY, sizeof h->fork);
  for (unsigned e = 0; e < f->count; e++)
    stuck |= (facts_event (f, e)->mode & OMEN_MODE_STUCK) != 0;
  for (unsigned e = 0; e < f->count; e++) {
    bool last = f->next[e] == NOBODY;
    if (f->kind[e] == OMEN_JOIN)
      h->seen_end[facts_event (f, e)->object] = true;
    if (f->kind[e] == OMEN_FORK)
      h->fork[facts_event (f, e)->object] = (uint8_t)e;
    if (last && f->kind[e] == OMEN_ENDED)
      h->seen_end[f->thread[e]] = true;
    if (last && stuck && !(facts_event (f, e)->mode & OMEN_MODE_STUCK))
      h->seen_end[f->thread[e]] = true;
  }
  for (unsigned t = 0; t < f->threads; t++)
    if (stuck && f->events_of[t][0] == NOBODY)
      h->seen_end[t] = true;
}

static bool
times_out (const facts *f, unsigned e)
{
  return e != NOBODY && f->kind[e] == OMEN_WAKE
         && facts_event (f, e)->mode & OMEN_MODE_TIMEOUT;
}

/* ---- where threads can stand ---- */

static void
add_spot (hunt *h, unsigned t, spot new)
{
  h->spots[t][h->spot_count[t]++] = new;
}

static void
stand_after (hunt *h, unsigned t, unsigned e)
{
  const facts *f = &h->f;
  const omen_event *event = facts_event (f, e);
  unsigned next = f->next[e];
  switch (f->kind[e]) {
  case OMEN_REQUEST:
    if (next == NOBODY && !HAS (f->irregular, event->object))
      add_spot (h, t,
                (spot){ (uint8_t)e, FOR_LOCK, (uint8_t)event->object, false, 0,
                        false });
    break;
  case OMEN_WAIT: {
    bool lock = event->value != OMEN_NONE
                && !HAS (f->irregular, (omen_lid)event->value);
    add_spot (
        h, t,
        (spot){ (uint8_t)e, FOR_NOTIFY, lock ? (uint8_t)event->value : NOBODY,
                true, 0,
                (event->mode & OMEN_MODE_TIMEOUT) || times_out (f, next) });
    break;
  }
  case OMEN_ARRIVE: {
    bool departs = next != NOBODY && f->kind[next] == OMEN_DEPART
                   && facts_event (f, next)->object == event->object;
    if ((departs && (f->need[next] & ~h->s->CUT))
        || (next == NOBODY && event->mode & OMEN_MODE_STUCK))
      add_spot (h, t, (spot){ (uint8_t)e, FOR_MORE, 0, false, 0, false });
    break;
  }
  case OMEN_SEM_REQUEST:
    if (next == NOBODY && facts_semaphore (f, e, h->s->CUT) == 0)
      add_spot (h, t, (spot){ (uint8_t)e, FOR_MORE, 0, false, 0, false });
    break;
  case OMEN_JOIN_REQUEST:
    if (next == NOBODY)
      add_spot (h, t,
                (spot){ (uint8_t)e, FOR_THREAD, 0, false,
                        (uint8_t)event->object, false });
    break;
  default:
    break;
  }
}

/* The seminits before it are there. */
static bool
is_made (const hunt *h, unsigned down)
{
  const facts *f = &h->f;
  return !(f->need[down] & ~h->s->CUT & ~f->of_thread[f->thread[down]]);
}

static void
stand_before (hunt *h, unsigned t, unsigned e)
{
  const facts *f = &h->f;
  const omen_event *event = facts_event (f, e);
  bool try = event->mode & OMEN_MODE_TRY;
  if (!machine_follows (&h->m, h->s, e))
    return;
  switch (f->kind[e]) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    if (!try && (f->action[e] == LOCK_TAKE || f->action[e] == LOCK_SHARE))
      add_spot (h, t,
                (spot){ (uint8_t)e, FOR_LOCK, f->lock[e],
                        f->action[e] == LOCK_TAKE, 0, false });
    break;
  case OMEN_SEM_DOWN:
    if (!try && is_made (h, e) && facts_semaphore (f, e, h->s->CUT) == 0)
      add_spot (h, t, (spot){ (uint8_t)e, FOR_MORE, 0, false, 0, false });
    break;
  case OMEN_JOIN:
    add_spot (h, t,
              (spot){ (uint8_t)e, FOR_THREAD, 0, false, (uint8_t)event->object,
                      false });
    break;
  default:
    break;
  }
}

static void
look_around (hunt *h, const state *s)
{
  const facts *f = &h->f;
  h->s = s;
  for (unsigned t = 0; t < f->threads; t++) {
    unsigned latest = machine_latest (&h->m, s, t);
    unsigned next = machine_next (&h->m, s, t);
    h->spot_count[t] = 0;
    h->begun[t] = h->fork[t] == NOBODY || HAS (s->CUT, h->fork[t]);
    h->ended[t] = h->begun[t] && h->seen_end[t] && next == NOBODY
                  && !(s->BROKEN & f->of_thread[t]);
    if (!h->begun[t])
      continue;
    if (latest != NOBODY)
      stand_after (h, t, latest);
    if (next != NOBODY)
      stand_before (h, t, next);
  }
}

/* ---- is it one? ---- */

typedef struct choice {
  const spot *of[MOST_THREADS]; /* of members; NULL: none */
  bool ended_count;             /* threads that have ended keep locks */
} choice;

/* Held by a member, or by a thread that has ended if they count. */
static bool
is_kept (const hunt *h, const choice *c, unsigned lock, unsigned own,
         bool write, bool *by_itself)
{
  bool kept = false;
  for (unsigned t = 0; lock != NOBODY && t < h->f.threads; t++) {
    uint64_t held = machine_holds_write (&h->m, h->s, t);
    if (!c->of[t] && !(h->ended[t] && c->ended_count))
      continue;
    if (write && t != own)
      held |= machine_holds_read (&h->m, h->s, t);
    kept |= HAS (held, lock);
    *by_itself |= HAS (held, lock) && t == own;
  }
  return kept;
}

static unsigned
wait_number (const facts *f, unsigned e)
{
  for (unsigned w = 0; w < f->wait_count; w++)
    if (f->wait[w].wait == e)
      return w;
  return NOBODY;
}

/* 0: it is not blocked; 1: by a lock or thread; 2: by something else. */
static unsigned
blocked (const hunt *h, const choice *c, unsigned t, bool *by_itself)
{
  const spot *at = c->of[t];
  if (at->cause == FOR_THREAD)
    return c->of[at->thread] ? 1 : 0;
  if (at->cause == FOR_MORE)
    return 2;
  if (is_kept (h, c, at->lock, t, at->write, by_itself))
    return 1;
  return at->cause == FOR_NOTIFY && !at->limited
                 && !(h->woken >> wait_number (&h->f, at->event) & 1)
             ? 2
             : 0;
}

/* 0: no claim; 1: closed; 2: all that are left. */
static unsigned
judge (const hunt *h, const choice *c, bool *by_itself)
{
  unsigned sort = 1;
  event_set claimed = 0;
  for (unsigned t = 0; t < h->f.threads; t++) {
    unsigned why;
    if (!c->of[t])
      continue;
    claimed |= ONE (c->of[t]->event);
    why = blocked (h, c, t, by_itself);
    if (!why)
      return 0;
    if (why == 2)
      sort = 2;
  }
  if (!claimed || !machine_sound (&h->m, h->s, claimed))
    return 0;
  if (sort == 1)
    return 1;
  if (h->f.trace->flags & (OMEN_TRACE_PARTIAL | OMEN_TRACE_HELPED))
    return 0;
  for (unsigned t = 0; t < h->f.threads; t++)
    if (!c->of[t] && !h->ended[t] && h->begun[t])
      return 0;
  return 2;
}

static bool
is_least (const hunt *h, const choice *c)
{
  unsigned threads = h->f.threads;
  for (unsigned set = 1; set < (1u << threads); set++) {
    choice part = *c;
    bool smaller = false, by_itself = false;
    for (unsigned t = 0; t < threads; t++)
      if (c->of[t] && !(set >> t & 1)) {
        part.of[t] = NULL;
        smaller = true;
      }
    if (smaller && judge (h, &part, &by_itself) == 1)
      return false;
  }
  return true;
}

static bool
only_requests (const hunt *h, const choice *c)
{
  unsigned count = 0;
  for (unsigned t = 0; t < h->f.threads; t++) {
    count += c->of[t] != NULL;
    if (c->of[t] && c->of[t]->cause != FOR_LOCK)
      return false;
  }
  return count > 1;
}

static void
note (hunt *h, const choice *c)
{
  oracle_claim claim = { OMEN_CLAIM_STUCK, 0, 0, { 0 } };
  for (unsigned e = 0; e < h->f.count; e++) {
    const spot *at = c->of[h->f.thread[e]];
    if (at && at->event == e)
      claim.events[claim.count++] = e;
  }
  for (size_t i = 0; i < h->claims->count; i++)
    if (h->claims->data[i].count == claim.count
        && !memcmp (h->claims->data[i].events, claim.events,
                    claim.count * sizeof (omen_eid)))
      return;
  OMEN_VEC_PUSH (*h->claims, claim);
}

static bool
is_closed (const hunt *h, choice *c)
{
  bool by_itself = false, closed;
  unsigned members = 0;
  for (unsigned t = 0; t < h->f.threads; t++)
    members += c->of[t] != NULL;
  c->ended_count = members == 1;
  closed = judge (h, c, &by_itself) == 1 && !by_itself && !only_requests (h, c)
           && is_least (h, c);
  c->ended_count = true;
  return closed;
}

/* Each way to say for each thread where it stands, or that it is none. */
static void
choose (hunt *h, choice *c, unsigned t, bool global)
{
  if (t == h->f.threads) {
    bool by_itself = false;
    if (global ? judge (h, c, &by_itself) == 2 : is_closed (h, c))
      note (h, c);
    return;
  }
  c->of[t] = NULL;
  choose (h, c, t + 1, global);
  for (unsigned i = 0; i < h->spot_count[t]; i++) {
    c->of[t] = &h->spots[t][i];
    choose (h, c, t + 1, global);
  }
  c->of[t] = NULL;
}

/* ---- the search ---- */

/* Beside the machine's words: the waits that were woken, and those that are as
   if they were not there. */
static void
add (const hunt *h, space *sp, const state *s, uint32_t woken, uint32_t ghosts,
     uint32_t from, unsigned e)
{
  uint64_t words[MOST_WORDS + 1];
  bool fresh;
  memcpy (words, s->word, h->m.words * sizeof *words);
  words[h->m.words] = (uint64_t)ghosts << 32 | woken;
  space_add (sp, words, from, e, &fresh);
}

/* Exactly one of those that sleep wakes, whichever. */
static void
wake_one (const hunt *h, space *sp, const state *to, unsigned notify,
          uint32_t from)
{
  const facts *f = &h->f;
  bool any = false;
  for (unsigned w = 0; w < f->wait_count; w++) {
    const condition_wait *wait = &f->wait[w];
    if (!HAS (wait->notifies, notify) || !HAS (h->s->CUT, wait->wait)
        || (wait->back != NOBODY && HAS (h->s->CUT | ONE (notify), wait->back))
        || h->woken >> w & 1 || h->ghosts >> w & 1)
      continue;
    any = true;
    add (h, sp, to, h->woken | 1u << w, h->ghosts, from, notify);
  }
  if (!any)
    add (h, sp, to, h->woken, h->ghosts, from, notify);
}

static void
wake_all (const hunt *h, space *sp, const state *to, unsigned notify,
          uint32_t from)
{
  const facts *f = &h->f;
  uint32_t woken = h->woken;
  for (unsigned w = 0; w < f->wait_count; w++)
    if (HAS (f->wait[w].alls, notify) && HAS (h->s->CUT, f->wait[w].wait)
        && !(h->ghosts >> w & 1))
      woken |= 1u << w;
  add (h, sp, to, woken, h->ghosts, from, notify);
}

/* A return that needs a notify has had one; one that needs none is of a wait
   that was as if it were not there. */
static bool
may_return (const hunt *h, unsigned e)
{
  unsigned w = h->f.wait_of[e];
  if (w == NOBODY || h->f.wait[w].back != e)
    return true;
  return h->f.wait[w].needs ? h->woken >> w & 1 : h->ghosts >> w & 1;
}

static void
take (const hunt *h, space *sp, unsigned e, const state *to, uint32_t from)
{
  const facts *f = &h->f;
  unsigned w = f->kind[e] == OMEN_WAIT ? wait_number (f, e) : NOBODY;
  if (f->kind[e] == OMEN_NOTIFY)
    wake_one (h, sp, to, e, from);
  else if (f->kind[e] == OMEN_NOTIFY_ALL)
    wake_all (h, sp, to, e, from);
  else
    add (h, sp, to, h->woken, h->ghosts, from, e);
  if (w != NOBODY && f->wait[w].back != NOBODY && !f->wait[w].needs)
    add (h, sp, to, h->woken, h->ghosts | 1u << w, from, e);
}

/* A wait that is as if it were not there must have returned. */
static bool
ghosts_are_gone (const hunt *h)
{
  for (unsigned w = 0; w < h->f.wait_count; w++)
    if (h->ghosts >> w & 1 && !HAS (h->s->CUT, h->f.wait[w].back))
      return false;
  return true;
}

static void
visit (hunt *h, space *sp, uint32_t at, const state *s)
{
  choice none = { { NULL }, true };
  state to;
  look_around (h, s);
  if (ghosts_are_gone (h))
    choose (h, &none, 0, true);
  for (unsigned t = 0; t < h->f.threads; t++) {
    unsigned e = machine_next (&h->m, s, t);
    if (e != NOBODY && machine_follows (&h->m, s, e)
        && machine_enabled (&h->m, s, e) && may_return (h, e)
        && machine_step (&h->m, s, e, &to) && machine_sound (&h->m, &to, 0))
      take (h, sp, e, &to, at);
  }
}

static void
search_all (hunt *h)
{
  state s;
  space sp;
  space_init (&sp, h->m.words + 1);
  machine_start (&h->m, &s);
  add (h, &sp, &s, 0, 0, OMEN_NONE, 0);
  for (uint32_t i = 0; i < sp.count; i++) {
    const uint64_t *words = space_at (&sp, i);
    memcpy (s.word, words, h->m.words * sizeof *words);
    h->woken = (uint32_t)words[h->m.words];
    h->ghosts = (uint32_t)(words[h->m.words] >> 32);
    visit (h, &sp, i, &s);
  }
  space_fini (&sp);
}

/* Who was woken does not matter for locks and threads. */
static void
search_closed (hunt *h)
{
  state s, to;
  space sp;
  bool fresh;
  space_init (&sp, h->m.words);
  machine_start (&h->m, &s);
  space_add (&sp, s.word, OMEN_NONE, 0, &fresh);
  h->woken = UINT32_MAX; /* none sleeps for good */
  for (uint32_t i = 0; i < sp.count; i++) {
    choice none = { { NULL }, true };
    memcpy (s.word, space_at (&sp, i), h->m.words * sizeof (uint64_t));
    look_around (h, &s);
    choose (h, &none, 0, false);
    for (unsigned t = 0; t < h->f.threads; t++) {
      unsigned e = machine_next (&h->m, &s, t);
      if (e != NOBODY && machine_follows (&h->m, &s, e)
          && machine_enabled (&h->m, &s, e) && machine_step (&h->m, &s, e, &to)
          && machine_sound (&h->m, &to, 0))
        space_add (&sp, to.word, i, e, &fresh);
    }
  }
  space_fini (&sp);
}

bool
oracle_stucks (const omen_trace *trace, omen_model_name model,
               oracle_claims *claims, omen_err *err)
{
  hunt *h = omen_zalloc (1, sizeof *h);
  bool ok = facts_read (&h->f, trace, err);
  h->claims = claims;
  if (ok) {
    machine_init (&h->m, &h->f, model);
    find_ends (h);
    search_closed (h);
    search_all (h);
  }
  omen_free (h);
  return ok;
}
