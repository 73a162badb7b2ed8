/* TRUSTED. Synchronised order of section 4: does a path lead from a to b?

   All edges go forward in σ, so one walk over σ finds what a reaches. An event
   is reached if the event before it in its thread is, or the source of an edge
   into it. Hence the reached events of a thread are a suffix of it, and one
   index per thread decides for any event. Where there can be many sources (ends
   of critical sections, arrivals, …) one mark is kept: the epoch in which it
   was set. */
#include "witness/verify_state.h"

typedef struct reached_from {
  uint64_t epoch;
  uint32_t index; /* events of the thread from here on are reached */
} reached_from;

/* Ups and downs since the last seminit. */
typedef struct reach_semaphore {
  uint64_t epoch, count, downs;
  bool touched; /* by a reached operation, ever */
  omen_eid init;
  omen_ids ups;
} reach_semaphore;

/* A thread that heads a release sequence to which the last write of the atom
   belongs, if the head is reached. */
typedef struct head {
  omen_tid thread;
  uint32_t next; /* or OMEN_NONE */
} head;

typedef struct reach_atom {
  uint64_t epoch;
  omen_eid writer;
  uint32_t heads; /* or OMEN_NONE */
  bool touched;   /* by a reached access */
  bool changed;   /* by a reached ext */
} reach_atom;

struct omen_reach {
  reached_from *threads;
  uint64_t *write_ends,
      *read_ends;  /* by lock: a reached section of the mode has ended */
  uint64_t *turns; /* by lock: an operation, if irregular */
  uint64_t *rounds, *objects; /* an arrival; an hb */
  uint64_t *fenced;           /* by thread: a release fence */
  uint64_t *pending; /* by thread: read of a reached release sequence */
  reach_semaphore *semaphores;
  reach_atom *atoms;
  OMEN_VEC (head) heads;
  size_t service;    /* next of v->services */
  omen_eid from, to; /* the path that is looked for */
};

static struct omen_reach *
reach_of (omen_verifier *v)
{
  const omen_names *names = v->trace->names;
  size_t threads = v->trace->threads.count + 1;
  size_t locks = names[OMEN_OPERAND_LOCK].count + 1;
  struct omen_reach *r = v->reach;
  if (r)
    return r;
  v->reach = r = omen_zalloc (1, sizeof *r);
  r->threads = omen_zalloc (threads, sizeof *r->threads);
  r->fenced = omen_zalloc (threads, sizeof *r->fenced);
  r->pending = omen_zalloc (threads, sizeof *r->pending);
  r->write_ends = omen_zalloc (locks, sizeof *r->write_ends);
  r->read_ends = omen_zalloc (locks, sizeof *r->read_ends);
  r->turns = omen_zalloc (locks, sizeof *r->turns);
  r->rounds = omen_zalloc (v->facts.rounds.count + 1, sizeof *r->rounds);
  r->objects
      = omen_zalloc (names[OMEN_OPERAND_OBJECT].count + 1, sizeof *r->objects);
  r->semaphores = omen_zalloc (names[OMEN_OPERAND_SEMAPHORE].count + 1,
                               sizeof *r->semaphores);
  r->atoms = omen_zalloc (v->facts.atoms.count + 1, sizeof *r->atoms);
  return r;
}

void
omen_reach_free (struct omen_reach *r, const omen_trace *trace)
{
  if (!r)
    return;
  for (size_t s = 0; s < trace->names[OMEN_OPERAND_SEMAPHORE].count; s++)
    OMEN_VEC_FINI (r->semaphores[s].ups);
  omen_free (r->threads);
  omen_free (r->fenced);
  omen_free (r->pending);
  omen_free (r->write_ends);
  omen_free (r->read_ends);
  omen_free (r->turns);
  omen_free (r->rounds);
  omen_free (r->objects);
  omen_free (r->semaphores);
  omen_free (r->atoms);
  OMEN_VEC_FINI (r->heads);
  omen_free (r);
}

