#include "driver/reorder.h"
#include "base/map.h"

#include <string.h>

/* Memory is tracked in pieces of this size; an access to more pieces than this
   counts as one to the whole variable. */
#define PIECE_BITS 2
#define PIECES_MOST 16u

/* A use of a thing by an event: exclusive (alone) or shared. */
typedef struct use {
  uint32_t thing;
  bool alone;
  uint32_t alones, shares; /* number of exclusive and shared uses before it */
} use;

/* Something that orders its users: the number of uses so far, and whether a
   later event that is kept uses it exclusively or shared. */
typedef struct thing {
  bool is_memory;
  uint32_t alones, shares;
  bool wanted_alone, wanted_shared;
} thing;

/* An event of the sequence. */
typedef struct step {
  omen_eid event;
  omen_tid thread;
  size_t first_use;
  bool stays;
} step;

typedef struct reordering {
  const omen_trace *trace;
  omen_map ids; /* key -> index in things */
  OMEN_VEC (thing) things;
  OMEN_VEC (use) uses;
  OMEN_VEC (step) steps; /* with an end marker */
  size_t *first, *last;  /* by thread: its first and last step, + 1; 0: none */
} reordering;

/* ---- what events use ---- */

enum { THING_PIECE = OMEN_OPERANDS, THING_CLAIM, THING_KINDS };

static void
add_use (reordering *r, unsigned kind, uint32_t a, uint32_t b, bool alone)
{
  uint64_t key = (uint64_t)a * THING_KINDS + kind;
  key = (key << 24) ^ ((uint64_t)b * UINT64_C (0x9e3779b97f4a7c15));
  uint32_t *id = omen_map_at (&r->ids, key == OMEN_MAP_NO_KEY ? 0 : key);
  if (*id == OMEN_NONE) {
    *id = (uint32_t)r->things.count;
    OMEN_VEC_PUSH (r->things, ((thing){ .is_memory = kind == THING_PIECE }));
  }
  OMEN_VEC_PUSH (r->uses, ((use){ .thing = *id, .alone = alone }));
}

static bool
kind_reads (unsigned kind)
{
  return kind == OMEN_READ || kind == OMEN_ATOMIC_READ
         || kind == OMEN_ATOMIC_RMW;
}

static bool
kind_writes (unsigned kind)
{
  return kind != OMEN_READ && kind != OMEN_ATOMIC_READ;
}

/* An access uses its pieces of a variable, and the variable shared; large
   accesses, alloc and free use the variable exclusively. */
static void
use_memory (reordering *r, const omen_event *event)
{
  const omen_place *place = &r->trace->places.data[event->object];
  uint32_t from = place->offset >> PIECE_BITS, to;
  bool all = place->size == OMEN_WHOLE
             || omen_kind_operand (event->kind) == OMEN_OPERAND_VARIABLE;
  to = all ? from : (place->offset + place->size - 1) >> PIECE_BITS;
  all |= to - from >= PIECES_MOST;
  add_use (r, OMEN_OPERAND_VARIABLE, place->variable, 0, all);
  for (uint32_t piece = from; !all && piece <= to; piece++) {
    if (kind_reads (event->kind))
      add_use (r, THING_PIECE, place->variable, piece, false);
    if (kind_writes (event->kind))
      add_use (r, THING_PIECE, place->variable, piece, true);
  }
}

