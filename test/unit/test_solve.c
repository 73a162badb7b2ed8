/* The solver on problems made by hand, rule by rule, and Z3 on the same ones:
   the verdict is the one worked out, for both. */
#include "unit.h"

#include "solve/solver.h"

#include <string.h>

/* Chains as a word: "0101": nodes 0 and 2 in chain 0, 1 and 3 in chain 1. */
static void
start (omen_problem *p, const char *chains)
{
  uint32_t nodes = (uint32_t)strlen (chains), most = 0;
  for (uint32_t n = 0; n < nodes; n++)
    if ((uint32_t)(chains[n] - '0') > most)
      most = (uint32_t)(chains[n] - '0');
  omen_problem_init (p, nodes, most + 1);
  for (uint32_t n = 0; n < nodes; n++)
    p->chain_of[n] = (uint32_t)(chains[n] - '0');
}

/* One atom whose past value is `past` (a class, or OMEN_NONE). */
static void
one_atom (omen_problem *p, uint32_t past)
{
  p->atoms = 1;
  p->past_value = OMEN_ARENA_NEW (&p->arena, uint32_t, 1);
  p->past_value[0] = past;
}

static void
one_semaphore (omen_problem *p, int32_t count)
{
  p->semaphores = 1;
  p->past_count = OMEN_ARENA_NEW (&p->arena, int32_t, 1);
  p->past_count[0] = count;
}

static void
edge (omen_problem *p, omen_node from, omen_node to, bool firm)
{
  OMEN_VEC_PUSH (p->edges, ((omen_edge){ from, to, firm }));
}

static void
section (omen_problem *p, omen_node first, omen_node end, bool exclusive)
{
  omen_node in = first == OMEN_PAST ? end : first;
  p->resources = 1;
  OMEN_VEC_PUSH (p->sections, ((omen_node_section){ 0, p->chain_of[in], first,
                                                    end, exclusive }));
}

static void
writes (omen_problem *p, omen_node n, uint32_t gives)
{
  OMEN_VEC_PUSH (p->accesses, ((omen_node_access){ n, 0, OMEN_NONE, gives,
                                                   OMEN_PAST, false, true }));
}

static void
reads (omen_problem *p, omen_node n, omen_node saw, uint32_t want)
{
  OMEN_VEC_PUSH (p->accesses, ((omen_node_access){ n, 0, want, OMEN_NONE, saw,
                                                   true, false }));
}

static void
need (omen_problem *p, omen_node n, omen_node opening)
{
  p->pools = 1;
  OMEN_VEC_PUSH (p->needs, ((omen_need){ n, opening, 0, 0 }));
}

static void
provide (omen_problem *p, omen_node n, bool many)
{
  OMEN_VEC_PUSH (p->providers, ((omen_provider){ n, 0, 0, many }));
}

static void
change (omen_problem *p, omen_node n, int8_t by)
{
  OMEN_VEC_PUSH (p->counts, ((omen_count){ n, 0, by }));
}

/* The place of a node in the answer, or -1. */
static int
place (const omen_answer *answer, omen_node n)
{
  for (size_t i = 0; i < answer->sequence.count; i++)
    if (answer->sequence.data[i] == n)
      return (int)i;
  return -1;
}

/* The counts of the (one) semaphore along the sequence. */
static void
check_counts (const omen_problem *p, const omen_answer *answer)
{
  int count = p->semaphores ? p->past_count[0] : 0;
  for (size_t i = 0; i < answer->sequence.count; i++) {
    uint32_t id = p->count_of[answer->sequence.data[i]];
    if (id == OMEN_NONE)
      continue;
    if (!p->counts.data[id].change)
      assert_int_equal (count, 0);
    count += p->counts.data[id].change;
    assert_true (count >= 0);
  }
}

