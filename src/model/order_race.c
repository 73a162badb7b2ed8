/* If a colours b, the path between them leads over certain objects. The path
   exists in every sequence with the same operations on these objects in the
   same order. So a sequence without it swaps two neighbouring operations, adds
   one, or leaves one out: these are the ways given to the solver. */
#include "model/order_race.h"
#include "model/colour.h"

#include <stdio.h>
#include <string.h>

struct omen_order_race {
  const omen_window *window;
  omen_colour *colour;
  omen_eid a, b;
  omen_ids events; /* the sequence as events, without those before the window */
  uint32_t *place; /* by node: its place in the solver's sequence, or NONE */
  omen_ids nodes;  /* operations on one object */
};

omen_order_race *
omen_order_race_new (const omen_window *window)
{
  omen_order_race *r = omen_zalloc (1, sizeof *r);
  r->window = window;
  r->colour = omen_colour_new (window->model, window->from);
  r->place = omen_alloc (window->problem.nodes * sizeof *r->place);
  return r;
}

void
omen_order_race_free (omen_order_race *r)
{
  if (!r)
    return;
  omen_colour_free (r->colour);
  OMEN_VEC_FINI (r->events);
  OMEN_VEC_FINI (r->nodes);
  omen_free (r->place);
  omen_free (r);
}

void
omen_order_race_aim (omen_order_race *r, omen_eid a, omen_eid b)
{
  OMEN_REQUIRE (a != b && a < r->window->model->event_count
                && b < r->window->model->event_count);
  r->a = a;
  r->b = b;
}

/* Must something come before the event that need not come before its
   predecessor in the thread? */
static bool
needs_more (const omen_model *m, omen_eid e)
{
  omen_eid previous = omen_model_previous (m, e);
  return m->clock[e] != (previous == OMEN_NONE ? 0 : m->clock[previous]);
}

bool
omen_order_race_tries (const omen_model *m)
{
  for (uint32_t i = 0; i < m->lock_tries[m->lock_count]; i++)
    if (needs_more (m, m->tries[i])
        || m->irregular[omen_model_event (m, m->tries[i])->object])
      return true;
  for (uint32_t i = 0; i < m->semaphores[m->semaphore_count].first; i++)
    if (omen_model_event (m, m->sem_ops[i])->kind == OMEN_SEM_FAIL
        && needs_more (m, m->sem_ops[i]))
      return true;
  return false;
}

/* ---- operations on an object ---- */

static void
add_node (omen_order_race *r, omen_eid e)
{
  omen_node n = e == OMEN_NONE ? OMEN_NONE : omen_window_node (r->window, e);
  if (n != OMEN_NONE)
    OMEN_VEC_PUSH (r->nodes, n);
}

static void
lock_nodes (omen_order_race *r, omen_lid lock)
{
  const omen_model *m = r->window->model;
  for (uint32_t s = m->lock_sections[lock]; s < m->lock_sections[lock + 1]; s++)
    add_node (r, m->sections[s].acquire);
}

/* Waits that timed out, woke spuriously or never returned took no notify and
   are left out. A return that notifies or waits again is listed twice. */
static void
condition_nodes (omen_order_race *r, uint32_t condition)
{
  const omen_model *m = r->window->model;
  for (uint32_t i = m->condition_waits[condition];
       i < m->condition_waits[condition + 1]; i++)
    if (m->waits[i].needs && m->waits[i].back != OMEN_NONE) {
      add_node (r, m->waits[i].wait);
      add_node (r, m->waits[i].back);
    }
  for (uint32_t i = m->condition_notifies[condition];
       i < m->condition_notifies[condition + 1]; i++)
    add_node (r, m->notifies[i]);
}

static void
semaphore_nodes (omen_order_race *r, uint32_t segment)
{
  const omen_model *m = r->window->model;
  for (uint32_t i = m->semaphores[segment].first;
       i < m->semaphores[segment + 1].first; i++)
    add_node (r, m->sem_ops[i]);
}

/* The writes of the atom, and the read that saw one. */
static void
atom_nodes (omen_order_race *r, uint32_t atom, omen_eid read)
{
  const omen_model *m = r->window->model;
  for (uint32_t i = m->atoms[atom].first; i < m->atoms[atom + 1].first; i++) {
    omen_eid e = m->accesses[i];
    if (e == read || omen_kind_writes (omen_model_event (m, e)->kind))
      add_node (r, e);
  }
}

