#include "oracle.h"
#include "candidates.h"
#include "enumerate.h"
#include "order.h"

#include <stdio.h>
#include <string.h>

/* ---- making one ---- */
/* The trace itself must be one of its reorderings. */
static bool
check_trace (const facts *f, omen_err *err)
{
  machine m;
  state s, to;
  machine_init (&m, f, OMEN_MODEL_RF);
  machine_start (&m, &s);
  for (unsigned k = 0; k < f->count; k++) {
    unsigned e = f->order[k];
    if (!machine_enabled (&m, &s, e) || !machine_step (&m, &s, e, &to)
        || to.BROKEN)
      return omen_err_set (err, "oracle", "event %u cannot be there", e);
    memcpy (s.word, to.word, m.words * sizeof (uint64_t));
  }
  return true;
}

static void
fill_batch (oracle *o, batch *b)
{
  oracle_claims asked = { 0 };
  for (size_t i = 0; i < o->request.pattern_count; i++)
    batch_add (b, &o->facts, &o->request.patterns[i]);
  if (o->request.claims & ORACLE_ATOMICITY)
    candidates (&o->facts, OMEN_CLAIM_ATOMICITY, &asked);
  if (o->request.claims & ORACLE_NONDET)
    candidates (&o->facts, OMEN_CLAIM_NONDET, &asked);
  for (size_t i = 0; i < asked.count; i++)
    if (asked.data[i].kind != OMEN_CLAIM_NONDET
        || asked.data[i].word == OMEN_CRW) /* the walk sees the others */
      batch_add (b, &o->facts, &asked.data[i]);
  batch_close (b, &o->facts);
  OMEN_VEC_FINI (asked);
}

/* The parts of a claim come one after the other. */
static bool
is_noted (const oracle *o, const oracle_claim *claim)
{
  const oracle_claim *last
      = o->claims.count ? &OMEN_VEC_LAST (o->claims) : NULL;
  return last && last->kind == OMEN_CLAIM_ATOMICITY && claim->kind == last->kind
         && !memcmp (last->events, claim->events, 6 * sizeof (omen_eid));
}

static void
note_answer (oracle *o, const oracle_claim *claim)
{
  omen_eid c = claim->events[1];
  if (claim->kind == OMEN_CLAIM_NONDET)
    o->nondet[claim->events[0]][c == OMEN_NONE ? 0 : c + 1] |= 1 << OMEN_CRW;
  else if (!is_noted (o, claim)) {
    OMEN_VEC_PUSH (o->claims, *claim);
    o->violated |= ONE (claim->events[0]);
  }
}

static void
read_batch (oracle *o, const batch *b)
{
  o->patterns = omen_zalloc (o->request.pattern_count + 1, sizeof (bool));
  for (size_t i = 0; i < b->claims.count; i++)
    if (i < o->request.pattern_count)
      o->patterns[i] = batch_answer (b, i);
    else if (batch_answer (b, i))
      note_answer (o, &b->claims.data[i]);
}

static void
find_race_orders (oracle *o)
{
  const facts *f = &o->facts;
  for (unsigned a = 0; a < f->count; a++) {
    event_set targets = 0;
    for (unsigned b = 0; b < f->count; b++)
      if (facts_can_race (f, a, b))
        targets |= ONE (b);
    if (targets)
      o->race_order[a] = order_search (&o->machine, a, targets, NULL);
  }
}

static void
list_pairs (oracle *o)
{
  for (unsigned a = 0; a < o->facts.count; a++)
    for (unsigned b = 0; b < o->facts.count; b++) {
      if (a < b && HAS (o->race[a], b))
        OMEN_VEC_PUSH (o->claims,
                       ((oracle_claim){ OMEN_CLAIM_RACE, 0, 2, { a, b } }));
      if (HAS (o->race_order[a], b))
        OMEN_VEC_PUSH (o->claims, ((oracle_claim){
                                      OMEN_CLAIM_RACE_ORDER, 0, 2, { a, b } }));
    }
}

static void
list_nondets (oracle *o)
{
  for (unsigned r = 0; r < o->facts.count; r++)
    for (unsigned c = 0; c <= o->facts.count; c++)
      if (o->nondet[r][c])
        OMEN_VEC_PUSH (o->claims, ((oracle_claim){
                                      OMEN_CLAIM_NONDET,
                                      (unsigned)__builtin_ctz (o->nondet[r][c]),
                                      2,
                                      { r, c ? c - 1 : OMEN_NONE } }));
}

oracle *
oracle_new (const omen_trace *trace, omen_model_name model,
            const oracle_request *request, omen_err *err)
{
  oracle *o = omen_zalloc (1, sizeof *o);
  batch b = { 0 };
  if (!facts_read (&o->facts, trace, err) || !check_trace (&o->facts, err)) {
    omen_free (o);
    return NULL;
  }
  machine_init (&o->machine, &o->facts, model);
  o->machine.keep_sections = request->keep_sections;
  o->model = model;
  o->request = *request;
  fill_batch (o, &b);
  enumerate (o, &b);
  if (request->claims & ORACLE_RACE_ORDER)
    find_race_orders (o);
  read_batch (o, &b);
  list_pairs (o);
  list_nondets (o);
  batch_fini (&b);
  return o;
}

void
oracle_free (oracle *o)
{
  if (!o)
    return;
  OMEN_VEC_FINI (o->claims);
  omen_free (o->patterns);
  omen_free (o);
}

/* ---- what it found ---- */
size_t
oracle_count (const oracle *o)
{
  return o->claims.count;
}