/* What was asked for holds of the sequence. */
static void
check_answer (const omen_problem *p, const omen_query *q,
              const omen_answer *answer)
{
  for (uint32_t i = 0; i < q->nexts; i++) {
    uint32_t index = p->index_of[q->next[i]];
    assert_int_equal (place (answer, q->next[i]), -1);
    if (index)
      assert_true (place (answer, omen_problem_node (p, p->chain_of[q->next[i]],
                                                     index - 1))
                   >= 0);
  }
  for (uint32_t i = 0; i < q->takes; i++)
    assert_true (place (answer, q->take[i]) >= 0);
  for (uint32_t i = 0; i < q->orders; i++) {
    assert_true (place (answer, q->order[i].from) >= 0);
    assert_true (place (answer, q->order[i].from)
                 < place (answer, q->order[i].to));
  }
  for (uint32_t i = 0; i < p->edges.count; i++)
    if (place (answer, p->edges.data[i].to) >= 0)
      assert_in_range (place (answer, p->edges.data[i].from), 0,
                       place (answer, p->edges.data[i].to));
  check_counts (p, answer);
}

/* Both solvers give this verdict. Twice, since a solver is used again; the
   problem is sealed by the first question. */
static omen_stage
expect (omen_problem *p, const omen_query *q, omen_verdict wanted)
{
  static const omen_budget budget = { .steps = 10000, .seconds = 20 };
  omen_stage stage = OMEN_STAGES;
  omen_solver *solver;
  omen_answer answer;
  if (!p->edge_first)
    omen_problem_seal (p);
  assert_true (omen_problem_valid (p));
  solver = omen_solver_new (p);
  for (int i = 0; i < 2; i++) {
    assert_int_equal (omen_solver_ask (solver, q, &budget, &answer), wanted);
    if (wanted == OMEN_FOUND)
      check_answer (p, q, &answer);
    stage = answer.stage;
    OMEN_VEC_FINI (answer.sequence);
  }
  omen_solver_free (solver);
  if (!q->refine) {
    assert_int_equal (omen_z3_ask (p, q, &budget, &answer), wanted);
    if (wanted == OMEN_FOUND)
      check_answer (p, q, &answer);
    OMEN_VEC_FINI (answer.sequence);
  }
  return stage;
}

/* Can a and b be next together? */
static omen_stage
expect_next (omen_problem *p, omen_node a, omen_node b, omen_verdict wanted)
{
  omen_query q = { .next = (omen_node[]){ a, b }, .nexts = 2 };
  return expect (p, &q, wanted);
}

static void
chains_and_edges (void **state)
{
  omen_problem p;
  omen_query both = { .take = (omen_node[]){ 2, 3 }, .takes = 2 };
  (void)state;
  start (&p, "0011");
  edge (&p, 0, 3, false);
  assert_int_equal (expect_next (&p, 1, 3, OMEN_FOUND), OMEN_STAGE_DIRECT);
  assert_int_equal (expect_next (&p, 0, 3, OMEN_ABSENT), OMEN_STAGE_CLOSURE);
  both.order = (omen_edge[]){ { 3, 1, false } };
  both.orders = 1;
  expect (&p, &both, OMEN_FOUND);
  both.order = (omen_edge[]){ { 3, 0, false } };
  assert_int_equal (expect (&p, &both, OMEN_ABSENT), OMEN_STAGE_CLOSURE);
  omen_problem_fini (&p);
}

static void
targets_end_their_chains (void **state)
{
  omen_problem p;
  omen_node last = 0;
  omen_query q
      = { .last = &last, .lasts = 1, .take = (omen_node[]){ 3 }, .takes = 1 };
  (void)state;
  start (&p, "0011");
  expect (&p, &q, OMEN_FOUND);
  omen_problem_fini (&p);
  start (&p, "0011");
  edge (&p, 1, 3, false);
  expect (&p, &q, OMEN_ABSENT);
  omen_problem_fini (&p);
}