/* ---- ways ---- */

static void
add_way (omen_ways *ways, omen_way_kind kind, omen_node a, omen_node b)
{
  OMEN_VEC_PUSH (*ways, ((omen_way){ kind, a, b }));
}

static bool
precedes (const omen_order_race *r, omen_node a, omen_node b)
{
  return r->place[a] != r->place[b] ? r->place[a] < r->place[b] : a < b;
}

static bool
notifies (const omen_order_race *r, omen_node n)
{
  unsigned kind
      = omen_model_event (r->window->model, r->window->event_of[n])->kind;
  return kind == OMEN_NOTIFY || kind == OMEN_NOTIFY_ALL;
}

static bool
returns (const omen_order_race *r, omen_node n)
{
  return omen_model_return_of (r->window->model, r->window->event_of[n])
         != OMEN_NONE;
}

/* Ways that move node i before an earlier one with which it does not commute.
   Swapping a wait with a wait or a return does not change which notify serves
   which return. The pairs up to the last notify, and to the last return, imply
   the order of all that do not commute. */
static void
ways_to_turn (omen_order_race *r, size_t i, bool condition, omen_ways *ways)
{
  omen_node n = r->nodes.data[i];
  bool returned = false;
  OMEN_ASSERT (r->place[n] != OMEN_NONE);
  for (size_t j = i; j-- > 0;) {
    omen_node other = r->nodes.data[j];
    bool last = !condition || notifies (r, other), back = returns (r, other);
    if (last
        || (back ? (notifies (r, n) || returns (r, n)) && !returned
                 : notifies (r, n)))
      add_way (ways, OMEN_WAY_ORDER, n, other);
    if (last || (back && returns (r, n) && !notifies (r, n)))
      return;
    returned |= back;
  }
}

/* Ways to have other operations, or these in another order. */
static void
ways_around (omen_order_race *r, bool condition, omen_ways *ways)
{
  /* Sort by place in the sequence, with those not in it last; drop
     duplicates. */
  size_t count = 0;
  for (size_t i = 1; i < r->nodes.count; i++) {
    omen_node n = r->nodes.data[i];
    size_t j = i;
    for (; j && precedes (r, n, r->nodes.data[j - 1]); j--)
      r->nodes.data[j] = r->nodes.data[j - 1];
    r->nodes.data[j] = n;
  }
  for (size_t i = 0; i < r->nodes.count; i++)
    if (!count || r->nodes.data[count - 1] != r->nodes.data[i])
      r->nodes.data[count++] = r->nodes.data[i];
  r->nodes.count = count;
  for (size_t i = 0; i < r->nodes.count; i++) {
    omen_node n = r->nodes.data[i];
    if (r->place[n] == OMEN_NONE) {
      add_way (ways, OMEN_WAY_WITH, n, OMEN_NONE);
      continue;
    }
    ways_to_turn (r, i, condition, ways);
    add_way (ways, OMEN_WAY_WITHOUT, n, OMEN_NONE);
  }
}

/* A way without this event: leave out the first node of its thread from it on
   (an event that is no node only comes because of a later one). */
static void
way_without (omen_order_race *r, omen_eid e, omen_ways *ways)
{
  const omen_model *m = r->window->model;
  for (; e != OMEN_NONE; e = omen_model_next (m, e)) {
    omen_node n = omen_window_node (r->window, e);
    if (n != OMEN_NONE) {
      add_way (ways, OMEN_WAY_WITHOUT, n, OMEN_NONE);
      return;
    }
  }
}

static void
ways_of_cause (omen_order_race *r, const omen_cause *cause, omen_eid e,
               omen_ways *ways)
{
  OMEN_VEC_CLEAR (r->nodes);
  switch (cause->tie) {
  case OMEN_TIE_LOCK:
    lock_nodes (r, cause->object);
    break;
  case OMEN_TIE_CONDITION:
    condition_nodes (r, cause->object);
    break;
  case OMEN_TIE_SEMAPHORE:
    semaphore_nodes (r, cause->object);
    break;
  case OMEN_TIE_ATOM:
    atom_nodes (r, cause->object, cause->read);
    break;
  default:
    break;
  }
  ways_around (r, cause->tie == OMEN_TIE_CONDITION, ways);
  if (cause->tie != OMEN_TIE_THREAD) {
    way_without (r, e, ways);
    way_without (r, r->events.data[cause->from], ways);
  }
}

