#include "driver/explore/explore.h"
#include "driver/explore/foretell.h"
#include "driver/replay/plan.h"

#include <stdlib.h>
#include <string.h>

/* Limit of states per run after a run exceeded the limit, to keep each within
   milliseconds. */
enum { FEWER_STATES = 3000 };

/* What plans are expected to reach. */
typedef enum promise {
  PROMISE_STUCK,    /* no thread can continue */
  PROMISE_PAIR,     /* a pair that no run had */
  PROMISE_FORETOLD, /* a read sees a predicted write */
  PROMISE_OTHERS,
  PROMISES
} promise;

struct omen_explore {
  omen_cuts_options options;
  const omen_spec_list *specs; /* or NULL */
  omen_known *known;
  omen_frontier frontiers[PROMISES];
  omen_map pairs;      /* pairs of source locations that runs had */
  omen_map operations; /* (thread, past) -> operation that followed */
  omen_map tried;      /* plans, by hash of their text */
  omen_map foretold;   /* pairs of plans from predictions */
  omen_explore_counts counts;
  unsigned limits;
  bool begun;
};

omen_explore *
omen_explore_new (const omen_cuts_options *options,
                  const struct omen_spec_list *specs)
{
  omen_explore *x = omen_zalloc (1, sizeof *x);
  x->options = *options;
  x->specs = specs;
  x->known = omen_known_new ();
  omen_map_init (&x->pairs);
  omen_map_init (&x->operations);
  omen_map_init (&x->tried);
  omen_map_init (&x->foretold);
  return x;
}

void
omen_explore_free (omen_explore *x)
{
  if (!x)
    return;
  omen_known_free (x->known);
  for (int i = 0; i < PROMISES; i++)
    omen_frontier_fini (&x->frontiers[i]);
  omen_map_fini (&x->pairs);
  omen_map_fini (&x->operations);
  omen_map_fini (&x->tried);
  omen_map_fini (&x->foretold);
  omen_free (x);
}

/* SHOWN by a run, or PLANNED: a plan leads to it; OMEN_NONE: neither. */
enum { PLANNED = 1, SHOWN };

static uint64_t
verdict_key (uint64_t verdict)
{
  return omen_hash_mix (verdict, 7) >> 1;
}

void
omen_explore_show (omen_explore *x, uint64_t verdict)
{
  *omen_map_at (&x->foretold, verdict_key (verdict)) = SHOWN;
}

void
omen_explore_miss (omen_explore *x)
{
  x->counts.runs++;
  x->limits |= OMEN_LIMITED_ENDED;
}

void
omen_explore_limit (omen_explore *x, unsigned word)
{
  x->limits |= word;
}

unsigned
omen_explore_limits (const omen_explore *x)
{
  return x->limits;
}

omen_explore_counts
omen_explore_count (const omen_explore *x)
{
  omen_explore_counts counts = x->counts;
  counts.behaviours = omen_known_behaviours (x->known);
  counts.pairs = x->pairs.count;
  return counts;
}

size_t
omen_explore_waiting (const omen_explore *x)
{
  size_t count = 0;
  for (int i = 0; i < PROMISES; i++)
    count += omen_frontier_count (&x->frontiers[i]);
  return count;
}

void
omen_explore_archive (omen_explore *x, omen_archive *archive)
{
  omen_known_archive (x->known, archive);
  for (int i = 0; i < PROMISES; i++)
    omen_frontier_archive (&x->frontiers[i], archive);
  omen_archive_map (archive, &x->pairs);
  omen_archive_map (archive, &x->operations);
  omen_archive_map (archive, &x->tried);
  omen_archive_map (archive, &x->foretold);
  omen_archive_bytes (archive, &x->counts, sizeof x->counts);
  omen_archive_bytes (archive, &x->limits, sizeof x->limits);
  omen_archive_bool (archive, &x->begun);
}

/* ---- the next plan ---- */

static uint64_t
hash_of_plan (const omen_explore_plan *plan)
{
  uint64_t hash = plan->length;
  for (size_t i = 0; i < plan->length; i++)
    hash = omen_hash_mix (hash, (uint8_t)plan->text[i]);
  return hash >> 1;
}