/* 0 start, 1 inside, 2 end; the same in chain 1. */
static void
sections_exclude (void **state)
{
  omen_problem p;
  omen_query second_first = { .take = (omen_node[]){ 2, 5 },
                              .takes = 2,
                              .order = (omen_edge[]){ { 4, 1, false } },
                              .orders = 1 };
  (void)state;
  start (&p, "000111");
  section (&p, 0, 2, true);
  section (&p, 3, 5, true);
  assert_int_equal (expect_next (&p, 1, 4, OMEN_ABSENT), OMEN_STAGE_CLOSURE);
  expect (&p, &second_first, OMEN_FOUND);
  omen_problem_fini (&p);
  start (&p, "000111");
  section (&p, 0, 2, false);
  section (&p, 3, 5, false);
  expect_next (&p, 1, 4, OMEN_FOUND);
  omen_problem_fini (&p);
  start (&p, "000111");
  section (&p, 0, 2, false);
  section (&p, 3, 5, true);
  expect_next (&p, 1, 4, OMEN_ABSENT);
  omen_problem_fini (&p);
}

/* A section that stays open comes last: the closure knows. */
static void
open_sections_come_last (void **state)
{
  omen_problem p;
  (void)state;
  start (&p, "0001110"); /* 0 1 2 | 3 4 5, 6 behind the first */
  section (&p, 0, 2, true);
  section (&p, 3, 5, true);
  edge (&p, 2, 3, false);
  assert_int_equal (expect_next (&p, 1, 5, OMEN_ABSENT), OMEN_STAGE_CLOSURE);
  omen_problem_fini (&p);
  start (&p, "00011");
  section (&p, 0, 2, true);
  section (&p, 3, 4, true);
  {
    omen_query q = { .next = (omen_node[]){ 1 },
                     .nexts = 1,
                     .take = (omen_node[]){ 4 },
                     .takes = 1 };
    assert_int_equal (expect (&p, &q, OMEN_FOUND), OMEN_STAGE_DIRECT);
  }
  omen_problem_fini (&p);
}

static void
past_sections_are_open (void **state)
{
  omen_problem p;
  omen_query q = { .take = (omen_node[]){ 1 }, .takes = 1 };
  omen_node last = 1;
  (void)state;
  start (&p, "012"); /* 0 ends what was open; 1 starts */
  section (&p, OMEN_PAST, 0, true);
  section (&p, 1, OMEN_NONE, true);
  expect (&p, &q, OMEN_FOUND);
  q.next = (omen_node[]){ 0 };
  q.nexts = 1;
  expect (&p, &q, OMEN_ABSENT);
  q.nexts = 0;
  q.last = &last;
  q.lasts = 1;
  expect (&p, &q, OMEN_FOUND);
  omen_problem_fini (&p);
}

/* 0 writes, 1 reads it and goes on (2), 3 writes too. */
static void
reads_see_their_write (void **state)
{
  omen_problem p;
  omen_query q = { .take = (omen_node[]){ 2, 3 }, .takes = 2 };
  (void)state;
  start (&p, "0112");
  one_atom (&p, OMEN_NONE);
  writes (&p, 0, OMEN_NONE);
  reads (&p, 1, 0, OMEN_NONE);
  writes (&p, 3, OMEN_NONE);
  q.order = (omen_edge[]){ { 3, 1, false } };
  q.orders = 1;
  expect (&p, &q, OMEN_FOUND); /* 3 0 1 2 */
  q.order = (omen_edge[]){ { 3, 1, false }, { 0, 3, false } };
  q.orders = 2;
  assert_int_equal (expect (&p, &q, OMEN_ABSENT), OMEN_STAGE_CLOSURE);
  q.take = (omen_node[]){ 1, 3 }; /* nothing after the read: it is free */
  expect (&p, &q, OMEN_FOUND);
  assert_int_equal (expect_next (&p, 0, 2, OMEN_ABSENT), OMEN_STAGE_CLOSURE);
  omen_problem_fini (&p);
}

