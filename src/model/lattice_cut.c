/* Steps from cut to cut. */
#include "model/lattice_plan.h"

/* Count of free notifies after a notifyall: unlimited. */
static uint32_t
everything (const omen_lattice *plan)
{
  return plan->wide ? UINT32_MAX : UINT16_MAX;
}

static bool
bit_is_set (const omen_lattice *plan, const uint64_t *cut, uint32_t bit)
{
  return cut[plan->bits_at + bit / 64] >> bit % 64 & 1;
}

static uint32_t *
counter (const omen_lattice *plan, const uint64_t *cut, uint32_t i)
{
  OMEN_ASSERT (i < plan->counters);
  return (uint32_t *)(cut + plan->counters_at) + i;
}

static bool
passes (const omen_lattice *plan, const uint64_t *cut, const omen_gate *gate)
{
  switch (gate->kind) {
  case OMEN_GATE_NEED:
    return omen_cut_done (plan, cut, gate->a) >= gate->b;
  case OMEN_GATE_CLEAR:
    return !bit_is_set (plan, cut, gate->a);
  case OMEN_GATE_HELD:
    return bit_is_set (plan, cut, gate->a)
           || (gate->b != OMEN_NONE && *counter (plan, cut, gate->b));
  case OMEN_GATE_ZERO:
    return !*counter (plan, cut, gate->a);
  case OMEN_GATE_POSITIVE:
    return *counter (plan, cut, gate->a);
  case OMEN_GATE_NOTIFIED:
    return omen_cut_number (plan, cut, plan->threads + gate->a);
  default:
    OMEN_ASSERT (!"an effect lets nothing pass");
    return false;
  }
}

bool
omen_cut_passes (const omen_lattice *plan, const uint64_t *cut, uint32_t from,
                 uint32_t to)
{
  for (uint32_t i = from; i < to; i++)
    if (!passes (plan, cut, &plan->gates.data[i]))
      return false;
  return true;
}

/* ---- the key ---- */

/* Is the thread of this slot waiting for the condition? */
static bool
waits_for (const omen_lattice *plan, const uint64_t *cut, uint32_t slot,
           uint32_t condition)
{
  omen_tid t = plan->slot_thread[slot];
  uint32_t done = omen_cut_done (plan, cut, t);
  return done && plan->waits_for[plan->first_step[t] + done - 1] == condition;
}

static void
notify_in_cut (const omen_lattice *plan, uint64_t *to, uint32_t condition,
               bool all)
{
  for (uint32_t slot = 0; slot < plan->slots; slot++) {
    uint32_t free = omen_cut_number (plan, to, plan->threads + slot);
    if (!waits_for (plan, to, slot, condition) || free == everything (plan))
      continue;
    OMEN_ASSERT (all || free + 1 < everything (plan));
    omen_cut_put (plan, to, plan->threads + slot,
                  all ? everything (plan) : free + 1);
  }
}

/* The thread of `slot` takes the earliest notify available to it. That notify
   was also available to every waiter with at least as many, which now has one
   less. */
static void
take_notify (const omen_lattice *plan, const uint64_t *cut, uint64_t *to,
             uint32_t slot, uint32_t condition)
{
  uint32_t mine = omen_cut_number (plan, cut, plan->threads + slot);
  omen_cut_put (plan, to, plan->threads + slot, 0);
  for (uint32_t other = 0; mine != everything (plan) && other < plan->slots;
       other++) {
    uint32_t its = omen_cut_number (plan, cut, plan->threads + other);
    if (other != slot && waits_for (plan, cut, other, condition)
        && its != everything (plan) && its >= mine)
      omen_cut_put (plan, to, plan->threads + other, its - 1);
  }
}

void
omen_cut_advance (const omen_lattice *plan, const uint64_t *cut,
                  const omen_lattice_step *step, uint64_t *to)
{
  omen_tid t = omen_model_thread (plan->model, step->event);
  for (uint32_t i = 0; i < plan->key_words; i++)
    to[i] = cut[i];
  omen_cut_put (plan, to, t, omen_cut_done (plan, cut, t) + 1);
  for (uint32_t i = step->keys; i < step->rest; i++) {
    const omen_gate *gate = &plan->gates.data[i];
    if (gate->kind == OMEN_GATE_TAKE)
      take_notify (plan, cut, to, gate->a, gate->b);
    else
      notify_in_cut (plan, to, gate->a, gate->kind == OMEN_GATE_NOTIFY_ALL);
  }
}

/* ---- the rest ---- */

static bool
set_is_complete (const omen_lattice *plan, const uint64_t *cut, uint32_t set)
{
  for (uint32_t i = plan->set_first.data[set];
       i < plan->set_first.data[set + 1]; i++)
    if (omen_cut_done (plan, cut, plan->dues.data[i].thread)
        < plan->dues.data[i].count)
      return false;
  return true;
}

void
omen_cut_act (const omen_lattice *plan, uint64_t *to, const omen_gate *gate)
{
  uint64_t *bits = to + plan->bits_at + gate->a / 64;
  uint64_t bit = (uint64_t)1 << gate->a % 64;
  switch (gate->kind) {
  case OMEN_GATE_SET:
    *bits |= bit;
    break;
  case OMEN_GATE_UNSET:
    *bits &= ~bit;
    break;
  case OMEN_GATE_CLOSE:
    if (set_is_complete (plan, to, gate->b))
      *bits &= ~bit;
    break;
  case OMEN_GATE_MORE:
    ++*counter (plan, to, gate->a);
    break;
  default:
    OMEN_ASSERT (gate->kind == OMEN_GATE_LESS && *counter (plan, to, gate->a));
    --*counter (plan, to, gate->a);
  }
}

void
omen_cut_finish (const omen_lattice *plan, const uint64_t *cut,
                 const omen_lattice_step *step, uint64_t *to)
{
  for (uint32_t i = plan->key_words; i < plan->words; i++)
    to[i] = cut[i];
  for (uint32_t i = step->rest; i < step[1].needs; i++)
    omen_cut_act (plan, to, &plan->gates.data[i]);
}

/* The slot whose notify the step takes, or OMEN_NONE. */
static uint32_t
slot_taken (const omen_lattice *plan, const omen_lattice_step *step)
{
  for (uint32_t i = step->keys; i < step->rest; i++)
    if (plan->gates.data[i].kind == OMEN_GATE_TAKE)
      return plan->gates.data[i].a;
  return OMEN_NONE;
}

/* Returns from different conditions take different notifies. Of the same
   condition, the one with fewer takes a notify that both could take, so the
   other must have more than one. */
bool
omen_cut_together (const omen_lattice *plan, const uint64_t *cut,
                   const omen_lattice_step *a, const omen_lattice_step *b)
{
  uint32_t x = slot_taken (plan, a), y = slot_taken (plan, b);
  uint32_t mine, its;
  if (x == OMEN_NONE || y == OMEN_NONE
      || plan->waits_for[a - plan->steps - 1]
             != plan->waits_for[b - plan->steps - 1])
    return true;
  mine = omen_cut_number (plan, cut, plan->threads + x);
  its = omen_cut_number (plan, cut, plan->threads + y);
  OMEN_ASSERT (mine && its && x != y);
  return mine > 1 || its > 1;
}
