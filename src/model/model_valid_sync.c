/* The notifies that woke each return, checked against the trace. */
#include "model/model_valid.h"

/* Is notify n (in notifies) used up by a return before event e? */
static bool
is_taken (const omen_model *model, uint32_t n, omen_eid e)
{
  for (uint32_t i = 0; i < model->wait_count; i++)
    if (model->server[i] == n
        && omen_valid_earlier (model, model->waits[i].back, e))
      return omen_model_event (model, model->notifies[n])->kind == OMEN_NOTIFY;
  return false;
}

/* The earliest notifyall between the wait and its return, else the earliest
   notify there that is free. */
static uint32_t
server_of (const omen_model *model, const omen_wait *wait)
{
  uint32_t first = model->condition_notifies[wait->condition], pick = OMEN_NONE;
  uint32_t end = model->condition_notifies[wait->condition + 1];
  for (uint32_t i = end; i-- > first;) {
    omen_eid n = model->notifies[i];
    bool between = omen_valid_earlier (model, wait->wait, n)
                   && omen_valid_earlier (model, n, wait->back);
    bool all = omen_model_event (model, n)->kind == OMEN_NOTIFY_ALL;
    bool picked_all = pick != OMEN_NONE
                      && omen_model_event (model, model->notifies[pick])->kind
                             == OMEN_NOTIFY_ALL;
    if (between && (all || (!picked_all && !is_taken (model, i, wait->back))))
      pick = i;
  }
  return pick;
}

bool
omen_valid_servers (const omen_model *model)
{
  for (uint32_t i = 0; i < model->wait_count; i++) {
    const omen_wait *wait = &model->waits[i];
    bool served = wait->needs && wait->back != OMEN_NONE;
    if (model->server[i] != (served ? server_of (model, wait) : OMEN_NONE)
        || (served && model->server[i] == OMEN_NONE))
      return false;
  }
  return true;
}