/* Has the plan been tried? A plan that diverged would diverge again. */
static bool
is_tried (omen_explore *x, const omen_explore_plan *plan)
{
  uint32_t *at = omen_map_at (&x->tried, hash_of_plan (plan));
  bool tried = *at == 1;
  *at = 1;
  return tried;
}

void
omen_explore_return (omen_explore *x, const omen_explore_plan *plan)
{
  omen_explore_plan copy = *plan;
  if (!plan->count) { /* the initial, empty plan */
    x->begun = false;
    return;
  }
  size_t room = plan->count * sizeof *plan->threads;
  copy.text = strdup (plan->text);
  copy.threads = omen_alloc (room);
  memcpy (copy.threads, plan->threads, room);
  *omen_map_at (&x->tried, hash_of_plan (plan)) = 0;
  OMEN_VEC_PUSH (x->frontiers[PROMISE_STUCK].plans, copy);
}

static bool
take_first (omen_explore *x, omen_frontier *f, omen_explore_plan *plan)
{
  while (f->first < f->plans.count) {
    *plan = f->plans.data[f->first++];
    if (!omen_explore_plan_is_done (plan, x->known))
      return true;
    omen_explore_plan_fini (plan);
  }
  f->first = f->plans.count = 0;
  return false;
}

/* The pair may have been covered since the plan was made. */
static bool
take_pair (omen_explore *x, omen_explore_plan *plan)
{
  while (take_first (x, &x->frontiers[PROMISE_PAIR], plan)) {
    if (omen_map_get (&x->pairs, plan->pair) == OMEN_NONE)
      return true;
    OMEN_VEC_PUSH (x->frontiers[PROMISE_OTHERS].plans, *plan);
  }
  return false;
}

omen_explore_plan
omen_explore_first_plan (void)
{
  static const char empty[] = "omen-plan 1\nend explore\n";
  return (omen_explore_plan){ .text = strdup (empty),
                              .length = sizeof empty - 1,
                              .mover = OMEN_NONE };
}

bool
omen_explore_next (omen_explore *x, omen_explore_plan *plan)
{
  if (!x->begun) {
    x->begun = true;
    *plan = omen_explore_first_plan ();
    return true;
  }
  while (take_first (x, &x->frontiers[PROMISE_STUCK], plan)
         || take_pair (x, plan)
         || take_first (x, &x->frontiers[PROMISE_FORETOLD], plan)
         || take_first (x, &x->frontiers[PROMISE_OTHERS], plan)) {
    if (!is_tried (x, plan))
      return true;
    omen_explore_plan_fini (plan);
  }
  return false;
}

/* ---- what a run adds ---- */

typedef struct taking {
  omen_explore *x;
  const omen_trace *trace;
  const omen_model *model;
  const omen_histories *histories;
  const omen_steps *steps;
  const omen_cuts *cuts;
} taking;

static omen_tid
thread_named (const omen_histories *h, uint64_t name)
{
  for (omen_tid t = 0; t < h->model->thread_count; t++)
    if (h->names[t] == name)
      return t;
  return OMEN_NONE;
}

/* The observations of the thread when it had made `count` of them; false if
   there was no such point. */
static bool
past_at (const omen_histories *h, omen_tid t, uint32_t count,
         omen_observed *past)
{
  const omen_trace *trace = h->model->trace;
  uint32_t low;
  *past = h->all[t];
  if (past->count == count)
    return true;
  low = OMEN_FIRST_NOT (i, 0, trace->threads.data[t].count,
                        h->before[omen_trace_nth (trace, t, i)].count < count);
  if (low == trace->threads.data[t].count)
    return false;
  *past = h->before[omen_trace_nth (trace, t, low)];
  return past->count == count;
}

/* A thread that died may have done so at an operation whose observation the
   plan has. */
static bool
died_before (const taking *k, omen_tid t, const omen_beginning *its)
{
  return t == k->trace->death.thread
         && k->histories->all[t].count + 1 == its->past.count;
}