static void
firm_edges_preserve_reads (void **state)
{
  for (int firm = 0; firm < 2; firm++) {
    omen_problem p;
    omen_query q = { .take = (omen_node[]){ 3 },
                     .takes = 1,
                     .order = (omen_edge[]){ { 2, 1, false }, { 0, 2, false } },
                     .orders = 2 };
    start (&p, "0123"); /* 0 writes, 1 reads, 2 writes, 3 joins 1 */
    one_atom (&p, OMEN_NONE);
    writes (&p, 0, OMEN_NONE);
    reads (&p, 1, 0, OMEN_NONE);
    writes (&p, 2, OMEN_NONE);
    edge (&p, 1, 3, firm);
    expect (&p, &q, firm ? OMEN_ABSENT : OMEN_FOUND);
    omen_problem_fini (&p);
  }
  (void)state;
}

/* Values: 1 reads class 0, which node 0, node 3 and perhaps the past give. */
static void
reads_accept_equal_values (void **state)
{
  (void)state;
  for (int other = 0; other < 3; other++) {
    omen_problem p;
    omen_query q = { .next = (omen_node[]){ 0 },
                     .nexts = 1,
                     .take = (omen_node[]){ 2 },
                     .takes = 1 };
    start (&p, "0112");
    one_atom (&p, other == 1 ? 0 : OMEN_NONE);
    writes (&p, 0, 0);
    reads (&p, 1, 0, 0);
    writes (&p, 3, other == 2 ? 0 : 1);
    expect (&p, &q, other ? OMEN_FOUND : OMEN_ABSENT);
    omen_problem_fini (&p);
  }
}

/* 2 adds to what 0 wrote; 3 reads that and goes on. */
static void
a_seen_rmw_has_read_right (void **state)
{
  omen_problem p;
  omen_query q = { .take = (omen_node[]){ 4, 1 },
                   .takes = 2,
                   .order = (omen_edge[]){ { 0, 1, false }, { 1, 2, false } },
                   .orders = 2 };
  (void)state;
  start (&p, "01233");
  one_atom (&p, OMEN_NONE);
  writes (&p, 0, OMEN_NONE);
  writes (&p, 1, OMEN_NONE);
  OMEN_VEC_PUSH (p.accesses, ((omen_node_access){ 2, 0, OMEN_NONE, OMEN_NONE, 0,
                                                  true, true }));
  reads (&p, 3, 2, OMEN_NONE);
  expect (&p, &q, OMEN_ABSENT);
  q.order = (omen_edge[]){ { 1, 0, false } };
  q.orders = 1;
  expect (&p, &q, OMEN_FOUND);
  omen_problem_fini (&p);
}

/* 0, 1 wait; 2 provides; 3, 4 need; then 5, 6. */
static void
needs_are_served_once (void **state)
{
  (void)state;
  for (int many = 0; many < 2; many++) {
    omen_problem p;
    start (&p, "0120101");
    need (&p, 3, 0);
    need (&p, 4, 1);
    provide (&p, 2, many);
    expect_next (&p, 5, 6, many ? OMEN_FOUND : OMEN_ABSENT);
    omen_problem_fini (&p);
  }
}

/* 2 needs and provides; 3 provides too, if it is there. */
static void
needs_are_not_served_by_themselves (void **state)
{
  omen_query q = { .take = (omen_node[]){ 2 }, .takes = 1 };
  (void)state;
  for (int many = 0; many < 2; many++)
    for (int other = 0; other < 2; other++) {
      omen_problem p;
      start (&p, "0101");
      need (&p, 2, 0);
      provide (&p, 2, many);
      if (other)
        provide (&p, 3, false);
      expect (&p, &q, other ? OMEN_FOUND : OMEN_ABSENT);
      omen_problem_fini (&p);
    }
}

static void
needs_are_opened_first (void **state)
{
  omen_problem p;
  omen_query q = { .take = (omen_node[]){ 2 },
                   .takes = 1,
                   .order = (omen_edge[]){ { 1, 0, false } },
                   .orders = 1 };
  (void)state;
  start (&p, "010");
  need (&p, 2, 0);
  provide (&p, 1, false);
  expect (&p, &q, OMEN_ABSENT);
  q.orders = 0;
  expect (&p, &q, OMEN_FOUND);
  omen_problem_fini (&p);
}

