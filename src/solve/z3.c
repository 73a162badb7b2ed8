/* Order problems as difference logic: a position for each node, a Boolean
   whether it is taken. Shares only the problem with the native search: the
   tests compare the two, and the engine asks Z3 last. */
#include "solve/z3_encoder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void
encode (omen_z3_encoder *e)
{
  omen_z3_make_nodes (e);
  omen_z3_encode_chains (e);
  omen_z3_encode_edges (e);
  omen_z3_encode_query (e);
  omen_z3_encode_sections (e);
  omen_z3_encode_insides (e);
  omen_z3_encode_reads (e);
  omen_z3_encode_rf (e);
  omen_z3_encode_whole (e);
  for (uint32_t i = 0; i < e->p->needs.count; i++)
    omen_z3_encode_need (e, i);
  for (uint32_t i = 0; i < e->p->semaphores; i++)
    omen_z3_encode_semaphore (e, i);
}

typedef struct placed {
  int64_t at;
  omen_node node;
} placed;

static int
by_place (const void *a, const void *b)
{
  const placed *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* The taken nodes by their positions. */
static void
read_model (omen_z3_encoder *e, omen_ids *sequence)
{
  Z3_model model = Z3_solver_get_model (e->c, e->solver);
  placed *list = omen_alloc (e->p->nodes * sizeof *list);
  size_t count = 0;
  Z3_model_inc_ref (e->c, model);
  for (omen_node n = 0; n < e->p->nodes; n++) {
    Z3_ast taken, at;
    int64_t position = 0;
    if (!Z3_model_eval (e->c, model, e->taken[n], true, &taken)
        || Z3_get_bool_value (e->c, taken) != Z3_L_TRUE
        || !Z3_model_eval (e->c, model, e->at[n], true, &at))
      continue;
    Z3_get_numeral_int64 (e->c, at, &position);
    list[count++] = (placed){ position, n };
  }
  OMEN_ASSERT (count <= e->p->nodes);
  if (count)
    qsort (list, count, sizeof *list, by_place);
  for (size_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (*sequence, list[i].node);
  omen_free (list);
  Z3_model_dec_ref (e->c, model);
}

/* 0: no limit. */
static double
seconds_left (const omen_deadline *deadline)
{
  double left = deadline->at - omen_now ();
  if (deadline->at <= 0)
    return 0;
  return left > 0.001 ? left : 0.001;
}

/* The seconds of a question are counted in Z3's own units of work, so that a
   busy machine gives the same answers; the clock may take this many times as
   long. */
#define WORK_A_SECOND 20e6
#define SLOW_MACHINE 10

static void
limit (omen_z3_encoder *e, double work, double seconds)
{
  Z3_params params = Z3_mk_params (e->c);
  Z3_params_inc_ref (e->c, params);
  if (work > 0 && work < UINT_MAX)
    Z3_params_set_uint (e->c, params, Z3_mk_string_symbol (e->c, "rlimit"),
                        (unsigned)work);
  if (seconds > 0 && seconds < 4e6)
    Z3_params_set_uint (e->c, params, Z3_mk_string_symbol (e->c, "timeout"),
                        (unsigned)(seconds * 1000) + 1);
  Z3_solver_set_params (e->c, e->solver, params);
  Z3_params_dec_ref (e->c, params);
}

static void
encoder_init (omen_z3_encoder *e, const omen_problem *problem,
              const omen_query *query)
{
  Z3_config config = Z3_mk_config ();
  memset (e, 0, sizeof *e);
  e->p = problem;
  e->q = query;
  e->c = Z3_mk_context (config);
  Z3_del_config (config);
  e->solver
      = Z3_mk_solver_for_logic (e->c, Z3_mk_string_symbol (e->c, "QF_IDL"));
  Z3_solver_inc_ref (e->c, e->solver);
  e->yes = Z3_mk_true (e->c);
  e->no = Z3_mk_false (e->c);
  e->limit = omen_alloc (problem->chains * sizeof *e->limit);
  e->taken = omen_alloc (problem->nodes * sizeof *e->taken);
  e->at = omen_alloc (problem->nodes * sizeof *e->at);
  e->kept = omen_alloc (problem->accesses.count * sizeof *e->kept);
  e->uses = omen_zalloc (problem->needs.count, sizeof *e->uses);
}

static void
encoder_fini (omen_z3_encoder *e)
{
  for (size_t i = 0; i < e->p->needs.count; i++)
    omen_free (e->uses[i]);
  omen_free (e->limit);
  omen_free (e->taken);
  omen_free (e->at);
  omen_free (e->kept);
  omen_free (e->uses);
  Z3_solver_dec_ref (e->c, e->solver);
  Z3_del_context (e->c);
}

omen_verdict
omen_z3_ask (const omen_problem *problem, const omen_query *query,
             const omen_budget *budget, omen_answer *answer)
{
  omen_budget slow = *budget;
  omen_z3_encoder e;
  omen_verdict verdict = OMEN_UNKNOWN;
  OMEN_REQUIRE (!query->refine && problem->edge_first);
  memset (answer, 0, sizeof *answer);
  answer->stage = OMEN_STAGE_Z3;
  encoder_init (&e, problem, query);
  slow.seconds *= SLOW_MACHINE;
  e.deadline = omen_budget_deadline (&slow);
  encode (&e);
  if (!omen_z3_full (&e)) {
    limit (&e, budget->seconds * WORK_A_SECOND, seconds_left (&e.deadline));
    switch (Z3_solver_check (e.c, e.solver)) {
    case Z3_L_TRUE:
      verdict = OMEN_FOUND;
      read_model (&e, &answer->sequence);
      break;
    case Z3_L_FALSE:
      verdict = OMEN_ABSENT;
      break;
    default:
      break;
    }
  }
  encoder_fini (&e);
  return verdict;
}