const oracle_claim *
oracle_claim_at (const oracle *o, size_t i)
{
  OMEN_REQUIRE (i < o->claims.count);
  return &o->claims.data[i];
}

bool
oracle_race (const oracle *o, omen_eid a, omen_eid b)
{
  OMEN_REQUIRE (a < o->facts.count && b < o->facts.count);
  return HAS (o->race[a], b);
}

bool
oracle_race_order (const oracle *o, omen_eid a, omen_eid b)
{
  OMEN_REQUIRE (a < o->facts.count && b < o->facts.count);
  return HAS (o->race_order[a], b);
}

static bool
same_cycle (const oracle_claim *claim, const omen_eid *requests, unsigned count)
{
  unsigned least = 0;
  if (claim->kind != OMEN_CLAIM_DEADLOCK || claim->count != count)
    return false;
  for (unsigned i = 1; i < count; i++)
    if (requests[i] < requests[least])
      least = i;
  for (unsigned i = 0; i < count; i++)
    if (claim->events[i] != requests[(least + i) % count])
      return false;
  return true;
}

bool
oracle_deadlock (const oracle *o, const omen_eid *requests, unsigned count)
{
  for (size_t i = 0; i < o->claims.count; i++)
    if (same_cycle (&o->claims.data[i], requests, count))
      return true;
  return false;
}

unsigned
oracle_nondet (const oracle *o, omen_eid read, omen_eid challenger)
{
  OMEN_REQUIRE (read < o->facts.count);
  OMEN_REQUIRE (challenger == OMEN_NONE || challenger < o->facts.count);
  return o->nondet[read][challenger == OMEN_NONE ? 0 : challenger + 1];
}

bool
oracle_violated (const oracle *o, omen_eid block)
{
  OMEN_REQUIRE (block < o->facts.count);
  return HAS (o->violated, block);
}

bool
oracle_pattern (const oracle *o, size_t i)
{
  OMEN_REQUIRE (i < o->request.pattern_count);
  return o->patterns[i];
}

const oracle_shape *
oracle_shape_of (const oracle *o)
{
  return &o->shape;
}

/* ---- one claim ---- */
/* Search breadth first, so that the path is a shortest one. */
static bool
search (const machine *m, const question *q, omen_ids *path)
{
  state s, to;
  space sp;
  bool fresh, found = false;
  space_init (&sp, m->words);
  machine_start (m, &s);
  space_add (&sp, s.word, OMEN_NONE, 0, &fresh);
  for (uint32_t i = 0; i < sp.count && !found; i++) {
    memcpy (s.word, space_at (&sp, i), m->words * sizeof (uint64_t));
    found = question_shown (q, m, &s);
    if (found && path)
      space_path (&sp, i, path);
    for (unsigned t = 0; t < m->facts->threads && !found; t++) {
      unsigned e = machine_next (m, &s, t);
      if (e != NOBODY && machine_follows (m, &s, e)
          && machine_enabled (m, &s, e) && question_allows (q, m, &s, e)
          && machine_step (m, &s, e, &to))
        space_add (&sp, to.word, i, e, &fresh);
    }
  }
  space_fini (&sp);
  return found;
}

static bool
answer (const oracle *o, const oracle_claim *claim, omen_ids *path)
{
  const facts *f = &o->facts;
  question q;
  if (claim->kind == OMEN_CLAIM_RACE_ORDER) {
    const omen_eid *e = claim->events;
    return claim->count == 2 && e[0] < f->count && e[1] < f->count
           && facts_can_race (f, e[0], e[1])
           && order_search (&o->machine, e[0], ONE (e[1]), path);
  }
  for (unsigned part = 0; part < MOST_ATOMS; part++)
    if (question_init (&q, f, claim, part) && search (&o->machine, &q, path))
      return true;
  return false;
}

bool
oracle_holds (oracle *o, const oracle_claim *claim)
{
  return answer (o, claim, NULL);
}

bool
oracle_witness (oracle *o, const oracle_claim *claim, omen_witness *witness)
{
  if (!answer (o, claim, &witness->sequence))
    return false;
  witness->identity = omen_trace_identity (o->facts.trace);
  witness->trace_events = o->facts.count;
  witness->model = o->model;
  witness->claim.kind = claim->kind;
  witness->claim.word = claim->word;
  OMEN_VEC_CLEAR (witness->claim.events);
  for (unsigned i = 0; i < claim->count; i++)
    OMEN_VEC_PUSH (witness->claim.events, claim->events[i]);
  return true;
}

void
oracle_witness_fini (omen_witness *witness)
{
  OMEN_VEC_FINI (witness->sequence);
  OMEN_VEC_FINI (witness->claim.events);
}

void
oracle_claim_text (const oracle_claim *claim, char *buffer, size_t room)
{
  static const char *const kinds[]
      = { "race",   "race-order", "deadlock", "nondet", "atomicity", "pattern",
          "misuse", "final",      "property", "stuck",  "lifetime" };
  static const char *const orders[] = { "wcr", "crw", "cr" };
  size_t used = (size_t)snprintf (buffer, room, "%s", kinds[claim->kind]);
  for (unsigned i = 0; i < claim->count && used < room; i++)
    used += (size_t)snprintf (buffer + used, room - used, " %d",
                              (int)claim->events[i]);
  if (claim->kind == OMEN_CLAIM_NONDET && used < room)
    snprintf (buffer + used, room - used, " %s", orders[claim->word]);
}