/* 0, 1 wait; 2 and 3 provide; 4, 5 need: they are next together if there is a
   provider for each, or one that serves many. */
static void
targets_need_providers_of_their_own (void **state)
{
  (void)state;
  for (int many = 0; many < 2; many++)
    for (int two = 0; two < 2; two++) {
      omen_problem p;
      start (&p, "012201");
      need (&p, 4, 0);
      need (&p, 5, 1);
      provide (&p, 2, many);
      if (two)
        provide (&p, 3, false);
      expect_next (&p, 4, 5, many || two ? OMEN_FOUND : OMEN_ABSENT);
      omen_problem_fini (&p);
    }
}

/* 0 waits, 1 provides, 2 waits, 3 provides; 4 needs after 0, 5 after 2: the one
   that may have either provider leaves the second to the other. */
static void
targets_share_out_providers (void **state)
{
  omen_problem p;
  omen_query q = { .next = (omen_node[]){ 4, 5 },
                   .nexts = 2,
                   .order = (omen_edge[]){ { 1, 2, false } },
                   .orders = 1 };
  (void)state;
  start (&p, "021201");
  need (&p, 4, 0);
  need (&p, 5, 2);
  provide (&p, 1, false);
  provide (&p, 3, false);
  expect (&p, &q, OMEN_FOUND);
  q.next = (omen_node[]){ 5, 4 };
  expect (&p, &q, OMEN_FOUND);
  q.order = (omen_edge[]){ { 3, 2, false } };
  expect (&p, &q, OMEN_ABSENT);
  omen_problem_fini (&p);
}

/* 0 down, 1, 2 up; 3 down, 4 up, 5: both want the one token. */
static void
counts_do_not_fall_below_zero (void **state)
{
  (void)state;
  for (int32_t count = 0; count < 3; count++) {
    omen_problem p;
    start (&p, "000111");
    one_semaphore (&p, count);
    change (&p, 0, -1);
    change (&p, 2, 1);
    change (&p, 3, -1);
    change (&p, 4, 1);
    expect_next (&p, 1, 4, count == 2 ? OMEN_FOUND : OMEN_ABSENT);
    expect_next (&p, 1, 5, count ? OMEN_FOUND : OMEN_ABSENT);
    omen_problem_fini (&p);
  }
}

static void
zeros_are_taken_at_zero (void **state)
{
  omen_problem p;
  omen_query q = { .take = (omen_node[]){ 0, 1, 2 }, .takes = 3 };
  (void)state;
  start (&p, "01"); /* up, zero: the observed order will not do */
  one_semaphore (&p, 0);
  change (&p, 0, 1);
  change (&p, 1, 0);
  q.takes = 2;
  expect (&p, &q, OMEN_FOUND);
  omen_problem_fini (&p);
  q.takes = 3;
  start (&p, "012"); /* up, zero, down */
  one_semaphore (&p, 0);
  change (&p, 0, 1);
  change (&p, 1, 0);
  change (&p, 2, -1);
  expect (&p, &q, OMEN_FOUND);
  q.order = (omen_edge[]){ { 0, 1, false }, { 1, 2, false } };
  q.orders = 2;
  expect (&p, &q, OMEN_ABSENT);
  omen_problem_fini (&p);
}

/* 3 is taken while chain 0 is in its section. */
static void
insides_need_a_holder (void **state)
{
  (void)state;
  for (int exclusive = 0; exclusive < 2; exclusive++) {
    omen_problem p;
    omen_query q = { .take = (omen_node[]){ 3 }, .takes = 1 };
    omen_node early = 0;
    start (&p, "0001");
    section (&p, 1, 2, exclusive);
    OMEN_VEC_PUSH (p.insides, ((omen_inside){ 3, 0, true }));
    expect (&p, &q, exclusive ? OMEN_FOUND : OMEN_ABSENT);
    q.last = &early; /* the section does not even start */
    q.lasts = 1;
    expect (&p, &q, OMEN_ABSENT);
    omen_problem_fini (&p);
  }
}

