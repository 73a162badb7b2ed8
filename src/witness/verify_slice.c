/* TRUSTED. Relevant events under model sliced: the claimed ones, all
   synchronisation of σ, and what these depend on, to a fixed point. */
#include "witness/verify_state.h"

/* A write of σ in the list of the writes of an atom. */
typedef struct link {
  omen_eid write;
  uint32_t next; /* or OMEN_NONE */
} link;

typedef struct writes {
  uint64_t epoch;
  uint32_t head; /* in links, or OMEN_NONE: none, or all marked already */
} writes;

struct omen_slice {
  uint8_t *relevant; /* by event */
  writes *writes;    /* by atom */
  OMEN_VEC (link) links;
  omen_ids marked;  /* the relevant events, in the order they were found */
  omen_eid *inside; /* by event: opening of the innermost block around it, or
                       OMEN_NONE; outer blocks are those around the opening */
};

static bool
ends (const omen_event *end, const omen_event *open)
{
  return end->object == open->object
         && end->kind == (open->kind == OMEN_BEGIN ? OMEN_END : OMEN_EXIT);
}

/* Remove from the list the innermost open begin that the end closes. */
static void
close_block (const omen_trace *trace, omen_ids *open, const omen_event *end)
{
  size_t i = open->count;
  while (i > 0 && !ends (end, omen_trace_event (trace, open->data[i - 1])))
    i--;
  for (; i > 0 && i < open->count; i++)
    open->data[i - 1] = open->data[i];
  if (i > 0)
    open->count--;
}

static void
find_inside (const omen_trace *trace, omen_tid t, omen_eid *inside)
{
  omen_ids open = { 0 };
  for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    const omen_event *event = omen_trace_event (trace, e);
    if (event->kind == OMEN_END || event->kind == OMEN_EXIT)
      close_block (trace, &open, event);
    inside[e] = open.count ? OMEN_VEC_LAST (open) : OMEN_NONE;
    if (event->kind == OMEN_BEGIN || event->kind == OMEN_ENTER)
      OMEN_VEC_PUSH (open, e);
  }
  OMEN_VEC_FINI (open);
}

static struct omen_slice *
slice_of (omen_verifier *v)
{
  if (!v->slice) {
    v->slice = omen_zalloc (1, sizeof *v->slice);
    v->slice->relevant = omen_zalloc (v->trace->events.count + 1, 1);
    v->slice->writes
        = omen_zalloc (v->facts.atoms.count + 1, sizeof *v->slice->writes);
    v->slice->inside
        = omen_alloc ((v->trace->events.count + 1) * sizeof *v->slice->inside);
    for (omen_tid t = 0; t < v->trace->threads.count; t++)
      find_inside (v->trace, t, v->slice->inside);
  }
  return v->slice;
}

void
omen_slice_free (struct omen_slice *slice)
{
  if (!slice)
    return;
  omen_free (slice->relevant);
  omen_free (slice->writes);
  omen_free (slice->inside);
  OMEN_VEC_FINI (slice->links);
  OMEN_VEC_FINI (slice->marked);
  omen_free (slice);
}

static void
mark_event (struct omen_slice *slice, omen_eid e)
{
  OMEN_ASSERT (slice->relevant[e] <= 1);
  if (slice->relevant[e])
    return;
  slice->relevant[e] = 1;
  OMEN_VEC_PUSH (slice->marked, e);
}

static uint32_t *
head_of (omen_verifier *v, uint32_t a)
{
  writes *w = &v->slice->writes[a];
  if (w->epoch != v->epoch)
    *w = (writes){ v->epoch, OMEN_NONE };
  return &w->head;
}

