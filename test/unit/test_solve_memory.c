/* A solver that has answered a question answers it again without allocating:
   propagation, runs and choices work in what the solver has. Allocations are
   counted by the linker's --wrap (test/meson.build). */
#include "unit.h"

#include "solve/solver.h"

static unsigned allocations;

void *__real_omen_alloc (size_t bytes);
void *__real_omen_zalloc (size_t count, size_t size);
void *__real_omen_realloc (void *p, size_t bytes);
void *__wrap_omen_alloc (size_t bytes);
void *__wrap_omen_zalloc (size_t count, size_t size);
void *__wrap_omen_realloc (void *p, size_t bytes);

void *
__wrap_omen_alloc (size_t bytes)
{
  allocations++;
  return __real_omen_alloc (bytes);
}

void *
__wrap_omen_zalloc (size_t count, size_t size)
{
  allocations++;
  return __real_omen_zalloc (count, size);
}

void *
__wrap_omen_realloc (void *p, size_t bytes)
{
  allocations++;
  return __real_omen_realloc (p, bytes);
}

static void
section (omen_problem *p, omen_node first, omen_node end)
{
  OMEN_VEC_PUSH (p->sections, ((omen_node_section){ 0, p->chain_of[first],
                                                    first, end, true, false }));
}

/* chain 0:  0 start   1 w(a=7)        sections of one resource; those of
   chain 1:  2 start   3 w(a=7)        chains 0 and 1 never end
   chain 2:  4 r(a=7)  5 down(s)       s is 1 before
   chain 3:  6 start   7 end
   What 4 reads is undecided until the run is stuck at it. */
static void
build (omen_problem *p)
{
  omen_problem_init (p, 8, 4);
  for (omen_node n = 0; n < 8; n++)
    p->chain_of[n] = n / 2;
  p->atoms = p->resources = p->semaphores = 1;
  p->past_value = OMEN_ARENA_NEW (&p->arena, uint32_t, 1);
  p->past_value[0] = OMEN_NONE;
  p->past_count = OMEN_ARENA_NEW (&p->arena, int32_t, 1);
  p->past_count[0] = 1;
  section (p, 0, OMEN_NONE);
  section (p, 2, OMEN_NONE);
  section (p, 6, 7);
  for (omen_node n = 1; n < 4; n += 2)
    OMEN_VEC_PUSH (p->accesses, ((omen_node_access){ n, 0, OMEN_NONE, 7,
                                                     OMEN_PAST, false, true }));
  OMEN_VEC_PUSH (p->accesses,
                 ((omen_node_access){ 4, 0, 7, OMEN_NONE, 1, true, false }));
  OMEN_VEC_PUSH (p->counts, ((omen_count){ 5, 0, -1 }));
  omen_problem_seal (p);
  assert_true (omen_problem_valid (p));
}

/* How many allocations a hundred askings take after the first; the answer is
   reached by decisions. */
static unsigned
allocations_of (omen_solver *solver, const omen_query *q, omen_verdict wanted)
{
  static const omen_budget budget = { .steps = 1000 };
  unsigned before = 0;
  for (int i = 0; i <= 100; i++) {
    omen_answer answer;
    assert_int_equal (omen_solver_ask (solver, q, &budget, &answer), wanted);
    assert_int_equal (answer.stage, OMEN_STAGE_SEARCH);
    OMEN_VEC_FINI (answer.sequence);
    if (!i)
      before = allocations;
  }
  return allocations - before;
}

static void
asking_again_allocates_nothing (void **state)
{
  omen_problem p;
  omen_solver *solver;
  omen_query q = { .take = (omen_node[]){ 5, 7 },
                   .takes = 2,
                   .order = (omen_edge[]){ { 4, 6, false } },
                   .orders = 1 };
  (void)state;
  build (&p);
  solver = omen_solver_new (&p);
  assert_true (allocations > 0); /* they are counted */
  /* either write is inside a section that comes after that of chain 3 */
  assert_int_equal (allocations_of (solver, &q, OMEN_ABSENT), 0);
  q.orders = 0;
  assert_int_equal (allocations_of (solver, &q, OMEN_FOUND),
                    100); /* the sequences, which are the caller's */
  omen_solver_free (solver);
  omen_problem_fini (&p);
}

UNIT_MAIN (UNIT (asking_again_allocates_nothing))
