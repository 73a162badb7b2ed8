#include "model/reads_from_search.h"

#include <string.h>

static bool
is_hard (const omen_model *m, omen_eid e)
{
  switch (omen_model_event (m, e)->kind) {
  case OMEN_WAIT:
  case OMEN_WAKE:
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
  case OMEN_SEM_FAIL:
    return true;
  default:
    return omen_model_return_of (m, e) != OMEN_NONE;
  }
}

omen_rf_search *
omen_rf_search_new (const omen_model *model, const omen_quick *quick,
                    bool by_value)
{
  omen_rf_search *s = omen_zalloc (1, sizeof *s);
  s->m = model;
  s->quick = quick;
  s->by_value = by_value;
  s->threads = model->thread_count;
  OMEN_REQUIRE (quick);
  s->move_to = omen_alloc (model->event_count * sizeof *s->move_to);
  s->move_out = omen_alloc (model->event_count * sizeof *s->move_out);
  memset (s->move_to, 0xff, model->event_count * sizeof *s->move_to);
  memset (s->move_out, 0xff, model->event_count * sizeof *s->move_out);
  s->cut = omen_alloc (s->threads * sizeof *s->cut);
  s->more = omen_alloc (s->threads * sizeof *s->more);
  s->limits = omen_alloc (s->threads * sizeof *s->limits);
  s->hard = omen_alloc (model->event_count);
  for (omen_eid e = 0; e < model->event_count; e++)
    s->hard[e] = is_hard (model, e);
  return s;
}

void
omen_rf_search_free (omen_rf_search *s)
{
  if (!s)
    return;
  omen_free (s->move_to);
  omen_free (s->move_out);
  omen_free (s->hard);
  omen_free (s->cut);
  omen_free (s->more);
  omen_free (s->limits);
  OMEN_VEC_FINI (s->moves);
  OMEN_VEC_FINI (s->words);
  omen_free (s);
}

uint32_t
omen_rf_below (const omen_model *m, const omen_eid *list, uint32_t count,
               uint32_t end)
{
  OMEN_ASSERT (!count || list[0] <= list[count - 1]);
  return OMEN_FIRST_NOT (i, 0, count, omen_index (m, list[i]) < end);
}

uint32_t
omen_rf_held (const omen_model *m, omen_tid t, uint32_t end)
{
  return end < m->trace->threads.data[t].count
             ? m->set_of[omen_trace_nth (m->trace, t, end)]
             : m->end_set[t];
}

omen_verdict
omen_rf_ask (omen_rf_search *s, const omen_triple *triple, omen_rf_order order,
             omen_rf_plan *plan)
{
  OMEN_REQUIRE (triple->rival != triple->writer && triple->rival != triple->read
                && triple->writer != triple->read);
  OMEN_REQUIRE (order < OMEN_RF_ORDERS && triple->atom < s->m->atom_count);
  OMEN_ASSERT (
      omen_model_same_write (s->m, triple->read, triple->writer, triple->atom));
  if (omen_rf_refuted (s, triple, order))
    return OMEN_ABSENT;
  return omen_rf_planned (s, triple, order, plan) ? OMEN_FOUND : OMEN_UNKNOWN;
}

bool
omen_rf_goes_on (const omen_rf_search *s, const omen_triple *q,
                 omen_rf_order order)
{
  if (order == OMEN_RF_CR || (order == OMEN_RF_WCR && q->rival == OMEN_NONE))
    return false;
  return order == OMEN_RF_WCR ? s->cut[omen_model_thread (s->m, q->rival)]
                                    > omen_index (s->m, q->rival) + 1
                              : s->more[omen_model_thread (s->m, q->writer)]
                                    > omen_index (s->m, q->writer) + 1;
}

void
omen_plan_sequence (const omen_model *m, const omen_rf_plan *plan,
                    omen_ids *events)
{
  uint32_t *done = omen_alloc (m->thread_count * sizeof *done);
  uint32_t left = 0;
  OMEN_REQUIRE (plan->stretches <= OMEN_STRETCHES);
  for (omen_tid t = 0; t < m->thread_count; t++)
    left += plan->base[t];
  OMEN_VEC_RESERVE (*events, events->count + left);
  for (uint32_t i = 0; left; i++) {
    omen_eid e = omen_model_nth (m, i);
    if (omen_cut_has (m, plan->base, e)) {
      OMEN_VEC_PUSH (*events, e);
      left--;
    }
  }
  memcpy (done, plan->base, m->thread_count * sizeof *done);
  for (uint32_t i = 0; i < plan->stretches; i++) {
    omen_tid t = plan->stretch[i].thread;
    OMEN_ASSERT (plan->stretch[i].end <= m->trace->threads.data[t].count);
    OMEN_ASSERT (done[t] < plan->stretch[i].end);
    while (done[t] < plan->stretch[i].end)
      OMEN_VEC_PUSH (*events, omen_trace_nth (m->trace, t, done[t]++));
  }
  omen_free (done);
}