static void
list_writes (omen_verifier *v)
{
  struct omen_slice *slice = v->slice;
  const omen_ids *sequence = &v->witness->sequence;
  for (size_t i = 0; i < sequence->count; i++) {
    omen_eid e = sequence->data[i];
    const omen_event *event = omen_trace_event (v->trace, e);
    if (!omen_kind_writes (event->kind))
      continue;
    for (uint32_t a = v->facts.place_first[event->object];
         a < v->facts.place_end[event->object]; a++) {
      uint32_t *head = head_of (v, a);
      OMEN_ASSERT (slice->links.count < OMEN_NONE - 1);
      OMEN_VEC_PUSH (slice->links, ((link){ e, *head }));
      *head = (uint32_t)slice->links.count - 1;
    }
  }
}

/* Once all writes of an atom are marked its list is not needed again. */
static void
mark_writes (omen_verifier *v, omen_eid read)
{
  uint32_t place = omen_trace_event (v->trace, read)->object;
  OMEN_ASSERT (omen_kind_reads (omen_trace_event (v->trace, read)->kind));
  for (uint32_t a = v->facts.place_first[place]; a < v->facts.place_end[place];
       a++) {
    uint32_t *head = head_of (v, a);
    for (; *head != OMEN_NONE; *head = v->slice->links.data[*head].next)
      mark_event (v->slice, v->slice->links.data[*head].write);
  }
}

static void
mark_dependences (omen_verifier *v, omen_eid e)
{
  const omen_trace *trace = v->trace;
  const omen_extra *x = omen_trace_extra (trace, e);
  omen_tid t = omen_trace_event (trace, e)->thread;
  if (!x)
    return;
  OMEN_ASSERT (x->event == e);
  for (uint32_t i = 0; i < x->reads; i++)
    mark_event (
        v->slice,
        omen_trace_nth (trace, t, trace->dependences.data[x->first_read + i]));
  if (x->branch != OMEN_NONE)
    mark_event (v->slice, omen_trace_nth (trace, t, x->branch));
}

/* The reads of a joined thread: whether it ends depends on them. */
static void
mark_reads_of (omen_verifier *v, omen_tid t)
{
  for (uint32_t i = 0; i < v->trace->threads.data[t].count; i++) {
    omen_eid e = omen_trace_nth (v->trace, t, i);
    if (omen_kind_reads (omen_trace_event (v->trace, e)->kind))
      mark_event (v->slice, e);
  }
}

static void
mark_needed (omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  mark_dependences (v, e);
  if (v->slice->inside[e] != OMEN_NONE)
    mark_event (v->slice, v->slice->inside[e]);
  if (omen_kind_reads (event->kind))
    mark_writes (v, e);
  if (event->kind == OMEN_JOIN)
    mark_reads_of (v, event->object);
}

void
omen_slice_begin (omen_verifier *v)
{
  struct omen_slice *slice;
  const omen_ids *claimed = &v->witness->claim.events;
  const omen_ids *sequence = &v->witness->sequence;
  if (v->witness->model != OMEN_MODEL_SLICED || !v->facts.dependences)
    return;
  slice = slice_of (v);
  OMEN_ASSERT (slice->marked.count == 0);
  OMEN_VEC_CLEAR (slice->links);
  list_writes (v);
  for (size_t i = 0; i < claimed->count; i++)
    if (claimed->data[i] != OMEN_NONE)
      mark_event (slice, claimed->data[i]);
  for (size_t i = 0; i < sequence->count; i++)
    if (omen_kind_class (omen_trace_event (v->trace, sequence->data[i])->kind)
        == OMEN_CLASS_SYNC)
      mark_event (slice, sequence->data[i]);
  for (size_t i = 0; i < slice->marked.count; i++)
    mark_needed (v, slice->marked.data[i]);
}

bool
omen_slice_relevant (const omen_verifier *v, omen_eid e)
{
  return v->witness->model != OMEN_MODEL_SLICED || !v->facts.dependences
         || v->slice->relevant[e];
}

void
omen_slice_end (omen_verifier *v)
{
  if (!v->slice)
    return;
  OMEN_ASSERT (v->slice->marked.count <= v->trace->events.count);
  for (size_t i = 0; i < v->slice->marked.count; i++)
    v->slice->relevant[v->slice->marked.data[i]] = 0;
  OMEN_VEC_CLEAR (v->slice->marked);
}