/* Did the run begin as its plan says? */
static bool
has_followed (const taking *k, const omen_explore_plan *plan)
{
  for (uint32_t i = 0; i < plan->count; i++) {
    const omen_beginning *its = &plan->threads[i];
    omen_tid t = its->past.count ? thread_named (k->histories, its->name) : 0;
    omen_observed past;
    if (!its->past.count)
      continue;
    if (t != OMEN_NONE && i == plan->mover && died_before (k, t, its))
      continue;
    if (t == OMEN_NONE || !past_at (k->histories, t, its->past.count, &past))
      return false;
    if (past.hash != its->past.hash
        && !(i == plan->mover && (!plan->known || past.hash == plan->instead)))
      return false;
  }
  return true;
}

static uint64_t
hash_of_location (const taking *k, omen_eid e)
{
  const char *text = e == OMEN_NONE ? "" : omen_trace_location (k->trace, e);
  uint64_t hash = 11;
  for (; text && *text; text++)
    hash = omen_hash_mix (hash, (uint8_t)*text);
  return hash;
}

static uint64_t
pair_of (const taking *k, omen_eid from, omen_eid to, uint64_t kind)
{
  uint64_t pair = omen_hash_mix (
      omen_hash_mix (hash_of_location (k, from), hash_of_location (k, to)),
      kind);
  return pair == OMEN_MAP_NO_KEY ? 0 : pair;
}

/* Record which write each read saw, and the results of operations. True if a
   pair is new. */
static bool
note_pairs (taking *k)
{
  const omen_model *m = k->model;
  uint32_t before = k->x->pairs.count;
  for (size_t i = 0; i < k->steps->steps.count; i++) {
    const omen_run_step *step = &k->steps->steps.data[i];
    omen_eid from = OMEN_NONE;
    uint64_t kind = step->kind;
    if (step->pending)
      kind = OMEN_KINDS;
    else if (omen_kind_reads (step->kind))
      from = m->from[m->at[step->event]];
    else if (omen_kind_class (step->kind) == OMEN_CLASS_ACCESS)
      continue;
    uint64_t pair = pair_of (k, from, step->event, kind);
    *omen_map_at (&k->x->pairs, pair) = 1;
  }
  return k->x->pairs.count > before;
}

/* After the same observations a thread executes the same next operation, unless
   the program depends on something else. */
static void
look_for_outside (taking *k)
{
  const omen_histories *h = k->histories;
  omen_observed none = { 0 };
  for (omen_eid e = 0; e < k->model->event_count; e++) {
    const omen_event *event = omen_model_event (k->model, e);
    omen_eid next = omen_model_next (k->model, e);
    const omen_observed *after = next == OMEN_NONE ? &none : &h->before[next];
    if (after->count == h->before[e].count || next == OMEN_NONE)
      continue; /* e observes nothing */
    uint64_t key = omen_hash_mix (
        omen_hash_mix (h->names[event->thread], h->before[e].hash),
        h->before[e].count);
    uint32_t sort = (uint32_t)(hash_of_location (k, e) >> 33);
    uint32_t *known = omen_map_at (&k->x->operations, key >> 1);
    if (*known == OMEN_NONE)
      *known = sort;
    else if (*known != sort)
      k->x->limits |= OMEN_LIMITED_OUTSIDE;
  }
}

static void
write_plan (taking *k, const omen_cut_fork *fork, omen_explore_plan *plan)
{
  const omen_replica *replica = k->cuts->replica;
  omen_ids events = { 0 };
  omen_eid last = OMEN_NONE;
  unsigned more = 0;
  bool early = false;
  omen_err err = { 0 };
  omen_cuts_path (k->cuts, fork->state, &events);
  if (fork->thread != OMEN_NONE) {
    const omen_run_step *step = omen_replica_next (
        replica, omen_cuts_state (k->cuts, fork->state), fork->thread);
    last = step->event;
    more = 1;
    early = step->kind == OMEN_WAKE
            && omen_replica_sleeps (
                replica, omen_cuts_state (k->cuts, fork->state), fork->thread);
    if (step->pending)
      more += step->kind == OMEN_WAKE || step->kind == OMEN_DEPART;
  }
  FILE *out = open_memstream (&plan->text, &plan->length);
  if (!omen_plan_write_beginning (k->trace, &events, last, more, early,
                                  "explore", out, &err))
    k->x->limits |= OMEN_LIMITED_UNREAD;
  fclose (out);
  OMEN_VEC_FINI (events);
}

