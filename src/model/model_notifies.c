/* Which notify serves which return in the trace. */
#include "model/model_build.h"
#include "model/notifies.h"

#include <stdlib.h>

/* A return that needs a notify. */
typedef struct returning {
  uint32_t position, wait; /* in waits */
  uint32_t before;         /* notifies of its condition before its wait */
} returning;

typedef struct serving {
  const omen_model *model;
  OMEN_VEC (returning) returns; /* of the current condition */
  omen_notifies notifies;       /* the k-th of the condition at place k + 1 */
  uint32_t *server;
} serving;

static int
by_position (const void *a, const void *b)
{
  const returning *x = a, *y = b;
  return x->position < y->position ? -1 : x->position > y->position;
}

/* Waits are in order, so the notifies before each are found in one pass. */
static void
list_returns (serving *s, uint32_t condition)
{
  const omen_model *m = s->model;
  uint32_t first = m->condition_notifies[condition];
  uint32_t end = m->condition_notifies[condition + 1], at = first;
  OMEN_VEC_CLEAR (s->returns);
  for (uint32_t i = m->condition_waits[condition];
       i < m->condition_waits[condition + 1]; i++) {
    const omen_wait *wait = &m->waits[i];
    while (at < end
           && omen_model_position (m, m->notifies[at])
                  < omen_model_position (m, wait->wait))
      at++;
    if (wait->needs && wait->back != OMEN_NONE)
      OMEN_VEC_PUSH (
          s->returns,
          ((returning){ omen_model_position (m, wait->back), i, at - first }));
  }
  OMEN_VEC_SORT (s->returns, by_position);
}

/* A return that is itself a notify does not serve itself. */
static void
serve_condition (serving *s, uint32_t condition)
{
  const omen_model *m = s->model;
  uint32_t first = m->condition_notifies[condition];
  uint32_t end = m->condition_notifies[condition + 1], at = first;
  omen_notifies_clear (&s->notifies);
  list_returns (s, condition);
  for (size_t i = 0; i < s->returns.count; i++) {
    const returning *back = &s->returns.data[i];
    uint32_t place;
    for (;
         at < end && omen_model_position (m, m->notifies[at]) < back->position;
         at++) {
      omen_notifies_add (&s->notifies, at - first + 1,
                         omen_model_event (m, m->notifies[at])->kind
                             == OMEN_NOTIFY_ALL);
    }
    place = omen_notifies_take (&s->notifies, back->before);
    OMEN_ASSERT (place != OMEN_NONE); /* the trace is well-formed */
    s->server[back->wait] = first + place - 1;
  }
}

void
omen_build_servers (omen_build *build)
{
  omen_model *m = build->model;
  uint32_t conditions = build->trace->names[OMEN_OPERAND_CONDITION].count;
  serving s = { .model = m };
  s.server = omen_build_array (build, m->wait_count, sizeof *s.server);
  for (uint32_t i = 0; i < m->wait_count; i++)
    s.server[i] = OMEN_NONE;
  for (uint32_t c = 0; c < conditions; c++)
    serve_condition (&s, c);
  m->server = s.server;
  OMEN_VEC_FINI (s.returns);
  omen_notifies_fini (&s.notifies);
}