static void
use_all (reordering *r, const omen_event *event)
{
  omen_operand operand = omen_kind_operand (event->kind);
  switch (operand) {
  case OMEN_OPERAND_PLACE:
  case OMEN_OPERAND_VARIABLE:
    use_memory (r, event);
    break;
  case OMEN_OPERAND_NOTHING:
  case OMEN_OPERAND_BLOCK:
  case OMEN_OPERAND_FUNCTION:
  case OMEN_OPERAND_SIGNAL:
    break;
  default:
    if (event->kind != OMEN_REQUEST)
      add_use (r, operand, event->object, 0, true);
    if ((event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
        && event->value != OMEN_NONE)
      add_use (r, OMEN_OPERAND_LOCK, (uint32_t)event->value, 0, true);
    break;
  }
}

static bool
is_claimed (const omen_claim *claim, omen_eid e)
{
  for (size_t i = 0; i < claim->events.count; i++)
    if (claim->events.data[i] == e)
      return true;
  return false;
}

static void
list_steps (reordering *r, const omen_witness *witness)
{
  const omen_ids *sequence = &witness->sequence;
  for (size_t i = 0; i < sequence->count; i++) {
    omen_tid t = omen_trace_event (r->trace, sequence->data[i])->thread;
    r->last[t] = i + 1;
    if (!r->first[t])
      r->first[t] = i + 1;
  }
  for (size_t i = 0; i < sequence->count; i++) {
    omen_eid e = sequence->data[i];
    const omen_event *event = omen_trace_event (r->trace, e);
    omen_tid t = event->thread;
    OMEN_VEC_PUSH (r->steps, ((step){ e, t, r->uses.count, true }));
    use_all (r, event);
    if (r->first[t] == i + 1 || r->last[t] == i + 1) /* for fork, join */
      add_use (r, OMEN_OPERAND_THREAD, t, 0, true);
    if (is_claimed (&witness->claim, e))
      add_use (r, THING_CLAIM, 0, 0, true);
  }
  OMEN_VEC_PUSH (r->steps, ((step){ .first_use = r->uses.count }));
}

/* ---- what may be left out ---- */

/* A write of memory does not depend on earlier accesses. */
static bool
is_wanted_step (const reordering *r, const step *s)
{
  for (size_t u = s[0].first_use; u < s[1].first_use; u++) {
    const thing *t = &r->things.data[r->uses.data[u].thing];
    if ((r->uses.data[u].alone && t->wanted_shared)
        || (!t->is_memory && t->wanted_alone))
      return true;
  }
  return false;
}

/* Keep the claimed events and those before them in their threads, and what
   these depend on. */
static void
leave_out (reordering *r, const omen_claim *claim)
{
  size_t *until = omen_zalloc (r->trace->threads.count, sizeof *until);
  bool *goes_on = omen_zalloc (r->trace->threads.count, sizeof *goes_on);
  for (size_t i = 0; i < claim->events.count; i++)
    if (claim->events.data[i] != OMEN_NONE) {
      omen_eid e = claim->events.data[i];
      omen_tid t = omen_trace_event (r->trace, e)->thread;
      if (until[t] < (size_t)r->trace->index[e] + 1)
        until[t] = (size_t)r->trace->index[e] + 1;
    }
  for (size_t i = r->steps.count - 1; i-- > 0;) {
    step *s = &r->steps.data[i];
    s->stays = goes_on[s->thread]
               || r->trace->index[s->event] < until[s->thread]
               || is_wanted_step (r, s);
    if (s->stays) {
      for (size_t u = s[0].first_use; u < s[1].first_use; u++) {
        thing *t = &r->things.data[r->uses.data[u].thing];
        *(r->uses.data[u].alone ? &t->wanted_alone : &t->wanted_shared) = true;
      }
    }
    goes_on[s->thread] = s->stays;
  }
  omen_free (until);
  omen_free (goes_on);
}

/* ---- the new order ---- */

static void
count_uses (reordering *r)
{
  for (size_t i = 0; i + 1 < r->steps.count; i++)
    for (size_t u = r->steps.data[i].first_use;
         r->steps.data[i].stays && u < r->steps.data[i + 1].first_use; u++) {
      thing *t = &r->things.data[r->uses.data[u].thing];
      r->uses.data[u].alones = t->alones;
      r->uses.data[u].shares = t->shares;
      *(r->uses.data[u].alone ? &t->alones : &t->shares) += 1;
    }
  for (size_t i = 0; i < r->things.count; i++)
    r->things.data[i].alones = r->things.data[i].shares = 0;
}

/* Is the step enabled? If so, count its uses. An event may use a thing twice,
   for a read and a write: the second use is counted relative to the first. */
static bool
is_ready (reordering *r, const step *s)
{
  bool ready = true;
  size_t u = s[0].first_use, done;
  for (; ready && u < s[1].first_use; u++) {
    thing *t = &r->things.data[r->uses.data[u].thing];
    ready = t->alones == r->uses.data[u].alones
            && (!r->uses.data[u].alone || t->shares == r->uses.data[u].shares);
    if (ready)
      *(r->uses.data[u].alone ? &t->alones : &t->shares) += 1;
  }
  done = ready ? u : u - 1;
  for (size_t k = s[0].first_use; !ready && k < done; k++) {
    thing *t = &r->things.data[r->uses.data[k].thing];
    *(r->uses.data[k].alone ? &t->alones : &t->shares) -= 1;
  }
  return ready;
}

/* The thread with the earliest next step among those that are enabled. */
static omen_tid
choose_thread (reordering *r, const size_t *next)
{
  omen_tid count = (omen_tid)r->trace->threads.count, best;
  size_t after = 0;
  for (;;) {
    best = count;
    for (omen_tid t = 0; t < count; t++)
      if (next[t] > after && (best == count || next[t] < next[best]))
        best = t;
    if (best == count || is_ready (r, &r->steps.data[next[best] - 1]))
      return best;
    after = next[best];
  }
}

static void
write_steps (reordering *r, omen_ids *out)
{
  omen_tid count = (omen_tid)r->trace->threads.count, t;
  size_t *next = omen_zalloc (count, sizeof *next);
  size_t *after = omen_zalloc (r->steps.count, sizeof *after);
  /* by thread: its next step, + 1; 0: none */
  for (size_t i = r->steps.count - 1; i-- > 0;)
    if (r->steps.data[i].stays) {
      after[i] = next[r->steps.data[i].thread];
      next[r->steps.data[i].thread] = i + 1;
    }
  while ((t = choose_thread (r, next)) != count)
    do {
      OMEN_VEC_PUSH (*out, r->steps.data[next[t] - 1].event);
      next[t] = after[next[t] - 1];
    } while (next[t] && is_ready (r, &r->steps.data[next[t] - 1]));
  omen_free (next);
  omen_free (after);
}

void
omen_reorder (const omen_trace *trace, const omen_witness *witness,
              bool needed_only, omen_ids *out)
{
  reordering r = { .trace = trace };
  omen_map_init (&r.ids);
  r.first = omen_zalloc (trace->threads.count + 1, sizeof *r.first);
  r.last = omen_zalloc (trace->threads.count + 1, sizeof *r.last);
  OMEN_VEC_CLEAR (*out);
  list_steps (&r, witness);
  if (needed_only)
    leave_out (&r, &witness->claim);
  count_uses (&r);
  write_steps (&r, out);
  omen_map_fini (&r.ids);
  OMEN_VEC_FINI (r.things);
  OMEN_VEC_FINI (r.uses);
  OMEN_VEC_FINI (r.steps);
  omen_free (r.first);
  omen_free (r.last);
}