static void
make_plan (taking *k, const omen_cut_fork *fork, omen_explore_plan *plan)
{
  const uint32_t *cut = omen_cuts_state (k->cuts, fork->state);
  uint32_t threads = k->model->thread_count;
  *plan = (omen_explore_plan){ .count = threads, .mover = fork->thread };
  plan->threads = omen_alloc ((threads + 1) * sizeof *plan->threads);
  for (omen_tid t = 0; t < threads; t++) {
    omen_observed past = { 0 };
    if (omen_replica_born (k->cuts->replica, cut, t))
      past = omen_steps_past (k->steps, t, cut[t]);
    if (t == fork->thread) {
      plan->instead = omen_observed_and (past, fork->other.instead).hash;
      past = omen_observed_and (past, fork->other.observed);
      plan->known = fork->other.known;
    }
    plan->threads[t] = (omen_beginning){ k->histories->names[t], past };
  }
}

static promise
promise_of (taking *k, const omen_cut_fork *fork, omen_explore_plan *plan)
{
  const omen_replica *replica = k->cuts->replica;
  const uint32_t *state = omen_cuts_state (k->cuts, fork->state);
  if (fork->thread == OMEN_NONE)
    return PROMISE_STUCK;
  const omen_run_step *step = omen_replica_next (replica, state, fork->thread);
  omen_eid from = OMEN_NONE;
  uint64_t kind = step->kind;
  if (omen_kind_reads (step->kind)) {
    omen_span span = omen_model_atoms (k->model, step->event);
    for (uint32_t a = span.first; a < span.first + span.count; a++)
      if (replica->cell[a] != OMEN_NONE)
        from = state[replica->cell[a]];
  } else
    kind = step->pending ? kind : OMEN_KINDS + kind;
  plan->pair = pair_of (k, from, step->event, kind);
  return omen_map_get (&k->x->pairs, plan->pair) == OMEN_NONE ? PROMISE_PAIR
                                                              : PROMISE_OTHERS;
}

static size_t
add_plans (taking *k)
{
  size_t count = 0;
  for (size_t i = 0; i < k->cuts->forks.count; i++) {
    const omen_cut_fork *fork = &k->cuts->forks.data[i];
    omen_explore_plan plan;
    make_plan (k, fork, &plan);
    if (omen_explore_plan_is_done (&plan, k->x->known)) {
      omen_explore_plan_fini (&plan);
      continue;
    }
    write_plan (k, fork, &plan);
    promise p = promise_of (k, fork, &plan);
    OMEN_VEC_PUSH (k->x->frontiers[p].plans, plan);
    count++;
  }
  return count;
}

/* Add predicted uses after free, destroy, …; one for each pair of locations. */
static size_t
add_uses (taking *k)
{
  omen_foretold uses = { 0 };
  size_t count = 0;
  omen_foretell_uses (k->model, k->histories, &uses);
  for (size_t i = 0; i < uses.count; i++) {
    omen_explore_plan *plan = &uses.data[i];
    uint32_t *known
        = omen_map_at (&k->x->foretold, omen_hash_mix (plan->pair, 5) >> 1);
    if (*known == 1)
      omen_explore_plan_fini (plan);
    else {
      OMEN_VEC_PUSH (k->x->frontiers[PROMISE_STUCK].plans, *plan);
      count++;
    }
    *known = 1;
  }
  OMEN_VEC_FINI (uses);
  return count;
}

/* Add predicted verdicts of properties that no run has shown. */
static size_t
add_verdicts (taking *k)
{
  omen_foretold verdicts = { 0 };
  size_t count = 0;
  if (!omen_foretell_verdicts (k->model, k->histories, k->x->specs, &verdicts))
    k->x->limits |= OMEN_LIMITED_PROPERTY;
  for (size_t i = 0; i < verdicts.count; i++) {
    omen_explore_plan *plan = &verdicts.data[i];
    uint32_t *known = omen_map_at (&k->x->foretold, verdict_key (plan->pair));
    if (*known != OMEN_NONE)
      omen_explore_plan_fini (plan);
    else {
      OMEN_VEC_PUSH (k->x->frontiers[PROMISE_STUCK].plans, *plan);
      *known = PLANNED;
      count++;
    }
  }
  OMEN_VEC_FINI (verdicts);
  return count;
}