static bool
is_reached (const omen_verifier *v, omen_eid e)
{
  const reached_from *from
      = &v->reach->threads[omen_trace_event (v->trace, e)->thread];
  return from->epoch == v->epoch && v->trace->index[e] >= from->index;
}

static reach_semaphore *
semaphore_of (omen_verifier *v, uint32_t id)
{
  reach_semaphore *s = &v->reach->semaphores[id];
  if (s->epoch != v->epoch) {
    s->epoch = v->epoch;
    s->count = v->facts.count[id];
    s->downs = 0;
    s->touched = false;
    s->init = OMEN_NONE;
    OMEN_VEC_CLEAR (s->ups);
  }
  return s;
}

static reach_atom *
atom_of (omen_verifier *v, uint32_t a)
{
  reach_atom *s = &v->reach->atoms[a];
  OMEN_ASSERT (a < v->facts.atoms.count);
  if (s->epoch != v->epoch)
    *s = (reach_atom){ v->epoch, OMEN_NONE, OMEN_NONE, false, false };
  return s;
}

static bool
acquires (const omen_event *event)
{
  return event->order == OMEN_ORDER_SC || event->order == OMEN_ORDER_ACQUIRE
         || event->order == OMEN_ORDER_ACQ_REL;
}

static bool
releases (const omen_event *event)
{
  return event->order == OMEN_ORDER_SC || event->order == OMEN_ORDER_RELEASE
         || event->order == OMEN_ORDER_ACQ_REL;
}

/* ---- edges into e ---- */
static bool
into_lock (const omen_verifier *v, omen_eid e, omen_lid lock)
{
  const struct omen_reach *r = v->reach;
  unsigned kind = omen_trace_event (v->trace, e)->kind;
  OMEN_ASSERT (lock < v->trace->names[OMEN_OPERAND_LOCK].count);
  if (kind == OMEN_TRY_FAIL || kind == OMEN_READ_TRY_FAIL)
    return false;
  if (v->facts.irregular[lock])
    return r->turns[lock] == v->epoch;
  if (v->facts.flags[e] & OMEN_FACT_NESTED)
    return false;
  if (kind == OMEN_READ_ACQUIRE)
    return r->write_ends[lock] == v->epoch;
  return (kind == OMEN_ACQUIRE || kind == OMEN_WAKE)
         && (r->write_ends[lock] == v->epoch || r->read_ends[lock] == v->epoch);
}

/* A thread without events ran nonetheless, between fork and join. */
static bool
into_join (const omen_verifier *v, omen_tid child)
{
  uint32_t count = v->trace->threads.data[child].count;
  omen_eid fork = v->facts.fork[child];
  if (count)
    return is_reached (v, omen_trace_nth (v->trace, child, count - 1));
  return fork != OMEN_NONE && is_reached (v, fork);
}

/* The (n+k)-th down comes after the k-th up. */
static bool
into_semaphore (omen_verifier *v, const omen_event *event)
{
  const reach_semaphore *s = semaphore_of (v, event->object);
  uint64_t down = s->downs + 1;
  OMEN_ASSERT (s->init == OMEN_NONE
               || omen_trace_event (v->trace, s->init)->kind == OMEN_SEM_INIT);
  if (event->kind == OMEN_SEM_INIT)
    return s->touched;
  if (s->init != OMEN_NONE && is_reached (v, s->init))
    return true;
  if (event->kind != OMEN_SEM_DOWN || down <= s->count)
    return false;
  OMEN_ASSERT (down - s->count <= s->ups.count);
  return is_reached (v, s->ups.data[down - s->count - 1]);
}

/* alloc before every access; ext keeps its place; w before the r that sees it
   (except the two events in question themselves); release sequences before
   acquire reads. */
