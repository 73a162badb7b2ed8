/* The ways to run predict that must not change what is true: one report a
   group, two workers, other names. */
#include "in_portions.h"
#include "campaign.h"
#include "rename.h"
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/* ---- groups ---- */

/* The group that a racing pair belongs to. */
static uint64_t
group_key (const omen_trace *trace, omen_group_by by, omen_eid a, omen_eid b)
{
  uint32_t x = trace->events.data[a].location;
  uint32_t y = trace->events.data[b].location;
  switch (by) {
  case OMEN_GROUP_LOCATION:
    return x < y ? OMEN_PAIR (x, y) : OMEN_PAIR (y, x);
  case OMEN_GROUP_EVENT:
    return a < b ? b : a;
  default:
    return trace->places.data[trace->events.data[a].object].variable;
  }
}

typedef OMEN_VEC (uint64_t) keys;

static bool
add_key (keys *set, uint64_t key)
{
  for (size_t i = 0; i < set->count; i++)
    if (set->data[i] == key)
      return false;
  OMEN_VEC_PUSH (*set, key);
  return true;
}

static void
check_group (const subject *s, omen_group_by by, const catch *c)
{
  keys expected = { 0 }, reported = { 0 };
  omen_eid events = (omen_eid)s->trace->events.count;
  for (omen_eid a = 0; a < events; a++)
    for (omen_eid b = a + 1; b < events; b++)
      if (pair_races (s->o, a, b))
        add_key (&expected, group_key (s->trace, by, a, b));
  for (size_t i = 0; i < c->claims.count; i++) {
    const oracle_claim *claim = &c->claims.data[i];
    uint64_t key = group_key (s->trace, by, claim->events[0], claim->events[1]);
    if (!truth (s->o, claim) || c->err.set)
      complain (s, "reported for its group, not true", claim);
    if (!add_key (&reported, key))
      complain (s, "a second report for one group", claim);
  }
  if (reported.count != expected.count)
    complain (s, "groups with a race have no report", NULL);
  OMEN_VEC_FINI (expected);
  OMEN_VEC_FINI (reported);
}

static void
ask_group (const subject *s, omen_group_by by)
{
  catch c = { .verifier = s->verifier };
  omen_predict_options options = predict_options (s);
  options.group = by;
  run_predict (s->trace, s->model, &options, false, &c);
  check_group (s, by, &c);
  catch_fini (&c);
  s->t->groups++;
}

/* ---- two workers ---- */

static bool
same_catch (const catch *a, const catch *b)
{
  if (a->claims.count != b->claims.count
      || a->sequences.count != b->sequences.count)
    return false;
  for (size_t i = 0; i < a->claims.count; i++) {
    const oracle_claim *x = &a->claims.data[i], *y = &b->claims.data[i];
    if (x->kind != y->kind || x->count != y->count
        || memcmp (x->events, y->events, x->count * sizeof (omen_eid)))
      return false;
  }
  return !a->sequences.count
         || !memcmp (a->sequences.data, b->sequences.data,
                     a->sequences.count * sizeof (uint32_t));
}

static void
ask_jobs (const subject *s, bool deadlocks, const catch *all)
{
  catch c = { .verifier = s->verifier };
  omen_predict_options options = predict_options (s);
  options.jobs = 2;
  run_predict (s->trace, s->model, &options, deadlocks, &c);
  if (!same_catch (&c, all))
    complain (s, "two jobs report something else than one", NULL);
  catch_fini (&c);
  s->t->jobs++;
}

/* ---- several processes ---- */

/* In windows, too, where a group may have its answer in any of them. */
static void
ask_shared (const subject *s, bool deadlocks)
{
  omen_share portions = { run_in_portions };
  omen_predict_options options = predict_options (s);
  catch one = { .verifier = s->verifier }, many = { .verifier = s->verifier };
  options.window = s->seed % 32 < 16 ? 0 : 6;
  options.jobs = s->seed % 64 < 32 ? 1 : 2;
  options.group = s->seed % 128 < 64 ? OMEN_GROUP_NONE : OMEN_GROUP_LOCATION;
  run_predict (s->trace, s->model, &options, deadlocks, &one);
  options.share = &portions;
  run_predict (s->trace, s->model, &options, deadlocks, &many);
  if (!same_catch (&one, &many))
    complain (s, "in portions something else is reported", NULL);
  catch_fini (&one);
  catch_fini (&many);
}

/* ---- other names ---- */

static bool
has_pair (const catch *c, const oracle_claim *claim)
{
  for (size_t i = 0; i < c->claims.count; i++) {
    const omen_eid *e = c->claims.data[i].events;
    if ((e[0] == claim->events[0] && e[1] == claim->events[1])
        || (e[1] == claim->events[0] && e[0] == claim->events[1]))
      return true;
  }
  return false;
}

static bool
has_cycle (const catch *c, const oracle_claim *claim)
{
  for (size_t i = 0; i < c->claims.count; i++)
    if (c->claims.data[i].count == claim->count
        && !memcmp (c->claims.data[i].events, claim->events,
                    claim->count * sizeof (omen_eid)))
      return true;
  return false;
}

static void
ask_renamed (const subject *s, bool deadlocks, const catch *all)
{
  omen_trace *trace = renamed_trace (s->trace);
  omen_err err = { 0 };
  omen_model *model = omen_model_new (trace, &err);
  omen_predict_options options = predict_options (s);
  catch c = { .verifier = model ? omen_verifier_new (trace, &err) : NULL };
  options.identity = omen_trace_identity (trace);
  if (!c.verifier)
    complain (s, err.what, NULL);
  else
    run_predict (trace, model, &options, deadlocks, &c);
  if (c.err.set)
    complain (s, c.err.what, &c.claims.data[0]);
  if (c.claims.count != all->claims.count)
    complain (s, "other names, another number of findings", NULL);
  for (size_t i = 0; i < all->claims.count; i++)
    if (!(deadlocks ? has_cycle : has_pair) (&c, &all->claims.data[i]))
      complain (s, "not found under other names", &all->claims.data[i]);
  catch_fini (&c);
  omen_verifier_free (c.verifier);
  omen_model_free (model);
  omen_trace_free (trace);
  s->t->renamed++;
}

void
ask_variants (const subject *s, bool deadlocks, const catch *all)
{
  if (s->seed % 4 == 0 && !deadlocks)
    for (omen_group_by by = OMEN_GROUP_LOCATION; by < OMEN_GROUP_NONE; by++)
      ask_group (s, by);
  if (s->seed % 16 == 1)
    ask_jobs (s, deadlocks, all);
  if (s->seed % 16 == 9)
    ask_shared (s, deadlocks);
  if (s->seed % 4 == 2)
    ask_renamed (s, deadlocks, all);
}