/* If there are too many states to examine, add what the detectors predict. */
static size_t
add_foretold (taking *k)
{
  omen_foretold foretold = { 0 };
  size_t count = 0;
  omen_foretell (k->model, k->histories, &foretold);
  for (size_t i = 0; i < foretold.count; i++) {
    omen_explore_plan *plan = &foretold.data[i];
    if (omen_explore_plan_is_done (plan, k->x->known)) {
      omen_explore_plan_fini (plan);
      continue;
    }
    plan->pair = omen_hash_mix (plan->pair, 3) >> 1;
    promise p = plan->mover == OMEN_NONE ? PROMISE_STUCK
                : omen_map_get (&k->x->foretold, plan->pair) == OMEN_NONE
                    ? PROMISE_FORETOLD
                    : PROMISE_OTHERS;
    *omen_map_at (&k->x->foretold, plan->pair) = 1;
    OMEN_VEC_PUSH (k->x->frontiers[p].plans, *plan);
    count++;
  }
  OMEN_VEC_FINI (foretold);
  return count;
}

bool
omen_explore_take (omen_explore *x, const omen_explore_plan *plan,
                   const omen_trace *trace, bool whole, omen_explored *run,
                   omen_err *err)
{
  omen_model *model = omen_model_new (trace, err);
  taking k = { .x = x, .trace = trace, .model = model };
  uint64_t before = omen_known_behaviours (x->known);
  *run = (omen_explored){ 0 };
  x->counts.runs++;
  if (!model) {
    x->limits |= OMEN_LIMITED_UNREAD;
    return false;
  }
  omen_histories *histories = omen_histories_new (model);
  k.histories = histories;
  run->followed = has_followed (&k, plan);
  run->stuck = omen_trace_is_stuck (trace);
  run->behaviour = omen_known_add (x->known, histories);
  run->new_behaviour = omen_known_behaviours (x->known) > before;
  if (run->new_behaviour)
    x->counts.last_new = x->counts.runs;
  if (!run->followed) {
    x->counts.diverged++;
    x->limits |= OMEN_LIMITED_DIVERGED;
  }
  if (plan->unseen
      && omen_map_get (&x->foretold, verdict_key (plan->pair)) == PLANNED)
    x->limits |= OMEN_LIMITED_PROPERTY; /* the run does not show it */
  omen_steps *steps = omen_steps_new (model, histories);
  k.steps = steps;
  look_for_outside (&k);
  run->new_pairs = note_pairs (&k);
  omen_cuts *cuts = omen_cuts_new (steps, &x->options);
  k.cuts = cuts;
  x->limits |= (steps->limits & ~(whole ? (unsigned)OMEN_LIMITED_CUT : 0))
               | (cuts->all ? 0 : OMEN_LIMITED_STATES)
               | (trace->flags & OMEN_TRACE_PARTIAL ? OMEN_LIMITED_PART : 0)
               | (trace->flags & OMEN_TRACE_HELPED ? OMEN_LIMITED_HELPED : 0);
  run->forks = add_plans (&k) + (run->new_pairs ? add_uses (&k) : 0);
  if (x->specs && run->new_behaviour)
    run->forks += add_verdicts (&k);
  if (!cuts->all) {
    run->forks += add_foretold (&k);
    if (x->options.most_states > FEWER_STATES)
      x->options.most_states = FEWER_STATES;
  }
  omen_cuts_free (cuts);
  omen_steps_free (steps);
  omen_histories_free (histories);
  omen_model_free (model);
  return true;
}

uint64_t
omen_explore_behaviour (const omen_trace *trace)
{
  omen_err err = { 0 };
  omen_model *model = omen_model_new (trace, &err);
  if (!model)
    return 0;
  omen_histories *histories = omen_histories_new (model);
  uint64_t behaviour = omen_known_end (histories);
  omen_histories_free (histories);
  omen_model_free (model);
  return behaviour;
}