static bool
into_access (omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_eid alloc
      = v->facts.alloc[v->trace->places.data[event->object].variable];
  bool sequence = false, plain = false, place = false;
  if (alloc != OMEN_NONE && alloc != e && is_reached (v, alloc))
    return true;
  for (uint32_t a = v->facts.place_first[event->object];
       a < v->facts.place_end[event->object]; a++) {
    const reach_atom *s = atom_of (v, a);
    sequence |= s->heads != OMEN_NONE;
    place |= s->changed || (s->touched && event->kind == OMEN_EXTERNAL);
    if (s->writer == OMEN_NONE || !is_reached (v, s->writer)
        || (s->writer == v->reach->from && e == v->reach->to))
      continue;
    plain |= omen_trace_event (v->trace, s->writer)->kind == OMEN_WRITE;
  }
  if (event->kind == OMEN_READ)
    return plain || place;
  if (!omen_kind_atomic (event->kind) || !omen_kind_reads (event->kind))
    return place;
  if (sequence)
    v->reach->pending[event->thread] = v->epoch;
  return place || (sequence && acquires (event));
}

static bool
into_arrival (const omen_verifier *v, omen_eid e)
{
  uint32_t before = v->facts.rounds.data[v->facts.number[e]].before;
  return before != OMEN_NONE && v->reach->rounds[before] == v->epoch;
}

static bool
into_kind (omen_verifier *v, omen_eid e)
{
  const struct omen_reach *r = v->reach;
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_lid lock = omen_facts_lock (v->trace, e);
  if (lock != OMEN_NONE)
    return into_lock (v, e, lock);
  if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS)
    return into_access (v, e);
  switch (event->kind) {
  case OMEN_JOIN:
    return into_join (v, event->object);
  case OMEN_SEM_INIT:
  case OMEN_SEM_UP:
  case OMEN_SEM_DOWN:
  case OMEN_SEM_FAIL:
    return into_semaphore (v, event);
  case OMEN_ARRIVE:
    return into_arrival (v, e);
  case OMEN_DEPART:
    return r->rounds[v->facts.number[e]] == v->epoch;
  case OMEN_HAPPENS_AFTER:
    return r->objects[event->object] == v->epoch;
  case OMEN_FENCE:
    return acquires (event) && r->pending[event->thread] == v->epoch;
  default:
    return false;
  }
}

static bool
edge_into (omen_verifier *v, omen_eid e)
{
  omen_tid t = omen_trace_event (v->trace, e)->thread;
  bool in = into_kind (v, e);
  if (v->trace->index[e] == 0 && v->facts.fork[t] != OMEN_NONE)
    in |= is_reached (v, v->facts.fork[t]);
  if (v->facts.flags[e] & OMEN_FACT_RETURN) {
    const omen_service *service = &v->services.data[v->reach->service++];
    OMEN_ASSERT (v->reach->service <= v->services.count);
    OMEN_ASSERT (service->returned == e);
    in |= is_reached (v, service->notify);
  }
  return in;
}

/* ---- e as a source of later edges ---- */
static void
from_lock (omen_verifier *v, omen_eid e, omen_lid lock)
{
  struct omen_reach *r = v->reach;
  unsigned kind = omen_trace_event (v->trace, e)->kind;
  if (!is_reached (v, e) || kind == OMEN_TRY_FAIL || kind == OMEN_READ_TRY_FAIL)
    return;
  if (v->facts.irregular[lock])
    r->turns[lock] = v->epoch;
  else if (v->facts.flags[e] & OMEN_FACT_NESTED)
    return;
  else if (kind == OMEN_RELEASE || kind == OMEN_WAIT)
    r->write_ends[lock] = v->epoch;
  else if (kind == OMEN_READ_RELEASE)
    r->read_ends[lock] = v->epoch;
}

static void
from_semaphore (omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  reach_semaphore *s = semaphore_of (v, event->object);
  if (event->kind == OMEN_SEM_INIT) {
    s->init = e;
    s->count = event->value;
    s->downs = 0;
    OMEN_VEC_CLEAR (s->ups);
  }
  s->downs += event->kind == OMEN_SEM_DOWN;
  s->touched |= is_reached (v, e);
  if (event->kind == OMEN_SEM_UP)
    OMEN_VEC_PUSH (s->ups, e);
}