bool
omen_order_race_refine (void *context, const omen_node *sequence,
                        uint32_t count, omen_ways *ways, bool *complete)
{
  omen_order_race *r = context;
  const omen_cause *causes;
  uint32_t place = 0;
  OMEN_VEC_CLEAR (r->events);
  omen_window_expand_own (r->window, sequence, count, NULL, 0, &r->events);
  omen_colour_walk (r->colour, &r->events, r->a, r->b);
  causes = omen_colour_causes (r->colour);
  while (place < r->events.count && r->events.data[place] != r->b)
    place++;
  OMEN_ASSERT (place < r->events.count);
  if (causes[place].tie == OMEN_TIE_NONE)
    return true;
  memset (r->place, 0xff, r->window->problem.nodes * sizeof *r->place);
  for (uint32_t i = 0; i < count; i++) {
    OMEN_ASSERT (r->place[sequence[i]] == OMEN_NONE);
    r->place[sequence[i]] = i;
  }
  for (; r->events.data[place] != r->a; place = causes[place].from) {
    OMEN_ASSERT (causes[place].from < place);
    ways_of_cause (r, &causes[place], r->events.data[place], ways);
  }
  *complete = true;
  return false;
}

/* ---- the reason ---- */

static char *
weak_sentence (const omen_model *m, omen_eid weak, bool store)
{
  const omen_event *event = omen_model_event (m, weak);
  const char *location = omen_trace_location (m->trace, weak);
  char name[OMEN_EVENT_NAME_MAX], text[512];
  snprintf (text, sizeof text, "%s %s at %.300s is %s",
            store ? "release" : "acquire",
            event->kind == OMEN_ATOMIC_RMW ? "read-modify-write"
            : store                        ? "store"
                                           : "load",
            *location ? location : omen_trace_event_name (m->trace, weak, name),
            event->order == OMEN_ORDER_RELAXED   ? "relaxed"
            : event->order == OMEN_ORDER_ACQUIRE ? "only acquire"
                                                 : "only release");
  return omen_strdup (text);
}

/* Which access is too weak to synchronise, where the path leads over an atom;
   NULL if none is. */
static char *
weak_step (const omen_model *m, omen_eid write, omen_eid read, bool acquire,
           bool release)
{
  const omen_event *store = omen_model_event (m, write);
  const omen_event *load = omen_model_event (m, read);
  if (!omen_kind_atomic (load->kind))
    return NULL;
  if (release && omen_kind_atomic (store->kind)
      && !omen_order_releases (store->order))
    return weak_sentence (m, write, true);
  return acquire && !omen_order_acquires (load->order)
             ? weak_sentence (m, read, false)
             : NULL;
}

/* Walk as if every atomic acquired, or released: the last step of that path
   over an access that does not is the reason. */
static char *
note_if (const omen_model *model, const omen_ids *sequence, omen_eid a,
         omen_eid b, bool acquire, bool release)
{
  omen_colour *colour = omen_colour_new (model, 0);
  const omen_cause *causes;
  uint32_t place = 0;
  char *note = NULL;
  omen_colour_strengthen (colour, acquire, release);
  omen_colour_walk (colour, sequence, a, b);
  causes = omen_colour_causes (colour);
  while (place < sequence->count && sequence->data[place] != b)
    place++;
  OMEN_REQUIRE (place < sequence->count);
  while (!note && causes[place].tie != OMEN_TIE_NONE
         && sequence->data[place] != a) {
    if (causes[place].tie == OMEN_TIE_ATOM)
      note = weak_step (model, sequence->data[causes[place].from],
                        causes[place].read, acquire, release);
    place = causes[place].from;
  }
  omen_colour_free (colour);
  return note;
}

/* If strengthening one side alone orders them, that side is the reason. */
char *
omen_order_race_note (const omen_model *model, const omen_ids *sequence,
                      omen_eid a, omen_eid b)
{
  char *note = note_if (model, sequence, a, b, true, false);
  if (!note)
    note = note_if (model, sequence, a, b, false, true);
  return note ? note : note_if (model, sequence, a, b, true, true);
}