static void
sights_overrule_what_is_accepted (void **state)
{
  omen_problem p;
  omen_rf_constraint rf = { 1, 2, 0 };
  omen_node last = 1;
  omen_query q = { .last = &last, .lasts = 1, .rf = &rf, .rf_count = 1 };
  (void)state;
  start (&p, "012");
  one_atom (&p, OMEN_NONE);
  writes (&p, 0, OMEN_NONE);
  reads (&p, 1, 0, OMEN_NONE);
  writes (&p, 2, OMEN_NONE);
  expect (&p, &q, OMEN_FOUND);
  rf.writer = OMEN_PAST;
  expect (&p, &q, OMEN_FOUND);
  q.take = (omen_node[]){ 0 };
  q.takes = 1;
  q.order = (omen_edge[]){ { 0, 1, false } };
  q.orders = 1;
  expect (&p, &q, OMEN_ABSENT);
  omen_problem_fini (&p);
}

/* ---- refine ---- */

/* Accepts only what has node 1 before node 0. */
static bool
turned (void *context, const omen_node *sequence, uint32_t count,
        omen_ways *ways, bool *complete)
{
  uint32_t *asked = context;
  (*asked)++;
  for (uint32_t i = 0; i < count; i++)
    if (sequence[i] == 1)
      return true;
    else if (sequence[i] == 0)
      break;
  OMEN_VEC_PUSH (*ways, ((omen_way){ OMEN_WAY_ORDER, 1, 0 }));
  *complete = true;
  return false;
}

static void
refinement_turns_the_order (void **state)
{
  omen_problem p;
  uint32_t asked = 0;
  omen_query q = { .take = (omen_node[]){ 0, 1 },
                   .takes = 2,
                   .refine = turned,
                   .context = &asked };
  (void)state;
  start (&p, "01");
  assert_int_equal (expect (&p, &q, OMEN_FOUND), OMEN_STAGE_SEARCH);
  assert_int_equal (asked, 4); /* twice refused and accepted */
  omen_problem_fini (&p);
  start (&p, "01");
  edge (&p, 0, 1, false);
  expect (&p, &q, OMEN_ABSENT);
  omen_problem_fini (&p);
}

static bool
never (void *context, const omen_node *sequence, uint32_t count,
       omen_ways *ways, bool *complete)
{
  (void)context, (void)sequence, (void)count, (void)ways;
  *complete = false;
  return false;
}

static void
missing_ways_are_no_proof (void **state)
{
  omen_problem p;
  omen_query q = { .take = (omen_node[]){ 0 }, .takes = 1, .refine = never };
  (void)state;
  start (&p, "01");
  expect (&p, &q, OMEN_UNKNOWN);
  omen_problem_fini (&p);
}

UNIT_MAIN (UNIT (chains_and_edges), UNIT (targets_end_their_chains),
           UNIT (sections_exclude), UNIT (open_sections_come_last),
           UNIT (past_sections_are_open), UNIT (reads_see_their_write),
           UNIT (firm_edges_preserve_reads), UNIT (reads_accept_equal_values),
           UNIT (a_seen_rmw_has_read_right), UNIT (needs_are_served_once),
           UNIT (needs_are_not_served_by_themselves),
           UNIT (needs_are_opened_first),
           UNIT (targets_need_providers_of_their_own),
           UNIT (targets_share_out_providers),
           UNIT (counts_do_not_fall_below_zero), UNIT (zeros_are_taken_at_zero),
           UNIT (insides_need_a_holder),
           UNIT (sights_overrule_what_is_accepted),
           UNIT (refinement_turns_the_order), UNIT (missing_ways_are_no_proof))