static bool
heads_sequence (const omen_verifier *v, const reach_atom *s, omen_tid t)
{
  for (uint32_t h = s->heads; h != OMEN_NONE; h = v->reach->heads.data[h].next)
    if (v->reach->heads.data[h].thread == t)
      return true;
  return false;
}

static void
add_head (omen_verifier *v, reach_atom *s, omen_tid t)
{
  OMEN_ASSERT (!heads_sequence (v, s, t));
  OMEN_VEC_PUSH (v->reach->heads, ((head){ t, s->heads }));
  s->heads = (uint32_t)v->reach->heads.count - 1;
}

/* An rmw continues every release sequence of the atom, another atomic write
   those of its thread, any other write none. */
static void
from_write (omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_tid t = event->thread;
  bool atomic = omen_kind_atomic (event->kind);
  bool heads = atomic
               && ((releases (event) && is_reached (v, e))
                   || v->reach->fenced[t] == v->epoch);
  for (uint32_t a = v->facts.place_first[event->object];
       a < v->facts.place_end[event->object]; a++) {
    reach_atom *s = atom_of (v, a);
    bool own = heads_sequence (v, s, t);
    s->writer = e;
    if (event->kind != OMEN_ATOMIC_RMW) {
      s->heads = OMEN_NONE;
      if (atomic && own)
        add_head (v, s, t);
    }
    if (heads && !heads_sequence (v, s, t))
      add_head (v, s, t);
  }
}

static void
from_access (omen_verifier *v, const omen_event *event)
{
  for (uint32_t a = v->facts.place_first[event->object];
       a < v->facts.place_end[event->object]; a++) {
    reach_atom *s = atom_of (v, a);
    s->touched = true;
    s->changed |= event->kind == OMEN_EXTERNAL;
  }
}

static void
from_event (omen_verifier *v, omen_eid e)
{
  struct omen_reach *r = v->reach;
  const omen_event *event = omen_trace_event (v->trace, e);
  omen_lid lock = omen_facts_lock (v->trace, e);
  if (lock != OMEN_NONE)
    from_lock (v, e, lock);
  if (omen_kind_operand (event->kind) == OMEN_OPERAND_SEMAPHORE
      && event->kind != OMEN_SEM_REQUEST)
    from_semaphore (v, e);
  if (omen_kind_writes (event->kind))
    from_write (v, e);
  if (!is_reached (v, e))
    return;
  if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS)
    from_access (v, event);
  if (event->kind == OMEN_ARRIVE)
    r->rounds[v->facts.number[e]] = v->epoch;
  if (event->kind == OMEN_HAPPENS_BEFORE)
    r->objects[event->object] = v->epoch;
  if (event->kind == OMEN_FENCE && releases (event))
    r->fenced[event->thread] = v->epoch;
}

bool
omen_order_path (omen_verifier *v, omen_eid a, omen_eid b)
{
  struct omen_reach *r = reach_of (v);
  const omen_ids *sequence = &v->witness->sequence;
  bool begun = false;
  OMEN_ASSERT (omen_state_has (v, a) && omen_state_has (v, b) && a != b);
  OMEN_VEC_CLEAR (r->heads);
  r->service = 0;
  r->from = a;
  r->to = b;
  for (size_t i = 0; i < sequence->count; i++) {
    omen_eid e = sequence->data[i];
    omen_tid t = omen_trace_event (v->trace, e)->thread;
    bool edge = edge_into (v, e) || e == a;
    begun |= e == a;
    OMEN_ASSERT (begun || !is_reached (v, e));
    if (edge && !is_reached (v, e))
      r->threads[t] = (reached_from){ v->epoch, v->trace->index[e] };
    if (e == b)
      return is_reached (v, b);
    from_event (v, e);
  }
  OMEN_ASSERT (!"b is in the sequence");
  return true;
}
